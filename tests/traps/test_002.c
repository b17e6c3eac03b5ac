/* A test for each row of traps of source 002 (bit masks over component arrays), on KITH_SLOT, the
 * layout that comes of it. Worlds that are fixed at compile time have theirs in tests/static/. */
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>

#include "components.h"
#include "random.h"
#include "test.h"

/* ---- O(n) allocation ------------------------------------------------------------------------- */

/* With a search for the first free slot, each of these would look at 300,000 others. */
TEST(o_n_allocation)
{
    enum { COUNT = 300000 };
    fixture f = fixture_with_all(KITH_SLOT);
    kith_entity last = KITH_NONE;
    for (uint32_t i = 0; i < COUNT; i++) {
        last = KITH_SPAWN(f.world, KITH_VALUE(Byte, {1}));
        CHECK_UINT(kith_entity_slot(last), i);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        CHECK_RESULT(kith_despawn(f.world, last), KITH_OK);
        last = KITH_SPAWN(f.world, KITH_VALUE(Byte, {2}));
        CHECK_UINT(kith_entity_slot(last), COUNT - 1);
    }
    CHECK_UINT(kith_entity_count(f.world), COUNT);
    fixture_free(&f);
}

/* It grows, and where it cannot, it says so and goes on living. */
TEST(o_n_allocation_panics_when_full)
{
    fixture f = fixture_new_with(&(const kith_world_def){.memory_limit = 256 << 10});
    register_all(f.world, KITH_SLOT);
    const kith_value values[] = {KITH_VALUE(Position, {1, 2})};
    kith_entity e = KITH_NONE;
    kith_entity last = KITH_NONE;
    uint32_t count = 0;
    kith_result result;
    while ((result = kith_spawn(f.world, values, 1, &e)) == KITH_OK) {
        last = e;
        count++;
    }
    CHECK_RESULT(result, KITH_ERR_MEMORY);
    CHECK(count > 1000);
    CHECK_UINT(kith_entity_count(f.world), count);
    CHECK_FLOAT(KITH_GET(f.world, last, Position)->y, 2);
    CHECK_WORLD(f.world);
    CHECK_RESULT(kith_despawn(f.world, last), KITH_OK);
    CHECK_RESULT(kith_spawn(f.world, values, 1, &e), KITH_OK);
    CHECK_UINT(e.index1, last.index1);
    fixture_free(&f);
}

/* ---- set revives the dead -------------------------------------------------------------------- */

static void check_stays_dead(kith_world *world, kith_entity e)
{
    const uint64_t before = kith_world_hash(world);
    CHECK_RESULT(KITH_SET(world, e, Position, {3, 4}), KITH_ERR_DEAD);
    CHECK_RESULT(KITH_SET_VALUES(world, e, KITH_VALUE(Byte, {1})), KITH_ERR_DEAD);
    CHECK_RESULT(KITH_ADD(world, e, Frozen), KITH_ERR_DEAD);
    CHECK(!kith_alive(world, e));
    CHECK_PTR_NULL(KITH_GET(world, e, Position));
    CHECK(!KITH_HAS(world, e, Frozen));
    CHECK(kith_world_hash(world) == before);
}

TEST(set_revives_the_dead)
{
    fixture f = fixture_with_all(KITH_SLOT);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    kith_entity keep = KITH_SPAWN(f.world, KITH_VALUE(Position, {5, 6}));
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Frozen));
    CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
    check_stays_dead(f.world, e);
    check_stays_dead(f.world, (kith_entity){e.index1, e.generation + 1});
    check_stays_dead(f.world, (kith_entity){e.index1 + 1, 0}); /* a slot that was never used */
    CHECK_UINT(kith_query_count(query), 1);
    CHECK_SAME(kith_query_first(query), keep);

    kith_entity next = kith_spawn_empty(f.world);
    CHECK_UINT(next.index1, e.index1);
    check_stays_dead(f.world, e);
    CHECK_PTR_NULL(KITH_GET(f.world, next, Position));
    CHECK(!KITH_HAS(f.world, next, Frozen));
    fixture_free(&f);
}

/* ---- 32 components --------------------------------------------------------------------------- */

enum { TYPES = 4096 };

static char type_names[TYPES][8];
static const kith_field number_field = {"number", 0, 4, KITH_U32};
static uint32_t type_numbers[TYPES];
static kith_type types[TYPES];

static void register_types(kith_world *world)
{
    const kith_component_def def = {.layout = KITH_SLOT};
    for (uint32_t i = 0; i < TYPES; i++) {
        snprintf(type_names[i], sizeof type_names[i], "N%u", i);
        types[i] = (kith_type){type_names[i],    4,          4,     0,    1, &number_field,
                               &type_numbers[i], KITH_TABLE, false, false, 0};
        CHECK_RESULT(kith_register(world, &types[i], &def), KITH_OK);
    }
}

