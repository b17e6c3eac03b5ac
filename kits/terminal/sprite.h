/* Sprites inside. */
#ifndef KI_TERMINAL_SPRITE_H
#define KI_TERMINAL_SPRITE_H

#include "terminal/screen.h"

#define KI_SPRITE_NAME_SIZE 64

typedef struct ki_sprite_frame {
    kith_screen *picture;
    int anchor_x, anchor_y;
} ki_sprite_frame;

struct kith_terminal_sprite {
    char name[KI_SPRITE_NAME_SIZE];
    int width, height; /* of the largest frame */
    ki_sprite_frame *frames;
    size_t count;
    size_t capacity;
};

struct kith_terminal_sprites {
    kith_allocator allocator;
    kith_terminal_sprite **items;
    size_t count;
    size_t capacity;
};

#endif
