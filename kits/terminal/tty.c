#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE /* TIOCGWINSZ */
#define _DARWIN_C_SOURCE

#include "terminal/tty.h"

#if !defined(_WIN32)

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "terminal/detect.h"
#include "terminal/terminal_live.h"
#include "terminal/unicode.h"

/* More than the largest displays have. A window that says it is larger has no such display, and a
 * frame for it would take minutes. */
#define LIVE_WIDTH_MAX 2000
#define LIVE_HEIGHT_MAX 500

/* ---- What is sent to take over and to give back ------------------------------------------------ */

static void add_sequence(char *text, size_t size, size_t *length, const char *added)
{
    size_t more = strlen(added);
    if (*length + more < size) {
        memcpy(text + *length, added, more);
        *length += more;
    }
}

/* The title comes from the host: control characters in it would be commands. */
static void add_title(ki_live *live, const char *title)
{
    const size_t most = live->enter_size + 200;
    add_sequence(live->enter, sizeof live->enter, &live->enter_size, "\033[22;0t\033]0;");
    for (uint32_t character; (character = ki_utf8_read(&title)) != 0 && live->enter_size < most;) {
        if (ki_char_width(character) >= 0) {
            live->enter_size += (size_t)ki_utf8_write(live->enter + live->enter_size, character);
        }
    }
    add_sequence(live->enter, sizeof live->enter, &live->enter_size, "\033\\");
}

/* Alternate screen, no cursor, no wrapping, pastes and focus told, all keys as the kitty protocol
 * tells them, and the question whether there is such a thing. */
static void write_sequences(ki_live *live, const kith_terminal_def *def)
{
    live->enter_size = live->leave_size = 0;
    add_sequence(live->enter, sizeof live->enter, &live->enter_size,
                 "\033[?1049h\033[?25l\033[?7l\033[?2004h\033[?1004h\033[>27u\033[?u");
    if (def->mouse || def->mouse_moves) {
        add_sequence(live->enter, sizeof live->enter, &live->enter_size,
                     def->mouse_moves ? "\033[?1003h\033[?1006h" : "\033[?1002h\033[?1006h");
    }
    if (def->title != NULL) {
        add_title(live, def->title);
    }
    /* CAN first: a frame may have been cut off in the middle of a sequence. */
    add_sequence(live->leave, sizeof live->leave, &live->leave_size,
                 "\030\033[?2026l\033[m\033[r\033[<u\033[?1003l\033[?1002l\033[?1006l\033[?1004l"
                 "\033[?2004l\033[?7h\033[?25h");
    if (def->title != NULL) {
        add_sequence(live->leave, sizeof live->leave, &live->leave_size, "\033[23;0t");
    }
    add_sequence(live->leave, sizeof live->leave, &live->leave_size, "\033[?1049l");
}

void ki_live_give_back(ki_live_stage next)
{
    int ours = KI_LIVE_OURS;
    if (ki_the_live.owner == getpid() &&
        atomic_compare_exchange_strong(&ki_the_live.stage, &ours, next)) {
        ki_live_leave_screen();
        ki_live_leave_modes();
        ki_rescue_tell(KI_RESCUE_GIVEN);
    }
}

static void take_over(ki_live *live)
{
    ki_rescue_tell(KI_RESCUE_TAKEN);
    tcsetattr(live->fd, TCSANOW, &live->raw);
    ki_live_send(live->enter, live->enter_size);
}

/* ---- Opening and closing --------------------------------------------------------------------- */

bool ki_tty_is_there(void)
{
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && ki_detect_screen();
}

/* A description of our own, so that it alone does not wait: standard output may be shared with the
 * shell, and others that write to it would be surprised. */
static int open_terminal(void)
{
    static char name[256];
    const int flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC;
    int fd = ttyname_r(STDOUT_FILENO, name, sizeof name) == 0 ? open(name, flags) : -1;
    return fd >= 0 ? fd : open("/dev/tty", flags);
}

/* No more than it takes. After SIGKILL some shells (zsh) go on with the modes that they find, apart
 * from ICANON and ECHO: so line breaks stay as commands need them, both those that are typed and
 * those that are printed. */
static void make_raw(struct termios *mode, bool keys_not_signals)
{
    mode->c_iflag &= ~(tcflag_t)(BRKINT | INLCR | IGNCR | INPCK | ISTRIP | IXON | PARMRK);
    mode->c_oflag &= ~(tcflag_t)(OCRNL | ONOCR);
    mode->c_cflag &= ~(tcflag_t)(CSIZE | PARENB);
    mode->c_cflag |= CS8;
    mode->c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | IEXTEN);
    if (keys_not_signals) {
        mode->c_lflag &= ~(tcflag_t)ISIG;
    }
    mode->c_cc[VMIN] = 1;
    mode->c_cc[VTIME] = 0;
}

