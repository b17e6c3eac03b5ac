/* A program on a terminal of its own, as a shell starts it: in a job, which can be stopped and goes on.
 * Needs _XOPEN_SOURCE 700 and _DEFAULT_SOURCE. */
#ifndef KITH_TEST_PTY_H
#define KITH_TEST_PTY_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "vt.h"

#define PTY_SECONDS 20 /* for what takes milliseconds on an idle machine */

typedef struct pty {
    int master;
    pid_t shell;
    pid_t game;
    int from_shell; /* statuses, as waitpid tells them; the game's number first */
    int to_shell;   /* a byte: let the game go on */
    struct termios before;
    vt vt;
    char bytes[4096]; /* that were read; the vt has taken `taken` of them */
    size_t size, taken;
    char carry[256]; /* what is not whole yet */
    size_t carried;
    bool left;  /* the alternate screen was left: what follows is not for the vt */
    bool comes; /* but it will be entered again: go on */
} pty;

/* ---- The other side: no checks here, which would be told in the name of whatever test runs by then */

static inline void pty_write_int(int fd, int value)
{
    if (write(fd, &value, sizeof(value)) != sizeof(value)) {
        _exit(1); /* the test is gone */
    }
}

static inline _Noreturn void pty_shell(const char *slave_name, void (*game)(int report), int out,
                                       int in, int report)
{
    sigset_t stops;
    sigemptyset(&stops);
    sigaddset(&stops, SIGTTOU);
    signal(SIGINT, SIG_DFL); /* Check has handlers for these */
    signal(SIGTERM, SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    signal(SIGHUP, SIG_IGN);
    setsid();
    int slave = open(slave_name, O_RDWR); /* the first one becomes the session's own */
    if (slave < 0) {
        _exit(1);
    }
    ioctl(slave, TIOCSCTTY, 0);
    pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        sigprocmask(SIG_BLOCK, &stops, NULL);
        tcsetpgrp(slave, getpid());
        sigprocmask(SIG_UNBLOCK, &stops, NULL);
        signal(SIGHUP, SIG_DFL);
        for (int fd = 0; fd < 3; fd++) {
            dup2(slave, fd);
        }
        close(slave);
        close(out);
        close(in);
        setenv("TERM", "xterm-256color", 1);
        game(report);
        _exit(99);
    }
    close(report);
    sigprocmask(SIG_BLOCK, &stops, NULL);
    setpgid(child, child);
    pty_write_int(out, child);
    for (;;) {
        int status;
        char go;
        if (waitpid(child, &status, WUNTRACED) != child) {
            _exit(1);
        }
        tcsetpgrp(slave, getpgrp());
        pty_write_int(out, status);
        if (!WIFSTOPPED(status) || read(in, &go, 1) != 1) {
            _exit(0);
        }
        tcsetpgrp(slave, child);
        kill(-child, SIGCONT);
    }
}

/* ---- This side ------------------------------------------------------------------------------- */

static inline int pty_read_int(int fd)
{
    int value = 0;
    struct pollfd waiting = {.fd = fd, .events = POLLIN};
    CHECK_INT(poll(&waiting, 1, PTY_SECONDS * 1000), 1);
    CHECK_INT(read(fd, &value, sizeof(value)), sizeof(value));
    return value;
}

/* `report`, if not NULL, is where `game` can write to the test: the end to read from. */
static inline pty pty_start(void (*game)(int report), int *report)
{
    pty p = {0};
    int out[2];
    int in[2];
    int reports[2];
    p.master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    CHECK(p.master >= 0 && grantpt(p.master) == 0 && unlockpt(p.master) == 0);
    CHECK(pipe(out) == 0 && pipe(in) == 0 && pipe(reports) == 0);
    struct winsize size = {.ws_col = 60, .ws_row = 12};
    CHECK_INT(ioctl(p.master, TIOCSWINSZ, &size), 0);
    CHECK_INT(tcgetattr(p.master, &p.before), 0);
    p.shell = fork();
    if (p.shell == 0) {
        close(out[0]);
        close(in[1]);
        close(reports[0]);
        char name[128];
        snprintf(name, sizeof(name), "%s", ptsname(p.master));
        close(p.master); /* so that the terminal is gone when this process is */
        pty_shell(name, game, out[1], in[0], reports[1]);
    }
    close(out[1]);
    close(in[0]);
    close(reports[1]);
    p.from_shell = out[0];
    p.to_shell = in[1];
    if (report != NULL) {
        *report = reports[0];
    }
    p.game = pty_read_int(p.from_shell);
    p.vt = vt_new(60, 12);
    return p;
}

static inline void pty_take(pty *p, char byte)
{
    if (p->left) {
        return;
    }
    CHECK(p->carried < sizeof(p->carry));
    p->carry[p->carried++] = byte;
    bool was = p->vt.alternate;
    size_t whole = vt_feed(&p->vt, p->carry, p->carried);
    p->carried -= whole;
    memmove(p->carry, p->carry + whole, p->carried);
    p->left = was && !p->vt.alternate && !p->comes;
}

