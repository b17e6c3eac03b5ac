/* The console, the real program, on a pseudo-terminal: what keys make of a line, what can be
 * completed, tables, pages, and that the terminal is as it was in the end. What it does without a
 * terminal: console.test. */
#define _XOPEN_SOURCE 700 /* posix_openpt */
#define _DEFAULT_SOURCE   /* TIOCSCTTY */

#include "../terminal/pty.h"

#include <stdio.h>

static const char *program(void)
{
    static char path[1024];
    const char *examples = getenv("KITH_EXAMPLES");
    CHECK_PTR_NOT_NULL(examples);
    snprintf(path, sizeof(path), "%s/console", examples);
    return path;
}

static const char *village(void)
{
    static char path[1024];
    const char *source = getenv("KITH_SOURCE");
    CHECK_PTR_NOT_NULL(source);
    snprintf(path, sizeof(path), "%s/examples/console/village.kith", source);
    return path;
}

static struct winsize window = {.ws_col = 60, .ws_row = 12};
static const char *terminal_name = "xterm";
static const char *locale_name = "C.UTF-8";
static const char *scene_path; /* NULL: the arena */

static void exec_console(int report)
{
    (void)report;
    ioctl(1, TIOCSWINSZ, &window);
    setenv("TERM", terminal_name, 1);
    setenv("LC_ALL", locale_name, 1);
    execl(program(), "console", scene_path, (char *)NULL);
    _exit(98);
}

/* Ready for the first line. */
static pty started_with(int width, int height)
{
    window = (struct winsize){.ws_col = (unsigned short)width, .ws_row = (unsigned short)height};
    pty p = pty_start(exec_console, NULL);
    vt_free(&p.vt);
    p.vt = vt_new(width, height);
    p.vt.lines = true;
    pty_see(&p, "\n> ");
    return p;
}

static pty started(void)
{
    scene_path = village();
    return started_with(60, 12);
}

/* What the terminal shows in a row, without blanks at its end. */
static const char *row_text(const pty *p, int y)
{
    static char text[2048];
    text[0] = '\0';
    for (int x = 0; x < p->vt.width; x++) {
        strcat(text, p->vt.cells[y * p->vt.width + x].text);
    }
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ') {
        text[--length] = '\0';
    }
    return text;
}

/* Waits until the row of the cursor is `text`, which has a | where the cursor is. */
#define see_line(p, text) see_line_at(__LINE__, (p), (text))
static void see_line_at(int line, pty *p, const char *text)
{
    char shown[2048];
    const char *mark = strchr(text, '|');
    CHECK_PTR_NOT_NULL(mark);
    char before[512];
    snprintf(before, sizeof before, "%.*s", (int)(mark - text), text);
    int x = kith_screen_text_width(before);
    snprintf(shown, sizeof shown, "%s%s", before, mark + 1);
    size_t length = strlen(shown);
    while (length > 0 && shown[length - 1] == ' ') {
        shown[--length] = '\0';
    }
    uint64_t end = pty_now() + PTY_SECONDS * 1000;
    while (strcmp(row_text(p, p->vt.y), shown) != 0 || p->vt.x != x) {
        if (pty_now() > end) {
            test_fail(__FILE__, line, "the line is not '%s', but with the cursor at %d, %d:\n%s",
                      text, p->vt.x, p->vt.y, pty_text(p));
        }
        pty_pump(p, 50);
    }
}

/* Waits until these rows are shown one below the other, the last of them above the cursor. */
#define see_rows(p, ...) see_rows_at(__LINE__, (p), (const char *const[]){__VA_ARGS__, NULL})
static void see_rows_at(int line, pty *p, const char *const *rows)
{
    int count = 0;
    for (; rows[count] != NULL; count++) {
    }
    uint64_t end = pty_now() + PTY_SECONDS * 1000;
    for (;;) {
        int same = 0;
        while (same < count && p->vt.y >= count &&
               strcmp(row_text(p, p->vt.y - count + same), rows[same]) == 0) {
            same++;
        }
        if (same == count) {
            return;
        }
        if (pty_now() > end) {
            test_fail(__FILE__, line, "row %d is not as expected:\n%s", same, pty_text(p));
        }
        pty_pump(p, 50);
    }
}

