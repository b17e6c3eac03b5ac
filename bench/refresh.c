/* Indexes that are asked while nothing changes, after changes, and in turns with them: see refresh.h. */
#include "refresh.h"

#include <stdlib.h>
#include <string.h>

/* Asked after what is measured, to see that both sides have the same. */
enum { CHECKED = 500 };

typedef struct refresh_state {
    const refresh_kind *kind;
    kith_world *world;
    kith_index *index;
    void *hand;
    uint8_t *values;
    uint64_t random;
    /* What changes in one run. */
    uint32_t *who;
    uint8_t *to;
    uint32_t *removed;
} refresh_state;

void refresh_draw_number(uint64_t *random, void *value)
{
    ((Number *)value)->value = bench_random(random);
}

/* ---- The sides ----------------------------------------------------------------------------------- */

static refresh_state *open_values(uint32_t n, const refresh_kind *kind)
{
    const size_t size = kind->type->size;
    refresh_state *state = bench_take(sizeof *state);
    *state = (refresh_state){.kind = kind, .random = 1};
    state->values = bench_take(REFRESH_VALUES * size);
    state->who = bench_take(n * sizeof *state->who);
    state->to = bench_take(n * size);
    state->removed = bench_take(n * sizeof *state->removed);
    for (size_t i = 0; i < REFRESH_VALUES; i++) {
        kind->draw(&state->random, state->values + i * size);
    }
    return state;
}

static void *open_world(uint32_t n, const refresh_kind *kind)
{
    refresh_state *state = open_values(n, kind);
    state->world = bench_world(KITH_TABLE);
    const kith_values values[] = {{kind->type, state->values, true}};
    if (kith_spawn_many(state->world, REFRESH_VALUES, values, 1, NULL) != KITH_OK ||
        kith_index_new(state->world, &kind->def, &state->index) != KITH_OK) {
        bench_fail("the entities were not made");
    }
    kind->ask(state->index, state->values);
    return state;
}

static void *open_hand(uint32_t n, const refresh_kind *kind)
{
    refresh_state *state = open_values(n, kind);
    state->hand = kind->fill_hand(state->values);
    return state;
}

static void close_refresh(void *opened)
{
    refresh_state *state = opened;
    kith_world_free(state->world);
    if (state->hand != NULL) {
        state->kind->free_hand(state->hand);
    }
    free(state->values);
    free(state->who);
    free(state->to);
    free(state->removed);
    free(state);
}

static uint64_t ask(const refresh_state *state, const void *at)
{
    return state->hand != NULL ? state->kind->ask_hand(state->hand, at)
                               : state->kind->ask(state->index, at);
}

/* ---- Changes ------------------------------------------------------------------------------------- */

/* The first one is anywhere, and the others are in no order, or come after it. */
static refresh_list draw_changes(refresh_state *state, uint32_t n, bool clustered)
{
    const size_t size = state->kind->type->size;
    state->random = 9 + bench_round;
    const uint32_t first = bench_random(&state->random) % (REFRESH_VALUES - n);
    for (uint32_t i = 0; i < n; i++) {
        state->who[i] = clustered ? first + i : bench_random(&state->random) % REFRESH_VALUES;
        uint8_t *value = state->values + state->who[i] * size;
        state->kind->change(&state->random, value);
        memcpy(state->to + i * size, value, size);
    }
    return (refresh_list){state->who, state->to, n};
}

/* As many others are ended. */
static void draw_removed(refresh_state *state, uint32_t n)
{
    uint8_t *taken = bench_take(REFRESH_VALUES);
    memset(taken, 0, REFRESH_VALUES);
    for (uint32_t i = 0; i < n; i++) {
        taken[state->who[i]] = 1;
    }
    for (uint32_t i = 0; i < n;) {
        uint32_t at = bench_random(&state->random) % REFRESH_VALUES;
        state->removed[i] = at;
        i += taken[at] == 0;
        taken[at] = 1;
    }
    free(taken);
}

