/* Types that nobody registered: the first use does, as they are declared. */
#include <kith/kith.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "test.h"

KITH_COMPONENT(Fuel, (float, liters), (uint8_t, kind));
KITH_COMPONENT(Heat, KITH_SPARSE, (float, degrees));
KITH_COMPONENT(Mark, KITH_SLOT, (uint32_t, color), (bool, shown));
KITH_TAG(Locked, KITH_SLOT);
KITH_TAG(Hidden);

static void check_layout(kith_world *world, const kith_type *type, kith_layout expected)
{
    kith_layout layout = (kith_layout)77;
    CHECK_RESULT(kith_layout_of(world, type, &layout), KITH_OK);
    CHECK_INT(layout, expected);
}

static void check_unknown(kith_world *world, const kith_type *type)
{
    CHECK_RESULT(kith_layout_of(world, type, NULL), KITH_ERR_UNKNOWN);
}

/* ---- Calls that register --------------------------------------------------------------------- */

TEST(adding_registers_with_the_declared_layout)
{
    fixture f = fixture_new();
    kith_entity e = kith_spawn_empty(f.world);
    CHECK_RESULT(KITH_SET(f.world, e, Heat, {36.6f}), KITH_OK);
    check_layout(f.world, &Heat_type, KITH_SPARSE);
    CHECK_RESULT(KITH_ADD(f.world, e, Locked), KITH_OK);
    check_layout(f.world, &Locked_type, KITH_SLOT);
    CHECK_RESULT(KITH_SET_VALUES(f.world, e, KITH_VALUE(Fuel, {1, 2}), KITH_VALUE(Hidden)),
                 KITH_OK);
    check_layout(f.world, &Fuel_type, KITH_TABLE);
    check_layout(f.world, &Hidden_type, KITH_TABLE);
    const Mark mark = {7, true};
    CHECK_RESULT(kith_set_bytes(f.world, e, &Mark_type, &mark, sizeof mark), KITH_OK);
    check_layout(f.world, &Mark_type, KITH_SLOT);
    CHECK_UINT(kith_type_count(f.world), 5);
    CHECK_FLOAT(KITH_GET(f.world, e, Heat)->degrees, 36.6f);
    CHECK_UINT(KITH_GET(f.world, e, Mark)->color, 7);
    CHECK(KITH_HAS(f.world, e, Locked) && KITH_HAS(f.world, e, Hidden));
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

TEST(spawning_registers)
{
    fixture f = fixture_new();
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Heat, {1}), KITH_VALUE(Fuel, {2, 3}));
    CHECK_FLOAT(KITH_GET(f.world, e, Fuel)->liters, 2);
    const kith_values values[] = {KITH_VALUE(Mark, {4, false}), KITH_VALUE(Heat, {5})};
    kith_entity many[3];
    CHECK_RESULT(kith_spawn_many(f.world, 3, values, 2, many), KITH_OK);
    CHECK_UINT(KITH_GET(f.world, many[2], Mark)->color, 4);
    check_layout(f.world, &Heat_type, KITH_SPARSE);
    check_layout(f.world, &Mark_type, KITH_SLOT);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

static void count_all(kith_iter *it)
{
    while (kith_next(it)) {
        *(uint32_t *)it->user += it->count;
    }
}

static void count_lost(const kith_observed *observed)
{
    *(uint32_t *)observed->user += observed->count;
}

/* What is asked now finds what comes later. */
TEST(queries_trackers_observers_and_systems_register)
{
    fixture f = fixture_new();
    uint32_t ran = 0;
    uint32_t lost = 0;
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Heat), KITH_WITHOUT(Locked));
    CHECK_PTR_NOT_NULL(query);
    check_layout(f.world, &Heat_type, KITH_SPARSE);
    check_layout(f.world, &Locked_type, KITH_SLOT);
    kith_tracker *tracker = NULL;
    CHECK_RESULT(kith_tracker_new(f.world, &Mark_type, &tracker), KITH_OK);
    check_layout(f.world, &Mark_type, KITH_SLOT);
    const kith_observer_def observer = {
        .kind = KITH_ON_REMOVE, .type = &Hidden_type, .run = count_lost, .user = &lost};
    CHECK_RESULT(kith_observer_new(f.world, &observer, NULL), KITH_OK);
    const kith_system_def system = {.name = "count",
                                    .run = count_all,
                                    .user = &ran,
                                    .query.terms = KITH_TERMS(KITH_READ(Fuel))};
    CHECK_RESULT(kith_system_add(f.world, &system), KITH_OK);
    CHECK_UINT(kith_type_count(f.world), 5);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Heat, {1}), KITH_VALUE(Mark, {1, true}),
                               KITH_VALUE(Fuel, {1, 1}), KITH_VALUE(Hidden));
    CHECK_RESULT(KITH_REMOVE(f.world, e, Hidden), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(kith_query_count(query), 1);
    CHECK_UINT(kith_tracker_pending(tracker), 1);
    CHECK_UINT(ran, 1);
    CHECK_UINT(lost, 1);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Resources and events are no components, and need none. */
TEST(resources_and_events_register_no_component)
{
    fixture f = fixture_new();
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Fuel, {1, 2}), KITH_OK);
    CHECK_RESULT(KITH_SEND(f.world, Heat, {3}), KITH_OK);
    CHECK_UINT(kith_type_count(f.world), 0);
    CHECK_UINT(kith_event_count(f.world, &Heat_type), 1);
    fixture_free(&f);
}

