/* The live terminal, on a pseudo-terminal: whatever ends or stops the program, it is as it was. */
#define _XOPEN_SOURCE 700 /* posix_openpt */
#define _DEFAULT_SOURCE   /* TIOCSCTTY */

#include "pty.h"

static const kith_term_style plain;
static kith_terminal *the_term;
static volatile sig_atomic_t flags[3];

static void must_be(bool holds)
{
    if (!holds) {
        _exit(98);
    }
}

/* ---- A game ---------------------------------------------------------------------------------- */

static void act(uint32_t key)
{
    switch (key) {
    case 'q': kith_term_close(the_term); exit(0);
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

static void show(const kith_input_event *last, const kith_loop *loop)
{
    kith_screen *screen = kith_term_screen(the_term);
    kith_screen_clear(screen);
    kith_screen_text(screen, 0, 0, "ready", (kith_term_style){.fg = KITH_RED});
    kith_screen_print(screen, 0, 1, plain, "size %dx%d", kith_screen_width(screen),
                      kith_screen_height(screen));
    kith_screen_print(screen, 0, 2, plain, "kind %d key %x at %d,%d", (int)last->kind, last->key,
                      last->x, last->y);
    kith_screen_print(screen, 0, 3, plain, "flags %d %d %d", (int)flags[0], (int)flags[1],
                      (int)flags[2]);
    kith_screen_print(screen, 0, 4, plain, "frame %d", (int)loop->frame);
}

/* Plays until a key ends it. */
static void play(const kith_term_def *def)
{
    kith_loop loop;
    kith_input_event last = {0};
    must_be(kith_term_open(def, &the_term) == KITH_OK && kith_term_is_live(the_term));
    must_be(kith_loop_start(&loop, &(kith_loop_def){.clock = kith_term_clock(the_term)}) ==
            KITH_OK);
    while (kith_loop_next_frame(&loop)) {
        for (kith_input_event event; kith_term_next_event(the_term, &event);) {
            last = event.action == KITH_ACTION_RELEASE ? last : event;
            if (event.action == KITH_ACTION_PRESS && event.kind == KITH_INPUT_KEY) {
                act(event.key);
            }
            if (event.kind == KITH_INPUT_CLOSED) {
                must_be(kith_term_present(the_term) == KITH_ERR_ABSENT);
                kith_term_close(the_term);
                _exit(7);
            }
        }
        show(&last, &loop);
        kith_result result = kith_term_present(the_term);
        must_be(result == KITH_OK || result == KITH_ERR_ABSENT);
    }
}

static void game(int report)
{
    (void)report;
    play(&(kith_term_def){.title = "a title", .mouse = true});
}

static pty started(void (*run)(int report))
{
    pty p = pty_start(run, NULL);
    pty_see(&p, "ready");
    CHECK(pty_is_raw(&p));
    CHECK(p.vt.alternate && p.vt.hidden && p.vt.no_wrap && p.vt.pastes && p.vt.focus);
    CHECK_INT(p.vt.keyboard, 1);
    return p;
}

static void check_ended(pty *p, int expected)
{
    int status = pty_status(p);
    if (WIFEXITED(status) ? WEXITSTATUS(status) != expected : WTERMSIG(status) != -expected) {
        test_fail(__FILE__, __LINE__, "the status is %x, not %d", (unsigned)status, expected);
    }
    pty_restored(p);
    pty_end(p);
}

/* ---- Ends ------------------------------------------------------------------------------------ */

/* What AddressSanitizer has a handler for, it turns into an exit of its own, after ours. */
#if defined(__SANITIZE_ADDRESS__)
#define WITH_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_SANITIZER 1
#endif
#endif
#ifndef WITH_SANITIZER
#define WITH_SANITIZER 0
#endif

TEST_WITHIN(20, programs_that_end_themselves_restore_it)
{
    static const struct {
        const char *keys;
        int status;
    } ends[] = {{"q", 0},        {"e", 3},          {"x", 4},
                {"a", -SIGABRT}, {"\003", -SIGINT}, {"\034", -SIGQUIT}};
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        pty p = started(game);
        CHECK(p.vt.mouse);
        pty_type(&p, ends[i].keys);
        check_ended(&p, ends[i].status);
    }
}

TEST_WITHIN(30, programs_that_are_killed_restore_it)
{
    static const int signals[] = {SIGINT,  SIGTERM, SIGHUP, SIGQUIT, SIGSEGV,
                                  SIGABRT, SIGBUS,  SIGFPE, SIGILL,  SIGKILL};
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        int number = signals[i];
        bool sanitizers =
            WITH_SANITIZER && (number == SIGSEGV || number == SIGBUS || number == SIGFPE);
        pty p = started(game);
        CHECK_INT(kill(p.game, number), 0);
        check_ended(&p, sanitizers ? 1 : -number);
    }
}

