/* A test for each row of traps of source 000 (entities, sparse sets, the hard-coded world). */
#include <kith/kith.h>

#include "components.h"
#include "test.h"
#include "world/world.h"

/* ---- destroy can fail ------------------------------------------------------------------------ */

/* The source appends to its free list, and leaks the slot if that cannot grow. */
TEST_EACH_LAYOUT(destroy_can_fail, layout)
{
    enum { COUNT = 3000 };
    fixture f = fixture_with_all(layout);
    static kith_entity e[COUNT];
    for (int i = 0; i < COUNT; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}), KITH_VALUE(Byte, {1}));
    }
    const size_t allocations = f.memory->allocations;
    fail_from(&f, 1);
    for (int i = 0; i < COUNT; i += 2) {
        CHECK_RESULT(kith_despawn(f.world, e[i]), KITH_OK);
    }
    uint32_t ended = 0;
    CHECK_RESULT(kith_despawn_many(f.world, e, COUNT, &ended), KITH_OK);
    CHECK_UINT(ended, COUNT / 2);
    CHECK(!fail_nothing(&f));
    CHECK_UINT(f.memory->allocations, allocations);
    CHECK_WORLD(f.world);

    /* No slot is lost. */
    for (int i = 0; i < COUNT; i++) {
        kith_entity again = kith_spawn_empty(f.world);
        CHECK(again.index1 <= COUNT);
        CHECK_UINT(again.generation, 1);
    }
    CHECK_UINT(kith_memory(f.world).slots, COUNT);
    fixture_free(&f);
}

/* ---- half-made insert ------------------------------------------------------------------------ */

/* Whichever allocation fails, at a size where everything has to grow: all or nothing. */
TEST_EACH_LAYOUT(half_made_insert, layout)
{
    for (uint32_t count = 1; count <= 1025; count = count * 2 + (count == 512)) {
        for (size_t nth = 1;; nth++) {
            fixture f = fixture_with_all(layout);
            const Position there = {1, 2};
            const kith_values values[] = {{&Position_type, &there, false}};
            CHECK_RESULT(kith_spawn_many(f.world, count, values, 1, NULL), KITH_OK);
            kith_entity e = kith_spawn_empty(f.world);
            kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
            const uint64_t before = kith_world_hash(f.world);

            fail_allocation(&f, nth);
            kith_result result = KITH_SET(f.world, e, Position, {3, 4});
            bool reached = fail_nothing(&f);

            /* It may do without what it was refused, but it is whole or not at all. */
            const bool made = result == KITH_OK;
            CHECK(made || (reached && result == KITH_ERR_MEMORY));
            CHECK((kith_world_hash(f.world) != before) == made);
            CHECK_UINT(kith_query_count(query), count + made);
            CHECK(KITH_HAS(f.world, e, Position) == made);
            CHECK_WORLD(f.world);
            if (!made) {
                CHECK_RESULT(KITH_SET(f.world, e, Position, {3, 4}), KITH_OK);
            }
            CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 4);
            fixture_free(&f);
            if (!reached) {
                break;
            }
        }
    }
}

/* ---- half-made spawn ------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(half_made_spawn, layout)
{
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_with_all(layout);
        const uint64_t before = kith_world_hash(f.world);

        fail_allocation(&f, nth);
        kith_entity e =
            KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity, {3, 4}),
                       KITH_VALUE(Health, {5, 6}), KITH_VALUE(Frozen), KITH_VALUE(Big));
        bool reached = fail_nothing(&f);

        const bool made = !kith_is_none(e);
        CHECK(made || reached);
        CHECK((kith_world_hash(f.world) != before) == made);
        CHECK_UINT(kith_entity_count(f.world), made);
        CHECK_WORLD(f.world);
        /* The slot that would have been handed out still is the next. */
        kith_entity next = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        CHECK_UINT(next.index1, made ? 2 : 1);
        CHECK_UINT(next.generation, 0);
        fixture_free(&f);
        if (!reached) {
            CHECK(nth > 1);
            break;
        }
    }
}

/* ---- generation overflow --------------------------------------------------------------------- */

/* In the source, `generation += 1` wraps and a stale handle lives again, or traps. Four billion lives
 * are too many to wait for: the slot's record is set to its last but one. */
