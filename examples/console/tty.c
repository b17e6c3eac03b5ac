#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE /* TIOCGWINSZ */
#define _DARWIN_C_SOURCE

#include "tty.h"

#if !defined(_WIN32) && !defined(__EMSCRIPTEN__)

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

#include "arena/console.h"
#include "support/must.h"

static const int signals[] = {SIGINT, SIGTERM, SIGHUP,  SIGQUIT, SIGSEGV, SIGBUS,
                              SIGILL, SIGFPE,  SIGABRT, SIGTSTP, SIGWINCH};
enum { SIGNAL_COUNT = sizeof signals / sizeof signals[0] };

/* Static, as handlers need it. */
static struct tty {
    struct termios before, ours;
    struct sigaction handlers[SIGNAL_COUNT]; /* before */
    sigset_t mask;                           /* before */
    volatile sig_atomic_t disturbed;
} tty;

/* ---- Modes ----------------------------------------------------------------------------------- */

/* These two are called by handlers too: they call nothing that a signal could have interrupted. A
 * write that fails leaves nothing to be done. */
static void send_text(const char *text, size_t size)
{
    ssize_t sent = write(STDOUT_FILENO, text, size);
    (void)sent;
}

/* With brackets around what is pasted, line breaks in it are told from Enter. */
static void take_over(void)
{
    static const char brackets[] = "\033[?2004h";
    tcsetattr(STDIN_FILENO, TCSADRAIN, &tty.ours);
    send_text(brackets, sizeof brackets - 1);
}

static void give_back(void)
{
    static const char no_brackets[] = "\033[?2004l";
    send_text(no_brackets, sizeof no_brackets - 1);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &tty.before);
}

/* ---- Signals --------------------------------------------------------------------------------- */

static void on_end(int number)
{
    give_back();
    signal(number, SIG_DFL);
    raise(number); /* comes when this returns */
}

static void on_stop(int number)
{
    int error = errno;
    (void)number;
    give_back();
    raise(SIGSTOP);
    take_over();
    tty.disturbed = 1;
    errno = error;
}

static void on_resize(int number)
{
    (void)number;
    tty.disturbed = 1;
}

/* What is ignored stays ignored. Resizes and stops come while the terminal is waited for, so that none
 * is missed. */
static void watch_signals(void)
{
    sigset_t late;
    sigemptyset(&late);
    sigaddset(&late, SIGWINCH);
    sigaddset(&late, SIGTSTP);
    sigprocmask(SIG_BLOCK, &late, &tty.mask);
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        const int number = signals[i];
        struct sigaction action = {.sa_handler = number == SIGTSTP    ? on_stop
                                                 : number == SIGWINCH ? on_resize
                                                                      : on_end};
        sigfillset(&action.sa_mask);
        sigaction(number, NULL, &tty.handlers[i]);
        if (tty.handlers[i].sa_handler != SIG_IGN) {
            sigaction(number, &action, NULL);
        }
    }
}

static void leave_signals(void)
{
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        sigaction(signals[i], &tty.handlers[i], NULL);
    }
    sigprocmask(SIG_SETMASK, &tty.mask, NULL);
}

/* ---- Taking it over -------------------------------------------------------------------------- */

static void end_before_failing(void *context)
{
    (void)context;
    tty_end();
}

void tty_begin(void)
{
    tcgetattr(STDIN_FILENO, &tty.before);
    tty.ours = tty.before;
    tty.ours.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
    tty.ours.c_iflag &= ~(tcflag_t)(IXON | ICRNL | INLCR | IGNCR);
    tty.ours.c_cc[VINTR] = _POSIX_VDISABLE;
    tty.ours.c_cc[VMIN] = 1;
    tty.ours.c_cc[VTIME] = 0;
    watch_signals();
    take_over();
    fail_calls(end_before_failing, NULL);
}

void tty_end(void)
{
    fail_calls(NULL, NULL);
    give_back();
    leave_signals();
}

int tty_read(char *bytes, int size, int milliseconds)
{
    const struct timespec wait = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(STDIN_FILENO, &set);
    int ready =
        pselect(STDIN_FILENO + 1, &set, NULL, NULL, milliseconds < 0 ? NULL : &wait, &tty.mask);
    if (ready <= 0) {
        return ready == 0 || errno == EINTR ? 0 : -1;
    }
    ssize_t got = read(STDIN_FILENO, bytes, (size_t)size);
    return got > 0 ? (int)got : got < 0 && errno == EINTR ? 0 : -1;
}

bool tty_was_disturbed(void)
{
    bool disturbed = tty.disturbed != 0;
    tty.disturbed = 0;
    return disturbed;
}

/* ---- What it can ----------------------------------------------------------------------------- */

bool tty_can_edit(void)
{
    const char *name = getenv("TERM");
    return console_is_live() && name != NULL && *name != '\0' && strcmp(name, "dumb") != 0;
}

void tty_size(int *width, int *height)
{
    struct winsize size;
    bool told = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0;
    *width = told ? size.ws_col : 80;
    *height = told ? size.ws_row : 24;
}

#else

bool tty_can_edit(void)
{
    return false;
}

void tty_size(int *width, int *height)
{
    *width = 80;
    *height = 24;
}

void tty_begin(void)
{
}

void tty_end(void)
{
}

int tty_read(char *bytes, int size, int milliseconds)
{
    (void)bytes;
    (void)size;
    (void)milliseconds;
    return -1;
}

bool tty_was_disturbed(void)
{
    return false;
}
#endif
