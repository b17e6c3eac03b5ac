/* The arena, the real program, on a pseudo-terminal: what keys do, what is to be seen, and that the
 * terminal is as it was in the end. What it does without a terminal: arena_headless.test. */
#define _XOPEN_SOURCE 700 /* posix_openpt */
#define _DEFAULT_SOURCE   /* TIOCSCTTY */

#include "../terminal/pty.h"

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

/* Keys as the kitty protocol tells them, with their releases: no test depends on how long a key seems to
 * be held, which is a matter of time. */
static void press(const pty *p, int key)
{
    char text[32];
    snprintf(text, sizeof(text), "\033[%d;1:1u", key);
    pty_type(p, text);
}

static void let_go(const pty *p, int key)
{
    char text[32];
    snprintf(text, sizeof(text), "\033[%d;1:3u", key);
    pty_type(p, text);
}

/* In one piece: the game sees both at once. */
static void tap(const pty *p, int key)
{
    char text[48];
    snprintf(text, sizeof(text), "\033[%d;1:1u\033[%d;1:3u", key, key);
    pty_type(p, text);
}

/* The game waits for a key. */
static pty opened(void (*exec)(int report))
{
    make_files();
    pty p = pty_start(exec, NULL);
    pty_see(&p, "Press a key to begin.");
    CHECK(pty_is_raw(&p));
    pty_type(&p, "\033[?27u"); /* the terminal knows the protocol */
    return p;
}

static pty started(void)
{
    pty p = opened(exec_arena);
    tap(&p, 'x');
    pty_see(&p, "? help");
    pty_see(&p, PLAYER);
    return p;
}

/* The game has said something after its end, which read_until has taken. */
static void check_exited(pty *p, int expected)
{
    int status = pty_read_int(p->from_shell);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == expected);
    CHECK(pty_is_as_before(p));
    pty_end(p);
}

static void check_ended(pty *p, int expected)
{
    int status = pty_status(p);
    CHECK_INT(WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), expected);
    pty_restored(p);
    pty_end(p);
    remove_files();
}

