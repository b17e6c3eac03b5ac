/* boids: a flock of 100,000 finds neighbours by an index */
#include <inttypes.h>
#include <kith/kith.h>
#include <kith/terminal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/arguments.h"
#include "support/must.h"
#include "support/terminal.h"

KITH_COMPONENT(Position, (float, x), (float, y));
KITH_COMPONENT(Heading, (float, dx), (float, dy));
KITH_COMPONENT(Sight, (uint32_t, count)); /* how many it saw, itself among them */

static const char help[] =
    "usage: boids [--boids N] [--ticks N] [--threads N] [--no-times] [--term]\n"
    "\n"
    "Each of 100,000 boids looks for its neighbours, and turns to where they fly.\n"
    "A parallel system asks a spatial index, and sees all as they were before the\n"
    "tick, while they move. A grid that is written for just this, for one thread,\n"
    "finds as many: that is checked, and the times of both are printed, unless\n"
    "--no-times is given. --term draws a flock of 1,000; q quits.\n";

#define SIGHT 1.5
#define SPEED 0.2f

/* What a boid sees: how many, and the sums of where they are and where they fly. */
typedef struct view {
    uint32_t count;
    float x, y, dx, dy;
} view;

typedef struct flock {
    kith_world *world;
    kith_index *places;
    kith_query *all;
    float side; /* of the square that they are in: one has 2 square units */
    uint64_t seen;
    double index_time, grid_time; /* in seconds */
} flock;

static void add_to_view(view *seen, const Position *position, const Heading *heading)
{
    seen->count++;
    seen->x += position->x;
    seen->y += position->y;
    seen->dx += heading->dx;
    seen->dy += heading->dy;
}

/* ---- By the index -------------------------------------------------------------------------------- */

static view look_around(const flock *f, kith_lookup *positions, kith_lookup *headings,
                        const Position *at)
{
    kith_index_found found;
    const kith_point here = KITH_POINT((double)at->x, (double)at->y);
    must(f->world, kith_within_radius(f->places, here, SIGHT, NULL, &found));
    view seen = {0};
    for (uint32_t i = 0; i < found.count; i++) {
        add_to_view(&seen, KITH_GET(positions, found.entities[i], Position),
                    KITH_GET(headings, found.entities[i], Heading));
    }
    return seen;
}

/* Towards the middle of those that it sees, itself among them, and along with them. */
static Heading steer(const Position *position, const Heading *heading, view seen)
{
    const float part = 1.0f / (float)seen.count;
    return (Heading){(seen.x * part - position->x) * 0.02f + (seen.dx * part - heading->dx) * 0.2f,
                      (seen.y * part - position->y) * 0.02f +
                          (seen.dy * part - heading->dy) * 0.2f};
}

static void turn_back(float *at, float *heading, float side)
{
    if ((*at < 0 && *heading < 0) || (*at > side && *heading > 0)) {
        *heading = -*heading;
    }
    *at = *at < 0 ? 0 : *at > side ? side : *at;
}

/* A step, in which lengths come nearer to 1. */
static void move(const flock *f, Position *position, Heading *heading, Heading steering)
{
    const float dx = heading->dx + steering.dx, dy = heading->dy + steering.dy;
    const float length = 1.5f - 0.5f * (dx * dx + dy * dy);
    *heading = (Heading){dx * length, dy * length};
    position->x += heading->dx * SPEED;
    position->y += heading->dy * SPEED;
    turn_back(&position->x, &heading->dx, f->side);
    turn_back(&position->y, &heading->dy, f->side);
}

/* Each boid sees the others as they were before the tick, while all of them move. */
static void fly(kith_iter *it)
{
    const flock *f = it->user;
    kith_lookup positions = KITH_LOOKUP(it, Position);
    kith_lookup headings = KITH_LOOKUP(it, Heading);
    while (kith_next(it)) {
        Position *position = KITH_COLUMN_MUT(it, Position);
        Heading *heading = KITH_COLUMN_MUT(it, Heading);
        Sight *sight = KITH_COLUMN_MUT(it, Sight);
        for (uint32_t i = 0; i < it->count; i++) {
            const view around = look_around(f, &positions, &headings, &position[i]);
            move(f, &position[i], &heading[i], steer(&position[i], &heading[i], around));
            sight[i].count = around.count;
        }
    }
}

static uint64_t count_seen(const flock *f)
{
    uint64_t seen = 0;
    kith_iter it = kith_query_iter(f->all);
    while (kith_next(&it)) {
        const Sight *sight = KITH_COLUMN(&it, Sight);
        for (uint32_t i = 0; i < it.count; i++) {
            seen += sight[i].count;
        }
    }
    must(f->world, it.result);
    return seen;
}

/* ---- By a grid that is written for just this ------------------------------------------------------ */

typedef struct bird {
    Position position;
    Heading heading;
} bird;

