/* fireworks: systems that make and end entities: rockets and sparks */

#include <kith/floats.h>

#include <kith/kith.h>
#include <kith/terminal.h>
#include <stdio.h>

#include "support/arguments.h"
#include "support/must.h"
#include "support/terminal.h"

enum { ROCKETS = 4, SPARKS = 9, FRAMES = 256, FRAMES_PER_LINE = 32, FRAMES_PER_SECOND = 64 };

static const char help[] =
    "usage: fireworks\n"
    "\n"
    "Rockets rise and burst into sparks, which go out: on a terminal in pictures,\n"
    "again and again until you press q; elsewhere once, in numbers.\n";

typedef struct Body {
    float x, y, dx, dy;
} Body;
KITH_TYPE(Body, KITH_FIELD(Body, x), KITH_FIELD(Body, y), KITH_FIELD(Body, dx),
          KITH_FIELD(Body, dy));

typedef struct Life {
    float seconds;
} Life;
KITH_TYPE(Life, KITH_FIELD(Life, seconds));

typedef struct Follows {
    kith_entity leader;
} Follows;
KITH_TYPE(Follows, KITH_FIELD(Follows, leader));

KITH_TAG(Rocket);

static void fly(kith_iter *it)
{
    while (kith_next(it)) {
        Body *body = KITH_COLUMN_MUT(it, Body);
        for (uint32_t i = 0; i < it->count; i++) {
            body[i].x += body[i].dx * it->dt;
            body[i].y += body[i].dy * it->dt;
        }
    }
}

/* A rocket at the end of its life leaves a flare and sparks that follow it. The flare's handle is
 * provisional: it becomes real, in the sparks too, when this function has returned. */
static void burst(kith_iter *it)
{
    while (kith_next(it)) {
        const Life *life = KITH_COLUMN(it, Life);
        const Body *at = KITH_COLUMN(it, Body);
        for (uint32_t i = 0; i < it->count; i++) {
            if (life[i].seconds <= 0) {
                kith_entity flare =
                    KITH_SPAWN(it->commands, KITH_VALUE(Body, at[i]), KITH_VALUE(Life, {1}));
                for (int s = 0; s < SPARKS; s++) {
                    const Body spark = {at[i].x, at[i].y, 5 * (float)(s % 3 - 1),
                                        5 * (float)(s / 3 - 1)};
                    KITH_SPAWN(it->commands, KITH_VALUE(Body, spark),
                               KITH_VALUE(Life, {s % 2 == 0 ? 0.75f : 1.25f}),
                               KITH_VALUE(Follows, {flare}));
                }
            }
        }
    }
}

/* Ends what has lived its time, and a spark with its flare. */
static void burn_out(kith_iter *it)
{
    while (kith_next(it)) {
        Life *life = KITH_COLUMN_MUT(it, Life);
        const Follows *follows = KITH_COLUMN(it, Follows);
        for (uint32_t i = 0; i < it->count; i++) {
            bool alone = follows != NULL && !kith_alive(it->user, follows[i].leader);
            if (life[i].seconds <= 0 || alone) {
                kith_commands_despawn(it->commands, kith_entities(it)[i]);
            }
            life[i].seconds -= it->dt;
        }
    }
}

static void set_up(kith_world *world)
{
    const kith_type *types[] = {&Body_type, &Life_type, &Follows_type, &Rocket_type};
    for (int i = 0; i < 4; i++) {
        must(world, kith_register(world, types[i], NULL));
    }
    must(world, KITH_SYSTEM(world, fly, KITH_WRITE(Body)));
    must(world, KITH_SYSTEM(world, burst, KITH_READ(Life), KITH_READ(Body), KITH_WITH(Rocket)));
    must(world,
         KITH_SYSTEM(world, burn_out, KITH_WRITE(Life), KITH_OPTIONAL(Follows), .user = world));
}

static void launch(kith_world *world)
{
    for (int i = 0; i < ROCKETS; i++) {
        must_spawn(KITH_SPAWN(world, KITH_VALUE(Body, {10 * (float)i, 0, 0, 12}),
                              KITH_VALUE(Life, {1 + 0.625f * (float)i}), KITH_VALUE(Rocket)));
    }
}

/* Sparks have the colour of their flare. The rest, rockets and flares, is white. */
static void draw(kith_screen *on, kith_query *bodies)
{
    static const kith_terminal_color colors[] = {KITH_RGB | 0xff6e5a, KITH_RGB | 0x78dc82,
                                                 KITH_RGB | 0x6ea0ff, KITH_RGB | 0xffd25a};
    const float columns = (float)kith_screen_width(on) / 48;
    const float rows = (float)kith_screen_height(on) / 42;
    kith_screen_clear(on);
    kith_iter it = kith_query_iter(bodies);
    while (kith_next(&it)) {
        const Body *body = KITH_COLUMN(&it, Body);
        const Follows *follows = KITH_COLUMN(&it, Follows);
        for (uint32_t i = 0; i < it.count; i++) {
            kith_terminal_style style = {.fg = KITH_WHITE};
            if (follows != NULL) {
                style.fg = colors[follows[i].leader.index1 % 4];
            }
            kith_screen_put(on, (int)((body[i].x + 9) * columns), (int)((42 - body[i].y) * rows),
                            follows != NULL ? '*' : '|', style);
        }
    }
    must(NULL, it.result);
}

/* Frame after frame on the terminal, until q is pressed. */
static void show(kith_world *world, kith_terminal *term)
{
    kith_query *bodies = must_make(KITH_QUERY(world, KITH_READ(Body), KITH_OPTIONAL(Follows)));
    kith_loop loop;
    must(NULL, kith_loop_start(&loop, &(kith_loop_def){.steps = FRAMES_PER_SECOND,
                                                       .clock = kith_terminal_clock(term)}));
    while (kith_loop_next_frame(&loop) && kith_terminal_poll(term) &&
           !kith_terminal_held(term, 'q')) {
        while (kith_loop_next_step(&loop)) {
            if (kith_entity_count(world) == 0) {
                launch(world);
            }
            must(world, kith_run(world, loop.dt));
        }
        draw(kith_terminal_screen(term), bodies);
        must(NULL, kith_terminal_present(term));
    }
}

/* How many there are, every half second. */
static void count(kith_world *world)
{
    kith_query *sparks = must_make(KITH_QUERY(world, KITH_WITH(Follows)));
    launch(world);
    for (int frame = 1; frame <= FRAMES; frame++) {
        must(world, kith_run(world, 1.0f / FRAMES_PER_SECOND));
        if (frame % FRAMES_PER_LINE == 0) {
            printf("frame %3d: %2u entities, %2u of them sparks\n", frame, kith_entity_count(world),
                   kith_query_count(sparks));
        }
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    arguments_none(argv, "fireworks", help);
    kith_world *world = must_make(kith_world_new(NULL));
    set_up(world);
    kith_terminal *term = terminal_open(NULL);
    if (kith_terminal_is_live(term)) {
        show(world, term);
    } else {
        count(world);
    }
    terminal_close(term);
    must_print();
    kith_world_free(world);
    return 0;
}