/* The beginning of a page, since s390x tells of a fault only the page. */
static volatile uintptr_t nowhere = 4096;

static void crashing_game(int report)
{
    (void)report;
    must_be(kith_term_open(NULL, &the_term) == KITH_OK);
    kith_screen_text(kith_term_screen(the_term), 0, 0, "ready", plain);
    must_be(kith_term_present(the_term) == KITH_OK);
    *(volatile int *)nowhere = 1;
}

TEST_WITHIN(10, programs_that_crash_restore_it)
{
    if (!WITH_SANITIZER) {
        pty p = pty_start(crashing_game, NULL);
        check_ended(&p, -SIGSEGV);
    }
}

TEST_WITHIN(10, a_child_of_the_program_leaves_it_alone)
{
    pty p = started(game);
    pty_type(&p, "f");
    pty_see(&p, "key 66");
    CHECK(pty_is_raw(&p) && !p.left);
    pty_type(&p, "q");
    check_ended(&p, 0);
}

/* ---- Stops ----------------------------------------------------------------------------------- */

TEST_WITHIN(20, a_program_that_is_stopped_gives_it_back_and_takes_it_again)
{
    pty p = started(game);
    for (int i = 0; i < 3; i++) {
        pty_type(&p, "\032");
        int status = pty_status(&p);
        CHECK(WIFSTOPPED(status) && WSTOPSIG(status) == SIGTSTP);
        pty_restored(&p);
        vt_wipe(&p.vt, 0, 60 * 12); /* what the shell made of the screen */
        pty_go_on(&p);
        pty_see(&p, "ready");
        CHECK(pty_is_raw(&p) && p.vt.alternate && p.vt.hidden);
        CHECK_INT(p.vt.keyboard, 1);
        pty_type(&p, "w");
        pty_see(&p, "key 77");
    }
    pty_type(&p, "q");
    check_ended(&p, 0);
}

/* SIGSTOP runs no handler: the shell sets its own modes, and they are put right when it goes on. */
TEST_WITHIN(20, a_program_that_was_stopped_hard_takes_it_again)
{
    pty p = started(game);
    CHECK_INT(kill(p.game, SIGSTOP), 0);
    CHECK(WIFSTOPPED(pty_status(&p)));
    CHECK_INT(tcsetattr(p.master, TCSANOW, &p.before), 0);
    while (pty_pump(&p, 10)) {
    }
    vt_wipe(&p.vt, 0, 60 * 12);
    p.comes = true; /* it is left and entered again, so that modes do not pile up */
    pty_go_on(&p);
    uint64_t end = pty_now() + PTY_SECONDS * 1000;
    while (!pty_is_raw(&p) || !p.vt.alternate || strstr(pty_text(&p), "ready") == NULL) {
        CHECK(pty_now() < end);
        pty_pump(&p, 10);
    }
    p.comes = false;
    CHECK(p.vt.alternate && p.vt.hidden);
    CHECK_INT(p.vt.keyboard, 1);
    pty_type(&p, "q");
    check_ended(&p, 0);
}

TEST_WITHIN(20, a_program_that_is_killed_while_it_is_stopped)
{
    pty p = started(game);
    pty_type(&p, "\032");
    CHECK(WIFSTOPPED(pty_status(&p)));
    pty_restored(&p);
    CHECK_INT(kill(p.game, SIGKILL), 0);
    pty_go_on(&p);
    int status = pty_status(&p);
    CHECK(WIFSIGNALED(status));
    while (pty_pump(&p, 50)) {
    }
    CHECK(pty_is_as_before(&p) && !p.vt.alternate);
    pty_end(&p);
}

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
    pty_type(&p, "q");
    check_ended(&p, 0);
}

