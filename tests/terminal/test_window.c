/* The live terminal, on a pseudo-terminal: keys, sizes, and what is sent. */
#define _XOPEN_SOURCE 700 /* posix_openpt */
#define _DEFAULT_SOURCE   /* TIOCSCTTY */

#include "live_game.h"
#include "pty.h"

/* ---- Input and size -------------------------------------------------------------------------- */

TEST_WITHIN(20, keys_arrive_whole)
{
    pty p = started(game);
    pty_type(&p, "\033[1;");
    pty_type(&p, "5A");
    pty_see(&p, "kind 1 key 200000");
    pty_type(&p, "\033");
    pty_see(&p, "kind 1 key 1b");
    pty_type(&p, "\033[<0;7;9M");
    pty_see(&p, "kind 2 key 300000 at 6,8");
    pty_type(&p, "\033[I");
    pty_see(&p, "kind 4");
    pty_type(&p, "\023"); /* Ctrl-S does not stop the output */
    pty_see(&p, "key 73");
    quit(&p);
}

/* Cuts the screen off, as a terminal does that is made smaller. */
static void cut_screen(vt *t, int width, int height)
{
    vt cut = *t;
    cut.width = width;
    cut.height = height;
    cut.bottom = height - 1;
    cut.cells = calloc((size_t)(width * height), sizeof(vt_cell));
    CHECK_PTR_NOT_NULL(cut.cells);
    for (int y = 0; y < height; y++) {
        memcpy(cut.cells + y * width, vt_at(t, 0, y), (size_t)width * sizeof(vt_cell));
    }
    vt_free(t);
    *t = cut;
}

TEST_WITHIN(20, a_new_size_is_told)
{
    pty p = started(game);
    pty_see(&p, "size 60x12");
    struct winsize size = {.ws_col = 33, .ws_row = 11};
    CHECK_INT(ioctl(p.master, TIOCSWINSZ, &size), 0);
    pty_see(&p, "size 33x11"); /* what was on its way until then is for the old size */
    cut_screen(&p.vt, 33, 11);
    pty_see(&p, "kind 6 key 0 at 33,11");
    pty_type(&p, "\023");
    pty_see(&p, "key 73");
    quit(&p);
}

/* A window as large as there can be. */
static void game_in_a_huge_window(int report)
{
    const struct winsize huge = {.ws_col = 65535, .ws_row = 65535};
    must_be(ioctl(1, TIOCSWINSZ, &huge) == 0);
    must_be(kith_terminal_open(NULL, &the_term) == KITH_OK);
    const kith_screen *screen = kith_terminal_screen(the_term);
    const int size[2] = {kith_screen_width(screen), kith_screen_height(screen)};
    must_be(write(report, size, sizeof(size)) == sizeof(size));
    kith_terminal_close(the_term);
    game(report);
}

TEST_WITHIN(30, a_huge_window_is_drawn_in_part)
{
    int report;
    char bytes[65536];
    pty p = pty_start(game_in_a_huge_window, &report);
    CHECK_INT(pty_read_int(report), 2000);
    CHECK_INT(pty_read_int(report), 500);
    struct pollfd ended = {.fd = p.from_shell, .events = POLLIN};
    uint64_t end = pty_now() + PTY_SECONDS * 1000;
    while (poll(&ended, 1, 0) < 1) { /* takes what comes, but has no room to show it */
        struct pollfd waiting = {.fd = p.master, .events = POLLIN};
        CHECK(pty_now() < end);
        if (poll(&waiting, 1, 10) == 0) {
            pty_type(&p, "q");
        } else if (read(p.master, bytes, sizeof(bytes)) < 0) {
            CHECK_INT(errno, EIO); /* it has ended */
        }
    }
    CHECK_INT(pty_read_int(p.from_shell), 0);
    CHECK(pty_is_as_before(&p));
    close(report);
    pty_end(&p);
}

