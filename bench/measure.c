/* Runs a workload by Kith and by hand-written arrays in turn. */
#include <stdlib.h>

#include "bench.h"

#define WARM_UP 2

enum { LARGE = 31 << 20 }; /* bytes for which the allocator asks the system by itself */

/* glibc gives freed memory back to the system until something large was freed. From then on it keeps it,
 * and a row by itself takes as long as after others. Otherwise new pages would take longer than copying
 * blocks for a snapshot; a game has that memory after some frames. */
static void keep_freed_memory(void)
{
    free(bench_take(LARGE));
}

/* What is prepared is the side's own, or the workload says so with NULL. */
static bench_sample measure_once(const bench_workload *w, const bench_side *side,
                                 bench_setting setting, uint32_t n)
{
    void *state = side->open == NULL ? NULL : side->open(n, w->layout);
    bench_sample sample = bench_run_in(setting, side, state, n, w->layout);
    if (side->close != NULL) {
        side->close(state);
    }
    return sample;
}

/* The sides, and the samples of each: ns per operation. */
#define SIDES 2

/* Each side begins in its turn: what one leaves in caches and in the allocator, the next one finds. */
bench_row bench_measure(const bench_workload *w, uint32_t n, uint32_t rounds)
{
    const bench_side *const sides[SIDES] = {&w->kith,
                                            w->setting == BENCH_ALONE ? &w->arrays : &w->kith};
    const bench_setting settings[SIDES] = {
        w->setting, w->setting == BENCH_INDEXED ? BENCH_UNINDEXED : BENCH_ALONE};
    double *ns[SIDES];
    bench_row row = {.workload = w, .n = n, .right = true};
    if (w->setting != BENCH_ALONE) {
        keep_freed_memory();
    }
    for (int side = 0; side < SIDES; side++) {
        ns[side] = bench_take(rounds * sizeof *ns[side]);
    }
    for (uint32_t i = 0; i < rounds + WARM_UP; i++) {
        uint64_t checksum = 0;
        bool first = true;
        bench_round = i;
        for (uint32_t turn = 0; turn < SIDES; turn++) {
            uint32_t side = (i + turn) % SIDES;
            bench_sample sample = measure_once(w, sides[side], settings[side], n);
            row.right = row.right && (first || sample.checksum == checksum);
            checksum = sample.checksum;
            first = false;
            if (i >= WARM_UP) {
                ns[side][i - WARM_UP] = sample.ns / n;
            }
        }
    }
    row.ns = bench_sort(ns[0], rounds)[0];
    row.median = ns[0][rounds / 2];
    row.arrays_ns = bench_sort(ns[1], rounds)[0];
    row.arrays_median = ns[1][rounds / 2];
    row.ratio = row.ns / row.arrays_ns;
    row.median_ratio = row.median / row.arrays_median;
    for (int side = 0; side < SIDES; side++) {
        free(ns[side]);
    }
    return row;
}