static void check_ended(pty *p, int expected)
{
    int status = pty_status(p);
    CHECK_INT(WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), expected);
    while (pty_pump(p, 100)) {
    }
    CHECK(pty_is_as_before(p) && !p->vt.pastes);
    pty_end(p);
}

static void quit(pty *p)
{
    pty_type(p, "\005\025quit\r");
    check_ended(p, 0);
}

/* A scene of thirty numbers, with long names. */
static const char *numbers(void)
{
    static char path[64];
    char types[64];
    snprintf(path, sizeof path, "/tmp/kith-console-%d.kith", (int)getpid());
    snprintf(types, sizeof types, "/tmp/kith-console-%d.types", (int)getpid());
    FILE *file = fopen(types, "w");
    CHECK_PTR_NOT_NULL(file);
    fputs("Number { value: i32, name: text, other: text, last: text } nuMBER", file);
    CHECK_INT(fclose(file), 0);
    file = fopen(path, "w");
    CHECK_PTR_NOT_NULL(file);
    for (int i = 0; i < 30; i++) {
        fprintf(file,
                "entity\n    Number { value = %d, name = \"the number %d of all of them\" }\n", i,
                i);
    }
    CHECK_INT(fclose(file), 0);
    return path;
}

static void remove_numbers(const char *path)
{
    char types[64];
    snprintf(types, sizeof types, "%.*s.types", (int)(strlen(path) - strlen(".kith")), path);
    CHECK_INT(remove(path), 0);
    CHECK_INT(remove(types), 0);
}

/* ---- Writing a line -------------------------------------------------------------------------- */

typedef struct typing {
    const char *keys;
    const char *line; /* | is the cursor */
} typing;

static void check_typing(const typing *cases, size_t count)
{
    pty p = started();
    for (size_t i = 0; test_row(i, count); i++) {
        char shown[256];
        pty_type(&p, cases[i].keys);
        snprintf(shown, sizeof shown, "> %s", cases[i].line);
        see_line(&p, shown);
        pty_type(&p, "\005\025");
        see_line(&p, "> |");
    }
    quit(&p);
}

TEST_WITHIN(60, keys_edit_the_line)
{
    static const typing cases[] = {
        {"abc", "abc|"},
        {"abc\033[D", "ab|c"},
        {"abc\033OD", "ab|c"},
        {"abc\033[D\033[D\033[C", "ab|c"},
        {"abc\033[D\033[D\033[D\033[D\033[D", "|abc"},
        {"abc\033[C", "abc|"},
        {"abc\033[Dx", "abx|c"},
        {"abc\001x", "x|abc"},
        {"abc\033[Hx", "x|abc"},
        {"abc\001\005x", "abcx|"},
        {"abc\001\033[Fx", "abcx|"},
        {"abc\002\002\006x", "abx|c"},
        {"abc\177", "ab|"},
        {"abc\010", "ab|"},
        {"abc\001\177", "|abc"},
        {"abc\001\033[3~", "|bc"},
        {"abc\033[3~", "abc|"},
        {"abc\001\004", "|bc"},
        {"abc\002\002\013", "a|"},
        {"abc\002\025", "|c"},
        {"ab cd\027", "ab |"},
        {"ab cd  \027", "ab |"},
        {"ab cd\027\027\027", "|"},
        {"ab cd ef\033[1;5D\033[1;5D", "ab |cd ef"},
        {"ab cd ef\033b\033b", "ab |cd ef"},
        {"ab cd ef\001\033f", "ab| cd ef"},
        {"ab cd ef\001\033[1;5C\033[1;5C", "ab cd| ef"},
        {"ab cd ef\001\033f\033d", "ab| ef"},
        {"ab cd\033\177", "ab |"},
    };
    check_typing(cases, ROWS_OF(cases));
}

/* Letters of several bytes, of two columns, and with marks are one each. */
TEST_WITHIN(60, characters_are_whole)
{
    static const typing cases[] = {
        {"\303\244\303\266\303\274\033[Dx", "äöx|ü"},
        {"\303\244\177", "|"},
        {"a\346\227\245\346\234\254b\033[D\033[D", "a日|本b"},
        {"a\346\227\245\177", "a|"},
        {"xe\314\201y\033[D\033[D", "x|e\314\201y"},
        {"xe\314\201\177", "x|"},
        {"x\001\033[3~", "|"},
        {"e\314\201x\001\033[3~", "|x"},
        {"\360\237\230\200\033[D", "|😀"},
    };
    check_typing(cases, ROWS_OF(cases));
}

