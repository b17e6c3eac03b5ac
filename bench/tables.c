/* Many types and many tables: loops over small tables, fresh queries, and a large world beside a small
 * one. */
#include <stdlib.h>

#include "bench.h"

typedef struct Data {
    float value;
} Data;
KITH_TYPE(Data, KITH_FIELD(Data, value));

/* Types T0, T1, ... of 4 bytes, registered. */
static bench_types types_make(kith_world *world, uint32_t count, kith_layout layout)
{
    bench_types made = bench_types_new("T", 0, count, 1);
    for (uint32_t i = 0; i < count; i++) {
        kith_register(world, &made.types[i], &(kith_component_def){.layout = layout});
    }
    return made;
}

/* ---- 26 types on 20 entities each, all with Data: Data *= 2 ----------------------------------- */

#define SMALL_TYPES 26u
#define SMALL_PASSES 201u /* odd: they double and halve in turn, so that no value overflows */

typedef struct small_state {
    kith_world *world;
    kith_query *query;
    bench_types made;
    float *values;
} small_state;

static Data small_data(uint32_t i)
{
    return (Data){(float)(i % 64)};
}

static float small_factor(uint32_t pass)
{
    return pass % 2 == 0 ? 2 : 0.5f;
}

static void *open_small(uint32_t n, kith_layout layout)
{
    small_state *state = bench_take(sizeof *state);
    *state = (small_state){.world = bench_world(layout)};
    kith_register(state->world, &Data_type, &(kith_component_def){.layout = layout});
    state->made = types_make(state->world, SMALL_TYPES, layout);
    state->query = KITH_QUERY(state->world, KITH_WRITE(Data));
    for (uint32_t i = 0; i < n; i++) {
        Data data = small_data(i);
        KITH_SPAWN(state->world, KITH_VALUE(Data, data),
                   {&state->made.types[i % SMALL_TYPES], NULL});
    }
    return state;
}

static void *open_small_arrays(uint32_t n, kith_layout layout)
{
    (void)layout;
    small_state *state = bench_take(sizeof *state);
    *state = (small_state){.values = bench_take(n * sizeof *state->values)};
    for (uint32_t i = 0; i < n; i++) {
        state->values[i] = small_data(i).value;
    }
    return state;
}

static void close_small(void *opened)
{
    small_state *state = opened;
    kith_world_free(state->world);
    bench_types_free(state->made);
    free(state->values);
    free(state);
}

static bench_sample small_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    const small_state *state = opened;
    uint64_t visited = 0;
    double start = bench_now();
    for (uint32_t pass = 0; pass < SMALL_PASSES; pass++) {
        float factor = small_factor(pass);
        for (kith_iter it = kith_query_iter(state->query); kith_next(&it);) {
            Data *data = KITH_COLUMN_MUT(&it, Data);
            for (uint32_t i = 0; i < it.count; i++) {
                data[i].value *= factor;
            }
            visited += it.count;
        }
    }
    double ns = (bench_now() - start) / SMALL_PASSES;
    double sum = 0;
    for (kith_iter it = kith_query_iter(state->query); kith_next(&it);) {
        const Data *data = KITH_COLUMN(&it, Data);
        for (uint32_t i = 0; i < it.count; i++) {
            sum += (double)data[i].value;
        }
    }
    return (bench_sample){ns, visited + (uint64_t)sum};
}

static bench_sample small_by_arrays(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const small_state *state = opened;
    uint64_t visited = 0;
    double start = bench_now();
    for (uint32_t pass = 0; pass < SMALL_PASSES; pass++) {
        float factor = small_factor(pass);
        float *volatile values = state->values; /* a pass each, not all of them at once */
        float *restrict value = values;
        for (uint32_t i = 0; i < n; i++) {
            value[i] *= factor;
        }
        visited += n;
    }
    double ns = (bench_now() - start) / SMALL_PASSES;
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += (double)state->values[i];
    }
    return (bench_sample){ns, visited + (uint64_t)sum};
}

/* ---- The same work in a world of 4,096 types and 100,000 tables, and in a small one ------------ */

#define LARGE_TYPES 4096u
#define LARGE_TABLES 100000u

typedef struct large_state {
    kith_world *world;
    bench_types made;
} large_state;

/* Made once: it takes longer than what is measured. */
static large_state *large_world(void)
{
    static large_state state;
    if (state.world == NULL) {
        state.world = bench_world(KITH_TABLE);
        kith_register(state.world, &Extra_type, NULL);
        kith_register(state.world, &Data_type, NULL);
        state.made = types_make(state.world, LARGE_TYPES, KITH_TABLE);
        const kith_type *types = state.made.types;
        for (uint32_t i = 0; i < LARGE_TABLES; i++) {
            const kith_value values[] = {{&types[i % LARGE_TYPES], NULL},
                                         {&types[(i + 1 + i / LARGE_TYPES) % LARGE_TYPES], NULL}};
            kith_spawn_or_none(state.world, values, 2);
        }
    }
    return &state;
}

