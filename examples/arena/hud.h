/* What is drawn over the world: the score, notices, help, and what the engine does. */
#ifndef EXAMPLES_ARENA_HUD_H
#define EXAMPLES_ARENA_HUD_H

#include "arena/view.h"

/* What the loop around the game is up to. */
typedef struct hud_state {
    bool paused;
    bool slow;
    bool self;    /* the game plays itself, or a recording does */
    bool ended;   /* the recording is over */
    bool intro;   /* nobody has pressed a key yet */
    bool idle;    /* nobody has for a while */
    bool back;    /* goes back in time */
    float left;   /* seconds that it can go back */
    bool overlay; /* is asked for */
    int help;     /* the page that is asked for, from 1 */
    bool live;    /* there is somebody to read hints */
} hud_state;

void hud_draw(kith_screen *screen, const arena_view *view, const hud_state *state);

/* How many pages the help has on this screen. */
int hud_help_pages(const kith_screen *screen);

/* The overlay: entities, memory, and how long the loop and each system take. */
void overlay_draw(kith_screen *screen, const kith_world *world, const kith_terminal *term,
                  const kith_loop *loop);

#endif