TEST_WITHIN(30, what_is_pasted_is_one_line)
{
    static const typing cases[] = {
        {"\033[200~a\nb\tc\033[201~", "a b c|"},
        {"xy\033[D\033[200~a\rb\033[31m\033[201~", "xab[31m|y"},
    };
    check_typing(cases, ROWS_OF(cases));
}

TEST_WITHIN(30, a_long_line_goes_over_rows)
{
    pty p = started();
    for (int i = 0; i < 12; i++) {
        pty_type(&p, "abcdefghi ");
    }
    pty_type(&p, "abcdefghj "); /* after seven of the others the last row would be the same */
    see_line(&p, "i abcdefghj |");
    CHECK_STR(row_text(&p, p.vt.y - 2),
              "> abcdefghi abcdefghi abcdefghi abcdefghi abcdefghi abcdefgh");
    CHECK_STR(row_text(&p, p.vt.y - 1),
              "i abcdefghi abcdefghi abcdefghi abcdefghi abcdefghi abcdefgh");
    int y = p.vt.y;
    pty_type(&p, "\001");
    see_line(&p, "> |abcdefghi abcdefghi abcdefghi abcdefghi abcdefghi abcdefgh");
    CHECK_INT(p.vt.y, y - 2);
    pty_type(&p, "\013");
    see_line(&p, "> |");
    CHECK_STR(row_text(&p, p.vt.y + 1), "");

    /* The cursor after a full row is in the next one. */
    pty_type(&p, "0123456789012345678901234567890123456789012345678901234567");
    see_line(&p, "|");
    pty_type(&p, "\033[D");
    see_line(&p, "> 012345678901234567890123456789012345678901234567890123456|7");
    quit(&p);
}

TEST_WITHIN(30, a_line_follows_the_size_of_the_window)
{
    pty p = started();
    pty_type(&p, "abcdefghij abcdefghij abcdefghij abcdefghij");
    see_line(&p, "> abcdefghij abcdefghij abcdefghij abcdefghij|");
    const struct winsize size = {.ws_col = 40, .ws_row = 12};
    vt_free(&p.vt);
    p.vt = vt_new(40, 12);
    p.vt.lines = p.vt.pastes = true;
    CHECK_INT(ioctl(p.master, TIOCSWINSZ, &size), 0);
    see_line(&p, "fghij|");
    CHECK_STR(row_text(&p, p.vt.y - 1), "> abcdefghij abcdefghij abcdefghij abcde");
    quit(&p);
}

/* ---- Completion ------------------------------------------------------------------------------ */

