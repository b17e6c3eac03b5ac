/* The benchmark program: runs each workload by Kith and by hand-written arrays in turn. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

#define SAMPLES 15

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

kith_world *bench_filled_world(kith_layout layout, uint32_t n, kith_entity *handles)
{
    kith_world *world = bench_world(layout);
    const kith_component_def def = {.layout = layout};
    if (kith_register(world, &Extra_type, &def) != KITH_OK ||
        kith_register(world, &Marker_type, &def) != KITH_OK) {
        fprintf(stderr, "bench: no memory for a world\n");
        exit(1);
    }
    for (uint32_t i = 0; i < n; i++) {
        Position position = bench_position(i);
        Velocity velocity = bench_velocity(i);
        handles[i] =
            KITH_SPAWN(world, {KITH_FROM(Position, &position)}, {KITH_FROM(Velocity, &velocity)});
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

static void print_row(const bench_row *row)
{
    const bench_workload *w = row->workload;
    char target[16] = "";
    if (w->target > 0) {
        snprintf(target, sizeof target, "%.2f", w->target);
    }
    printf("%-14s %-7s %8u  %8.2f %8.2f  %8.2f %8.2f  %6.2f %7s  %s\n", w->name,
           bench_layout_name(w->layout), row->n, row->ns, row->median, row->arrays_ns,
           row->arrays_median, row->ratio, target,
           row->right ? bench_verdict(row) : "WRONG: the checksums differ");
    fflush(stdout);
}

static const struct {
    const bench_workload *workloads;
    const uint32_t *count;
} groups[] = {
    {bench_create, &bench_create_count},   {bench_destroy, &bench_destroy_count},
    {bench_change, &bench_change_count},   {bench_get, &bench_get_count},
    {bench_loop, &bench_loop_count},       {bench_filter, &bench_filter_count},
    {bench_tables, &bench_tables_count},   {bench_commands, &bench_commands_count},
    {bench_systems, &bench_systems_count}, {bench_observers, &bench_observers_count},
    {bench_scene, &bench_scene_count},     {bench_collide, &bench_collide_count},
};
#define GROUP_COUNT (sizeof groups / sizeof groups[0])

/* What is measured otherwise than beside a twin, and rows whose feature is not there yet. */
static const struct {
    const char *name;
    const char *what;
    void (*run)(void);
} others[] = {
    {"memory", "bytes of worlds, entities, tables, queries and types", bench_memory},
    {"latency", "the longest single operation while a world grows, and while it churns",
     bench_latency},
    {"term", "bytes and time of frames on a terminal of 160 by 50", bench_term},
};
#define OTHER_COUNT (sizeof others / sizeof others[0])
static const struct {
    const char *name;
    const char *layout;
    const char *target;
} pending[] = {
    {"transforms", "table", "3.00"},
};

typedef struct options {
    const char *only; /* NULL: all */
    const char *json;
    const char *plot;
    bool list;
} options;

static bool is_wanted(options o, const char *name)
{
    return o.only == NULL || strcmp(o.only, name) == 0;
}

static uint32_t count_workloads(void)
{
    uint32_t count = 0;
    for (uint32_t group = 0; group < GROUP_COUNT; group++) {
        count += *groups[group].count;
    }
    return count;
}

static const bench_workload *workload_at(uint32_t number)
{
    uint32_t group = 0;
    while (number >= *groups[group].count) {
        number -= *groups[group++].count;
    }
    return &groups[group].workloads[number];
}

static void list_all(void)
{
    for (uint32_t i = 0; i < count_workloads(); i++) {
        const bench_workload *w = workload_at(i);
        if (w->what[0] != '\0') {
            printf("%-14s %s\n", w->name, w->what);
        }
    }
    for (uint32_t i = 0; i < bench_probes_count; i++) {
        printf("%-14s %s\n", bench_probes[i].name, bench_probes[i].what);
    }
    for (size_t i = 0; i < OTHER_COUNT; i++) {
        printf("%-14s %s\n", others[i].name, others[i].what);
    }
}

