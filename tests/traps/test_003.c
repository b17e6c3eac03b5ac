/* A test for each row of traps of source 003 (systems and queries) whose part stands. */
#include <kith/kith.h>
#include <stdio.h>

#include "components.h"
#include "test.h"

typedef struct Score {
    int32_t points;
} Score;
KITH_TYPE(Score, KITH_FIELD(Score, points));

typedef struct Hit {
    kith_entity a, b;
    uint32_t number;
} Hit;
KITH_TYPE(Hit, KITH_FIELD(Hit, a), KITH_FIELD(Hit, b), KITH_FIELD(Hit, number));

/* ---- equal priorities ----------------------------------------------------------------------- */

enum { SYSTEMS = 200 };

typedef struct order_log {
    uint32_t numbers[SYSTEMS];
    uint32_t count;
} order_log;

typedef struct logging_system {
    order_log *log;
    uint32_t number;
} logging_system;

static kith_result log_number(kith_world *world, kith_iter *it)
{
    (void)world;
    const logging_system *self = it->user;
    self->log->numbers[self->log->count++] = self->number;
    return KITH_OK;
}

/* Sorted with an unstable sort, 200 systems of three priorities come in any order. */
TEST(equal_priorities)
{
    fixture f = fixture_new();
    static order_log log;
    static logging_system systems[SYSTEMS];
    for (uint32_t i = 0; i < SYSTEMS; i++) {
        char name[16];
        snprintf(name, sizeof(name), "s%u", (unsigned)(i * 7919 % SYSTEMS));
        systems[i] = (logging_system){&log, i};
        const kith_system_def def = {
            .name = name, .priority = (int32_t)(i % 3), .update = log_number, .user = &systems[i]};
        CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    }

    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(log.count, SYSTEMS);
    for (uint32_t i = 1; i < SYSTEMS; i++) {
        uint32_t before = log.numbers[i - 1];
        uint32_t after = log.numbers[i];
        CHECK(before % 3 < after % 3 || (before % 3 == after % 3 && before < after));
    }
    fixture_free(&f);
}

/* ---- silent caps ---------------------------------------------------------------------------- */

/* The source keeps 256 collisions. */
TEST(silent_caps)
{
    fixture f = fixture_new();
    kith_entity e = kith_spawn_empty(f.world);
    for (uint32_t i = 0; i < 100000; i++) {
        CHECK_RESULT(KITH_SEND(f.world, Hit, {e, e, i}), KITH_OK);
    }
    CHECK_UINT(kith_event_count(f.world, &Hit_type), 100000);
    for (uint32_t i = 0; i < 100000; i++) {
        CHECK_UINT(KITH_EVENT(f.world, i, Hit)->number, i);
    }
    CHECK_PTR_NULL(KITH_EVENT(f.world, 100000, Hit));
    fixture_free(&f);
}

/* Where memory ends, it is said, and what was sent before is still there. */
TEST(silent_caps_running_out_is_reported)
{
    const kith_world_def def = {.memory_limit = 200000};
    fixture f = fixture_new_with(&def);
    kith_entity e = kith_spawn_empty(f.world);
    uint32_t sent = 0;
    kith_result result;
    while ((result = KITH_SEND(f.world, Hit, {e, e, sent})) == KITH_OK) {
        sent++;
        CHECK(sent < 200000 / sizeof(Hit));
    }
    CHECK_RESULT(result, KITH_ERR_MEMORY);
    CHECK(sent > 1000);
    CHECK_UINT(kith_event_count(f.world, &Hit_type), sent);
    for (uint32_t i = 0; i < sent; i++) {
        CHECK_UINT(KITH_EVENT(f.world, i, Hit)->number, i);
    }
    fixture_free(&f);
}

/* A query has no cap either: the source looks at 512 colliders. */
TEST_EACH_LAYOUT(silent_caps_of_queries, layout)
{
    fixture f = fixture_with_all(layout);
    const Position origin = {1, 2};
    const kith_values values[] = {{&Position_type, &origin, false}};
    CHECK_RESULT(kith_spawn_many(f.world, 5000, values, 1, NULL), KITH_OK);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    uint32_t seen = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        seen += it.count;
    }
    CHECK_UINT(seen, 5000);
    CHECK_UINT(kith_query_count(query), 5000);
    fixture_free(&f);
}

/* ---- globals -------------------------------------------------------------------------------- */

static kith_result send_one(kith_world *world, kith_iter *it)
{
    (void)it;
    KITH_RESOURCE_MUT(world, Score)->points++;
    return KITH_SEND(world, Hit, {.number = (uint32_t)kith_tick_count(world)});
}

