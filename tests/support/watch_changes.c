/* The part of the watch that changes entities and their values: a step each, on the world and on the
 * model. */
#include "watch.h"

/* ---- Choosing ------------------------------------------------------------------------------------ */

/* Values of Big are for small worlds. */
uint32_t watch_choose_type(watch *w)
{
    uint32_t type = input_below(&w->in, WATCH_TYPES);
    return type == WATCH_BIG && w->cap > 100 ? WATCH_BURNING : type;
}

uint32_t watch_choose_number(watch *w, uint32_t type)
{
    if (watch_types[type]->size == 0) {
        return 0;
    }
    return input_below(&w->in, input_chance(&w->in, 50) ? 2 : WATCH_NUMBERS);
}

/* One value for the step; some are left to what the type starts with. */
static void choose_value(watch *w, watch_step *s, watch_room *rooms)
{
    uint32_t i = s->value_count;
    uint32_t type = watch_choose_type(w);
    for (uint32_t k = 0; k < i; k++) {
        if (s->types[k] == type) {
            return;
        }
    }
    bool given = watch_types[type]->size != 0 && input_chance(&w->in, 85);
    s->types[i] = type;
    s->numbers[i] = given ? watch_choose_number(w, type) : watch_initial(type);
    s->values[i] = (kith_value){watch_types[type], given ? &rooms[i] : NULL};
    if (given) {
        watch_value_make(w, type, s->numbers[i], &rooms[i]);
    }
    s->value_count++;
}

static void choose_values(watch *w, watch_step *s, uint32_t most)
{
    static watch_room rooms[WATCH_VALUES];
    for (uint32_t wanted = input_below(&w->in, most + 1); wanted > 0; wanted--) {
        choose_value(w, s, rooms);
    }
}

static void end_values(watch *w, const watch_step *s)
{
    for (uint32_t i = 0; i < s->value_count; i++) {
        if (s->values[i].data != NULL) {
            watch_value_end(w, s->types[i], (void *)(uintptr_t)s->values[i].data);
        }
    }
}

static void gain_values(watch *w, watch_entity *entity, const watch_step *s)
{
    for (uint32_t i = 0; i < s->value_count; i++) {
        watch_gained(w, entity, s->types[i], s->numbers[i]);
    }
}

/* ---- Entities ------------------------------------------------------------------------------------ */

/* The values of the step, and fillers. */
static uint32_t all_values(const watch_step *s, kith_value *all)
{
    uint32_t count = 0;
    for (; count < s->value_count; count++) {
        all[count] = s->values[count];
    }
    for (uint32_t i = 0; s->fill && i < WATCH_FILLERS; i++) {
        all[count++] = (kith_value){watch_filler(i), NULL};
    }
    return count;
}

static kith_result act_spawn(watch *w, watch_step *s)
{
    kith_value all[WATCH_VALUES + WATCH_FILLERS];
    uint32_t count = all_values(s, all);
    return kith_spawn(w->world, all, count, &s->made);
}

static void expect_spawn(watch *w, const watch_step *s)
{
    gain_values(w, watch_spawned(w, s->made), s);
}

static kith_result act_spawn_many(watch *w, watch_step *s)
{
    kith_value all[WATCH_VALUES + WATCH_FILLERS];
    kith_values many[WATCH_VALUES + WATCH_FILLERS];
    uint32_t count = all_values(s, all);
    for (uint32_t i = 0; i < count; i++) {
        many[i] = (kith_values){all[i].type, all[i].data, false};
    }
    return kith_spawn_many(w->world, s->count, many, count, s->entities);
}

static void expect_spawn_many(watch *w, const watch_step *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        gain_values(w, watch_spawned(w, s->entities[i]), s);
    }
}

static kith_result act_clone(watch *w, watch_step *s)
{
    return kith_clone(w->world, s->entity, &s->made);
}

static void expect_clone(watch *w, const watch_step *s)
{
    watch_gained_all_of(w, watch_spawned(w, s->made), watch_find(w, s->entity));
}

static kith_result act_despawn(watch *w, watch_step *s)
{
    return kith_despawn(w->world, s->entity);
}

static void expect_despawn(watch *w, const watch_step *s)
{
    watch_ended(w, watch_find(w, s->entity));
}

static kith_result act_despawn_many(watch *w, watch_step *s)
{
    return kith_despawn_many(w->world, s->entities, s->count, &s->ended);
}

/* The dead, and those who stand there twice, are passed over. */
static void expect_despawn_many(watch *w, const watch_step *s)
{
    uint32_t ended = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        watch_entity *entity = watch_find(w, s->entities[i]);
        if (entity != NULL) {
            watch_ended(w, entity);
            ended++;
        }
    }
    CHECK_UINT(s->ended, ended);
}

void watch_spawn_some(watch *w, watch_step *s)
{
    bool many = input_chance(&w->in, 30);
    s->fill = w->filled && input_chance(&w->in, 60);
    uint32_t room = w->cap > w->count ? w->cap - w->count : 0;
    s->count = input_below(&w->in, room < 1500 ? room + 1 : 1500);
    s->name = many ? "kith_spawn_many" : "kith_spawn";
    s->act = many ? act_spawn_many : act_spawn;
    s->expect = many ? expect_spawn_many : expect_spawn;
    choose_values(w, s, WATCH_VALUES);
    watch_attempt(w, s);
    end_values(w, s);
}

static void step_clone(watch *w, watch_step *s)
{
    s->name = "kith_clone";
    s->act = act_clone;
    s->expect = expect_clone;
    watch_attempt(w, s);
}

