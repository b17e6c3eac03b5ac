/* Kith: the terminal kit: screens of cells, sprites, a camera, input, the terminal and the game's loop.
 * A library of its own (kith_term) that needs nothing of worlds.
 *
 *     kith_terminal *term;
 *     kith_loop loop;
 *     if (kith_term_open(NULL, &term) != KITH_OK ||
 *         kith_loop_start(&loop, &(kith_loop_def){.clock = kith_term_clock(term)}) != KITH_OK) ...
 *     while (kith_loop_next_frame(&loop)) {                        waits for the frame's time
 *         for (kith_input_event e; kith_term_next_event(term, &e);) {
 *             if (e.key == 'q') { kith_loop_stop(&loop); }
 *         }
 *         while (kith_loop_next_step(&loop)) { simulate(loop.dt); }   fixed steps
 *         draw(kith_term_screen(term), loop.ahead);
 *         kith_term_present(term);                                 sends what changed
 *     }
 *     kith_term_close(term);
 *
 * Mistakes: nothing here has a misuse handler. A call on NULL, or with an argument that makes no
 * sense, does nothing: it returns KITH_ERR_MISUSE or KITH_ERR_INPUT, NULL, false or 0. So drawing on
 * a screen that could not be made is harmless.
 *
 * Threads: an object belongs to one thread at a time. Different objects are independent.
 *
 * Systems: the live terminal wants POSIX. Elsewhere kith_term_open has the headless one alone. */
#ifndef KITH_TERM_H
#define KITH_TERM_H

#include <kith/base.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Colours and styles -------------------------------------------------------------------- */

/* A colour: none, the terminal's own, one of its palette of 256, or red, green and blue. */
typedef uint32_t kith_term_color;

/* No colour of its own: as a foreground the terminal's, as a background that which is there. */
#define KITH_COLOR_NONE 0u
/* The terminal's own colour, also as a background. */
#define KITH_COLOR_DEFAULT 0x03000000u
/* Each 0 to 255. */
#define KITH_RGB(red, green, blue)                                                                 \
    (0x01000000u + (uint32_t)(red) % 256u * 65536u + (uint32_t)(green) % 256u * 256u +             \
     (uint32_t)(blue) % 256u)
/* 0 to 15 as the user of the terminal set them, 16 to 231 a cube of colours, 232 to 255 greys. */
#define KITH_PALETTE(number) (0x02000000u + (uint32_t)(number) % 256u)

#define KITH_BLACK KITH_PALETTE(0)
#define KITH_RED KITH_PALETTE(1)
#define KITH_GREEN KITH_PALETTE(2)
#define KITH_YELLOW KITH_PALETTE(3)
#define KITH_BLUE KITH_PALETTE(4)
#define KITH_MAGENTA KITH_PALETTE(5)
#define KITH_CYAN KITH_PALETTE(6)
#define KITH_WHITE KITH_PALETTE(7)
#define KITH_BRIGHT(color) ((color) | 8u) /* of one of the eight above */

/* Attributes of a cell; any of them together. */
#define KITH_BOLD 1u
#define KITH_DIM 2u
#define KITH_ITALIC 4u
#define KITH_UNDERLINE 8u
#define KITH_BLINK 16u
#define KITH_REVERSE 32u

/* How something is drawn. All zero: the terminal's foreground on what is there. */
typedef struct kith_term_style {
    kith_term_color fg;
    kith_term_color bg;
    uint32_t attributes;
} kith_term_style;

/* ---- Screens ------------------------------------------------------------------------------- */

/* A rectangle of cells to draw on: the terminal's (kith_term_screen), or one of your own as a layer.
 * Cells are counted from 0, 0 at the top left. All drawing is clipped: any coordinates are fine. */
typedef struct kith_screen kith_screen;

typedef struct kith_screen_rect {
    int x, y, width, height;
} kith_screen_rect;

/* A new screen with nothing on it. Memory comes from `allocator` (NULL: the C library).
 * NULL if memory ran out, or a side is not 1 to 10,000. */
KITH_API kith_screen *kith_screen_new(int width, int height, const kith_allocator *allocator);

/* Frees the screen. NULL is fine. Not for kith_term_screen's. */
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

/* Lets nothing be drawn outside of `rect` from now on; returns the rectangle that was set before,
 * with which a second call undoes the first. A rectangle without width and height: the whole. */
KITH_API kith_screen_rect kith_screen_clip(kith_screen *screen, kith_screen_rect rect);