static void quit(pty *p)
{
    tap(p, 'q');
    check_ended(p, 0);
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
    while (p->vt.synchronized || !holds(p, value)) {
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

static bool tick_is_up_to(const pty *p, int most)
{
    return tick(p) >= 0 && tick(p) <= most;
}

static void let_pass(pty *p, int milliseconds)
{
    uint64_t end = pty_now() + (uint64_t)milliseconds;
    while (pty_now() < end) {
        pty_pump(p, 20);
    }
}

static int entities(const pty *p)
{
    const char *at = strstr(pty_text(p), "entities");
    return at == NULL ? -1 : atoi(at + strlen("entities"));
}

static bool has_entities(const pty *p, int least)
{
    return entities(p) >= least;
}

static void wait_until_gone(pty *p, const char *text)
{
    uint64_t end = pty_now() + PTY_SECONDS * 1000;
    while (p->vt.synchronized || strstr(pty_text(p), text) != NULL) {
        if (pty_now() > end) {
            test_fail(__FILE__, __LINE__, "\"%s\" is never gone:\n%s", text, pty_text(p));
        }
        pty_pump(p, 50);
    }
}

/* Reads on, after the game's end too, until there are so many bytes from `text` on. */
static const char *read_until(pty *p, const char *text, size_t least)
{
    static char all[1 << 20];
    size_t size = 0;
    uint64_t end = pty_now() + PTY_SECONDS * 1000;
    const char *found = NULL;
    while (found == NULL || strlen(found) < least) {
        CHECK(pty_now() < end);
        if (pty_read(p, 100)) {
            size_t more = p->size - p->taken;
            CHECK(more < sizeof(all) - size);
            memcpy(all + size, p->bytes + p->taken, more);
            size += more;
            p->taken = p->size;
        }
        all[size] = '\0';
        found = strstr(all, text);
    }
    return found;
}

TEST_WITHIN(30, the_goal_is_told_and_the_game_waits_for_a_key)
{
    pty p = opened(exec_arena);
    pty_see(&p, "Enemies come out of their nests");
    let_pass(&p, 500);
    tap(&p, 'q');
    CHECK_CONTAINS(read_until(&p, "step ", 7), "step 0: score 0");
    check_exited(&p, 0);
    remove_files();

    p = opened(exec_arena);
    pty_type(&p, "\033[<0;2;2M\033[<0;2;2m"); /* a click is one as well */
    wait_until_gone(&p, "Press a key to begin.");
    quit(&p);
}

/* Taps that are over before the game looks count. */
TEST_WITHIN(30, keys_move_the_player_and_shoot)
{
    int x;
    int y;
    pty p = started();
    CHECK(find_player(&p, &x, &y));
    pty_type(&p, "\033[1;1:1B\033[1;1:3B");
    wait_for(&p, player_is_below, y, "below where it was");
    tap(&p, 'd');
    wait_for(&p, player_is_right_of, x, "right of where it was");
    press(&p, ' '); /* to the right, where shots fly for long */
    pty_see(&p, "•");
    let_go(&p, ' ');
    quit(&p);
}

TEST_WITHIN(30, the_mouse_shoots)
{
    pty p = started();
    pty_type(&p, "\033[<0;2;2M");
    pty_see(&p, "•");
    pty_type(&p, "\033[<0;2;2m");
    quit(&p);
}

TEST_WITHIN(30, pause_stops_the_game_and_a_step_is_one)
{
    pty p = started();
    tap(&p, 'o');
    wait_for(&p, tick_is_from, 1, "a tick in the overlay");
    tap(&p, 'p');
    pty_see(&p, "Paused");
    int before = tick(&p);
    let_pass(&p, 500);
    CHECK_INT(tick(&p), before);
    tap(&p, '.');
    wait_for(&p, tick_is_from, before + 1, "one step further");
    let_pass(&p, 500);
    CHECK_INT(tick(&p), before + 1);
    tap(&p, 'p');
    wait_for(&p, tick_is_from, before + 10, "going on");
    quit(&p);
}

/* Somebody who does not know the keys yet shall not be dead meanwhile: after six seconds it waits. */
TEST_WITHIN(60, a_game_that_nobody_plays_waits)
{
    pty p = started();
    pty_see(&p, "Press one to go on.");
    let_pass(&p, 500);
    tap(&p, 'q');
    CHECK_CONTAINS(read_until(&p, "step ", 9), "step 180:");
    check_exited(&p, 0);
    remove_files();

    p = started();
    pty_see(&p, "Press one to go on.");
    tap(&p, 'p'); /* goes on, and does not pause */
    wait_until_gone(&p, "Press one to go on.");
    tap(&p, 'o');
    wait_for(&p, tick_is_from, 190, "a step further");
    quit(&p);
}

TEST_WITHIN(30, help_has_pages_that_come_and_go)
{
    pty p = started();
    tap(&p, '?');
    pty_see(&p, "slow motion");
    pty_see(&p, "1 of 2: ?");
    tap(&p, '?');
    pty_see(&p, "[+]           heals you");
    pty_see(&p, "◆ at the edge an enemy");
    pty_see(&p, "moths         harmless");
    tap(&p, '?');
    wait_until_gone(&p, "slow motion");
    tap(&p, 't');
    pty_see(&p, "slow");
    tap(&p, 'b');
    pty_see(&p, "self");
    quit(&p);
}

/* A thousand moths come in one step, and nobody eats one meanwhile. */
TEST_WITHIN(30, the_overlay_tells_what_the_world_holds)
{
    pty p = started();
    tap(&p, 'o');
    pty_see(&p, "entities");
    pty_see(&p, "tables");
    pty_see(&p, "memory");
    tap(&p, 'p');
    pty_see(&p, "Paused");
    int before = entities(&p);
    CHECK(before > 0);
    tap(&p, 'm');
    tap(&p, '.');
    wait_for(&p, has_entities, before + 900, "a thousand more");
    quit(&p);
}

static void exec_in_small_window(int report)
{
    const struct winsize size = {.ws_col = 30, .ws_row = 8};
    ioctl(1, TIOCSWINSZ, &size);
    exec_arena(report);
}

TEST_WITHIN(30, a_small_window_has_room_for_what_counts)
{
    pty p = opened(exec_in_small_window);
    pty_see(&p, "Shoot what comes for you.");
    tap(&p, 'x');
    pty_see(&p, " ♥ ██████ 100  000000  wave 0");
    pty_see(&p, " ? help   q quit  best 000000");
    tap(&p, '?');
    pty_see(&p, "1 of 6: ?");
    quit(&p);
}

static void exec_on_dumb_terminal(int report)
{
    (void)report;
    setenv("TERM", "dumb", 1);
    execl(program(), "arena", (char *)NULL);
    _exit(98);
}

TEST_WITHIN(30, a_terminal_without_a_screen_is_refused)
{
    pty p = pty_start(exec_on_dumb_terminal, NULL);
    const char *said = read_until(&p, "the game", 100);
    CHECK_CONTAINS(said, "cannot be shown on this terminal, as TERM is dumb.");
    check_exited(&p, 1);
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
    tap(&p, 'o');
    pty_see(&p, "collision"); /* all systems have room */
    quit(&p);
}

TEST_WITHIN(30, the_terminal_is_restored_whatever_ends_it)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGKILL};
    for (size_t i = 0; test_row(i, ROWS_OF(signals)); i++) {
        pty p = started();
        CHECK_INT(kill(p.game, signals[i]), 0);
        check_ended(&p, -signals[i]);
    }
}

