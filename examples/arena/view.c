#include <kith/floats.h>

#include "arena/view.h"

#include <errno.h>
#include <kith/hierarchy.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/map.h"
#include "arena/picture.h"
#include "support/must.h"

/* Where the files that come with it are found from anywhere; the build says it. */
#ifndef EXAMPLES_DIR
#define EXAMPLES_DIR "examples"
#endif

enum { NOTICE_SECONDS = 2 };

static kith_query *query_of(const arena_world *arena, kith_query_def def)
{
    kith_query *query;
    must(arena->world, kith_query_new(arena->world, &def, &query));
    return query;
}

static void open_queries(arena_view *view)
{
    view->moths = query_of(
        view->arena, (kith_query_def){.terms = KITH_TERMS(KITH_READ(Position), KITH_READ(Velocity),
                                                          KITH_WITH(Moth))});
    view->sprites =
        query_of(view->arena,
                 (kith_query_def){.terms = KITH_TERMS(KITH_READ(Position), KITH_OPTIONAL(Velocity),
                                                      KITH_READ(Sprite), KITH_OPTIONAL(Picture),
                                                      KITH_OPTIONAL(Hurt), KITH_OPTIONAL(Aim),
                                                      KITH_WITHOUT(Moth))});
    view->sparks = query_of(
        view->arena, (kith_query_def){.terms = KITH_TERMS(KITH_READ(Position), KITH_READ(Velocity),
                                                          KITH_READ(Spark), KITH_READ(Lifetime))});
    view->hurt = query_of(
        view->arena, (kith_query_def){.terms = KITH_TERMS(KITH_READ(Position), KITH_READ(Health),
                                                          KITH_WITH(Hurt), KITH_WITHOUT(Player),
                                                          KITH_WITHOUT(Boss))});
    view->turrets = query_of(
        view->arena, (kith_query_def){.terms = KITH_TERMS(KITH_READ(Position), KITH_READ(Velocity),
                                                          KITH_READ(Global2), KITH_WITH(Turret))});
    view->bosses = query_of(
        view->arena, (kith_query_def){.terms = KITH_TERMS(KITH_READ(Boss), KITH_READ(Health))});
    view->enemies = query_of(
        view->arena, (kith_query_def){.terms = KITH_TERMS(KITH_READ(Position), KITH_READ(Sprite),
                                                          KITH_WITH(Enemy))});
    view->players = query_of(
        view->arena, (kith_query_def){.terms = KITH_TERMS(KITH_READ(Health), KITH_READ(Gun),
                                                          KITH_READ(Aim), KITH_READ(Position),
                                                          KITH_READ(Velocity), KITH_WITH(Player))});
}

void view_open(arena_view *view, const arena_world *arena)
{
    const Terrain *terrain = KITH_RESOURCE(arena->world, Terrain);
    const Target *target = KITH_RESOURCE(arena->world, Target);
    *view = (arena_view){
        .arena = arena,
        .pictures = pictures_read(EXAMPLES_DIR "/arena/sprites.txt"),
        .map = picture_of_map(terrain),
        .camera = {.x = target->x,
                   .y = target->y,
                   .cell_width = 0.5f,
                   .cell_height = 1,
                   .dead_width = 8,
                   .dead_height = 4,
                   .speed = 0.995f,
                   .min_x = -0.5f,
                   .max_x = (float)terrain->columns - 0.5f,
                   .min_y = -0.5f,
                   .max_y = (float)terrain->rows - 0.5f},
    };
    open_queries(view);
}

void view_close(arena_view *view)
{
    free(view->swarm);
    kith_screen_free(view->map);
    kith_terminal_sprites_free(view->pictures);
}

/* ---- After a step ---------------------------------------------------------------------------- */

/* The first row is for the score, the last one for notices. */
static kith_screen_rect rect_of_view(const kith_screen *screen)
{
    return (kith_screen_rect){0, 1, kith_screen_width(screen), kith_screen_height(screen) - 2};
}

