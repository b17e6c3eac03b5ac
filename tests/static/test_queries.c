/* Worlds fixed at compile time: queries, and what may change while one is open. */
#include <kith/static.h>

#include "random.h"
#include "test.h"

#define UNIT_COMPONENTS(X, W)                                                                      \
    X(W, uint32_t, number)                                                                         \
    X(W, float, speed)                                                                             \
    X(W, bool, frozen)
KITH_STATIC_WORLD(units, UNIT_COMPONENTS, 200);

static const units_query numbered = {.with = {.number = true}};

/* As many as fit, with these components where the slot divides by so much (0: nowhere). */
static void fill(units *world, uint32_t number, uint32_t speed, uint32_t frozen)
{
    for (uint32_t slot = 0; slot < units_capacity; slot++) {
        kith_entity e = KITH_NONE;
        CHECK_RESULT(units_spawn(world, &e), KITH_OK);
        if (number != 0 && slot % number == 0) {
            CHECK_RESULT(units_set_number(world, e, slot), KITH_OK);
        }
        if (speed != 0 && slot % speed == 0) {
            CHECK_RESULT(units_set_speed(world, e, (float)slot), KITH_OK);
        }
        if (frozen != 0 && slot % frozen == 0) {
            CHECK_RESULT(units_add_frozen(world, e), KITH_OK);
        }
    }
    CHECK_PTR_NULL(units_check(world));
}

/* Checks that the query visits the slots that `matches` says, all of them, in order. */
static void check_visits(const units *world, units_query query, bool (*matches)(uint32_t slot))
{
    uint32_t count = 0;
    units_iter it = units_query_iter(world, query);
    for (uint32_t slot = 0; slot < units_capacity; slot++) {
        if (matches(slot)) {
            CHECK(units_next(&it));
            CHECK_UINT(it.slot, slot);
            count++;
        }
    }
    CHECK(!units_next(&it));
    CHECK(!units_next(&it));
    CHECK_UINT(units_query_count(world, query), count);
}

static bool all(uint32_t slot)
{
    (void)slot;
    return true;
}
static bool by_2_and_3(uint32_t slot)
{
    return slot % 2 == 0 && slot % 3 == 0;
}
static bool by_2_not_by_3_nor_5(uint32_t slot)
{
    return slot % 2 == 0 && slot % 3 != 0 && slot % 5 != 0;
}
static bool not_by_5(uint32_t slot)
{
    return slot % 5 != 0;
}
static bool none(uint32_t slot)
{
    (void)slot;
    return false;
}

TEST(queries_over_several_components)
{
    static units world;
    check_visits(&world, (units_query){.with = {false}}, none);
    fill(&world, 2, 3, 5);
    check_visits(&world, (units_query){.with = {false}}, all);
    check_visits(&world, (units_query){.with = {.number = true, .speed = true}}, by_2_and_3);
    check_visits(&world,
                 (units_query){.with = {.number = true},
                               .without = {.speed = true, .frozen = true}},
                 by_2_not_by_3_nor_5);
    check_visits(&world, (units_query){.without = {.frozen = true}}, not_by_5);
    check_visits(&world, (units_query){.with = {.speed = true}, .without = {.speed = true}}, none);
}

/* The same where the query is not known when this is compiled. */
TEST(queries_that_are_made_at_run_time)
{
    static units world;
    fill(&world, 2, 3, 5);
    for (uint32_t choice = 0; choice < 64; choice++) {
        volatile uint32_t bits = choice;
        units_query query = {
            .with = {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0},
            .without = {(bits & 8) != 0, (bits & 16) != 0, (bits & 32) != 0},
        };
        units_iter it = units_query_iter(&world, query);
        for (uint32_t slot = 0; slot < units_capacity; slot++) {
            uint32_t has = (slot % 2 == 0 ? 1u : 0) + (slot % 3 == 0 ? 2u : 0) +
                           (slot % 5 == 0 ? 4u : 0);
            if ((choice & 7 & ~has) == 0 && (choice >> 3 & has) == 0) {
                CHECK(units_next(&it));
                CHECK_UINT(it.slot, slot);
            }
        }
        CHECK(!units_next(&it));
    }
}

TEST(the_visited_may_be_despawned)
{
    static units world;
    fill(&world, 1, 0, 0);
    uint32_t seen = 0;
    for (units_iter it = units_query_iter(&world, numbered); units_next(&it);) {
        CHECK_UINT(it.slot, seen++);
        CHECK_RESULT(units_despawn(&world, units_entity_at(&world, it.slot)), KITH_OK);
        CHECK_PTR_NULL(units_check(&world));
    }
    CHECK_UINT(seen, units_capacity);
    CHECK_UINT(units_count(&world), 0);
}