/* Cells as wide as boids see. Those of a cell are one after the other. */
typedef struct grid {
    uint32_t width;
    uint32_t count;
    uint32_t *starts;
    bird *birds; /* in the order of the loop */
    bird *by_cell;
} grid;

static uint32_t cell_along(const grid *g, float number)
{
    const float cell = number * (float)(1 / SIGHT);
    return cell >= (float)g->width ? g->width - 1 : (uint32_t)cell;
}

static uint32_t cell_of(const grid *g, const Position *at)
{
    return cell_along(g, at->y) * g->width + cell_along(g, at->x);
}

static grid grid_read(const flock *f)
{
    grid g = {.width = (uint32_t)((double)f->side / SIGHT) + 1};
    const uint32_t cells = g.width * g.width;
    const uint32_t most = kith_query_count(f->all);
    g.starts = must_make(calloc((size_t)cells + 2, sizeof *g.starts));
    g.birds = must_make(malloc((size_t)most * sizeof *g.birds));
    g.by_cell = must_make(malloc((size_t)most * sizeof *g.by_cell));
    kith_iter it = kith_query_iter(f->all);
    while (kith_next(&it)) {
        const Position *position = KITH_COLUMN(&it, Position);
        const Heading *heading = KITH_COLUMN(&it, Heading);
        for (uint32_t i = 0; i < it.count; i++) {
            g.birds[g.count++] = (bird){position[i], heading[i]};
        }
    }
    must(f->world, it.result);
    uint32_t *counts = g.starts + 2;
    for (uint32_t i = 0; i < g.count; i++) {
        counts[cell_of(&g, &g.birds[i].position)]++;
    }
    for (uint32_t cell = 1; cell < cells; cell++) {
        counts[cell] += counts[cell - 1];
    }
    for (uint32_t i = 0; i < g.count; i++) {
        g.by_cell[g.starts[cell_of(&g, &g.birds[i].position) + 1]++] = g.birds[i];
    }
    return g;
}

static void grid_free(grid *g)
{
    free(g->starts);
    free(g->birds);
    free(g->by_cell);
}

static view grid_look(const grid *g, const Position *at)
{
    const uint32_t column = cell_along(g, at->x), row = cell_along(g, at->y);
    const uint32_t left = column > 0 ? column - 1 : 0;
    const uint32_t right = column + 1 < g->width ? column + 1 : column;
    view seen = {0};
    for (uint32_t y = row > 0 ? row - 1 : 0; y <= row + 1 && y < g->width; y++) {
        const uint32_t end = g->starts[y * g->width + right + 1];
        for (uint32_t i = g->starts[y * g->width + left]; i < end; i++) {
            const bird *other = &g->by_cell[i];
            const double x = (double)other->position.x - (double)at->x;
            const double y_away = (double)other->position.y - (double)at->y;
            if (x * x + y_away * y_away <= SIGHT * SIGHT) {
                add_to_view(&seen, &other->position, &other->heading);
            }
        }
    }
    return seen;
}

static uint64_t look_by_grid(const flock *f)
{
    grid g = grid_read(f);
    uint64_t seen = 0;
    Heading all = {0, 0};
    for (uint32_t i = 0; i < g.count; i++) {
        const view around = grid_look(&g, &g.birds[i].position);
        const Heading steering = steer(&g.birds[i].position, &g.birds[i].heading, around);
        all.dx += steering.dx;
        all.dy += steering.dy;
        seen += around.count;
    }
    grid_free(&g);
    return all.dx == all.dx && all.dy == all.dy ? seen : 0; /* so that it is needed */
}

/* ---- The flock ----------------------------------------------------------------------------------- */

static void tick(flock *f)
{
    const double start = kith_clock_now();
    const uint64_t by_grid = look_by_grid(f);
    const double middle = kith_clock_now();
    must(f->world, kith_run(f->world, 1));
    f->grid_time += middle - start;
    f->index_time += kith_clock_now() - middle;
    const uint64_t seen = count_seen(f);
    if (seen != by_grid) {
        fail("boids: the index saw %" PRIu64 " neighbours, and the grid %" PRIu64, seen, by_grid);
    }
    f->seen = seen;
}

static float side_for(uint32_t boids)
{
    float side = 1;
    while (side * side < 2 * (float)boids) {
        side++;
    }
    return side;
}

static flock flock_new(uint32_t boids)
{
    flock f = {.world = must_make(kith_world_new(NULL)), .side = side_for(boids)};
    f.places = must_make(KITH_INDEX(f.world, KITH_INDEX_SPATIAL, Position, x, y));
    f.all = must_make(
        KITH_QUERY(f.world, KITH_READ(Position), KITH_READ(Heading), KITH_READ(Sight)));
    kith_random random = {1};
    for (uint32_t i = 0; i < boids; i++) {
        const float x = kith_random_uniform(&random, 0, f.side);
        const float y = kith_random_uniform(&random, 0, f.side);
        const Heading heading =
            kith_random_chance(&random, 0.5) ? (Heading){0.6f, 0.8f} : (Heading){-0.8f, 0.6f};
        must_spawn(KITH_SPAWN(f.world, KITH_VALUE(Position, {x, y}), {&Heading_type, &heading},
                              KITH_VALUE(Sight)));
    }
    return f;
}

