/* A million numbers in an ordered index, beside structures written for just this: a sorted array for
 * ranges, and for changes numbers in small sorted buckets of 256 on average. The same by a function of
 * the numbers, which the hand-written code calls as well. */
#include <kith/floats.h>

#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { NUMBERS = 1000000, RANGE = 1000, BUCKETS = 4096, BUCKET_ROOM = 512 };

#define BUCKET_SHIFT 20u /* numbers have 32 bits, and buckets 12 */

typedef struct Number {
    uint32_t value;
} Number;
KITH_TYPE(Number, KITH_FIELD(Number, value));

typedef struct pair {
    uint32_t value;
    kith_entity entity;
} pair;

typedef struct bucket {
    uint32_t count;
    pair pairs[BUCKET_ROOM];
} bucket;

typedef struct ordered_state {
    kith_world *world;
    kith_index *index;
    kith_entity *entities; /* slots ascend from 1 */
    Number *numbers;
    pair *sorted;
    bucket *buckets;
    uint64_t random;
    bool computed; /* in the order of what the function makes of numbers */
} ordered_state;

/* What a number is in order by: like a score, of which nothing tells the number. */
static uint32_t compute(uint32_t value)
{
    return (value ^ value >> 15) * 2654435761u;
}

static uint32_t key_of(const ordered_state *state, uint32_t value)
{
    return state->computed ? compute(value) : value;
}

static uint32_t random_value(ordered_state *state)
{
    state->random = state->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state->random >> 32);
}

static ordered_state *open_numbers(void)
{
    ordered_state *state = bench_take(sizeof *state);
    *state = (ordered_state){.random = 1};
    state->numbers = bench_take(NUMBERS * sizeof *state->numbers);
    state->entities = bench_take(NUMBERS * sizeof *state->entities);
    for (uint32_t i = 0; i < NUMBERS; i++) {
        state->numbers[i].value = random_value(state);
        state->entities[i] = (kith_entity){i + 1, 0};
    }
    return state;
}

static void close_numbers(void *opened)
{
    ordered_state *state = opened;
    kith_world_free(state->world);
    free(state->entities);
    free(state->numbers);
    free(state->sorted);
    free(state->buckets);
    free(state);
}

/* ---- Kith ---------------------------------------------------------------------------------------- */

static kith_index_found ask_range(const ordered_state *state, uint32_t from)
{
    kith_index_found found;
    const Number value = {from};
    if (kith_index_range(state->index, &(kith_range){.from = &value, .limit = RANGE}, &found) !=
        KITH_OK) {
        bench_fail("the index was not asked");
    }
    return found;
}

static void *open_ordered(kith_layout layout, const kith_index_def *def)
{
    ordered_state *state = open_numbers();
    state->world = bench_world(layout);
    const kith_values values[] = {{&Number_type, state->numbers, true}};
    if (kith_spawn_many(state->world, NUMBERS, values, 1, state->entities) != KITH_OK ||
        kith_index_new(state->world, def, &state->index) != KITH_OK) {
        bench_fail("the entities were not made");
    }
    ask_range(state, 0);
    return state;
}

static void *open_index(uint32_t n, kith_layout layout)
{
    (void)n;
    const kith_index_def def = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Number, value)};
    return open_ordered(layout, &def);
}

static bool number_key(const void *value, void *key, void *user)
{
    (void)user;
    ((Number *)key)->value = compute(((const Number *)value)->value);
    return true;
}

static void *open_computed(uint32_t n, kith_layout layout)
{
    (void)n;
    const kith_index_def def = {.kind = KITH_INDEX_ORDERED,
                                KITH_FIELDS(Number, value),
                                .of = &Number_type,
                                .key = number_key};
    return open_ordered(layout, &def);
}

static uint64_t sum_of_range(const ordered_state *state, uint32_t from)
{
    const kith_index_found found = ask_range(state, from);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < found.count; i++) {
        sum += found.entities[i].index1;
    }
    return sum;
}

static bench_sample ask_ranges(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    ordered_state *state = opened;
    uint64_t sum = 0;
    state->random = 5 + bench_round;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i += RANGE) {
        sum += sum_of_range(state, random_value(state) / 2);
    }
    return (bench_sample){bench_now() - start, sum};
}

/* Numbers are set one by one; what is measured is the index that is asked then. */
static bench_sample refresh_index(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    ordered_state *state = opened;
    state->random = 9 + bench_round;
    for (uint32_t i = 0; i < n; i++) {
        kith_entity entity = state->entities[random_value(state) % NUMBERS];
        if (KITH_SET(state->world, entity, Number, {random_value(state)}) != KITH_OK) {
            bench_fail("a number was not set");
        }
    }
    double start = bench_now();
    uint64_t sum = sum_of_range(state, 0);
    return (bench_sample){bench_now() - start, sum};
}

/* One in a hundred numbers changes, in a loop that writes the arrays of all. */
static bench_sample refresh_written(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    ordered_state *state = opened;
    state->random = 9 + bench_round;
    for (uint32_t i = 0; i < n; i++) {
        state->numbers[random_value(state) % NUMBERS].value = random_value(state);
    }
    kith_query *query = KITH_QUERY(state->world, KITH_WRITE(Number));
    const Number *from = state->numbers;
    for (kith_iter it = kith_query_iter(query); kith_next(&it); from += it.count) {
        memcpy(KITH_COLUMN_MUT(&it, Number), from, it.count * sizeof *from);
    }
    kith_query_free(query);
    double start = bench_now();
    uint64_t sum = sum_of_range(state, 0);
    return (bench_sample){bench_now() - start, sum};
}