/* What went wrong while drawing since the last clear: KITH_OK, or KITH_ERR_MEMORY if there was none
 * for the marks on a character, which was then drawn without. kith_term_present tells it too. */
KITH_API kith_result kith_screen_result(const kith_screen *screen);

/* Draws one character, of one or two columns. What is no character that can be shown (control
 * characters, numbers that are no Unicode character) is drawn as U+FFFD. A character of two columns that
 * does not fit is drawn as a blank. */
KITH_API void kith_screen_put(kith_screen *screen, int x, int y, uint32_t character,
                              kith_term_style style);

/* Draws UTF-8. A line break goes on at `x` of the next row. What a reader takes for one character
 * (with combining marks, joined emoji, flags) is one, of up to 31 bytes; further marks are left out.
 * Bytes that are no UTF-8 are drawn as U+FFFD. Returns the columns of the longest line.
 *
 * Columns are those of the C library's wcwidth in a UTF-8 locale, whatever locale the program has
 * set; where there is none, all characters but ASCII have one. */
KITH_API int kith_screen_text(kith_screen *screen, int x, int y, const char *text,
                              kith_term_style style);

/* The same with printf's format. What is longer than 1,023 bytes ends in "...". */
KITH_API int kith_screen_print(kith_screen *screen, int x, int y, kith_term_style style,
                               const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 5, 6)))
#endif
    ;

/* How many columns the longest line of a text takes. */
KITH_API int kith_screen_text_width(const char *text);

/* Draws one character all over a rectangle. */
KITH_API void kith_screen_fill(kith_screen *screen, kith_screen_rect rect, uint32_t character,
                               kith_term_style style);

typedef enum kith_screen_border {
    KITH_BORDER_LIGHT,
    KITH_BORDER_HEAVY,
    KITH_BORDER_DOUBLE,
    KITH_BORDER_ROUND,
    KITH_BORDER_ASCII
} kith_screen_border;

/* Draws the border of a rectangle; what is inside stays. */
KITH_API void kith_screen_box(kith_screen *screen, kith_screen_rect rect, kith_screen_border border,
                              kith_term_style style);

/* Draws a bar `width` columns wide of which `part` (0 to 1; clamped) is full, to an eighth of a
 * column: full in the foreground, empty in the background. */
KITH_API void kith_screen_bar(kith_screen *screen, int x, int y, int width, float part,
                              kith_term_style style);

/* Draws the last `width` of `count` values as a line of little columns, the newest on the right.
 * `highest` is the value of a full one; 0: the highest that is shown. */
KITH_API void kith_screen_spark(kith_screen *screen, int x, int y, int width, const float *values,
                                size_t count, float highest, kith_term_style style);

/* Sets half a cell: `y` counts half rows, two to a row. Where a cell shows something else than half
 * cells, that goes. KITH_COLOR_NONE does nothing. */
KITH_API void kith_screen_dot(kith_screen *screen, int x, int y, kith_term_color color);

/* Draws a layer: all of `source` on which something was drawn, with its left upper corner at x, y.
 * Backgrounds that are KITH_COLOR_NONE let through what is there. A screen can be drawn on itself,
 * which does nothing. */
KITH_API void kith_screen_draw(kith_screen *screen, int x, int y, const kith_screen *source);

#define KITH_CELL_SIZE 32

/* What a cell shows, as UTF-8 ended by a zero, and how. `style` may be NULL. Returns its columns: 1
 * or 2; 0 for the right half of a character that has two; 0 and "" outside of the screen, and 1 and
 * "" where nothing was drawn. */
KITH_API int kith_screen_read(const kith_screen *screen, int x, int y, char text[KITH_CELL_SIZE],
                              kith_term_style *style);

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
 * `colors` and `backs` may be left out. Characters of two columns want two letters. */
typedef struct kith_term_sprites kith_term_sprites;
typedef struct kith_term_sprite kith_term_sprite;

/* Where a text makes no sense, and why: "line 3, column 7: expected ..., found ...". */
typedef struct kith_term_error {
    int line, column; /* from 1; the column counts characters */
    char message[192];
} kith_term_error;

/* Reads a set of sprites. `error` may be NULL.
 * KITH_ERR_INPUT   the text makes no sense: `*error` tells where; KITH_ERR_MEMORY */
KITH_API kith_result kith_term_sprites_read(const char *text, const kith_allocator *allocator,
                                            kith_term_sprites **sprites, kith_term_error *error);

