/* What leaves the live terminal: for signal handlers, and for the process that restores it. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE

#include "terminal/tty.h"

#if !defined(_WIN32)

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "terminal/terminal_live.h"

/* How long a terminal that takes nothing is waited for when it is given back. */
#define LEAVE_PATIENCE_MS 300

ki_live ki_the_live = {.fd = -1, .rescue = -1};

void ki_live_send(const char *bytes, size_t size)
{
    const int fd = ki_the_live.fd;
    bool flushed = false;
    while (size > 0) {
        ssize_t sent = write(fd, bytes, size);
        if (sent > 0) {
            bytes += sent;
            size -= (size_t)sent;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd waiting = {.fd = fd, .events = POLLOUT};
            if (poll(&waiting, 1, LEAVE_PATIENCE_MS) == 0) {
                if (flushed) {
                    return;
                }
                tcflush(fd, TCOFLUSH);
                flushed = true;
            }
        } else if (errno != EINTR) {
            return;
        }
    }
}

void ki_live_leave_screen(void)
{
    ki_live_send(ki_the_live.leave, ki_the_live.leave_size);
}

void ki_live_leave_modes(void)
{
    tcsetattr(ki_the_live.fd, TCSANOW, &ki_the_live.saved);
    /* Replies that are still on their way are not for the shell. */
    tcflush(ki_the_live.fd, TCIFLUSH);
}

#endif
