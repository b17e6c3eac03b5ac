/* Transforms of a tree of n entities, eight children each, beside the same loop over arrays that are
 * sorted by depth. */
#include <kith/game.h>
#include <kith/hierarchy.h>
#include <kith/schedule.h>
#include <kith/sort.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { TREE_CHILDREN = 8 };

/* A node's place in order of depth. */
KITH_COMPONENT(Rank, (uint32_t, number));

typedef struct tree_state {
    uint32_t n;
    kith_world *world;
    kith_entity *entities; /* by rank, as all of these */
    uint32_t *parents;
    kith_local2 *locals;
    kith_global2 *globals;
} tree_state;

static uint32_t tree_parent(uint32_t rank)
{
    return (rank - 1) / TREE_CHILDREN;
}

static kith_local2 tree_local(uint32_t rank)
{
    return (kith_local2){
        .x = (float)(rank % 16), .y = (float)(rank % 5), .angle = (float)(rank % 7) / 4};
}

static tree_state *open_tree(uint32_t n)
{
    tree_state *state = bench_take(sizeof *state);
    *state = (tree_state){.n = n};
    state->parents = bench_take(n * sizeof *state->parents);
    state->locals = bench_take(n * sizeof *state->locals);
    state->globals = bench_take(n * sizeof *state->globals);
    state->entities = bench_take(n * sizeof *state->entities);
    for (uint32_t i = 0; i < n; i++) {
        state->parents[i] = i == 0 ? 0 : tree_parent(i);
        state->locals[i] = tree_local(i);
    }
    return state;
}

static void close_tree(void *opened)
{
    tree_state *state = opened;
    kith_world_free(state->world);
    free(state->parents);
    free(state->locals);
    free(state->globals);
    free(state->entities);
    free(state);
}

/* The same for all orders. */
static uint64_t global_sum(const kith_global2 *global)
{
    uint32_t bits[2];
    memcpy(bits, &global->x, sizeof bits);
    return (uint64_t)bits[0] * 31 + bits[1];
}

/* Nodes that something happens to: every hundredth, from among the leaves. */
static uint32_t first_leaf(uint32_t n)
{
    return tree_parent(n - 1) + 1;
}

static uint32_t nth_leaf(uint32_t n, uint32_t i)
{
    const uint32_t first = first_leaf(n);
    return first + i * 97 % (n - first);
}

/* ---- Kith ------------------------------------------------------------------------------------ */

static void tick_tree(tree_state *state)
{
    if (kith_run(state->world, BENCH_DT) != KITH_OK) {
        bench_fail(kith_error(state->world));
    }
}

/* The entities are made in order of depth, or in no order. */
static tree_state *open_world_of_tree(uint32_t n, bool in_order)
{
    tree_state *state = open_tree(n);
    state->world = kith_world_new(NULL);
    if (state->world == NULL ||
        kith_game_add_systems(state->world, KITH_GAME_TRANSFORMS) != KITH_OK) {
        bench_fail("no memory for a world");
    }
    uint32_t *order = bench_shuffled(n);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t rank = in_order ? i : order[i];
        state->entities[rank] =
            KITH_SPAWN(state->world, KITH_VALUE(kith_local2, state->locals[rank]),
                       KITH_VALUE(kith_global2, {.x = 0}), KITH_VALUE(Rank, {rank}));
    }
    free(order);
    for (uint32_t rank = 1; rank < n; rank++) {
        kith_set_parent(state->world, state->entities[rank], state->entities[tree_parent(rank)]);
    }
    return state;
}

/* Some ticks in which all of it turns, so that memory is there. */
static void warm_up_tree(tree_state *state)
{
    for (int i = 3; i-- > 0;) {
        KITH_SET(state->world, state->entities[0], kith_local2, {.angle = (float)i});
        tick_tree(state);
    }
}

static void *open_unsorted(uint32_t n, kith_layout layout)
{
    (void)layout;
    tree_state *state = open_world_of_tree(n, false);
    warm_up_tree(state);
    return state;
}

static void *open_ordered(uint32_t n, kith_layout layout)
{
    (void)layout;
    tree_state *state = open_world_of_tree(n, true);
    warm_up_tree(state);
    return state;
}

static void *open_with_worker(uint32_t n, kith_layout layout)
{
    (void)layout;
    tree_state *state = open_world_of_tree(n, true);
    if (kith_workers_set(state->world, &(kith_workers_def){.threads = 2}) != KITH_OK) {
        bench_fail("no worker");
    }
    warm_up_tree(state);
    return state;
}

static void *open_sorted(uint32_t n, kith_layout layout)
{
    (void)layout;
    tree_state *state = open_world_of_tree(n, false);
    if (KITH_SORT(state->world, Rank, number) != KITH_OK) {
        bench_fail("the rows were not sorted");
    }
    warm_up_tree(state);
    return state;
}

/* 1% of the leaves get another parent, of the same depth. */
static void *open_reparented(uint32_t n, kith_layout layout)
{
    tree_state *state = open_ordered(n, layout);
    for (uint32_t i = 0; i < n / 100; i++) {
        const uint32_t rank = nth_leaf(n, i);
        kith_set_parent(state->world, state->entities[rank],
                        state->entities[state->parents[n - 1 - i]]);
    }
    return state;
}