/* Each one visited ends the next, or takes its component, so every other one is visited. */
TEST(who_is_gone_is_not_visited)
{
    for (int way = 0; way < 3; way++) {
        units world = {0};
        fill(&world, 1, 0, 0);
        units_query query = numbered;
        query.without.frozen = true;
        uint32_t seen = 0;
        for (units_iter it = units_query_iter(&world, query); units_next(&it);) {
            CHECK_UINT(it.slot, seen);
            seen += 2;
            kith_entity next = units_entity_at(&world, it.slot + 1);
            switch (way) {
            case 0: CHECK_RESULT(units_despawn(&world, next), KITH_OK); break;
            case 1: CHECK_RESULT(units_remove_number(&world, next), KITH_OK); break;
            default: CHECK_RESULT(units_add_frozen(&world, next), KITH_OK); break;
            }
        }
        CHECK_UINT(seen, units_capacity);
        CHECK_PTR_NULL(units_check(&world));
    }
}

/* Who comes to match ahead of the loop is visited, behind it not; by every way of coming. */
TEST(who_comes_ahead_is_visited)
{
    static units world;
    fill(&world, 0, 0, 7);
    units_set_number_unchecked(&world, 0, 0);
    uint32_t seen = 0;
    for (units_iter it = units_query_iter(&world, numbered); units_next(&it);) {
        CHECK_UINT(it.slot, seen);
        seen++;
        if (it.slot + 1 < units_capacity) {
            kith_entity next = units_entity_at(&world, it.slot + 1);
            switch (it.slot % 3) {
            case 0: units_set_number_unchecked(&world, it.slot + 1, 1); break;
            case 1: CHECK_RESULT(units_set_number(&world, next, 1), KITH_OK); break;
            default: CHECK_RESULT(units_add_number(&world, next), KITH_OK); break;
            }
        }
        CHECK_RESULT(units_remove_number(&world, units_entity_at(&world, it.slot)), KITH_OK);
        if (it.slot > 0) {
            units_set_number_unchecked(&world, it.slot - 1, 1);
        }
    }
    CHECK_UINT(seen, units_capacity);
    CHECK_PTR_NULL(units_check(&world));
}

TEST(a_spawn_ahead_is_visited_unless_the_query_ended)
{
    static units world;
    kith_entity e = KITH_NONE;
    CHECK_RESULT(units_spawn(&world, &e), KITH_OK);
    uint32_t seen = 0;
    units_iter it = units_query_iter(&world, (units_query){.with = {false}});
    CHECK_RESULT(units_spawn(&world, &e), KITH_OK); /* before the first step */
    while (units_next(&it)) {
        CHECK_UINT(it.slot, seen++);
        if (seen < 150) {
            CHECK_RESULT(units_spawn(&world, &e), KITH_OK);
        }
    }
    CHECK_UINT(seen, 151);
    while (units_spawn(&world, &e) == KITH_OK) {
    }
    CHECK(!units_next(&it));
    CHECK_UINT(units_count(&world), units_capacity);
}

/* Two queries that are open at once do not know of each other. */
TEST(queries_within_queries)
{
    static units world;
    fill(&world, 3, 0, 0);
    uint32_t pairs = 0;
    for (units_iter a = units_query_iter(&world, numbered); units_next(&a);) {
        units_iter b = a;
        while (units_next(&b)) {
            CHECK(b.slot > a.slot);
            pairs++;
        }
    }
    CHECK_UINT(pairs, 67 * 66 / 2);
}

/* What a query visits while everything changes at random, beside a plain search for the next one. */
TEST(random_changes_in_the_loop)
{
    uint64_t seed = 5;
    for (int round = 0; round < 300; round++) {
        units world = {0};
        fill(&world, 2, 0, 3);
        units_query query = numbered;
        query.without.frozen = true;
        units_iter it = units_query_iter(&world, query);
        uint32_t at = 0;
        for (;;) {
            while (at < units_capacity && (units_get_number_unchecked(&world, at) == NULL ||
                                           units_get_frozen_unchecked(&world, at) != NULL)) {
                at++;
            }
            if (at == units_capacity) {
                break;
            }
            CHECK(units_next(&it));
            CHECK_UINT(it.slot, at);
            at++;
            for (uint32_t n = random_below(&seed, 4); n > 0; n--) {
                kith_entity e = units_entity_at(&world, random_below(&seed, units_capacity));
                switch (random_below(&seed, 6)) {
                case 0: (void)units_spawn(&world, &e); break;
                case 1: (void)units_despawn(&world, e); break;
                case 2: (void)units_set_number(&world, e, 1); break;
                case 3: (void)units_remove_number(&world, e); break;
                case 4: (void)units_add_frozen(&world, e); break;
                default: (void)units_remove_frozen(&world, e); break;
                }
            }
        }
        CHECK(!units_next(&it));
        CHECK_PTR_NULL(units_check(&world));
    }
}

TEST(what_ended_does_not_go_on)
{
    static units world;
    fill(&world, 0, 0, 0);
    units_set_number_unchecked(&world, 1, 0);
    units_iter it = units_query_iter(&world, numbered);
    CHECK(units_next(&it));
    CHECK_UINT(it.slot, 1);
    CHECK(!units_next(&it));
    CHECK_UINT(it.slot, UINT32_MAX);
    units_set_number_unchecked(&world, units_capacity - 1, 0); /* in the word that was read last */
    CHECK(!units_next(&it));
    CHECK_UINT(units_query_count(&world, numbered), 2);
}
