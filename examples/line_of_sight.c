/* line_of_sight: guards among walls, and who can see you, by rays */
#include <inttypes.h>
#include <kith/kith.h>
#include <kith/terminal.h>
#include <math.h>
#include <stdio.h>

#include "support/arguments.h"
#include "support/must.h"
#include "support/terminal.h"

KITH_COMPONENT(Position, (float, x), (float, y));
KITH_COMPONENT(Wall, (float, left), (float, top), (float, right), (float, bottom));
KITH_TAG(Guard);

static const char help[] =
    "usage: line_of_sight [--guards N] [--ticks N] [--no-times] [--term]\n"
    "\n"
    "You walk through a town of walls, and guards look for you. A spatial index finds\n"
    "the guards that are near enough, and a ray to each, through an index of walls,\n"
    "tells whether it sees you. A loop over all guards and all walls must find the\n"
    "same; the times of both are printed, unless --no-times is given. --term draws a\n"
    "small town; q quits.\n";

#define SIGHT 20.0

typedef struct town {
    kith_world *world;
    kith_index *guards; /* where they are */
    kith_index *walls;
    kith_query *only_guards;
    kith_query *all_walls;
    float side;
    Position you;
    float dx, dy; /* that you walk in a tick */
    uint64_t close_by, seen;
    double index_time, loop_time; /* in seconds */
} town;

static bool is_near(const town *t, const Position *at)
{
    const double dx = (double)at->x - (double)t->you.x;
    const double dy = (double)at->y - (double)t->you.y;
    return dx * dx + dy * dy <= SIGHT * SIGHT;
}

/* ---- By the indexes ------------------------------------------------------------------------------ */

/* Whether a wall is between you and a place. */
static bool is_in_the_way(const town *t, const Position *from)
{
    kith_near wall;
    uint32_t count = 0;
    must(t->world,
         kith_along(t->walls, KITH_POINT((double)from->x, (double)from->y),
                    KITH_POINT((double)t->you.x, (double)t->you.y), 1, NULL, &wall, &count));
    return count != 0;
}

/* How many see you; and `*close_by`, how many are near enough for that. */
static uint32_t count_who_see(const town *t, uint32_t *close_by)
{
    kith_index_found found;
    const kith_point you = KITH_POINT((double)t->you.x, (double)t->you.y);
    must(t->world, kith_within_radius(t->guards, you, SIGHT, t->only_guards, &found));
    uint32_t seen = 0;
    for (uint32_t i = 0; i < found.count; i++) {
        seen += !is_in_the_way(t, KITH_GET(t->world, found.entities[i], Position));
    }
    *close_by = found.count;
    return seen;
}

/* ---- By looking at all --------------------------------------------------------------------------- */

/* Whether a way from one point to another meets a box: the part of the way that is between its sides,
 * along both axes at once. */
static bool crosses(const Wall *wall, const Position *from, const Position *to)
{
    const double start[2] = {(double)from->x, (double)from->y};
    const double way[2] = {(double)to->x - start[0], (double)to->y - start[1]};
    const double low[2] = {(double)wall->left, (double)wall->top};
    const double high[2] = {(double)wall->right, (double)wall->bottom};
    double begin = 0, end = 1;
    for (int axis = 0; axis < 2; axis++) {
        if (way[axis] == 0) {
            if (start[axis] < low[axis] || start[axis] > high[axis]) {
                return false;
            }
            continue;
        }
        const double a = (low[axis] - start[axis]) / way[axis];
        const double b = (high[axis] - start[axis]) / way[axis];
        begin = fmax(begin, fmin(a, b));
        end = fmin(end, fmax(a, b));
    }
    return begin <= end;
}

static bool all_walls_let_through(const town *t, const Position *from)
{
    bool through = true;
    kith_iter it = kith_query_iter(t->all_walls);
    while (kith_next(&it)) {
        const Wall *wall = KITH_COLUMN(&it, Wall);
        for (uint32_t i = 0; i < it.count; i++) {
            through = through && !crosses(&wall[i], from, &t->you);
        }
    }
    must(t->world, it.result);
    return through;
}

static uint32_t count_by_loops(const town *t)
{
    uint32_t seen = 0;
    kith_iter it = kith_query_iter(t->only_guards);
    while (kith_next(&it)) {
        const Position *at = KITH_COLUMN(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) {
            seen += is_near(t, &at[i]) && all_walls_let_through(t, &at[i]);
        }
    }
    must(t->world, it.result);
    return seen;
}

/* ---- The town ------------------------------------------------------------------------------------ */

/* Walls of a street's length, across or along, one for every hundred square units. */
static void build_walls(town *t, kith_random *random)
{
    const uint32_t walls = (uint32_t)(t->side * t->side / 100);
    for (uint32_t i = 0; i < walls; i++) {
        const float x = kith_random_uniform(random, 0, t->side);
        const float y = kith_random_uniform(random, 0, t->side);
        const bool across = kith_random_chance(random, 0.5);
        const float width = across ? 8 : 1;
        const float height = across ? 1 : 8;
        must_spawn(KITH_SPAWN(t->world, KITH_VALUE(Wall, {x, y, x + width, y + height})));
    }
}

static void post_guards(town *t, kith_random *random, uint32_t guards)
{
    for (uint32_t i = 0; i < guards; i++) {
        const float x = kith_random_uniform(random, 0, t->side);
        const float y = kith_random_uniform(random, 0, t->side);
        must_spawn(KITH_SPAWN(t->world, KITH_VALUE(Position, {x, y}), KITH_VALUE(Guard)));
    }
}

/* A guard has 50 square units. */
static float side_for(uint32_t guards)
{
    float side = 40;
    while (side * side < 50 * (float)guards) {
        side++;
    }
    return side;
}