static void set_listed(const refresh_state *state, const refresh_list *list)
{
    const kith_type *type = state->kind->type;
    const uint8_t *to = list->to;
    for (uint32_t i = 0; i < list->count; i++, to += type->size) {
        if (kith_set(state->world, refresh_entity(list->who[i]), type, to) != KITH_OK) {
            bench_fail("a value was not set");
        }
    }
}

static void write_by_pointers(const refresh_state *state, const refresh_list *list)
{
    const kith_type *type = state->kind->type;
    const uint8_t *to = list->to;
    for (uint32_t i = 0; i < list->count; i++, to += type->size) {
        void *value;
        if (kith_get_mut(state->world, refresh_entity(list->who[i]), type, &value) != KITH_OK) {
            bench_fail("a value was not found");
        }
        memcpy(value, to, type->size);
    }
}

/* A loop that writes the arrays of all. */
static void write_arrays(const refresh_state *state)
{
    const kith_type *type = state->kind->type;
    const kith_query_def def = {.terms =
                                    KITH_TERMS({type, KITH_ACCESS_WRITE, KITH_MUST, 0, NULL})};
    kith_query *query = kith_query_new_or_null(state->world, &def);
    const uint8_t *from = state->values;
    for (kith_iter it = kith_query_iter(query); kith_next(&it); from += it.count * type->size) {
        memcpy(kith_column_mut(&it, type), from, it.count * type->size);
    }
    kith_query_free(query);
}

static void end_removed(const refresh_state *state, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        kith_despawn(state->world, refresh_entity(state->removed[i]));
    }
}

/* ---- What is measured ---------------------------------------------------------------------------- */

/* What was found at the end, and what is found where some values are now. */
static bench_sample checked_sample(const refresh_state *state, double ns, uint64_t sum, uint32_t n)
{
    for (uint32_t i = 0; i < n && i < CHECKED; i++) {
        sum += ask(state, state->to + i * state->kind->type->size);
    }
    return (bench_sample){ns, sum};
}

/* Kith is asked after what was written before; by hand the list of the changes is there before. */
static bench_sample time_kith(const refresh_state *state, uint32_t n)
{
    double start = bench_now();
    uint64_t sum = ask(state, state->to);
    return checked_sample(state, bench_now() - start, sum, n);
}

static bench_sample time_applied(const refresh_state *state, const refresh_list *list)
{
    double start = bench_now();
    state->kind->apply(state->hand, list);
    uint64_t sum = ask(state, state->to);
    return checked_sample(state, bench_now() - start, sum, list->count);
}

static bench_sample run_find(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    refresh_state *state = opened;
    const size_t size = state->kind->type->size;
    state->random = 5 + bench_round;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = bench_random(&state->random) % REFRESH_VALUES;
        memcpy(state->to + i * size, state->values + at * size, size);
    }
    uint64_t sum = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        sum += ask(state, state->to + i * size);
    }
    return (bench_sample){bench_now() - start, sum};
}

static bench_sample run_set(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    refresh_state *state = opened;
    const refresh_list list = draw_changes(state, n, false);
    if (state->hand != NULL) {
        return time_applied(state, &list);
    }
    set_listed(state, &list);
    return time_kith(state, n);
}

static bench_sample run_clustered(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    refresh_state *state = opened;
    const refresh_list list = draw_changes(state, n, true);
    if (state->hand != NULL) {
        return time_applied(state, &list);
    }
    write_by_pointers(state, &list);
    return time_kith(state, n);
}

/* There is no list of the changes here: both sides compare what was written with what they keep. */
static bench_sample run_loop(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    refresh_state *state = opened;
    draw_changes(state, n, false);
    if (state->hand == NULL) {
        write_arrays(state);
        return time_kith(state, n);
    }
    double start = bench_now();
    state->kind->read(state->hand, state->values);
    uint64_t sum = ask(state, state->to);
    return checked_sample(state, bench_now() - start, sum, n);
}