/* ---- A recording of what somebody typed ------------------------------------------------------ */

/* The hash that it prints at its end. */
static void read_hash(pty *p, char hash[32])
{
    snprintf(hash, 32, "%.23s", read_until(p, "hash 0x", 23));
}

TEST_WITHIN(30, what_was_typed_can_be_played_again)
{
    char live[32];
    char line[256];
    char command[2048];
    bool has_moths = false;
    pty p = started();
    tap(&p, 'd');
    press(&p, ' ');
    tap(&p, 'm');
    pty_see(&p, "•");
    let_go(&p, ' ');
    tap(&p, 's');
    tap(&p, 'o');
    wait_for(&p, tick_is_from, 40, "forty steps");
    press(&p, 'z');
    pty_see(&p, "Back in time");
    wait_for(&p, tick_is_up_to, 15, "an earlier step");
    let_go(&p, 'z');
    wait_until_gone(&p, "Back in time");
    wait_for(&p, tick_is_from, 30, "thirty steps");
    tap(&p, 'q');
    read_hash(&p, live);
    check_exited(&p, 0);

    snprintf(command, sizeof(command), "%s --headless --replay %s", program(), record_path);
    FILE *again = popen(command, "r");
    CHECK_PTR_NOT_NULL(again);
    while (fgets(line, sizeof(line), again) != NULL) {
    }
    CHECK_INT(pclose(again), 0);
    line[strcspn(line, "\n")] = '\0';
    CHECK_STR(line, live);
    FILE *record = fopen(record_path, "r");
    CHECK_PTR_NOT_NULL(record);
    while (fgets(line, sizeof(line), record) != NULL) {
        has_moths = has_moths || strstr(line, "m\", aim") != NULL;
    }
    CHECK(fclose(record) == 0 && has_moths);
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
    pty p = opened(exec_cramped);
    tap(&p, 'x');
    pty_see(&p, PLAYER);
    tap(&p, 'd');
    snprintf(expected, sizeof(expected), "%s: File too large", record_path);
    CHECK_CONTAINS(read_until(&p, "\033[?1049l", strlen(expected) + 8), expected);
    check_exited(&p, 1);
    remove_files();
}