static void see_events(arena_view *view)
{
    const Quake *quake;
    const Notice *notice;
    const kith_world *world = view->arena->world;
    while ((quake = kith_event_next(world, &Quake_type, &view->seen.quakes, NULL)) != NULL) {
        kith_camera_shake(&view->camera, quake->cells, quake->seconds);
    }
    while ((notice = kith_event_next(world, &Notice_type, &view->seen.notices, NULL)) != NULL) {
        memcpy(view->notice, notice->text, sizeof(view->notice));
        view->notice_seconds = NOTICE_SECONDS;
    }
}

void view_step(arena_view *view, const kith_screen *screen)
{
    const float dt = 1.0f / STEPS_PER_SECOND;
    const Target *target = KITH_RESOURCE(view->arena->world, Target);
    see_events(view);
    view->notice_seconds -= view->notice_seconds > 0 ? dt : 0;
    view->camera.view = rect_of_view(screen);
    kith_camera_follow(&view->camera, target->x, target->y, dt);
}

/* ---- Drawing --------------------------------------------------------------------------------- */

/* A drawing that is going on. */
typedef struct drawing {
    const arena_view *view;
    kith_screen *screen;
    kith_camera camera; /* set to whole cells, so that the map and what is on it go together */
    float row_0;        /* the middle of the screen's first row; a row is 1 high */
    float back;         /* seconds from what is drawn to the last step */
    float left, top, right, bottom; /* what is beyond is not to be seen */
} drawing;

static drawing begin_drawing(const arena_view *view, kith_screen *screen, float ahead)
{
    drawing d = {.view = view, .screen = screen, .camera = view->camera};
    d.camera.x = (float)(int)(d.camera.x * 2) / 2;
    d.camera.y = (float)(int)d.camera.y;
    d.back = (1 - ahead) / STEPS_PER_SECOND;
    kith_camera_to_world(&d.camera, 0, 0, NULL, &d.row_0);
    const kith_screen_rect *rect = &d.camera.view;
    kith_camera_to_world(&d.camera, rect->x - 4, rect->y - 2, &d.left, &d.top);
    kith_camera_to_world(&d.camera, rect->x + rect->width + 4, rect->y + rect->height + 2, &d.right,
                         &d.bottom);
    return d;
}

static bool is_near(const drawing *d, const Position *at)
{
    return at->x > d->left && at->x < d->right && at->y > d->top && at->y < d->bottom;
}

/* Its speed tells where it was before the last step. */
static Position between(const drawing *d, Position at, const Velocity *velocity)
{
    if (velocity != NULL) {
        at.x -= velocity->dx * d->back;
        at.y -= velocity->dy * d->back;
    }
    return at;
}

/* The half of a cell that shows a point, as kith_screen_dot counts them. */
static bool find_dot(const drawing *d, Position at, int *x, int *y)
{
    bool seen = kith_camera_to_screen(&d->camera, at.x, at.y, x, y);
    *y = *y * 2 + (at.y > d->row_0 + (float)*y);
    return seen;
}

static void draw_dot(const drawing *d, Position at, kith_terminal_color color)
{
    int x;
    int y;
    if (find_dot(d, at, &x, &y)) {
        kith_screen_dot(d->screen, x, y, color);
    }
}

static void draw_map(const drawing *d)
{
    int x;
    int y;
    kith_camera_to_screen(&d->camera, -0.25f, 0, &x, &y);
    kith_screen_fill(d->screen, d->camera.view, ' ', picture_ground_style());
    kith_screen_draw(d->screen, x, y, d->view->map);
}

/* Moths fly behind the walls. */
static void count_moth(const drawing *d, const Terrain *terrain, Position at)
{
    int x;
    int y;
    if (map_is_wall(terrain, map_cell(at.x), map_cell(at.y)) || !find_dot(d, at, &x, &y)) {
        return;
    }
    uint8_t *count = &d->view->swarm[y * kith_screen_width(d->screen) + x];
    *count = (uint8_t)(*count + (*count < UINT8_MAX));
}