static bench_sample time_tree(tree_state *state)
{
    double start = bench_now();
    tick_tree(state);
    bench_sample sample = {bench_now() - start, 0};
    for (uint32_t i = 0; i < state->n; i++) {
        sample.checksum += global_sum(KITH_GET(state->world, state->entities[i], kith_global2));
    }
    return sample;
}

static bench_sample turn_root(void *opened, uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    tree_state *state = opened;
    KITH_SET(state->world, state->entities[0], kith_local2, {.angle = 1});
    return time_tree(state);
}

static void set_leaves(tree_state *state, uint32_t n, float angle)
{
    for (uint32_t i = 0; i < n / 100; i++) {
        const uint32_t rank = nth_leaf(n, i);
        kith_local2 local = tree_local(rank);
        local.angle = angle;
        KITH_SET(state->world, state->entities[rank], kith_local2, local);
    }
}

static bench_sample turn_leaves(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    tree_state *state = opened;
    set_leaves(state, n, 3);
    tick_tree(state); /* as in the ticks before, so that memory is there */
    set_leaves(state, n, 2);
    return time_tree(state);
}

static bench_sample turn_all(void *opened, uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    tree_state *state = opened;
    kith_query *query = KITH_QUERY(state->world, KITH_WRITE(kith_local2));
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        kith_local2 *locals = KITH_COLUMN_MUT(&it, kith_local2);
        for (uint32_t i = 0; i < it.count; i++) {
            locals[i].angle += 1;
        }
    }
    return time_tree(state);
}

/* ---- By hand --------------------------------------------------------------------------------- */

static void compute_arrays(tree_state *state)
{
    state->globals[0] = kith_transform2_from_local(state->locals[0]);
    for (uint32_t i = 1; i < state->n; i++) {
        state->globals[i] =
            kith_transform2_compose(state->globals[state->parents[i]], state->locals[i]);
    }
}

static void *open_arrays(uint32_t n, kith_layout layout)
{
    (void)layout;
    tree_state *state = open_tree(n);
    compute_arrays(state);
    return state;
}

static void *open_reparented_arrays(uint32_t n, kith_layout layout)
{
    tree_state *state = open_arrays(n, layout);
    for (uint32_t i = 0; i < n / 100; i++) {
        state->parents[nth_leaf(n, i)] = tree_parent(n - 1 - i);
    }
    return state;
}

static bench_sample time_arrays(tree_state *state)
{
    double start = bench_now();
    compute_arrays(state);
    bench_sample sample = {bench_now() - start, 0};
    for (uint32_t i = 0; i < state->n; i++) {
        sample.checksum += global_sum(&state->globals[i]);
    }
    return sample;
}

static bench_sample turn_root_of_arrays(void *opened, uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    tree_state *state = opened;
    state->locals[0].angle = 1;
    return time_arrays(state);
}

static bench_sample turn_leaves_of_arrays(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    tree_state *state = opened;
    for (uint32_t i = 0; i < n / 100; i++) {
        state->locals[nth_leaf(n, i)].angle = 2;
    }
    return time_arrays(state);
}

static bench_sample turn_all_of_arrays(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    tree_state *state = opened;
    for (uint32_t i = 0; i < n; i++) {
        state->locals[i].angle += 1;
    }
    return time_arrays(state);
}

#define TREE_ROW(name, what, target, opened, turned, opened_arrays, turned_arrays)                 \
    {                                                                                              \
        name, what, 100000, KITH_TABLE, target, {opened, turned, close_tree},                      \
            {opened_arrays, turned_arrays, close_tree}, BENCH_ALONE                                \
    }

const bench_workload bench_transforms[] = {
    TREE_ROW("transforms", "a tree turns, made in order of depth; beside arrays", 3.0,
             open_ordered, turn_root, open_arrays, turn_root_of_arrays),
    TREE_ROW("transforms-sorted", "made in no order, and its rows put in order of depth", 3.0,
             open_sorted, turn_root, open_arrays, turn_root_of_arrays),
    TREE_ROW("transforms-unsorted", "made in no order", 8.0, open_unsorted, turn_root, open_arrays,
             turn_root_of_arrays),
    TREE_ROW("transforms-parents", "1% have another parent since they were in order", 3.6,
             open_reparented, turn_root, open_reparented_arrays, turn_root_of_arrays),
    TREE_ROW("transforms-leaves", "1% of the leaves turn; by hand: the whole tree", 0.15,
             open_ordered, turn_leaves, open_arrays, turn_leaves_of_arrays),
    TREE_ROW("transforms-two", "the first one with one worker; by hand: one thread", 0,
             open_with_worker, turn_root, open_arrays, turn_root_of_arrays),
    TREE_ROW("transforms-all", "each Local is written, by array", 0, open_ordered, turn_all,
             open_arrays, turn_all_of_arrays),
};
const uint32_t bench_transforms_count = sizeof bench_transforms / sizeof bench_transforms[0];