static void step_despawn(watch *w, watch_step *s)
{
    s->name = "kith_despawn";
    s->act = act_despawn;
    s->expect = expect_despawn;
    watch_attempt(w, s);
}

void watch_despawn_some(watch *w, watch_step *s)
{
    s->name = "kith_despawn_many";
    s->act = act_despawn_many;
    s->expect = expect_despawn_many;
    s->count = input_below(&w->in, w->count / 2 + 2);
    for (uint32_t i = 0; i < s->count; i++) {
        s->entities[i] = watch_choose(w)->handle;
    }
    watch_attempt(w, s);
}

/* ---- Components ---------------------------------------------------------------------------------- */

static kith_result act_set(watch *w, watch_step *s)
{
    return s->value_count == 1 ? kith_set(w->world, s->entity, s->values[0].type, s->values[0].data)
                               : kith_set_values(w->world, s->entity, s->values, s->value_count);
}

static void expect_set(watch *w, const watch_step *s)
{
    gain_values(w, watch_find(w, s->entity), s);
}

static void step_set(watch *w, watch_step *s)
{
    s->name = "kith_set or kith_set_values";
    s->act = act_set;
    s->expect = expect_set;
    choose_values(w, s, input_chance(&w->in, 60) ? 1 : WATCH_VALUES);
    watch_attempt(w, s);
    end_values(w, s);
}

static kith_result act_add(watch *w, watch_step *s)
{
    return kith_add(w->world, s->entity, watch_types[s->types[0]]);
}

static void expect_add(watch *w, const watch_step *s)
{
    watch_entity *entity = watch_find(w, s->entity);
    if (!entity->has[s->types[0]]) {
        watch_gained(w, entity, s->types[0], watch_initial(s->types[0]));
    }
}

static void step_add(watch *w, watch_step *s)
{
    s->name = "kith_add";
    s->act = act_add;
    s->expect = expect_add;
    s->types[0] = watch_choose_type(w);
    watch_attempt(w, s);
}

static kith_result act_remove(watch *w, watch_step *s)
{
    return kith_remove(w->world, s->entity, watch_types[s->types[0]]);
}

static void expect_remove(watch *w, const watch_step *s)
{
    watch_lost(w, watch_find(w, s->entity), s->types[0]);
}

static void step_remove(watch *w, watch_step *s)
{
    s->name = "kith_remove";
    s->act = act_remove;
    s->expect = expect_remove;
    s->types[0] = watch_choose_type(w);
    if (watch_find(w, s->entity)->has[s->types[0]]) {
        watch_attempt(w, s);
    } else {
        CHECK_RESULT(act_remove(w, s), KITH_ERR_ABSENT);
    }
}

static kith_result act_clear(watch *w, watch_step *s)
{
    return kith_remove_all(w->world, s->entity);
}

static void expect_clear(watch *w, const watch_step *s)
{
    watch_cleared(w, watch_find(w, s->entity));
}

static void step_clear(watch *w, watch_step *s)
{
    s->name = "kith_remove_all";
    s->act = act_clear;
    s->expect = expect_clear;
    watch_attempt(w, s);
}

/* ---- Values written where they stand ------------------------------------------------------------- */

static void write_value(watch *w, watch_entity *entity, uint32_t type, void *value)
{
    entity->numbers[type] = watch_choose_number(w, type);
    watch_value_write(type, entity->numbers[type], value);
}

static void step_get_mut(watch *w, watch_step *s)
{
    uint32_t type = watch_choose_type(w);
    watch_entity *entity = watch_find(w, s->entity);
    void *value = NULL;
    bool there = entity->has[type] && watch_types[type]->size != 0;
    CHECK_RESULT(kith_get_mut(w->world, s->entity, watch_types[type], &value),
                 there ? KITH_OK : KITH_ERR_ABSENT);
    if (there) {
        write_value(w, entity, type, value);
    }
}

/* A query that may write all; some are written. */
static void step_query(watch *w, watch_step *s)
{
    (void)s;
    uint32_t type = watch_choose_type(w);
    const kith_type *t = watch_types[type];
    const kith_term term = {t, t->size == 0 ? KITH_ACCESS_NONE : KITH_ACCESS_WRITE, KITH_MUST, 0,
                            NULL};
    kith_query *query = NULL;
    CHECK_RESULT(kith_query_new(w->world, &(kith_query_def){.terms = KITH_TERMS(term)}, &query),
                 KITH_OK);
    uint32_t percent = input_below(&w->in, 50);
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; t->size != 0 && i < it.count; i++) {
            if (input_chance(&w->in, percent)) {
                void *value = kith_at(&it, i, t, t->size, KITH_ACCESS_WRITE);
                write_value(w, watch_find(w, kith_entities(&it)[i]), type, value);
            }
        }
    }
    kith_query_free(query);
}

/* Changes nothing that anyone is told of. */
static void step_reclaim(watch *w, watch_step *s)
{
    (void)s;
    kith_world_trim(w->world);
}

void watch_change(watch *w, watch_step *s)
{
    static void (*const changes[])(watch * w, watch_step * s) = {
        watch_spawn_some,   watch_spawn_some, watch_spawn_some, step_clone,  step_despawn,
        watch_despawn_some, step_set,         step_set,         step_set,    step_set,
        step_set,           step_add,         step_remove,      step_remove, step_clear,
        step_get_mut,       step_query,       step_reclaim,
    };
    changes[input_below(&w->in, sizeof(changes) / sizeof(changes[0]))](w, s);
}
