/* The benchmark program: runs each workload by Kith and by hand-written arrays in turn. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

#define SAMPLES 15
#define WARM_UP 2

double bench_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

void *bench_take(size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL) {
        fprintf(stderr, "bench: no memory for %zu bytes\n", size);
        exit(1);
    }
    return memory;
}

kith_world *bench_world(kith_layout layout)
{
    kith_world *world = kith_world_new(NULL);
    const kith_component_def def = {.layout = layout};
    if (world == NULL || kith_register(world, &Position_type, &def) != KITH_OK ||
        kith_register(world, &Velocity_type, &def) != KITH_OK) {
        fprintf(stderr, "bench: no memory for a world\n");
        exit(1);
    }
    return world;
}

uint32_t *bench_shuffled(uint32_t n)
{
    uint32_t *numbers = bench_take(n * sizeof *numbers);
    for (uint32_t i = 0; i < n; i++) {
        numbers[i] = i;
    }
    uint64_t state = 42;
    for (uint32_t i = n - 1; i > 0; i--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint32_t other = (uint32_t)((state >> 33) % (i + 1));
        uint32_t kept = numbers[i];
        numbers[i] = numbers[other];
        numbers[other] = kept;
    }
    return numbers;
}

static int compare_doubles(const void *a, const void *b)
{
    double first = *(const double *)a;
    double second = *(const double *)b;
    return (first > second) - (first < second);
}

typedef struct measured {
    double minimum;
    double median;
} measured;

static measured summarize(double *samples)
{
    qsort(samples, SAMPLES, sizeof *samples, compare_doubles);
    return (measured){samples[0], samples[SAMPLES / 2]};
}

static bench_sample run_once(const bench_workload *w, const bench_side *side)
{
    void *state = side->open == NULL ? NULL : side->open(w->n, w->layout);
    bench_sample sample = side->run(state, w->n, w->layout);
    if (side->close != NULL) {
        side->close(state);
    }
    return sample;
}

static const char *layout_name(kith_layout layout)
{
    return layout == KITH_TABLE ? "table" : layout == KITH_SPARSE ? "sparse" : "slot";
}

/* False if the two sides came to different checksums. */
static bool run_workload(const bench_workload *w)
{
    double by_kith[SAMPLES];
    double by_arrays[SAMPLES];
    for (int i = -WARM_UP; i < SAMPLES; i++) {
        bench_sample kith = run_once(w, &w->kith);
        bench_sample arrays = run_once(w, &w->arrays);
        if (kith.checksum != arrays.checksum) {
            printf("%-14s %-7s %8u  WRONG: checksum %llu, arrays %llu\n", w->name,
                   layout_name(w->layout), w->n, (unsigned long long)kith.checksum,
                   (unsigned long long)arrays.checksum);
            return false;
        }
        if (i >= 0) {
            by_kith[i] = kith.ns / w->n;
            by_arrays[i] = arrays.ns / w->n;
        }
    }
    measured kith = summarize(by_kith);
    measured arrays = summarize(by_arrays);
    double ratio = kith.minimum / arrays.minimum;
    char target[16] = "";
    const char *verdict = "";
    if (w->target > 0) {
        snprintf(target, sizeof target, "%.2f", w->target);
        verdict = ratio <= w->target ? "within" : "beyond";
    }
    printf("%-14s %-7s %8u  %8.2f %8.2f  %8.2f %8.2f  %6.2f %7s  %s\n", w->name,
           layout_name(w->layout), w->n, kith.minimum, kith.median, arrays.minimum, arrays.median,
           ratio, target, verdict);
    fflush(stdout);
    return true;
}

typedef struct options {
    const char *only;
    bool list;
} options;

static bool run_group(const bench_workload *workloads, uint32_t count, options o)
{
    bool right = true;
    const char *listed = "";
    for (uint32_t i = 0; i < count; i++) {
        const bench_workload *w = &workloads[i];
        if (o.only != NULL && strcmp(o.only, w->name) != 0) {
            continue;
        }
        if (!o.list) {
            right = run_workload(w) && right;
        } else if (strcmp(listed, w->name) != 0) {
            printf("%-14s %s\n", w->name, w->what);
            listed = w->name;
        }
    }
    return right;
}

static const struct {
    const bench_workload *workloads;
    const uint32_t *count;
} groups[] = {
    {bench_create, &bench_create_count},
    {bench_get, &bench_get_count},
    {bench_loop, &bench_loop_count},
    {bench_commands, &bench_commands_count},
    {bench_scene, &bench_scene_count},
};
#define GROUP_COUNT (sizeof groups / sizeof groups[0])

static bool is_known(const char *name)
{
    bool known = strcmp(name, "memory") == 0;
    for (uint32_t group = 0; group < GROUP_COUNT; group++) {
        for (uint32_t i = 0; i < *groups[group].count; i++) {
            known = known || strcmp(groups[group].workloads[i].name, name) == 0;
        }
    }
    return known;
}

static const char usage[] =
    "bench [--list] [--only NAME]\n"
    "\n"
    "Runs each workload by Kith and by hand-written arrays in turn, and prints ns per operation\n"
    "(minimum and median), the ratio of the minima, and the target for that ratio.\n"
    "\n"
    "  --list       the workloads, a line each\n"
    "  --only NAME  this workload alone; `memory` is one too\n";

int main(int argc, char **argv)
{
    options o = {0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--list") == 0) {
            o.list = true;
        } else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc && is_known(argv[i + 1])) {
            o.only = argv[++i];
        } else {
            bool help = strcmp(argv[i], "--help") == 0;
            if (!help) {
                fprintf(stderr, "bench: %s: not understood; --list names the workloads\n\n",
                        argv[i]);
            }
            fputs(usage, help ? stdout : stderr);
            return help ? 0 : 2;
        }
    }
    bool memory = o.only == NULL || strcmp(o.only, "memory") == 0;
    if (!o.list && (o.only == NULL || !memory)) {
        printf("%-14s %-7s %8s  %8s %8s  %8s %8s  %6s %7s\n", "workload", "layout", "n", "ns",
               "median", "arrays", "median", "ratio", "target");
    }
    bool right = true;
    for (uint32_t group = 0; group < GROUP_COUNT; group++) {
        right = run_group(groups[group].workloads, *groups[group].count, o) && right;
    }
    if (o.list) {
        printf("%-14s %s\n", "memory", "bytes of worlds, entities, tables, queries and types");
    } else if (memory) {
        bench_memory();
    }
    return right ? 0 : 1;
}