/* Events, resources, systems and ticks of one world are nothing to another. */
TEST(globals)
{
    fixture f = fixture_new();
    fixture g = fixture_new();
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Score, {10}), KITH_OK);
    CHECK_PTR_NULL(KITH_RESOURCE(g.world, Score));
    CHECK_RESULT(KITH_RESOURCE_SET(g.world, Score, {20}), KITH_OK);

    const kith_system_def def = {.name = "send", .update = send_one};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(kith_event_count(f.world, &Hit_type), 1);
    CHECK_UINT(kith_event_count(g.world, &Hit_type), 0);
    CHECK_UINT(kith_tick_count(f.world), 1);
    CHECK_UINT(kith_tick_count(g.world), 0);

    CHECK_RESULT(KITH_SEND(g.world, Hit, {.number = 77}), KITH_OK);
    kith_event_clear(f.world, &Hit_type);
    CHECK_UINT(KITH_EVENT(g.world, 0, Hit)->number, 77);
    CHECK_INT(KITH_RESOURCE(f.world, Score)->points, 11);
    CHECK_INT(KITH_RESOURCE(g.world, Score)->points, 20);
    CHECK_RESULT(kith_system_add(g.world, &def), KITH_OK);
    fixture_free(&g);
    fixture_free(&f);
}

/* ---- query limits --------------------------------------------------------------------------- */

enum { PARTS = 90 };

/* Types of one number each. */
static kith_type parts[PARTS];

/* Of 0 to 49 all must be there, of 50 to 69 none, 70 to 79 may, of 80 to 84 and of 85 to 89 one. */
static kith_term part_term(uint32_t i)
{
    if (i < 50) {
        return (kith_term){&parts[i], KITH_ACCESS_READ, KITH_MUST, 0, NULL};
    }
    if (i < 70) {
        return (kith_term){&parts[i], KITH_ACCESS_NONE, KITH_MUST_NOT, 0, NULL};
    }
    if (i < 80) {
        return (kith_term){&parts[i], KITH_ACCESS_READ, KITH_MAY, 0, NULL};
    }
    return (kith_term){&parts[i], KITH_ACCESS_READ, KITH_ONE_OF, i < 85 ? 7 : 3, NULL};
}

/* Whether an entity that matches is made with it: with all that must be there, one that may, and one of
 * each choice. */
static bool has_part(uint32_t i)
{
    return i < 50 || i == 75 || i == 84 || i == 85;
}

static void register_parts(kith_world *world, kith_layout layout)
{
    static char names[PARTS][16];
    static uint32_t numbers[PARTS];
    static const kith_field field = {"value", 0, 4, KITH_U32};
    for (uint32_t i = 0; i < PARTS; i++) {
        snprintf(names[i], sizeof(names[i]), "Part%u", (unsigned)i);
        parts[i] =
            (kith_type){names[i], 4, 4, 0, 1, &field, &numbers[i], KITH_TABLE, false, false, 0};
        const kith_component_def def = {.layout = layout};
        CHECK_RESULT(kith_register(world, &parts[i], &def), KITH_OK);
    }
}

/* Part number i holds 1000 + i. */
static kith_entity spawn_parts(kith_world *world)
{
    kith_value values[PARTS];
    uint32_t contents[PARTS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < PARTS; i++) {
        contents[i] = 1000 + i;
        if (has_part(i)) {
            values[count++] = (kith_value){&parts[i], &contents[i]};
        }
    }
    kith_entity e = kith_spawn_or_none(world, values, count);
    CHECK(!kith_is_none(e));
    return e;
}

/* query2, query3, and nothing beyond: here a query of all components, a third of them excluded, some
 * optional, some either-or. */
TEST_EACH_LAYOUT(query_limits, layout)
{
    fixture f = fixture_new();
    kith_term terms[PARTS + 1] = {{0}};
    register_parts(f.world, layout);
    for (uint32_t i = 0; i < PARTS; i++) {
        terms[i] = part_term(i);
    }
    kith_query *query = NULL;
    const kith_query_def def = {.terms = terms, .name = "everything"};
    CHECK_RESULT(kith_query_new(f.world, &def, &query), KITH_OK);
    const kith_entity right = spawn_parts(f.world);
    CHECK_RESULT(kith_add(f.world, spawn_parts(f.world), &parts[69]), KITH_OK);
    CHECK_RESULT(kith_remove(f.world, spawn_parts(f.world), &parts[49]), KITH_OK);
    CHECK_RESULT(kith_remove(f.world, spawn_parts(f.world), &parts[85]), KITH_OK);
    CHECK_WORLD(f.world);

    kith_entity only = KITH_NONE;
    CHECK_RESULT(kith_query_single(query, &only), KITH_OK);
    CHECK_SAME(only, right);
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        CHECK_UINT(it.count, 1);
        for (uint32_t i = 0; i < PARTS; i++) {
            if (terms[i].access == KITH_ACCESS_NONE) {
                continue;
            }
            const uint32_t *value = kith_at(&it, 0, &parts[i], sizeof(*value), KITH_ACCESS_READ);
            CHECK_INT(value != NULL, has_part(i));
            CHECK(value == NULL || *value == 1000 + i);
        }
    }
    fixture_free(&f);
}