static void leave_at_exit(void)
{
    ki_live_give_back(KI_LIVE_LOST);
}

kith_result ki_tty_open(const kith_terminal_def *def)
{
    static bool at_exit;
    ki_live *live = &ki_the_live;
    if (atomic_load(&live->stage) != KI_LIVE_NONE) {
        return KITH_ERR_CONFLICT;
    }
    if (!ki_tty_is_there()) {
        return KITH_ERR_ABSENT;
    }
    live->fd = open_terminal();
    if (live->fd < 0) {
        return KITH_ERR_ABSENT;
    }
    at_exit = at_exit || atexit(leave_at_exit) == 0;
    live->owner = getpid();
    live->rescue = -1;
    atomic_store(&live->resized, 0);
    atomic_store(&live->resumed, 0);
    write_sequences(live, def);
    if (!at_exit || tcgetattr(live->fd, &live->saved) != 0) {
        close(live->fd);
        return KITH_ERR_IO;
    }
    live->raw = live->saved;
    make_raw(&live->raw, def->keys_not_signals);
    if (!def->no_rescue && !ki_rescue_start()) {
        close(live->fd);
        return KITH_ERR_IO;
    }
    /* From here on whatever ends the program gives the terminal back. */
    atomic_store(&live->stage, KI_LIVE_OURS);
    ki_signals_install();
    take_over(live);
    return KITH_OK;
}

void ki_tty_close(void)
{
    ki_live *live = &ki_the_live;
    ki_live_give_back(KI_LIVE_LOST);
    ki_signals_remove();
    ki_rescue_end();
    close(live->fd);
    live->fd = -1;
    atomic_store(&live->stage, KI_LIVE_NONE);
}

/* ---- While it is open ------------------------------------------------------------------------ */

void ki_tty_size(int *width, int *height)
{
    struct winsize size = {0};
    bool known =
        ioctl(ki_the_live.fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0;
    *width = !known ? 80 : size.ws_col < LIVE_WIDTH_MAX ? size.ws_col : LIVE_WIDTH_MAX;
    *height = !known ? 24 : size.ws_row < LIVE_HEIGHT_MAX ? size.ws_row : LIVE_HEIGHT_MAX;
}

static bool would_wait(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

int ki_tty_read(void *bytes, int size)
{
    ssize_t got = read(ki_the_live.fd, bytes, (size_t)size);
    return got > 0 ? (int)got : got < 0 && would_wait() ? 0 : -1;
}

int ki_tty_write(const char *bytes, size_t size)
{
    if (atomic_load(&ki_the_live.stage) != KI_LIVE_OURS) {
        return 0;
    }
    ssize_t sent = write(ki_the_live.fd, bytes, size < (1u << 20) ? size : 1u << 20);
    return sent >= 0 ? (int)sent : would_wait() ? 0 : -1;
}

bool ki_tty_was_resized(void)
{
    return atomic_exchange(&ki_the_live.resized, 0) != 0;
}

bool ki_tty_was_resumed(void)
{
    ki_live *live = &ki_the_live;
    if (atomic_exchange(&live->resumed, 0) == 0) {
        return false;
    }
    int given = KI_LIVE_GIVEN;
    atomic_compare_exchange_strong(&live->stage, &given, KI_LIVE_OURS);
    if (given == KI_LIVE_LOST) {
        return false;
    }
    if (given == KI_LIVE_OURS) {
        /* Stopped by SIGSTOP, which runs no handler: modes that are stacked must not pile up. */
        ki_live_leave_screen();
    }
    take_over(live);
    return true;
}

bool ki_tty_is_lost(void)
{
    return atomic_load(&ki_the_live.stage) == KI_LIVE_LOST;
}

bool ki_tty_signal_key(uint32_t key)
{
    int number = key == 'c' ? SIGINT : key == 'z' ? SIGTSTP : key == '\\' ? SIGQUIT : 0;
    if (number != 0) {
        raise(number);
    }
    return number != 0;
}

#else

bool ki_tty_is_there(void)
{
    return false;
}

kith_result ki_tty_open(const kith_terminal_def *def)
{
    (void)def;
    return KITH_ERR_ABSENT;
}

void ki_tty_close(void)
{
}

void ki_tty_size(int *width, int *height)
{
    *width = 80;
    *height = 24;
}

int ki_tty_read(void *bytes, int size)
{
    (void)bytes;
    (void)size;
    return -1;
}

int ki_tty_write(const char *bytes, size_t size)
{
    (void)bytes;
    (void)size;
    return -1;
}

bool ki_tty_was_resized(void)
{
    return false;
}

bool ki_tty_was_resumed(void)
{
    return false;
}

bool ki_tty_is_lost(void)
{
    return true;
}

bool ki_tty_signal_key(uint32_t key)
{
    (void)key;
    return false;
}

#endif