static void flock_begin(flock *f, uint32_t threads)
{
    must(f->world, KITH_SYSTEM(f->world, fly, KITH_WRITE(Position), KITH_WRITE(Heading),
                               KITH_WRITE(Sight), .parallel = true, .user = f,
                               .lookups = KITH_TERMS(KITH_BEFORE(Position), KITH_BEFORE(Heading)),
                               .indexes = KITH_INDEXES(f->places)));
    must(f->world, kith_workers_set(f->world, &(kith_workers_def){.threads = threads}));
}

static void print_flock(const flock *f, uint32_t ticks, bool times)
{
    double dx = 0, dy = 0;
    uint32_t count = 0;
    kith_iter it = kith_query_iter(f->all);
    while (kith_next(&it)) {
        const Heading *heading = KITH_COLUMN(&it, Heading);
        for (uint32_t i = 0; i < it.count; i++, count++) {
            dx += (double)heading[i].dx;
            dy += (double)heading[i].dy;
        }
    }
    must(f->world, it.result);
    printf("%" PRIu32 " boids, %" PRIu32 " ticks\n", count, ticks);
    printf("neighbours of each, itself among them: %.2f\n", (double)f->seen / count);
    printf("where they fly: %.2f %.2f\n", dx / count, dy / count);
    printf("index entries: %" PRIu32 "\n", kith_index_stats(f->places).entries);
    if (times) {
        printf("ms a tick, index: %.2f, grid by hand: %.2f\n", f->index_time * 1000 / ticks,
               f->grid_time * 1000 / ticks);
    }
}

/* ---- On the terminal ----------------------------------------------------------------------------- */

static void draw(kith_screen *on, const flock *f)
{
    const float wide = (float)kith_screen_width(on) / f->side;
    const float tall = (float)kith_screen_height(on) / f->side;
    kith_screen_clear(on);
    kith_iter it = kith_query_iter(f->all);
    while (kith_next(&it)) {
        const Position *p = KITH_COLUMN(&it, Position);
        const Heading *h = KITH_COLUMN(&it, Heading);
        for (uint32_t i = 0; i < it.count; i++) {
            const uint32_t glyph = h[i].dy > 0.7f    ? 'v'
                                   : h[i].dy < -0.7f ? '^'
                                   : h[i].dx < 0     ? '<'
                                                     : '>';
            kith_screen_put(on, (int)(p[i].x * wide), (int)(p[i].y * tall), glyph,
                            (kith_terminal_style){.fg = h[i].dx < 0 ? KITH_CYAN : KITH_YELLOW});
        }
    }
    must(NULL, it.result);
}

static void play_on_terminal(flock *f, uint32_t ticks)
{
    kith_terminal *term = terminal_open(&(kith_terminal_def){.width = 60, .height = 16});
    const bool live = kith_terminal_is_live(term);
    kith_loop loop;
    must(NULL, kith_loop_start(&loop, &(kith_loop_def){.clock = kith_terminal_clock(term),
                                                       .frames = live ? 0 : ticks}));
    while (kith_loop_next_frame(&loop) && kith_terminal_poll(term) &&
           !kith_terminal_held(term, 'q')) {
        while (kith_loop_next_step(&loop)) {
            tick(f);
        }
        draw(kith_terminal_screen(term), f);
        must(NULL, kith_terminal_present(term));
    }
    if (!live) {
        terminal_print(term, KITH_FORMAT_TEXT);
    }
    terminal_close(term);
}

int main(int argc, char **argv)
{
    (void)argc;
    uint32_t boids = 0, ticks = 10, threads = 1;
    bool no_times = false, term = false;
    const argument options[] = {
        {.option = "--boids", .number = &boids, .least = 1, .most = 10000000},
        {.option = "--ticks", .number = &ticks, .least = 1, .most = 1000000},
        {.option = "--threads", .number = &threads, .least = 1, .most = 64},
        {.option = "--no-times", .given = &no_times},
        {.option = "--term", .given = &term},
        {0}};
    arguments_read(argv, "boids", help, options);
    const uint32_t usual = term ? 1000 : 100000;
    flock f = flock_new(boids == 0 ? usual : boids);
    flock_begin(&f, threads);
    if (term) {
        play_on_terminal(&f, ticks);
    } else {
        for (uint32_t i = 0; i < ticks; i++) {
            tick(&f);
        }
        print_flock(&f, ticks, !no_times);
    }
    must_print();
    kith_world_free(f.world);
    return 0;
}