/* ---- By hand ------------------------------------------------------------------------------------- */

static int compare_pairs(const void *a, const void *b)
{
    const pair *left = a;
    const pair *right = b;
    if (left->value != right->value) {
        return left->value < right->value ? -1 : 1;
    }
    return left->entity.index1 < right->entity.index1 ? -1 : 1;
}

static void *open_sorted(uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    ordered_state *state = open_numbers();
    state->sorted = bench_take(NUMBERS * sizeof *state->sorted);
    for (uint32_t i = 0; i < NUMBERS; i++) {
        state->sorted[i] = (pair){state->numbers[i].value, state->entities[i]};
    }
    qsort(state->sorted, NUMBERS, sizeof *state->sorted, compare_pairs);
    return state;
}

static bench_sample ask_sorted(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    ordered_state *state = opened;
    uint64_t sum = 0;
    state->random = 5 + bench_round;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i += RANGE) {
        uint32_t from = random_value(state) / 2;
        uint32_t row = 0;
        for (uint32_t end = NUMBERS; row < end;) {
            uint32_t middle = row + (end - row) / 2;
            if (state->sorted[middle].value < from) {
                row = middle + 1;
            } else {
                end = middle;
            }
        }
        uint32_t end = row + RANGE < NUMBERS ? row + RANGE : NUMBERS;
        for (; row < end; row++) {
            sum += state->sorted[row].entity.index1;
        }
    }
    return (bench_sample){bench_now() - start, sum};
}

/* The row of a pair in a bucket, or where it would be. */
static uint32_t row_of(const bucket *own, const pair *wanted)
{
    uint32_t row = 0;
    for (uint32_t end = own->count; row < end;) {
        uint32_t middle = row + (end - row) / 2;
        if (compare_pairs(&own->pairs[middle], wanted) < 0) {
            row = middle + 1;
        } else {
            end = middle;
        }
    }
    return row;
}

static void add_pair(ordered_state *state, pair added)
{
    bucket *own = &state->buckets[added.value >> BUCKET_SHIFT];
    uint32_t row = row_of(own, &added);
    if (own->count == BUCKET_ROOM) {
        bench_fail("a bucket is full");
    }
    memmove(&own->pairs[row + 1], &own->pairs[row], (own->count - row) * sizeof added);
    own->pairs[row] = added;
    own->count++;
}

static void remove_pair(ordered_state *state, pair removed)
{
    bucket *own = &state->buckets[removed.value >> BUCKET_SHIFT];
    uint32_t row = row_of(own, &removed);
    own->count--;
    memmove(&own->pairs[row], &own->pairs[row + 1], (own->count - row) * sizeof removed);
}

static void *fill_buckets(bool computed)
{
    ordered_state *state = open_numbers();
    state->computed = computed;
    state->buckets = bench_take(BUCKETS * sizeof *state->buckets);
    memset(state->buckets, 0, BUCKETS * sizeof *state->buckets);
    for (uint32_t i = 0; i < NUMBERS; i++) {
        add_pair(state, (pair){key_of(state, state->numbers[i].value), state->entities[i]});
    }
    return state;
}

static void *open_buckets(uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    return fill_buckets(false);
}

static void *open_computed_buckets(uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    return fill_buckets(true);
}

static uint64_t sum_of_least(const ordered_state *state)
{
    uint64_t sum = 0;
    uint32_t left = RANGE;
    for (const bucket *own = state->buckets; left != 0; own++) {
        for (uint32_t i = 0; i < own->count && left != 0; i++, left--) {
            sum += own->pairs[i].entity.index1;
        }
    }
    return sum;
}

/* The list of changes is there before. */
static bench_sample refresh_buckets(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    ordered_state *state = opened;
    uint32_t *changed = bench_take(n * sizeof *changed);
    uint32_t *to = bench_take(n * sizeof *to);
    state->random = 9 + bench_round;
    for (uint32_t i = 0; i < n; i++) {
        changed[i] = random_value(state) % NUMBERS;
        to[i] = random_value(state);
    }
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        Number *number = &state->numbers[changed[i]];
        kith_entity entity = state->entities[changed[i]];
        remove_pair(state, (pair){key_of(state, number->value), entity});
        number->value = to[i];
        add_pair(state, (pair){key_of(state, number->value), entity});
    }
    uint64_t sum = sum_of_least(state);
    double ns = bench_now() - start;
    free(changed);
    free(to);
    return (bench_sample){ns, sum};
}

#define ORDERED_ROW(name, n, target, what, open, run, open_by_hand, run_by_hand)                   \
    {                                                                                              \
        name, what, n, KITH_TABLE, target, {open, run, close_numbers},                             \
            {open_by_hand, run_by_hand, close_numbers}, BENCH_ALONE                                \
    }

const bench_workload bench_ordered[] = {
    ORDERED_ROW("index-ordered-range", 1000000, 3, "1,000 in order of 10^6; beside a sorted array",
                open_index, ask_ranges, open_sorted, ask_sorted),
    ORDERED_ROW("index-ordered-refresh", NUMBERS / 100, 3, "1% set one by one; beside buckets",
                open_index, refresh_index, open_buckets, refresh_buckets),
    ORDERED_ROW("index-function", NUMBERS / 100, 3, "by a function, 1% set; beside buckets",
                open_computed, refresh_index, open_computed_buckets, refresh_buckets),
    ORDERED_ROW("index-function-loop", NUMBERS / 100, 0, "all written, 1% changed; beside buckets",
                open_computed, refresh_written, open_computed_buckets, refresh_buckets),
};
const uint32_t bench_ordered_count = sizeof bench_ordered / sizeof bench_ordered[0];