/* Waits for what comes for up to `milliseconds`; false if nothing did. */
static inline bool pty_read(pty *p, int milliseconds)
{
    struct pollfd waiting = {.fd = p->master, .events = POLLIN};
    if (p->taken < p->size) {
        return true;
    }
    if (poll(&waiting, 1, milliseconds) < 1) {
        return false;
    }
    ssize_t got = read(p->master, p->bytes, sizeof(p->bytes));
    p->size = got > 0 ? (size_t)got : 0;
    p->taken = 0;
    return got > 0;
}

/* Lets the terminal take what comes, up to the end of a frame, so that none goes by unseen. Waits for
 * up to `milliseconds`; false if nothing came. */
static inline bool pty_pump(pty *p, int milliseconds)
{
    if (!pty_read(p, milliseconds)) {
        return false;
    }
    bool ended = false;
    while (p->taken < p->size && !ended) {
        bool was = p->vt.synchronized;
        pty_take(p, p->bytes[p->taken++]);
        ended = was && !p->vt.synchronized;
    }
    return true;
}

static inline uint64_t pty_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* The rows of the terminal. */
static inline const char *pty_text(const pty *p)
{
    static char text[16384];
    text[0] = '\0';
    for (int i = 0; i < p->vt.width * p->vt.height; i++) {
        strcat(text, p->vt.cells[i].text);
        strcat(text, (i + 1) % p->vt.width == 0 ? "\n" : "");
    }
    return text;
}

/* Waits until a text is shown, in a frame that is whole. */
#define pty_see(p, text) pty_see_at(__LINE__, (p), (text))
static inline void pty_see_at(int line, pty *p, const char *text)
{
    uint64_t end = pty_now() + PTY_SECONDS * 1000;
    while (p->vt.synchronized || strstr(pty_text(p), text) == NULL) {
        if (pty_now() > end) {
            test_fail(__FILE__, line, "'%s' is not shown, but\n%s", text, pty_text(p));
        }
        pty_pump(p, 100);
    }
}

static inline void pty_type(const pty *p, const char *bytes)
{
    CHECK_INT(write(p->master, bytes, strlen(bytes)), strlen(bytes));
}

static inline bool pty_is_raw(const pty *p)
{
    struct termios now;
    CHECK_INT(tcgetattr(p->master, &now), 0);
    return (now.c_lflag & (ICANON | ECHO | IEXTEN)) == 0 && (now.c_iflag & IXON) == 0;
}

static inline bool pty_is_as_before(const pty *p)
{
    struct termios now = {0}; /* musl's has more control characters than the system fills in */
    CHECK_INT(tcgetattr(p->master, &now), 0);
    return now.c_lflag == p->before.c_lflag && now.c_iflag == p->before.c_iflag &&
           now.c_oflag == p->before.c_oflag && now.c_cflag == p->before.c_cflag &&
           memcmp(now.c_cc, p->before.c_cc, sizeof(now.c_cc)) == 0;
}

/* Waits until the terminal is as it was before the game. */
static inline void pty_restored(pty *p)
{
    uint64_t end = pty_now() + PTY_SECONDS * 1000;
    while (!p->left || !pty_is_as_before(p)) {
        if (pty_now() > end) {
            test_fail(__FILE__, __LINE__, "the terminal was not restored: %s%s",
                      p->left ? "" : "alternate screen ", pty_is_as_before(p) ? "" : "modes");
        }
        pty_pump(p, 10);
    }
    CHECK(!p->vt.alternate && !p->vt.hidden && !p->vt.no_wrap && !p->vt.pastes && !p->vt.focus);
    CHECK(!p->vt.mouse && !p->vt.synchronized && !vt_has_region(&p->vt));
    CHECK_INT(p->vt.keyboard, 0);
    CHECK(p->vt.pen.fg == 0 && p->vt.pen.bg == 0 && p->vt.pen.attributes == 0);
}

/* What the shell is told next of the game: that it stopped, or how it ended. Meanwhile the terminal goes
 * on taking what comes. */
static inline int pty_status(pty *p)
{
    uint64_t end = pty_now() + PTY_SECONDS * 1000;
    struct pollfd waiting = {.fd = p->from_shell, .events = POLLIN};
    while (poll(&waiting, 1, 0) < 1) {
        CHECK(pty_now() < end);
        pty_pump(p, 10);
    }
    return pty_read_int(p->from_shell);
}

static inline void pty_go_on(pty *p)
{
    p->left = false;
    CHECK_INT(write(p->to_shell, "c", 1), 1);
}

static inline void pty_end(pty *p)
{
    close(p->to_shell);
    close(p->from_shell);
    CHECK_INT(waitpid(p->shell, NULL, 0), p->shell);
    close(p->master);
    vt_free(&p->vt);
}

#endif