TEST_WITHIN(20, a_new_size_is_told)
{
    pty p = started(game);
    pty_see(&p, "size 60x12");
    struct winsize size = {.ws_col = 33, .ws_row = 11};
    vt_free(&p.vt);
    p.vt = vt_new(33, 11);
    p.vt.alternate = p.vt.hidden = p.vt.no_wrap = p.vt.pastes = p.vt.focus = p.vt.mouse = true;
    p.vt.keyboard = 1;
    while (pty_pump(&p, 0)) { /* what was on its way is for the old size */
    }
    CHECK_INT(ioctl(p.master, TIOCSWINSZ, &size), 0);
    pty_see(&p, "size 33x11");
    pty_see(&p, "kind 6 key 0 at 33,11");
    pty_type(&p, "q");
    check_ended(&p, 0);
}

/* A window as large as there can be. */
static void game_in_a_huge_window(int report)
{
    const struct winsize huge = {.ws_col = 65535, .ws_row = 65535};
    must_be(ioctl(1, TIOCSWINSZ, &huge) == 0);
    must_be(kith_term_open(NULL, &the_term) == KITH_OK);
    const kith_screen *screen = kith_term_screen(the_term);
    const int size[2] = {kith_screen_width(screen), kith_screen_height(screen)};
    must_be(write(report, size, sizeof(size)) == sizeof(size));
    kith_term_close(the_term);
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
    play(&(kith_term_def){.keys_not_signals = true});
}

TEST_WITHIN(20, control_keys_can_be_keys)
{
    pty p = started(game_with_all_keys);
    pty_type(&p, "\003");
    pty_see(&p, "kind 1 key 63");
    pty_type(&p, "\033[122;5u");
    pty_see(&p, "kind 1 key 7a");
    pty_type(&p, "q");
    check_ended(&p, 0);
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
    must_be(kith_term_open(&(kith_term_def){.title = "a\001b\x7F\xC2\x9C" /* C1's end of a string */
                                                     "c\xE2\x80\xAE\033\\d \xC3\xA4",
                                            .glyphs = KITH_GLYPHS_UNICODE},
                           &the_term) == KITH_OK);
    kith_screen *screen = kith_term_screen(the_term);
    kith_screen_text(screen, 59, 0, "e\xCC\x81", plain);
    kith_screen_text(screen, 57, 1, "xo\xCC\x82u\xCC\x81", plain);
    kith_screen_text(screen, 59, 11, "y\xCC\x88", plain);
    kith_screen_text(screen, 0, 2, "ready", plain);
    must_be(kith_term_present(the_term) == KITH_OK);
    while (!kith_term_next_event(the_term, &event) || event.key != 'q') {
        poll(NULL, 0, 10);
    }
    kith_term_close(the_term);
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
    pty_type(&p, "q");
    check_ended(&p, 0);
}

TEST_WITHIN(20, a_title_has_no_controls)
{
    pty p = started(game_with_marks);
    CHECK_STR(p.vt.title, "]0;abc\\d \xC3\xA4");
    pty_type(&p, "q");
    check_ended(&p, 0);
}

/* What cannot be taken over is left alone, and there is one in memory instead. */
static void game_without_screen(int report)
{
    static const char *const names[] = {"dumb", "", NULL, "unknown"};
    (void)report;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        must_be((names[i] == NULL ? unsetenv("TERM") : setenv("TERM", names[i], 1)) == 0);
        must_be(kith_term_open(&(kith_term_def){.output = KITH_TERM_LIVE}, &the_term) ==
                KITH_ERR_ABSENT);
        must_be(kith_term_open(NULL, &the_term) == KITH_OK && !kith_term_is_live(the_term));
        kith_screen_text(kith_term_screen(the_term), 0, 0, "not to be seen", plain);
        must_be(kith_term_present(the_term) == KITH_OK);
        kith_term_close(the_term);
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
    kith_term_stats stats;
} slow_report;

