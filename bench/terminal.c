/* Frames on a terminal of 160 by 50: sprites that move each frame, by the terminal kit and by a plain
 * renderer that sends, for each cell that changed, its place and its colours where they are new. */
#include <kith/terminal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define TERM_WIDTH 160
#define TERM_HEIGHT 50
#define TERM_FRAMES 1000
#define TERM_RUNS 7

/* A sprite is one cell, and goes on to another one in each frame. */
typedef struct term_sprite {
    int x, y, dx, dy;
    uint32_t glyph;
    kith_terminal_color color;
} term_sprite;

typedef struct term_scene {
    const char *name;
    uint32_t count;
    uint32_t colors; /* how many different ones */
    bool walls;      /* a map behind, which the sprites cover and uncover */
    double byte_target;
    double us_target;
} term_scene;

static const term_scene scenes[] = {
    {"100 sprites, a colour each", 100, 100, false, 5120, 120},
    {"100 sprites, 8 colours", 100, 8, false, 5120, 120},
    {"100 sprites, 8 colours, before walls", 100, 8, true, 5120, 120},
    {"1,000 sprites, 8 colours", 1000, 8, false, 0, 0},
};

static uint32_t next_number(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static term_sprite *make_sprites(const term_scene *scene)
{
    term_sprite *sprites = bench_take(scene->count * sizeof *sprites);
    uint32_t state = 7;
    for (uint32_t i = 0; i < scene->count; i++) {
        int color = (int)(i % scene->colors * 7919u);
        sprites[i] = (term_sprite){
            .x = (int)(next_number(&state) % TERM_WIDTH),
            .y = (int)(next_number(&state) % TERM_HEIGHT),
            .dx = next_number(&state) % 2 == 0 ? 1 : -1,
            .dy = (int)(next_number(&state) % 3) - 1,
            .glyph = 'a' + i % 26,
            .color = kith_rgb(100 + color % 156, 100 + color / 7 % 156, 100 + color / 49 % 156)};
    }
    return sprites;
}

static void move_sprites(term_sprite *sprites, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        term_sprite *s = &sprites[i];
        s->dx = s->x + s->dx < 0 || s->x + s->dx >= TERM_WIDTH ? -s->dx : s->dx;
        s->dy = s->y + s->dy < 0 || s->y + s->dy >= TERM_HEIGHT ? -s->dy : s->dy;
        s->x += s->dx;
        s->y += s->dy;
    }
}

static bool is_wall(int x, int y)
{
    return (x * 7 + y * 13) % 11 < 3;
}

#define WALL_GLYPH '#'
#define WALL_COLOR KITH_RGB | 0x5a5a78

/* ---- The plain renderer ---------------------------------------------------------------------- */

typedef struct plain_cell {
    uint32_t glyph, fg;
} plain_cell;

static plain_cell plain_next[TERM_WIDTH * TERM_HEIGHT];
static plain_cell plain_shown[TERM_WIDTH * TERM_HEIGHT];
static char plain_bytes[TERM_WIDTH * TERM_HEIGHT * 40];

static size_t plain_present(void)
{
    char *at = plain_bytes;
    uint32_t pen = 0;
    int cursor = -1;
    for (int i = 0; i < TERM_WIDTH * TERM_HEIGHT; i++) {
        if (memcmp(&plain_next[i], &plain_shown[i], sizeof plain_next[i]) == 0) {
            continue;
        }
        if (cursor != i) {
            at += sprintf(at, "\033[%d;%dH", i / TERM_WIDTH + 1, i % TERM_WIDTH + 1);
        }
        if (pen != plain_next[i].fg) {
            pen = plain_next[i].fg;
            at += pen == 0 ? sprintf(at, "\033[39m")
                           : sprintf(at, "\033[38;2;%u;%u;%um", pen >> 16 & 255, pen >> 8 & 255,
                                     pen & 255);
        }
        *at++ = (char)plain_next[i].glyph;
        plain_shown[i] = plain_next[i];
        cursor = i + 1;
    }
    return (size_t)(at - plain_bytes);
}

