/* What a call takes does not depend on how many others there are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crowd.h"
#include "work.h"

#define TRIES 6u

/* The least work of a few tries: what grows by doubling grows now and then. */
static uint64_t work_of(crowd *c, const crowd_call *call)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < TRIES; i++) {
        c->turn++;
        if (call->prepare != NULL) {
            call->prepare(c);
        }
        uint64_t before = work_done();
        call->act(c);
        uint64_t work = work_done() - before;
        least = work < least ? work : least;
        if (call->undo != NULL) {
            call->undo(c);
        }
    }
    return least;
}

static void look(const crowd_kind *kind, const crowd_call *calls, uint32_t count)
{
    crowd few = crowd_new(kind, kind->count);
    crowd many = crowd_new(kind, kind->count * 8);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t a = work_of(&few, &calls[i]);
        uint64_t b = work_of(&many, &calls[i]);
        if (b > a + a / 4 + 24) {
            printf("%-10s %-26s #%u %8llu %8llu\n", kind->name, calls[i].name, i,
                   (unsigned long long)a, (unsigned long long)b);
        }
    }
}

TEST_WITHIN(1000, others)
{
    for (uint32_t i = 0; i < crowd_kind_count; i++) {
        look(&crowd_kinds[i], crowd_calls_world, crowd_calls_world_count);
        look(&crowd_kinds[i], crowd_calls_beside, crowd_calls_beside_count);
    }
}