static town town_new(uint32_t guards)
{
    town t = {.world = must_make(kith_world_new(NULL)), .side = side_for(guards)};
    t.guards = must_make(KITH_INDEX(t.world, KITH_INDEX_SPATIAL, Position, x, y));
    t.walls = must_make(KITH_INDEX(t.world, KITH_INDEX_SPATIAL, Wall, left, top, right, bottom));
    t.only_guards = must_make(KITH_QUERY(t.world, KITH_READ(Position), KITH_WITH(Guard)));
    t.all_walls = must_make(KITH_QUERY(t.world, KITH_READ(Wall)));
    t.you = (Position){t.side / 2, t.side / 2};
    t.dx = 0.6f;
    t.dy = 0.35f;
    kith_random random = {1};
    build_walls(&t, &random);
    post_guards(&t, &random, guards);
    return t;
}

/* You walk on, and turn around at the end of the town. */
static void walk(town *t)
{
    t->dx = t->you.x + t->dx < 0 || t->you.x + t->dx > t->side ? -t->dx : t->dx;
    t->dy = t->you.y + t->dy < 0 || t->you.y + t->dy > t->side ? -t->dy : t->dy;
    t->you.x += t->dx;
    t->you.y += t->dy;
}

static uint32_t tick(town *t)
{
    uint32_t close_by;
    walk(t);
    const double start = kith_clock_now();
    const uint32_t seen = count_who_see(t, &close_by);
    const double middle = kith_clock_now();
    const uint32_t by_loops = count_by_loops(t);
    t->index_time += middle - start;
    t->loop_time += kith_clock_now() - middle;
    if (seen != by_loops) {
        fail("line_of_sight: by rays %" PRIu32 " see you, and by loops %" PRIu32, seen, by_loops);
    }
    t->close_by += close_by;
    t->seen += seen;
    return seen;
}

/* ---- On the terminal ----------------------------------------------------------------------------- */

static void draw_walls(kith_screen *on, const town *t, float wide, float tall)
{
    kith_iter it = kith_query_iter(t->all_walls);
    while (kith_next(&it)) {
        const Wall *wall = KITH_COLUMN(&it, Wall);
        for (uint32_t i = 0; i < it.count; i++) {
            for (float y = wall[i].top; y < wall[i].bottom; y++) {
                for (float x = wall[i].left; x < wall[i].right; x++) {
                    kith_screen_put(on, (int)(x * wide), (int)(y * tall), '#',
                                    (kith_terminal_style){0});
                }
            }
        }
    }
    must(NULL, it.result);
}

static void draw(kith_screen *on, const town *t, uint32_t seen)
{
    const float wide = (float)kith_screen_width(on) / t->side;
    const float tall = (float)kith_screen_height(on) / t->side;
    kith_screen_clear(on);
    draw_walls(on, t, wide, tall);
    kith_iter it = kith_query_iter(t->only_guards);
    while (kith_next(&it)) {
        const Position *at = KITH_COLUMN(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) {
            const bool sees = is_near(t, &at[i]) && !is_in_the_way(t, &at[i]);
            kith_screen_put(on, (int)(at[i].x * wide), (int)(at[i].y * tall), sees ? 'G' : 'g',
                            (kith_terminal_style){.fg = sees ? KITH_RED : KITH_CYAN});
        }
    }
    must(NULL, it.result);
    kith_screen_put(on, (int)(t->you.x * wide), (int)(t->you.y * tall), '@',
                    (kith_terminal_style){.fg = KITH_YELLOW});
    kith_screen_print(on, 0, 0, (kith_terminal_style){0}, " %" PRIu32 " see you ", seen);
}

static void play_on_terminal(town *t, uint32_t ticks)
{
    kith_terminal *term = terminal_open(&(kith_terminal_def){.width = 60, .height = 20});
    const bool live = kith_terminal_is_live(term);
    uint32_t seen = 0;
    kith_loop loop;
    must(NULL, kith_loop_start(&loop, &(kith_loop_def){.steps = 20,
                                                       .clock = kith_terminal_clock(term),
                                                       .frames = live ? 0 : ticks}));
    while (kith_loop_next_frame(&loop) && kith_terminal_poll(term) &&
           !kith_terminal_held(term, 'q')) {
        while (kith_loop_next_step(&loop)) {
            seen = tick(t);
        }
        draw(kith_terminal_screen(term), t, seen);
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
    uint32_t guards = 0, ticks = 50;
    bool no_times = false, term = false;
    const argument options[] = {
        {.option = "--guards", .number = &guards, .least = 1, .most = 1000000},
        {.option = "--ticks", .number = &ticks, .least = 1, .most = 1000000},
        {.option = "--no-times", .given = &no_times},
        {.option = "--term", .given = &term},
        {0}};
    arguments_read(argv, "line_of_sight", help, options);
    const uint32_t usual = term ? 40 : 10000;
    guards = guards == 0 ? usual : guards;
    town t = town_new(guards);
    if (term) {
        play_on_terminal(&t, ticks);
    } else {
        for (uint32_t i = 0; i < ticks; i++) {
            tick(&t);
        }
        printf("%" PRIu32 " guards, %" PRIu32 " walls, %" PRIu32 " ticks\n", guards,
               kith_query_count(t.all_walls), ticks);
        printf("in a tick %.2f are near, and %.2f of them see you\n", (double)t.close_by / ticks,
               (double)t.seen / ticks);
        if (!no_times) {
            printf("ms a tick, by rays: %.3f, by loops: %.3f\n", t.index_time * 1000 / ticks,
                   t.loop_time * 1000 / ticks);
        }
    }
    must_print();
    kith_world_free(t.world);
    return 0;
}
