/* Every test of source 002 (bit masks over component arrays) and every row of its traps, on a world
 * fixed at compile time. That a world has 1,000 slots and no more is its design: spawn says so. */
#include <kith/static.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

typedef struct Position {
    float pos[2];
} Position;

typedef struct Velocity {
    float v[2];
} Velocity;

typedef struct Age {
    uint16_t age;
} Age;

/* ---- The source's tests ---------------------------------------------------------------------- */

#define MOVING(X, W)                                                                               \
    X(W, Position, position)                                                                       \
    X(W, Velocity, velocity)
KITH_STATIC_WORLD(moving, MOVING, 10);

TEST(ecs_simple)
{
    static moving a;
    kith_entity e = KITH_NONE;
    CHECK_RESULT(moving_spawn(&a, &e), KITH_OK);
    CHECK_RESULT(moving_set_position(&a, e, (Position){{1, 3}}), KITH_OK);
    CHECK_RESULT(moving_set_velocity(&a, e, (Velocity){{0.5f, 0}}), KITH_OK);
    const Position *p0 = moving_get_position(&a, e);
    const Velocity *v0 = moving_get_velocity(&a, e);
    CHECK(p0 != NULL && p0->pos[0] == 1 && p0->pos[1] == 3);
    CHECK(v0 != NULL && v0->v[0] == 0.5f && v0->v[1] == 0);
}

#define AGEING(X, W)                                                                               \
    X(W, Age, age)                                                                                 \
    X(W, Position, position)
KITH_STATIC_WORLD(ageing, AGEING, 3);

TEST(ecs_alignment)
{
    static ageing a;
    kith_entity e[2] = {KITH_NONE, KITH_NONE};
    CHECK_RESULT(ageing_spawn(&a, &e[0]), KITH_OK);
    CHECK_RESULT(ageing_set_position(&a, e[0], (Position){{1, 3}}), KITH_OK);
    CHECK_RESULT(ageing_set_age(&a, e[0], (Age){13}), KITH_OK);
    const Position *p0 = ageing_get_position(&a, e[0]);
    const Age *a0 = ageing_get_age(&a, e[0]);
    CHECK(p0 != NULL && p0->pos[0] == 1 && p0->pos[1] == 3);
    CHECK(a0 != NULL && a0->age == 13);

    CHECK_RESULT(ageing_spawn(&a, &e[1]), KITH_OK);
    CHECK_PTR_NULL(ageing_get_age(&a, e[1]));
    CHECK_PTR_NULL(ageing_get_position(&a, e[1]));
    CHECK_RESULT(ageing_set_position(&a, e[1], (Position){{1, 1}}), KITH_OK);
    CHECK_FLOAT(ageing_get_position(&a, e[1])->pos[0], 1);
    CHECK_PTR_NULL(ageing_get_age(&a, e[1]));
    CHECK_PTR_NULL(ageing_check(&a));
}

/* Whatever stands before an array, and however odd the capacity. */
typedef struct Wide {
    _Alignas(64) double lanes[8];
} Wide;

#define UNEVEN(X, W)                                                                               \
    X(W, char, first)                                                                              \
    X(W, double, second)                                                                           \
    X(W, Age, third)                                                                               \
    X(W, Wide, fourth)                                                                             \
    X(W, bool, fifth)                                                                              \
    X(W, uint64_t, sixth)
KITH_STATIC_WORLD(uneven, UNEVEN, 3);

TEST(ecs_alignment_of_every_value)
{
    CHECK_UINT(_Alignof(uneven), 64);
    uneven *world = test_aligned_new(_Alignof(uneven), sizeof(uneven));
    CHECK_PTR_NOT_NULL(world);
    uneven_init(world);
    for (uint32_t slot = 0; slot < uneven_capacity; slot++) {
        CHECK_UINT((uintptr_t)&uneven_values_second(world)[slot] % _Alignof(double), 0);
        CHECK_UINT((uintptr_t)&uneven_values_third(world)[slot] % _Alignof(Age), 0);
        CHECK_UINT((uintptr_t)&uneven_values_fourth(world)[slot] % 64, 0);
        CHECK_UINT((uintptr_t)&uneven_values_sixth(world)[slot] % _Alignof(uint64_t), 0);
    }
    test_aligned_free(world);
}

/* ---- The source's traps ---------------------------------------------------------------------- */

#define NUMBERED(X, W) X(W, uint32_t, number)
KITH_STATIC_WORLD(large, NUMBERED, 1 << 20);
KITH_STATIC_WORLD(small, NUMBERED, 300);

/* A search for the first slot that is free would take minutes here. And the world takes one entity
 * more than it has room for without a panic. */
TEST(o_n_allocation)
{
    large *world = calloc(1, sizeof *world);
    CHECK_PTR_NOT_NULL(world);
    kith_entity e = KITH_NONE;
    for (uint32_t i = 0; i < large_capacity; i++) {
        CHECK_RESULT(large_spawn(world, &e), KITH_OK);
    }
    CHECK_RESULT(large_spawn(world, &e), KITH_ERR_LIMIT);
    for (uint32_t i = 0; i < 3000000; i++) {
        CHECK_RESULT(large_despawn(world, e), KITH_OK);
        CHECK_RESULT(large_spawn(world, &e), KITH_OK);
        CHECK_UINT(e.index1, large_capacity);
    }
    CHECK_RESULT(large_spawn(world, &e), KITH_ERR_LIMIT);
    CHECK_PTR_NULL(large_check(world));
    free(world);
}

