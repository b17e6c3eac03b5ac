/* What was measured, as a picture. */
#include <math.h>
#include <stdio.h>

#include "bench.h"

/* ---- The picture: ns per operation against the number of entities, both on scales of powers of ten */

#define PLOT_WIDTH 560.0
#define PLOT_HEIGHT 360.0
#define PLOT_LEFT 60.0
#define PLOT_RIGHT 70.0 /* room for the names */
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

static void plot_axes(FILE *file, const plot_scale *scale, const char *name)
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
            "<text x='%.1f' y='24'><tspan font-weight='bold'>%s</tspan>: ns an operation</text>\n",
            (PLOT_LEFT + PLOT_WIDTH - PLOT_RIGHT) / 2, PLOT_HEIGHT - 6, PLOT_LEFT, name);
}

/* ---- Lines, and their names at their ends ------------------------------------------------------ */

typedef enum plot_side { PLOT_KITH, PLOT_ARRAYS } plot_side;

typedef struct plot_name {
    double y;
    const char *text;
    const char *color;
} plot_name;

typedef struct plot_names {
    plot_name names[8];
    uint32_t count;
} plot_names;

static double plot_cost(const bench_row *row, plot_side side)
{
    return side == PLOT_KITH ? row->ns : row->arrays_ns;
}

static void plot_line(FILE *file, const plot_scale *scale, const bench_row *rows, uint32_t count,
                      plot_side side, const char *color)
{
    static const char *const strokes[] = {"stroke-width='2'",
                                          "stroke-width='1.5' stroke-dasharray='6 4'"};
    fprintf(file, "<polyline fill='none' stroke='%s' %s points='", color, strokes[side]);
    for (uint32_t i = 0; i < count; i++) {
        fprintf(file, "%.1f,%.1f ", plot_x(scale, rows[i].n),
                plot_y(scale, plot_cost(&rows[i], side)));
    }
    fputs("'/>\n", file);
}

/* Keeps names in order of height. */
static void plot_add_name(plot_names *names, double y, const char *text, const char *color)
{
    uint32_t at = names->count++;
    for (; at > 0 && names->names[at - 1].y > y; at--) {
        names->names[at] = names->names[at - 1];
    }
    names->names[at] = (plot_name){y, text, color};
}

/* Below one another where they would overlap. */
static void plot_write_names(FILE *file, const plot_names *names)
{
    double least = 0;
    for (uint32_t i = 0; i < names->count; i++) {
        const plot_name *name = &names->names[i];
        double y = fmax(name->y, least);
        fprintf(file, "<text x='%.1f' y='%.1f' fill='%s'>%s</text>\n", PLOT_WIDTH - PLOT_RIGHT + 8,
                y + 4, name->color, name->text);
        least = y + 14;
    }
}

/* The line of one layout, which has rows from `first` on. */
static uint32_t plot_layout(FILE *file, const plot_scale *scale, const bench_row *rows,
                            uint32_t first, uint32_t count, plot_names *names)
{
    static const char *const colors[] = {"#1f77b4", "#2ca02c", "#d62728"};
    kith_layout layout = rows[first].workload->layout;
    uint32_t end = first;
    while (end < count && rows[end].workload->layout == layout) {
        end++;
    }
    plot_line(file, scale, rows + first, end - first, PLOT_KITH, colors[layout]);
    plot_add_name(names, plot_y(scale, rows[end - 1].ns), bench_layout_name(layout),
                  colors[layout]);
    return end;
}

bool bench_write_plot(const char *path, const bench_row *rows, uint32_t count)
{
    FILE *file = bench_open_file(path);
    if (file == NULL) {
        return false;
    }
    plot_scale scale = plot_fit(rows, count);
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' "
            "font-family='sans-serif' font-size='12'>\n"
            "<rect width='100%%' height='100%%' fill='white'/>\n",
            PLOT_WIDTH, PLOT_HEIGHT);
    plot_axes(file, &scale, rows[0].workload->name);
    plot_names names = {.count = 0};
    uint32_t first_end = 0;
    for (uint32_t i = 0; i < count;) {
        i = plot_layout(file, &scale, rows, i, count, &names);
        first_end = first_end == 0 ? i : first_end;
    }
    /* By hand it is the same work for all layouts. */
    plot_line(file, &scale, rows, first_end, PLOT_ARRAYS, "#555");
    plot_add_name(&names, plot_y(&scale, rows[first_end - 1].arrays_ns), "arrays", "#555");
    plot_write_names(file, &names);
    fputs("</svg>\n", file);
    return bench_close_file(file, path);
}
