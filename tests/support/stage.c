#include "stage.h"

#include <stdlib.h>
#include <string.h>

static void look(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            CHECK_PTR_NOT_NULL(KITH_AT(it, i, Position));
        }
    }
}

static void register_types(kith_world *world, kith_layout layout)
{
    static const kith_type *const types[] = {&Position_type, &Velocity_type, &Health_type,
                                             &Extra_type,    &Name_type,     &Big_type,
                                             &Byte_type,     &Frozen_type,   &Burning_type,
                                             &Crate_type,    &Aims_type,     &kith_child_of_type};
    const kith_component_def def = {.layout = layout};
    for (uint32_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        CHECK_RESULT(kith_register(world, types[i], &def), KITH_OK);
    }
}

/* A type whose hooks need memory, and so fail like everything else. */
static void add_owned(stage *s)
{
    s->owned = calloc(1, sizeof(*s->owned));
    CHECK_PTR_NOT_NULL(s->owned);
    s->owned->allocator = test_memory_allocator(s->f.memory);
    kith_hooks hooks = owned_hooks(s->owned);
    const kith_component_def def = {.layout = s->def.layout, .hooks = &hooks};
    CHECK_RESULT(kith_register(s->world, &Owned_type, &def), KITH_OK);
    s->owner = KITH_SPAWN(s->world, KITH_VALUE(Owned), KITH_VALUE(Position, {8, 9}));
    for (uint32_t i = 0; i < 4; i++) {
        CHECK(!kith_is_none(KITH_SPAWN(s->world, KITH_VALUE(Owned))));
    }
}

static kith_entity spawn_rows(kith_world *world, uint32_t rows)
{
    Position *positions = calloc(rows, sizeof(*positions));
    kith_entity *entities = calloc(rows, sizeof(*entities));
    CHECK(positions != NULL && entities != NULL && rows > 0);
    for (uint32_t i = 0; i < rows; i++) {
        positions[i] = (Position){(float)i, (float)(2 * i)};
    }
    const kith_values values[] = {KITH_VALUES(Position, positions), KITH_VALUE(Velocity, {1, 2})};
    CHECK_RESULT(kith_spawn_many(world, rows, values, 2, entities), KITH_OK);
    kith_entity middle = entities[rows / 2];
    free(positions);
    free(entities);
    return middle;
}

static void spawn_children(stage *s)
{
    kith_entity made[4 + 256];
    const uint32_t count = 4 + s->def.rows / 8;
    CHECK(count <= ROWS_OF(made));
    s->parent = kith_spawn_empty(s->world);
    s->target = kith_spawn_empty(s->world);
    const kith_values values[] = {KITH_VALUE(kith_child_of, {s->parent}),
                                  KITH_VALUE(Aims, {s->target, 1})};
    CHECK_RESULT(kith_spawn_many(s->world, count, values, 2, made), KITH_OK);
    memcpy(s->children, made, sizeof s->children);
}

static void put_out(const kith_observed *observed)
{
    for (uint32_t i = 0; i < observed->count; i++) {
        kith_commands_remove(observed->commands, observed->entities[i], &Burning_type);
    }
}

static void add_system(kith_world *world)
{
    const kith_system_def def = {
        .name = "look", .run = look, .query.terms = KITH_TERMS(KITH_READ(Position))};
    CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
}

static void open_once(kith_query *query)
{
    kith_iter it = kith_query_iter(query);
    while (kith_next(&it)) {
    }
    CHECK_RESULT(it.result, KITH_OK);
}

stage stage_new(stage_def def)
{
    stage s = {.def = def, .f = fixture_new()};
    kith_world *world = s.world = s.f.world;
    register_types(world, def.layout);
    s.query = KITH_QUERY(world, KITH_WRITE(Position), KITH_OPTIONAL_MUT(Health));
    CHECK_RESULT(KITH_UNIQUE(world, Pass, number), KITH_OK);
    s.empty = kith_spawn_empty(world);
    s.frozen = KITH_SPAWN(world, KITH_VALUE(Position, {5, 6}), KITH_VALUE(Frozen));
    s.full = KITH_SPAWN(world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity, {3, 4}),
                        KITH_VALUE(Health, {5, 6}), KITH_VALUE(Extra, {7, 8, 9}),
                        KITH_VALUE(Byte, {10}), KITH_VALUE(Big), KITH_VALUE(Frozen));
    const kith_values crates = {&Crate_type, NULL, false};
    CHECK_RESULT(kith_spawn_many(world, 5, &crates, 1, s.crates), KITH_OK);
    s.gone = kith_spawn_empty(world);
    CHECK_RESULT(kith_despawn(world, s.gone), KITH_OK);
    add_owned(&s);
    s.plain = spawn_rows(world, def.rows);
    spawn_children(&s);
    kith_entity dead[8];
    CHECK(def.dead <= 8);
    for (uint32_t i = 0; i < def.dead; i++) {
        dead[i] = kith_spawn_empty(world);
    }
    CHECK_RESULT(kith_despawn_many(world, dead, def.dead, NULL), KITH_OK);
    s.other = KITH_QUERY(world, KITH_READ(Health), KITH_WITH(Frozen));
    s.fresh = KITH_QUERY(world, KITH_READ(Position));
    s.changed = KITH_QUERY(world, KITH_CHANGED(Position));
    s.all = KITH_QUERY(world, KITH_READ(Position));
    CHECK(s.query != NULL && s.other != NULL && s.fresh != NULL && s.all != NULL &&
          s.changed != NULL);
    CHECK_RESULT(kith_tracker_new(world, &Burning_type, &s.tracker), KITH_OK);
    const kith_observer_def observing = {.type = &Burning_type, .run = put_out};
    CHECK_RESULT(kith_observer_new(world, &observing, &s.observer), KITH_OK);
    CHECK_RESULT(KITH_ADD(world, s.empty, Burning), KITH_OK);
    CHECK_RESULT(kith_observers_flush(world), KITH_OK);
    open_once(s.query);
    open_once(s.other);
    open_once(s.all);
    add_system(world);
    CHECK_RESULT(kith_run(world, 1), KITH_OK);
    CHECK_RESULT(KITH_RESOURCE_SET(world, Health, {50, 100}), KITH_OK);
    for (uint32_t i = 0; i < def.rows && i < 64; i++) {
        CHECK_RESULT(KITH_SEND(world, Position, {(float)i, 1}), KITH_OK);
    }
    if (def.shared) {
        CHECK_RESULT(kith_snapshot_take(world, &s.snapshot), KITH_OK);
        s.shared = test_share_world(world);
        CHECK_PTR_NOT_NULL(s.shared);
    }
    return s;
}

void stage_free(stage *s)
{
    if (s->shared != NULL) {
        test_share_free(s->shared);
    }
    fixture_free(&s->f);
    CHECK_UINT(s->owned->live, 0);
    free(s->owned);
}