/* Frees the set and all sprites in it. NULL is fine. */
KITH_API void kith_term_sprites_free(kith_term_sprites *sprites);

/* The sprite of that name; NULL if there is none. Lives as long as the set. */
KITH_API const kith_term_sprite *kith_term_sprites_find(const kith_term_sprites *sprites,
                                                        const char *name);

/* The size of the largest frame in cells, and how many frames there are. */
KITH_API int kith_term_sprite_width(const kith_term_sprite *sprite);
KITH_API int kith_term_sprite_height(const kith_term_sprite *sprite);
KITH_API int kith_term_sprite_frames(const kith_term_sprite *sprite);

/* Draws a frame (counted from 0; behind the last it starts over) with its anchor at x, y. */
KITH_API void kith_screen_sprite(kith_screen *screen, int x, int y, const kith_term_sprite *sprite,
                                 uint32_t frame);

/* ---- Input --------------------------------------------------------------------------------- */

typedef enum kith_input_kind {
    KITH_INPUT_NONE,
    KITH_INPUT_KEY,
    KITH_INPUT_MOUSE,
    KITH_INPUT_PASTE,
    KITH_INPUT_FOCUS_IN, /* the window is in front */
    KITH_INPUT_FOCUS_OUT,
    KITH_INPUT_RESIZE,
    KITH_INPUT_CLOSED /* the terminal is gone: nothing more will come */
} kith_input_kind;

typedef enum kith_input_action {
    KITH_ACTION_PRESS,
    KITH_ACTION_REPEAT, /* a key that is held down is sent again */
    KITH_ACTION_RELEASE,
    KITH_ACTION_MOVE /* the mouse; `key` is the button that is held, or 0 */
} kith_input_action;

/* Keys that are no characters, and the mouse's buttons. */
typedef enum kith_input_key {
    KITH_KEY_TAB = 9,
    KITH_KEY_ENTER = 13,
    KITH_KEY_ESCAPE = 27,
    KITH_KEY_SPACE = 32,
    KITH_KEY_BACKSPACE = 127,
    KITH_KEY_UP = 0x200000,
    KITH_KEY_DOWN,
    KITH_KEY_LEFT,
    KITH_KEY_RIGHT,
    KITH_KEY_HOME,
    KITH_KEY_END,
    KITH_KEY_PAGE_UP,
    KITH_KEY_PAGE_DOWN,
    KITH_KEY_INSERT,
    KITH_KEY_DELETE,
    KITH_KEY_CENTER, /* the 5 of the number block without its lock */
    KITH_KEY_MENU,
    KITH_KEY_F1 = 0x200100,    /* KITH_KEY_F1 + 1 is F2, up to F24 */
    KITH_KEY_OTHER = 0x200200, /* + the number by which the kitty protocol knows it, less 57,344 */
    KITH_MOUSE_LEFT = 0x300000,
    KITH_MOUSE_MIDDLE,
    KITH_MOUSE_RIGHT,
    KITH_MOUSE_BACK,
    KITH_MOUSE_FORWARD,
    KITH_MOUSE_WHEEL_UP,
    KITH_MOUSE_WHEEL_DOWN,
    KITH_MOUSE_WHEEL_LEFT,
    KITH_MOUSE_WHEEL_RIGHT
} kith_input_key;

#define KITH_SHIFT 1u
#define KITH_ALT 2u
#define KITH_CTRL 4u
#define KITH_SUPER 8u

typedef struct kith_input_event {
    kith_input_kind kind;
    kith_input_action action;
    uint32_t key;       /* the key or button: a kith_input_key, or a character, letters in lower
                           case: 'a' for a, A and Ctrl-A */
    uint32_t character; /* what was typed: 'A'; 0 for none, and for releases */
    uint32_t modifiers; /* KITH_SHIFT and so on */
    int x, y;           /* MOUSE: the cell, from 0; RESIZE: columns and rows */
    const char *text; /* PASTE: UTF-8 as it came, ended by a zero, until the next event is taken */
    size_t size;      /* PASTE: bytes */
} kith_input_event;

