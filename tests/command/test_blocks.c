/* Applying commands in worlds of several blocks, which are shared: what was shared stays as it was,
 * what changed is stamped, whichever allocation fails. */
#include <stdio.h>

#include "components.h"
#include "random.h"
#include "share.h"
#include "stamps.h"
#include "test.h"

enum { ROWS = 2500 };

typedef struct blocks {
    fixture f;
    kith_world *world;
    kith_entity e[ROWS];
    uint64_t random;
} blocks;

static blocks *blocks_new(kith_layout layout, uint64_t seed)
{
    static blocks b;
    b.f = fixture_with_all(layout);
    b.world = b.f.world;
    b.random = seed;
    for (uint32_t i = 0; i < ROWS; i++) {
        b.e[i] = KITH_SPAWN(b.world, KITH_VALUE(Position, {(float)i, 1}),
                            KITH_VALUE(Velocity, {1, (float)i}));
        if (seed != 0 && (i / 900 == 1 || i % 600 == 0)) { /* large groups, and small ones */
            CHECK_RESULT(KITH_SET(b.world, b.e[i], Health, {(int32_t)i, 5}), KITH_OK);
        }
    }
    return &b;
}

enum { KINDS = 9 };

/* Something for one entity. */
static void queue_kind(blocks *b, kith_commands *commands, uint32_t kind, uint32_t i)
{
    switch (kind) {
    case 0: kith_commands_despawn(commands, b->e[i]); break;
    case 1: KITH_SET(commands, b->e[i], Extra, {1, 2, 3}); break;
    case 2: KITH_REMOVE(commands, b->e[i], Velocity); break;
    case 3: kith_commands_remove_all(commands, b->e[i]); break;
    case 4: KITH_SET(commands, b->e[i], Position, {9, 9}); break;
    case 5:
        KITH_REMOVE(commands, b->e[i], Velocity);
        KITH_SET(commands, b->e[i], Position, {7, 7});
        break;
    case 6: KITH_SPAWN(commands, KITH_VALUE(Position, {6, 6}), KITH_VALUE(Frozen)); break;
    case 7: KITH_ADD(commands, b->e[ROWS - 1 - i], Frozen); break;
    default: KITH_SET(commands, kith_commands_clone(commands, b->e[i]), Position, {8, 8});
    }
}

/* Something for a few entities, or for all from one on; the same for the same seed. */
static void queue_some(blocks *b, kith_commands *commands)
{
    uint32_t kind = random_below(&b->random, KINDS);
    uint32_t first = random_below(&b->random, ROWS);
    uint32_t count = random_below(&b->random, 3) == 0 ? ROWS - first : 1 + first % 7;
    for (uint32_t i = first; i < ROWS && i < first + count; i++) {
        queue_kind(b, commands, kind, i);
    }
}

/* Returns whether an allocation failed. */
static bool try_one(kith_layout layout, uint64_t seed, size_t nth)
{
    blocks *b = blocks_new(layout, seed);
    kith_commands *commands = kith_commands_new(b->world, NULL);
    for (uint32_t i = 1 + random_below(&b->random, 4); i > 0; i--) {
        queue_some(b, commands);
    }
    test_share *shared = test_share_world(b->world);
    test_stamps *stamps = test_stamps_take(b->world);
    uint64_t hash = kith_world_hash(b->world);
    fail_from(&b->f, nth);
    kith_result result = kith_commands_apply(commands, NULL);
    bool reached = fail_nothing(&b->f);
    CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
    CHECK(!reached || kith_world_hash(b->world) == hash);
    CHECK_WORLD(b->world);
    test_share_check(shared);
    test_stamps_check(stamps);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_WORLD(b->world);
    test_stamps_free(stamps);
    test_share_free(shared);
    fixture_free(&b->f);
    return reached;
}

TEST_EACH_LAYOUT_WITHIN(20, what_is_shared_stays, layout)
{
    static char note[64];
    test_note(note);
    for (uint64_t seed = 1; seed <= (test_long() ? 400 : 12); seed++) {
        uint64_t random = seed;
        size_t nth = 1;
        do {
            snprintf(note, sizeof(note), "seed %u, allocation %zu", (unsigned)seed, nth);
        } while (try_one(layout, seed, nth) && (nth += 1 + random_below(&random, 4)) != 0);
    }
    test_note(NULL);
}

/* All rows of a table get the same at once, so that each of their blocks must be made ready. */
TEST_EACH_LAYOUT_WITHIN(20, what_is_shared_stays_when_all_change, layout)
{
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        for (uint32_t first = 0; first < 2; first++) {
            blocks *b = blocks_new(layout, 0);
            kith_commands *commands = kith_commands_new(b->world, NULL);
            for (uint32_t i = first * 500; i < ROWS; i++) {
                queue_kind(b, commands, kind, i);
            }
            test_share *shared = test_share_world(b->world);
            test_stamps *stamps = test_stamps_take(b->world);
            CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
            CHECK_WORLD(b->world);
            test_stamps_free(stamps);
            test_share_free(shared);
            fixture_free(&b->f);
        }
    }
}
