#include "rollback.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"

enum { INPUT_MOST = 64 };

/* A tick that was played. */
typedef struct moment {
    kith_snapshot *before;
    unsigned char input[INPUT_MOST];
    uint64_t hash; /* after it */
} moment;

struct rollback {
    rollback_def def;
    uint64_t played;
    moment moments[]; /* the last ones: a ring */
};

rollback *rollback_new(const rollback_def *def)
{
    if (def->input_size > INPUT_MOST) {
        fail("rollback: an input of %lu bytes; at most %d", (unsigned long)def->input_size,
             INPUT_MOST);
    }
    rollback *back = must_make(calloc(1, sizeof(*back) + def->ticks * sizeof(moment)));
    back->def = *def;
    return back;
}

void rollback_free(rollback *back)
{
    for (uint32_t i = 0; back != NULL && i < back->def.ticks; i++) {
        kith_snapshot_free(back->moments[i].before);
    }
    free(back);
}

static moment *moment_at(rollback *back, uint64_t tick)
{
    return &back->moments[tick % back->def.ticks];
}

static void play_first(rollback *back, const void *input)
{
    moment *now = moment_at(back, back->played++);
    kith_snapshot_free(now->before);
    now->before = NULL;
    must(back->def.world, kith_snapshot_take(back->def.world, &now->before));
    if (back->def.input_size > 0) {
        memcpy(now->input, input, back->def.input_size);
    }
    back->def.play(now->input, back->def.context);
    now->hash = kith_world_hash(back->def.world);
}

static void set_workers(rollback *back, uint32_t workers)
{
    must(back->def.world,
         kith_workers_set(back->def.world, &(kith_workers_def){.threads = workers + 1}));
}

static void play_again(rollback *back)
{
    uint64_t first = back->played - back->def.ticks;
    set_workers(back, (uint32_t)(back->played % 4));
    must(back->def.world, kith_snapshot_restore(back->def.world, moment_at(back, first)->before));
    for (uint64_t tick = first; tick < back->played; tick++) {
        const moment *then = moment_at(back, tick);
        back->def.play(then->input, back->def.context);
        if (kith_world_hash(back->def.world) != then->hash) {
            fail("tick %" PRIu64 ", played again from %" PRIu64 " on, came to another hash",
                 tick + 1, first + 1);
        }
    }
    set_workers(back, back->def.workers);
}

void rollback_play(rollback *back, const void *input)
{
    if (back->def.ticks == 0) {
        back->def.play(input, back->def.context);
        return;
    }
    play_first(back, input);
    if (back->played >= back->def.ticks) {
        play_again(back);
    }
}
