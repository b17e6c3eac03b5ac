/* The arena's bosses, in the game itself without its screen: turrets that hang on a boss, and what
 * becomes of them. */
#include <kith/floats.h>

#include "arena/world.h"
#include "test.h"

#include <kith/fork.h>
#include <kith/hierarchy.h>
#include <kith/schedule.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

static bool is_near(float found, double expected, double error)
{
    return fabs((double)found - expected) < error;
}

static void begin(arena_world *arena, uint32_t wave, uint32_t workers)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/examples/arena/cavern.kith", getenv("KITH_SOURCE"));
    arena_open(arena, &(arena_def){.level = path, .seed = 5, .wave = wave, .workers = workers});
}

static void play(const arena_world *arena, uint32_t steps)
{
    for (uint32_t i = 0; i < steps; i++) {
        const Input input = {.keys = i / 20 % 2 == 0 ? INPUT_LEFT : INPUT_RIGHT | INPUT_UP};
        arena_step(arena, &input);
        CHECK_WORLD(arena->world);
    }
}

static kith_entity find_boss(const arena_world *arena)
{
    kith_entity e = KITH_NONE;
    while (!kith_is_none(e = kith_entity_next(arena->world, e)) &&
           !KITH_HAS(arena->world, e, Boss)) {
    }
    return e;
}

/* Begins with a wave that has a boss, which comes after two seconds. */
static kith_entity begin_with_boss(arena_world *arena, uint32_t wave)
{
    begin(arena, wave, 0);
    play(arena, 66);
    const kith_entity boss = find_boss(arena);
    CHECK(!kith_is_none(boss));
    return boss;
}

static uint32_t find_turrets(const arena_world *arena, kith_entity boss, kith_entity found[MOST])
{
    uint32_t count = 0;
    for (kith_entity e = kith_descendant_next(arena->world, boss, boss);
         !kith_is_none(e) && count < MOST; e = kith_descendant_next(arena->world, boss, e)) {
        CHECK(KITH_HAS(arena->world, e, Turret));
        found[count++] = e;
    }
    return count;
}

static void kill(const arena_world *arena, kith_entity entity)
{
    const Position *at = KITH_GET(arena->world, entity, Position);
    CHECK_RESULT(KITH_SEND(arena->world, Death, {.entity = entity, .x = at->x, .y = at->y}),
                 KITH_OK);
    play(arena, 1);
}

static uint32_t count_bosses(uint32_t wave, const char *name)
{
    arena_world arena;
    begin(&arena, wave, 0);
    play(&arena, 62);
    uint32_t count = 0;
    for (kith_entity e = KITH_NONE; !kith_is_none(e = kith_entity_next(arena.world, e));) {
        const Boss *boss = KITH_GET(arena.world, e, Boss);
        count += boss != NULL && strcmp(boss->name, name) == 0;
    }
    CHECK_UINT(KITH_RESOURCE(arena.world, Game)->wave, wave);
    arena_close(&arena);
    return count;
}

TEST_WITHIN(20, every_third_wave_has_a_boss)
{
    static const uint32_t krakens[] = {0, 0, 1, 0, 0, 0, 0, 0, 0};
    static const uint32_t leviathans[] = {0, 0, 0, 0, 0, 1, 0, 0, 1};
    for (uint32_t i = 0; i < 9; i++) {
        CHECK_UINT(count_bosses(i + 1, "Kraken"), krakens[i]);
        CHECK_UINT(count_bosses(i + 1, "Leviathan"), leviathans[i]);
    }
}

