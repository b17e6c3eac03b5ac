/* The terminal in memory: the same calls, frames in files, recordings. */
#define _POSIX_C_SOURCE 200809L /* setenv */

#include <locale.h>

#include "headless.h"

static const kith_terminal_style plain;

/* A file that cannot be written to, where the system has one. */
static FILE *open_full(void)
{
#if defined(_WIN32)
    return NULL;
#else
    return fopen("/dev/full", "w");
#endif
}

static char *written(headless *h, kith_terminal_format format)
{
    static char text[4096];
    FILE *file = tmpfile();
    CHECK_PTR_NOT_NULL(file);
    CHECK_RESULT(kith_terminal_write(h->term, file, format), KITH_OK);
    rewind(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    return text;
}

TEST(without_a_terminal_it_is_in_memory)
{
    kith_terminal *term;
    FILE *nothing = freopen("/dev/null", "r", stdin);
    CHECK_PTR_NOT_NULL(nothing);
    CHECK_RESULT(kith_terminal_open(NULL, &term), KITH_OK);
    CHECK(!kith_terminal_is_live(term));
    CHECK_INT(kith_screen_width(kith_terminal_screen(term)), 80);
    CHECK_INT(kith_screen_height(kith_terminal_screen(term)), 24);
    CHECK_RESULT(kith_screen_resize(kith_terminal_screen(term), 5, 5), KITH_ERR_MISUSE);
    kith_screen_free(kith_terminal_screen(term)); /* is not ours to free */
    kith_terminal_close(term);
    CHECK_RESULT(kith_terminal_open(&(kith_terminal_def){.output = KITH_TERMINAL_LIVE}, &term),
                 KITH_ERR_ABSENT);
}

TEST(defs_that_make_no_sense_are_refused)
{
    static uint64_t now;
    kith_terminal *term = NULL;
    kith_terminal_def bad[] = {{.width = -1},
                               {.height = 10001},
                               {.output = (kith_terminal_output)3},
                               {.colors = (kith_terminal_colors)5},
                               {.glyphs = (kith_terminal_glyphs)9},
                               {.clock = kith_loop_clock_virtual(&now)},
                               {.allocator = {NULL, NULL, NULL}}};
    test_memory *memory = test_memory_new();
    bad[5].clock.now = NULL;
    bad[6].allocator = test_memory_allocator(memory);
    bad[6].allocator.allocate = NULL;
    for (int i = 0; i < 7; i++) {
        CHECK_RESULT(kith_terminal_open(&bad[i], &term), KITH_ERR_INPUT);
    }
    CHECK_PTR_NULL(term);
    test_memory_free(memory);
}

TEST(frames_are_written_as_they_were_shown)
{
    headless h = headless_open((kith_terminal_def){.width = 12, .height = 3});
    CHECK_STR(written(&h, KITH_FORMAT_TEXT), "\n\n\n");
    kith_screen_text(h.screen, 1, 1, "hello 中", (kith_terminal_style){.fg = KITH_RED});
    kith_screen_put(h.screen, 3, 2, ' ', (kith_terminal_style){.bg = KITH_BLUE});
    CHECK_STR(written(&h, KITH_FORMAT_TEXT), "\n\n\n"); /* not shown yet */
    CHECK_RESULT(kith_terminal_present(h.term), KITH_OK);
    kith_screen_clear(h.screen);
    CHECK_STR(written(&h, KITH_FORMAT_TEXT), "\n hello 中\n\n");
    CHECK_STR(written(&h, KITH_FORMAT_ANSI), "\n \033[31mhello 中\033[m\n   \033[44m \033[m\n");
    CHECK_RESULT(kith_terminal_write(h.term, stdout, (kith_terminal_format)2), KITH_ERR_INPUT);
    FILE *full = open_full();
    if (full != NULL) {
        setvbuf(full, NULL, _IONBF, 0);
        CHECK_RESULT(kith_terminal_write(h.term, full, KITH_FORMAT_TEXT), KITH_ERR_IO);
        CHECK_RESULT(kith_terminal_write(h.term, full, KITH_FORMAT_ANSI), KITH_ERR_IO);
        fclose(full);
    }
    test_memory_fail(h.memory, 1, true);
    CHECK_RESULT(kith_terminal_write(h.term, stdout, KITH_FORMAT_TEXT), KITH_ERR_MEMORY);
    CHECK_RESULT(kith_terminal_write(h.term, stdout, KITH_FORMAT_ANSI), KITH_ERR_MEMORY);
    CHECK(test_memory_fail_nothing(h.memory));
    headless_close(&h);
}

TEST(recordings_play_in_their_own_time)
{
    static uint64_t now = 77;
    headless h = headless_open(
        (kith_terminal_def){.width = 20, .height = 4, .clock = kith_loop_clock_virtual(&now)});
    kith_screen_text(h.screen, 0, 0, "before", plain);
    CHECK_RESULT(kith_terminal_present(h.term), KITH_OK);
    headless_record(&h);
    now += 1500000000;
    present_and_check(&h); /* shown anew, so that a player knows it */
    now += 250000000;
    kith_screen_text(h.screen, 0, 1, "\"quoted\" \\ e\xCC\x81",
                     (kith_terminal_style){.fg = KITH_RED});
    present_and_check(&h);
    now += 1;
    CHECK_RESULT(kith_terminal_present(h.term), KITH_OK); /* nothing new: nothing recorded */
    kith_input_event event;
    CHECK_RESULT(kith_terminal_resize(h.term, 30, 5), KITH_OK);
    CHECK(kith_terminal_next_event(h.term, &event));
    kith_screen_text(h.screen, 25, 4, "wider", plain);
    present_and_check(&h);
    CHECK_UINT(h.resizes, 1);
    CHECK_CONTAINS(h.recording, "{\"version\": 2, \"width\": 20, \"height\": 4, ");
    CHECK_CONTAINS(h.recording, "\n[1.500000, \"o\", \"\\u001b[m\\u001b[H\\u001b[2Jbefore\"]\n");
    CHECK_CONTAINS(h.recording, "\n[1.750000, \"o\", \"");
    CHECK_CONTAINS(h.recording, "\\\"quoted\\\" \\\\ e\xCC\x81\"]\n");
    CHECK_CONTAINS(h.recording, "\n[1.750000, \"r\", \"30x5\"]\n");
    size_t size = h.recording_size;
    CHECK_RESULT(kith_terminal_record(h.term, NULL), KITH_OK);
    kith_screen_text(h.screen, 0, 0, "after", plain);
    CHECK_RESULT(kith_terminal_present(h.term), KITH_OK);
    headless_read(&h);
    CHECK_UINT(h.recording_size, size);
    headless_close(&h);
}

/* Where the program's locale writes numbers with a comma, as those here do if they are there, the file
 * has points all the same. */
TEST(recordings_do_not_depend_on_the_locale)
{
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "C.UTF-8"};
    static uint64_t now;
    for (size_t i = 0; test_row(i, ROWS_OF(locales)); i++) {
        setlocale(LC_ALL, locales[i]);
        headless h = headless_open(
            (kith_terminal_def){.width = 20, .height = 4, .clock = kith_loop_clock_virtual(&now)});
        headless_record(&h);
        now += UINT64_C(12345678949500);
        present_and_check(&h);
        CHECK_CONTAINS(h.recording, "\n[12345.678950, \"o\", \"");
        headless_close(&h);
    }
    setlocale(LC_ALL, "C");
}