TEST(several_by_their_names)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Fuel_type, &(kith_component_def){.layout = KITH_SLOT}),
                 KITH_OK);
    CHECK_RESULT(KITH_TYPES(f.world, Heat, Fuel, Locked), KITH_OK);
    CHECK_UINT(kith_type_count(f.world), 3);
    check_layout(f.world, &Fuel_type, KITH_SLOT); /* stays */
    check_layout(f.world, &Heat_type, KITH_SPARSE);
    kith_entity e = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_parse_entity(f.world, e, "Heat { degrees = 3 } Locked"), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e, Heat)->degrees, 3);
    CHECK_RESULT(KITH_TYPES(f.world, Mark), KITH_OK);
    CHECK_RESULT(kith_register_many(f.world, NULL, 0), KITH_OK);
    const kith_type *const none[] = {&Hidden_type, NULL};
    CHECK_RESULT(kith_register_many(f.world, none, 2), KITH_ERR_MISUSE);
    expect_misuse(&f, "kith_register_many: the type is NULL");
    check_layout(f.world, &Hidden_type, KITH_TABLE); /* which came before it */
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* ---- Calls that only look ---------------------------------------------------------------------- */

TEST(looking_finds_nothing_and_registers_nothing)
{
    fixture f = fixture_new();
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    const uint64_t before = kith_world_hash(f.world);
    void *value = &f;
    const void *values[2] = {&f, &f};
    const kith_entity both[2] = {e, KITH_NONE};
    Heat heat = {5};
    for (int turn = 0; turn < 2; turn++) {
        CHECK(!KITH_HAS(f.world, e, Heat));
        CHECK_PTR_NULL(KITH_GET(f.world, e, Heat));
        CHECK_PTR_NULL(KITH_GET_MUT(f.world, e, Heat));
        CHECK_RESULT(kith_get_mut(f.world, e, &Heat_type, &value), KITH_ERR_ABSENT);
        CHECK_RESULT(kith_get_mut(f.world, KITH_NONE, &Heat_type, &value), KITH_ERR_DEAD);
        CHECK(value == &f);
        CHECK_UINT(kith_get_many(f.world, &Heat_type, both, 2, values), 0);
        CHECK_PTR_NULL(values[0]);
        CHECK_PTR_NULL(values[1]);
        CHECK_RESULT(kith_get_bytes(f.world, e, &Heat_type, &heat, sizeof heat), KITH_ERR_ABSENT);
        CHECK_RESULT(kith_get_bytes(f.world, KITH_NONE, &Heat_type, &heat, sizeof heat),
                     KITH_ERR_DEAD);
        CHECK_RESULT(KITH_REMOVE(f.world, e, Heat), KITH_ERR_ABSENT);
        CHECK_RESULT(KITH_REMOVE(f.world, KITH_NONE, Heat), KITH_ERR_DEAD);
        CHECK_RESULT(KITH_SET(f.world, KITH_NONE, Heat, {1}), KITH_ERR_DEAD);
        CHECK_RESULT(KITH_ADD(f.world, KITH_NONE, Locked), KITH_ERR_DEAD);
        CHECK_RESULT(KITH_SET_VALUES(f.world, KITH_NONE, KITH_VALUE(Heat, {1})), KITH_ERR_DEAD);
        CHECK_PTR_NULL(KITH_RESOURCE(f.world, Heat));
        CHECK_UINT(kith_event_count(f.world, &Heat_type), 0);
        check_unknown(f.world, &Heat_type);
        check_unknown(f.world, &Locked_type);
        CHECK_UINT(kith_type_count(f.world), 1);
        CHECK_UINT(kith_world_hash(f.world), before);
        /* The second time, another world has made the types known to the process. */
        fixture g = fixture_new();
        CHECK_RESULT(KITH_TYPES(g.world, Heat, Locked), KITH_OK);
        fixture_free(&g);
    }
    CHECK_FLOAT(heat.degrees, 5);
    CHECK_UINT(misuse_count(&f), 0);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* ---- Where nothing may be registered ----------------------------------------------------------- */

/* Adding is a change of structure, and misuse; asking and making queries is not. */
TEST_EACH_LAYOUT(while_a_query_is_open, layout)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Position_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    KITH_SPAWN(f.world, KITH_VALUE(Position, {3, 4}));
    kith_query *query = KITH_QUERY(f.world, KITH_WRITE(Position));
    kith_query *late = NULL;
    uint32_t seen = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        const uint64_t before = kith_world_hash(f.world);
        const uint32_t types = kith_type_count(f.world);
        CHECK_RESULT(KITH_SET(f.world, e, Heat, {1}), KITH_ERR_MISUSE);
        expect_misuse(&f, "kith_set: the world is being iterated");
        CHECK_RESULT(KITH_ADD(f.world, e, Locked), KITH_ERR_MISUSE);
        expect_misuse(&f, "kith_add: the world is being iterated");
        CHECK_RESULT(KITH_SET_VALUES(f.world, e, KITH_VALUE(Position, {9, 9}), KITH_VALUE(Mark)),
                     KITH_ERR_MISUSE);
        expect_misuse(&f, "kith_set_values: the world is being iterated");
        CHECK(kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Fuel, {1, 2}))));
        expect_misuse(&f, "kith_spawn: the world is being iterated");
        CHECK_RESULT(KITH_TYPES(f.world, Fuel), KITH_ERR_MISUSE);
        expect_misuse(&f, "kith_register_many: the world is being iterated");
        CHECK(!KITH_HAS(f.world, e, Fuel));
        CHECK_UINT(kith_type_count(f.world), types);
        if (late == NULL) {
            late = KITH_QUERY(f.world, KITH_READ(Heat), KITH_WITHOUT(Hidden));
            CHECK_PTR_NOT_NULL(late);
            CHECK_UINT(kith_query_count(late), 0);
            check_layout(f.world, &Heat_type, KITH_SPARSE);
        }
        CHECK_UINT(kith_world_hash(f.world), before);
        seen += it.count;
    }
    CHECK_UINT(seen, 2);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 1);
    CHECK_RESULT(KITH_SET(f.world, e, Heat, {1}), KITH_OK);
    CHECK_UINT(kith_query_count(late), 1);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Many new types in a loop over many components: whatever grows, the loop goes on over what it had. */
