/* The arena, the real program, on a pseudo-terminal: what keys do, what is to be seen, and that the
 * terminal is as it was in the end. What it does without a terminal: arena_headless.test. */
#define _XOPEN_SOURCE 700 /* posix_openpt */
#define _DEFAULT_SOURCE   /* TIOCSCTTY */

#include "../term/pty.h"

#include <stdio.h>
#include <sys/resource.h>

/* A level in which nothing happens by itself: the nest is walled in. */
static const char quiet_level[] =
    "prefab wall\n"
    "    Wall\n"
    "    Collider { width = 1, height = 1, layers = 1, mask = 0x18 }\n"
    "prefab nest\n"
    "    Nest\n"
    "prefab start\n"
    "    Start\n"
    "map\n"
    "    across Position.x\n"
    "    down Position.y\n"
    "    '#' = wall\n"
    "    'n' = nest\n"
    "    '@' = start\n"
    "    |########################################|\n"
    "    |#..................................#...#|\n"
    "    |#..................................#...#|\n"
    "    |#..............@...................#.n.#|\n"
    "    |#..................................#...#|\n"
    "    |#..................................#...#|\n"
    "    |#..................................#...#|\n"
    "    |########################################|\n";

#define PLAYER "▄██▄" /* its upper half */

static char level_path[64];
static char record_path[64];

static void make_files(void)
{
    snprintf(level_path, sizeof(level_path), "/tmp/kith-arena-%d.kith", (int)getpid());
    snprintf(record_path, sizeof(record_path), "/tmp/kith-arena-%d.rec", (int)getpid());
    FILE *file = fopen(level_path, "w");
    CHECK_PTR_NOT_NULL(file);
    CHECK(fputs(quiet_level, file) >= 0 && fclose(file) == 0);
}

static void remove_files(void)
{
    remove(level_path);
    remove(record_path);
}

static const char *program(void)
{
    static char path[1024];
    const char *examples = getenv("KITH_EXAMPLES");
    CHECK_PTR_NOT_NULL(examples);
    snprintf(path, sizeof(path), "%s/arena", examples);
    return path;
}

static void exec_arena(int report)
{
    (void)report;
    setenv("TERM", "xterm-256color", 1);
    setenv("COLORTERM", "truecolor", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    execl(program(), "arena", "--level", level_path, "--seed", "3", "--record", record_path,
          (char *)NULL);
    _exit(98);
}

static pty started(void)
{
    make_files();
    pty p = pty_start(exec_arena, NULL);
    pty_see(&p, "? help");
    pty_see(&p, PLAYER);
    CHECK(pty_is_raw(&p));
    return p;
}

static void check_ended(pty *p, int expected)
{
    int status = pty_status(p);
    CHECK_INT(WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), expected);
    pty_restored(p);
    pty_end(p);
    remove_files();
}

/* ---- Looking at the screen ------------------------------------------------------------------- */

/* Where the player is; false if it is not to be seen. */
static bool find_player(const pty *p, int *x, int *y)
{
    for (int i = 0; i + 3 < p->vt.width * p->vt.height; i++) {
        const vt_cell *cell = &p->vt.cells[i];
        if (strcmp(cell[0].text, "▄") == 0 && strcmp(cell[1].text, "█") == 0 &&
            strcmp(cell[2].text, "█") == 0 && strcmp(cell[3].text, "▄") == 0) {
            *x = i % p->vt.width;
            *y = i / p->vt.width;
            return true;
        }
    }
    return false;
}

typedef bool condition(const pty *p, int value);

static void wait_for(pty *p, condition *holds, int value, const char *what)
{
    uint64_t end = pty_now() + PTY_SECONDS * 1000;
    while (!holds(p, value)) {
        if (pty_now() > end) {
            test_fail(__FILE__, __LINE__, "never %s:\n%s", what, pty_text(p));
        }
        pty_pump(p, 50);
    }
}

static bool player_is_right_of(const pty *p, int column)
{
    int x;
    int y;
    return find_player(p, &x, &y) && x > column;
}

static bool player_is_below(const pty *p, int row)
{
    int x;
    int y;
    return find_player(p, &x, &y) && y > row;
}

static bool help_is_gone(const pty *p, int value)
{
    (void)value;
    return strstr(pty_text(p), "slow motion") == NULL;
}

/* How many steps were made, as the overlay tells; -1 if it is not there. */
static int tick(const pty *p)
{
    const char *at = strstr(pty_text(p), "tick ");
    return at == NULL ? -1 : atoi(at + 5);
}

static bool tick_is_from(const pty *p, int least)
{
    return tick(p) >= least;
}

/* A key that comes again sooner counts as held. */
enum { BETWEEN_TAPS = 500 };

static void let_pass(pty *p, int milliseconds)
{
    uint64_t end = pty_now() + (uint64_t)milliseconds;
    while (pty_now() < end) {
        pty_pump(p, 20);
    }
}

/* ---- Tests ----------------------------------------------------------------------------------- */

TEST_WITHIN(30, keys_move_the_player_and_shoot)
{
    int x;
    int y;
    pty p = started();
    CHECK(find_player(&p, &x, &y));
    pty_type(&p, "d");
    wait_for(&p, player_is_right_of, x, "right of where it was");
    pty_type(&p, "\033[B");
    wait_for(&p, player_is_below, y, "below where it was");
    pty_type(&p, " ");
    pty_see(&p, "•");
    pty_type(&p, "q");
    check_ended(&p, 0);
}

TEST_WITHIN(30, the_mouse_shoots)
{
    pty p = started();
    pty_type(&p, "\033[<0;2;2M");
    pty_see(&p, "•");
    pty_type(&p, "\033[<0;2;2mq");
    check_ended(&p, 0);
}

