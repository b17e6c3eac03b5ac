/* Transforms with workers: the same bits for any number of them, whether few or many moved. */
#include <kith/fork.h>
#include <kith/snapshot.h>

#include "naive.h"
#include "random.h"

enum { TICKS = 10 };

typedef struct forest {
    fixture f;
    kith_entity *entities;
    uint32_t count;
    uint64_t random;
} forest;

static uint32_t forest_count(void)
{
    return test_short() ? 5000 : 9000;
}

static float some_number(forest *t)
{
    return (float)random_below(&t->random, 17) / 4 - 2;
}

static kith_entity some_entity(forest *t)
{
    return t->entities[random_below(&t->random, t->count)];
}

static void change_local(forest *t, kith_entity e)
{
    const float x = some_number(t), angle = some_number(t);
    if (kith_entity_slot(e) % 4 != 0) {
        CHECK_RESULT(KITH_SET(t->f.world, e, Local2, {.x = x, .angle = angle}), KITH_OK);
    } else {
        const Local3 local = {.position = {x, 1, 2}, .rotation = {angle, 0, 0, 1}};
        CHECK_RESULT(KITH_SET(t->f.world, e, Local3, local), KITH_OK);
    }
}

/* Trees of all widths: chains, and parents of many. Some have no Local, others two. */
static forest forest_new(kith_layout layout, uint32_t workers, kith_entity *room)
{
    forest t = {.f = game_new(layout, KITH_GAME_TRANSFORMS),
                .entities = room,
                .count = forest_count(),
                .random = 11};
    CHECK_RESULT(kith_workers_set(t.f.world, &(kith_workers_def){.threads = workers + 1}),
                 KITH_OK);
    for (uint32_t i = 0; i < t.count; i++) {
        t.entities[i] = kith_spawn_empty(t.f.world);
        if (i % 50 != 7) {
            change_local(&t, t.entities[i]);
        }
        if (i % 9 == 0) {
            CHECK_RESULT(KITH_SET(t.f.world, t.entities[i], Local2, {.y = 1}), KITH_OK);
        }
    }
    for (uint32_t i = 1; i < t.count; i++) {
        const uint32_t child = i * 7 % t.count; /* in another order than they were made */
        const uint32_t before = i < 40 ? i - 1 : random_below(&t.random, i) / 8;
        CHECK_RESULT(kith_set_parent(t.f.world, t.entities[child],
                                     t.entities[before * 7 % t.count]),
                     KITH_OK);
    }
    return t;
}

/* Something happens to one of them; a parent that would be a circle is none. */
static void happen(forest *t)
{
    kith_world *world = t->f.world;
    const kith_entity e = some_entity(t);
    switch (random_below(&t->random, 8)) {
    case 0: kith_set_parent(world, e, some_entity(t)); break;
    case 1: kith_set_parent(world, e, KITH_NONE); break;
    case 2: KITH_REMOVE(world, e, Local2); break; /* it keeps its Global */
    case 3: KITH_ADD(world, e, kith_disabled); break;
    case 4:
        if (KITH_HAS(world, e, Global2)) {
            KITH_GET_MUT(world, e, Global2)->x = 77;
        }
        break;
    case 5: kith_despawn(world, t->entities[t->count - 1 - random_below(&t->random, 40)]); break;
    default: change_local(t, e); break;
    }
    for (uint32_t i = 0; i < t->count; i++) {
        if (!kith_alive(world, t->entities[i])) {
            t->entities[i] = kith_spawn_empty(world);
            change_local(t, t->entities[i]);
        }
    }
}

static void turn_many(forest *t)
{
    for (uint32_t i = 0; i < t->count; i++) {
        if (random_below(&t->random, 4) == 0) {
            change_local(t, t->entities[i]);
        }
    }
}

/* The hashes after each of some ticks. */
static void play(kith_layout layout, uint32_t workers, uint64_t hashes[TICKS])
{
    static kith_entity room[10000];
    forest t = forest_new(layout, workers, room);
    kith_snapshot *snapshot = NULL;
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        if (tick % 4 == 2) { /* blocks are shared */
            CHECK_RESULT(kith_snapshot_take(t.f.world, &snapshot), KITH_OK);
        }
        if (tick % 2 == 0) {
            turn_many(&t);
        }
        for (int i = 0; i < 8; i++) {
            happen(&t);
        }
        game_tick(&t.f, 1);
        check_all(t.f.world);
        hashes[tick] = kith_world_hash(t.f.world);
        if (tick % 4 == 3) {
            kith_snapshot_free(snapshot);
            snapshot = NULL;
        }
    }
    kith_snapshot_free(snapshot);
    fixture_free(&t.f);
}

TEST_EACH_LAYOUT_WITHIN(60, globals_are_the_same_for_any_number_of_workers, layout)
{
    uint64_t alone[TICKS], hashes[TICKS];
    play(layout, 0, alone);
    for (uint32_t workers = 1; workers <= 3; workers += 2) {
        play(layout, workers, hashes);
        for (int tick = 0; tick < TICKS; tick++) {
            CHECK_UINT(hashes[tick], alone[tick]);
        }
    }
}

static kith_result set_up_fork(kith_world *fork, void *context)
{
    (void)context;
    return kith_game_add_systems(fork, KITH_GAME_TRANSFORMS);
}

/* A fork has no workers, and comes to the same. */
TEST_EACH_LAYOUT_WITHIN(20, forks_come_to_the_same_without_workers, layout)
{
    static kith_entity room[10000];
    forest t = forest_new(layout, 3, room);
    game_tick(&t.f, 1);
    turn_many(&t);
    kith_snapshot *snapshot;
    CHECK_RESULT(kith_snapshot_take(t.f.world, &snapshot), KITH_OK);
    kith_world *fork;
    CHECK_RESULT(kith_fork_new(snapshot, &(kith_fork_def){.set_up = set_up_fork}, &fork), KITH_OK);
    CHECK_RESULT(kith_run(fork, 1), KITH_OK);
    game_tick(&t.f, 1);
    CHECK(kith_world_hash(fork) == kith_world_hash(t.f.world));
    kith_world_free(fork);
    kith_snapshot_free(snapshot);
    fixture_free(&t.f);
}

/* Memory runs out somewhere on the way. In the next tick all is right. */
TEST_EACH_LAYOUT_WITHIN(60, a_sweep_that_fails_is_made_up_for, layout)
{
    static kith_entity room[10000];
    forest t = forest_new(layout, 2, room);
    game_tick(&t.f, 1);
    bool reached = true;
    uint32_t failed = 0;
    for (size_t nth = 1; reached; nth += 1 + nth / 4) {
        turn_many(&t);
        kith_snapshot *snapshot; /* so that writing takes memory */
        CHECK_RESULT(kith_snapshot_take(t.f.world, &snapshot), KITH_OK);
        fail_from(&t.f, nth);
        const kith_result result = kith_run(t.f.world, 1);
        reached = fail_nothing(&t.f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        failed += reached;
        CHECK_WORLD(t.f.world);
        game_tick(&t.f, 1);
        check_all(t.f.world);
        kith_snapshot_free(snapshot);
    }
    CHECK(failed > 4);
    fixture_free(&t.f);
}
