#include "term/sprite.h"

#include <string.h>

#include "term/term_heap.h"

void kith_term_sprites_free(kith_term_sprites *sprites)
{
    if (sprites == NULL) {
        return;
    }
    kith_allocator own = sprites->allocator;
    for (size_t i = 0; i < sprites->count; i++) {
        kith_term_sprite *sprite = sprites->items[i];
        for (size_t k = 0; k < sprite->count; k++) {
            kith_screen_free(sprite->frames[k].picture);
        }
        ki_term_free(&own, sprite->frames, sprite->capacity * sizeof *sprite->frames);
        ki_term_free(&own, sprite, sizeof *sprite);
    }
    ki_term_free(&own, sprites->items, sprites->capacity * sizeof(kith_term_sprite *));
    ki_term_free(&own, sprites, sizeof *sprites);
}

const kith_term_sprite *kith_term_sprites_find(const kith_term_sprites *sprites, const char *name)
{
    for (size_t i = 0; sprites != NULL && name != NULL && i < sprites->count; i++) {
        if (strcmp(sprites->items[i]->name, name) == 0) {
            return sprites->items[i];
        }
    }
    return NULL;
}

int kith_term_sprite_width(const kith_term_sprite *sprite)
{
    return sprite == NULL ? 0 : sprite->width;
}

int kith_term_sprite_height(const kith_term_sprite *sprite)
{
    return sprite == NULL ? 0 : sprite->height;
}

int kith_term_sprite_frames(const kith_term_sprite *sprite)
{
    return sprite == NULL ? 0 : (int)sprite->count;
}

void kith_screen_sprite(kith_screen *screen, int x, int y, const kith_term_sprite *sprite,
                        uint32_t frame)
{
    /* Far away coordinates, so that what is taken off them does not overflow. */
    if (screen == NULL || sprite == NULL || x < -KI_SIDE_MAX * 2 || y < -KI_SIDE_MAX * 2) {
        return;
    }
    const ki_sprite_frame *drawn = &sprite->frames[frame % sprite->count];
    kith_screen_draw(screen, x - drawn->anchor_x, y - drawn->anchor_y, drawn->picture);
}
