/* Shells that edit lines, and a game that is killed under them while the machine is busy: the screen
 * is left, and the shell keeps the modes that it set. The death wakes the shell and the kit's rescue
 * process at the same time, so this is a race: it is run many times. */
#define _XOPEN_SOURCE 700 /* posix_openpt */
#define _DEFAULT_SOURCE   /* TIOCSCTTY */

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

#define SECONDS 20 /* for what takes milliseconds on an idle machine */
#define BUSY_PROCESSES 6
#define PROMPT "ready$ "

typedef struct shell {
    int master;
    pid_t pid;
    pid_t busy[BUSY_PROCESSES];
    /* What was asked of the terminal: modes 1049, 1002, 1004 and 25. */
    bool alternate, mouse, focus, hidden;
    char text[65536]; /* what came since the last command */
    size_t size;
    size_t scanned; /* in which modes were looked for */
} shell;

/* ---- The shell's side ------------------------------------------------------------------------ */

static _Noreturn void become_shell(const char *slave_name, const char *const *command)
{
    signal(SIGINT, SIG_DFL); /* Check has handlers for these */
    signal(SIGTERM, SIG_DFL);
    setsid();
    int slave = open(slave_name, O_RDWR);
    if (slave < 0) {
        _exit(1);
    }
    ioctl(slave, TIOCSCTTY, 0);
    for (int fd = 0; fd < 3; fd++) {
        dup2(slave, fd);
    }
    close(slave);
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("PS1", PROMPT, 1);
    setenv("HISTFILE", "/dev/null", 1);
    char *arguments[5] = {NULL};
    for (int i = 0; command[i] != NULL; i++) {
        arguments[i] = strdup(command[i]);
    }
    execvp(arguments[0], arguments);
    _exit(127);
}

static _Noreturn void be_busy(void)
{
    for (volatile uint32_t i = 0; getppid() != 1; i++) {
    }
    _exit(0);
}

/* ---- This side ------------------------------------------------------------------------------- */

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void set_mode(shell *s, int mode, bool on)
{
    switch (mode) {
    case 1049: s->alternate = on; break;
    case 1002: s->mouse = on; break;
    case 1004: s->focus = on; break;
    case 25: s->hidden = !on; break;
    default: break;
    }
}

/* Goes through what came, up to a sequence that is not whole. */
static void scan_modes(shell *s)
{
    const char *start;
    while ((start = strstr(s->text + s->scanned, "\033[?")) != NULL) {
        char *end;
        long mode = strtol(start + 3, &end, 10);
        if (*end == '\0') {
            s->scanned = (size_t)(start - s->text);
            return;
        }
        if (*end == 'h' || *end == 'l') {
            set_mode(s, (int)mode, *end == 'h');
        }
        s->scanned = (size_t)(end - s->text);
    }
}

static void pump(shell *s)
{
    struct pollfd waiting = {.fd = s->master, .events = POLLIN};
    if (poll(&waiting, 1, 10) < 1) {
        return;
    }
    if (s->size > sizeof(s->text) / 2) { /* of frames only the end matters */
        memmove(s->text, s->text + s->scanned, s->size - s->scanned + 1);
        s->size -= s->scanned;
        s->scanned = 0;
    }
    ssize_t got = read(s->master, s->text + s->size, sizeof(s->text) - s->size - 1);
    CHECK(got > 0);
    for (ssize_t i = 0; i < got; i++) {
        CHECK(s->text[s->size + (size_t)i] != '\0');
    }
    s->size += (size_t)got;
    s->text[s->size] = '\0';
    scan_modes(s);
}

static void forget(shell *s)
{
    s->size = s->scanned = 0;
    s->text[0] = '\0';
}

static bool has_prompt(const shell *s)
{
    return strstr(s->text, PROMPT) != NULL;
}

static bool has_game(const shell *s)
{
    return s->alternate && s->mouse && s->focus && s->hidden;
}

static bool is_left(const shell *s)
{
    return !s->alternate && !s->mouse && !s->focus && !s->hidden;
}

/* The shell takes keys one by one, and what it prints has whole line breaks. */
static bool is_editing(const shell *s)
{
    struct termios now;
    CHECK_INT(tcgetattr(s->master, &now), 0);
    return (now.c_lflag & (ICANON | ECHO)) == 0 &&
           (now.c_oflag & (OPOST | ONLCR)) == (OPOST | ONLCR);
}

