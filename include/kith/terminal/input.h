/* Kith: the terminal kit: keys and the mouse, as events. What holds for all of the kit (NULL,
 * threads) is told in <kith/terminal.h>, which includes this. */
#ifndef KITH_TERMINAL_INPUT_H
#define KITH_TERMINAL_INPUT_H

#include <kith/base.h>

#ifdef __cplusplus
extern "C" {
#endif

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
    const char *text;   /* PASTE: UTF-8, ended by a zero, until the next call on the input. Lines
                           end in '\n' where the terminal is live, else as they came */
    size_t size;        /* PASTE: bytes */
} kith_input_event;

/* Makes events of the bytes that a terminal sends: those of xterm, rxvt, the Linux console and the
 * kitty protocol. kith_terminal has one inside; on its own it is for tests, and for bytes from
 * elsewhere. Anything may be fed: sequences that it does not know are left out. Sequences may come
 * in pieces.
 *
 * Releases: terminals with the kitty keyboard protocol tell them; the first reply that says so
 * switches to that. All others only send a key again while it is held. There a key counts as
 * released when nothing came for `first_hold_ms` after the press or `hold_ms` after a repeat.
 * (Keyboards mostly wait 250 to 600 ms before they repeat: with a longer first_hold_ms a held key
 * never seems to be let go in between, but each tap seems to last that long.) A terminal repeats
 * the last key only, so that of two held keys the first is soon released; and none repeats a key
 * within 225 ms. So a key that comes again after another one, or that soon, was pressed again: it
 * is released and pressed. */
typedef struct kith_input kith_input;

/* All zero is a good default. */
typedef struct kith_input_def {
    kith_allocator allocator; /* without functions: the C library */
    uint32_t escape_ms;       /* so long an ESC may be the start of a sequence; two of them, with
                                 Alt; 0: 30 */
    uint32_t first_hold_ms;   /* 0: 200 */
    uint32_t hold_ms;         /* 0: 120 */
} kith_input_def;

/* NULL `def`: all zero. NULL if memory ran out or the allocator has just one of its functions. */
KITH_API kith_input *kith_input_new(const kith_input_def *def);

/* NULL is fine. */
KITH_API void kith_input_free(kith_input *input);

/* Takes bytes in that came at `now`, nanoseconds on a clock that does not go back. What they mean
 * waits for kith_input_next; the only limit is memory.
 * KITH_ERR_MEMORY   nothing was taken in */
KITH_API kith_result kith_input_feed(kith_input *input, const void *bytes, size_t size,
                                     uint64_t now);

/* Lets time go on: an ESC that was alone becomes a key, keys are released, a paste ends if
 * its end has not come for half a second.
 * KITH_ERR_MEMORY   try again later */
KITH_API kith_result kith_input_tick(kith_input *input, uint64_t now);

/* Adds an event of your own after the others: a resize, a replayed key. Text is not taken along.
 * KITH_ERR_INPUT   no such kind; KITH_ERR_MEMORY */
KITH_API kith_result kith_input_push(kith_input *input, const kith_input_event *event);

/* Takes the oldest event out; false if there is none. `event->text` is good until the next call on
 * this input. */
KITH_API bool kith_input_next(kith_input *input, kith_input_event *event);

/* Whether a key or button is down, by the events so far, taken out or not. Up to 32 can be: with
 * one more, the one that is down for longest is released. */
KITH_API bool kith_input_held(const kith_input *input, uint32_t key);

/* Whether the terminal tells releases itself (the kitty protocol). */
KITH_API bool kith_input_has_releases(const kith_input *input);

#ifdef __cplusplus
}
#endif
#endif
