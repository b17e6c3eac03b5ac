/* Kith: the terminal kit: what is drawn: colours, screens of cells, sprites, the camera. What holds
 * for all of the kit (NULL, threads) is told in <kith/terminal.h>, which includes this. */
#ifndef KITH_TERMINAL_SCREEN_H
#define KITH_TERMINAL_SCREEN_H

#include <kith/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Colours and styles -------------------------------------------------------------------- */

/* A colour: none, the terminal's own, one of its palette of 256, or red, green and blue. */
typedef uint32_t kith_terminal_color;

/* No colour of its own: as a foreground the terminal's, as a background that which is there. */
#define KITH_COLOR_NONE 0u
/* The terminal's own colour, also as a background. */
#define KITH_COLOR_DEFAULT 0x03000000u
/* With red, green and blue: KITH_RGB | 0xff8040. */
#define KITH_RGB 0x01000000u
/* With a number: KITH_PALETTE | 214. 0 to 15 as the user of the terminal set them, 16 to 231 a cube of
 * colours, 232 to 255 greys. */
#define KITH_PALETTE 0x02000000u

#define KITH_BLACK 0x02000000u
#define KITH_RED 0x02000001u
#define KITH_GREEN 0x02000002u
#define KITH_YELLOW 0x02000003u
#define KITH_BLUE 0x02000004u
#define KITH_MAGENTA 0x02000005u
#define KITH_CYAN 0x02000006u
#define KITH_WHITE 0x02000007u
#define KITH_BRIGHT 8u /* KITH_RED | KITH_BRIGHT: so for each of the eight above */

/* KITH_RGB of parts that are computed, each 0 to 255. */
static inline kith_terminal_color kith_rgb(int red, int green, int blue)
{
    return KITH_RGB | ((uint32_t)red & 255) << 16 | ((uint32_t)green & 255) << 8 |
           ((uint32_t)blue & 255);
}

/* Attributes of a cell; any of them together. */
#define KITH_BOLD 1u
#define KITH_DIM 2u
#define KITH_ITALIC 4u
#define KITH_UNDERLINE 8u
#define KITH_BLINK 16u
#define KITH_REVERSE 32u

/* How something is drawn. All zero: the terminal's foreground on what is there. */
typedef struct kith_terminal_style {
    kith_terminal_color fg;
    kith_terminal_color bg;
    uint32_t attributes;
} kith_terminal_style;

/* ---- Screens ------------------------------------------------------------------------------- */

/* A rectangle of cells to draw on: the terminal's (kith_terminal_screen), or one of your own as a
 * layer. Cells are counted from 0, 0 at the top left. All drawing is clipped: any coordinates are
 * fine. */
typedef struct kith_screen kith_screen;

typedef struct kith_screen_rect {
    int x, y, width, height;
} kith_screen_rect;

/* A new screen with nothing on it. Memory comes from `allocator` (NULL: the C library).
 * NULL if memory ran out, or a side is not 1 to 10,000. */
KITH_API kith_screen *kith_screen_new(int width, int height, const kith_allocator *allocator);

/* Frees the screen. NULL is fine. Not for kith_terminal_screen's. */
KITH_API void kith_screen_free(kith_screen *screen);

/* Makes the screen another size, with nothing on it and no clip. The terminal's own screen follows
 * the terminal: for that one this is KITH_ERR_MISUSE.
 * KITH_ERR_INPUT   a side is not 1 to 10,000; KITH_ERR_MEMORY */
KITH_API kith_result kith_screen_resize(kith_screen *screen, int width, int height);

/* In cells. */
KITH_API int kith_screen_width(const kith_screen *screen);
KITH_API int kith_screen_height(const kith_screen *screen);

/* Wipes all cells, whatever the clip, and forgets what kith_screen_result tells. */
KITH_API void kith_screen_clear(kith_screen *screen);

/* From now on nothing is drawn outside of `rect`. Returns the rectangle that was set before: set it
 * again to undo this call. A rectangle without width and height is the whole screen. */
KITH_API kith_screen_rect kith_screen_clip(kith_screen *screen, kith_screen_rect rect);

/* What went wrong while drawing since the last clear: KITH_OK, or KITH_ERR_MEMORY if there was none
 * for the marks on a character, which was then drawn without. kith_terminal_present tells it too. */
