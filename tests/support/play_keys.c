/* The part of the play that is about unique keys: the first field of a type is one, or is not one any
 * longer. What that forbids is in model_settle. */
#include <kith/unique.h>
#include <string.h>

#include "model_links.h"
#include "play.h"

static const kith_type *keyed(void)
{
    return play_type(PLAY_KEYED);
}

/* ---- Making and ending ------------------------------------------------------------------------- */

static kith_unique_def definition(const kith_type *type)
{
    return (kith_unique_def){.type = type, .fields = {type->fields[0].name}};
}

void play_make_key(kith_world *world, const model *m)
{
    if (m->unique_type != NULL) {
        const kith_unique_def def = definition(m->unique_type);
        CHECK_RESULT(kith_unique_new(world, &def), KITH_OK);
    }
}

static kith_result act_make(played *w, const operation *op, outcome *out)
{
    (void)out;
    const kith_unique_def def = definition(op->type);
    return kith_unique_new(w->world, &def);
}

static kith_result expect_make(play *p, const operation *op, outcome *out)
{
    (void)out;
    bool snapshots = false;
    for (uint32_t i = 0; i < PLAY_SNAPSHOTS; i++) {
        snapshots = snapshots || p->worlds[TWIN].snapshots[i] != NULL;
    }
    if (snapshots || p->m.unique_type != NULL || !model_keys_are_unique(&p->m, op->type)) {
        return KITH_ERR_CONFLICT;
    }
    p->m.unique_type = op->type;
    return KITH_OK;
}

void play_keys(play *p)
{
    const operation op = {
        .name = "kith_unique_new", .act = act_make, .expect = expect_make, .type = keyed()};
    if (p->m.unique_type == NULL || input_chance(&p->in, 10)) {
        play_attempt(p, &op);
    } else if (input_chance(&p->in, 30)) {
        play_name(p, "kith_unique_free");
        for (int world = 0; world < WORLD_COUNT; world++) {
            kith_unique_free(p->worlds[world].world, keyed());
        }
        p->m.unique_type = NULL;
    }
}

/* ---- Looks ------------------------------------------------------------------------------------- */

void play_look_keys(play *p)
{
    const uint32_t some[2] = {input_below(&p->in, 1000), 0};
    kith_entity found = KITH_NONE;
    for (uint32_t i = 0; i < p->m.entity_count; i++) {
        const model_value *value = model_get(&p->m.entities[i].values, keyed());
        if (value != NULL && memcmp(value->bytes, some, sizeof(some[0])) == 0) {
            found = p->m.entities[i].handle;
        }
    }
    for (int world = 0; world < WORLD_COUNT && p->m.unique_type != NULL; world++) {
        const kith_world *w = p->worlds[world].world;
        CHECK_SAME(kith_unique_find(w, keyed(), some), found);
        for (uint32_t i = 0; i < p->m.entity_count; i++) {
            const model_value *value = model_get(&p->m.entities[i].values, keyed());
            if (value != NULL) {
                CHECK_SAME(kith_unique_find(w, keyed(), value->bytes), p->m.entities[i].handle);
            }
        }
    }
}
