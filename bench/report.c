/* What was measured, for machines. */
#include <stdio.h>
#include <string.h>

#include "bench.h"

FILE *bench_open_file(const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        perror(path);
    }
    return file;
}

bool bench_close_file(FILE *file, const char *path)
{
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed) {
        perror(path);
        return false;
    }
    return true;
}

/* Members of an object behind others; null where there is nothing to say. */
static void write_number(FILE *file, const char *name, bool known, double number)
{
    if (known) {
        fprintf(file, ", \"%s\": %.4f", name, number);
    } else {
        fprintf(file, ", \"%s\": null", name);
    }
}

static void write_verdict(FILE *file, const char *name, bool known, bool verdict)
{
    fprintf(file, ", \"%s\": %s", name, !known ? "null" : verdict ? "true" : "false");
}

bool bench_write_json(const char *path, const bench_row *rows, uint32_t count)
{
    FILE *file = bench_open_file(path);
    if (file == NULL) {
        return false;
    }
    fputs("[\n", file);
    for (uint32_t i = 0; i < count; i++) {
        const bench_row *row = &rows[i];
        const bench_workload *w = row->workload;
        bool aimed = w->target > 0;
        fprintf(file, "  {\"workload\": \"%s\", \"layout\": \"%s\", \"n\": %u", w->name,
                bench_layout_name(w->layout), row->n);
        write_number(file, "ns", true, row->ns);
        write_number(file, "median", true, row->median);
        write_number(file, "arrays_ns", true, row->arrays_ns);
        write_number(file, "arrays_median", true, row->arrays_median);
        write_number(file, "ratio", true, row->ratio);
        write_number(file, "median_ratio", true, row->median_ratio);
        write_number(file, "target", aimed, w->target);
        write_verdict(file, "met", aimed, bench_is_met(row->ratio, w->target));
        fprintf(file, "}%s\n", i + 1 < count ? "," : "");
    }
    fputs("]\n", file);
    return bench_close_file(file, path);
}
