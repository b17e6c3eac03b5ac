/* The part of the play that is about names of entities. */
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "play.h"

static const char *const bad_names[] = {"..", "a/b", ""};

/* The text of a name by its number. The last ones cannot be names. */
static const char *name_text(uint32_t number, char *text, size_t size)
{
    if (number >= PLAY_NAMES - ROWS_OF(bad_names)) {
        return bad_names[PLAY_NAMES - 1 - number];
    }
    snprintf(text, size, number % 7 == 0 ? "a longer name, which is number %u" : "n%u", number);
    return text;
}

/* Worlds number texts in the order in which they come. */
void play_intern_names(play *p, kith_world *world)
{
    for (uint32_t i = 0; i < PLAY_NAMES; i++) {
        char text[64];
        kith_text interned;
        CHECK_RESULT(kith_text_intern(world, name_text(i, text, sizeof(text)), &interned), KITH_OK);
        CHECK(p->names[i].number == 0 || kith_text_equal(interned, p->names[i]));
        p->names[i] = interned;
    }
}

void play_begin_names(play *p)
{
    p->m.name_count = PLAY_NAMES - (uint32_t)ROWS_OF(bad_names);
    p->m.names = p->names;
    for (int world = 0; world < WORLD_COUNT; world++) {
        play_intern_names(p, p->worlds[world].world);
    }
}

/* The number of an entity's name; PLAY_NAMES: it has none. */
static uint32_t name_of(const play *p, const model_entity *entity)
{
    const model_value *value = entity == NULL || p->m.name_type == NULL
                                   ? NULL
                                   : model_get(&entity->values, p->m.name_type);
    uint32_t number = 0;
    while (number < PLAY_NAMES &&
           (value == NULL || memcmp(value->bytes, &p->names[number], sizeof(kith_text)) != 0)) {
        number++;
    }
    return number;
}

/* ---- Looks ------------------------------------------------------------------------------------- */

/* The path of an entity, as far as it fits; false: it or an ancestor has no name. */
static bool path_of(const play *p, const model_entity *entity, char *path, size_t size)
{
    char text[64];
    char rest[1024];
    path[0] = '\0';
    for (; entity != NULL; entity = model_find(&p->m, model_parent(&p->m, entity->handle))) {
        uint32_t number = name_of(p, entity);
        if (number == PLAY_NAMES) {
            return false;
        }
        memcpy(rest, path, sizeof(rest));
        snprintf(path, size, "%s%s%.900s", name_text(number, text, sizeof(text)),
                 rest[0] == '\0' ? "" : "/", rest);
    }
    return true;
}

static void look_at_name(play *p, const played *w, const model_entity *entity)
{
    char text[64];
    char path[1024];
    char got[1024];
    const uint32_t number = name_of(p, entity);
    const char *has = kith_name_of(w->world, entity->handle);
    CHECK_INT(has != NULL, number != PLAY_NAMES);
    if (has == NULL) {
        CHECK_UINT(kith_path(w->world, entity->handle, got, sizeof(got)), 0);
        return;
    }
    CHECK_STR(has, name_text(number, text, sizeof(text)));
    CHECK_SAME(kith_find_child(w->world, model_parent(&p->m, entity->handle), has), entity->handle);
    const bool whole = path_of(p, entity, path, sizeof(path));
    if (strlen(path) < 900) {
        CHECK_UINT(kith_path(w->world, entity->handle, got, sizeof(got)), whole ? strlen(path) : 0);
        CHECK(!whole || strcmp(path, got) == 0);
        CHECK(!whole || kith_entity_equal(kith_find(w->world, path), entity->handle));
    }
}

void play_look_names(play *p)
{
    for (int world = 0; world < WORLD_COUNT; world++) {
        for (uint32_t i = 0; i < p->m.entity_count; i++) {
            look_at_name(p, &p->worlds[world], &p->m.entities[i]);
        }
    }
}

/* What is not there is not found. */
static void find(play *p)
{
    play_name(p, "kith_find_child");
    char text[64];
    const uint32_t number = input_below(&p->in, PLAY_NAMES);
    const kith_entity parent = input_chance(&p->in, 50) ? KITH_NONE : play_living(p);
    kith_entity found = KITH_NONE;
    for (uint32_t i = 0; i < p->m.entity_count; i++) {
        if (name_of(p, &p->m.entities[i]) == number &&
            kith_entity_equal(model_parent(&p->m, p->m.entities[i].handle), parent)) {
            found = p->m.entities[i].handle;
        }
    }
    for (int world = 0; world < WORLD_COUNT; world++) {
        CHECK_SAME(
            kith_find_child(p->worlds[world].world, parent, name_text(number, text, sizeof(text))),
            found);
    }
}

/* ---- Setting ----------------------------------------------------------------------------------- */

static kith_result act_set_name(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_set_name(w->world, op->entity, op->bytes);
}

static kith_result expect_set_name(play *p, const operation *op, outcome *out)
{
    (void)out;
    model_entity *entity = model_find(&p->m, op->entity);
    if (entity == NULL) {
        return KITH_ERR_DEAD;
    }
    model_register(&p->m, op->type);
    if (((const char *)op->bytes)[0] == '\0') {
        model_remove(&entity->values, op->type);
    } else {
        model_set(&entity->values, op->type, &p->names[op->number]);
    }
    return KITH_OK;
}

static void set_name(play *p)
{
    char text[64];
    operation op = {.name = "kith_set_name",
                    .act = act_set_name,
                    .expect = expect_set_name,
                    .type = play_same_type(&kith_name_type),
                    .entity = play_entity(p),
                    .number = input_below(&p->in, input_chance(&p->in, 50) ? 8 : PLAY_NAMES)};
    op.bytes = name_text(op.number, text, sizeof(text));
    play_attempt(p, &op);
}

void play_names(play *p)
{
    input_chance(&p->in, 25) ? find(p) : set_name(p);
}