TEST(queries_of_many_new_types_in_a_loop)
{
    enum { MANY = 200 };
    static char names[MANY][16];
    static const kith_field field = {"x", 0, 4, KITH_F32};
    static kith_type types[MANY];
    fixture f = fixture_new();
    for (uint32_t i = 0; i < 3000; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Heat, {1}), KITH_VALUE(Mark, {i, true}));
    }
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Mark), KITH_WRITE(Heat));
    uint32_t made = 0;
    uint32_t seen = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK_UINT(KITH_AT(&it, i, Mark)->color, seen++);
            if (made < MANY) {
                snprintf(names[made], sizeof names[made], "Late%u", made);
                types[made] = (kith_type){.name = names[made],
                                          .size = 4,
                                          .align = 4,
                                          .field_count = 1,
                                          .fields = &field,
                                          .layout = (kith_layout)(made % LAYOUT_COUNT)};
                const kith_term term = {&types[made++], KITH_ACCESS_READ, KITH_MUST, 0, NULL};
                const kith_query_def def = {.terms = KITH_TERMS(term)};
                CHECK_PTR_NOT_NULL(kith_query_new_or_null(f.world, &def));
            }
        }
    }
    CHECK_UINT(seen, 3000);
    CHECK_UINT(kith_type_count(f.world), MANY + 2);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* A system of the world registers what it adds. One that runs beside others may not touch the world at
 * all, and is not stopped by what it is the first to read. */
static kith_result add_in_update(kith_world *world, kith_iter *it)
{
    return KITH_SET(world, *(kith_entity *)it->user, Heat, {2});
}

static void look_in_run(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            CHECK(!kith_system_has(it, kith_entities(it)[i], &Locked_type));
            CHECK_PTR_NULL(kith_system_get(it, kith_entities(it)[i], &Mark_type));
        }
    }
}

