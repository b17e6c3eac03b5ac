/* Many types and many tables: loops over small tables, fresh queries, and a large world beside a small
 * one. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

typedef struct Data {
    float value;
} Data;
KITH_TYPE(Data, KITH_FIELD(Data, value));

/* Types T0, T1, ... of 4 bytes, without structs behind them. */
typedef struct made_types {
    kith_type *types;
    uint32_t *numbers;
    char (*names)[16];
} made_types;

static made_types types_make(kith_world *world, uint32_t count)
{
    static const kith_field field = {"value", 0, 4, KITH_F32};
    made_types made = {bench_take(count * sizeof(kith_type)), bench_take(count * sizeof(uint32_t)),
                       bench_take(count * sizeof(char[16]))};
    for (uint32_t i = 0; i < count; i++) {
        snprintf(made.names[i], sizeof made.names[i], "T%u", i);
        made.numbers[i] = 0;
        made.types[i] = (kith_type){.name = made.names[i],
                                    .size = 4,
                                    .align = 4,
                                    .field_count = 1,
                                    .fields = &field,
                                    .number = &made.numbers[i]};
        kith_register(world, &made.types[i], NULL);
    }
    return made;
}

static void types_free(made_types made)
{
    free(made.types);
    free(made.numbers);
    free(made.names);
}

/* ---- 26 types on 20 entities each, all with Data: Data *= 2 ----------------------------------- */

#define SMALL_TYPES 26u
#define SMALL_PASSES 200u

typedef struct small_state {
    kith_world *world;
    kith_query *query;
    made_types made;
    float *values;
} small_state;

static void *open_small(uint32_t n, kith_layout layout)
{
    small_state *state = bench_take(sizeof *state);
    state->world = bench_world(layout);
    kith_register(state->world, &Data_type, NULL);
    state->made = types_make(state->world, SMALL_TYPES);
    state->query = KITH_QUERY(state->world, KITH_WRITE(Data));
    state->values = bench_take(n * sizeof *state->values);
    for (uint32_t i = 0; i < n; i++) {
        Data data = {0};
        state->values[i] = 0;
        KITH_SPAWN(state->world, {KITH_FROM(Data, &data)},
                   {&state->made.types[i % SMALL_TYPES], NULL});
    }
    return state;
}

static void close_small(void *opened)
{
    small_state *state = opened;
    kith_world_free(state->world);
    types_free(state->made);
    free(state->values);
    free(state);
}

static bench_sample small_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const small_state *state = opened;
    uint64_t visited = 0;
    double start = bench_now();
    for (uint32_t pass = 0; pass < SMALL_PASSES; pass++) {
        for (kith_iter it = kith_query_iter(state->query); kith_next(&it);) {
            Data *data = KITH_COLUMN_MUT(&it, 0, Data);
            for (uint32_t i = 0; i < it.count; i++) {
                data[i].value *= 2;
            }
            visited += it.count;
        }
    }
    (void)n;
    return (bench_sample){(bench_now() - start) / SMALL_PASSES, visited};
}

static bench_sample small_by_arrays(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const small_state *state = opened;
    uint64_t visited = 0;
    double start = bench_now();
    for (uint32_t pass = 0; pass < SMALL_PASSES; pass++) {
        float *volatile values = state->values; /* a pass each, not all of them at once */
        float *restrict value = values;
        for (uint32_t i = 0; i < n; i++) {
            value[i] *= 2;
        }
        visited += n;
    }
    return (bench_sample){(bench_now() - start) / SMALL_PASSES, visited};
}

/* ---- The same work in a world of 4,096 types and 100,000 tables, and in a small one ------------ */

#define LARGE_TYPES 4096u
#define LARGE_TABLES 100000u

typedef struct large_state {
    kith_world *world;
    made_types made;
    kith_query *query;
} large_state;

/* Made once: it takes longer than what is measured. */
static large_state *large_world(void)
{
    static large_state state;
    if (state.world == NULL) {
        state.world = bench_world(KITH_TABLE);
        kith_register(state.world, &Extra_type, NULL);
        kith_register(state.world, &Data_type, NULL);
        state.made = types_make(state.world, LARGE_TYPES);
        state.query = KITH_QUERY(state.world, KITH_WRITE(Position), KITH_READ(Velocity));
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
        state.query = KITH_QUERY(state.world, KITH_WRITE(Position), KITH_READ(Velocity));
    }
    return &state;
}

/* Create, add, query afresh, iterate, despawn. */
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
            KITH_SPAWN(world, {KITH_FROM(Position, &position)}, {KITH_FROM(Velocity, &velocity)});
        if (i % 4 == 0) {
            KITH_ADD(world, handles[i], Extra);
        }
    }
    for (kith_iter it = kith_query_iter(state->query); kith_next(&it);) {
        Position *position = KITH_COLUMN_MUT(&it, 0, Position);
        const Velocity *velocity = KITH_COLUMN(&it, 1, Velocity);
        for (uint32_t i = 0; i < it.count; i++) {
            position[i].x += velocity[i].x * BENCH_DT;
            sum += (double)position[i].x;
        }
    }
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
     7,
     {open_small, small_by_kith, close_small},
     {open_small, small_by_arrays, close_small}},
    {"large-world",
     "create, add, iterate, despawn among 4,096 types and 100,000 tables; beside: the"
     " same in a small world",
     10000,
     KITH_TABLE,
     1.5,
     {NULL, large_by_kith, NULL},
     {NULL, large_by_small, NULL}},
};
const uint32_t bench_tables_count = sizeof bench_tables / sizeof bench_tables[0];

/* ---- A fresh query over 1,024 tables, 256 of which match: made, counted, freed ------------------ */

static double run_fresh_query(void)
{
    kith_world *world = bench_world(KITH_TABLE);
    made_types made = types_make(world, 12);
    for (uint32_t set = 0; set < 1024; set++) {
        kith_value values[10];
        uint32_t count = 0;
        for (uint32_t bit = 0; bit < 10; bit++) {
            if (set >> bit & 1) {
                values[count++] = (kith_value){&made.types[bit], NULL};
            }
        }
        kith_spawn_or_none(world, values, count);
    }
    const kith_term terms[] = {{.type = &made.types[0], .access = KITH_ACCESS_READ},
                               {.type = &made.types[1], .access = KITH_ACCESS_READ}};
    double best = 1e18;
    for (uint32_t i = 0; i < 200; i++) {
        double start = bench_now();
        kith_query *query = NULL;
        kith_query_new(world, &(kith_query_def){.terms = terms, .term_count = 2}, &query);
        uint32_t count = kith_query_count(query);
        kith_query_free(query);
        double ns = bench_now() - start;
        best = ns < best ? ns : best;
        if (count != 256) {
            fprintf(stderr, "bench: a query counts %u of 256\n", count);
            exit(1);
        }
    }
    kith_world_free(world);
    types_free(made);
    return best;
}

const bench_probe bench_probes[] = {
    {"fresh-query", "a query made over 1,024 tables, what matches 256 of them counted, freed", 1000,
     run_fresh_query},
};
const uint32_t bench_probes_count = sizeof bench_probes / sizeof bench_probes[0];
