/* SIGKILL runs no handler. So a small process waits at one end of a pair of sockets and is told
 * each time that the terminal is taken over, and each time that it is given back. When this process
 * ends, however it does, the other end is closed. If the terminal was not given back by then, the
 * small process restores it.
 *
 * The program's death wakes the shell too. A shell that edits lines (bash, zsh) then sets modes of
 * its own, which must stay, but does not leave the alternate screen. So the screen is always left.
 * The modes are set only if no shell has set its own within a second: earlier, it might do so after
 * they were read and before they are set.
 *
 * It is a grandchild, so that the program never has to wait for it, in a session of its own, so
 * that no key and no hang-up reaches it. Between fork and the end it makes system calls and nothing
 * else: the program may have threads. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE

#include "terminal/tty.h"

#if !defined(_WIN32)

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include "terminal/terminal_live.h"

#if !defined(MSG_NOSIGNAL)
#define MSG_NOSIGNAL 0
#endif

/* Files that the program has open are not ours to keep open. */
static void close_others(int first, int second)
{
    long limit = sysconf(_SC_OPEN_MAX);
    limit = limit < 0 || limit > 1 << 20 ? 1 << 20 : limit;
    for (int fd = 0; fd < limit; fd++) {
        if (fd != first && fd != second) {
            close(fd);
        }
    }
}

/* Time for the shell to set its modes, which takes long only on a busy machine; and how often they are
 * looked at. */
#define SHELL_TIME_MS 1000
#define LOOK_MS 10

/* If a shell has the terminal already, its modes are not those that we set. */
static bool is_still_raw(void)
{
    struct termios now;
    const struct termios *raw = &ki_the_live.raw;
    return tcgetattr(ki_the_live.fd, &now) == 0 && now.c_iflag == raw->c_iflag &&
           now.c_oflag == raw->c_oflag && now.c_lflag == raw->c_lflag;
}

static void rescue_terminal(void)
{
    ki_live_leave_screen();
    for (int waited = 0; waited < SHELL_TIME_MS && is_still_raw(); waited += LOOK_MS) {
        poll(NULL, 0, LOOK_MS);
    }
    if (is_still_raw()) {
        ki_live_leave_modes();
    }
}

/* Waits for the program's end. Returns the last word that it sent. */
static char hear_last_word(int end)
{
    char last = KI_RESCUE_GIVEN;
    char word = last;
    ssize_t got;
    do {
        got = read(end, &word, 1);
        if (got == 1) {
            last = word;
        }
    } while (got == 1 || (got < 0 && errno == EINTR));
    return last;
}

static _Noreturn void watch(int end)
{
    setsid();
#if defined(__linux__)
    prctl(PR_SET_NAME, "kith-rescue", 0, 0, 0); /* not killed by the program's name */
#endif
    close_others(end, ki_the_live.fd);
    if (hear_last_word(end) == KI_RESCUE_TAKEN) {
        rescue_terminal();
    }
    _exit(0);
}

bool ki_rescue_start(void)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        return false;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        pid_t grandchild = fork();
        if (grandchild == 0) {
            watch(ends[0]);
        }
        _exit(grandchild < 0);
    }
    int status = 0;
    pid_t waited = -1;
    do {
        waited = child < 0 ? -1 : waitpid(child, &status, 0);
    } while (waited < 0 && child > 0 && errno == EINTR);
    close(ends[0]);
    /* A program that waits for all its children may have been faster: then all is well. */
    bool started = child > 0 && (waited != child || status == 0);
    if (started) {
        ki_the_live.rescue = ends[1];
    } else {
        close(ends[1]);
    }
    return started;
}

void ki_rescue_tell(char word)
{
    ssize_t sent;
    do { /* a socket, since a pipe to a process that was killed would raise SIGPIPE */
        sent = ki_the_live.rescue < 0 ? 0 : send(ki_the_live.rescue, &word, 1, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
}

void ki_rescue_end(void)
{
    if (ki_the_live.rescue >= 0) {
        close(ki_the_live.rescue);
        ki_the_live.rescue = -1;
    }
}

#endif