/* ---- driver chosen once --------------------------------------------------------------------- */

/* The source's loop holds a slice into a set that moves when the loop adds to it. */
TEST_EACH_LAYOUT(driver_chosen_once, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity movers[10];
    for (int i = 0; i < 10; i++) {
        movers[i] =
            KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}), KITH_VALUE(Velocity, {1, 1}));
    }
    kith_entity still = KITH_SPAWN(f.world, KITH_VALUE(Position, {99, 0}));
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position), KITH_READ(Velocity));

    uint32_t seen = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK_RESULT(KITH_SET(f.world, still, Velocity, {5, 5}), KITH_ERR_MISUSE);
            expect_misuse(&f, "kith_set");
            CHECK_RESULT(KITH_SET(f.world, movers[i], Health, {5, 5}), KITH_ERR_MISUSE);
            expect_misuse(&f, "kith_set");
            CHECK_FLOAT(KITH_AT(&it, i, Velocity)->dx, 1);
            seen++;
        }
    }
    CHECK_UINT(seen, 10);
    CHECK(!KITH_HAS(f.world, still, Velocity));
    CHECK_WORLD(f.world);

    /* Once the loop is over it is fine, and the same query sees it. */
    CHECK_RESULT(KITH_SET(f.world, still, Velocity, {5, 5}), KITH_OK);
    CHECK_UINT(kith_query_count(query), 11);
    fixture_free(&f);
}

/* The driver is the smallest storage of now, not of when the query was made. */
TEST(driver_chosen_once_follows_the_sizes)
{
    fixture f = fixture_with_all(KITH_SPARSE);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position), KITH_READ(Velocity));
    /* Positions in ascending order, velocities in descending. */
    kith_entity e[4];
    for (int i = 0; i < 4; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}));
    }
    for (int i = 3; i >= 0; i--) {
        CHECK_RESULT(KITH_SET(f.world, e[i], Velocity, {(float)i, 0}), KITH_OK);
    }
    KITH_SPAWN(f.world, KITH_VALUE(Position, {9, 0}));
    CHECK_SAME(kith_query_first(query), e[3]);
    KITH_SPAWN(f.world, KITH_VALUE(Velocity, {9, 0}));
    KITH_SPAWN(f.world, KITH_VALUE(Velocity, {9, 0}));
    CHECK_SAME(kith_query_first(query), e[0]);
    fixture_free(&f);
}

/* ---- name look-up of systems ---------------------------------------------------------------- */

/* In the source, a misspelt name does nothing. */
TEST(name_look_up_of_systems)
{
    fixture f = fixture_new();
    const kith_system_def defs[] = {
        {.name = "gravity", .update = log_number},
        {.name = "movement", .update = log_number},
    };
    CHECK_RESULT(kith_system_add(f.world, &defs[0]), KITH_OK);
    CHECK_RESULT(kith_system_add(f.world, &defs[1]), KITH_OK);

    CHECK_RESULT(kith_system_enable(f.world, "movment", false), KITH_ERR_UNKNOWN);
    CHECK_CONTAINS(kith_error(f.world), "movment");
    CHECK_CONTAINS(kith_error(f.world), "gravity");
    CHECK_CONTAINS(kith_error(f.world), "movement");
    bool enabled = false;
    CHECK_STR(kith_system_at(f.world, 1, NULL, &enabled), "movement");
    CHECK(enabled);
    CHECK_RESULT(kith_system_remove(f.world, "movment"), KITH_ERR_UNKNOWN);
    CHECK_CONTAINS(kith_error(f.world), "movment");
    CHECK_RESULT(kith_system_enable(f.world, "movement", false), KITH_OK);
    fixture_free(&f);
}

/* ---- events with raw indices ---------------------------------------------------------------- */

/* In the source, an event's index leads to whoever lives in the slot by then. */
TEST_EACH_LAYOUT(events_with_raw_indices, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity victim = KITH_SPAWN(f.world, KITH_VALUE(Health, {10, 10}));
    kith_entity other = KITH_SPAWN(f.world, KITH_VALUE(Health, {10, 10}));
    CHECK_RESULT(KITH_SEND(f.world, Hit, {victim, other, 0}), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, victim), KITH_OK);
    kith_entity successor = KITH_SPAWN(f.world, KITH_VALUE(Health, {10, 10}));
    CHECK_UINT(successor.index1, victim.index1);

    const Hit *hit = KITH_EVENT(f.world, 0, Hit);
    CHECK_SAME(hit->a, victim);
    CHECK(!kith_alive(f.world, hit->a));
    CHECK_PTR_NULL(KITH_GET_MUT(f.world, hit->a, Health));
    CHECK_PTR_NOT_NULL(KITH_GET_MUT(f.world, hit->b, Health));
    CHECK_INT(KITH_GET(f.world, successor, Health)->current, 10);
    fixture_free(&f);
}
