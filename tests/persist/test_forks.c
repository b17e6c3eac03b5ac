/* Forks: worlds that go on from a snapshot, beside the world that it was taken of. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "rewound.h"
#include "test.h"

enum { STEPS = 24 };

/* Plays and notes the hash after each step. */
static void play(rewound *r, uint64_t *hashes)
{
    for (int i = 0; i < STEPS; i++) {
        hashes[i] = rewound_step(r);
    }
}

static void check_play(rewound *r, const uint64_t *hashes, int from, int end)
{
    for (int i = from; i < end; i++) {
        CHECK_UINT(rewound_step(r), hashes[i]);
    }
}

static kith_snapshot *take(const rewound *r)
{
    kith_snapshot *snapshot;
    CHECK_RESULT(kith_snapshot_take(r->world, &snapshot), KITH_OK);
    return snapshot;
}

static void begin(rewound *r, uint64_t seed, int steps)
{
    rewound_begin(r, seed);
    for (int i = 0; i < steps; i++) {
        rewound_step(r);
    }
    rewound_act(r); /* observers have not been told */
}

/* Systems, observers, events, resources, exact changes: all go on as they do in the world. */
TEST_WITHIN(60, a_fork_plays_as_its_world_does)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        rewound r, early, late;
        uint64_t hashes[STEPS];
        begin(&r, seed, (int)seed * 3);
        const uint64_t hash = kith_world_hash(r.world);
        const uint64_t content = kith_content_hash(r.world);
        kith_snapshot *snapshot = take(&r);
        CHECK_RESULT(rewound_fork(&early, &r, snapshot), KITH_OK);
        CHECK_WORLD(early.world);
        CHECK_UINT(kith_world_hash(early.world), hash);
        CHECK_UINT(kith_content_hash(early.world), content);
        play(&r, hashes);
        check_play(&early, hashes, 0, STEPS);
        CHECK_RESULT(rewound_fork(&late, &r, snapshot), KITH_OK);
        CHECK_UINT(kith_world_hash(late.world), hash);
        check_play(&late, hashes, 0, STEPS);
        CHECK_UINT(kith_world_hash(r.world), hashes[STEPS - 1]);
        CHECK_RESULT(kith_snapshot_restore(r.world, snapshot), KITH_OK);
        CHECK_UINT(kith_world_hash(r.world), hash);
        check_play(&r, hashes, 0, STEPS);
        CHECK_WORLD(r.world);
        rewound_end_fork(&early);
        rewound_end_fork(&late);
        rewound_end(&r);
    }
}
