/* A component, or a tag, added to each of n entities, then removed from each; per pair. */
#include <stdlib.h>

#include "hand.h"

typedef struct change_state {
    kith_world *world;
    hand_world *hand;
    kith_entity *handles;
} change_state;

static change_state *change_open(uint32_t n)
{
    change_state *state = bench_take(sizeof *state);
    *state = (change_state){.handles = bench_take(n * sizeof *state->handles)};
    for (uint32_t i = 0; i < n; i++) {
        state->handles[i] = (kith_entity){i + 1, 0}; /* as all sides hand them out */
    }
    return state;
}

static void *open_world(uint32_t n, kith_layout layout)
{
    change_state *state = change_open(n);
    state->world = bench_filled_world(layout, n, state->handles);
    return state;
}

static void *open_hand(uint32_t n, kith_layout layout)
{
    (void)layout;
    change_state *state = change_open(n);
    state->hand = hand_new(n);
    return state;
}

static void close_all(void *opened)
{
    change_state *state = opened;
    kith_world_free(state->world);
    hand_free(state->hand);
    free(state->handles);
    free(state);
}

/* Times a pass, which tells how many changes were made. An index is of `indexed`. */
static bench_sample time_pass(uint32_t (*pass)(const change_state *state, uint32_t n), void *opened,
                              uint32_t n, const kith_type *indexed)
{
    const change_state *state = opened;
    bench_frame frame = bench_frame_new(state->world, indexed);
    pass(state, n); /* once with cold memory */
    double start = bench_frame_start(&frame);
    uint32_t done = pass(state, n);
    return (bench_sample){bench_now() - start, done};
}

static Extra change_value(uint32_t i)
{
    return (Extra){(float)(i % 16), 1, 2};
}

/* ---- Extra ----------------------------------------------------------------------------------- */

static uint32_t extra_pass_kith(const change_state *state, uint32_t n)
{
    uint32_t done = 0;
    for (uint32_t i = 0; i < n; i++) {
        Extra extra = change_value(i);
        done += kith_set(state->world, state->handles[i], &Extra_type, &extra) == KITH_OK;
    }
    for (uint32_t i = 0; i < n; i++) {
        done += KITH_REMOVE(state->world, state->handles[i], Extra) == KITH_OK;
    }
    return done;
}

static bench_sample extra_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    return time_pass(extra_pass_kith, opened, n, &Extra_type);
}

static bool hand_add(hand_world *hand, kith_entity e, const Extra *extra)
{
    uint32_t slot = e.index1 - 1;
    if (!hand_alive(hand, e) || hand->extra_rows[slot] != 0) {
        return false;
    }
    uint32_t row = hand->extra_count++;
    hand->extra_rows[slot] = row + 1;
    hand->extra_owners[row] = slot;
    hand->extras[row] = *extra;
    return true;
}

static bool hand_remove(hand_world *hand, kith_entity e)
{
    uint32_t slot = e.index1 - 1;
    if (!hand_alive(hand, e) || hand->extra_rows[slot] == 0) {
        return false;
    }
    uint32_t row = hand->extra_rows[slot] - 1;
    uint32_t last = --hand->extra_count;
    hand->extras[row] = hand->extras[last];
    hand->extra_owners[row] = hand->extra_owners[last];
    hand->extra_rows[hand->extra_owners[row]] = row + 1;
    hand->extra_rows[slot] = 0;
    return true;
}

static uint32_t extra_pass_hand(const change_state *state, uint32_t n)
{
    uint32_t done = 0;
    for (uint32_t i = 0; i < n; i++) {
        Extra extra = change_value(i);
        done += hand_add(state->hand, state->handles[i], &extra);
    }
    for (uint32_t i = 0; i < n; i++) {
        done += hand_remove(state->hand, state->handles[i]);
    }
    return done;
}

static bench_sample extra_by_hand(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    return time_pass(extra_pass_hand, opened, n, NULL);
}

/* ---- A tag ----------------------------------------------------------------------------------- */

static uint32_t tag_pass_kith(const change_state *state, uint32_t n)
{
    uint32_t done = 0;
    for (uint32_t i = 0; i < n; i++) {
        done += KITH_ADD(state->world, state->handles[i], Marker) == KITH_OK;
    }
    for (uint32_t i = 0; i < n; i++) {
        done += KITH_REMOVE(state->world, state->handles[i], Marker) == KITH_OK;
    }
    return done;
}

static bench_sample tag_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    return time_pass(tag_pass_kith, opened, n, &Position_type);
}

static bool hand_mark(hand_world *hand, kith_entity e, bool set)
{
    uint32_t slot = e.index1 - 1;
    if (!hand_alive(hand, e)) {
        return false;
    }
    uint64_t bit = UINT64_C(1) << slot % 64;
    uint64_t *word = &hand->marks[slot / 64];
    bool changes = ((*word & bit) != 0) != set;
    *word = set ? *word | bit : *word & ~bit;
    return changes;
}

static uint32_t tag_pass_hand(const change_state *state, uint32_t n)
{
    uint32_t done = 0;
    for (uint32_t i = 0; i < n; i++) {
        done += hand_mark(state->hand, state->handles[i], true);
    }
    for (uint32_t i = 0; i < n; i++) {
        done += hand_mark(state->hand, state->handles[i], false);
    }
    return done;
}

static bench_sample tag_by_hand(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    return time_pass(tag_pass_hand, opened, n, NULL);
}

#define EXTRA                                                                                      \
    {open_world, extra_by_kith, close_all},                                                        \
    {                                                                                              \
        open_hand, extra_by_hand, close_all                                                        \
    }
#define TAG                                                                                        \
    {open_world, tag_by_kith, close_all},                                                          \
    {                                                                                              \
        open_hand, tag_by_hand, close_all                                                          \
    }

const bench_workload bench_change[] = {
    {"add-remove", "add Extra with a value to each, then remove it; per pair", 100000, KITH_TABLE,
     4.5, EXTRA, BENCH_ALONE},
    {"add-remove", "", 100000, KITH_SPARSE, 1.5, EXTRA, BENCH_ALONE},
    {"add-remove", "", 100000, KITH_SLOT, 1.5, EXTRA, BENCH_ALONE},
    {"tag", "the same with a tag", 100000, KITH_TABLE, 45, TAG, BENCH_ALONE},
    {"tag", "", 100000, KITH_SPARSE, 12, TAG, BENCH_ALONE},
    {"tag", "", 100000, KITH_SLOT, 10, TAG, BENCH_ALONE},
    BENCH_LAYOUTS_IN_SETTINGS("add-remove", open_world, extra_by_kith, close_all),
    BENCH_LAYOUTS_IN_SETTINGS("tag", open_world, tag_by_kith, close_all),
};
const uint32_t bench_change_count = sizeof bench_change / sizeof bench_change[0];
