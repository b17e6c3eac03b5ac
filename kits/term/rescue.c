/* SIGKILL runs no handler. So a small process waits at one end of a pair of sockets: when this one
 * ends, however it does, the other end is closed, and if it has not said that all is well, the small
 * process restores the terminal.
 *
 * It is a grandchild, so that the program never has to wait for it, in a session of its own, so that
 * no key and no hang-up reaches it. Between fork and the end it makes system calls and nothing else:
 * the program may have threads. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE

#include "term/tty.h"

#if !defined(_WIN32)

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include "term/live.h"

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

/* If somebody has restored it already, or the shell has it, its modes are not those that we set. */
static bool is_still_raw(void)
{
    struct termios now;
    const struct termios *raw = &ki_the_live.raw;
    return tcgetattr(ki_the_live.fd, &now) == 0 && now.c_iflag == raw->c_iflag &&
           now.c_oflag == raw->c_oflag && now.c_lflag == raw->c_lflag;
}

static _Noreturn void watch(int end)
{
    char word;
    ssize_t got;
    setsid();
#if defined(__linux__)
    prctl(PR_SET_NAME, "kith-rescue", 0, 0, 0); /* not killed by the program's name */
#endif
    close_others(end, ki_the_live.fd);
    do {
        got = read(end, &word, 1);
    } while (got < 0 && errno == EINTR);
    if (got == 0 && is_still_raw()) {
        ki_live_leave();
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

void ki_rescue_end(bool is_owner)
{
    if (ki_the_live.rescue >= 0) {
        ssize_t sent;
        do { /* a socket, since a pipe to somebody who was killed would raise SIGPIPE */
            sent = is_owner ? send(ki_the_live.rescue, "q", 1, MSG_NOSIGNAL) : 0;
        } while (sent < 0 && errno == EINTR);
        close(ki_the_live.rescue);
        ki_the_live.rescue = -1;
    }
}

#endif