/* What commands find, as `stty -a` tells. */
static bool has_sane_modes(const shell *s)
{
    static const char *const wanted[] = {" icanon ", " echo ",  " icrnl ",
                                         " opost ",  " onlcr ", " isig "};
    const char *told = strstr(s->text, "speed ");
    if (told == NULL || strstr(told, PROMPT) == NULL) {
        return false;
    }
    for (size_t i = 0; test_row(i, ROWS_OF(wanted)); i++) {
        CHECK_CONTAINS(told, wanted[i]);
    }
    return true;
}

#define wait_until(s, holds) wait_until_at(__LINE__, (s), (holds), #holds)
static void wait_until_at(int line, shell *s, bool (*holds)(const shell *s), const char *what)
{
    uint64_t end = now_ms() + SECONDS * 1000;
    while (!holds(s)) {
        if (now_ms() > end) {
            test_fail(__FILE__, line,
                      "%s does not hold: alternate %d, mouse %d, focus %d, hidden %d", what,
                      s->alternate, s->mouse, s->focus, s->hidden);
        }
        pump(s);
    }
}

static void let_pass(shell *s, uint64_t milliseconds)
{
    uint64_t end = now_ms() + milliseconds;
    while (now_ms() < end) {
        pump(s);
    }
}

static void type(shell *s, const char *line)
{
    forget(s);
    CHECK_INT(write(s->master, line, strlen(line)), strlen(line));
}

static void start(shell *s, const char *const *command)
{
    static const struct winsize size = {.ws_col = 80, .ws_row = 24};
    *s = (shell){.master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)};
    CHECK(s->master >= 0 && grantpt(s->master) == 0 && unlockpt(s->master) == 0);
    CHECK_INT(ioctl(s->master, TIOCSWINSZ, &size), 0);
    s->pid = fork();
    if (s->pid == 0) {
        become_shell(ptsname(s->master), command);
    }
    wait_until(s, has_prompt);
    CHECK(is_editing(s));
    for (int i = 0; i < BUSY_PROCESSES; i++) {
        s->busy[i] = fork();
        if (s->busy[i] == 0) {
            be_busy();
        }
    }
}

static void finish(shell *s)
{
    for (int i = 0; i < BUSY_PROCESSES; i++) {
        kill(s->busy[i], SIGKILL);
        waitpid(s->busy[i], NULL, 0);
    }
    kill(s->pid, SIGKILL);
    waitpid(s->pid, NULL, 0);
    close(s->master);
}

/* ---- The test -------------------------------------------------------------------------------- */

/* The number after a word, wherever one follows it: in the command that is echoed none does. */
static bool find_number(const char *text, const char *word, int *number)
{
    for (; (text = strstr(text, word)) != NULL; text++) {
        if (sscanf(text + strlen(word), "%d .", number) == 1) {
            return true;
        }
    }
    return false;
}

/* Starts the game in the shell; returns its process. */
static pid_t start_game(shell *s)
{
    char line[1200];
    int game;
    const char *examples = getenv("KITH_EXAMPLES");
    CHECK_PTR_NOT_NULL(examples);
    snprintf(line, sizeof(line), "sh -c 'echo game $$ .; exec %s/arena --seed 1'\r", examples);
    type(s, line);
    uint64_t end = now_ms() + SECONDS * 1000;
    while (!find_number(s->text, "game ", &game)) {
        CHECK(now_ms() < end);
        pump(s);
    }
    wait_until(s, has_game);
    return (pid_t)game;
}

static void kill_games_under(const char *const *command, int rounds)
{
    static shell s;
    start(&s, command);
    for (int i = 0; i < rounds; i++) {
        pid_t game = start_game(&s);
        forget(&s);
        CHECK_INT(kill(game, SIGKILL), 0);
        wait_until(&s, has_prompt);
        wait_until(&s, is_left);
        let_pass(&s, i % 2 == 0 ? 0 : 200); /* typing at once, or when the rescue process is done */
        wait_until(&s, is_editing);
        type(&s, "stty -a | tr '\\n' ' '; echo\r");
        wait_until(&s, has_sane_modes);
        wait_until(&s, is_editing);
    }
    let_pass(&s, 500); /* nothing comes later that changes it */
    CHECK(is_left(&s) && is_editing(&s));
    finish(&s);
}

TEST_WITHIN(60, a_game_that_is_killed_under_bash_leaves_the_screen)
{
    static const char *const bash[] = {"bash", "--norc", "--noprofile", "-i", NULL};
    kill_games_under(bash, 20);
}

TEST_WITHIN(60, a_game_that_is_killed_under_zsh_leaves_the_screen)
{
    static const char *const zsh[] = {"zsh", "-f", "-i", NULL};
    if (system("command -v zsh > /dev/null") != 0) {
        puts("zsh is not installed: it was not tried");
        return;
    }
    kill_games_under(zsh, 20);
}
