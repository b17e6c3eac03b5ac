/* Storages whose entities lie in the same order are walked together. What they say must not depend
 * on whether they do: here they lie alike, apart, and alike but for a place. */
#include "components.h"
#include "test.h"

#define MANY 3000u

/* Checks that a query over Position and Health finds `count` entities, asked in each way, whose
 * values add up to `sum`. */
static void check_sum(fixture *f, const kith_type *driver, uint32_t count, double sum)
{
    const kith_term terms[] = {KITH_READ(Position), KITH_READ(Health), {0}};
    const kith_query_def def = {.terms = terms, .driver = driver};
    kith_query *query;
    CHECK_RESULT(kith_query_new(f->world, &def, &query), KITH_OK);
    CHECK_UINT(kith_query_count(query), count);
    uint32_t visited = 0;
    double found = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            const kith_entity entity = kith_entities(&it)[i];
            CHECK(KITH_AT(&it, i, Position) == KITH_GET(f->world, entity, Position));
            CHECK(KITH_AT(&it, i, Health) == KITH_GET(f->world, entity, Health));
            found += (double)KITH_AT(&it, i, Position)->x + KITH_AT(&it, i, Health)->current;
        }
        visited += it.count;
    }
    CHECK_UINT(visited, count);
    CHECK_FLOAT(found, sum);
    kith_query_free(query);
    CHECK_WORLD(f->world);
}

/* The same by columns, wherever the values are. */
static void check_columns(fixture *f, const kith_type *driver, uint32_t count, double sum)
{
    const kith_term terms[] = {KITH_WRITE(Position), KITH_WRITE(Health), {0}};
    const kith_query_def def = {.terms = terms, .driver = driver};
    kith_query *query;
    CHECK_RESULT(kith_query_new(f->world, &def, &query), KITH_OK);
    uint32_t visited = 0;
    double found = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        Position *position = KITH_COLUMN_MUT(&it, Position);
        const Health *health = KITH_COLUMN(&it, Health);
        for (uint32_t i = 0; i < it.count; i++) {
            const kith_entity entity = kith_entities(&it)[i];
            CHECK(&position[i] == KITH_GET(f->world, entity, Position));
            CHECK(&position[i] == KITH_AT(&it, i, Position));
            CHECK(&health[i] == KITH_GET(f->world, entity, Health));
            found += (double)position[i].x + health[i].current;
        }
        visited += it.count;
    }
    CHECK_UINT(visited, count);
    CHECK_FLOAT(found, sum);
    kith_query_free(query);
    CHECK_WORLD(f->world);
}

static void check_all_drivers(fixture *f, uint32_t count, double sum)
{
    check_sum(f, NULL, count, sum);
    check_sum(f, &Position_type, count, sum);
    check_sum(f, &Health_type, count, sum);
    check_columns(f, NULL, count, sum);
    check_columns(f, &Position_type, count, sum);
    check_columns(f, &Health_type, count, sum);
}

/* MANY entities with Position in one layout; Health, in another, is given to all in the order of
 * `turn`: entity number (i * turn) % MANY is the i-th to get it. */
static void play_orders(kith_layout first, kith_layout second, uint32_t turn)
{
    fixture f = fixture_new();
    const kith_component_def position = {.layout = first};
    const kith_component_def health = {.layout = second};
    kith_register(f.world, &Position_type, &position);
    kith_register(f.world, &Health_type, &health);
    static kith_entity e[MANY];
    double sum = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}));
        CHECK(!kith_is_none(e[i]));
        sum += i;
    }
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK_RESULT(KITH_SET(f.world, e[i * turn % MANY], Health, {1, (int32_t)i}), KITH_OK);
    }
    check_all_drivers(&f, MANY, sum + MANY);
    /* One in the middle goes, and its hole is filled in each storage in its own way. */
    CHECK_RESULT(KITH_REMOVE(f.world, e[1500], Health), KITH_OK);
    check_all_drivers(&f, MANY - 1, sum + MANY - 1 - 1500);
    CHECK_RESULT(kith_despawn(f.world, e[700]), KITH_OK);
    check_all_drivers(&f, MANY - 2, sum + MANY - 2 - 1500 - 700);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(storages_in_any_order, first)
{
    for (int second = KITH_TABLE; second <= KITH_SLOT; second++) {
        play_orders(first, (kith_layout)second, 1);    /* alike */
        play_orders(first, (kith_layout)second, 1001); /* apart: 1001 and 3000 share no factor */
    }
}

/* Rows of one storage that follow those of another across the end of a block of the first. */
TEST(runs_that_follow_each_other_from_different_places)
{
    fixture f = fixture_new();
    kith_register(f.world, &Position_type, NULL);
    const kith_component_def sparse = {.layout = KITH_SPARSE};
    const kith_component_def slot = {.layout = KITH_SLOT};
    kith_register(f.world, &Health_type, &sparse);
    kith_register(f.world, &Frozen_type, &slot);
    static kith_entity e[1500];
    for (uint32_t i = 0; i < 1500; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 1}));
    }
    for (uint32_t i = 0; i < 1500; i++) {
        const uint32_t number = (i + 1000) % 1500;
        CHECK_RESULT(KITH_SET(f.world, e[number], Health, {1, 1}), KITH_OK);
        if (number != 1000) {
            CHECK_RESULT(KITH_ADD(f.world, e[number], Frozen), KITH_OK);
        }
    }
    const kith_term terms[] = {KITH_READ(Position), KITH_READ(Health), KITH_WITH(Frozen), {0}};
    const kith_query_def def = {.terms = terms, .driver = &Position_type};
    kith_query *query;
    CHECK_RESULT(kith_query_new(f.world, &def, &query), KITH_OK);
    CHECK_UINT(kith_query_count(query), 1499);
    CHECK_SAME(kith_query_first(query), e[0]);
    uint32_t visited = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK_INT(KITH_AT(&it, i, Health)->current, 1);
        }
        visited += it.count;
    }
    CHECK_UINT(visited, 1499);
    fixture_free(&f);
}
