#include <kith/floats.h>

#include "arena/picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/must.h"

/* ---- Pictures -------------------------------------------------------------------------------- */

enum { LONGEST_FILE = 65536 };

static void read_text(const char *path, char text[LONGEST_FILE])
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fail("%s: %s", path, strerror(errno));
    }
    size_t size = fread(text, 1, LONGEST_FILE - 1, file);
    text[size] = '\0';
    fclose(file);
}

kith_terminal_sprites *pictures_read(const char *path)
{
    static char text[LONGEST_FILE];
    kith_terminal_sprites *pictures;
    kith_terminal_error error = {.line = 0};
    read_text(path, text);
    kith_result result = kith_terminal_sprites_read(text, NULL, &pictures, &error);
    if (result == KITH_ERR_INPUT) {
        fail("%s: %s", path, error.message);
    }
    must(NULL, result);
    return pictures;
}

const kith_terminal_sprite *pictures_find(const kith_terminal_sprites *pictures,
                                          const Picture *picture)
{
    char name[sizeof(picture->name) + 1] = {0}; /* a text that fills its field has no zero */
    memcpy(name, picture->name, sizeof(picture->name));
    return kith_terminal_sprites_find(pictures, name);
}

void picture_draw(kith_screen *screen, const kith_camera *camera,
                  const kith_terminal_sprite *sprite, Position at, picture_look look)
{
    int x;
    int y;
    float columns = (float)kith_terminal_sprite_width(sprite);
    float rows = (float)kith_terminal_sprite_height(sprite);
    /* The left upper cell's middle, from the picture's. */
    kith_camera_to_screen(camera, at.x - (columns - 1) * 0.25f, at.y - (rows - 1) * 0.5f, &x, &y);
    kith_screen_sprite(screen, x, y, sprite, look.hit ? 1 : look.left ? 2 : 0);
}

/* ---- Colours --------------------------------------------------------------------------------- */

kith_terminal_color picture_fade(kith_terminal_color color, float part)
{
    if (color >> 24 != 1) {
        return color;
    }
    float left = 0.25f + 0.75f * (part > 1 ? 1 : part < 0 ? 0 : part);
    return kith_rgb((int)((float)(color >> 16 & 255) * left),
                    (int)((float)(color >> 8 & 255) * left), (int)((float)(color & 255) * left));
}

kith_terminal_style picture_health_style(float part)
{
    return (kith_terminal_style){.fg = part > 0.6f   ? KITH_RGB | 0x7bd88f
                                       : part > 0.3f ? KITH_RGB | 0xffd866
                                                     : KITH_RGB | 0xff5c57,
                                 .bg = KITH_RGB | 0x30323c};
}

kith_terminal_color picture_swarm_color(uint32_t moths)
{
    static const kith_terminal_color colors[] = {KITH_COLOR_NONE,     KITH_RGB | 0x42462c,
                                                 KITH_RGB | 0x4e5230, KITH_RGB | 0x5a5e34,
                                                 KITH_RGB | 0x6a6c3a, KITH_RGB | 0x7e7e42};
    const uint32_t most = sizeof(colors) / sizeof(colors[0]) - 1;
    return colors[moths < most ? moths : most];
}

/* ---- The map --------------------------------------------------------------------------------- */

/* A number from 0 to 255 for a place, the same each time: the finalizer of MurmurHash3. */
static uint32_t grain(int32_t x, int32_t y)
{
    uint32_t h = (uint32_t)x * 0x9E3779B9u + (uint32_t)y * 0x85EBCA6Bu;
    h = (h ^ h >> 16) * 0x85EBCA6Bu;
    h = (h ^ h >> 13) * 0xC2B2AE35u;
    return (h ^ h >> 16) & 255;
}

/* How distance a wall's cell is from the open, up to 3. */
static int32_t depth(const Terrain *terrain, int32_t column, int32_t row)
{
    for (int32_t distance = 1; distance <= 2; distance++) {
        for (int32_t dy = -distance; dy <= distance; dy++) {
            for (int32_t dx = -distance; dx <= distance; dx++) {
                bool inside = column + dx >= 0 && row + dy >= 0 && column + dx < terrain->columns &&
                              row + dy < terrain->rows;
                if (inside && !map_is_wall(terrain, column + dx, row + dy)) {
                    return distance;
                }
            }
        }
    }
    return 3;
}

static void draw_wall(kith_screen *map, const Terrain *terrain, int32_t column, int32_t row)
{
    static const int shades[] = {0, 104, 66, 44};
    bool top = row > 0 && !map_is_wall(terrain, column, row - 1);
    for (int32_t half = 0; half < 2; half++) {
        int shade = shades[depth(terrain, column, row)] + (int)grain(column * 2 + half, row) / 16;
        kith_terminal_color color = kith_rgb(shade * 9 / 10, shade * 9 / 10, shade * 11 / 10);
        kith_terminal_color light = kith_rgb(shade + 34, shade + 40, shade + 52);
        kith_screen_put(map, column * 2 + half, row, top ? 0x2580 : 0x2588,
                        (kith_terminal_style){.fg = top ? light : color, .bg = color});
    }
}

kith_terminal_style picture_ground_style(void)
{
    return (kith_terminal_style){.fg = KITH_RGB | 0x2c2f3e, .bg = KITH_RGB | 0x0e0f16};
}

static void draw_floor(kith_screen *map, int32_t column, int32_t row)
{
    for (int32_t half = 0; half < 2; half++) {
        uint32_t speck = grain(column * 2 + half, row + 1000);
        kith_screen_put(map, column * 2 + half, row, speck < 8 ? 0x00B7 : ' ',
                        picture_ground_style());
    }
}

kith_screen *picture_of_map(const Terrain *terrain)
{
    kith_screen *map = kith_screen_new(terrain->columns * 2, terrain->rows, NULL);
    must(NULL, map != NULL ? KITH_OK : KITH_ERR_MEMORY);
    for (int32_t row = 0; row < terrain->rows; row++) {
        for (int32_t column = 0; column < terrain->columns; column++) {
            if (map_is_wall(terrain, column, row)) {
                draw_wall(map, terrain, column, row);
            } else {
                draw_floor(map, column, row);
            }
        }
    }
    return map;
}