TEST(a_recording_that_cannot_be_written_ends)
{
    FILE *full = open_full();
    if (full == NULL) {
        return;
    }
    headless h = headless_open((kith_terminal_def){0});
    CHECK_RESULT(kith_terminal_record(h.term, full), KITH_OK); /* still in the C library's buffer */
    kith_result result = KITH_OK;
    uint64_t frames = 0;
    for (; result == KITH_OK && frames < 100000; frames++) {
        kith_screen_print(h.screen, 0, 0, plain, "%d", (int)frames);
        result = kith_terminal_present(h.term);
    }
    CHECK_RESULT(result, KITH_ERR_IO);
    CHECK_UINT(kith_terminal_statistics(h.term).frames, frames); /* it was shown all the same */
    kith_screen_text(h.screen, 0, 0, "y", plain);
    CHECK_RESULT(kith_terminal_present(h.term), KITH_OK);
    fclose(full);
    full = open_full();
    CHECK_PTR_NOT_NULL(full);
    setvbuf(full, NULL, _IONBF, 0);
    CHECK_RESULT(kith_terminal_record(h.term, full), KITH_ERR_IO);
    fclose(full);
    headless_close(&h);
}

TEST(what_is_fed_is_read)
{
    kith_input_event event;
    headless h = headless_open((kith_terminal_def){0});
    CHECK_RESULT(kith_terminal_feed(h.term, "a\033", 2), KITH_OK);
    CHECK(kith_terminal_held(h.term, 'a'));
    CHECK(kith_terminal_next_event(h.term, &event));
    CHECK_UINT(event.key, 'a');
    CHECK(!kith_terminal_next_event(h.term, &event));
    kith_loop_clock clock = kith_terminal_clock(h.term);
    CHECK_UINT(clock.now(clock.context), 0);
    clock.wait(clock.context, 300000000); /* it is virtual */
    CHECK(kith_terminal_next_event(h.term, &event));
    CHECK_UINT(event.key, KITH_KEY_ESCAPE);
    CHECK(kith_terminal_next_event(h.term, &event));
    CHECK(event.action == KITH_ACTION_RELEASE);
    CHECK(!kith_terminal_held(h.term, 'a'));
    CHECK_RESULT(kith_terminal_feed(h.term, "\x03", 1), KITH_OK); /* no signal in memory */
    CHECK(kith_terminal_poll(h.term));
    CHECK(kith_terminal_held(h.term, 'c') && !kith_terminal_next_event(h.term, &event));
    CHECK_RESULT(kith_terminal_resize(h.term, 7, 3), KITH_OK);
    CHECK(kith_terminal_poll(h.term) && kith_screen_width(h.screen) == 7);
    headless_close(&h);
}

