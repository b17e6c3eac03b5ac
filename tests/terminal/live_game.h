/* A game on a pseudo-terminal, for the tests of the live terminal. Needs what pty.h needs. */
#ifndef KITH_TEST_LIVE_GAME_H
#define KITH_TEST_LIVE_GAME_H

#include "pty.h"

static const kith_terminal_style plain;
static kith_terminal *the_term;
static volatile sig_atomic_t flags[3];

static inline void must_be(bool holds)
{
    if (!holds) {
        _exit(98);
    }
}

/* ---- A game ---------------------------------------------------------------------------------- */

static inline void act(uint32_t key)
{
    switch (key) {
    case 'q': kith_terminal_close(the_term); exit(0);
    case 'e': exit(3);
    case 'x': _exit(4);
    case 'a': abort();
    case 'f':
        if (fork() == 0) {
            exit(0); /* leaves the terminal alone */
        }
        must_be(wait(NULL) > 0);
        break;
    default: break;
    }
}

static inline void show(const kith_input_event *last, const kith_loop *loop)
{
    kith_screen *screen = kith_terminal_screen(the_term);
    kith_screen_clear(screen);
    kith_screen_text(screen, 0, 0, "ready", (kith_terminal_style){.fg = KITH_RED});
    kith_screen_print(screen, 0, 1, plain, "size %dx%d", kith_screen_width(screen),
                      kith_screen_height(screen));
    kith_screen_print(screen, 0, 2, plain, "kind %d key %x at %d,%d", (int)last->kind, last->key,
                      last->x, last->y);
    kith_screen_print(screen, 0, 3, plain, "flags %d %d %d", (int)flags[0], (int)flags[1],
                      (int)flags[2]);
    kith_screen_print(screen, 0, 4, plain, "frame %d", (int)loop->frame);
}

/* Plays until a key ends it. */
static inline void play(const kith_terminal_def *def)
{
    kith_loop loop;
    kith_input_event last = {0};
    must_be(kith_terminal_open(def, &the_term) == KITH_OK && kith_terminal_is_live(the_term));
    must_be(kith_loop_start(&loop, &(kith_loop_def){.clock = kith_terminal_clock(the_term)}) ==
            KITH_OK);
    while (kith_loop_next_frame(&loop)) {
        for (kith_input_event event; kith_terminal_next_event(the_term, &event);) {
            last = event.action == KITH_ACTION_RELEASE ? last : event;
            if (event.action == KITH_ACTION_PRESS && event.kind == KITH_INPUT_KEY) {
                act(event.key);
            }
            if (event.kind == KITH_INPUT_CLOSED) {
                must_be(kith_terminal_present(the_term) == KITH_ERR_ABSENT);
                must_be(!kith_terminal_poll(the_term));
                kith_terminal_close(the_term);
                _exit(7);
            }
        }
        show(&last, &loop);
        kith_result result = kith_terminal_present(the_term);
        must_be(result == KITH_OK || result == KITH_ERR_ABSENT);
    }
}

static inline void game(int report)
{
    (void)report;
    play(&(kith_terminal_def){.title = "a title", .mouse = true});
}

static inline pty started(void (*run)(int report))
{
    pty p = pty_start(run, NULL);
    pty_see(&p, "ready");
    CHECK(pty_is_raw(&p));
    CHECK(p.vt.alternate && p.vt.hidden && p.vt.no_wrap && p.vt.pastes && p.vt.focus);
    CHECK_INT(p.vt.keyboard, 1);
    return p;
}

static inline void check_ended(pty *p, int expected)
{
    int status = pty_status(p);
    if (WIFEXITED(status) ? WEXITSTATUS(status) != expected : WTERMSIG(status) != -expected) {
        test_fail(__FILE__, __LINE__, "the status is %x, not %d", (unsigned)status, expected);
    }
    pty_restored(p);
    pty_end(p);
}

/* Ends the game by its key. */
static inline void quit(pty *p)
{
    pty_type(p, "q");
    check_ended(p, 0);
}

#endif
