/* Reading one component through handles in random order, each checked to be alive and to have
 * it. */
#include <stdlib.h>

#include "bench.h"

typedef struct get_state {
    kith_world *world;
    kith_entity *handles; /* shuffled */
    uint32_t *generations;
    bool *present;
    Position *positions;
} get_state;

static get_state *get_open(uint32_t n)
{
    get_state *state = bench_take(sizeof *state);
    *state = (get_state){.handles = bench_take(n * sizeof *state->handles),
                         .generations = bench_take(n * sizeof *state->generations),
                         .present = bench_take(n * sizeof *state->present),
                         .positions = bench_take(n * sizeof *state->positions)};
    uint32_t *order = bench_shuffled(n);
    for (uint32_t i = 0; i < n; i++) {
        state->handles[i] = (kith_entity){order[i] + 1, 0}; /* as all sides hand them out */
        state->generations[i] = 0;
        state->present[i] = true;
        state->positions[i] = bench_position(i);
    }
    free(order);
    return state;
}

static void *open_get(uint32_t n, kith_layout layout)
{
    get_state *state = get_open(n);
    state->world = bench_filled_world(layout, n, NULL);
    return state;
}

static void *open_get_arrays(uint32_t n, kith_layout layout)
{
    (void)layout;
    return get_open(n);
}

static void close_get(void *opened)
{
    get_state *state = opened;
    kith_world_free(state->world);
    free(state->handles);
    free(state->generations);
    free(state->present);
    free(state->positions);
    free(state);
}

static bench_sample get_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const get_state *state = opened;
    float sum = 0;
    double total = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        const Position *position = KITH_GET(state->world, state->handles[i], Position);
        if (position != NULL) {
            sum += position->x;
        }
        if ((i & 0xffff) == 0xffff) {
            total += (double)sum;
            sum = 0;
        }
    }
    double ns = bench_now() - start;
    return (bench_sample){ns, (uint64_t)(total + (double)sum)};
}

static bench_sample lookup_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const get_state *state = opened;
    float sum = 0;
    double total = 0;
    double start = bench_now();
    kith_lookup positions = KITH_LOOKUP(state->world, Position);
    for (uint32_t i = 0; i < n; i++) {
        const Position *position = KITH_GET(&positions, state->handles[i], Position);
        if (position != NULL) {
            sum += position->x;
        }
        if ((i & 0xffff) == 0xffff) {
            total += (double)sum;
            sum = 0;
        }
    }
    double ns = bench_now() - start;
    return (bench_sample){ns, (uint64_t)(total + (double)sum)};
}

static bench_sample get_by_arrays(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const get_state *state = opened;
    float sum = 0;
    double total = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        uint32_t index = state->handles[i].index1 - 1;
        if (index < n && state->generations[index] == state->handles[i].generation &&
            state->present[index]) {
            sum += state->positions[index].x;
        }
        if ((i & 0xffff) == 0xffff) {
            total += (double)sum;
            sum = 0;
        }
    }
    double ns = bench_now() - start;
    return (bench_sample){ns, (uint64_t)(total + (double)sum)};
}

static bench_sample many_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const get_state *state = opened;
    const void *values[1024];
    double total = 0;
    double start = bench_now();
    for (uint32_t first = 0; first < n; first += 1024) {
        uint32_t count = n - first < 1024 ? n - first : 1024;
        kith_get_many(state->world, &Position_type, state->handles + first, count, values);
        float sum = 0;
        for (uint32_t i = 0; i < count; i++) {
            const Position *position = values[i];
            sum += position != NULL ? position->x : 0;
        }
        total += (double)sum;
    }
    double ns = bench_now() - start;
    return (bench_sample){ns, (uint64_t)total};
}

/* ---- Whether half of the entities have Extra ------------------------------------------------- */

static bool has_extra(kith_entity entity)
{
    return entity.index1 % 2 != 0;
}

static void *open_has(uint32_t n, kith_layout layout)
{
    get_state *state = open_get(n, layout);
    for (uint32_t i = 0; i < n; i++) {
        if (has_extra(state->handles[i])) {
            KITH_ADD(state->world, state->handles[i], Extra);
        }
    }
    return state;
}

static void *open_has_arrays(uint32_t n, kith_layout layout)
{
    (void)layout;
    get_state *state = get_open(n);
    for (uint32_t i = 0; i < n; i++) {
        state->present[state->handles[i].index1 - 1] = has_extra(state->handles[i]);
    }
    return state;
}

static bench_sample has_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const get_state *state = opened;
    uint32_t found = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        found += KITH_HAS(state->world, state->handles[i], Extra);
    }
    return (bench_sample){bench_now() - start, found};
}