/* Of 4,096 types, an entity has those whose number it divides. */
TEST_WITHIN(20, thirty_two_components)
{
    enum { ENTITIES = 70 };
    fixture f = fixture_new();
    register_types(f.world);
    CHECK_UINT(kith_type_count(f.world), TYPES);
    kith_entity e[ENTITIES];
    for (uint32_t n = 0; n < ENTITIES; n++) {
        e[n] = kith_spawn_empty(f.world);
        for (uint32_t i = 0; i < TYPES; i += n + 1) {
            const uint32_t value = i * ENTITIES + n;
            CHECK_RESULT(kith_set(f.world, e[n], &types[i], &value), KITH_OK);
        }
    }
    CHECK_WORLD(f.world);
    for (uint32_t n = 0; n < ENTITIES; n++) {
        for (uint32_t i = 0; i < TYPES; i++) {
            const uint32_t *value = kith_get(f.world, e[n], &types[i]);
            CHECK((value != NULL) == (i % (n + 1) == 0));
            CHECK(value == NULL || *value == i * ENTITIES + n);
        }
    }

    /* 5, 37 and 4,069 would share a bit of 32, 5 and 69 one of 64. */
    kith_entity lone = kith_spawn_empty(f.world);
    const uint32_t value = 1;
    CHECK_RESULT(kith_set(f.world, lone, &types[37], &value), KITH_OK);
    CHECK_RESULT(kith_set(f.world, lone, &types[69], &value), KITH_OK);
    CHECK(!kith_has(f.world, lone, &types[5]));
    CHECK(!kith_has(f.world, lone, &types[4069]));
    CHECK_RESULT(kith_remove(f.world, lone, &types[69]), KITH_OK);
    CHECK(kith_has(f.world, lone, &types[37]));

    const kith_term terms[] = {{&types[12], KITH_ACCESS_READ, KITH_MUST, 0, NULL},
                               {&types[4080], KITH_ACCESS_READ, KITH_MUST, 0, NULL},
                               {&types[4095], KITH_ACCESS_NONE, KITH_MUST_NOT, 0, NULL},
                               {0}};
    kith_query *query = kith_query_new_or_null(f.world, &(const kith_query_def){.terms = terms});
    uint32_t seen = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            const uint32_t n = kith_entity_slot(kith_entities(&it)[i]) + 1;
            CHECK(12 % n == 0 && 4080 % n == 0 && 4095 % n != 0);
            seen++;
        }
    }
    CHECK_UINT(seen, 4); /* 2, 4, 6 and 12; 1 and 3 divide 4,095 as well */
    fixture_free(&f);
}

/* ---- no generations -------------------------------------------------------------------------- */

/* Whoever takes a slot over, handles of those before read nothing of its data. */
TEST(no_generations)
{
    fixture f = fixture_with_all(KITH_SLOT);
    enum { LIVES = 100 };
    kith_entity past[LIVES];
    for (uint32_t life = 0; life < LIVES; life++) {
        past[life] = KITH_SPAWN(f.world, KITH_VALUE(Health, {(int32_t)life, 100}));
        CHECK_UINT(past[life].index1, 1);
        for (uint32_t i = 0; i < life; i++) {
            CHECK(!kith_alive(f.world, past[i]));
            CHECK_PTR_NULL(KITH_GET(f.world, past[i], Health));
            CHECK(!KITH_HAS(f.world, past[i], Health));
            Health *health = NULL;
            CHECK_RESULT(kith_get_mut(f.world, past[i], &Health_type, (void **)&health),
                         KITH_ERR_DEAD);
            CHECK_RESULT(KITH_REMOVE(f.world, past[i], Health), KITH_ERR_DEAD);
            CHECK_RESULT(kith_despawn(f.world, past[i]), KITH_ERR_DEAD);
        }
        CHECK_INT(KITH_GET(f.world, past[life], Health)->current, life);
        CHECK_RESULT(kith_despawn(f.world, past[life]), KITH_OK);
    }
    fixture_free(&f);
}

/* ---- query example --------------------------------------------------------------------------- */

/* The source's loop stores every id in the same place. Here each one returned is checked: in order,
 * none twice, none left out; over whole words with and without, and runs of every length. */
TEST(query_example)
{
    enum { COUNT = 5000 };
    fixture f = fixture_with_all(KITH_SLOT);
    static kith_entity e[COUNT];
    static kith_entity expected[COUNT];
    static kith_entity out[COUNT];
    uint32_t expected_count = 0;
    uint64_t seed = 2;
    for (uint32_t i = 0; i < COUNT; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Velocity, {(float)i, 0}));
        bool there = i < 200 || (i >= 1000 && i / 64 % 3 != 0 && random_below(&seed, 8) != 0);
        if (there) {
            CHECK_RESULT(KITH_SET(f.world, e[i], Position, {(float)i, 1}), KITH_OK);
        }
        if (i % 97 == 0) {
            CHECK_RESULT(kith_despawn(f.world, e[i]), KITH_OK);
            e[i] = KITH_SPAWN(f.world, KITH_VALUE(Velocity, {(float)i, 0}));
            there = false;
        }
        if (there) {
            expected[expected_count++] = e[i];
        }
    }
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position), KITH_READ(Velocity));
    CHECK_UINT(kith_query_count(query), expected_count);
    uint32_t count = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK(count < COUNT);
            out[count] = kith_entities(&it)[i];
            CHECK_SAME(out[count], expected[count]);
            CHECK_FLOAT(KITH_AT(&it, i, Position)->x, kith_entity_slot(out[count]));
            CHECK_FLOAT(KITH_AT(&it, i, Velocity)->dx, kith_entity_slot(out[count]));
            count++;
        }
    }
    CHECK_UINT(count, expected_count);
    fixture_free(&f);
}
