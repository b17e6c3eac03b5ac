/* Kith: the terminal kit: screens of cells, sprites, a camera, input, the terminal and the game's
 * loop. A library of its own (kith_terminal) that needs nothing of worlds. Here is the terminal
 * itself. The rest, which this header includes, is in <kith/terminal/screen.h> (colours, screens,
 * sprites, the camera), <kith/terminal/input.h> and <kith/terminal/loop.h> (clocks, the loop).
 *
 *     kith_terminal *term;
 *     kith_loop loop;
 *     if (kith_terminal_open(NULL, &term) != KITH_OK ||
 *         kith_loop_start(&loop, &(kith_loop_def){.clock = kith_terminal_clock(term)}) != KITH_OK) ...
 *     while (kith_loop_next_frame(&loop)) {                        waits for the frame's time
 *         for (kith_input_event e; kith_terminal_next_event(term, &e);) {
 *             if (e.key == 'q') { kith_loop_stop(&loop); }
 *         }
 *         while (kith_loop_next_step(&loop)) { simulate(loop.dt); }   fixed steps
 *         draw(kith_terminal_screen(term), loop.alpha);
 *         kith_terminal_present(term);                                 sends what changed
 *     }
 *     kith_terminal_close(term);
 *
 * Mistakes: nothing here has a misuse handler. A call on NULL, or with an argument that makes no
 * sense, does nothing: it returns KITH_ERR_MISUSE or KITH_ERR_INPUT, NULL, false or 0. So drawing
 * on a screen that could not be made is harmless.
 *
 * Threads: an object belongs to one thread at a time. Different objects are independent.
 *
 * Systems: the live terminal wants POSIX. Elsewhere kith_terminal_open has the headless one alone. */
#ifndef KITH_TERMINAL_H
#define KITH_TERMINAL_H

#include <kith/base.h>
#include <kith/terminal/input.h>
#include <kith/terminal/loop.h>
#include <kith/terminal/screen.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kith_terminal_output {
    KITH_TERMINAL_AUTO, /* live if standard input and output are a terminal that TERM names and that
                       has a screen (which "dumb" has not), else headless */
    KITH_TERMINAL_LIVE,
    KITH_TERMINAL_HEADLESS /* the same in memory: frames can be read, written to files, recorded */
} kith_terminal_output;

typedef enum kith_terminal_colors {
    KITH_COLORS_AUTO, /* live: kith_terminal_detect_colors; headless: all */
    KITH_COLORS_NONE, /* attributes, such as bold, stay */
    KITH_COLORS_16,   /* greys become the nearest grey, what has a hue the colour of that hue */
    KITH_COLORS_256,  /* colours become the nearest that there are */
    KITH_COLORS_TRUE
} kith_terminal_colors;

typedef enum kith_terminal_glyphs {
    KITH_GLYPHS_AUTO, /* live: kith_terminal_detect_glyphs; headless: Unicode */
    KITH_GLYPHS_UNICODE,
    KITH_GLYPHS_ASCII, /* boxes, blocks and accents are replaced by what looks like them, else by ? */
    KITH_GLYPHS_JOINED /* Unicode, and the terminal shows joined emoji as one: without this the first
                          of them is sent alone */
} kith_terminal_glyphs;

/* All zero is a good default. */
typedef struct kith_terminal_def {
    kith_terminal_output output;
    kith_terminal_colors colors;
    kith_terminal_glyphs glyphs;
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
} kith_terminal_def;

/* A terminal to draw on: a screen that you draw, and the one that is shown. */
typedef struct kith_terminal kith_terminal;

/* Opens the terminal: raw mode, alternate screen, cursor hidden. NULL `def`: all zero.
 *
 * A live screen follows the window's size, up to 2,000 by 500 cells: of a larger window its left
 * upper part is drawn on.
 *
 * It is restored by kith_terminal_close, by exit, by SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV,
 * SIGBUS, SIGILL, SIGFPE and SIGABRT, while the program is stopped (Ctrl-Z), and after SIGKILL by a
 * small process that waits for this one's end. Handlers that the program has for the first four or
 * for SIGTSTP are left in place, and then it is for them to end the program or to close the
 * terminal; of the others ours runs first and theirs after it. What is ignored stays ignored.
 *
 * KITH_ERR_ABSENT KITH_TERMINAL_LIVE, but there is no terminal, or TERM is not set or names one
 * without
 *                     a screen, such as "dumb"
 * KITH_ERR_CONFLICT   there is a live one already: a process has one
 * KITH_ERR_INPUT      a size is not 0 to 10,000, or an enumerator, allocator or clock makes no sense
 * KITH_ERR_IO         the system refused something; KITH_ERR_MEMORY */