TEST(in_systems)
{
    fixture f = fixture_new();
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    const kith_system_def update = {.name = "update", .update = add_in_update, .user = &e};
    const kith_system_def run = {.name = "run",
                                 .run = look_in_run,
                                 .parallel = true,
                                 .query.terms = KITH_TERMS(KITH_READ(Position)),
                                 .lookups = KITH_TERMS(KITH_READ(Mark), KITH_READ(Locked))};
    CHECK_RESULT(kith_system_add(f.world, &update), KITH_OK);
    CHECK_RESULT(kith_system_add(f.world, &run), KITH_OK);
    check_layout(f.world, &Mark_type, KITH_SLOT);
    check_unknown(f.world, &Heat_type);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e, Heat)->degrees, 2);
    CHECK_UINT(misuse_count(&f), 0);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* ---- What fails -------------------------------------------------------------------------------- */

/* A mistake in a description is told by the first use, and by each after it. */
TEST(a_bad_description_fails_each_time)
{
    static const kith_type odd = {.name = "Odd", .size = 3, .align = 2};
    fixture f = fixture_new();
    kith_entity e = kith_spawn_empty(f.world);
    const uint64_t before = kith_world_hash(f.world);
    for (int turn = 0; turn < 3; turn++) {
        CHECK_RESULT(kith_add(f.world, e, &odd), KITH_ERR_INPUT);
        CHECK_CONTAINS(kith_error(f.world), "kith_add: Odd: alignment 2");
        CHECK(!kith_has(f.world, e, &odd));
    }
    CHECK_UINT(kith_type_count(f.world), 0);
    CHECK_UINT(kith_world_hash(f.world), before);
    fixture_free(&f);
}

/* A program that ignored what kith_register returned is told by the first use; or else the type would
 * have no hooks, or another layout. */
TEST(a_failed_registration_is_remembered)
{
    fixture f = fixture_new();
    kith_entity e = kith_spawn_empty(f.world);
    const kith_component_def sparse = {.layout = KITH_SPARSE};
    fail_from(&f, 1);
    CHECK_RESULT(kith_register(f.world, &Fuel_type, &sparse), KITH_ERR_MEMORY);
    CHECK(fail_nothing(&f));
    static const kith_type odd = {.name = "Odd", .size = 3, .align = 2};
    CHECK_RESULT(kith_register(f.world, &odd, NULL), KITH_ERR_INPUT);
    for (int turn = 0; turn < 2; turn++) {
        CHECK_RESULT(KITH_SET(f.world, e, Fuel, {1, 2}), KITH_ERR_MEMORY);
        CHECK_STR(
            kith_error(f.world),
            "kith_set: 'Fuel' is not registered in this world, since that failed; look at what"
            " kith_register returns. Its message: KITH_ERR_MEMORY");
        CHECK_PTR_NULL(KITH_QUERY(f.world, KITH_READ(Fuel)));
        CHECK_CONTAINS(kith_error(f.world), "kith_query_new: 'Fuel' is not registered");
        CHECK_RESULT(KITH_RESOURCE_SET(f.world, Fuel, {1, 2}), KITH_ERR_MEMORY);
        CHECK_RESULT(KITH_SEND(f.world, Fuel, {1, 2}), KITH_ERR_MEMORY);
        CHECK_RESULT(kith_add(f.world, e, &odd), KITH_ERR_INPUT);
        CHECK_CONTAINS(kith_error(f.world), "Its message: kith_register: Odd:");
        CHECK(!KITH_HAS(f.world, e, Fuel));
        CHECK_RESULT(KITH_ADD(f.world, e, Hidden), KITH_OK);
    }
    CHECK_RESULT(kith_register(f.world, &Fuel_type, &sparse), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e, Fuel, {1, 2}), KITH_OK);
    check_layout(f.world, &Fuel_type, KITH_SPARSE);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Memory that was short may be there again: a use that failed for it is tried anew. */
