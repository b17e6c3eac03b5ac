/* The part of the play that takes snapshots of all worlds and goes back to them, as the model does. What
 * the world does not hold goes back here: readers of events. Trackers, queries, indexes and live queries
 * stay where they are, and have to find their way. */
#include <stdlib.h>
#include <string.h>

#include "play.h"

/* What was there when a snapshot was taken. */
typedef struct play_moment {
    model m;
    play_system systems[PLAY_SYSTEMS];
    uint64_t readers[PLAY_TYPES];
    uint64_t world_readers[WORLD_COUNT][PLAY_TYPES];
    uint64_t content; /* hash */
} play_moment;

static kith_result act_take(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_snapshot_take(w->world, &w->snapshots[op->number]);
}

static kith_result expect_take(play *p, const operation *op, outcome *out)
{
    (void)out;
    play_moment *now = &p->asked.moments[op->number];
    now->m = model_copy(&p->m);
    model_forget_transients(&now->m);
    memcpy(now->systems, p->systems, sizeof(now->systems));
    memcpy(now->readers, p->readers, sizeof(now->readers));
    for (int world = 0; world < WORLD_COUNT; world++) {
        memcpy(now->world_readers[world], p->worlds[world].readers, sizeof(now->readers));
    }
    now->content = kith_content_hash(p->worlds[TWIN].world);
    p->snapshot_count++;
    return KITH_OK;
}

static kith_result act_restore(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_snapshot_restore(w->world, w->snapshots[op->number]);
}

/* The model and the readers of events are as they were. */
static void rewind_to(play *p, const play_moment *then)
{
    model_rewind(&p->m, &then->m);
    memcpy(p->readers, then->readers, sizeof(p->readers));
    for (int world = 0; world < WORLD_COUNT; world++) {
        memcpy(p->worlds[world].readers, then->world_readers[world], sizeof(p->readers));
    }
}

/* Systems that went do not come back, and those that came stay as they are. */
static kith_result expect_restore(play *p, const operation *op, outcome *out)
{
    (void)out;
    const play_moment *then = &p->asked.moments[op->number];
    rewind_to(p, then);
    for (uint32_t i = 0; i < PLAY_SYSTEMS; i++) {
        p->systems[i].enabled =
            then->systems[i].there ? then->systems[i].enabled : p->systems[i].enabled;
    }
    return KITH_OK;
}

/* All that knows of the worlds finds what a moment had. */
static void arrive(play *p, uint32_t number)
{
    play_rewind_observers(p);
    for (int world = 0; world < WORLD_COUNT; world++) {
        CHECK(kith_content_hash(p->worlds[world].world) == p->asked.moments[number].content);
        CHECK_WORLD(p->worlds[world].world);
    }
}

void play_restore(play *p, uint32_t number)
{
    play_end_stamps(p); /* they go back with their blocks */
    const operation op = {.name = "kith_snapshot_restore",
                          .number = number,
                          .act = act_restore,
                          .expect = expect_restore};
    play_attempt(p, &op);
    arrive(p, number);
}

/* The difference to a moment, for each world. */
static kith_result act_apply(played *w, const operation *op, outcome *out)
{
    (void)out;
    const kith_bytes *bytes = (const kith_bytes *)op->bytes + (w - w->p->worlds);
    return kith_diff_apply(w->world, bytes->data, bytes->size);
}

static kith_result act_load(played *w, const operation *op, outcome *out)
{
    (void)out;
    const kith_bytes *bytes = (const kith_bytes *)op->bytes + (w - w->p->worlds);
    return kith_world_load(w->world, bytes->data, bytes->size);
}

static kith_result expect_apply(play *p, const operation *op, outcome *out)
{
    (void)out;
    rewind_to(p, &p->asked.moments[op->number]);
    return KITH_OK;
}

void play_apply(play *p, uint32_t number, const kith_bytes *bytes, bool saved)
{
    play_end_stamps(p);
    const operation op = {.name = saved ? "kith_world_load" : "kith_diff_apply here",
                          .number = number,
                          .bytes = bytes,
                          .act = saved ? act_load : act_apply,
                          .expect = expect_apply};
    play_attempt(p, &op);
    arrive(p, number);
}

static void take(play *p, uint32_t number)
{
    const operation op = {
        .name = "kith_snapshot_take", .number = number, .act = act_take, .expect = expect_take};
    play_attempt(p, &op);
    CHECK_WORLD(p->worlds[SUBJECT].world);
}

static void end(play *p, uint32_t number)
{
    play_name(p, "kith_snapshot_free");
    for (int world = 0; world < WORLD_COUNT; world++) {
        kith_snapshot_free(p->worlds[world].snapshots[number]);
        p->worlds[world].snapshots[number] = NULL;
    }
    model_free(&p->asked.moments[number].m);
    p->snapshot_count--;
    CHECK_WORLD(p->worlds[SUBJECT].world);
}

/* Some changes of who is whose child and what is switched off, and back at once. */
static void go_and_return(play *p, uint32_t number)
{
    take(p, number);
    for (uint32_t steps = 1 + input_below(&p->in, 3); steps > 0; steps--) {
        input_chance(&p->in, 60) ? play_set_parent(p) : play_disabled(p);
    }
    play_look_disabled(p);
    play_restore(p, number);
    play_look_disabled(p);
    play_look_relations(p);
}

void play_snapshots(play *p)
{
    if (p->asked.moments == NULL) {
        p->asked.moments = calloc(PLAY_SNAPSHOTS, sizeof(*p->asked.moments));
        CHECK_PTR_NOT_NULL(p->asked.moments);
    }
    play_look_observers(p); /* so that a snapshot has nothing that is to be told */
    uint32_t number = input_below(&p->in, PLAY_SNAPSHOTS);
    bool ends = input_chance(&p->in, 40);
    const bool returns = p->links && input_chance(&p->in, 40);
    if (p->worlds[TWIN].snapshots[number] == NULL) {
        returns ? go_and_return(p, number) : take(p, number);
    } else if (ends) {
        end(p, number);
    } else {
        play_restore(p, number);
    }
}

const model *play_moment_model(const play *p, uint32_t number)
{
    return &p->asked.moments[number].m;
}

uint64_t play_moment_content(const play *p, uint32_t number)
{
    return p->asked.moments[number].content;
}

void play_end_snapshots(play *p)
{
    for (uint32_t i = 0; i < PLAY_SNAPSHOTS; i++) {
        if (p->worlds[TWIN].snapshots[i] != NULL) {
            end(p, i);
        }
    }
    free(p->asked.moments);
    p->asked.moments = NULL;
}