static large_state *small_world(void)
{
    static large_state state;
    if (state.world == NULL) {
        state.world = bench_world(KITH_TABLE);
        kith_register(state.world, &Extra_type, NULL);
    }
    return &state;
}

/* Create, add, make a query, iterate, despawn. */
static bench_sample large_work(large_state *state, uint32_t n)
{
    kith_world *world = state->world;
    kith_entity *handles = bench_take(n * sizeof *handles);
    double sum = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        Position position = bench_position(i);
        Velocity velocity = bench_velocity(i);
        handles[i] =
            KITH_SPAWN(world, KITH_VALUE(Position, position), KITH_VALUE(Velocity, velocity));
        if (i % 4 == 0) {
            KITH_ADD(world, handles[i], Extra);
        }
    }
    kith_query *query = KITH_QUERY(world, KITH_WRITE(Position), KITH_READ(Velocity));
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        Position *position = KITH_COLUMN_MUT(&it, Position);
        const Velocity *velocity = KITH_COLUMN(&it, Velocity);
        for (uint32_t i = 0; i < it.count; i++) {
            position[i].x += velocity[i].x * BENCH_DT;
            sum += (double)position[i].x;
        }
    }
    kith_query_free(query);
    for (uint32_t i = 0; i < n; i++) {
        kith_despawn(world, handles[i]);
    }
    double ns = bench_now() - start;
    free(handles);
    return (bench_sample){ns, (uint64_t)sum};
}

static bench_sample large_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)opened;
    (void)layout;
    return large_work(large_world(), n);
}

static bench_sample large_by_small(void *opened, uint32_t n, kith_layout layout)
{
    (void)opened;
    (void)layout;
    return large_work(small_world(), n);
}

const bench_workload bench_tables[] = {
    {"small-tables",
     "26 types on 20 entities each, all with Data: Data *= 2",
     520,
     KITH_TABLE,
     9,
     {open_small, small_by_kith, close_small},
     {open_small_arrays, small_by_arrays, close_small},
     BENCH_ALONE},
    {"small-tables",
     "",
     520,
     KITH_SPARSE,
     3,
     {open_small, small_by_kith, close_small},
     {open_small_arrays, small_by_arrays, close_small},
     BENCH_ALONE},
    {"small-tables",
     "",
     520,
     KITH_SLOT,
     0,
     {open_small, small_by_kith, close_small},
     {open_small_arrays, small_by_arrays, close_small},
     BENCH_ALONE},
    {"large-world",
     "frames among 4,096 types and 1e5 tables; beside: few",
     10000,
     KITH_TABLE,
     1.5,
     {NULL, large_by_kith, NULL},
     {NULL, large_by_small, NULL},
     BENCH_ALONE},
};
const uint32_t bench_tables_count = sizeof bench_tables / sizeof bench_tables[0];

/* ---- A fresh query over 1,024 tables, 256 of which match: made, counted, freed ------------------ */

#define FRESH_TABLES 1024u
#define FRESH_MATCHES 256u

typedef struct fresh_state {
    kith_world *world;
    bench_types made;
} fresh_state;

void *bench_open_fresh(uint32_t n, kith_layout layout)
{
    (void)n;
    fresh_state *state = bench_take(sizeof *state);
    state->world = bench_world(layout);
    state->made = types_make(state->world, 10, layout);
    for (uint32_t set = 0; set < FRESH_TABLES; set++) {
        kith_value values[10];
        uint32_t count = 0;
        for (uint32_t bit = 0; bit < 10; bit++) {
            if (set >> bit & 1) {
                values[count++] = (kith_value){&state->made.types[bit], NULL};
            }
        }
        kith_spawn_or_none(state->world, values, count);
    }
    return state;
}

void bench_close_fresh(void *opened)
{
    fresh_state *state = opened;
    kith_world_free(state->world);
    bench_types_free(state->made);
    free(state);
}

bench_sample bench_run_fresh(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const fresh_state *state = opened;
    const kith_term terms[] = {{.type = &state->made.types[0], .access = KITH_ACCESS_READ},
                               {.type = &state->made.types[1], .access = KITH_ACCESS_READ},
                               {0}};
    uint64_t count = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        kith_query *query = NULL;
        kith_query_new(state->world, &(kith_query_def){.terms = terms}, &query);
        count += kith_query_count(query);
        kith_query_free(query);
    }
    double ns = bench_now() - start;
    if (count != (uint64_t)FRESH_MATCHES * n) {
        bench_fail("a query does not count what matches 256 tables");
    }
    return (bench_sample){ns, count};
}