TEST(a_use_without_memory_is_tried_again)
{
    fixture f = fixture_new();
    kith_entity e = kith_spawn_empty(f.world);
    fail_from(&f, 1);
    CHECK_RESULT(KITH_SET(f.world, e, Heat, {1}), KITH_ERR_MEMORY);
    CHECK_RESULT(KITH_SET(f.world, e, Heat, {1}), KITH_ERR_MEMORY);
    CHECK(fail_nothing(&f));
    CHECK_RESULT(KITH_SET(f.world, e, Heat, {1}), KITH_OK);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

TEST(another_layout_comes_before_the_first_use)
{
    fixture f = fixture_new();
    KITH_SPAWN(f.world, KITH_VALUE(Heat, {1}));
    CHECK_RESULT(kith_register(f.world, &Heat_type, NULL), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Heat_type, &(kith_component_def){.layout = KITH_SLOT}),
                 KITH_ERR_CONFLICT);
    CHECK_STR(
        kith_error(f.world),
        "kith_register: 'Heat' is registered with layout KITH_SPARSE, not KITH_SLOT: its first"
        " use did that; call kith_register before it");
    static const kith_hooks hooks;
    CHECK_RESULT(kith_register(f.world, &Heat_type, &(kith_component_def){.hooks = &hooks}),
                 KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "without hooks: its first use did that");
    CHECK_RESULT(kith_register(f.world, &Heat_type, &(kith_component_def){.exact_changes = true}),
                 KITH_OK);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* A type that owns something has to be registered with what to do about it. */
TEST(what_needs_hooks_has_to_be_registered)
{
    static const kith_field pointer = {"pointer", 0, sizeof(void *), KITH_OPAQUE};
    static const kith_field number = {"number", 0, 4, KITH_U32};
    kith_type owner = {.name = "Owner",
                       .size = sizeof(void *),
                       .align = _Alignof(void *),
                       .field_count = 1,
                       .fields = &pointer};
    kith_type counted = {.name = "Counted",
                         .size = 4,
                         .align = 4,
                         .field_count = 1,
                         .fields = &number,
                         .hooked = true};
    fixture f = fixture_new();
    kith_entity e = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_add(f.world, e, &owner), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "kith_add: 'Owner': its field pointer is opaque");
    CHECK_RESULT(kith_add(f.world, e, &counted), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "kith_add: 'Counted' needs hooks");
    CHECK_UINT(kith_type_count(f.world), 0);
    static const kith_hooks hooks;
    CHECK_RESULT(kith_register(f.world, &counted, &(kith_component_def){.hooks = &hooks}), KITH_OK);
    CHECK_RESULT(kith_add(f.world, e, &counted), KITH_OK);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* ---- It does not matter when --------------------------------------------------------------------- */

/* Entities with all mixtures of five types; which of them is used first depends on `turn`. */
static void fill(kith_world *world, uint32_t turn)
{
    const kith_type *const types[] = {&Fuel_type, &Heat_type, &Mark_type, &Locked_type,
                                      &Hidden_type};
    for (uint32_t i = 0; i < 5 && turn < 5; i++) { /* asked in another order, or not at all */
        const kith_term term = {types[(i * 2 + turn) % 5], KITH_ACCESS_NONE, KITH_MUST, 0, NULL};
        const kith_query_def def = {.terms = KITH_TERMS(term)};
        CHECK_PTR_NOT_NULL(kith_query_new_or_null(world, &def));
    }
    for (uint32_t i = 0; i < 200; i++) {
        kith_entity e = kith_spawn_empty(world);
        for (uint32_t k = 0; k < 5; k++) {
            if ((i * 7 % 32 >> k & 1) != 0) {
                CHECK_RESULT(kith_add(world, e, types[k]), KITH_OK);
            }
        }
        if (i % 11 == 0) {
            CHECK_RESULT(kith_despawn(world, e), KITH_OK);
        }
    }
}

static void order_of(kith_world *world, kith_entity *entities, uint32_t *count)
{
    kith_query *query = KITH_QUERY(world, KITH_OPTIONAL(Fuel), KITH_OPTIONAL(Heat));
    *count = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            entities[(*count)++] = kith_entities(&it)[i];
        }
    }
}

TEST(when_a_type_was_first_used_changes_nothing)
{
    static kith_entity expected[200], found[200];
    uint32_t count, others;
    fixture f = fixture_new();
    CHECK_RESULT(KITH_TYPES(f.world, Hidden, Locked, Mark, Heat, Fuel), KITH_OK);
    fill(f.world, 5);
    order_of(f.world, expected, &count);
    const uint64_t world_hash = kith_world_hash(f.world);
    const uint64_t content_hash = kith_content_hash(f.world);
    for (uint32_t turn = 0; turn < 7; turn++) {
        fixture g = fixture_new();
        if (turn == 6) { /* one that nothing has */
            CHECK_RESULT(KITH_TYPES(g.world, Position, Fuel, Velocity), KITH_OK);
        }
        fill(g.world, turn);
        order_of(g.world, found, &others);
        CHECK_UINT(others, count);
        CHECK_INT(memcmp(expected, found, count * sizeof expected[0]), 0);
        CHECK_UINT(kith_world_hash(g.world), world_hash);
        CHECK_UINT(kith_content_hash(g.world), content_hash);
        CHECK_WORLD(g.world);
        fixture_free(&g);
    }
    fixture_free(&f);
}