TEST_WITHIN(20, control_keys_of_the_kitty_protocol_are_signals_too)
{
    pty p = started(game);
    pty_type(&p, "\033[?27u\033[122;5u");
    int status = pty_status(&p);
    CHECK(WIFSTOPPED(status) && WSTOPSIG(status) == SIGTSTP);
    pty_restored(&p);
    pty_go_on(&p);
    pty_see(&p, "ready");
    pty_type(&p, "\033[99;5u");
    check_ended(&p, -SIGINT);
}

static void game_with_all_keys(int report)
{
    (void)report;
    play(&(kith_terminal_def){.keys_not_signals = true});
}

TEST_WITHIN(20, control_keys_can_be_keys)
{
    pty p = started(game_with_all_keys);
    pty_type(&p, "\003");
    pty_see(&p, "kind 1 key 63");
    pty_type(&p, "\033[122;5u");
    pty_see(&p, "kind 1 key 7a");
    quit(&p);
}

static void game_without_hang_up(int report)
{
    signal(SIGHUP, SIG_IGN);
    game(report);
}

TEST_WITHIN(20, a_terminal_that_is_gone_is_told)
{
    pty p = started(game_without_hang_up);
    close(p.master);
    p.master = -1;
    int status = pty_read_int(p.from_shell);
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 7);
    pty_end(&p);
}

/* ---- What is sent ---------------------------------------------------------------------------- */

/* Marks in the last column, where the cursor stays on what was written. */
static void game_with_marks(int report)
{
    kith_input_event event;
    (void)report;
    must_be(kith_terminal_open(
                &(kith_terminal_def){.title = "a\001b\x7F\xC2\x9C" /* C1's end of a string */
                                              "c\xE2\x80\xAE\033\\d \xC3\xA4",
                                     .glyphs = KITH_GLYPHS_UNICODE},
                &the_term) == KITH_OK);
    kith_screen *screen = kith_terminal_screen(the_term);
    kith_screen_text(screen, 59, 0, "e\xCC\x81", plain);
    kith_screen_text(screen, 57, 1, "xo\xCC\x82u\xCC\x81", plain);
    kith_screen_text(screen, 59, 11, "y\xCC\x88", plain);
    kith_screen_text(screen, 0, 2, "ready", plain);
    must_be(kith_terminal_present(the_term) == KITH_OK);
    while (!kith_terminal_next_event(the_term, &event) || event.key != 'q') {
        poll(NULL, 0, 10);
    }
    kith_terminal_close(the_term);
    exit(0);
}

TEST_WITHIN(20, marks_in_the_last_column_stay_where_they_are)
{
    pty p = started(game_with_marks);
    CHECK_STR(vt_at(&p.vt, 59, 0)->text, "e\xCC\x81");
    CHECK_STR(vt_at(&p.vt, 58, 0)->text, " ");
    CHECK_STR(vt_at(&p.vt, 58, 1)->text, "o\xCC\x82");
    CHECK_STR(vt_at(&p.vt, 59, 1)->text, "u\xCC\x81");
    CHECK_STR(vt_at(&p.vt, 59, 11)->text, "y\xCC\x88");
    CHECK(p.vt.no_wrap);
    quit(&p);
}

TEST_WITHIN(20, a_title_has_no_controls)
{
    pty p = started(game_with_marks);
    CHECK_STR(p.vt.title, "]0;abc\\d \xC3\xA4");
    quit(&p);
}

/* What cannot be taken over is left alone, and there is one in memory instead. */
static void game_without_screen(int report)
{
    static const char *const names[] = {"dumb", "", NULL, "unknown"};
    (void)report;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        must_be((names[i] == NULL ? unsetenv("TERM") : setenv("TERM", names[i], 1)) == 0);
        must_be(kith_terminal_open(&(kith_terminal_def){.output = KITH_TERMINAL_LIVE}, &the_term) ==
                KITH_ERR_ABSENT);
        must_be(kith_terminal_open(NULL, &the_term) == KITH_OK && !kith_terminal_is_live(the_term));
        kith_screen_text(kith_terminal_screen(the_term), 0, 0, "not to be seen", plain);
        must_be(kith_terminal_present(the_term) == KITH_OK);
        kith_terminal_close(the_term);
    }
    must_be(write(1, "done", 4) == 4);
    exit(0);
}