/* Rows at the end of the table fill the gaps of those that end; then values are set. */
static bench_sample run_shuffled(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    refresh_state *state = opened;
    const refresh_list list = draw_changes(state, n, false);
    draw_removed(state, n);
    if (state->hand == NULL) {
        end_removed(state, n);
        set_listed(state, &list);
        return time_kith(state, n);
    }
    double start = bench_now();
    state->kind->remove(state->hand, state->removed, n);
    state->kind->apply(state->hand, &list);
    uint64_t sum = ask(state, state->to);
    return checked_sample(state, bench_now() - start, sum, n);
}

/* Each value is written, and asked for at once. */
static bench_sample run_turns(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    refresh_state *state = opened;
    const size_t size = state->kind->type->size;
    const refresh_list list = draw_changes(state, n, false);
    uint64_t sum = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        const refresh_list one = {list.who + i, state->to + i * size, 1};
        if (state->hand != NULL) {
            state->kind->apply(state->hand, &one);
        } else {
            set_listed(state, &one);
        }
        sum += ask(state, one.to);
    }
    return (bench_sample){bench_now() - start, sum};
}

/* ---- Rows ---------------------------------------------------------------------------------------- */

#define REFRESH_OPEN(kind)                                                                         \
    static void *open_##kind(uint32_t n, kith_layout layout)                                       \
    {                                                                                              \
        (void)layout;                                                                              \
        return open_world(n, &refresh_##kind);                                                     \
    }                                                                                              \
    static void *open_##kind##_by_hand(uint32_t n, kith_layout layout)                             \
    {                                                                                              \
        (void)layout;                                                                              \
        return open_hand(n, &refresh_##kind);                                                      \
    }
REFRESH_OPEN(hash)
REFRESH_OPEN(ordered)
REFRESH_OPEN(function)
REFRESH_OPEN(places)

#define REFRESH_ROW(name, what, n, target, kind, run)                                              \
    {                                                                                              \
        name, what, n, KITH_TABLE, target, {open_##kind, run, close_refresh},                      \
            {open_##kind##_by_hand, run, close_refresh}, BENCH_ALONE                               \
    }

/* One percent changes. */
#define REFRESH_ROWS(name, target, kind, hand)                                                     \
    REFRESH_ROW(name "-refresh", "1% set one by one; beside " hand, REFRESH_VALUES / 100, target,  \
                kind, run_set),                                                                    \
        REFRESH_ROW(name "-clustered", "1% side by side, by pointers; beside " hand,               \
                    REFRESH_VALUES / 100, target, kind, run_clustered),                            \
        REFRESH_ROW(name "-loop", "all written, 1% changed; beside reading, " hand,                \
                    REFRESH_VALUES / 100, target, kind, run_loop),                                 \
        REFRESH_ROW(name "-shuffled", "1% ended, then 1% set; beside " hand, REFRESH_VALUES / 100, \
                    target, kind, run_shuffled),                                                   \
        REFRESH_ROW(name "-turns", "set one, find it, in turns; beside " hand,                     \
                    REFRESH_VALUES / 100, 0, kind, run_turns)

const bench_workload bench_refresh[] = {
    REFRESH_ROW("index-hash-find", "found by a number of 10^6; beside a hash table", 20000, 2,
                hash, run_find),
    REFRESH_ROWS("index-hash", 2, hash, "a hash table"),
    REFRESH_ROW("index-ordered-find", "found by a number of 10^6; beside buckets", 20000, 0,
                ordered, run_find),
    REFRESH_ROWS("index-ordered", 3, ordered, "buckets"),
    REFRESH_ROW("index-function", "by a function, 1% set; beside buckets", REFRESH_VALUES / 100, 3,
                function, run_set),
    REFRESH_ROW("index-function-loop", "all written, 1% changed; beside reading, buckets",
                REFRESH_VALUES / 100, 3, function, run_loop),
    REFRESH_ROW("index-function-find", "nothing changed; beside buckets", 20000, 0, function,
                run_find),
    REFRESH_ROWS("places", 2, places, "linked lists"),
};
const uint32_t bench_refresh_count = sizeof bench_refresh / sizeof bench_refresh[0];