/* The boss flies and turns, and each turret is a step later where its arm has it then. */
TEST_WITHIN(20, turrets_follow_their_boss)
{
    arena_world arena;
    kith_entity turrets[MOST];
    const kith_entity boss = begin_with_boss(&arena, 3);
    CHECK_UINT(find_turrets(&arena, boss, turrets), 4);
    float angle_before = KITH_GET(arena.world, boss, Local2)->angle;
    const Position first = *KITH_GET(arena.world, turrets[0], Position);
    for (int step = 0; step < 60; step++) {
        Position before[4];
        for (uint32_t i = 0; i < 4; i++) {
            before[i] = *KITH_GET(arena.world, turrets[i], Position);
        }
        play(&arena, 1);
        const Position hub = *KITH_GET(arena.world, boss, Position);
        const float angle = KITH_GET(arena.world, boss, Local2)->angle;
        CHECK(is_near(angle, (double)angle_before + 0.6 / STEPS_PER_SECOND, 1e-5));
        angle_before = angle;
        for (uint32_t i = 0; i < 4; i++) {
            const Position at = *KITH_GET(arena.world, turrets[i], Position);
            const Velocity velocity = *KITH_GET(arena.world, turrets[i], Velocity);
            const double arm = (double)angle + i * 1.5707963267948966;
            CHECK(is_near(at.x, (double)hub.x + 4.4 * cos(arm), 1e-4));
            CHECK(is_near(at.y, (double)hub.y + 4.4 * sin(arm), 1e-4));
            /* What the view goes by between two steps. */
            CHECK(is_near(at.x - velocity.dx / STEPS_PER_SECOND, (double)before[i].x, 1e-3));
            CHECK(is_near(at.y - velocity.dy / STEPS_PER_SECOND, (double)before[i].y, 1e-3));
        }
    }
    const Position last = *KITH_GET(arena.world, turrets[0], Position);
    CHECK(fabsf(last.x - first.x) + fabsf(last.y - first.y) > 1);
    arena_close(&arena);
}

TEST(a_turret_ends_alone_and_a_boss_with_its_turrets)
{
    arena_world arena;
    kith_entity turrets[MOST];
    const kith_entity boss = begin_with_boss(&arena, 3);
    CHECK_UINT(find_turrets(&arena, boss, turrets), 4);
    const uint32_t enemies = KITH_RESOURCE(arena.world, Game)->enemies;
    const uint32_t score = KITH_RESOURCE(arena.world, Game)->score;

    kill(&arena, turrets[1]);
    CHECK(!kith_alive(arena.world, turrets[1]));
    CHECK(kith_alive(arena.world, boss));
    CHECK_UINT(kith_child_count(arena.world, boss), 3);
    CHECK_UINT(KITH_RESOURCE(arena.world, Game)->score, score + 25);
    CHECK_UINT(KITH_RESOURCE(arena.world, Game)->enemies, enemies);

    kill(&arena, boss);
    CHECK(!kith_alive(arena.world, boss));
    for (uint32_t i = 0; i < 4; i++) {
        CHECK(!kith_alive(arena.world, turrets[i]));
    }
    CHECK_UINT(KITH_RESOURCE(arena.world, Game)->score, score + 525);
    CHECK_UINT(KITH_RESOURCE(arena.world, Game)->enemies, enemies - 1);
    arena_close(&arena);
}

/* Both in one step, in either order. */
TEST(a_turret_and_its_boss_end_at_once)
{
    for (int order = 0; order < 2; order++) {
        arena_world arena;
        kith_entity turrets[MOST];
        const kith_entity boss = begin_with_boss(&arena, 3);
        find_turrets(&arena, boss, turrets);
        const kith_entity first = order == 0 ? boss : turrets[2];
        CHECK_RESULT(KITH_SEND(arena.world, Death, {.entity = first}), KITH_OK);
        kill(&arena, order == 0 ? turrets[2] : boss);
        CHECK(kith_is_none(find_boss(&arena)));
        CHECK(!kith_alive(arena.world, turrets[0]) && !kith_alive(arena.world, turrets[2]));
        arena_close(&arena);
    }
}

/* The second boss is the first one with some parts changed by their paths, and two that are new. */
TEST(the_leviathan_has_turrets_on_turrets)
{
    arena_world arena;
    kith_entity turrets[MOST];
    const kith_entity boss = begin_with_boss(&arena, 6);
    CHECK_UINT(find_turrets(&arena, boss, turrets), 6);
    CHECK_UINT(kith_child_count(arena.world, boss), 4);
    const kith_entity east = kith_child_first(arena.world, boss);
    const kith_entity tip = kith_child_first(arena.world, east);
    CHECK_STR(KITH_GET(arena.world, east, Gun)->shot, "bomb");
    CHECK_INT(KITH_GET(arena.world, east, Health)->max, 120);
    CHECK_STR(KITH_GET(arena.world, tip, Gun)->shot, "bolt");
    for (int step = 0; step < 30; step++) {
        play(&arena, 1);
        const Global2 *arm = KITH_GET(arena.world, east, Global2);
        const kith_vec2 end = kith_transform2_point(*arm, 2.8f, 0);
        CHECK(is_near(KITH_GET(arena.world, tip, Position)->x, (double)end.x, 1e-4));
        CHECK(is_near(KITH_GET(arena.world, tip, Position)->y, (double)end.y, 1e-4));
    }
    kill(&arena, east);
    CHECK(!kith_alive(arena.world, tip));
    CHECK_UINT(find_turrets(&arena, boss, turrets), 4);
    arena_close(&arena);
}

