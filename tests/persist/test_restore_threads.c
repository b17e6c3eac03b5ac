/* After a restore every later step gives the same bits as the first time, in worlds with all kinds of
 * state, with other numbers of workers. */
#include <kith/kith.h>
#include <stdio.h>

#include "random.h"
#include "rewound.h"

enum { BEFORE = 50, AFTER = 100 };

static char note[128];

/* Plays on, and compares with the hashes of the first time. */
static void play_again(rewound *r, const uint64_t *hashes, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        snprintf(note, sizeof(note), "seed %llu, tick %u of %u after the snapshot",
                 (unsigned long long)r->seed, i + 1, to);
        CHECK_UINT(rewound_step(r), hashes[i]);
    }
}

/* A snapshot before the first of `AFTER` ticks and one amid them, restored in any order. */
static void play_seed(uint64_t seed)
{
    rewound r;
    uint64_t hashes[AFTER];
    kith_snapshot *first;
    kith_snapshot *amid;
    rewound_begin(&r, seed);
    for (uint32_t i = 0; i < BEFORE; i++) {
        rewound_step(&r);
    }
    rewound_act(&r); /* leaves something to tell */
    CHECK_RESULT(kith_snapshot_take(r.world, &first), KITH_OK);
    uint64_t at_first = kith_world_hash(r.world);
    uint32_t middle = 1 + (uint32_t)(seed % (AFTER - 1));
    amid = NULL;
    for (uint32_t i = 0; i < AFTER; i++) {
        if (i == middle) {
            CHECK_RESULT(kith_snapshot_take(r.world, &amid), KITH_OK);
        }
        hashes[i] = rewound_step(&r);
    }
    rewound_set_workers(&r, 2);
    CHECK_RESULT(kith_snapshot_restore(r.world, first), KITH_OK);
    CHECK_WORLD(r.world);
    CHECK_UINT(kith_world_hash(r.world), at_first);
    play_again(&r, hashes, 0, AFTER);
    CHECK_RESULT(kith_snapshot_restore(r.world, amid), KITH_OK);
    CHECK_WORLD(r.world);
    rewound_set_workers(&r, 1);
    play_again(&r, hashes, middle, AFTER);
    CHECK_RESULT(kith_snapshot_restore(r.world, first), KITH_OK);
    CHECK_RESULT(kith_snapshot_restore(r.world, amid), KITH_OK);
    CHECK_RESULT(kith_snapshot_restore(r.world, first), KITH_OK);
    kith_snapshot_free(first);
    play_again(&r, hashes, 0, AFTER);
    rewound_end(&r);
}

TEST_WITHIN(30, random_worlds_play_again_as_they_did)
{
    test_note(note);
    uint64_t first = test_number("KITH_TEST_SEED", 1);
    uint64_t count = test_number("KITH_TEST_ROUNDS", test_long() ? 2000 : test_short() ? 3 : 16);
    for (uint64_t i = 0; i < count; i++) {
        play_seed(first + i);
    }
}