/* There may be more moths than dots on the screen: where there are many it glows. */
static void draw_moths(const drawing *d)
{
    const int width = kith_screen_width(d->screen);
    const int height = kith_screen_height(d->screen) * 2;
    const Terrain *terrain = KITH_RESOURCE(d->view->arena->world, Terrain);
    memset(d->view->swarm, 0, d->view->swarm_size);
    kith_iter it = kith_query_iter(d->view->moths);
    while (kith_next(&it)) {
        const Position *at = KITH_COLUMN(&it, Position);
        const Velocity *velocity = KITH_COLUMN(&it, Velocity);
        for (uint32_t i = 0; i < it.count; i++) {
            if (is_near(d, &at[i])) {
                count_moth(d, terrain, between(d, at[i], &velocity[i]));
            }
        }
    }
    must(NULL, it.result);
    for (int i = 0; i < width * height; i++) {
        uint8_t count = d->view->swarm[i];
        kith_screen_dot(d->screen, i % width, i / width, picture_swarm_color(count));
    }
}

static void draw_sparks(const drawing *d)
{
    kith_iter it = kith_query_iter(d->view->sparks);
    while (kith_next(&it)) {
        const Position *at = KITH_COLUMN(&it, Position);
        const Velocity *velocity = KITH_COLUMN(&it, Velocity);
        const Spark *spark = KITH_COLUMN(&it, Spark);
        const Lifetime *life = KITH_COLUMN(&it, Lifetime);
        for (uint32_t i = 0; i < it.count; i++) {
            if (is_near(d, &at[i])) {
                draw_dot(d, between(d, at[i], &velocity[i]),
                         picture_fade(spark[i].color, life[i].seconds / spark[i].life));
            }
        }
    }
    must(NULL, it.result);
}

/* One of what has a Sprite: by its picture, or else its character, or else as a dot. */
static void draw_sprite(const drawing *d, const kith_iter *it, uint32_t i, Position at,
                        const Sprite *sprite)
{
    const Picture *picture = KITH_AT(it, i, Picture);
    const Hurt *hurt = KITH_AT(it, i, Hurt);
    const Aim *aim = KITH_AT(it, i, Aim);
    int x;
    int y;
    if (picture != NULL) {
        picture_look look = {.hit = hurt != NULL && hurt->seconds > 1.4f,
                             .left = aim != NULL && aim->x < 0};
        picture_draw(d->screen, &d->camera, pictures_find(d->view->pictures, picture), at, look);
    } else if (sprite->glyph[0] == '\0') {
        draw_dot(d, at, sprite->foreground);
    } else if (kith_camera_to_screen(&d->camera, at.x, at.y, &x, &y)) {
        char glyph[sizeof(sprite->glyph) + 1] = {0};
        memcpy(glyph, sprite->glyph, sizeof(sprite->glyph));
        kith_screen_text(d->screen, x, y, glyph,
                         (kith_terminal_style){.fg = sprite->foreground, .bg = sprite->background});
    }
}

static void draw_layer(const drawing *d, int32_t layer)
{
    kith_iter it = kith_query_iter(d->view->sprites);
    while (kith_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            const Position *at = KITH_AT(&it, i, Position);
            const Sprite *sprite = KITH_AT(&it, i, Sprite);
            if (sprite->layer == layer && is_near(d, at)) {
                draw_sprite(d, &it, i, between(d, *at, KITH_AT(&it, i, Velocity)), sprite);
            }
        }
    }
    must(NULL, it.result);
}

/* A line, as dots. */
static void draw_line(const drawing *d, Position from, Position to, kith_terminal_color color)
{
    const float dx = to.x - from.x;
    const float dy = to.y - from.y;
    const int dots = 1 + (int)(2 * fmaxf(fabsf(dx), fabsf(dy)));
    for (int i = 0; i <= dots; i++) {
        const float part = (float)i / (float)dots;
        draw_dot(d, (Position){from.x + dx * part, from.y + dy * part}, color);
    }
}

/* The arm that holds a turret, and its barrel. */
static void draw_arm(const drawing *d, kith_entity turret, Position at, const Global2 *global)
{
    const kith_world *world = d->view->arena->world;
    const kith_entity holder = kith_parent(world, turret);
    const Position *from = KITH_GET(world, holder, Position);
    const Sprite *look = KITH_GET(world, holder, Sprite);
    if (from != NULL && look != NULL) {
        draw_line(d, between(d, *from, KITH_GET(world, holder, Velocity)), at,
                  picture_fade(look->foreground, 0.35f));
    }
    const kith_vec2 barrel = kith_transform2_direction(*global, 1.6f, 0);
    draw_line(d, at, (Position){at.x + barrel.x, at.y + barrel.y}, KITH_RGB | 0xd6deeb);
}