/* Noise all over the screen, for a second and a half. */
static void noisy_game(int report)
{
    kith_loop loop;
    kith_terminal *term;
    kith_term_def def = {.colors = KITH_COLORS_TRUE, .glyphs = KITH_GLYPHS_UNICODE};
    must_be(kith_term_open(&def, &term) == KITH_OK);
    must_be(kith_loop_start(&loop, &(kith_loop_def){.frames = 91, .most_steps = 100}) == KITH_OK);
    uint64_t first = 0;
    uint32_t noise = 1;
    while (kith_loop_next_frame(&loop)) {
        kith_input_event event;
        while (kith_term_next_event(term, &event)) {
        }
        first = loop.frame == 1 ? loop.woke : first;
        while (kith_loop_next_step(&loop)) {
        }
        for (int i = 0; i < 60 * 12; i++) {
            noise = noise * 1664525 + 1013904223;
            kith_screen_put(
                kith_term_screen(term), i % 60, i / 60, 'a' + (noise >> 24) % 26,
                (kith_term_style){.fg = KITH_RGB(noise >> 8, noise >> 16, noise >> 24)});
        }
        kith_screen_print(kith_term_screen(term), 0, 0, plain, "frame %d ", (int)loop.frame);
        must_be(kith_term_present(term) == KITH_OK);
    }
    kith_loop_stats stats = kith_loop_statistics(&loop);
    slow_report r = {stats.steps, loop.woke - first, stats.longest_ns, kith_term_statistics(term)};
    must_be(write(report, &r, sizeof(r)) == sizeof(r));
    for (;;) { /* until the newest frame is out */
        kith_input_event event;
        kith_screen_text(kith_term_screen(term), 0, 0, "the end", plain);
        must_be(kith_term_present(term) == KITH_OK);
        if (kith_term_next_event(term, &event) && event.key == 'q') {
            break;
        }
        poll(NULL, 0, 10);
    }
    kith_term_close(term);
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
    pty_type(&p, "q");
    check_ended(&p, 0);
    close(report);
}

/* ---- What the program has set ---------------------------------------------------------------- */

static void on_flag(int number)
{
    flags[number == SIGINT ? 0 : number == SIGWINCH ? 1 : 2]++;
}

static void game_with_handlers(int report)
{
    signal(SIGINT, on_flag);
    signal(SIGWINCH, on_flag);
    signal(SIGCONT, on_flag);
    signal(SIGTERM, SIG_IGN);
    game(report);
}

TEST_WITHIN(20, handlers_of_the_program_are_respected)
{
    pty p = started(game_with_handlers);
    pty_type(&p, "\003");
    pty_see(&p, "flags 1 0 0");
    CHECK_INT(kill(p.game, SIGWINCH), 0);
    pty_see(&p, "flags 1 1 0");
    CHECK_INT(kill(p.game, SIGTERM), 0);
    pty_type(&p, "\032");
    CHECK(WIFSTOPPED(pty_status(&p)));
    pty_restored(&p);
    pty_go_on(&p);
    pty_see(&p, "flags 1 1 1");
    CHECK(pty_is_raw(&p));
    pty_type(&p, "q");
    check_ended(&p, 0);
}

static void on_crash(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    _exit((uintptr_t)info->si_addr == nowhere ? 9 : 97);
}

static void crashing_game_with_handler(int report)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    action.sa_sigaction = on_crash;
    sigaction(SIGSEGV, &action, NULL);
    crashing_game(report);
}

/* Theirs comes after ours, and sees where it happened. */
TEST_WITHIN(10, crash_handlers_of_the_program_run)
{
    pty p = pty_start(crashing_game_with_handler, NULL);
    check_ended(&p, 9);
}

/* Opens, closes, and looks at what is left of it. */
static void tidy_game(int report)
{
    static const int watched[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGSEGV,
                                  SIGABRT, SIGTSTP, SIGCONT, SIGWINCH};
    struct sigaction before[9];
    kith_terminal *other;
    (void)report;
    signal(SIGHUP, on_flag);
    for (int i = 0; i < 9; i++) {
        sigaction(watched[i], NULL, &before[i]);
    }
    int next_fd = dup(0);
    close(next_fd);
    for (int round = 0; round < 3; round++) {
        must_be(kith_term_open(NULL, &the_term) == KITH_OK);
        must_be(kith_term_open(NULL, &other) == KITH_ERR_CONFLICT);
        must_be(kith_term_feed(the_term, "x", 1) == KITH_ERR_MISUSE);
        must_be(kith_term_resize(the_term, 5, 5) == KITH_ERR_MISUSE);
        must_be(fcntl(0, F_GETFL) == fcntl(1, F_GETFL) && (fcntl(1, F_GETFL) & O_NONBLOCK) == 0);
        if (round == 1) {
            signal(SIGTERM, on_flag); /* set while it was open: stays */
        }
        kith_screen_text(kith_term_screen(the_term), 0, 0, "ready", plain);
        must_be(kith_term_present(the_term) == KITH_OK);
        kith_term_close(the_term);
    }
    for (int i = 0; i < 9; i++) {
        struct sigaction after;
        sigaction(watched[i], NULL, &after);
        must_be(after.sa_handler == (watched[i] == SIGTERM ? on_flag : before[i].sa_handler));
    }
    int fd = dup(0);
    must_be(fd == next_fd); /* no descriptor is left open */
    must_be(wait(NULL) < 0 && errno == ECHILD);
    _exit(0);
}

