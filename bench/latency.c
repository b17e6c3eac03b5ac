/* The longest single operation: a frame must not stall because an array doubled. */
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

#define RUNS 9u
#define GROWN 1000000u
#define CHURNED 100000u

/* Each spawn alone, from an empty world to a million entities. */
static double longest_while_growing(void)
{
    kith_world *world = bench_world(KITH_TABLE);
    double longest = 0;
    double last = bench_now();
    for (uint32_t i = 0; i < GROWN; i++) {
        KITH_SPAWN(world, KITH_VALUE(Position), KITH_VALUE(Velocity));
        double now = bench_now();
        longest = now - last > longest ? now - last : longest;
        last = now;
    }
    kith_world_free(world);
    return longest;
}

/* Each of a million texts alone. */
static double longest_while_interning(void)
{
    kith_world *world = kith_world_new(NULL);
    double longest = 0;
    for (uint32_t i = 0; i < GROWN; i++) {
        char text[24];
        kith_text kept;
        snprintf(text, sizeof text, "text %u", i);
        double start = bench_now();
        kith_text_intern(world, text, &kept);
        double ns = bench_now() - start;
        longest = ns > longest ? ns : longest;
    }
    kith_world_free(world);
    return longest;
}

/* The clock alone, for as long: what the machine itself takes away. */
static double longest_of_the_clock(void)
{
    double longest = 0;
    double last = bench_now();
    for (uint32_t i = 0; i < GROWN; i++) {
        double now = bench_now();
        longest = now - last > longest ? now - last : longest;
        last = now;
    }
    return longest;
}

/* A tenth of the entities goes and comes each frame, twenty frames. */
static double longest_while_churning(void)
{
    kith_entity *handles = bench_take(CHURNED * sizeof *handles);
    kith_world *world = bench_filled_world(KITH_TABLE, CHURNED, handles);
    double longest = 0;
    for (uint32_t frame = 0; frame < 20; frame++) {
        double last = bench_now();
        for (uint32_t i = frame % 10; i < CHURNED; i += 10) {
            kith_despawn(world, handles[i]);
            handles[i] = KITH_SPAWN(world, KITH_VALUE(Position), KITH_VALUE(Velocity));
            double now = bench_now();
            longest = now - last > longest ? now - last : longest;
            last = now;
        }
    }
    kith_world_free(world);
    free(handles);
    return longest;
}

static void print_longest(const char *what, double (*run)(void), double target)
{
    if (bench_targets_only && target <= 0) {
        return;
    }
    double longest[RUNS];
    for (uint32_t i = 0; i < RUNS; i++) {
        longest[i] = run() / 1e6;
    }
    bench_sort(longest, RUNS);
    bench_print_figure((bench_figure){.what = what,
                                      .unit = "ms",
                                      .least = longest[0],
                                      .median = longest[RUNS / 2],
                                      .target = target,
                                      .of_median = true});
}

void bench_latency(void)
{
    bench_print_figure_head("longest single operation of 9 runs");
    print_longest("spawning, while a world grows to a million", longest_while_growing, 0.1);
    print_longest("a tenth of 100,000 ended and made each frame", longest_while_churning, 0.2);
    print_longest("kith_text_intern, up to a million texts", longest_while_interning, 0.2);
    print_longest("nothing but the clock", longest_of_the_clock, 0);
}