static bool is_known(const char *name)
{
    for (uint32_t i = 0; i < count_workloads(); i++) {
        if (strcmp(workload_at(i)->name, name) == 0) {
            return true;
        }
    }
    for (uint32_t i = 0; i < bench_probes_count; i++) {
        if (strcmp(bench_probes[i].name, name) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < OTHER_COUNT; i++) {
        if (strcmp(others[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Measures and prints; true if all checksums agreed. */
static bool run_workloads(options o, bench_row *rows, uint32_t *row_count)
{
    bool right = true;
    for (uint32_t i = 0; i < count_workloads(); i++) {
        const bench_workload *w = workload_at(i);
        if (!is_wanted(o, w->name)) {
            continue;
        }
        if (*row_count == 0) {
            printf("%-14s %-7s %8s  %8s %8s  %8s %8s  %6s %7s\n", "workload", "layout", "n", "ns",
                   "median", "arrays", "median", "ratio", "target");
        }
        bench_row row = bench_measure(w, w->n, SAMPLES);
        print_row(&row);
        right = right && row.right;
        rows[(*row_count)++] = row;
    }
    for (size_t i = 0; o.only == NULL && i < sizeof pending / sizeof pending[0]; i++) {
        printf("%-14s %-7s %8s  %8s %8s  %8s %8s  %6s %7s  pending\n", pending[i].name,
               pending[i].layout, "", "", "", "", "", "", pending[i].target);
    }
    return right;
}

static void run_probes(options o)
{
    for (uint32_t i = 0; i < bench_probes_count; i++) {
        const bench_probe *probe = &bench_probes[i];
        if (is_wanted(o, probe->name)) {
            double ns = probe->run();
            printf("%-14s %8.0f ns, target %.0f: %s (%s)\n", probe->name, ns, probe->target,
                   ns <= probe->target ? "within" : "beyond", probe->what);
        }
    }
}

/* ---- The picture ------------------------------------------------------------------------------- */

static bool run_plot(const char *path)
{
    static const struct {
        const char *name;
        uint32_t sizes; /* from 10^3 on */
    } drawn[] = {{"create-two", 5}, {"destroy", 5}, {"add-remove", 5},
                 {"get", 5},        {"loop", 5},    {"collide", 3}};
    enum { DRAWN = sizeof drawn / sizeof drawn[0], SIZES = 5 };
    static bench_row rows[DRAWN * SIZES];
    uint32_t count = 0;
    for (uint32_t d = 0; d < DRAWN; d++) {
        uint32_t number = 0;
        while (strcmp(workload_at(number)->name, drawn[d].name) != 0) {
            number++;
        }
        uint32_t n = 1000;
        for (uint32_t size = 0; size < drawn[d].sizes; size++, n *= 10) {
            rows[count] = bench_measure(workload_at(number), n, n >= 10000000 ? 3 : 9);
            print_row(&rows[count++]);
        }
    }
    return bench_write_plot(path, rows, count);
}

/* ---- The program ------------------------------------------------------------------------------- */

static const char usage[] =
    "bench [--list] [--only NAME] [--json FILE] [--plot FILE]\n"
    "\n"
    "Runs each workload by Kith and by hand-written arrays in turn, and prints ns per operation\n"
    "(minimum and median), the ratio of the minima, and the target for that ratio.\n"
    "\n"
    "  --list       the workloads, a line each\n"
    "  --only NAME  this workload alone\n"
    "  --json FILE  writes the rows to a file as well\n"
    "  --plot FILE  instead, measures the main workloads at 10^3 to 10^7 entities, and draws how\n"
    "               their cost grows, as SVG; takes some minutes and 1 GB of memory\n";

/* False if the arguments make no sense; `*help` if they ask for it. */
static bool read_options(int argc, char **argv, options *o, bool *help)
{
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--list") == 0) {
            o->list = true;
        } else if (strcmp(argv[i], "--only") == 0 && more && is_known(argv[i + 1])) {
            o->only = argv[++i];
        } else if (strcmp(argv[i], "--json") == 0 && more) {
            o->json = argv[++i];
        } else if (strcmp(argv[i], "--plot") == 0 && more) {
            o->plot = argv[++i];
        } else {
            *help = strcmp(argv[i], "--help") == 0;
            if (!*help) {
                bool unknown = strcmp(argv[i], "--only") == 0 && more;
                fprintf(stderr, "bench: %s: %s\n\n", argv[unknown ? i + 1 : i],
                        unknown ? "no such workload; --list names them" : "not understood");
            }
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    options o = {0};
    bool help = false;
    if (!read_options(argc, argv, &o, &help)) {
        fputs(usage, help ? stdout : stderr);
        return help ? 0 : 2;
    }
    if (o.list) {
        list_all();
        return 0;
    }
    if (o.plot != NULL) {
        return run_plot(o.plot) ? 0 : 1;
    }
    bench_row *rows = bench_take(count_workloads() * sizeof *rows);
    uint32_t row_count = 0;
    bool right = run_workloads(o, rows, &row_count);
    run_probes(o);
    for (size_t i = 0; i < OTHER_COUNT; i++) {
        if (is_wanted(o, others[i].name)) {
            others[i].run();
        }
    }
    if (o.json != NULL) {
        right = bench_write_json(o.json, rows, row_count) && right;
    }
    free(rows);
    return right ? 0 : 1;
}