TEST_WITHIN(20, nothing_is_left_behind)
{
    pty p = pty_start(tidy_game, NULL);
    int status = pty_status(&p);
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 0);
    CHECK(pty_is_as_before(&p));
    pty_end(&p);
}

/* Its terminal was raw before, and it goes on with it afterwards. */
static void raw_game(int report)
{
    static const char again[] = "\033[?1049hagain";
    struct termios raw;
    tcgetattr(0, &raw);
    raw.c_iflag = raw.c_oflag = raw.c_lflag = 0;
    tcsetattr(0, TCSANOW, &raw);
    must_be(kith_term_open(NULL, &the_term) == KITH_OK);
    kith_term_close(the_term);
    must_be(write(1, again, sizeof(again) - 1) == sizeof(again) - 1);
    must_be(read(0, &raw, 1) == 1);
    (void)report;
    exit(0);
}

TEST_WITHIN(20, what_follows_a_game_is_left_alone)
{
    pty p = pty_start(raw_game, NULL);
    p.comes = true;
    pty_see(&p, "again");
    while (pty_pump(&p, 300)) { /* long enough for the rescue process to do something wrong */
    }
    CHECK(p.vt.alternate);
    pty_type(&p, "q");
    CHECK_INT(pty_status(&p), 0);
    pty_end(&p);
}

/* Whichever allocation fails, the terminal is as it was, and can be opened once there is memory. */
static void poor_game(int report)
{
    test_memory *memory = test_memory_new();
    const kith_term_def def = {.output = KITH_TERM_LIVE,
                               .allocator = test_memory_allocator(memory)};
    struct termios before;
    struct termios after;
    kith_result result = KITH_ERR_MEMORY;
    int failures = -1;
    tcgetattr(0, &before);
    for (size_t nth = 1; result == KITH_ERR_MEMORY; nth++, failures++) {
        test_memory_fail(memory, nth, true);
        result = kith_term_open(&def, &the_term);
        if (test_memory_fail_nothing(memory)) {
            must_be(result == KITH_ERR_MEMORY && memory->pieces == 0);
            tcgetattr(0, &after);
            must_be(after.c_lflag == before.c_lflag && after.c_oflag == before.c_oflag);
        }
    }
    must_be(result == KITH_OK);
    kith_term_close(the_term);
    must_be(write(report, &failures, sizeof(failures)) == sizeof(failures));
    exit(0);
}

TEST_WITHIN(20, a_terminal_without_memory_is_given_back)
{
    int report;
    pty p = pty_start(poor_game, &report);
    p.comes = true; /* it is left and entered some times */
    CHECK_INT(pty_status(&p), 0);
    CHECK(pty_read_int(report) >= 5); /* the last ones with the terminal taken over */
    CHECK(pty_is_as_before(&p));
    while (pty_pump(&p, 10)) {
    }
    CHECK(!p.vt.alternate && !p.vt.hidden);
    CHECK_INT(p.vt.keyboard, 0);
    close(report);
    pty_end(&p);
}

/* The rescue process ends with the game: nobody but the shell has the terminal open any more. */
TEST_WITHIN(20, no_process_is_left_behind)
{
    static const char *const keys[] = {"q", "e", "x"};
    for (int i = 0; i < 3; i++) {
        char bytes[4096];
        pty p = started(game);
        pty_type(&p, keys[i]);
        CHECK(WIFEXITED(pty_status(&p)));
        pty_restored(&p);
        CHECK_INT(waitpid(p.shell, NULL, 0), p.shell);
        uint64_t end = pty_now() + PTY_SECONDS * 1000;
        ssize_t got;
        do { /* EIO: the last one has closed it */
            struct pollfd waiting = {.fd = p.master, .events = POLLIN};
            poll(&waiting, 1, 10);
            got = read(p.master, bytes, sizeof(bytes));
            CHECK(pty_now() < end);
        } while (got > 0 || errno != EIO);
        close(p.master);
        close(p.to_shell);
        close(p.from_shell);
        vt_free(&p.vt);
    }
}
