/* A live query over a million entities, a fifth of which match, beside a set that is kept by hand from a
 * list of the changes. */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { MEMBERS_OF = 1000000, LIMIT = 20, VALUES = 100 };

typedef struct Vigor {
    int32_t current, maximum;
} Vigor;
KITH_TYPE(Vigor, KITH_FIELD(Vigor, current), KITH_FIELD(Vigor, maximum));

typedef struct live_state {
    kith_world *world;
    kith_live *live;
    kith_entity *entities;
    Vigor *vigor;
    uint8_t *members;     /* by hand: whether an entity is in the set */
    kith_entity *told[3]; /* by hand: entered, left, changed */
    uint64_t random;
} live_state;

static uint32_t next_number(live_state *state, uint32_t limit)
{
    state->random = state->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state->random >> 32) * limit >> 32);
}

static live_state *open_vigor(void)
{
    live_state *state = bench_take(sizeof *state);
    *state = (live_state){.random = 1};
    state->vigor = bench_take(MEMBERS_OF * sizeof *state->vigor);
    state->entities = bench_take(MEMBERS_OF * sizeof *state->entities);
    for (uint32_t i = 0; i < MEMBERS_OF; i++) {
        state->vigor[i] = (Vigor){(int32_t)next_number(state, VALUES), VALUES};
        state->entities[i] = (kith_entity){i + 1, 0};
    }
    return state;
}

static void close_vigor(void *opened)
{
    live_state *state = opened;
    kith_world_free(state->world);
    for (uint32_t i = 0; i < 3; i++) {
        free(state->told[i]);
    }
    free(state->members);
    free(state->entities);
    free(state->vigor);
    free(state);
}

static uint64_t sum_of_told(const kith_live_changes *changes)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < changes->entered_count; i++) {
        sum += changes->entered[i].index1;
    }
    for (uint32_t i = 0; i < changes->left_count; i++) {
        sum += changes->left[i].index1;
    }
    return sum;
}

/* ---- Kith ---------------------------------------------------------------------------------------- */

static uint64_t ask_live(const live_state *state)
{
    kith_live_changes changes;
    if (kith_live_next(state->live, &changes) != KITH_OK) {
        bench_fail("the live query was not asked");
    }
    return sum_of_told(&changes);
}

static void *open_live(uint32_t n, kith_layout layout)
{
    (void)n;
    live_state *state = open_vigor();
    state->world = bench_world(layout);
    const kith_values values[] = {{&Vigor_type, state->vigor, true}};
    kith_query *query = KITH_QUERY(state->world, KITH_IF(Vigor, current, <, LIMIT));
    if (kith_spawn_many(state->world, MEMBERS_OF, values, 1, state->entities) != KITH_OK ||
        kith_live_new(state->world, query, &state->live) != KITH_OK) {
        bench_fail("the entities were not made");
    }
    ask_live(state);
    return state;
}

/* Values are set one by one; what is measured is the live query that is asked then. */
static bench_sample refresh_live(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    live_state *state = opened;
    state->random = 9 + bench_round;
    for (uint32_t i = 0; i < n; i++) {
        kith_entity entity = state->entities[next_number(state, MEMBERS_OF)];
        if (KITH_SET(state->world, entity, Vigor,
                     {(int32_t)next_number(state, VALUES), VALUES}) != KITH_OK) {
            bench_fail("a value was not set");
        }
    }
    double start = bench_now();
    uint64_t sum = ask_live(state);
    return (bench_sample){bench_now() - start, sum};
}

/* ---- By hand ------------------------------------------------------------------------------------- */

static void *open_set(uint32_t n, kith_layout layout)
{
    (void)layout;
    live_state *state = open_vigor();
    state->members = bench_take(MEMBERS_OF);
    for (uint32_t i = 0; i < MEMBERS_OF; i++) {
        state->members[i] = state->vigor[i].current < LIMIT;
    }
    for (uint32_t i = 0; i < 3; i++) {
        state->told[i] = bench_take(n * sizeof *state->told[i]);
    }
    return state;
}

static int compare_changed(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* The list of the entities whose values were set is there before, and names each once, in order. */
static bench_sample refresh_set(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    live_state *state = opened;
    uint32_t *listed = bench_take(n * sizeof *listed);
    Vigor *before = bench_take(n * sizeof *before);
    state->random = 9 + bench_round;
    for (uint32_t i = 0; i < n; i++) {
        listed[i] = next_number(state, MEMBERS_OF);
        before[i] = state->vigor[listed[i]];
        state->vigor[listed[i]].current = (int32_t)next_number(state, VALUES);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (memcmp(&before[i], &state->vigor[listed[i]], sizeof *before) != 0) {
            listed[count++] = listed[i];
        }
    }
    qsort(listed, count, sizeof *listed, compare_changed);
    double start = bench_now();
    uint32_t counts[3] = {0};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = listed[i];
        bool is = state->vigor[at].current < LIMIT;
        if (is || state->members[at]) {
            uint32_t list = is && state->members[at] ? 2 : !is;
            state->told[list][counts[list]++] = state->entities[at];
        }
        state->members[at] = is;
    }
    const kith_live_changes changes = {.entered = state->told[0],
                                       .left = state->told[1],
                                       .entered_count = counts[0],
                                       .left_count = counts[1]};
    uint64_t sum = sum_of_told(&changes);
    double ns = bench_now() - start;
    free(listed);
    free(before);
    return (bench_sample){ns, sum};
}

const bench_workload bench_live[] = {
    {"live-refresh",
     "1% of 10^6 set one by one; beside a list of changes",
     MEMBERS_OF / 100,
     KITH_TABLE,
     0,
     {open_live, refresh_live, close_vigor},
     {open_set, refresh_set, close_vigor},
     BENCH_ALONE},
};
const uint32_t bench_live_count = sizeof bench_live / sizeof bench_live[0];
