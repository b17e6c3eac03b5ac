/* What things cost in bytes, by the world's own count (without the allocator's overhead), and in
 * time. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

#define TABLES 1000u
#define QUERIES 1000u

static size_t used(const kith_world *world)
{
    return kith_memory(world).used;
}

static void print_row(const char *what, double bytes, double byte_target, double ns,
                      double ns_target)
{
    printf("%-46s %9.1f %9.0f", what, bytes, byte_target);
    if (ns_target > 0) {
        printf(" %9.0f %9.0f", ns, ns_target);
    }
    printf("\n");
}

static void measure_world(void)
{
    double best = 1e9;
    size_t bytes = 0;
    for (int i = 0; i < 1000; i++) {
        double start = bench_now();
        kith_world *world = kith_world_new(NULL);
        bytes = used(world);
        kith_world_free(world);
        double ns = bench_now() - start;
        best = ns < best ? ns : best;
    }
    print_row("an empty world (made and freed)", (double)bytes, 8192, best, 2000);
}

static void measure_entity(void)
{
    const uint32_t n = 1000000;
    kith_world *world = bench_world(KITH_TABLE);
    size_t before = used(world);
    for (uint32_t i = 0; i < n; i++) {
        KITH_SPAWN(world, KITH_ZERO(Position), KITH_ZERO(Velocity));
    }
    print_row("an entity with Position and Velocity, of 1e6", (double)(used(world) - before) / n,
              40, 0, 0);
    kith_world_free(world);
}

static void measure_types_and_tables(void)
{
    bench_types made = bench_types_new("Bench", 0, TABLES, 3);
    const kith_type *types = made.types;
    kith_world *world = kith_world_new(NULL);
    size_t before = used(world);
    double start = bench_now();
    for (uint32_t i = 0; i < TABLES; i++) {
        kith_register(world, &types[i], NULL);
    }
    double ns = (bench_now() - start) / TABLES;
    print_row("registering a component", (double)(used(world) - before) / TABLES, 256, ns, 500);

    before = used(world);
    start = bench_now();
    for (uint32_t i = 0; i < TABLES - 2; i++) {
        const kith_value values[] = {
            {&types[i], NULL}, {&types[i + 1], NULL}, {&types[i + 2], NULL}};
        kith_spawn_or_none(world, values, 3);
    }
    ns = (bench_now() - start) / (TABLES - 2);
    print_row("a table of 3 components with 1 entity",
              (double)(used(world) - before) / (TABLES - 2), 1024, ns, 1000);
    kith_world_free(world);
    bench_types_free(made);
}

static void measure_query(void)
{
    kith_world *world = bench_world(KITH_TABLE);
    kith_query **queries = bench_take(QUERIES * sizeof *queries);
    size_t before = used(world);
    double start = bench_now();
    for (uint32_t i = 0; i < QUERIES; i++) {
        queries[i] = KITH_QUERY(world, KITH_READ(Position), KITH_READ(Velocity));
    }
    double ns = (bench_now() - start) / QUERIES;
    for (uint32_t i = 0; i < QUERIES; i++) {
        for (kith_iter it = kith_query_iter(queries[i]); kith_next(&it);) {
        }
    }
    print_row("a query of 2 terms without matches, used once",
              (double)(used(world) - before) / QUERIES, 1024, ns, 1000);
    kith_world_free(world);
    free(queries);
}

void bench_memory(void)
{
    printf("\n%-46s %9s %9s %9s %9s\n", "memory", "bytes", "target", "ns", "target");
    measure_world();
    measure_entity();
    measure_types_and_tables();
    measure_query();
}
