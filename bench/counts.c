/* Counts the instructions of each workload, under `valgrind --tool=callgrind --collect-atstart=no`: what
 * stands between a side's first and second bench_now is counted, and written with a label
 *
 *     WORKLOAD LAYOUT SIDE N SCALE
 *
 * where the count times SCALE is what N operations cost. Each side is run for some number of operations
 * and for twice as many, so that what does not grow with them falls out. scripts/compare-counts reads
 * it. With --about, tells what the counts depend on besides; with the name of a workload, counts it
 * alone; and with a layout after it, in that layout alone. */
#include <gnu/libc-version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

#include "bench.h"

#define COUNTED 4096u /* operations, unless a workload is for fewer */

static bool counting;
static uint32_t stretches; /* that one run has measured so far */

/* 0 at the start of what is measured and 1 at its end: so a side's result in "ns" is by what it scales
 * the stretches that it has measured, added up. */
double bench_now(void)
{
    counting = !counting;
    stretches += counting ? 1 : 0;
    CALLGRIND_TOGGLE_COLLECT;
    return counting ? 0 : 1;
}

/* Those that say more about threads than about instructions, one that takes minutes to prepare, and one
 * that is the same as `get`. */
static bool is_counted(const bench_workload *w, const char *only, const char *layout)
{
    static const char *const others[] = {
        "heavy",    "heavy-two",   "heavy-pthread", "two-systems",
        "mark-two", "indexes-two", "large-world",   "get-lookup",
        "transforms-two"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(w->name, others[i]) == 0) {
            return false;
        }
    }
    return (only == NULL || strcmp(w->name, only) == 0) &&
           (layout == NULL || strcmp(bench_layout_name(w->layout), layout) == 0);
}

static void count_once(const bench_workload *w, const bench_side *side, const char *name,
                       uint32_t n)
{
    void *state = side->open == NULL ? NULL : side->open(n, w->layout);
    stretches = 0;
    CALLGRIND_ZERO_STATS;
    bench_sample sample = bench_run_in(w->setting, side, state, n, w->layout);
    if (counting) {
        fprintf(stderr, "bench: %s reads the clock an odd number of times\n", w->name);
        exit(1);
    }
    char label[128];
    snprintf(label, sizeof label, "%s %s %s %u %.12g", w->name, bench_layout_name(w->layout), name,
             n, sample.ns / stretches);
    CALLGRIND_DUMP_STATS_AT(label);
    if (side->close != NULL) {
        side->close(state);
    }
}

static void count_side(const bench_workload *w, const bench_side *side, const char *name)
{
    uint32_t n = w->n < COUNTED ? w->n : COUNTED;
    /* Twice as many in small tables would be larger tables, not more of them. */
    bool fixed = strcmp(w->name, "small-tables") == 0;
    if (side->run != NULL) {
        count_once(w, side, name, n);
        if (!fixed) {
            count_once(w, side, name, 2 * n);
        }
    }
}

static void count_workload(const bench_workload *w)
{
    count_side(w, &w->kith, "kith");
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--about") == 0) {
        printf("# compiler: %s\n# flags: %s\n# C library: %s\n", BENCH_COMPILER, BENCH_FLAGS,
               gnu_get_libc_version());
        return 0;
    }
    if (!RUNNING_ON_VALGRIND) {
        fputs("bench: counts are taken under valgrind: see scripts/compare-counts\n", stderr);
        return 2;
    }
    const char *only = argc >= 2 ? argv[1] : NULL;
    const char *layout = argc >= 3 ? argv[2] : NULL;
    const bench_workload *previous = NULL;
    for (uint32_t i = 0; i < bench_workload_count(); i++) {
        const bench_workload *w = bench_workload_at(i);
        /* The same with more entities costs the same. */
        bool again = previous != NULL && strcmp(w->name, previous->name) == 0 &&
                     w->layout == previous->layout;
        if (is_counted(w, only, layout) && !again) {
            count_workload(w);
        }
        previous = w;
    }
    for (uint32_t i = 0; i < bench_steps_count; i++) {
        if (is_counted(&bench_steps[i], only, layout)) {
            count_workload(&bench_steps[i]);
        }
    }
    return 0;
}
