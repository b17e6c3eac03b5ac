#include "terminal/sprite.h"

#include <string.h>

#include "terminal/terminal_heap.h"

void kith_terminal_sprites_free(kith_terminal_sprites *sprites)
{
    if (sprites == NULL) {
        return;
    }
    kith_allocator own = sprites->allocator;
    for (size_t i = 0; i < sprites->count; i++) {
        kith_terminal_sprite *sprite = sprites->items[i];
        for (size_t k = 0; k < sprite->count; k++) {
            kith_screen_free(sprite->frames[k].picture);
        }
        ki_terminal_free(&own, sprite->frames, sprite->capacity * sizeof *sprite->frames);
        ki_terminal_free(&own, sprite, sizeof *sprite);
    }
    ki_terminal_free(&own, sprites->items, sprites->capacity * sizeof(kith_terminal_sprite *));
    ki_terminal_free(&own, sprites, sizeof *sprites);
}

const kith_terminal_sprite *kith_terminal_sprites_find(const kith_terminal_sprites *set,
                                                       const char *name)
{
    for (size_t i = 0; set != NULL && name != NULL && i < set->count; i++) {
        if (strcmp(set->items[i]->name, name) == 0) {
            return set->items[i];
        }
    }
    return NULL;
}

int kith_terminal_sprite_width(const kith_terminal_sprite *sprite)
{
    return sprite == NULL ? 0 : sprite->width;
}

int kith_terminal_sprite_height(const kith_terminal_sprite *sprite)
{
    return sprite == NULL ? 0 : sprite->height;
}

int kith_terminal_sprite_frames(const kith_terminal_sprite *sprite)
{
    return sprite == NULL ? 0 : (int)sprite->count;
}

void kith_screen_sprite(kith_screen *screen, int x, int y, const kith_terminal_sprite *sprite,
                        uint32_t frame)
{
    /* Far away coordinates, so that what is taken off them does not overflow. */
    if (screen == NULL || sprite == NULL || x < -KI_SIDE_MAX * 2 || y < -KI_SIDE_MAX * 2) {
        return;
    }
    const ki_sprite_frame *drawn = &sprite->frames[frame % sprite->count];
    kith_screen_draw(screen, x - drawn->anchor_x, y - drawn->anchor_y, drawn->picture);
}