static size_t plain_frame(const term_scene *scene, const term_sprite *sprites)
{
    for (int i = 0; i < TERM_WIDTH * TERM_HEIGHT; i++) {
        bool wall = scene->walls && is_wall(i % TERM_WIDTH, i / TERM_WIDTH);
        plain_next[i] = wall ? (plain_cell){WALL_GLYPH, WALL_COLOR} : (plain_cell){' ', 0};
    }
    for (uint32_t i = 0; i < scene->count; i++) {
        plain_next[sprites[i].y * TERM_WIDTH + sprites[i].x] =
            (plain_cell){sprites[i].glyph, sprites[i].color};
    }
    return plain_present();
}

/* ---- The kit --------------------------------------------------------------------------------- */

static void draw_walls(kith_screen *screen)
{
    for (int i = 0; i < TERM_WIDTH * TERM_HEIGHT; i++) {
        if (is_wall(i % TERM_WIDTH, i / TERM_WIDTH)) {
            kith_screen_put(screen, i % TERM_WIDTH, i / TERM_WIDTH, WALL_GLYPH,
                            (kith_terminal_style){.fg = WALL_COLOR});
        }
    }
}

static size_t kit_frame(kith_terminal *term, const term_scene *scene, const term_sprite *sprites)
{
    kith_screen *screen = kith_terminal_screen(term);
    kith_screen_clear(screen);
    if (scene->walls) {
        draw_walls(screen);
    }
    for (uint32_t i = 0; i < scene->count; i++) {
        kith_screen_put(screen, sprites[i].x, sprites[i].y, sprites[i].glyph,
                        (kith_terminal_style){.fg = sprites[i].color});
    }
    kith_terminal_present(term);
    return kith_terminal_statistics(term).last_bytes;
}

/* ---- Both ------------------------------------------------------------------------------------ */

typedef struct frame_cost {
    double bytes;
    double us;
} frame_cost;

/* One run; `term` NULL: the plain renderer. The first frame shows everything and is not counted. */
static frame_cost run_frames(const term_scene *scene, kith_terminal *term)
{
    term_sprite *sprites = make_sprites(scene);
    double bytes = 0;
    double ns = 0;
    for (int frame = -1; frame < TERM_FRAMES; frame++) {
        double start = bench_now();
        size_t size = term == NULL ? plain_frame(scene, sprites) : kit_frame(term, scene, sprites);
        if (frame >= 0) {
            ns += bench_now() - start;
            bytes += (double)size;
        }
        move_sprites(sprites, scene->count);
    }
    free(sprites);
    return (frame_cost){bytes / TERM_FRAMES, ns / TERM_FRAMES / 1000};
}

static void keep_fastest(frame_cost *best, frame_cost next)
{
    *best = best->us == 0 || next.us < best->us ? next : *best;
}

void bench_terminal(void)
{
    const kith_terminal_def def = {
        .output = KITH_TERMINAL_HEADLESS, .width = TERM_WIDTH, .height = TERM_HEIGHT};
    kith_terminal *term;
    if (kith_terminal_open(&def, &term) != KITH_OK) {
        fprintf(stderr, "bench: no memory for a terminal\n");
        exit(1);
    }
    printf("%-36s %6s %6s %6s %7s %7s %6s\n", "a frame on a terminal of 160 by 50", "bytes",
           "plain", "target", "us", "plain", "target");
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        frame_cost kit = {0, 0};
        frame_cost plain = {0, 0};
        for (int run = 0; run < TERM_RUNS; run++) {
            keep_fastest(&kit, run_frames(&scenes[i], term));
            keep_fastest(&plain, run_frames(&scenes[i], NULL));
        }
        printf("%-36s %6.0f %6.0f %6.0f %7.1f %7.1f %6.0f\n", scenes[i].name, kit.bytes,
               plain.bytes, scenes[i].byte_target, kit.us, plain.us, scenes[i].us_target);
    }
    kith_terminal_close(term);
}
