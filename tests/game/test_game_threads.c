/* A whole game: the same to the bit for any number of workers, and on any of them. */
#include <stdio.h>
#include <string.h>

#include "random.h"
#include "worlds.h"

enum { BODIES = 2500, TICKS = 24 };

static void spawn_one(kith_world *world, uint64_t *random)
{
    const Position at = {(float)random_below(random, 1600) / 16,
                         (float)random_below(random, 1600) / 16};
    const Velocity velocity = {(float)random_below(random, 80) - 40,
                               (float)random_below(random, 80) - 40};
    const Collider box = {.width = 0.5f * (float)(1 + random_below(random, 4)),
                          .height = 1,
                          .swept = random_below(random, 4) == 0};
    const Health health = {5 + (int32_t)random_below(random, 20), 30};
    const Bounds bounds = {.rule = (kith_bounds_rule)random_below(random, 4)};
    const Damage damage = {.amount = 1, .fragile = random_below(random, 3) == 0};
    const Lifetime life = {(float)random_below(random, 64) / 16};
    const Controller wish = {1, (float)random_below(random, 3) - 1, 10, 0};
    const Gravity gravity = {10};
    const kith_value values[] = {
        KITH_VALUE(Position, at),   KITH_VALUE(Velocity, velocity), KITH_VALUE(Collider, box),
        KITH_VALUE(Health, health), KITH_VALUE(Bounds, bounds),     KITH_VALUE(Gravity, gravity),
        KITH_VALUE(Damage, damage), KITH_VALUE(Lifetime, life),     KITH_VALUE(Controller, wish),
    };
    kith_entity e;
    CHECK_RESULT(kith_spawn(world, values, 4 + random_below(random, 6), &e), KITH_OK);
}

/* The hashes of each tick. */
static void play_game(kith_layout layout, uint32_t workers, uint64_t hashes[TICKS])
{
    fixture f = game_new(layout, KITH_GAME_ALL);
    CHECK_RESULT(kith_workers_set(f.world, &(kith_workers_def){.threads = workers + 1}), KITH_OK);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Space, {0, 0, 100, 100}), KITH_OK);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, DamageRules, {.touch = 1}), KITH_OK);
    uint64_t random = 7;
    for (int i = 0; i < BODIES; i++) {
        spawn_one(f.world, &random);
    }
    for (int tick = 0; tick < TICKS; tick++) {
        game_tick(&f, 1.0f / 16);
        hashes[tick] = kith_world_hash(f.world);
        for (int i = 0; i < 40; i++) {
            spawn_one(f.world, &random);
        }
    }
    CHECK(kith_event_count(f.world, &Collision_type) > 100);
    CHECK(kith_entity_count(f.world) < BODIES);
    fixture_free(&f);
}

TEST_EACH_LAYOUT_WITHIN(30, workers_do_not_change_the_outcome, layout)
{
    static const uint32_t workers[] = {1, 2, 3, 8};
    uint64_t alone[TICKS];
    play_game(layout, 0, alone);
    for (size_t i = 0; i < sizeof workers / sizeof workers[0]; i++) {
        uint64_t hashes[TICKS];
        play_game(layout, workers[i], hashes);
        for (int tick = 0; tick < TICKS; tick++) {
            CHECK_UINT(hashes[tick], alone[tick]);
        }
    }
}

/* The content is the same on each layout: what collides does not depend on where values are. */
TEST_WITHIN(20, layouts_give_the_same_collisions)
{
    uint64_t sums[LAYOUT_COUNT];
    for (int layout = 0; layout < LAYOUT_COUNT; layout++) {
        fixture f = game_new((kith_layout)layout,
                             KITH_GAME_MOVEMENT | KITH_GAME_COLLISION | KITH_GAME_DAMAGE);
        uint64_t random = 3;
        for (int i = 0; i < 500; i++) {
            spawn_one(f.world, &random);
        }
        sums[layout] = 0;
        for (int tick = 0; tick < 4; tick++) {
            game_tick(&f, 1.0f / 64);
            const Collision *hit;
            for (uint32_t i = 0; (hit = KITH_EVENT(f.world, i, Collision)) != NULL; i++) {
                sums[layout] = sums[layout] * 31 + hit->a.index1 * 7 + hit->b.index1 * 3 +
                               (uint64_t)hit->phase;
            }
        }
        fixture_free(&f);
    }
    CHECK_UINT(sums[1], sums[0]);
    CHECK_UINT(sums[2], sums[0]);
}

/* ---- A grid is read by systems that run side by side --------------------------------------------- */

static void stop_at_walls(kith_iter *it)
{
    const kith_grid *walls = it->user;
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            const Position *at = KITH_AT(it, i, Position);
            if (!kith_is_none(kith_grid_point(walls, at->x, at->y, 0))) {
                *KITH_AT_MUT(it, i, Velocity) = (Velocity){0, 0};
            }
        }
    }
}

TEST_WITHIN(20, many_may_look_into_a_grid)
{
    fixture f = game_new(KITH_TABLE, KITH_GAME_MOVEMENT);
    CHECK_RESULT(kith_workers_set(f.world, &(kith_workers_def){.threads = 4}), KITH_OK);
    KITH_SPAWN(f.world, KITH_VALUE(Position, {0, 50}),
               KITH_VALUE(Collider, {.width = 10, .height = 1000}));
    kith_grid *walls = kith_grid_new(f.world);
    CHECK_RESULT(kith_grid_build(walls, 0), KITH_OK);
    for (int i = 0; i < 4000; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Position, {-20, 5}), KITH_VALUE(Velocity, {16, 0}));
    }
    CHECK_RESULT(kith_system_add(
                     f.world, &(kith_system_def){.name = "walls",
                                                 .priority = 210,
                                                 .run = stop_at_walls,
                                                 .user = walls,
                                                 .parallel = true,
                                                 .no_commands = true,
                                                 .query.terms = KITH_TERMS(KITH_WRITE(Velocity),
                                                                           KITH_READ(Position))}),
                 KITH_OK);
    for (int i = 0; i < 16; i++) {
        game_tick(&f, 0.125f);
    }
    kith_query *stopped = KITH_QUERY(f.world, KITH_READ(Velocity));
    for (kith_iter it = kith_query_iter(stopped); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK_FLOAT(KITH_AT(&it, i, Velocity)->dx, 0);
        }
    }
    kith_query_free(stopped);
    kith_grid_free(walls);
    fixture_free(&f);
}
