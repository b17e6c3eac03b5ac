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

/* What is measured otherwise than beside a twin. */
static const struct {
    const char *name;
    const char *what;
    void (*run)(void);
    bool has_targets; /* for --targets */
    bool early; /* before the workloads: a world's bytes grow with the types that there were */
} others[] = {
    {"fresh-query", "a query over 1,024 tables: made, counted, freed", bench_fresh_query, true,
     false},
    {"memory", "bytes of worlds, entities, tables, queries and types", bench_memory, true, true},
    {"latency", "the longest single operation while a world grows, churns", bench_latency, true,
     false},
    {"growth", "how the cost of a call grows with the number of others", bench_growth, false,
     false},
    {"snapshot", "snapshots of 1e6: nothing written since; one each frame", bench_snapshots, true,
     false},
    {"forks", "a fork made, and played for ten ticks", bench_forks, true, false},
    {"views", "a view made; a frame while a thread reads views", bench_views, true, false},
    {"rollback", "8 takes, 1 restore, 8 hashes of 1e4, all written", bench_rollback, true, false},
    {"save", "a world of 1e5 as bytes: saved, loaded", bench_save, false, false},
    {"terminal", "bytes and time of frames on a terminal of 160 by 50", bench_terminal, false,
     false},
};
#define OTHER_COUNT (sizeof others / sizeof others[0])

typedef struct options {
    char **names;   /* of what to run */
    int name_count; /* 0: all */
    const char *json;
    const char *plot;
    bool list;
    bool help;
} options;

static bool is_named(const options *o, const char *name)
{
    for (int i = 0; i < o->name_count; i++) {
        if (strcmp(o->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_wanted(const options *o, const char *name, bool has_target)
{
    return (o->name_count == 0 || is_named(o, name)) && (!bench_targets_only || has_target);
}

/* Every name that there is, with what it measures. A workload of several sizes and layouts says so in
 * its first row. */
static void each_name(void (*visit)(const char *name, const char *what, void *user), void *user)
{
    for (uint32_t i = 0; i < bench_workload_count(); i++) {
        const bench_workload *w = bench_workload_at(i);
        if (w->what[0] != '\0') {
            visit(w->name, w->what, user);
        }
    }
    for (size_t i = 0; i < OTHER_COUNT; i++) {
        visit(others[i].name, others[i].what, user);
    }
}

static void list_name(const char *name, const char *what, void *user)
{
    (void)user;
    printf("%-22s %s\n", name, what);
}

typedef struct search {
    const char *name;
    bool found;
} search;

static void find_name(const char *name, const char *what, void *user)
{
    (void)what;
    search *s = user;
    s->found = s->found || strcmp(s->name, name) == 0;
}

static bool is_known(const char *name)
{
    search s = {name, false};
    each_name(find_name, &s);
    return s.found;
}

/* Measures and prints; true if all checksums agreed. */
static bool run_workloads(const options *o, bench_row *rows, uint32_t *row_count)
{
    bool right = true;
    for (uint32_t i = 0; i < bench_workload_count(); i++) {
        const bench_workload *w = bench_workload_at(i);
        if (!is_wanted(o, w->name, w->target > 0)) {
            continue;
        }
        if (*row_count == 0) {
            bench_print_head();
        }
        bench_row row = bench_measure(w, w->n, bench_workload_rounds(i));
        bench_print_row(&row);
        right = right && row.right;
        rows[(*row_count)++] = row;
    }
    return right;
}

static void run_others(const options *o, bool early)
{
    for (size_t i = 0; i < OTHER_COUNT; i++) {
        if (others[i].early == early && is_wanted(o, others[i].name, others[i].has_targets)) {
            others[i].run();
            printf("\n");
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
        bench_print_row(&rows[size]);
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
    bench_print_head();
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
    "bench [NAME...] [--targets] [--list] [--json FILE] [--plot DIR]\n"
    "\n"
    "Does each workload by Kith and by hand-written arrays in turn, in one process,\n"
    "and prints a line for each size and layout:\n"
    "\n"
    "  ns      an operation of Kith's, the least of many rounds\n"
    "  beside  the same by what it is beside: arrays, unless --list says otherwise\n"
    "  ratio   the one divided by the other\n"
    "  median  the same of the medians\n"
    "  target  what the ratio should be at most, and whether it is: met, or MISS\n"
    "\n"
    "  NAME       this workload; several may be named. Without a name: all of them\n"
    "  --targets  only what has a target, and a summary\n"
    "  --list     the names, a line each\n"
    "  --json F   writes the lines of workloads to the file F as well\n"
    "  --plot D   instead, measures the main workloads at 10^3 to 10^7 entities, and\n"
    "             draws how their cost grows: D/WORKLOAD.svg. Takes some minutes and\n"
    "             1 GB of memory\n";

/* False if an argument makes no sense, which is told. Names are gathered at the beginning of `argv`. */
static bool read_options(int argc, char **argv, options *o)
{
    o->names = argv;
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--list") == 0) {
            o->list = true;
        } else if (strcmp(argv[i], "--help") == 0) {
            o->help = true;
        } else if (strcmp(argv[i], "--targets") == 0) {
            bench_targets_only = true;
        } else if (strcmp(argv[i], "--json") == 0 && more) {
            o->json = argv[++i];
        } else if (strcmp(argv[i], "--plot") == 0 && more) {
            o->plot = argv[++i];
        } else if (is_known(argv[i])) {
            o->names[o->name_count++] = argv[i];
        } else {
            fprintf(stderr, "bench: %s: %s\n\n", argv[i],
                    argv[i][0] == '-' ? "not understood" : "no such workload; --list names them");
            return false;
        }
    }
    return true;
}

static bool run_all(const options *o)
{
    bench_row *rows = bench_take(bench_workload_count() * sizeof *rows);
    uint32_t row_count = 0;
    run_others(o, true);
    bool right = run_workloads(o, rows, &row_count);
    printf("%s", row_count > 0 ? "\n" : "");
    run_others(o, false);
    bench_print_summary();
    if (o->json != NULL) {
        right = bench_write_json(o->json, rows, row_count) && right;
    }
    free(rows);
    return right;
}

int main(int argc, char **argv)
{
    options o = {0};
    if (!read_options(argc, argv, &o)) {
        fputs(usage, stderr);
        return 2;
    }
    if (o.help) {
        fputs(usage, stdout);
        return 0;
    }
    if (o.list) {
        each_name(list_name, NULL);
        return 0;
    }
    return (o.plot != NULL ? run_plots(o.plot) : run_all(&o)) ? 0 : 1;
}
