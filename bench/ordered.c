/* A million numbers in an ordered index, beside a sorted array. */
#include <stdlib.h>

#include "refresh.h"

enum { NUMBERS = 1000000, RANGE = 1000, FIRST = 10 };

typedef struct pair {
    uint32_t value;
    kith_entity entity;
} pair;

typedef struct ordered_state {
    kith_world *world;
    kith_index *index;
    kith_entity *entities; /* slots ascend from 1 */
    Number *numbers;
    pair *sorted;
    uint64_t random;
} ordered_state;

static ordered_state *open_numbers(void)
{
    ordered_state *state = bench_take(sizeof *state);
    *state = (ordered_state){.random = 1};
    state->numbers = bench_take(NUMBERS * sizeof *state->numbers);
    state->entities = bench_take(NUMBERS * sizeof *state->entities);
    for (uint32_t i = 0; i < NUMBERS; i++) {
        state->numbers[i].value = bench_random(&state->random);
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
    free(state);
}

/* ---- Kith ---------------------------------------------------------------------------------------- */

static uint64_t sum_of_range(const ordered_state *state, const kith_range *range)
{
    kith_index_found found;
    return bench_sum_found(kith_index_range(state->index, range, &found), &found);
}

static void *open_index(uint32_t n, kith_layout layout)
{
    (void)n;
    const kith_index_def def = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Number, value)};
    ordered_state *state = open_numbers();
    state->world = bench_world(layout);
    const kith_values values[] = {{&Number_type, state->numbers, true}};
    if (kith_spawn_many(state->world, NUMBERS, values, 1, state->entities) != KITH_OK ||
        kith_index_new(state->world, &def, &state->index) != KITH_OK) {
        bench_fail("the entities were not made");
    }
    sum_of_range(state, &(kith_range){.limit = 1});
    return state;
}

static bench_sample ask_ranges(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    ordered_state *state = opened;
    uint64_t sum = 0;
    state->random = 5 + bench_round;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i += RANGE) {
        const Number from = {bench_random(&state->random) / 2};
        sum += sum_of_range(state, &(kith_range){.from = &from, .limit = RANGE});
    }
    return (bench_sample){bench_now() - start, sum};
}

/* The least and the greatest by turns. */
static bench_sample ask_ends(const ordered_state *state, uint32_t n, uint32_t limit)
{
    uint64_t sum = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        sum += sum_of_range(state, &(kith_range){.descending = i % 2 != 0, .limit = limit});
    }
    return (bench_sample){bench_now() - start, sum};
}

static bench_sample ask_least(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    return ask_ends(opened, n, 1);
}

static bench_sample ask_first(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    return ask_ends(opened, n, FIRST);
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

/* The first row whose value is not less. */
static uint32_t sorted_row(const ordered_state *state, uint32_t from)
{
    uint32_t row = 0;
    for (uint32_t end = NUMBERS; row < end;) {
        uint32_t middle = row + (end - row) / 2;
        if (state->sorted[middle].value < from) {
            row = middle + 1;
        } else {
            end = middle;
        }
    }
    return row;
}

static bench_sample ask_sorted(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    ordered_state *state = opened;
    uint64_t sum = 0;
    state->random = 5 + bench_round;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i += RANGE) {
        uint32_t row = sorted_row(state, bench_random(&state->random) / 2);
        uint32_t end = row + RANGE < NUMBERS ? row + RANGE : NUMBERS;
        for (; row < end; row++) {
            sum += state->sorted[row].entity.index1;
        }
    }
    return (bench_sample){bench_now() - start, sum};
}

static bench_sample sum_ends(const ordered_state *state, uint32_t n, uint32_t limit)
{
    uint64_t sum = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        const pair *first = i % 2 != 0 ? state->sorted + NUMBERS - limit : state->sorted;
        for (uint32_t k = 0; k < limit; k++) {
            sum += first[k].entity.index1;
        }
    }
    return (bench_sample){bench_now() - start, sum};
}

static bench_sample sum_least(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    return sum_ends(opened, n, 1);
}

static bench_sample sum_first(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    return sum_ends(opened, n, FIRST);
}

#define ORDERED_ROW(name, n, target, what, open, run, open_by_hand, run_by_hand)                   \
    {                                                                                              \
        name, what, n, KITH_TABLE, target, {open, run, close_numbers},                             \
            {open_by_hand, run_by_hand, close_numbers}, BENCH_ALONE                                \
    }

const bench_workload bench_ordered[] = {
    ORDERED_ROW("index-ordered-range", 1000000, 3, "1,000 in order of 10^6; beside a sorted array",
                open_index, ask_ranges, open_sorted, ask_sorted),
    ORDERED_ROW("index-ordered-least", 20000, 0, "least, greatest of 10^6; beside a sorted array",
                open_index, ask_least, open_sorted, sum_least),
    ORDERED_ROW("index-ordered-first", 20000, 0, "first, last 10 of 10^6; beside a sorted array",
                open_index, ask_first, open_sorted, sum_first),
};
const uint32_t bench_ordered_count = sizeof bench_ordered / sizeof bench_ordered[0];