TEST_WITHIN(20, a_terminal_without_a_screen_gets_nothing)
{
    pty p = pty_start(game_without_screen, NULL);
    pty_see(&p, "done");
    CHECK_STR(vt_at(&p.vt, 0, 0)->text, "d"); /* nothing came before it */
    CHECK_INT(pty_status(&p), 0);
    CHECK(pty_is_as_before(&p) && !p.left);
    pty_end(&p);
}

/* ---- Output that is too slow ------------------------------------------------------------------ */

typedef struct slow_report {
    uint64_t steps;
    uint64_t elapsed_ns;
    uint64_t longest_ns;
    kith_terminal_stats stats;
} slow_report;

/* Noise all over the screen, for a second and a half. */
static void noisy_game(int report)
{
    kith_loop loop;
    kith_terminal *term;
    kith_terminal_def def = {.colors = KITH_COLORS_TRUE, .glyphs = KITH_GLYPHS_UNICODE};
    must_be(kith_terminal_open(&def, &term) == KITH_OK);
    must_be(kith_loop_start(&loop, &(kith_loop_def){.frames = 91, .steps_max = 100}) == KITH_OK);
    uint64_t first = 0;
    uint32_t noise = 1;
    while (kith_loop_next_frame(&loop)) {
        must_be(kith_terminal_poll(term));
        first = loop.frame == 1 ? loop.woke : first;
        while (kith_loop_next_step(&loop)) {
        }
        for (int i = 0; i < 60 * 12; i++) {
            noise = noise * 1664525 + 1013904223;
            kith_screen_put(kith_terminal_screen(term), i % 60, i / 60, 'a' + (noise >> 24) % 26,
                            (kith_terminal_style){.fg = KITH_RGB | noise >> 8});
        }
        kith_screen_print(kith_terminal_screen(term), 0, 0, plain, "frame %d ", (int)loop.frame);
        must_be(kith_terminal_present(term) == KITH_OK);
    }
    kith_loop_stats stats = kith_loop_statistics(&loop);
    slow_report r = {stats.steps, loop.woke - first, stats.longest_ns,
                     kith_terminal_statistics(term)};
    must_be(write(report, &r, sizeof(r)) == sizeof(r));
    for (;;) { /* until the newest frame is out */
        kith_input_event event;
        kith_screen_text(kith_terminal_screen(term), 0, 0, "the end", plain);
        must_be(kith_terminal_present(term) == KITH_OK);
        if (kith_terminal_next_event(term, &event) && event.key == 'q') {
            break;
        }
        poll(NULL, 0, 10);
    }
    kith_terminal_close(term);
    exit(0);
}

/* The terminal takes nothing while the game lasts. The game does not notice; and what is shown at the
 * end is the last frame, whole. */
TEST_WITHIN(30, a_slow_terminal_drops_frames_and_nothing_else)
{
    int report;
    slow_report r;
    pty p = pty_start(noisy_game, &report);
    struct pollfd waiting = {.fd = report, .events = POLLIN};
    CHECK_INT(poll(&waiting, 1, PTY_SECONDS * 1000), 1);
    CHECK_INT(read(report, &r, sizeof(r)), sizeof(r));
    CHECK(r.stats.dropped > 60);
    CHECK_UINT(r.stats.dropped + r.stats.frames, 91);
    /* As many steps as the time that passed has, with not one lost. */
    uint64_t expected = r.elapsed_ns * 60 / 1000000000;
    CHECK(r.steps == expected || r.steps + 1 == expected || r.steps == expected + 1);
    pty_see(&p, "the end");
    quit(&p);
    close(report);
}
