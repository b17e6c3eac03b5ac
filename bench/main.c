/* The benchmark program: runs each workload by Kith and by hand-written arrays in turn. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

double bench_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* What a row says of its target. */
static const char *verdict(const bench_row *row)
{
    const bench_workload *w = row->workload;
    if (!row->right) {
        return "WRONG: the checksums differ";
    }
    return w->target <= 0 ? "" : bench_is_within(w, row->ratio) ? "within" : "beyond";
}

/* A number, or nothing where there is none. */
static const char *print_number(char text[static 16], double number)
{
    text[0] = '\0';
    if (number > 0) {
        snprintf(text, 16, "%.2f", number);
    }
    return text;
}

static void print_row(const bench_row *row)
{
    const bench_workload *w = row->workload;
    char target[16];
    printf("%-22s %-6s %8u %8.2f %8.2f %8.2f %8.2f %6.2f %6s  %s\n", w->name,
           bench_layout_name(w->layout), row->n, row->ns, row->median, row->arrays_ns,
           row->arrays_median, row->ratio, print_number(target, w->target), verdict(row));
    fflush(stdout);
}

static void print_head(void)
{
    printf("%-22s %-6s %8s %8s %8s %8s %8s %6s %6s\n", "workload", "layout", "n", "ns", "median",
           "arrays", "median", "ratio", "target");
}

/* What is measured otherwise than beside a twin, and rows whose feature is not there yet. */
static const struct {
    const char *name;
    const char *what;
    void (*run)(void);
} others[] = {
    {"memory", "bytes of worlds, entities, tables, queries and types", bench_memory},
    {"growth", "how the cost of a call grows with the number of others that there are",
     bench_growth},
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

static void list_all(void)
{
    for (uint32_t i = 0; i < bench_workload_count(); i++) {
        const bench_workload *w = bench_workload_at(i);
        if (w->what[0] != '\0') {
            printf("%-22s %s\n", w->name, w->what);
        }
    }
    for (uint32_t i = 0; i < bench_probes_count; i++) {
        printf("%-22s %s\n", bench_probes[i].name, bench_probes[i].what);
    }
    for (size_t i = 0; i < OTHER_COUNT; i++) {
        printf("%-22s %s\n", others[i].name, others[i].what);
    }
}

static bool is_known(const char *name)
{
    for (uint32_t i = 0; i < bench_workload_count(); i++) {
        if (strcmp(bench_workload_at(i)->name, name) == 0) {
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
    for (uint32_t i = 0; i < bench_workload_count(); i++) {
        const bench_workload *w = bench_workload_at(i);
        if (!is_wanted(o, w->name)) {
            continue;
        }
        if (*row_count == 0) {
            print_head();
        }
        bench_row row = bench_measure(w, w->n, bench_workload_rounds(i));
        print_row(&row);
        right = right && row.right;
        rows[(*row_count)++] = row;
    }
    for (size_t i = 0; o.only == NULL && i < sizeof pending / sizeof pending[0]; i++) {
        printf("%-22s %-6s %66s  pending\n", pending[i].name, pending[i].layout, pending[i].target);
    }
    return right;
}

static void run_probes(options o)
{
    for (uint32_t i = 0; i < bench_probes_count; i++) {
        const bench_probe *probe = &bench_probes[i];
        if (is_wanted(o, probe->name)) {
            double ns = probe->run();
            printf("%-22s %8.0f ns, target %.0f: %s (%s)\n", probe->name, ns, probe->target,
                   ns <= probe->target ? "within" : "beyond", probe->what);
        }
    }
}

/* ---- Pictures ---------------------------------------------------------------------------------- */

#define SIZES 5u
#define LAYOUTS 3u

/* The first workload of that name and layout; NULL: there is none. */
static const bench_workload *find_workload(const char *name, kith_layout layout)
{
    for (uint32_t i = 0; i < bench_workload_count(); i++) {
        const bench_workload *w = bench_workload_at(i);
        if (strcmp(w->name, name) == 0 && w->layout == layout) {
            return w;
        }
    }
    return NULL;
}

/* From 10^3 entities on: so many powers of ten in tables, and at most to 10^6 in the other layouts. */
static uint32_t measure_sizes(const bench_workload *w, uint32_t sizes, bench_row *rows)
{
    sizes = w->layout == KITH_TABLE || sizes < SIZES ? sizes : SIZES - 1;
    uint32_t n = 1000;
    for (uint32_t size = 0; size < sizes; size++, n *= 10) {
        rows[size] = bench_measure(w, n, n >= 10000000 ? 3 : n >= 1000000 ? 5 : 9);
        print_row(&rows[size]);
    }
    return sizes;
}

static bool run_plots(const char *directory)
{
    static const struct {
        const char *name;
        uint32_t sizes;
    } drawn[] = {{"create-two", SIZES}, {"destroy", SIZES}, {"add-remove", SIZES},
                 {"get", SIZES},        {"loop", SIZES},    {"collide", 3}};
    print_head();
    for (size_t d = 0; d < sizeof drawn / sizeof drawn[0]; d++) {
        bench_row rows[SIZES * LAYOUTS];
        uint32_t count = 0;
        for (uint32_t layout = 0; layout < LAYOUTS; layout++) {
            const bench_workload *w = find_workload(drawn[d].name, (kith_layout)layout);
            count += w == NULL ? 0 : measure_sizes(w, drawn[d].sizes, rows + count);
        }
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/%s.svg", directory, drawn[d].name);
        if (length >= (int)sizeof path) {
            bench_fail("the name of the directory is too long");
        }
        if (!bench_write_plot(path, rows, count)) {
            return false;
        }
    }
    return true;
}

/* ---- The program ------------------------------------------------------------------------------- */

static const char usage[] =
    "bench [--list] [--only NAME] [--json FILE] [--plot DIR]\n"
    "\n"
    "Runs each workload by Kith and by hand-written arrays in turn, and prints ns per operation\n"
    "(minimum and median), what Kith's minimum is times the arrays', and the target for that "
    "ratio.\n"
    "\n"
    "  --list       the workloads, a line each\n"
    "  --only NAME  this workload alone\n"
    "  --json FILE  writes the rows to a file as well\n"
    "  --plot DIR   instead, measures the main workloads at 10^3 to 10^7 entities, and draws how\n"
    "               their cost grows: DIR/WORKLOAD.svg, which takes some minutes and 1 GB of "
    "memory\n";

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
        return run_plots(o.plot) ? 0 : 1;
    }
    bench_row *rows = bench_take(bench_workload_count() * sizeof *rows);
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
