/* What things cost in bytes, by the world's own count (without the allocator's overhead), and in
 * time: the least of several rounds. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

#define TABLES 1000u
#define QUERIES 1000u
#define WORLDS 10u
#define ROUNDS 9u
#define FRESH 200u

/* Of one of many that were made. */
typedef struct cost {
    double bytes;
    double ns;
} cost;

static size_t used(const kith_world *world)
{
    return kith_memory(world).used;
}

static void print_row(const char *what, double bytes, double byte_target, double ns,
                      double ns_target)
{
    bench_print_figure(
        (bench_figure){.what = what, .unit = "bytes", .least = bytes, .target = byte_target});
    if (ns_target > 0) {
        bench_print_figure(
            (bench_figure){.what = "    the same", .unit = "ns", .least = ns, .target = ns_target});
    }
}

static void measure_world(void)
{
    double best = 1e9;
    size_t bytes = 0;
    for (int i = 0; i < 1000; i++) {
        double start = bench_now();
        for (uint32_t k = 0; k < WORLDS; k++) { /* reading the clock takes a tenth of one */
            kith_world *world = kith_world_new(NULL);
            bytes = used(world);
            kith_world_free(world);
        }
        double ns = (bench_now() - start) / WORLDS;
        best = ns < best ? ns : best;
    }
    print_row("an empty world (made and freed)", (double)bytes, 4096, best, 250);
}

static void measure_entity(void)
{
    const uint32_t n = 1000000;
    kith_world *world = bench_world(KITH_TABLE);
    size_t before = used(world);
    for (uint32_t i = 0; i < n; i++) {
        KITH_SPAWN(world, KITH_VALUE(Position), KITH_VALUE(Velocity));
    }
    print_row("an entity with Position and Velocity, of 1e6", (double)(used(world) - before) / n,
              36.5, 0, 0);
    kith_world_free(world);
}

/* The bytes of the first round: a world has 8 bytes for each number that a type of the process has up to
 * its highest, and later rounds have higher ones. */
static void keep_least(cost *least, size_t bytes, double ns, uint32_t count, uint32_t round)
{
    if (round == 0) {
        *least = (cost){(double)bytes / count, ns / count};
    } else if (ns / count < least->ns) {
        least->ns = ns / count;
    }
}

/* Each round takes types that nobody has registered before. */
static void measure_types_and_tables(void)
{
    cost type = {0}, table = {0};
    for (uint32_t round = 0; round < ROUNDS; round++) {
        bench_types made = bench_types_new("Bench", round * TABLES, TABLES, 3);
        const kith_type *types = made.types;
        kith_world *world = kith_world_new(NULL);

        size_t before = used(world);
        double start = bench_now();
        for (uint32_t i = 0; i < TABLES; i++) {
            kith_register(world, &types[i], NULL);
        }
        keep_least(&type, used(world) - before, bench_now() - start, TABLES, round);

        before = used(world);
        start = bench_now();
        for (uint32_t i = 0; i < TABLES - 2; i++) {
            const kith_value values[] = {
                {&types[i], NULL}, {&types[i + 1], NULL}, {&types[i + 2], NULL}};
            kith_spawn_or_none(world, values, 3);
        }
        keep_least(&table, used(world) - before, bench_now() - start, TABLES - 2, round);
        kith_world_free(world);
        bench_types_free(made);
    }
    print_row("registering a component", type.bytes, 256, type.ns, 500);
    print_row("a table of 3 components with 1 entity", table.bytes, 1024, table.ns, 300);
}

static void measure_query(void)
{
    cost query = {0};
    kith_query **queries = bench_take(QUERIES * sizeof *queries);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        kith_world *world = bench_world(KITH_TABLE);
        size_t before = used(world);
        double start = bench_now();
        for (uint32_t i = 0; i < QUERIES; i++) {
            queries[i] = KITH_QUERY(world, KITH_READ(Position), KITH_READ(Velocity));
        }
        double ns = bench_now() - start;
        for (uint32_t i = 0; i < QUERIES; i++) {
            for (kith_iter it = kith_query_iter(queries[i]); kith_next(&it);) {
            }
        }
        keep_least(&query, used(world) - before, ns, QUERIES, round);
        kith_world_free(world);
    }
    print_row("a query of 2 terms without matches, used once", query.bytes, 1024, query.ns, 1000);
    free(queries);
}

void bench_memory(void)
{
    bench_print_figure_head("memory, and the time that it takes");
    measure_world();
    measure_entity();
    measure_types_and_tables();
    measure_query();
}

void bench_fresh_query(void)
{
    double ns[FRESH];
    void *state = bench_open_fresh(1, KITH_TABLE);
    for (uint32_t i = 0; i < FRESH; i++) {
        ns[i] = bench_run_fresh(state, 1, KITH_TABLE).ns;
    }
    bench_close_fresh(state);
    bench_sort(ns, FRESH);
    bench_print_figure_head("queries");
    bench_print_figure((bench_figure){.what = "a query over 1,024 tables, made and counted",
                                      .unit = "ns",
                                      .least = ns[0],
                                      .median = ns[FRESH / 2],
                                      .target = 300});
}
