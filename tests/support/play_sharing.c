/* The part of the play that shares SUBJECT's blocks, as a snapshot would, and looks later whether
 * what was shared is still what it was; and that looks, as an index would, whether what changed was
 * stamped. */
#include <stdlib.h>
#include <string.h>

#include "play.h"
#include "share.h"
#include "stamps.h"

static void share(play *p)
{
    if (!p->sharing || p->share_count == PLAY_SHARES) {
        return;
    }
    play_name(p, "share");
    kith_world *world = p->worlds[SUBJECT].world;
    uint64_t hash = kith_world_hash(world);
    bool fail = play_wants_failure(p);
    if (fail) {
        play_fail_some(p);
    }
    test_share *shared = test_share_world(world);
    bool reached = fail && fail_nothing(&p->worlds[SUBJECT].f);
    CHECK(shared != NULL || reached);
    CHECK(kith_world_hash(world) == hash);
    CHECK_WORLD(world);
    if (shared != NULL) {
        p->shares[p->share_count++] = shared;
    }
}

static void end_share(play *p, uint32_t number)
{
    play_name(p, "end of share");
    test_share_free(p->shares[number]);
    p->shares[number] = p->shares[--p->share_count];
    CHECK_WORLD(p->worlds[SUBJECT].world);
}

/* Remembers the rows, or compares them with what was remembered. */
static void look_at_stamps(play *p)
{
    play_name(p, "look at stamps");
    if (p->asked.stamps == NULL) {
        p->asked.stamps = test_stamps_take(p->worlds[SUBJECT].world);
        return;
    }
    test_stamps_free(p->asked.stamps);
    p->asked.stamps = NULL;
}

void play_end_stamps(play *p)
{
    if (p->asked.stamps != NULL) {
        look_at_stamps(p);
    }
}

void play_end_sharing(play *p)
{
    play_end_stamps(p);
    while (p->share_count > 0) {
        end_share(p, 0);
    }
}

void play_sharing(play *p, uint32_t choice)
{
    switch (choice) {
    case 0:
    case 1: share(p); break;
    case 2:
        if (p->share_count > 0) {
            end_share(p, input_below(&p->in, p->share_count));
        }
        break;
    case 3:
    case 4: look_at_stamps(p); break;
    default:
        play_name(p, "look at share");
        if (p->share_count > 0) {
            test_share_check(p->shares[input_below(&p->in, p->share_count)]);
        }
        break;
    }
}
