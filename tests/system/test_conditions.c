/* Conditions on values in the queries of systems and observers. */
#include <string.h>

#include "components.h"
#include "test.h"

#define MANY 5000u

static void heal(kith_iter *it)
{
    while (kith_next(it)) {
        Health *health = KITH_COLUMN_MUT(it, Health);
        for (uint32_t i = 0; i < it->count; i++) {
            health[i].current += 100;
        }
    }
}

static void heal_rows(kith_iter *it)
{
    while (kith_next_rows(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            KITH_AT_MUT(it, i, Health)->current += 100;
        }
    }
}

static void spawn_many(kith_world *world, kith_layout position, kith_layout health)
{
    kith_register(world, &Position_type, &(kith_component_def){.layout = position});
    kith_register(world, &Health_type, &(kith_component_def){.layout = health});
    for (uint32_t i = 0; i < MANY; i++) {
        KITH_SPAWN(world, KITH_VALUE(Position, {(float)i, 0}),
                   KITH_VALUE(Health, {(int32_t)(i * 7919 % 100), 50}));
    }
}

/* The same is healed for any number of workers, by arrays and by rows, on every layout. */
TEST_EACH_LAYOUT(a_parallel_system_visits_what_satisfies_its_conditions, layout)
{
    for (int k = 0; k < LAYOUT_COUNT * 4; k++) {
        fixture f = fixture_new();
        spawn_many(f.world, layout, (kith_layout)(k / 4));
        const kith_workers_def workers = {.threads = k % 2 == 0 ? 0 : 4};
        CHECK_RESULT(kith_workers_set(f.world, &workers), KITH_OK);
        const kith_system_def def = {
            .name = "heal",
            .run = k / 2 % 2 == 0 ? heal : heal_rows,
            .query = {.terms = KITH_TERMS(KITH_WRITE(Health),
                                          KITH_IF(Health, current, <, KITH_ITS(Health, max)),
                                          KITH_IF(Position, x, >=, 100))},
            .parallel = true};
        CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        kith_query *all = KITH_QUERY(f.world, KITH_READ(Health), KITH_READ(Position));
        for (kith_iter it = kith_query_iter(all); kith_next_rows(&it);) {
            for (uint32_t i = 0; i < it.count; i++) {
                uint32_t number = (uint32_t)KITH_AT(&it, i, Position)->x;
                int32_t before = (int32_t)(number * 7919 % 100);
                CHECK_INT(KITH_AT(&it, i, Health)->current,
                          before + (before < 50 && number >= 100 ? 100 : 0));
            }
        }
        fixture_free(&f);
    }
}

static void note_order(kith_iter *it)
{
    *(uint32_t *)it->user = *(uint32_t *)it->user * 10 + (it->dt > 0 ? 1 : 0);
    while (kith_next(it)) {
    }
}

/* A condition counts as a read: a system that writes the type is in another stage. */
TEST(a_condition_is_read)
{
    fixture f = fixture_new();
    spawn_many(f.world, KITH_TABLE, KITH_TABLE);
    const kith_system_def writer = {
        .name = "writer", .run = heal, .query = {.terms = KITH_TERMS(KITH_WRITE(Health))}};
    uint32_t order = 0;
    const kith_system_def reader = {
        .name = "reader",
        .run = note_order,
        .user = &order,
        .query = {.terms = KITH_TERMS(KITH_READ(Position), KITH_IF(Health, current, <, 20))}};
    const kith_system_def nested = {
        .name = "nested",
        .run = note_order,
        .user = &order,
        .query = {.terms =
                      KITH_TERMS(KITH_READ(Position),
                                 KITH_IF_NOT(KITH_IF(Position, x, <, KITH_ITS(Health, current))))}};
    CHECK_RESULT(kith_system_add(f.world, &writer), KITH_OK);
    CHECK_RESULT(kith_system_add(f.world, &reader), KITH_OK);
    CHECK_RESULT(kith_system_add(f.world, &nested), KITH_OK);
    char text[2000];
    size_t length;
    CHECK_RESULT(kith_schedule_print(f.world, text, sizeof text, &length), KITH_OK);
    const char *first = strstr(text, "writer");
    CHECK_PTR_NOT_NULL(first);
    const char *line = strchr(first, '\n');
    CHECK_PTR_NOT_NULL(line);
    CHECK(strstr(line, "reader") != NULL && strstr(line, "nested") != NULL);
    fixture_free(&f);
}

static void look_up(kith_iter *it)
{
    while (kith_next(it)) {
        CHECK_PTR_NULL(KITH_GET(it, kith_entities(it)[0], Byte));
    }
}

/* Only what is named somewhere may be looked up. */
TEST(other_types_stay_undeclared)
{
    fixture f = fixture_new();
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Health, {10, 50}));
    KITH_SET(f.world, e, Byte, {1});
    const kith_system_def def = {.name = "asks",
                                 .run = look_up,
                                 .query = {.terms = KITH_TERMS(KITH_IF(Health, current, <, 20))}};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    kith_run(f.world, 1);
    expect_misuse(&f, "Byte");
    fixture_free(&f);
}

TEST(systems_and_observers_refuse_what_they_cannot_do)
{
    fixture f = fixture_new();
    spawn_many(f.world, KITH_TABLE, KITH_TABLE);
    const kith_system_def def = {
        .name = "both",
        .run = heal,
        .parallel = true,
        .query.terms = KITH_TERMS(KITH_WRITE(Health)),
        .queries = {{.terms = KITH_TERMS(KITH_IF(Health, current, <, 20))}}};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "query number 1 cannot read");
    const kith_observer_def observer = {
        .kind = KITH_ON_ENTER,
        .name = "weak",
        .run = (void (*)(const kith_observed *))heal,
        .query = {.terms = KITH_TERMS(KITH_READ(Health), KITH_IF(Health, current, <, 20))}};
    CHECK_RESULT(kith_observer_new(f.world, &observer, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "a condition on values");
    fixture_free(&f);
}