/* Makes events of the bytes that a terminal sends. kith_terminal has one inside; on its own it is for
 * tests, and for bytes from elsewhere. Anything may be fed: what is no sequence that it knows is
 * left out. Sequences may come in pieces.
 *
 * Releases: terminals with the kitty keyboard protocol tell them; the first reply that says so switches
 * to that. All others only send a key again while it is held. There a key counts as released when
 * nothing came for `first_hold_ms` after the press or `hold_ms` after a repeat. (Keyboards mostly wait
 * 250 to 600 ms before they repeat: with a longer first_hold_ms a held key never seems to be let go
 * in between, but each tap seems to last that long.) A terminal repeats the last key only, so that
 * of two held keys the first is soon released; and none repeats a key within 225 ms. So a key that comes
 * again behind another one, or that soon, was pressed again: it is released and pressed. */
typedef struct kith_input kith_input;

/* All zero is a good default. */
typedef struct kith_input_def {
    kith_allocator allocator; /* without functions: the C library */
    uint32_t escape_ms;       /* so long an ESC may be the start of a sequence; 0: 30 */
    uint32_t first_hold_ms;   /* 0: 200 */
    uint32_t hold_ms;         /* 0: 120 */
} kith_input_def;

/* NULL `def`: all zero. NULL if memory ran out or the allocator has just one of its functions. */
KITH_API kith_input *kith_input_new(const kith_input_def *def);

/* NULL is fine. */
KITH_API void kith_input_free(kith_input *input);

/* Takes bytes in that came at `now`, nanoseconds on a clock that does not go back. What they mean
 * waits for kith_input_next; there is no limit to how much but memory.
 * KITH_ERR_MEMORY   nothing was taken in */
KITH_API kith_result kith_input_feed(kith_input *input, const void *bytes, size_t size,
                                     uint64_t now);

/* Lets time go on: an ESC that was alone becomes a key, keys are released, a paste whose end never
 * came (for half a second) ends.
 * KITH_ERR_MEMORY   try again later */
KITH_API kith_result kith_input_tick(kith_input *input, uint64_t now);

/* Adds an event of your own behind the others: a resize, a replayed key. Text is not taken along.
 * KITH_ERR_INPUT   no such kind; KITH_ERR_MEMORY */
KITH_API kith_result kith_input_push(kith_input *input, const kith_input_event *event);

/* Takes the oldest event out; false if there is none. `event->text` is good until the next call on
 * this input. */
KITH_API bool kith_input_next(kith_input *input, kith_input_event *event);

/* Whether a key or button is down, by the events so far, taken out or not. Up to 32 can be: with one
 * more, the one that is down for longest is released. */
KITH_API bool kith_input_held(const kith_input *input, uint32_t key);

/* Whether the terminal tells releases itself (the kitty protocol). */
KITH_API bool kith_input_has_releases(const kith_input *input);

/* ---- Clocks -------------------------------------------------------------------------------- */

/* Where time comes from, in nanoseconds. Without functions: the system's monotonic clock. */
typedef struct kith_loop_clock {
    uint64_t (*now)(void *context);
    void (*wait)(void *context, uint64_t until); /* returns no earlier, by that clock */
    void *context;
} kith_loop_clock;

/* A clock that stands still but for waiting, which takes no time: programs on it run as fast as they
 * can, and always in the same way. `*time` is what it shows. */
KITH_API kith_loop_clock kith_loop_clock_virtual(uint64_t *time);

/* ---- The terminal -------------------------------------------------------------------------- */

typedef enum kith_term_output {
    KITH_TERM_AUTO, /* live if standard input and output are a terminal, else headless */
    KITH_TERM_LIVE,
    KITH_TERM_HEADLESS /* the same in memory: frames can be read, written to files, recorded */
} kith_term_output;

typedef enum kith_term_colors {
    KITH_COLORS_AUTO, /* live: kith_term_detect_colors; headless: all */
    KITH_COLORS_NONE, /* attributes, such as bold, stay */
    KITH_COLORS_16,   /* colours become the nearest that there are */
    KITH_COLORS_256,
    KITH_COLORS_TRUE
} kith_term_colors;

typedef enum kith_term_glyphs {
    KITH_GLYPHS_AUTO, /* live: by LC_ALL, LC_CTYPE or LANG, whichever is set first; else Unicode */
    KITH_GLYPHS_UNICODE,
    KITH_GLYPHS_ASCII, /* boxes, blocks and accents are replaced by what looks like them, else by ? */
    KITH_GLYPHS_JOINED /* Unicode, and the terminal shows joined emoji as one: without this the first
                          of them is sent alone */
} kith_term_glyphs;