/* Nobody has told them to: turrets turn to the player, and shoot when they point at it. */
TEST_WITHIN(20, turrets_shoot_on_their_own)
{
    arena_world arena;
    kith_entity turrets[MOST];
    const kith_entity boss = begin_with_boss(&arena, 3);
    find_turrets(&arena, boss, turrets);
    uint32_t fired[4] = {0};
    const Position far = {0, 0};
    for (int step = 0; step < 300; step++) {
        /* A boss without a gun, held near the player. */
        const Target target = *KITH_RESOURCE(arena.world, Target);
        CHECK_RESULT(KITH_SET(arena.world, boss, Position, {target.x + 9, target.y}), KITH_OK);
        play(&arena, 1);
        for (uint32_t i = 0; i < 4; i++) {
            const Gun *gun = KITH_GET(arena.world, turrets[i], Gun);
            const Aim *aim = KITH_GET(arena.world, turrets[i], Aim);
            const Position *at = gun == NULL ? &far : KITH_GET(arena.world, turrets[i], Position);
            if (gun != NULL && gun->wait == gun->every) {
                const float dx = target.x - at->x, dy = target.y - at->y;
                fired[i]++;
                CHECK(aim->x * dx + aim->y * dy > 0.9f * sqrtf(dx * dx + dy * dy));
            }
        }
    }
    CHECK(fired[0] + fired[1] + fired[2] + fired[3] > 12);
    arena_close(&arena);
}

static uint64_t hash_after(uint32_t wave, uint32_t workers, uint32_t steps)
{
    arena_world arena;
    begin(&arena, wave, workers);
    play(&arena, steps);
    const uint64_t hash = kith_world_hash(arena.world);
    arena_close(&arena);
    return hash;
}

TEST_WITHIN(30, any_number_of_workers_plays_the_same_boss)
{
    for (uint32_t wave = 3; wave <= 6; wave += 3) {
        const uint64_t hash = hash_after(wave, 0, 200);
        CHECK(hash_after(wave, 1, 200) == hash);
        CHECK(hash_after(wave, 3, 200) == hash);
    }
}

/* A turret that was shot off is there again after the way back; a fork loses it in its own time. */
TEST_WITHIN(30, bosses_go_back_in_time_and_into_forks)
{
    arena_world arena;
    kith_entity turrets[MOST];
    const kith_entity boss = begin_with_boss(&arena, 6);
    find_turrets(&arena, boss, turrets);
    kith_snapshot *now;
    CHECK_RESULT(kith_snapshot_take(arena.world, &now), KITH_OK);
    const uint64_t before = kith_world_hash(arena.world);
    arena_world fork;
    arena_fork(&fork, &arena, now);
    for (int side = 0; side < 2; side++) {
        const arena_world *one = side == 0 ? &arena : &fork;
        kill(one, turrets[0]);
        play(one, 40);
        kill(one, boss);
        play(one, 20);
        CHECK(!kith_alive(one->world, turrets[3]));
    }
    const uint64_t after = kith_world_hash(arena.world);
    CHECK(kith_world_hash(fork.world) == after);
    arena_end_fork(&fork);

    CHECK_RESULT(kith_snapshot_restore(arena.world, now), KITH_OK);
    CHECK(kith_world_hash(arena.world) == before);
    CHECK_UINT(kith_child_count(arena.world, boss), 4);
    kill(&arena, turrets[0]);
    play(&arena, 40);
    kill(&arena, boss);
    play(&arena, 20);
    CHECK(kith_world_hash(arena.world) == after);
    kith_snapshot_free(now);
    arena_close(&arena);
}