TEST(set_revives_the_dead)
{
    static small world;
    kith_entity e = KITH_NONE;
    CHECK_RESULT(small_spawn(&world, &e), KITH_OK);
    CHECK_RESULT(small_set_number(&world, e, 1), KITH_OK);
    CHECK_RESULT(small_despawn(&world, e), KITH_OK);
    CHECK_RESULT(small_set_number(&world, e, 2), KITH_ERR_DEAD);
    CHECK_RESULT(small_set_number(&world, (kith_entity){200, 0}, 2), KITH_ERR_DEAD);
    CHECK(!small_alive(&world, e));
    CHECK_PTR_NULL(small_get_number(&world, e));
    CHECK_UINT(small_count(&world), 0);
    CHECK_UINT(small_query_count(&world, (small_query){.with = {.number = true}}), 0);
    CHECK_PTR_NULL(small_check(&world));
}

#define EIGHT(X, W, d)                                                                             \
    X(W, uint8_t, t##d##0)                                                                         \
    X(W, uint8_t, t##d##1)                                                                         \
    X(W, uint8_t, t##d##2)                                                                         \
    X(W, uint8_t, t##d##3)                                                                         \
    X(W, uint8_t, t##d##4)                                                                         \
    X(W, uint8_t, t##d##5)                                                                         \
    X(W, uint8_t, t##d##6)                                                                         \
    X(W, uint8_t, t##d##7)
#define SEVENTY_TWO(X, W)                                                                          \
    EIGHT(X, W, 0)                                                                                 \
    EIGHT(X, W, 1)                                                                                 \
    EIGHT(X, W, 2)                                                                                 \
    EIGHT(X, W, 3)                                                                                 \
    EIGHT(X, W, 4)                                                                                 \
    EIGHT(X, W, 5)                                                                                 \
    EIGHT(X, W, 6)                                                                                 \
    EIGHT(X, W, 7)                                                                                 \
    EIGHT(X, W, 8)
KITH_STATIC_WORLD(many, SEVENTY_TWO, 2);

/* Components number 1, 33 and 65 would share a bit of 32. */
TEST(thirty_two_components)
{
    static many world;
    kith_entity e = KITH_NONE;
    CHECK_RESULT(many_spawn(&world, &e), KITH_OK);
    CHECK_RESULT(many_set_t40(&world, e, 33), KITH_OK);
    CHECK(!many_has_t00(&world, e) && !many_has_t80(&world, e));
    CHECK_UINT(many_query_count(&world, (many_query){.with = {.t00 = true}}), 0);
    CHECK_RESULT(many_set_t80(&world, e, 65), KITH_OK);
    CHECK_RESULT(many_set_t00(&world, e, 1), KITH_OK);
    CHECK_RESULT(many_remove_t00(&world, e), KITH_OK);
    CHECK_UINT(*many_get_t40(&world, e), 33);
    CHECK_UINT(*many_get_t80(&world, e), 65);
    CHECK_UINT(many_query_count(&world, (many_query){.with = {.t40 = true, .t80 = true}}), 1);
    CHECK_PTR_NULL(many_check(&world));
}

TEST(no_generations)
{
    static small world;
    kith_entity first = KITH_NONE;
    kith_entity second = KITH_NONE;
    CHECK_RESULT(small_spawn(&world, &first), KITH_OK);
    CHECK_RESULT(small_set_number(&world, first, 1), KITH_OK);
    CHECK_RESULT(small_despawn(&world, first), KITH_OK);
    CHECK_RESULT(small_spawn(&world, &second), KITH_OK);
    CHECK_UINT(second.index1, first.index1);
    CHECK_RESULT(small_set_number(&world, second, 2), KITH_OK);
    CHECK_PTR_NULL(small_get_number(&world, first));
    CHECK(!small_has_number(&world, first));
    CHECK_RESULT(small_remove_number(&world, first), KITH_ERR_DEAD);
    CHECK_RESULT(small_despawn(&world, first), KITH_ERR_DEAD);
    CHECK_UINT(*small_get_number(&world, second), 2);
}

/* Every id that the loop of the source's example should have stored. */
TEST(query_example)
{
    static small world;
    uint32_t expected[small_capacity];
    uint32_t expected_count = 0;
    for (uint32_t i = 0; i < small_capacity; i++) {
        kith_entity e = KITH_NONE;
        CHECK_RESULT(small_spawn(&world, &e), KITH_OK);
        if (i % 7 < 3 && (i < 64 || i >= 192)) { /* whole words without any, too */
            CHECK_RESULT(small_set_number(&world, e, i), KITH_OK);
            expected[expected_count++] = i;
        }
    }
    uint32_t out[small_capacity + 1];
    memset(out, 0xEE, sizeof out);
    uint32_t count = 0;
    for (small_iter it = small_query_iter(&world, (small_query){.with = {.number = true}});
         small_next(&it);) {
        out[count++] = it.slot;
    }
    CHECK_UINT(count, expected_count);
    CHECK_INT(memcmp(out, expected, count * sizeof *out), 0);
    CHECK_UINT(out[count], 0xEEEEEEEE);
}
