/* What single things look like: colours, the map, and pictures from sprites.txt. */
#ifndef EXAMPLES_ARENA_PICTURE_H
#define EXAMPLES_ARENA_PICTURE_H

#include <kith/terminal.h>

#include "arena/components.h"
#include "arena/map.h"

typedef struct picture_look {
    bool hit;  /* a moment ago */
    bool left; /* it looks that way */
} picture_look;

/* Reads a set of pictures; says what is wrong and ends the program if it cannot. */
kith_terminal_sprites *pictures_read(const char *path);

/* NULL if there is none of that name. */
const kith_terminal_sprite *pictures_find(const kith_terminal_sprites *pictures,
                                          const Picture *picture);

/* Draws one with its middle at a point of the world. Its frames: it looks to the right; it was hit;
 * it looks to the left. */
void picture_draw(kith_screen *screen, const kith_camera *camera,
                  const kith_terminal_sprite *sprite, Position at, picture_look look);

/* What is behind the map, where that ends. */
kith_terminal_style picture_ground_style(void);

/* A picture of the whole map, two columns a cell. Ends the program if memory runs out. */
kith_screen *picture_of_map(const Terrain *terrain);

/* A colour of which only a part (1 to 0) is left; colours of the palette stay as they are. */
kith_terminal_color picture_fade(kith_terminal_color color, float part);

/* The colour of so many moths in one place; none for 0. */
kith_terminal_color picture_swarm_color(uint32_t moths);

/* Green, yellow, red. */
kith_terminal_style picture_health_style(float part);

#endif