TEST_EACH_LAYOUT(generation_overflow, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity first = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    kith_entity other = KITH_SPAWN(f.world, KITH_VALUE(Position, {3, 4}));
    CHECK_RESULT(kith_despawn(f.world, first), KITH_OK);
    ki_record_at(&f.world->store.entities, 0)->generation = UINT32_MAX - 1;
    CHECK_WORLD(f.world);

    kith_entity last_but_one = KITH_SPAWN(f.world, KITH_VALUE(Position, {5, 6}));
    CHECK_STR(kith_entity_to_text(last_but_one).text, "Entity(0v4294967294)");
    CHECK_RESULT(kith_despawn(f.world, last_but_one), KITH_OK);
    kith_entity last = KITH_SPAWN(f.world, KITH_VALUE(Position, {7, 8}), KITH_VALUE(Frozen));
    CHECK_STR(kith_entity_to_text(last).text, "Entity(0v4294967295)");
    CHECK(kith_alive(f.world, last));
    CHECK_FLOAT(KITH_GET(f.world, last, Position)->y, 8);
    CHECK_UINT(kith_memory(f.world).retired, 0);
    CHECK_WORLD(f.world);

    /* The slot has had its last life. */
    CHECK_RESULT(kith_despawn(f.world, last), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK_UINT(kith_memory(f.world).retired, 1);
    CHECK_UINT(kith_memory(f.world).slots, 2);
    CHECK_UINT(kith_entity_count(f.world), 1);
    for (uint32_t i = 0; i < 10; i++) {
        kith_entity next = KITH_SPAWN(f.world, KITH_VALUE(Position, {9, 9}));
        CHECK_UINT(next.index1, 3 + i);
    }
    CHECK(!kith_alive(f.world, first));
    CHECK(!kith_alive(f.world, last_but_one));
    CHECK(!kith_alive(f.world, last));
    CHECK(!kith_alive(f.world, (kith_entity){1, 0}));
    CHECK_RESULT(kith_despawn(f.world, last), KITH_ERR_DEAD);
    CHECK_PTR_NULL(KITH_GET(f.world, last, Position));
    CHECK_SAME(kith_entity_next(f.world, KITH_NONE), other);
    CHECK_WORLD(f.world);

    /* Spawning many passes it over as well. */
    kith_entity many[5];
    CHECK_RESULT(kith_spawn_many(f.world, 5, NULL, 0, many), KITH_OK);
    for (uint32_t i = 0; i < 5; i++) {
        CHECK_UINT(many[i].index1, 13 + i);
    }
    CHECK_UINT(kith_memory(f.world).retired, 1);
    fixture_free(&f);
}

/* In a list of slots that are to be used again, the one that retires leaves the others in it. */
TEST(generation_overflow_among_free_slots)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_entity e[5];
    CHECK_RESULT(kith_spawn_many(f.world, 5, NULL, 0, e), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, e[2]), KITH_OK);
    ki_record_at(&f.world->store.entities, 2)->generation = UINT32_MAX;
    e[2] = kith_spawn_empty(f.world);
    CHECK_UINT(e[2].generation, UINT32_MAX);
    uint32_t ended = 0;
    CHECK_RESULT(kith_despawn_many(f.world, e, 5, &ended), KITH_OK);
    CHECK_UINT(ended, 5);
    CHECK_WORLD(f.world);
    static const uint32_t expected[] = {5, 4, 2, 1, 6};
    for (int i = 0; i < 5; i++) {
        CHECK_UINT(kith_spawn_empty(f.world).index1, expected[i]);
    }
    CHECK_UINT(kith_memory(f.world).retired, 1);
    fixture_free(&f);
}

/* ---- one entity index of 4 billion ----------------------------------------------------------- */

/* The source grows an array one element at a time up to the index. A handle of such an index is dead
 * here and costs nothing; one high slot costs a page. */
TEST_EACH_LAYOUT(one_entity_index_of_4_billion, layout)
{
    fixture f = fixture_with_all(layout);
    const size_t allocations = f.memory->allocations;
    const kith_entity high = {UINT32_MAX, 0};
    CHECK_RESULT(KITH_SET(f.world, high, Position, {1, 2}), KITH_ERR_DEAD);
    CHECK_RESULT(KITH_ADD(f.world, high, Frozen), KITH_ERR_DEAD);
    CHECK(!kith_alive(f.world, high));
    CHECK_UINT(f.memory->allocations, allocations);
    fixture_free(&f);
}

TEST(one_entity_index_of_4_billion_costs_a_page)
{
    for (int layout = KITH_SPARSE; layout <= KITH_SLOT; layout++) {
        enum { COUNT = 2000000 };
        fixture f = fixture_with_all((kith_layout)layout);
        CHECK_RESULT(kith_spawn_many(f.world, COUNT, NULL, 0, NULL), KITH_OK);
        const size_t used = kith_memory(f.world).used;
        const kith_entity last = {COUNT, 0};
        CHECK_RESULT(KITH_SET(f.world, last, Position, {1, 2}), KITH_OK);
        CHECK_FLOAT(KITH_GET(f.world, last, Position)->y, 2);
        /* A page of values or of look-up, a page of presence bits or of handles, a summary, and the
         * directories to them: some ten thousand bytes, where one number a slot makes 8 MB. */
        CHECK(kith_memory(f.world).used - used < 128 * 1024);
        kith_component_stats stats;
        CHECK_RESULT(kith_component_memory(f.world, &Position_type, &stats), KITH_OK);
        CHECK_UINT(stats.entities, 1);
        CHECK_UINT(stats.used, sizeof(Position));
        CHECK(stats.reserved < 128 * 1024);
        fixture_free(&f);
    }
}

/* ---- stale access ---------------------------------------------------------------------------- */

