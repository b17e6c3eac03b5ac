/* bounce: the smallest program that draws entities; q quits */
#include <kith/kith.h>
#include <kith/terminal.h>

#include "support/arguments.h"
#include "support/must.h"
#include "support/terminal.h"

typedef struct Position {
    float x, y;
} Position;
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

typedef struct Velocity {
    float dx, dy;
} Velocity;
KITH_TYPE(Velocity, KITH_FIELD(Velocity, dx), KITH_FIELD(Velocity, dy));

static const char help[] =
    "usage: bounce\n"
    "\n"
    "Forty balls bounce around the terminal; q quits. Without a terminal, they do\n"
    "so for 99 frames in memory, and the last one is printed.\n";

static void go(float *at, float *speed, int end, float dt)
{
    *speed = (*at < 1 && *speed < 0) || (*at > (float)end - 1 && *speed > 0) ? -*speed : *speed;
    *at += *speed * dt;
}

static void movement(kith_iter *it)
{
    while (kith_next(it)) {
        Position *p = KITH_COLUMN_MUT(it, Position);
        Velocity *v = KITH_COLUMN_MUT(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) {
            go(&p[i].x, &v[i].dx, kith_screen_width(it->user), it->dt);
            go(&p[i].y, &v[i].dy, kith_screen_height(it->user), it->dt);
        }
    }
}

static void draw(kith_screen *on, kith_query *balls)
{
    kith_screen_clear(on);
    kith_iter it = kith_query_iter(balls);
    while (kith_next(&it)) {
        const Position *p = KITH_COLUMN(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) {
            kith_screen_put(on, (int)p[i].x, (int)p[i].y, 'o',
                            (kith_terminal_style){.fg = KITH_CYAN});
        }
    }
    must(NULL, it.result);
}

int main(int argc, char **argv)
{
    (void)argc;
    arguments_none(argv, "bounce", help);
    kith_terminal *term = terminal_open(&(kith_terminal_def){.width = 60, .height = 16});
    kith_world *world = must_make(kith_world_new(NULL));
    must(world, kith_register(world, &Position_type, NULL));
    must(world, kith_register(world, &Velocity_type, NULL));
    must(world, KITH_SYSTEM(world, movement, KITH_WRITE(Position), KITH_WRITE(Velocity),
                            .user = kith_terminal_screen(term)));
    for (float i = 0; i < 40; i++) {
        must_spawn(KITH_SPAWN(world, KITH_VALUE(Position, {1 + i, 1 + i / 3}),
                              KITH_VALUE(Velocity, {19 - i, 3 + i / 8})));
    }
    kith_query *balls = must_make(KITH_QUERY(world, KITH_READ(Position)));
    kith_loop loop;
    must(NULL,
         kith_loop_start(&loop, &(kith_loop_def){.clock = kith_terminal_clock(term),
                                                 .frames = kith_terminal_is_live(term) ? 0 : 99}));
    while (kith_loop_next_frame(&loop) && kith_terminal_poll(term) &&
           !kith_terminal_held(term, 'q')) {
        while (kith_loop_next_step(&loop)) {
            must(world, kith_run(world, loop.dt));
        }
        draw(kith_terminal_screen(term), balls);
        must(NULL, kith_terminal_present(term));
    }
    if (!kith_terminal_is_live(term)) {
        terminal_print(term, KITH_FORMAT_TEXT);
    }
    terminal_close(term);
    must_print();
    kith_world_free(world);
    return 0;
}