TEST_WITHIN(60, tab_completes_what_can_be_there)
{
    static const typing cases[] = {
        {"Per\t", "Person|"},
        {"per\t", "Person|"},
        {"P\t", "P|"},
        {"Z\t", "Z|"},
        {"Person, Jo\t", "Person, Job|"},
        {"Person Jo\t", "Person Jo|"},
        {"!As\t", "!Asleep|"},
        {"wi\t", "with |"},
        {"an\t", "an|"}, /* analyze, any( */
        {"any\t", "any(|"},
        {"any(Il\t", "any(Ill|"},
        {"Person wh\t", "Person where |"},
        {"* wh\t", "* where |"},
        {"Person where Per\t", "Person where Person.|"},
        {"Person where Person.a\t", "Person where Person.age|"},
        {"Person where person.A\t", "Person where Person.age|"},
        {"Person where Person.x\t", "Person where Person.x|"},
        {"Person where h\t", "Person where has(|"},
        {"Person where has(Per\t", "Person where has(Person|"},
        {"Person where (Per\t", "Person where (Person.|"},
        {"Person where within(Pos\t", "Person where within(Position|"},
        {"Person where not Per\t", "Person where not Person.|"},
        {"Person where Person.age < 3 an\t", "Person where Person.age < 3 and |"},
        {"Person where Person.name pre\t", "Person where Person.name prefix |"},
        {"Person where Person.name = 'an\t", "Person where Person.name = 'an|"},
        {"Person where Person.name = 'it\\'s an\t", "Person where Person.name = 'it\\'s an|"},
        {"Person where Person.name = 'a' or Per\t", "Person where Person.name = 'a' or Person.|"},
        {"Person g\t", "Person group by |"},
        {"Person group b\t", "Person group by |"},
        {"Person group by Per\t", "Person group by Person.|"},
        {"Person group by Person.age sel\t", "Person group by Person.age select |"},
        {"Person select co\t", "Person select count|"},
        {"Person select su\t", "Person select sum(|"},
        {"Person select sum(Per\t", "Person select sum(Person.|"},
        {"Person select As\t", "Person select As|"}, /* it has no fields */
        {"Person order b\t", "Person order by |"},
        {"Person order by Person.age d\t", "Person order by Person.age desc|"},
        {"Person order by d\t", "Person order by distance(|"},
        {"Person order by distance(Pos\t", "Person order by distance(Position|"},
        {"Person order by distance(Position, 1, 2) d\t",
         "Person order by distance(Position, 1, 2) desc|"},
        {"Person order by distance(Position, 1, 2) l\t",
         "Person order by distance(Position, 1, 2) limit |"},
        {"Person order by Person.age, di\t", "Person order by Person.age, distance(|"},
        {"Person select di\t", "Person select di|"},
        {"Person limit P\t", "Person limit P|"},
        {"expl\t", "explain |"},
        {"explain ana\t", "explain ana|"},
        {"explain Per\t", "explain Person|"},
        {"analyze Person whe\t", "analyze Person where |"},
        {"hel\t", "help|"},
        {"types Per\t", "types Person|"},
        {"index h\t", "index hash |"},
        {"index f\t", "index filter |"},
        {"index hash Job.\t", "index hash Job.title|"},
        {"step Per\t", "step Per|"},
        {"# Per\t", "# Per|"},
        {"Per where\033[1;5D\033[D\t", "Person| where"},
    };
    check_typing(cases, ROWS_OF(cases));
}

TEST_WITHIN(30, several_choices_are_shown)
{
    pty p = started();
    pty_type(&p, "Person where Person.\t");
    see_rows(&p, "> Person where Person.",
             "Person.age     Person.coins   Person.friend  Person.name");
    see_line(&p, "> Person where Person.|");
    pty_type(&p, "\025Po, Ill\033[D\033[D\033[D\033[D\033[D\t");
    see_line(&p, "> Position|, Ill");
    pty_type(&p, "\005\025P, Ill\001\033[C\t");
    see_rows(&p, "> P, Ill", "Person    Position");
    see_line(&p, "> P|, Ill");
    pty_type(&p, "\005\025Person.name = 'an");
    see_line(&p, "> Person.name = 'an|");
    int y = p.vt.y;
    pty_type(&p, "\tx"); /* a text, not a word */
    see_line(&p, "> Person.name = 'anx|");
    CHECK_INT(p.vt.y, y);
    quit(&p);

    scene_path = numbers();
    p = started_with(60, 12);
    pty_type(&p, "NU\t"); /* what they begin with, they begin with in two ways */
    see_rows(&p, "> NU", "Number  nuMBER");
    see_line(&p, "> NU|");
    quit(&p);
    remove_numbers(scene_path);
}

/* ---- History --------------------------------------------------------------------------------- */

TEST_WITHIN(30, lines_can_be_taken_back)
{
    pty p = started();
    pty_type(&p, "types Job\r");
    pty_type(&p, "types Ill\r");
    pty_type(&p, "types Ill\r\r"); /* the same once more, and an empty one: neither is kept */
    pty_type(&p, "dra\033[D");
    see_line(&p, "> dr|a");
    pty_type(&p, "\033[A");
    see_line(&p, "> types Ill|");
    pty_type(&p, "\033[A");
    see_line(&p, "> types Job|");
    pty_type(&p, "\033[A\020");
    see_line(&p, "> types Job|");
    pty_type(&p, "x\033[B");
    see_line(&p, "> types Ill|");
    pty_type(&p, "\016");
    see_line(&p, "> dra|");
    pty_type(&p, "\033[B");
    see_line(&p, "> dra|");
    pty_type(&p, "\033[A\033[A\r"); /* once more, which makes it the last one */
    see_rows(&p, "> types Job", "Job { title: text }   # 3");
    pty_type(&p, "\033[A");
    see_line(&p, "> types Job|");
    pty_type(&p, "\033[A");
    see_line(&p, "> types Ill|");
    quit(&p);
}

