/* Runs a workload by Kith and by hand-written arrays in turn. */
#include <stdlib.h>

#include "bench.h"

#define WARM_UP 2

static int compare_doubles(const void *a, const void *b)
{
    double first = *(const double *)a;
    double second = *(const double *)b;
    return (first > second) - (first < second);
}

/* What is prepared is the side's own, or the workload says so with NULL. */
static bench_sample measure_once(const bench_workload *w, const bench_side *side, uint32_t n)
{
    void *state = side->open == NULL ? NULL : side->open(n, w->layout);
    bench_sample sample = side->run(state, n, w->layout);
    if (side->close != NULL) {
        side->close(state);
    }
    return sample;
}

bench_row bench_measure(const bench_workload *w, uint32_t n, uint32_t samples)
{
    double *by_kith = bench_take(samples * sizeof *by_kith);
    double *by_arrays = bench_take(samples * sizeof *by_arrays);
    bench_row row = {.workload = w, .n = n, .right = true};
    for (uint32_t i = 0; i < samples + WARM_UP; i++) {
        bench_sample kith = measure_once(w, &w->kith, n);
        bench_sample arrays = measure_once(w, &w->arrays, n);
        row.right = row.right && kith.checksum == arrays.checksum;
        if (i >= WARM_UP) {
            by_kith[i - WARM_UP] = kith.ns / n;
            by_arrays[i - WARM_UP] = arrays.ns / n;
        }
    }
    qsort(by_kith, samples, sizeof *by_kith, compare_doubles);
    qsort(by_arrays, samples, sizeof *by_arrays, compare_doubles);
    row.ns = by_kith[0];
    row.median = by_kith[samples / 2];
    row.arrays_ns = by_arrays[0];
    row.arrays_median = by_arrays[samples / 2];
    row.ratio = row.ns / row.arrays_ns;
    free(by_kith);
    free(by_arrays);
    return row;
}

const char *bench_verdict(const bench_row *row)
{
    if (row->workload->target <= 0) {
        return "";
    }
    return row->ratio <= row->workload->target ? "within" : "beyond";
}

const char *bench_layout_name(kith_layout layout)
{
    return layout == KITH_TABLE ? "table" : layout == KITH_SPARSE ? "sparse" : "slot";
}
