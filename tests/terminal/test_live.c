/* The live terminal, on a pseudo-terminal: whatever ends or stops the program, it is as it was. */
#define _XOPEN_SOURCE 700 /* posix_openpt */
#define _DEFAULT_SOURCE   /* TIOCSCTTY */

#include "live_game.h"
#include "pty.h"

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
    for (size_t i = 0; test_row(i, ROWS_OF(ends)); i++) {
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
    for (size_t i = 0; test_row(i, ROWS_OF(signals)); i++) {
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
    must_be(kith_terminal_open(NULL, &the_term) == KITH_OK);
    kith_screen_text(kith_terminal_screen(the_term), 0, 0, "ready", plain);
    must_be(kith_terminal_present(the_term) == KITH_OK);
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
    quit(&p);
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
    quit(&p);
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
    quit(&p);
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
    quit(&p);
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
        must_be(kith_terminal_open(NULL, &the_term) == KITH_OK);
        must_be(kith_terminal_open(NULL, &other) == KITH_ERR_CONFLICT);
        must_be(kith_terminal_feed(the_term, "x", 1) == KITH_ERR_MISUSE);
        must_be(kith_terminal_resize(the_term, 5, 5) == KITH_ERR_MISUSE);
        must_be(fcntl(0, F_GETFL) == fcntl(1, F_GETFL) && (fcntl(1, F_GETFL) & O_NONBLOCK) == 0);
        if (round == 1) {
            signal(SIGTERM, on_flag); /* set while it was open: stays */
        }
        kith_screen_text(kith_terminal_screen(the_term), 0, 0, "ready", plain);
        must_be(kith_terminal_present(the_term) == KITH_OK);
        kith_terminal_close(the_term);
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
    must_be(kith_terminal_open(NULL, &the_term) == KITH_OK);
    kith_terminal_close(the_term);
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
    const kith_terminal_def def = {.output = KITH_TERMINAL_LIVE,
                                   .allocator = test_memory_allocator(memory)};
    struct termios before;
    struct termios after;
    kith_result result = KITH_ERR_MEMORY;
    int failures = -1;
    tcgetattr(0, &before);
    for (size_t nth = 1; result == KITH_ERR_MEMORY; nth++, failures++) {
        test_memory_fail(memory, nth, true);
        result = kith_terminal_open(&def, &the_term);
        if (test_memory_fail_nothing(memory)) {
            must_be(result == KITH_ERR_MEMORY && memory->pieces == 0);
            tcgetattr(0, &after);
            must_be(after.c_lflag == before.c_lflag && after.c_oflag == before.c_oflag);
        }
    }
    must_be(result == KITH_OK);
    kith_terminal_close(the_term);
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
