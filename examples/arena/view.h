/* What is to be seen of the world: drawn between steps, from outside. Nothing here changes it. */
#ifndef EXAMPLES_ARENA_VIEW_H
#define EXAMPLES_ARENA_VIEW_H

#include <kith/terminal.h>

#include "arena/world.h"

enum { VIEW_LAYERS = 6 }; /* of a Sprite: 0 to 5 */

/* Which events were seen. They go back in time with the world. */
typedef struct view_readers {
    uint64_t quakes, notices;
} view_readers;

typedef struct arena_view {
    const arena_world *arena;
    kith_terminal_sprites *pictures;
    kith_screen *map; /* all of it, drawn once */
    uint8_t *swarm; /* how many moths there are in each half of a cell of the screen */
    size_t swarm_size;
    kith_camera camera;
    kith_query *moths;
    kith_query *sprites;
    kith_query *sparks;
    kith_query *hurt;
    kith_query *enemies;
    kith_query *turrets;
    kith_query *bosses;
    kith_query *players;
    view_readers seen;
    char notice[48];
    float notice_seconds; /* that it is still shown */
} arena_view;

/* Ends the program if a file or memory is missing. */
void view_open(arena_view *view, const arena_world *arena);
void view_close(arena_view *view);

/* To be called after each step: moves the camera, and sees what events there were. */
void view_step(arena_view *view, const kith_screen *screen);

/* Draws the world as it is `ahead` of the way from the last step but one to the last. */
void view_draw(arena_view *view, kith_screen *screen, float ahead);

#endif