TEST(a_new_size_comes_as_an_event)
{
    kith_input_event event;
    headless h = headless_open((kith_terminal_def){.width = 10, .height = 2});
    kith_screen_clip(h.screen, (kith_screen_rect){0, 0, 1, 1});
    kith_screen_text(h.screen, 0, 0, "hello", plain);
    CHECK_RESULT(kith_terminal_resize(h.term, 0, 5), KITH_ERR_INPUT);
    CHECK_RESULT(kith_terminal_resize(h.term, 5, 10001), KITH_ERR_INPUT);
    CHECK_RESULT(kith_terminal_resize(h.term, 7, 7), KITH_OK);
    CHECK_RESULT(kith_terminal_resize(h.term, 20, 3), KITH_OK); /* the last one counts */
    CHECK_INT(kith_screen_width(h.screen), 10);
    test_memory_fail(h.memory, 1, true);
    CHECK(!kith_terminal_next_event(h.term, &event)); /* no memory: later */
    CHECK(test_memory_fail_nothing(h.memory));
    CHECK_INT(kith_screen_width(h.screen), 10);
    CHECK(kith_terminal_next_event(h.term, &event));
    CHECK_INT(event.kind, KITH_INPUT_RESIZE);
    CHECK_INT(event.x, 20);
    CHECK_INT(event.y, 3);
    CHECK_INT(kith_screen_width(h.screen), 20);
    CHECK_INT(kith_screen_height(h.screen), 3);
    char text[KITH_CELL_SIZE];
    kith_screen_read(h.screen, 0, 0, text, NULL);
    CHECK_STR(text, "");
    CHECK(!kith_terminal_next_event(h.term, &event));
    headless_close(&h);
}

TEST(a_terminal_that_cannot_be_made_leaves_nothing)
{
    bool reached = true;
    size_t failures = 0;
    for (size_t nth = 1; reached; nth++) {
        test_memory *memory = test_memory_new();
        kith_terminal_def def = {.output = KITH_TERMINAL_HEADLESS,
                                 .allocator = test_memory_allocator(memory)};
        kith_terminal *term = NULL;
        test_memory_fail(memory, nth, false);
        kith_result result = kith_terminal_open(&def, &term);
        reached = test_memory_fail_nothing(memory);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_INT(term == NULL, reached);
        failures += reached;
        kith_terminal_close(term);
        test_memory_free(memory);
    }
    CHECK(failures >= 4);
}

