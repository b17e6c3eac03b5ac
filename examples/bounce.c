/* bounce: entities that bounce around the terminal; q quits. Without a terminal, its last frame */
#include <kith/kith.h>
#include <kith/system.h>
#include <kith/term.h>

#include "support/must.h"

enum { BALLS = 40, FRAMES_WITHOUT_TERMINAL = 150 };

typedef struct Position {
    float x, y;
} Position;
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

typedef struct Velocity {
    float dx, dy;
} Velocity;
KITH_TYPE(Velocity, KITH_FIELD(Velocity, dx), KITH_FIELD(Velocity, dy));

static void turn(float at, float end, float *speed)
{
    if ((at < 1 && *speed < 0) || (at >= end - 1 && *speed > 0)) {
        *speed = -*speed;
    }
}

static void movement(kith_iter *it)
{
    while (kith_next(it)) {
        Position *position = KITH_COLUMN_MUT(it, 0, Position);
        Velocity *velocity = KITH_COLUMN_MUT(it, 1, Velocity);
        for (uint32_t i = 0; i < it->count; i++) {
            turn(position[i].x, (float)kith_screen_width(it->user), &velocity[i].dx);
            turn(position[i].y, (float)kith_screen_height(it->user), &velocity[i].dy);
            position[i].x += velocity[i].dx * it->dt;
            position[i].y += velocity[i].dy * it->dt;
        }
    }
}

static void draw(kith_screen *screen, kith_query *balls)
{
    const kith_screen_rect all = {0, 0, kith_screen_width(screen), kith_screen_height(screen)};
    kith_screen_clear(screen);
    for (kith_iter it = kith_query_iter(balls); kith_next(&it);) {
        const Position *position = KITH_COLUMN(&it, 0, Position);
        for (uint32_t i = 0; i < it.count; i++) {
            kith_term_style style = {.fg = KITH_PALETTE(kith_entities(&it)[i].index1 % 6 + 9)};
            kith_screen_put(screen, (int)position[i].x, (int)position[i].y, 'o', style);
        }
    }
    kith_screen_box(screen, all, KITH_BORDER_ROUND, (kith_term_style){.fg = KITH_CYAN});
}

int main(void)
{
    kith_term *term;
    kith_loop loop;
    kith_world *world = kith_world_new(NULL);
    must(NULL, kith_term_open(&(kith_term_def){.width = 60, .height = 16}, &term));
    must(world, kith_register(world, &Position_type, NULL));
    must(world, kith_register(world, &Velocity_type, NULL));
    must(world, kith_system_add(world, &(kith_system_def){
        .name = "movement", .run = movement, .user = kith_term_screen(term),
        .query = {KITH_TERMS(KITH_WRITE(Position), KITH_WRITE(Velocity))}}));
    kith_query *balls = KITH_QUERY(world, KITH_READ(Position));
    for (int i = 0; i < BALLS; i++) {
        must_spawn(KITH_SPAWN(world, KITH_VALUE(Position, {(float)(1 + i), (float)(1 + i % 13)}),
                              KITH_VALUE(Velocity, {(float)(9 + i % 7), (float)(3 + i % 5)})));
    }
    must(NULL, kith_loop_start(&loop, &(kith_loop_def){
        .clock = kith_term_clock(term),
        .frames = kith_term_is_live(term) ? 0 : FRAMES_WITHOUT_TERMINAL}));
    while (kith_loop_next_frame(&loop)) {
        for (kith_input_event event; kith_term_next_event(term, &event);) {
            if (event.key == 'q' || event.kind == KITH_INPUT_CLOSED) {
                kith_loop_stop(&loop);
            }
        }
        while (kith_loop_next_step(&loop)) {
            must(world, kith_run(world, loop.dt));
        }
        draw(kith_term_screen(term), balls);
        must(NULL, kith_term_present(term));
    }
    if (!kith_term_is_live(term)) {
        must(NULL, kith_term_write(term, stdout, KITH_FORMAT_TEXT));
    }
    kith_term_close(term);
    kith_world_free(world);
    return 0;
}