/* All zero is a good default. */
typedef struct kith_term_def {
    kith_term_output output;
    kith_term_colors colors;
    kith_term_glyphs glyphs;
    int width, height;     /* headless: cells; 0: 80 and 24 */
    const char *title;     /* of the window; NULL: as it is */
    bool mouse;            /* events of clicks and drags */
    bool mouse_moves;      /* and of each move */
    bool keys_not_signals; /* Ctrl-C, Ctrl-Z and Ctrl-\ are keys like others; otherwise they end or
                                 stop the program, as ever */
    bool no_rescue;        /* no process that restores the terminal after SIGKILL */
    kith_input_def input;  /* its allocator is not used: this is: */
    kith_allocator allocator; /* without functions: the C library */
    kith_loop_clock clock;    /* without functions: the system's; headless: a virtual one */
} kith_term_def;

/* A terminal to draw on: a screen that you draw, and the one that is shown. */
typedef struct kith_terminal kith_terminal;

/* Opens the terminal: raw mode, alternate screen, cursor hidden. NULL `def`: all zero.
 *
 * It is restored by kith_term_close, by exit, by SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS,
 * SIGILL, SIGFPE and SIGABRT, while the program is stopped (Ctrl-Z), and after SIGKILL by a small
 * process that waits for this one's end. Handlers that the program has for the first four or for
 * SIGTSTP are left in place, and then it is for them to end the program or to close the terminal; of
 * the others ours runs first and theirs after it. What is ignored stays ignored.
 *
 * KITH_ERR_ABSENT     KITH_TERM_LIVE, but there is no terminal
 * KITH_ERR_CONFLICT   there is a live one already: a process has one
 * KITH_ERR_INPUT      a size is not 0 to 10,000, or an enumerator, allocator or clock makes no sense
 * KITH_ERR_IO         the system refused something; KITH_ERR_MEMORY */
KITH_API kith_result kith_term_open(const kith_term_def *def, kith_terminal **term);

/* Restores the terminal and frees everything. Ends a recording without closing its file. NULL is
 * fine. */
KITH_API void kith_term_close(kith_terminal *term);

/* Whether it is a real terminal; false: headless, or NULL. */
KITH_API bool kith_term_is_live(const kith_terminal *term);

/* The clock of the def, or what stands for it, for the loop. */
KITH_API kith_loop_clock kith_term_clock(const kith_terminal *term);

/* The screen to draw on. What is on it stays until you clear it. It is resized, and cleared, by the
 * call of kith_term_next_event that returns the resize. */
KITH_API kith_screen *kith_term_screen(kith_terminal *term);

/* Takes the next event out: `*event`, or false if there is none now, and false when it has read once
 * (up to 16 KiB), so that a loop over it ends. If memory runs out, bytes wait. */
KITH_API bool kith_term_next_event(kith_terminal *term, kith_input_event *event);

/* Whether a key or button is down: see kith_input. */
KITH_API bool kith_term_held(const kith_terminal *term, uint32_t key);

/* Shows what is on the screen: sends what has changed, in one piece, and does not wait. While the
 * terminal has not taken all of an earlier frame, this one is dropped; the next one shows the newest
 * state.
 *
 * KITH_ERR_MEMORY   the frame was not shown, or without marks (kith_screen_result)
 * KITH_ERR_ABSENT   the terminal is gone
 * KITH_ERR_IO       the recording cannot be written; it is ended. The frame was shown */
KITH_API kith_result kith_term_present(kith_terminal *term);

/* Shows everything anew with the next frame: after something else wrote to the terminal. */
KITH_API void kith_term_redraw(kith_terminal *term);

/* Headless: bytes as if they were typed; the terminal's new size, which comes as an event.
 * KITH_ERR_MISUSE   the terminal is live; KITH_ERR_INPUT   a side is not 1 to 10,000; KITH_ERR_MEMORY */
KITH_API kith_result kith_term_feed(kith_terminal *term, const void *bytes, size_t size);
KITH_API kith_result kith_term_resize(kith_terminal *term, int width, int height);

typedef enum kith_term_format {
    KITH_FORMAT_TEXT, /* kith_screen_to_text */
    KITH_FORMAT_ANSI  /* with its colours: `cat` shows it */
} kith_term_format;

/* Writes the frame that was shown last to a file (stdout too).
 * KITH_ERR_MEMORY; KITH_ERR_IO   it cannot be written: ferror tells */
KITH_API kith_result kith_term_write(kith_terminal *term, FILE *file, kith_term_format format);

/* Records from the next frame on, as asciinema does (asciicast v2), until it is called with NULL. The
 * file stays yours to close. Times are those of the terminal's clock.
 * KITH_ERR_IO   the head of the file cannot be written */
