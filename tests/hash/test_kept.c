/* Hashes that blocks keep while a snapshot shares them: a world that takes snapshots has the hash of one
 * that takes none, after each step. */
#include <kith/kith.h>

#include "components.h"
#include "random.h"
#include "test.h"

enum { ROWS = 2500, STEPS = 120 };

/* Two worlds in which the same happens. */
typedef struct twins {
    fixture plain, shared;
    kith_snapshot *snapshots[3]; /* of the second */
    kith_entity entities[ROWS];
    uint64_t random;
} twins;

static void compare(const twins *t)
{
    CHECK_UINT(kith_world_hash(t->shared.world), kith_world_hash(t->plain.world));
    CHECK_WORLD(t->shared.world);
    CHECK_UINT(kith_world_hash(t->shared.world), kith_world_hash(t->plain.world));
}

static void snapshot(twins *t)
{
    kith_snapshot **place = &t->snapshots[random_below(&t->random, 3)];
    kith_snapshot_free(*place);
    *place = NULL;
    if (random_below(&t->random, 4) != 0) {
        CHECK_RESULT(kith_snapshot_take(t->shared.world, place), KITH_OK);
    }
}

static void change(kith_world *world, uint32_t choice, kith_entity e)
{
    switch (choice) {
    case 0: kith_despawn(world, e); break;
    case 1: KITH_REMOVE(world, e, Velocity); break;
    case 2: KITH_ADD(world, e, Velocity); break;
    case 3: KITH_SET(world, e, Position, {3, 4}); break;
    case 4: KITH_SPAWN(world, KITH_VALUE(Position, {5, 6}), KITH_VALUE(Velocity, {7, 8})); break;
    case 5: KITH_REMOVE(world, e, Frozen); break;
    default: break;
    }
}

static void step(twins *t)
{
    const uint32_t choice = random_below(&t->random, 8);
    const uint32_t which = random_below(&t->random, 3);
    const kith_entity e = which == 0   ? t->entities[ROWS - 1 - random_below(&t->random, 5)]
                          : which == 1 ? t->entities[random_below(&t->random, 5)]
                                       : t->entities[random_below(&t->random, ROWS)];
    if (choice == 7) {
        snapshot(t);
    }
    change(t->plain.world, choice, e);
    change(t->shared.world, choice, e);
    compare(t);
}

TEST_EACH_LAYOUT_WITHIN(30, a_world_with_snapshots_has_the_same_hash, layout)
{
    static twins t;
    t = (twins){.plain = fixture_with_all(layout), .shared = fixture_with_all(layout), .random = 7};
    kith_world *const worlds[] = {t.plain.world, t.shared.world};
    for (uint32_t w = 0; w < 2; w++) {
        for (uint32_t i = 0; i < ROWS; i++) {
            t.entities[i] = KITH_SPAWN(worlds[w], KITH_VALUE(Position, {(float)i, 1}),
                                       KITH_VALUE(Velocity, {2, (float)i}), KITH_VALUE(Frozen));
        }
    }
    /* What leaves its last row, or its bit, writes no value. */
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_RESULT(kith_snapshot_take(t.shared.world, &t.snapshots[i]), KITH_OK);
        compare(&t);
        for (uint32_t w = 0; w < 2; w++) {
            change(worlds[w], i, t.entities[ROWS - 1]);
        }
        compare(&t);
    }
    for (int i = 0; i < STEPS; i++) {
        step(&t);
    }
    fixture_free(&t.plain);
    fixture_free(&t.shared);
}

/* Going back to any snapshot brings its hash back, whatever was hashed in between. */
TEST_EACH_LAYOUT(what_is_restored_has_the_hash_that_it_had, layout)
{
    fixture f = fixture_with_all(layout);
    for (uint32_t i = 0; i < ROWS; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 1}));
    }
    kith_snapshot *snapshots[4];
    uint64_t hashes[4];
    for (uint32_t i = 0; i < 4; i++) {
        KITH_SET(f.world, kith_entity_next(f.world, KITH_NONE), Position, {(float)i, 2});
        CHECK_RESULT(kith_snapshot_take(f.world, &snapshots[i]), KITH_OK);
        hashes[i] = kith_world_hash(f.world);
        CHECK(i == 0 || hashes[i] != hashes[i - 1]);
    }
    for (uint32_t i = 0; i < 12; i++) {
        CHECK_RESULT(kith_snapshot_restore(f.world, snapshots[i * 3 % 4]), KITH_OK);
        CHECK_UINT(kith_world_hash(f.world), hashes[i * 3 % 4]);
        CHECK_WORLD(f.world);
        KITH_SET(f.world, kith_entity_next(f.world, KITH_NONE), Position, {9, (float)i});
        CHECK(kith_world_hash(f.world) != hashes[i * 3 % 4]);
    }
    fixture_free(&f);
}
