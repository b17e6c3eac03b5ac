/* What was measured, as a picture. */
#include <math.h>
#include <stdio.h>

#include "bench.h"

/* ---- The picture: ns per operation against the number of entities, both on scales of powers of ten */

#define PLOT_WIDTH 760.0
#define PLOT_HEIGHT 460.0
#define PLOT_LEFT 60.0
#define PLOT_RIGHT 190.0 /* room for the names */
#define PLOT_TOP 40.0
#define PLOT_BOTTOM 45.0

typedef struct plot_scale {
    int first_n, last_n; /* powers of ten */
    int first_ns, last_ns;
} plot_scale;

static double plot_x(const plot_scale *scale, double n)
{
    double part = (log10(n) - scale->first_n) / (scale->last_n - scale->first_n);
    return PLOT_LEFT + part * (PLOT_WIDTH - PLOT_LEFT - PLOT_RIGHT);
}

static double plot_y(const plot_scale *scale, double ns)
{
    double part = (log10(ns) - scale->first_ns) / (scale->last_ns - scale->first_ns);
    return PLOT_HEIGHT - PLOT_BOTTOM - part * (PLOT_HEIGHT - PLOT_TOP - PLOT_BOTTOM);
}

static plot_scale plot_fit(const bench_row *rows, uint32_t count)
{
    double least_n = rows[0].n, most_n = rows[0].n;
    double least_ns = rows[0].arrays_ns, most_ns = rows[0].ns;
    for (uint32_t i = 0; i < count; i++) {
        least_n = fmin(least_n, rows[i].n);
        most_n = fmax(most_n, rows[i].n);
        least_ns = fmin(least_ns, fmin(rows[i].ns, rows[i].arrays_ns));
        most_ns = fmax(most_ns, fmax(rows[i].ns, rows[i].arrays_ns));
    }
    plot_scale scale = {(int)floor(log10(least_n)), (int)ceil(log10(most_n)),
                        (int)floor(log10(least_ns)), (int)ceil(log10(most_ns))};
    scale.last_n += scale.last_n == scale.first_n;
    scale.last_ns += scale.last_ns == scale.first_ns;
    return scale;
}

static void plot_axes(FILE *file, const plot_scale *scale)
{
    for (int power = scale->first_n; power <= scale->last_n; power++) {
        double x = plot_x(scale, pow(10, power));
        fprintf(file,
                "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#ddd'/>"
                "<text x='%.1f' y='%.1f' text-anchor='middle'>10<tspan dy='-5' font-size='9'>%d"
                "</tspan></text>\n",
                x, PLOT_TOP, x, PLOT_HEIGHT - PLOT_BOTTOM, x, PLOT_HEIGHT - PLOT_BOTTOM + 18,
                power);
    }
    for (int power = scale->first_ns; power <= scale->last_ns; power++) {
        double y = plot_y(scale, pow(10, power));
        fprintf(file,
                "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#ddd'/>"
                "<text x='%.1f' y='%.1f' text-anchor='end'>%g</text>\n",
                PLOT_LEFT, y, PLOT_WIDTH - PLOT_RIGHT, y, PLOT_LEFT - 6, y + 4, pow(10, power));
    }
    fprintf(file,
            "<text x='%.1f' y='%.1f' text-anchor='middle'>entities</text>"
            "<text x='%.1f' y='24'>ns per operation; dashed: hand-written arrays</text>\n",
            (PLOT_LEFT + PLOT_WIDTH - PLOT_RIGHT) / 2, PLOT_HEIGHT - 6, PLOT_LEFT);
}

/* One workload, which has rows from `first` on: Kith's line, its name at its end, and the arrays'. */
static uint32_t plot_workload(FILE *file, const plot_scale *scale, const bench_row *rows,
                              uint32_t first, uint32_t count, const char *color)
{
    uint32_t end = first;
    while (end < count && rows[end].workload == rows[first].workload) {
        end++;
    }
    for (int side = 0; side < 2; side++) {
        fprintf(file, "<polyline fill='none' stroke='%s' stroke-width='%s' %s points='", color,
                side == 0 ? "2" : "1.2", side == 0 ? "" : "stroke-dasharray='5 4'");
        for (uint32_t i = first; i < end; i++) {
            fprintf(file, "%.1f,%.1f ", plot_x(scale, rows[i].n),
                    plot_y(scale, side == 0 ? rows[i].ns : rows[i].arrays_ns));
        }
        fputs("'/>\n", file);
    }
    fprintf(file, "<text x='%.1f' y='%.1f' fill='%s'>%s, %s</text>\n",
            plot_x(scale, rows[end - 1].n) + 6, plot_y(scale, rows[end - 1].ns) + 4, color,
            rows[first].workload->name, bench_layout_name(rows[first].workload->layout));
    return end;
}

bool bench_write_plot(const char *path, const bench_row *rows, uint32_t count)
{
    static const char *const colors[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd",
                                         "#ff7f0e", "#8c564b", "#17becf", "#7f7f7f"};
    FILE *file = bench_open_file(path);
    if (file == NULL) {
        return false;
    }
    plot_scale scale = plot_fit(rows, count);
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' "
            "font-family='sans-serif'"
            " font-size='12'>\n<rect width='100%%' height='100%%' fill='white'/>\n",
            PLOT_WIDTH, PLOT_HEIGHT);
    plot_axes(file, &scale);
    uint32_t drawn = 0;
    for (uint32_t i = 0; i < count; drawn++) {
        i = plot_workload(file, &scale, rows, i, count, colors[drawn % 8]);
    }
    fputs("</svg>\n", file);
    return bench_close_file(file, path);
}