/* ---- Answers --------------------------------------------------------------------------------- */

TEST_WITHIN(30, rows_are_a_table)
{
    pty p = started();
    pty_type(&p, "Person select Person.name, Person.coins, Ill.days\r");
    see_rows(&p, "Person         │ Ill", "name     coins │ days", "───────────────┼─────",
             "\"ziggy\"     12 │    -", "\"bob\"      250 │    3", "\"ann\"       88 │    -",
             "\"mia\"        0 │    -", "4 rows");
    pty_type(&p, "Job group by Job.title select Job.title, count, sum(Person.coins)\r");
    see_rows(&p, "Job     │       │", "title   │ count │ sum(Person.coins)",
             "────────┼───────┼──────────────────", "\"baker\" │     1 │               250",
             "\"smith\" │     2 │               100", "2 rows");
    pty_type(&p, "Person select count\r");
    see_rows(&p, "count", "─────", "    4", "1 row");
    pty_type(&p, "Person where Person.age > 99\r");
    see_rows(&p, "> Person where Person.age > 99", "0 rows");
    quit(&p);
}

TEST_WITHIN(30, a_mistake_is_shown_below_its_text)
{
    pty p = started();
    pty_type(&p, "Person where Person.aeg < 3\r");
    see_rows(&p, "    Person where Person.aeg < 3", "                 ^");
    pty_type(&p, "Person select count\r"); /* it goes on */
    see_rows(&p, "    4", "1 row");
    quit(&p);

    /* Of a wide text the part that counts is shown, to its end at most. */
    p = started_with(40, 12);
    pty_type(&p, "Person where Person.age < 30 and Persn.coins > 12 and Person.age > 1\r");
    see_rows(&p, "Person.age < 30 and Persn.coins > 12 and", "                    ^");
    pty_type(&p, "Person where Person.age < 30 and Person.coins > 12 and Person.age\r");
    see_rows(&p, "30 and Person.coins > 12 and Person.age",
             "                                       ^");
    pty_type(&p, "Persn where Person.age < 30 and Person.coins > 12\r");
    see_rows(&p, "    Persn where Person.age < 30 and Pers", "    ^");
    quit(&p);
}

TEST_WITHIN(30, plans_are_lines)
{
    pty p = started();
    pty_type(&p, "explain Person where Person.age < 3\r");
    see_rows(&p, "> explain Person where Person.age < 3", "plan: scan", "rows: 4, in tables",
             "why: so few rows are asked faster than an index");
    pty_type(&p, "analyze Person\r");
    pty_see(&p, "met: 4 of 4 rows asked, in ");
    quit(&p);
}

TEST_WITHIN(30, a_long_answer_comes_page_by_page)
{
    scene_path = numbers();
    pty p = started_with(60, 12);
    pty_type(&p, "Number select Number.value\r");
    see_rows(&p, "> Number select Number.value", "Number", " value", "──────", "     0", "     1",
             "     2", "     3", "     4", "     5", "6 of 30 rows; Enter: more, all: the rest");
    see_line(&p, "> |");
    pty_type(&p, "\r");
    see_rows(&p, "     6", "     7", "     8", "     9", "    10", "    11",
             "12 of 30 rows; Enter: more, all: the rest");
    see_line(&p, "> |");
    pty_type(&p, "more\r");
    see_rows(&p, "    17", "18 of 30 rows; Enter: more, all: the rest");
    see_line(&p, "> |");
    pty_type(&p, "all\r");
    see_rows(&p, "    22", "    23", "    24", "    25", "    26", "    27", "    28", "    29",
             "30 rows");
    see_line(&p, "> |");
    pty_type(&p, "more\r");
    see_rows(&p, "> more", "there are no more rows");
    see_line(&p, "> |");
    pty_type(&p, "\r");
    see_rows(&p, "there are no more rows", ">");
    quit(&p);
    remove_numbers(scene_path);
}