KITH_API kith_result kith_terminal_open(const kith_terminal_def *def, kith_terminal **term);

/* Restores the terminal and frees everything. Ends a recording without closing its file. NULL is
 * fine. */
KITH_API void kith_terminal_close(kith_terminal *term);

/* Whether it is a real terminal; false: headless, or NULL. */
KITH_API bool kith_terminal_is_live(const kith_terminal *term);

/* The clock of the def, or the one used instead of it, for the loop. */
KITH_API kith_loop_clock kith_terminal_clock(const kith_terminal *term);

/* The screen to draw on. What is on it stays until you clear it. It is resized, and cleared, by the
 * call of kith_terminal_next_event that returns the resize, or by kith_terminal_poll. */
KITH_API kith_screen *kith_terminal_screen(kith_terminal *term);

/* Takes the next event out: `*event`, or false if there is none now, and false when it has read
 * once (up to 16 KiB), so that a loop over it ends. If memory runs out, bytes wait. */
KITH_API bool kith_terminal_next_event(kith_terminal *term, kith_input_event *event);

/* Takes out all events there are now and forgets them: for programs that only ask which keys are down.
 * False if the terminal is gone.
 *     while (kith_terminal_poll(term) && !kith_terminal_held(term, 'q')) ... */
KITH_API bool kith_terminal_poll(kith_terminal *term);

/* Whether a key or button is down: see kith_input. */
KITH_API bool kith_terminal_held(const kith_terminal *term, uint32_t key);

/* Shows what is on the screen: sends what has changed, in one piece, and does not wait. While the
 * terminal has not taken all of an earlier frame, this one is dropped; the next one shows the
 * newest state.
 *
 * KITH_ERR_MEMORY   the frame was not shown, or without marks (kith_screen_result)
 * KITH_ERR_ABSENT   the terminal is gone
 * KITH_ERR_IO       the recording cannot be written; it is ended. The frame was shown */
KITH_API kith_result kith_terminal_present(kith_terminal *term);

/* Shows everything anew with the next frame: after something else wrote to the terminal. */
KITH_API void kith_terminal_redraw(kith_terminal *term);

/* Headless: bytes as if they were typed; the terminal's new size, which comes as an event.
 * KITH_ERR_MISUSE   the terminal is live; KITH_ERR_INPUT   a side is not 1 to 10,000; KITH_ERR_MEMORY */
KITH_API kith_result kith_terminal_feed(kith_terminal *term, const void *bytes, size_t size);
KITH_API kith_result kith_terminal_resize(kith_terminal *term, int width, int height);

typedef enum kith_terminal_format {
    KITH_FORMAT_TEXT, /* kith_screen_to_text */
    KITH_FORMAT_ANSI  /* with its colours: `cat` shows it */
} kith_terminal_format;

/* Writes the frame that was shown last to a file (stdout too).
 * KITH_ERR_MEMORY; KITH_ERR_IO   it cannot be written: ferror tells */
KITH_API kith_result kith_terminal_write(kith_terminal *term, FILE *file,
                                         kith_terminal_format format);

/* Records from the next frame on, as asciinema does (asciicast v2), until it is called with NULL.
 * The file stays yours to close. Times are those of the terminal's clock.
 * KITH_ERR_IO   the head of the file cannot be written */
KITH_API kith_result kith_terminal_record(kith_terminal *term, FILE *file);

typedef struct kith_terminal_stats {
    uint64_t frames;     /* shown; those without any change are among them */
    uint64_t dropped;    /* not shown because the terminal was busy */
    uint64_t bytes;      /* made for frames so far */
    uint32_t last_bytes; /* for the last one */
    uint32_t cells;      /* changed in the last one */
} kith_terminal_stats;

/* What was shown so far; all 0 for NULL. */
KITH_API kith_terminal_stats kith_terminal_statistics(const kith_terminal *term);

/* The colours that a terminal promises: none if NO_COLOR is set and not empty or TERM is not set,
 * dumb, or a monochrome one; all with COLORTERM=truecolor or 24bit, and for a TERM that is known to
 * have them; 256 for a TERM with "256color", and for xterm and others that have them without saying
 * so; else 16. */
KITH_API kith_terminal_colors kith_terminal_detect_colors(void);

/* The characters that a terminal promises, by LC_ALL, LC_CTYPE or LANG, whichever is set first and not
 * empty: Unicode if it names UTF-8, else ASCII. */
KITH_API kith_terminal_glyphs kith_terminal_detect_glyphs(void);

#ifdef __cplusplus
}
#endif
#endif