KITH_API kith_result kith_screen_result(const kith_screen *screen);

/* Draws one character, of one or two columns. What cannot be shown (control characters, numbers
 * that are not Unicode characters) is drawn as U+FFFD. A character of two columns that does not fit
 * is drawn as a blank. */
KITH_API void kith_screen_put(kith_screen *screen, int x, int y, uint32_t character,
                              kith_terminal_style style);

/* Draws UTF-8. A line break goes on at `x` of the next row. What a reader takes for one character
 * (with combining marks, joined emoji, flags) is one, of up to 31 bytes; further marks are left
 * out. Bytes that are no UTF-8 are drawn as U+FFFD. Returns the columns of the longest line.
 *
 * Columns are those of Unicode 15, on every system and in any locale: two for East Asian wide and
 * fullwidth characters and for emoji, none for marks. */
KITH_API int kith_screen_text(kith_screen *screen, int x, int y, const char *text,
                              kith_terminal_style style);

/* The same with printf's format. What is longer than 1,023 bytes ends in "...". */
KITH_API int kith_screen_print(kith_screen *screen, int x, int y, kith_terminal_style style,
                               const char *format, ...) KITH_FORMAT_(5, 6);

/* How many columns the longest line of a text takes. */
KITH_API int kith_screen_text_width(const char *text);

/* Draws one character all over a rectangle. */
KITH_API void kith_screen_fill(kith_screen *screen, kith_screen_rect rect, uint32_t character,
                               kith_terminal_style style);

typedef enum kith_screen_border {
    KITH_BORDER_LIGHT,
    KITH_BORDER_HEAVY,
    KITH_BORDER_DOUBLE,
    KITH_BORDER_ROUND,
    KITH_BORDER_ASCII
} kith_screen_border;

/* Draws the border of a rectangle; what is inside stays. */
KITH_API void kith_screen_box(kith_screen *screen, kith_screen_rect rect, kith_screen_border border,
                              kith_terminal_style style);

/* Draws a bar `width` columns wide. `part` of it (0 to 1; clamped) is full, to an eighth of a
 * column: full in the foreground, empty in the background. */
KITH_API void kith_screen_bar(kith_screen *screen, int x, int y, int width, float part,
                              kith_terminal_style style);

/* Draws the last `width` of `count` values as a line of little columns, the newest on the right.
 * `highest` is the value of a full one; 0: the highest that is shown. */
KITH_API void kith_screen_spark(kith_screen *screen, int x, int y, int width, const float *values,
                                size_t count, float highest, kith_terminal_style style);

/* Sets half a cell: `y` counts half rows, two to a row. Where a cell shows something else than half
 * cells, that goes. KITH_COLOR_NONE does nothing. */
KITH_API void kith_screen_dot(kith_screen *screen, int x, int y, kith_terminal_color color);

/* Draws a layer: all of `source` on which something was drawn, with its left upper corner at x, y.
 * Backgrounds that are KITH_COLOR_NONE let through what is there. A screen can be drawn on itself,
 * which does nothing. */
KITH_API void kith_screen_draw(kith_screen *screen, int x, int y, const kith_screen *source);

#define KITH_CELL_SIZE 32

/* What a cell shows, as UTF-8 ended by a zero, and how. `style` may be NULL. Returns its columns: 1
 * or 2; 0 for the right half of a character that has two; 0 and "" outside of the screen, and 1 and
 * "" where nothing was drawn. */
KITH_API int kith_screen_read(const kith_screen *screen, int x, int y, char text[KITH_CELL_SIZE],
                              kith_terminal_style *style);

/* Writes the screen as plain text, a line a row without blanks at its end, ended by a zero and cut
 * off to fit `size`. Returns how many bytes it has without that zero. */
KITH_API size_t kith_screen_to_text(const kith_screen *screen, char *text, size_t size);

/* ---- Sprites ------------------------------------------------------------------------------- */

