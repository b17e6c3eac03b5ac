/* Boxes of text in the middle of the screen, which fit any screen: lines are broken at words, and what
 * is too long for one page is on several. */
#ifndef EXAMPLES_ARENA_PANEL_H
#define EXAMPLES_ARENA_PANEL_H

#include <kith/terminal.h>

/* A line, or a key and what it does. */
typedef struct panel_line {
    const char *key; /* NULL: none, and the text begins at the left */
    const char *text;
} panel_line;

/* What is in a box. The first line is its title. Empty lines, of "", are left out where there is no room
 * for them. */
typedef struct panel {
    const panel_line *lines;
    int count;
} panel;

/* How many pages there are on a screen of this size, from 1. */
int panel_pages(const kith_screen *screen, const panel *shown);

/* Draws a page, counted from 1; after the last one comes the last. */
void panel_draw(kith_screen *screen, const panel *shown, int page);

#endif