KITH_API kith_result kith_term_record(kith_terminal *term, FILE *file);

typedef struct kith_term_stats {
    uint64_t frames;     /* shown; those without any change are among them */
    uint64_t dropped;    /* not shown because the terminal was busy */
    uint64_t bytes;      /* made for frames so far */
    uint32_t last_bytes; /* for the last one */
    uint32_t cells;      /* changed in the last one */
} kith_term_stats;

/* What was shown so far; all 0 for NULL. */
KITH_API kith_term_stats kith_term_statistics(const kith_terminal *term);

/* The colours that a terminal promises: none if NO_COLOR is set and not empty or TERM is not set,
 * dumb, or a monochrome one; all with COLORTERM=truecolor or 24bit, and for a TERM that is known to; 256
 * for a TERM with "256color"; else 16. */
KITH_API kith_term_colors kith_term_detect_colors(void);

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

/* ---- The loop ------------------------------------------------------------------------------ */

/* All zero is a good default. */
typedef struct kith_loop_def {
    uint32_t steps;      /* of the simulation in a second, 1 to 1,000; 0: 60 */
    uint32_t rate;       /* frames in a second, 10 to 120; 0: 60 */
    uint32_t most_steps; /* in one frame; 0: 8. Time beyond that is dropped, and counted */
    uint32_t spin_us; /* wait actively for the last so many microseconds, up to 2,000: more exact,
                              for more of the processor. Not on a clock of your own */
    uint64_t frames;  /* end after so many; 0: never */
    kith_loop_clock clock; /* kith_term_clock, mostly; without functions: the system's */
} kith_loop_def;

typedef struct kith_loop_stats {
    uint64_t frames;
    uint64_t steps;
    uint64_t late;       /* frames that began more than half a frame after their time */
    uint64_t dropped_ns; /* time that was not simulated: the game was that much too slow */
    uint64_t last_ns;    /* from the start of the last frame to that of this one */
    uint64_t mean_ns;    /* the same over up to 128 frames: mean, shortest and longest */
    uint64_t shortest_ns;
    uint64_t longest_ns;
    uint64_t busy_ns; /* how much of the last frame was not waiting */
} kith_loop_stats;

#define KITH_LOOP_HISTORY 128

/* A loop. Needs no memory; may be copied. The first group is for you to read, the second to change at
 * any time, the rest is its own. */
typedef struct kith_loop {
    float dt;       /* seconds a step simulates */
    float ahead;    /* the part of a step that is not full yet, 0 to less than 1: draw that far
                      between the last two steps */
    uint64_t frame; /* the number of this frame, from 1 */
    uint64_t step;  /* of the last step, from 1 */

    bool paused; /* frames go on, steps do not */
    float speed; /* of the simulation's time: 0.25 is slow motion; 0 to 100, else 1 */

    kith_loop_def def;
    uint64_t started; /* when the frames were counted from */
    uint64_t slots;   /* frames' times that have gone by since */
    uint64_t woke;    /* when this frame began */
    uint64_t idle_ns; /* waited for in between */
    uint64_t debt;    /* time to simulate, in ns times steps a second */
    uint32_t steps_left;
    bool single;
    bool stopped;
    uint64_t late;
    uint64_t dropped_ns;
    uint32_t history[KITH_LOOP_HISTORY];
} kith_loop;

/* Begins a loop. NULL `def`: all zero.
 * KITH_ERR_INPUT   a number is out of its range, or the clock has just one function */
KITH_API kith_result kith_loop_start(kith_loop *loop, const kith_loop_def *def);

/* Waits until the time of the next frame and begins it; the first one at once. False when the loop
 * was stopped, or all frames were shown. A frame that took too long makes the next one come at once,
 * and those that were missed are left out. */
KITH_API bool kith_loop_next_frame(kith_loop *loop);

/* Whether to simulate one more step of loop->dt in this frame. The last answer, false, sets
 * loop->ahead. */
KITH_API bool kith_loop_next_step(kith_loop *loop);

/* While paused: one step in the next frame. */
KITH_API void kith_loop_single_step(kith_loop *loop);

/* Makes kith_loop_next_frame return false from now on. */
KITH_API void kith_loop_stop(kith_loop *loop);

/* What the loop did so far; all 0 for NULL. */
KITH_API kith_loop_stats kith_loop_statistics(const kith_loop *loop);

#ifdef __cplusplus
}
#endif
#endif
