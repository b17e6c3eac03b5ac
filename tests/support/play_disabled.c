/* The part of the play that is about kith_disabled, which children inherit: it is added and removed all
 * over hierarchies, and queries find what a walk to the root finds. */
#include "model_trees.h"
#include "play.h"

/* ---- Changes ----------------------------------------------------------------------------------- */

static kith_result act_switch(played *w, const operation *op, outcome *out)
{
    (void)out;
    return op->number != 0 ? kith_add(w->world, op->entity, op->type)
                           : kith_remove(w->world, op->entity, op->type);
}

static kith_result expect_switch(play *p, const operation *op, outcome *out)
{
    (void)out;
    model_entity *entity = model_find(&p->m, op->entity);
    if (entity == NULL) {
        return KITH_ERR_DEAD;
    }
    if (op->number == 0) {
        return model_remove(&entity->values, op->type) ? KITH_OK : KITH_ERR_ABSENT;
    }
    model_register(&p->m, op->type);
    model_set(&entity->values, op->type, NULL);
    return KITH_OK;
}

/* Mostly what has the tag is switched on again. */
static void switch_one(play *p)
{
    operation op = {.name = "kith_add or kith_remove of kith_disabled",
                    .act = act_switch,
                    .expect = expect_switch,
                    .entity = play_parent(p),
                    .type = play_type(PLAY_DISABLED)};
    op.number = play_has(p, op.entity, op.type) == input_chance(&p->in, 20);
    play_attempt(p, &op);
}

/* ---- Looks ------------------------------------------------------------------------------------- */

/* All that are switched off, or all others, each once. */
static void look_by_query(play *p, const played *w, bool enabled, bool rows)
{
    const kith_term terms[] = {
        {.type = p->m.disabled_type, .role = enabled ? KITH_MUST_NOT : KITH_MUST}, {0}};
    bool *wanted = play_scratch(p, p->m.entity_count);
    uint32_t count = 0;
    kith_query *query = NULL;
    CHECK_RESULT(kith_query_new(w->world, &(kith_query_def){.terms = terms}, &query), KITH_OK);
    for (uint32_t i = 0; i < p->m.entity_count; i++) {
        wanted[i] = model_is_enabled(&p->m, &p->m.entities[i]) == enabled;
        count += wanted[i];
    }
    CHECK_UINT(kith_query_count(query), count);
    kith_iter it = kith_query_iter(query);
    while (rows ? kith_next_rows(&it) : kith_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            const model_entity *entity = model_find(&p->m, kith_entities(&it)[i]);
            CHECK_PTR_NOT_NULL(entity);
            CHECK(wanted[entity - p->m.entities]);
            wanted[entity - p->m.entities] = false;
            count--;
        }
    }
    CHECK_RESULT(it.result, KITH_OK);
    CHECK_UINT(count, 0);
    kith_query_free(query);
}

void play_look_disabled(play *p)
{
    const bool rows = input_chance(&p->in, 50);
    for (int world = 0; world < WORLD_COUNT && play_disabled_type(p) != NULL; world++) {
        const played *w = &p->worlds[world];
        for (uint32_t i = 0; i < p->m.entity_count; i++) {
            CHECK_INT(kith_is_enabled(w->world, p->m.entities[i].handle),
                      model_is_enabled(&p->m, &p->m.entities[i]));
        }
        look_by_query(p, w, true, rows);
        look_by_query(p, w, false, !rows);
    }
}

void play_disabled(play *p)
{
    if (!p->links) {
        return;
    }
    for (uint32_t i = 1 + input_below(&p->in, 3); i > 0; i--) {
        input_chance(&p->in, 60) ? switch_one(p) : play_set_parent(p);
    }
    if (p->m.entity_count < 400) {
        play_look_disabled(p);
    }
}