static bench_sample has_by_arrays(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const get_state *state = opened;
    uint32_t found = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        uint32_t index = state->handles[i].index1 - 1;
        found += index < n && state->generations[index] == state->handles[i].generation &&
                 state->present[index];
    }
    return (bench_sample){bench_now() - start, found};
}

#define HAS_SIDES                                                                                  \
    {open_has, has_by_kith, close_get},                                                            \
    {                                                                                              \
        open_has_arrays, has_by_arrays, close_get                                                  \
    }
#define GET_SIDES                                                                                  \
    {open_get, get_by_kith, close_get},                                                            \
    {                                                                                              \
        open_get_arrays, get_by_arrays, close_get                                                  \
    }
#define LOOKUP_SIDES                                                                               \
    {open_get, lookup_by_kith, close_get},                                                         \
    {                                                                                              \
        open_get_arrays, get_by_arrays, close_get                                                  \
    }
#define MANY_SIDES                                                                                 \
    {open_get, many_by_kith, close_get},                                                           \
    {                                                                                              \
        open_get_arrays, get_by_arrays, close_get                                                  \
    }

#define GET_LOOKUP(what, n, layout)                                                                \
    {                                                                                              \
        "get-lookup", what, n, layout, 1.5, {open_get, get_by_kith, close_get},                    \
            {open_get, lookup_by_kith, close_get}, BENCH_ALONE                                     \
    }

const bench_workload bench_get[] = {
    {"get", "one component through shuffled handles", 1000, KITH_TABLE, 0, GET_SIDES, BENCH_ALONE},
    {"get", "", 100000, KITH_TABLE, 0, GET_SIDES, BENCH_ALONE},
    {"get", "", 1000000, KITH_TABLE, 0, GET_SIDES, BENCH_ALONE},
    {"get", "", 100000, KITH_SPARSE, 0, GET_SIDES, BENCH_ALONE},
    {"get", "", 1000000, KITH_SPARSE, 0, GET_SIDES, BENCH_ALONE},
    {"get", "", 1000, KITH_SLOT, 0, GET_SIDES, BENCH_ALONE},
    {"get", "", 100000, KITH_SLOT, 0, GET_SIDES, BENCH_ALONE},
    {"get", "", 1000000, KITH_SLOT, 0, GET_SIDES, BENCH_ALONE},
    {"lookup", "the same by a lookup", 1000, KITH_TABLE, 3.0, LOOKUP_SIDES, BENCH_ALONE},
    {"lookup", "", 100000, KITH_TABLE, 2.7, LOOKUP_SIDES, BENCH_ALONE},
    {"lookup", "", 1000000, KITH_TABLE, 4.5, LOOKUP_SIDES, BENCH_ALONE},
    {"lookup", "", 100000, KITH_SPARSE, 0, LOOKUP_SIDES, BENCH_ALONE},
    {"lookup", "", 1000, KITH_SLOT, 1.8, LOOKUP_SIDES, BENCH_ALONE},
    {"lookup", "", 100000, KITH_SLOT, 1.3, LOOKUP_SIDES, BENCH_ALONE},
    {"lookup", "", 1000000, KITH_SLOT, 2.5, LOOKUP_SIDES, BENCH_ALONE},
    GET_LOOKUP("get beside the same by a lookup", 1000, KITH_TABLE),
    GET_LOOKUP("", 100000, KITH_TABLE),
    GET_LOOKUP("", 1000000, KITH_TABLE),
    GET_LOOKUP("", 100000, KITH_SPARSE),
    GET_LOOKUP("", 1000, KITH_SLOT),
    GET_LOOKUP("", 100000, KITH_SLOT),
    GET_LOOKUP("", 1000000, KITH_SLOT),
    {"get-many", "get, 1,024 handles a call", 1000000, KITH_TABLE, 1.2, MANY_SIDES, BENCH_ALONE},
    {"get-many", "", 1000000, KITH_SPARSE, 0, MANY_SIDES, BENCH_ALONE},
    {"get-many", "", 1000000, KITH_SLOT, 0, MANY_SIDES, BENCH_ALONE},
    {"has", "whether an entity has Extra, as half do; in random order", 100000, KITH_TABLE, 2.5,
     HAS_SIDES, BENCH_ALONE},
    {"has", "", 100000, KITH_SPARSE, 2.5, HAS_SIDES, BENCH_ALONE},
    {"has", "", 100000, KITH_SLOT, 2.5, HAS_SIDES, BENCH_ALONE},
};
const uint32_t bench_get_count = sizeof bench_get / sizeof bench_get[0];
