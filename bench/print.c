/* What is printed: lines of at most 80 columns. */
#include <stdio.h>

#include "bench.h"

bool bench_targets_only;

static uint32_t met, missed;

bool bench_is_met(double value, double target)
{
    return target > 0 && value <= target;
}

const char *bench_verdict(double value, double target)
{
    if (target <= 0) {
        return "";
    }
    bool is_met = bench_is_met(value, target);
    met += is_met;
    missed += !is_met;
    return is_met ? "met" : "MISS";
}

/* A number, or nothing where there is none. */
static const char *print_number(char text[static 16], double number, int digits)
{
    text[0] = '\0';
    if (number > 0) {
        snprintf(text, 16, "%.*f", digits, number);
    }
    return text;
}

void bench_print_head(void)
{
    printf("%-24s %-6s %7s %7s %7s %5s %6s %6s\n", "workload", "layout", "n", "ns", "beside",
           "ratio", "median", "target");
}

void bench_print_row(const bench_row *row)
{
    const bench_workload *w = row->workload;
    double target = row->n == w->n ? w->target : 0; /* pictures have other sizes */
    char text[16];
    printf("%-24s %-6s %7u %7.2f %7.2f %5.2f %6.2f %6s %s\n", w->name, bench_layout_name(w->layout),
           row->n, row->ns, row->arrays_ns, row->ratio, row->median_ratio,
           print_number(text, target, 2), row->right ? bench_verdict(row->ratio, target) : "WRONG");
    fflush(stdout);
}

void bench_print_figure_head(const char *what)
{
    printf("%-45s %-5s %7s %7s %7s\n", what, "unit", "least", "median", "target");
}

void bench_print_figure(bench_figure f)
{
    if (bench_targets_only && f.target <= 0) {
        return;
    }
    int digits = f.least < 10 ? 3 : f.least < 1000 ? 1 : 0;
    char median[16], target[16];
    printf("%-45s %-5s %7.*f %7s %7s %s\n", f.what, f.unit, digits, f.least,
           print_number(median, f.median, digits), print_number(target, f.target, digits),
           bench_verdict(f.of_median ? f.median : f.least, f.target));
    fflush(stdout);
}

void bench_print_summary(void)
{
    printf("targets: %u met, %u missed\n", met, missed);
}
