/* Reading one component through handles in random order, each checked to be alive and to have it.
 * */
#include <stdlib.h>

#include "bench.h"

typedef struct get_state {
    kith_world *world;
    kith_entity *handles; /* shuffled */
    uint32_t *generations;
    bool *present;
    Position *positions;
} get_state;

static void *open_get(uint32_t n, kith_layout layout)
{
    get_state *state = bench_take(sizeof *state);
    state->world = bench_world(layout);
    kith_entity *handles = bench_take(n * sizeof *handles);
    state->handles = bench_take(n * sizeof *handles);
    state->generations = calloc(n, sizeof(uint32_t));
    state->present = bench_take(n * sizeof(bool));
    state->positions = bench_take(n * sizeof(Position));
    for (uint32_t i = 0; i < n; i++) {
        Position position = bench_position(i);
        handles[i] =
            KITH_SPAWN(state->world, {KITH_FROM(Position, &position)}, KITH_ZERO(Velocity));
        state->present[i] = true;
        state->positions[i] = position;
    }
    uint32_t *order = bench_shuffled(n);
    for (uint32_t i = 0; i < n; i++) {
        state->handles[i] = handles[order[i]];
    }
    free(order);
    free(handles);
    return state;
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

static void *open_has(uint32_t n, kith_layout layout)
{
    get_state *state = open_get(n, layout);
    kith_register(state->world, &Extra_type, &(kith_component_def){.layout = layout});
    for (uint32_t i = 0; i < n; i++) {
        state->present[i] = i % 2 == 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (state->present[state->handles[i].index1 - 1]) {
            KITH_ADD(state->world, state->handles[i], Extra);
        }
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
        open_has, has_by_arrays, close_get                                                         \
    }
#define GET_SIDES                                                                                  \
    {open_get, get_by_kith, close_get},                                                            \
    {                                                                                              \
        open_get, get_by_arrays, close_get                                                         \
    }
#define MANY_SIDES                                                                                 \
    {open_get, many_by_kith, close_get},                                                           \
    {                                                                                              \
        open_get, get_by_arrays, close_get                                                         \
    }

const bench_workload bench_get[] = {
    {"get", "one component through shuffled handles", 100000, KITH_TABLE, 2.5, GET_SIDES},
    {"get", "", 1000000, KITH_TABLE, 2.5, GET_SIDES},
    {"get", "", 100000, KITH_SPARSE, 0, GET_SIDES},
    {"get", "", 1000000, KITH_SPARSE, 0, GET_SIDES},
    {"get", "", 100000, KITH_SLOT, 1.4, GET_SIDES},
    {"get", "", 1000000, KITH_SLOT, 1.4, GET_SIDES},
    {"get-many", "the same, 1,024 handles a call", 1000000, KITH_TABLE, 1, MANY_SIDES},
    {"has", "whether an entity has Extra, which half have, in random order", 100000, KITH_TABLE, 5,
     HAS_SIDES},
    {"has", "", 100000, KITH_SPARSE, 0, HAS_SIDES},
    {"has", "", 100000, KITH_SLOT, 2.5, HAS_SIDES},
};
const uint32_t bench_get_count = sizeof bench_get / sizeof bench_get[0];