static void draw_arms(const drawing *d)
{
    kith_iter it = kith_query_iter(d->view->turrets);
    while (kith_next(&it)) {
        const Position *at = KITH_COLUMN(&it, Position);
        const Velocity *velocity = KITH_COLUMN(&it, Velocity);
        const Global2 *global = KITH_COLUMN(&it, Global2);
        for (uint32_t i = 0; i < it.count; i++) {
            draw_arm(d, kith_entities(&it)[i], between(d, at[i], &velocity[i]), &global[i]);
        }
    }
    must(NULL, it.result);
}

/* A dot that the player's shots start towards. */
static void draw_aim(const drawing *d)
{
    kith_iter it = kith_query_iter(d->view->players);
    while (kith_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            const Aim *aim = KITH_AT(&it, i, Aim);
            Position at = between(d, *KITH_AT(&it, i, Position), KITH_AT(&it, i, Velocity));
            at.x += aim->x * 2.5f;
            at.y += aim->y * 2.5f;
            draw_dot(d, at, KITH_RGB | 0x96a05a);
        }
    }
    must(NULL, it.result);
}

/* A bar over the heads of those that were hit; that of a boss is at the top of the screen. */
static void draw_health(const drawing *d)
{
    kith_iter it = kith_query_iter(d->view->hurt);
    while (kith_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            const Position *at = KITH_AT(&it, i, Position);
            const Health *health = KITH_AT(&it, i, Health);
            int x;
            int y;
            if (kith_camera_to_screen(&d->camera, at->x - 1, at->y - 2, &x, &y)) {
                float part = (float)health->current / (float)health->max;
                kith_screen_bar(d->screen, x, y, 4, part, picture_health_style(part));
            }
        }
    }
    must(NULL, it.result);
}

/* Enemies that are out of sight are marked on the edge that they are behind. */
static void draw_marks(const drawing *d)
{
    const kith_screen_rect rect = d->camera.view;
    kith_iter it = kith_query_iter(d->view->enemies);
    while (kith_next(&it)) {
        const Position *at = KITH_COLUMN(&it, Position);
        const Sprite *sprite = KITH_COLUMN(&it, Sprite);
        for (uint32_t i = 0; i < it.count; i++) {
            int x;
            int y;
            if (!kith_camera_to_screen(&d->camera, at[i].x, at[i].y, &x, &y)) {
                x = x < 0 ? 0 : x >= rect.width ? rect.width - 1 : x;
                y = y < rect.y ? rect.y : y >= rect.y + rect.height ? rect.y + rect.height - 1 : y;
                kith_screen_put(d->screen, x, y, 0x25C6,
                                (kith_terminal_style){.fg = sprite[i].foreground});
            }
        }
    }
    must(NULL, it.result);
}

static void make_swarm(arena_view *view, const kith_screen *screen)
{
    size_t size = (size_t)kith_screen_width(screen) * (size_t)kith_screen_height(screen) * 2;
    if (size != view->swarm_size) {
        free(view->swarm);
        view->swarm = malloc(size);
        must(NULL, view->swarm != NULL ? KITH_OK : KITH_ERR_MEMORY);
        view->swarm_size = size;
    }
}

void view_draw(arena_view *view, kith_screen *screen, float ahead)
{
    view->camera.view = rect_of_view(screen);
    drawing d = begin_drawing(view, screen, ahead);
    make_swarm(view, screen);
    kith_screen_clear(screen);
    kith_screen_clip(screen, d.camera.view);
    draw_map(&d);
    draw_moths(&d);
    draw_sparks(&d);
    draw_arms(&d);
    for (int32_t layer = 0; layer < VIEW_LAYERS; layer++) {
        draw_layer(&d, layer);
    }
    draw_aim(&d);
    draw_health(&d);
    draw_marks(&d);
    kith_screen_clip(screen, (kith_screen_rect){0});
}