static int set_environment(const char *name, const char *value)
{
#if defined(_WIN32)
    return _putenv_s(name, value != NULL ? value : "");
#else
    return value == NULL ? unsetenv(name) : setenv(name, value, 1);
#endif
}

TEST(the_environment_tells_the_colours)
{
    static const struct {
        const char *no_color, *colorterm, *term;
        kith_terminal_colors expected;
    } cases[] = {
        {NULL, NULL, NULL, KITH_COLORS_NONE},
        {NULL, NULL, "dumb", KITH_COLORS_NONE},
        {NULL, "truecolor", "dumb", KITH_COLORS_NONE},
        {NULL, NULL, "vt100", KITH_COLORS_NONE},
        {NULL, NULL, "xterm", KITH_COLORS_256},
        {NULL, NULL, "tmux", KITH_COLORS_256},
        {NULL, NULL, "xterm-color", KITH_COLORS_16},
        {NULL, NULL, "xterm-16color", KITH_COLORS_16},
        {NULL, NULL, "xterm-mono", KITH_COLORS_NONE},
        {NULL, NULL, "rxvt", KITH_COLORS_16},
        {NULL, NULL, "screen", KITH_COLORS_16}, /* old ones have no more */
        {NULL, NULL, "linux", KITH_COLORS_16},
        {NULL, NULL, "xterm-256color", KITH_COLORS_256},
        {NULL, NULL, "screen.xterm-256color", KITH_COLORS_256},
        {NULL, "truecolor", "xterm-256color", KITH_COLORS_TRUE},
        {NULL, "24bit", "xterm", KITH_COLORS_TRUE},
        {NULL, "yes", "linux", KITH_COLORS_16},
        {NULL, NULL, "xterm-direct", KITH_COLORS_TRUE},
        {NULL, NULL, "xterm-kitty", KITH_COLORS_TRUE},
        {"1", "truecolor", "xterm-kitty", KITH_COLORS_NONE},
        {"", "truecolor", "xterm-kitty", KITH_COLORS_TRUE},
    };
    static const char *const names[] = {"NO_COLOR", "COLORTERM", "TERM"};
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        const char *values[] = {cases[i].no_color, cases[i].colorterm, cases[i].term};
        for (int k = 0; k < 3; k++) {
            CHECK_INT(set_environment(names[k], values[k]), 0);
        }
        CHECK_INT(kith_terminal_detect_colors(), cases[i].expected);
    }
}

TEST(the_environment_tells_the_characters)
{
    static const struct {
        const char *all, *ctype, *lang;
        kith_terminal_glyphs expected;
    } cases[] = {
        {NULL, NULL, NULL, KITH_GLYPHS_ASCII},
        {NULL, NULL, "C", KITH_GLYPHS_ASCII},
        {NULL, NULL, "C.UTF-8", KITH_GLYPHS_UNICODE},
        {NULL, NULL, "de_DE.utf8", KITH_GLYPHS_UNICODE},
        {NULL, NULL, "de_DE.utf-8", KITH_GLYPHS_UNICODE},
        {NULL, NULL, "de_DE.UTF8", KITH_GLYPHS_UNICODE},
        {NULL, "C", "C.UTF-8", KITH_GLYPHS_ASCII},
        {NULL, "C.UTF-8", "C", KITH_GLYPHS_UNICODE},
        {"C", "C.UTF-8", "C.UTF-8", KITH_GLYPHS_ASCII},
        {"C.UTF-8", "C", "C", KITH_GLYPHS_UNICODE},
        {"", "", "C.UTF-8", KITH_GLYPHS_UNICODE},
    };
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        const char *values[] = {cases[i].all, cases[i].ctype, cases[i].lang};
        for (int k = 0; k < 3; k++) {
            CHECK_INT(set_environment(names[k], values[k]), 0);
        }
        CHECK_INT(kith_terminal_detect_glyphs(), cases[i].expected);
    }
}