/* Pictures of several cells, read from a text of lines:
 *
 *     # a comment
 *     color r #ff4040              a letter for a colour: #rrggbb, or a number of the palette
 *     sprite ship                  a name; what follows belongs to it
 *     anchor 1 0                   the cell that is put where the sprite is drawn; 0 0 if not given
 *     cells
 *     |/^\                         rows start with |; spaces let through what is there
 *     |<=>                         (U+00A0 is a blank that does not)
 *     colors
 *     |rrr                         for each cell above a letter, or a space for KITH_COLOR_NONE
 *     backs                        the same for the backgrounds
 *     |
 *     cells                        another frame
 *     ...
 *
 * `colors` and `backs` may be left out. Characters of two columns want two letters. Comments and
 * empty lines may be between rows, but nothing else. */
typedef struct kith_terminal_sprites kith_terminal_sprites;
typedef struct kith_terminal_sprite kith_terminal_sprite;

/* Where a text makes no sense, and why: "line 3, column 7: expected ..., found ...". */
typedef struct kith_terminal_error {
    int line, column; /* from 1; the column counts characters */
    char message[192];
} kith_terminal_error;

/* Reads a set of sprites. `error` may be NULL.
 * KITH_ERR_INPUT   the text makes no sense: `*error` tells where; KITH_ERR_MEMORY */
KITH_API kith_result kith_terminal_sprites_read(const char *text, const kith_allocator *allocator,
                                                kith_terminal_sprites **sprites,
                                                kith_terminal_error *error);

/* Frees the set and all sprites in it. NULL is fine. */
KITH_API void kith_terminal_sprites_free(kith_terminal_sprites *sprites);

/* The sprite of that name; NULL if there is none. Lives as long as the set. */
KITH_API const kith_terminal_sprite *kith_terminal_sprites_find(const kith_terminal_sprites *set,
                                                                const char *name);

/* The size of the largest frame in cells, and how many frames there are. */
KITH_API int kith_terminal_sprite_width(const kith_terminal_sprite *sprite);
KITH_API int kith_terminal_sprite_height(const kith_terminal_sprite *sprite);
KITH_API int kith_terminal_sprite_frames(const kith_terminal_sprite *sprite);

/* Draws a frame (counted from 0; after the last it starts over) with its anchor at x, y. */
KITH_API void kith_screen_sprite(kith_screen *screen, int x, int y,
                                 const kith_terminal_sprite *sprite, uint32_t frame);

/* ---- The camera ---------------------------------------------------------------------------- */

/* Which part of a world a rectangle of the screen shows. All zero but `view` is a good start: world
 * units are cells, and 0, 0 is in the middle of the view. */
typedef struct kith_camera {
    kith_screen_rect view; /* on the screen */
    float x, y;            /* the point of the world that is in its middle */
    float cell_width;      /* a cell's size in the world; 0: 1. Cells are about twice as high */
    float cell_height;     /* as wide, so 1 and 2 make circles round */
    float dead_width;      /* kith_camera_follow: so far the target moves, in world units, before */
    float dead_height;     /* the camera does: the size of a rectangle around x, y */
    float speed;        /* and so fast the camera goes then: the part of the way in a second, 0 to
                              1, such as 0.99; 0: at once */
    float min_x, min_y; /* the world's edges, beyond which the camera does not look; both sides */
    float max_x, max_y; /* equal: none. A world smaller than the view is in its middle */
    uint32_t seed;      /* of the shaking */
    float shake;        /* how far it shakes now, in cells */
    float shake_left;   /* seconds until it ends */
    float shake_time;   /* of so many */
    uint32_t shake_tick;
} kith_camera;

/* Moves the camera towards a target and lets shaking go on: once a step of `dt` seconds. */
KITH_API void kith_camera_follow(kith_camera *camera, float target_x, float target_y, float dt);

/* Shakes the view for so many seconds, at first up to so many cells, then less and less. The same
 * seed and steps give the same shaking. A stronger one that is going on is not weakened. */
KITH_API void kith_camera_shake(kith_camera *camera, float cells, float seconds);

/* The cell that shows a point of the world. Returns whether it lies in the view; x and y are set in
 * any case (far away they stop at a billion), and may be NULL. */
KITH_API bool kith_camera_to_screen(const kith_camera *camera, float world_x, float world_y, int *x,
                                    int *y);

/* The point of the world that is in the middle of a cell: of a click, say. */
KITH_API void kith_camera_to_world(const kith_camera *camera, int x, int y, float *world_x,
                                   float *world_y);

#ifdef __cplusplus
}
#endif
#endif