/* Texts are cut off where that makes the table fit; otherwise there is a list. */
TEST_WITHIN(30, a_table_fits_the_window)
{
    scene_path = numbers();
    pty p = started_with(40, 12);
    pty_type(&p, "Number where Number.value = 7 select Number.name, Number.value, entity\r");
    see_rows(&p, "Number                     │", "name                 value │ entity",
             "───────────────────────────┼────────────",
             "\"the number 7 of a…      7 │ Entity(7v0)", "1 row");
    quit(&p);
    p = started_with(20, 12);
    pty_type(&p, "Number limit 1\r");
    see_rows(&p, "────────────────────", "entity      Entity(…", "Number.va…  0",
             "Number.na…  \"the nu…", "Number.ot…  \"\"", "Number.la…  \"\"", "1 row");
    quit(&p);
    remove_numbers(scene_path);
}

TEST_WITHIN(30, a_terminal_of_ascii_gets_that)
{
    locale_name = "C";
    pty p = started();
    locale_name = "C.UTF-8";
    pty_type(&p, "Person select Person.name, Ill.days limit 1\r");
    see_rows(&p, "Person  | Ill", "name    | days", "--------+-----", "\"ziggy\" |    -", "1 row");
    quit(&p);
}

TEST_WITHIN(30, indexes_are_made_and_found)
{
    scene_path = numbers();
    pty p = started_with(60, 12);
    pty_type(&p, "index hash Number.value\r");
    pty_type(&p, "indexes\r");
    pty_see(&p, "hash Number.value: 0 entities, ");
    pty_type(&p, "index hash Number.valu\r");
    see_rows(&p, "line 1, column 6: expected a field of a component, found \"Nu", "mber.valu\"",
             "    hash Number.valu", "         ^");
    quit(&p);
    remove_numbers(scene_path);
}

TEST_WITHIN(60, the_arena_plays_on_step_by_step)
{
    scene_path = NULL;
    pty p = started_with(60, 12);
    pty_see(&p, "Try: Enemy, Health");
    pty_type(&p, "step 30\r");
    pty_see(&p, "tick 420, ");
    pty_type(&p, "Player select count\r");
    see_rows(&p, "    1", "1 row");
    quit(&p);
}

/* ---- Ending ---------------------------------------------------------------------------------- */

TEST_WITHIN(30, it_ends_as_shells_do)
{
    pty p = started();
    CHECK(pty_is_raw(&p));
    pty_type(&p, "abc\003");
    see_rows(&p, "> abc^C");
    see_line(&p, "> |");
    pty_type(&p, "\004");
    check_ended(&p, 0);
}

TEST_WITHIN(60, the_terminal_is_restored_whatever_ends_it)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT};
    for (size_t i = 0; test_row(i, ROWS_OF(signals)); i++) {
        pty p = started();
        CHECK_INT(kill(p.game, signals[i]), 0);
        check_ended(&p, -signals[i]);
    }
}

TEST_WITHIN(30, the_terminal_is_the_shells_while_it_is_stopped)
{
    pty p = started();
    pty_type(&p, "Person se");
    see_line(&p, "> Person se|");
    pty_type(&p, "\032");
    CHECK(WIFSTOPPED(pty_status(&p)));
    CHECK(pty_is_as_before(&p));
    pty_go_on(&p);
    uint64_t end = pty_now() + PTY_SECONDS * 1000;
    while (!pty_is_raw(&p)) {
        CHECK(pty_now() < end);
        pty_pump(&p, 50);
    }
    pty_type(&p, "lect count\r");
    see_rows(&p, "    4", "1 row");
    quit(&p);
}

/* Where the cursor cannot be moved, lines are read as the terminal gives them. */
TEST_WITHIN(30, a_terminal_without_a_cursor_has_a_prompt)
{
    terminal_name = "dumb";
    pty p = started();
    terminal_name = "xterm";
    CHECK(!pty_is_raw(&p));
    pty_type(&p, "Person select count\r");
    see_rows(&p, "    4", "1 row");
    pty_type(&p, "\004");
    check_ended(&p, 0);
}