/* A stale handle reads, writes and ends nothing of its successor's. */
TEST_EACH_LAYOUT(stale_access, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity stale = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Frozen));
    CHECK_RESULT(kith_despawn(f.world, stale), KITH_OK);
    kith_entity heir = KITH_SPAWN(f.world, KITH_VALUE(Position, {42, 99}), KITH_VALUE(Frozen),
                                  KITH_VALUE(Burning));
    CHECK_UINT(heir.index1, stale.index1);
    const uint64_t before = kith_world_hash(f.world);

    CHECK(!kith_alive(f.world, stale));
    CHECK(!KITH_HAS(f.world, stale, Position));
    CHECK(!KITH_HAS(f.world, stale, Frozen));
    CHECK_PTR_NULL(KITH_GET(f.world, stale, Position));
    CHECK_PTR_NULL(KITH_GET_MUT(f.world, stale, Position));
    void *value = NULL;
    CHECK_RESULT(kith_get_mut(f.world, stale, &Position_type, &value), KITH_ERR_DEAD);
    CHECK_PTR_NULL(value);
    Position p = {3, 4};
    CHECK_RESULT(kith_get_bytes(f.world, stale, &Position_type, &p, sizeof(p)), KITH_ERR_DEAD);
    CHECK_FLOAT(p.x, 3);
    CHECK_RESULT(kith_set_bytes(f.world, stale, &Position_type, &p, sizeof(p)), KITH_ERR_DEAD);
    const void *values[2] = {&p, &p};
    const kith_entity both[2] = {stale, heir};
    CHECK_UINT(kith_get_many(f.world, &Position_type, both, 2, values), 1);
    CHECK_PTR_NULL(values[0]);
    CHECK_PTR_NOT_NULL(values[1]);
    CHECK_RESULT(KITH_SET(f.world, stale, Position, {5, 6}), KITH_ERR_DEAD);
    CHECK_RESULT(KITH_SET(f.world, stale, Health, {5, 6}), KITH_ERR_DEAD);
    CHECK_RESULT(KITH_SET_VALUES(f.world, stale, KITH_VALUE(Position, {5, 6})), KITH_ERR_DEAD);
    CHECK_RESULT(kith_set_values(f.world, stale, NULL, 0), KITH_ERR_DEAD);
    CHECK_RESULT(KITH_ADD(f.world, stale, Position), KITH_ERR_DEAD);
    CHECK_RESULT(KITH_ADD(f.world, stale, Byte), KITH_ERR_DEAD);
    CHECK_RESULT(KITH_REMOVE(f.world, stale, Position), KITH_ERR_DEAD);
    CHECK_RESULT(KITH_REMOVE(f.world, stale, Byte), KITH_ERR_DEAD);
    CHECK_RESULT(kith_remove_all(f.world, stale), KITH_ERR_DEAD);
    kith_entity copy = KITH_NONE;
    CHECK_RESULT(kith_clone(f.world, stale, &copy), KITH_ERR_DEAD);
    CHECK(kith_is_none(copy));
    CHECK_RESULT(kith_despawn(f.world, stale), KITH_ERR_DEAD);
    uint32_t ended = 9;
    CHECK_RESULT(kith_despawn_many(f.world, &stale, 1, &ended), KITH_OK);
    CHECK_UINT(ended, 0);
    CHECK_PTR_NULL(kith_component_next(f.world, stale, NULL));
    CHECK_UINT(kith_world_hash(f.world), before);

    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    CHECK(!kith_query_contains(query, stale));
    kith_iter it = kith_query_iter_one(query, stale);
    CHECK(!kith_next(&it));
    CHECK(kith_query_contains(query, heir));
    CHECK_UINT(kith_world_hash(f.world), before);
    fixture_free(&f);
}

/* ---- swap-remove during iteration ------------------------------------------------------------ */

/* The source's loop skips the element that is moved into the hole. */
TEST_EACH_LAYOUT(swap_remove_during_iteration, layout)
{
    enum { COUNT = 10 };
    fixture f = fixture_with_all(layout);
    for (int i = 0; i < COUNT; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Health, {i % 2, 1}));
    }
    const uint64_t before = kith_world_hash(f.world);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Health));
    kith_entity dead[COUNT];
    uint32_t dead_count = 0;
    uint32_t seen = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            kith_entity e = kith_entities(&it)[i];
            seen++;
            if (KITH_AT(&it, i, Health)->current == 0) {
                CHECK_RESULT(KITH_REMOVE(f.world, e, Health), KITH_ERR_MISUSE);
                expect_misuse(&f, "kith_remove");
                CHECK_RESULT(kith_despawn(f.world, e), KITH_ERR_MISUSE);
                expect_misuse(&f, "kith_despawn");
                dead[dead_count++] = e;
            }
        }
    }
    CHECK_UINT(seen, COUNT);
    CHECK_UINT(dead_count, COUNT / 2);
    CHECK_UINT(kith_world_hash(f.world), before);
    CHECK_WORLD(f.world);

    uint32_t ended = 0;
    CHECK_RESULT(kith_despawn_many(f.world, dead, dead_count, &ended), KITH_OK);
    CHECK_UINT(ended, COUNT / 2);
    CHECK_UINT(kith_query_count(query), COUNT / 2);
    fixture_free(&f);
}