TEST_WITHIN(30, pause_stops_the_game_and_a_step_is_one)
{
    pty p = started();
    pty_type(&p, "o");
    wait_for(&p, tick_is_from, 1, "a tick in the overlay");
    pty_type(&p, "p");
    pty_see(&p, "Paused");
    let_pass(&p, 200);
    int before = tick(&p);
    let_pass(&p, 500);
    CHECK_INT(tick(&p), before);
    pty_type(&p, ".");
    wait_for(&p, tick_is_from, before + 1, "one step further");
    let_pass(&p, BETWEEN_TAPS);
    CHECK_INT(tick(&p), before + 1);
    pty_type(&p, "p");
    wait_for(&p, tick_is_from, before + 10, "going on");
    pty_type(&p, "q");
    check_ended(&p, 0);
}

TEST_WITHIN(30, help_comes_and_goes)
{
    pty p = started();
    pty_type(&p, "?");
    pty_see(&p, "slow motion");
    let_pass(&p, BETWEEN_TAPS);
    pty_type(&p, "?");
    wait_for(&p, help_is_gone, 0, "without help");
    pty_type(&p, "t");
    pty_see(&p, "slow");
    pty_type(&p, "b");
    pty_see(&p, "self");
    pty_type(&p, "q");
    check_ended(&p, 0);
}

TEST_WITHIN(30, the_overlay_tells_what_the_world_holds)
{
    pty p = started();
    pty_type(&p, "o");
    pty_see(&p, "entities");
    pty_see(&p, "tables");
    pty_see(&p, "memory");
    int before = atoi(strstr(pty_text(&p), "entities") + strlen("entities"));
    pty_type(&p, "m");
    pty_see(&p, "1000 moths");
    let_pass(&p, 200);
    int after = atoi(strstr(pty_text(&p), "entities") + strlen("entities"));
    CHECK(before > 0 && after > before + 900);
    pty_type(&p, "q");
    check_ended(&p, 0);
}

TEST_WITHIN(30, the_screen_takes_a_new_size)
{
    pty p = started();
    struct winsize size = {.ws_col = 90, .ws_row = 40};
    while (pty_pump(&p, 0)) { /* what was on its way is for the old size */
    }
    vt_free(&p.vt);
    p.vt = vt_new(90, 40);
    p.vt.alternate = p.vt.hidden = p.vt.no_wrap = p.vt.pastes = p.vt.focus = p.vt.mouse = true;
    p.vt.keyboard = 1;
    CHECK_INT(ioctl(p.master, TIOCSWINSZ, &size), 0);
    pty_see(&p, "score 0"); /* for which there was no room before */
    pty_see(&p, PLAYER);
    pty_type(&p, "o");
    pty_see(&p, "collision"); /* all systems have room */
    pty_type(&p, "q");
    check_ended(&p, 0);
}

TEST_WITHIN(30, the_terminal_is_restored_whatever_ends_it)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGKILL};
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        pty p = started();
        CHECK_INT(kill(p.game, signals[i]), 0);
        check_ended(&p, -signals[i]);
    }
}

/* ---- A recording of what somebody typed ------------------------------------------------------ */

/* Reads on, behind the game's end too, until there are so many bytes from `text` on. */
static const char *read_until(const pty *p, const char *text, size_t least)
{
    static char all[1 << 20];
    size_t size = 0;
    uint64_t end = pty_now() + PTY_SECONDS * 1000;
    const char *found = NULL;
    while (found == NULL || strlen(found) < least) {
        struct pollfd waiting = {.fd = p->master, .events = POLLIN};
        CHECK(pty_now() < end && size < sizeof(all) - 1);
        if (poll(&waiting, 1, 100) == 1) {
            ssize_t got = read(p->master, all + size, sizeof(all) - 1 - size);
            size += got > 0 ? (size_t)got : 0;
        }
        all[size] = '\0';
        found = strstr(all, text);
    }
    return found;
}

/* The hash that it prints at its end. */
static void read_hash(const pty *p, char hash[32])
{
    snprintf(hash, 32, "%.23s", read_until(p, "hash 0x", 23));
}

TEST_WITHIN(30, what_was_typed_can_be_played_again)
{
    char live[32];
    char line[256];
    char command[2048];
    pty p = started();
    pty_type(&p, "d m");
    pty_see(&p, "1000 moths");
    pty_type(&p, "s ");
    let_pass(&p, 300);
    pty_type(&p, "q");
    read_hash(&p, live);
    int status = pty_read_int(p.from_shell);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(pty_is_as_before(&p));
    pty_end(&p);

    snprintf(command, sizeof(command), "%s --headless --replay %s", program(), record_path);
    FILE *again = popen(command, "r");
    CHECK_PTR_NOT_NULL(again);
    while (fgets(line, sizeof(line), again) != NULL) {
    }
    CHECK_INT(pclose(again), 0);
    line[strcspn(line, "\n")] = '\0';
    CHECK_STR(line, live);
    remove_files();
}

/* There is no room for more than the first line of the recording. */
static void exec_cramped(int report)
{
    const struct rlimit little = {128, 128};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &little);
    exec_arena(report);
}

TEST_WITHIN(30, what_ends_it_is_told_when_the_terminal_is_back)
{
    char expected[128];
    make_files();
    pty p = pty_start(exec_cramped, NULL);
    pty_see(&p, PLAYER);
    pty_type(&p, "d");
    snprintf(expected, sizeof(expected), "%s: File too large", record_path);
    CHECK_CONTAINS(read_until(&p, "\033[?1049l", strlen(expected) + 8), expected);
    int status = pty_read_int(p.from_shell);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    CHECK(pty_is_as_before(&p));
    pty_end(&p);
    remove_files();
}
