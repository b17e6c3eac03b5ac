#include "timeline.h"

#include <stdlib.h>
#include <string.h>

#include "must.h"

enum { BYTES_MOST = 64, EVERY = 30 };

/* A tick that was played: what was before it, and what was done in it. */
typedef struct moment {
    kith_snapshot *before; /* every so many ticks; and where the timeline is going back right now */
    unsigned char input[BYTES_MOST];
    unsigned char own[BYTES_MOST];
} moment;

struct timeline {
    timeline_def def;
    uint64_t now;   /* ticks that were played, without those that it went back */
    uint64_t first; /* the earliest that it can go back to */
    bool went_back; /* there may be snapshots of each tick since the last one that is kept */
    uint32_t size;
    moment moments[]; /* the last `size` ones: a ring */
};

timeline *timeline_new(const timeline_def *def)
{
    if (def->input_size > BYTES_MOST || def->own_size > BYTES_MOST) {
        fail("timeline: an input of %lu bytes, and %lu of its own; at most %d of each",
             (unsigned long)def->input_size, (unsigned long)def->own_size, BYTES_MOST);
    }
    uint32_t size = def->ticks > 0 ? def->ticks + EVERY : 0;
    timeline *line = must_make(calloc(1, sizeof(*line) + size * sizeof(moment)));
    line->def = *def;
    line->size = size;
    return line;
}

static void drop(moment *m)
{
    kith_snapshot_free(m->before);
    m->before = NULL;
}

void timeline_free(timeline *line)
{
    for (uint32_t i = 0; line != NULL && i < line->size; i++) {
        drop(&line->moments[i]);
    }
    free(line);
}

static moment *moment_at(timeline *line, uint64_t tick)
{
    return &line->moments[tick % line->size];
}

static void keep(timeline *line, moment *m)
{
    drop(m);
    must(line->def.world, kith_snapshot_take(line->def.world, &m->before));
}

/* The snapshots that going back has made. */
static void drop_steps(timeline *line)
{
    uint64_t kept = line->now / EVERY * EVERY;
    for (uint64_t tick = kept + 1; line->went_back && tick < kept + EVERY; tick++) {
        drop(moment_at(line, tick));
    }
    line->went_back = false;
}

void timeline_play(timeline *line, const void *input)
{
    const timeline_def *def = &line->def;
    if (line->size > 0) {
        drop_steps(line);
        moment *now = moment_at(line, line->now);
        drop(now);
        if (line->now % EVERY == 0) {
            keep(line, now);
        }
        memcpy(now->input, input, def->input_size);
        memcpy(now->own, def->own, def->own_size);
        line->now++;
        if (line->now - line->first > def->ticks) {
            line->first = line->now - def->ticks;
        }
    }
    def->play(input, def->context);
}

/* Plays from the last snapshot up to `tick`, and keeps a snapshot of each one on the way. */
static void fill(timeline *line, uint64_t tick)
{
    uint64_t from = tick / EVERY * EVERY;
    must(line->def.world, kith_snapshot_restore(line->def.world, moment_at(line, from)->before));
    for (; from < tick; from++) {
        line->def.play(moment_at(line, from)->input, line->def.context);
        keep(line, moment_at(line, from + 1));
    }
}

bool timeline_back(timeline *line)
{
    if (line->now == line->first) {
        return false;
    }
    const uint64_t before = line->now - 1;
    moment *to = moment_at(line, before);
    if (to->before == NULL) {
        fill(line, before);
    } else {
        must(line->def.world, kith_snapshot_restore(line->def.world, to->before));
    }
    drop(moment_at(line, line->now)); /* what was before a tick that is gone now */
    memcpy(line->def.own, to->own, line->def.own_size);
    line->now = before;
    line->went_back = true;
    return true;
}

uint32_t timeline_length(const timeline *line)
{
    return (uint32_t)(line->now - line->first);
}
