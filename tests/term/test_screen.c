/* Cells and what is drawn on them: text, shapes, layers, clipping. */
#include <kith/term.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "test.h"

static const kith_term_style plain;

/* A screen on memory that is counted. */
static kith_screen *new_screen(test_memory *memory, int width, int height)
{
    kith_allocator allocator = test_memory_allocator(memory);
    kith_screen *screen = kith_screen_new(width, height, &allocator);
    CHECK_PTR_NOT_NULL(screen);
    return screen;
}

#define WITH_SCREEN(screen, width, height)                                                         \
    test_memory *memory = test_memory_new();                                                       \
    kith_screen *screen = new_screen(memory, (width), (height))

#define DONE(screen)                                                                               \
    do {                                                                                           \
        CHECK_RESULT(kith_screen_result(screen), KITH_OK);                                         \
        kith_screen_free(screen);                                                                  \
        test_memory_free(memory);                                                                  \
    } while (0)

#define CHECK_SCREEN(screen, expected) check_screen(__LINE__, (screen), (expected))
static void check_screen(int line, const kith_screen *screen, const char *expected)
{
    static char text[65536];
    size_t length = kith_screen_to_text(screen, text, sizeof(text));
    if (length >= sizeof(text) || strcmp(text, expected) != 0) {
        test_fail(__FILE__, line, "the screen shows\n%swhere\n%swas expected", text, expected);
    }
}

static const char *cell_text(const kith_screen *screen, int x, int y)
{
    static char text[KITH_CELL_SIZE];
    kith_screen_read(screen, x, y, text, NULL);
    return text;
}

static kith_term_style cell_style(const kith_screen *screen, int x, int y)
{
    kith_term_style style = {99, 99, 99};
    kith_screen_read(screen, x, y, NULL, &style);
    return style;
}

TEST(a_screen_has_the_size_that_was_asked_for)
{
    static const int bad[][2] = {{0, 1},     {1, 0},     {-1, 5},
                                 {10001, 1}, {1, 10001}, {INT_MAX, INT_MAX}};
    WITH_SCREEN(screen, 7, 3);
    CHECK_INT(kith_screen_width(screen), 7);
    CHECK_INT(kith_screen_height(screen), 3);
    CHECK_SCREEN(screen, "\n\n\n");
    for (int i = 0; i < 6; i++) {
        CHECK_PTR_NULL(kith_screen_new(bad[i][0], bad[i][1], NULL));
        CHECK_RESULT(kith_screen_resize(screen, bad[i][0], bad[i][1]), KITH_ERR_INPUT);
    }
    kith_screen_put(screen, 0, 0, 'a', plain);
    CHECK_RESULT(kith_screen_resize(screen, 2, 1), KITH_OK);
    CHECK_SCREEN(screen, "\n");
    CHECK_INT(kith_screen_width(screen), 2);
    DONE(screen);
    kith_screen *large = kith_screen_new(10000, 2, NULL);
    CHECK_PTR_NOT_NULL(large);
    kith_screen_put(large, 9999, 1, 'x', plain);
    CHECK_STR(cell_text(large, 9999, 1), "x");
    kith_screen_free(large);
}

TEST(characters_are_drawn_and_read)
{
    char text[KITH_CELL_SIZE];
    kith_term_style style;
    WITH_SCREEN(screen, 4, 2);
    kith_screen_put(screen, 1, 1, 'x', (kith_term_style){KITH_RED, KITH_BLUE, KITH_BOLD});
    kith_screen_put(screen, 2, 0, 0x4E2D, plain);
    CHECK_INT(kith_screen_read(screen, 1, 1, text, &style), 1);
    CHECK_STR(text, "x");
    CHECK_UINT(style.fg, KITH_RED);
    CHECK_UINT(style.bg, KITH_BLUE);
    CHECK_UINT(style.attributes, KITH_BOLD);
    CHECK_INT(kith_screen_read(screen, 2, 0, text, NULL), 2);
    CHECK_STR(text, "中");
    CHECK_INT(kith_screen_read(screen, 3, 0, text, NULL), 0);
    CHECK_STR(text, "");
    CHECK_INT(kith_screen_read(screen, 0, 0, text, NULL), 1);
    CHECK_STR(text, "");
    CHECK_INT(kith_screen_read(screen, 4, 0, text, NULL), 0);
    CHECK_INT(kith_screen_read(screen, -1, 0, text, NULL), 0);
    CHECK_INT(kith_screen_read(screen, 0, 2, text, NULL), 0);
    CHECK_INT(kith_screen_read(screen, 0, INT_MIN, text, NULL), 0);
    CHECK_SCREEN(screen, "  中\n x\n");
    kith_screen_clear(screen);
    CHECK_SCREEN(screen, "\n\n");
    CHECK_UINT(cell_style(screen, 1, 1).bg, KITH_COLOR_NONE);
    DONE(screen);
}

TEST(what_is_no_character_is_replaced)
{
    static const uint32_t bad[] = {0,      7,      27,       0x7F,       0x9B,
                                   0xD800, 0xDFFF, 0x110000, 0xFFFFFFFF, 0x301};
    WITH_SCREEN(screen, 10, 1);
    for (int i = 0; i < 10; i++) {
        kith_screen_put(screen, i, 0, bad[i], plain);
        CHECK_STR(cell_text(screen, i, 0), "\xEF\xBF\xBD");
    }
    DONE(screen);
}

/* At the ends of ranges, and where Unicode 15 has assigned nothing;
 * on every system and in any locale. */
TEST(columns_are_those_of_unicode)
{
    static const struct {
        uint32_t character;
        int columns; /* 0: it needs something to be on, so it takes the one of a blank */
    } cases[] = {{0x2FF, 1},    {0x300, 0},    {0x36F, 0},     {0x370, 1},     {0x378, 1},
                 {0x10FF, 1},   {0x1100, 2},   {0x115F, 2},    {0x1160, 0},    {0x11FF, 0},
                 {0x1200, 1},   {0x231A, 2},   {0x231B, 2},    {0x231C, 1},    {0x2E80, 2},
                 {0x303E, 2},   {0x303F, 1},   {0x3041, 2},    {0x4E2D, 2},    {0xA4C6, 2},
                 {0xAC00, 2},   {0xD7A3, 2},   {0xE000, 1},    {0xFE00, 0},    {0xFFE6, 2},
                 {0x1F300, 2},  {0x1F64F, 2},  {0x1FAFF, 2},   {0x20000, 2},   {0x3FFFD, 2},
                 {0xE0100, 0},  {0xE01EF, 0},  {0xE01F0, 1},   {0x10FFFD, 1}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char note[32];
        snprintf(note, sizeof(note), "U+%04X", (unsigned)cases[i].character);
        test_note(note);
        WITH_SCREEN(screen, 4, 1);
        kith_screen_put(screen, 0, 0, cases[i].character, plain);
        char text[KITH_CELL_SIZE];
        int columns = kith_screen_read(screen, 0, 0, text, NULL);
        CHECK_INT(columns, cases[i].columns == 2 ? 2 : 1);
        CHECK_INT(strcmp(text, "\xEF\xBF\xBD") == 0, cases[i].columns == 0);
        DONE(screen);
    }
    test_note(NULL);
}

TEST(backgrounds_stay_where_none_is_given)
{
    WITH_SCREEN(screen, 3, 1);
    kith_screen_fill(screen, (kith_screen_rect){0, 0, 3, 1}, ' ',
                     (kith_term_style){.bg = KITH_BLUE});
    kith_screen_text(screen, 0, 0, "ab", (kith_term_style){.fg = KITH_RGB(1, 2, 3)});
    kith_screen_put(screen, 1, 0, 'c',
                    (kith_term_style){KITH_COLOR_DEFAULT, KITH_COLOR_DEFAULT, 0});
    CHECK_UINT(cell_style(screen, 0, 0).bg, KITH_BLUE);
    CHECK_UINT(cell_style(screen, 0, 0).fg, 0x01010203);
    CHECK_UINT(cell_style(screen, 1, 0).bg, KITH_COLOR_DEFAULT);
    CHECK_UINT(cell_style(screen, 1, 0).fg, KITH_COLOR_NONE);
    CHECK_UINT(KITH_BRIGHT(KITH_RED), KITH_PALETTE(9));
    DONE(screen);
}

/* ---- Text ------------------------------------------------------------------------------------ */

TEST(text_has_lines_and_columns)
{
    WITH_SCREEN(screen, 8, 3);
    CHECK_INT(kith_screen_text(screen, 1, 0, "ab\nlong\n", plain), 4);
    CHECK_INT(kith_screen_text(screen, 2, 2, "中é", plain), 3);
    CHECK_SCREEN(screen, " ab\n long\n  中é\n");
    CHECK_INT(kith_screen_text_width("中é"), 3);
    CHECK_INT(kith_screen_text_width(""), 0);
    CHECK_INT(kith_screen_text_width("a\nbcd\ne"), 3);
    CHECK_INT(kith_screen_text(screen, 6, 0, "cut off at the edge", plain), 19);
    CHECK_INT(kith_screen_text(screen, -2, 1, "--x", plain), 3);
    CHECK_SCREEN(screen, " ab   cu\nxlong\n  中é\n");
    DONE(screen);
}

TEST(text_far_away_is_harmless)
{
    static const int far[] = {INT_MIN, INT_MIN + 1, -10000, 10000, INT_MAX - 1, INT_MAX};
    WITH_SCREEN(screen, 4, 4);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 6; k++) {
            kith_screen_text(screen, far[i], far[k], "中a\nb\n中", plain);
            kith_screen_put(screen, far[i], far[k], 0x4E2D, plain);
            kith_screen_box(screen, (kith_screen_rect){far[i], far[k], 3, 3}, 0, plain);
            kith_screen_fill(screen, (kith_screen_rect){far[i], far[k], 3, 3}, 0x4E2D, plain);
            kith_screen_fill(screen, (kith_screen_rect){far[i], 0, INT_MIN, 1}, '#', plain);
            kith_screen_fill(screen, (kith_screen_rect){0, far[i], 1, INT_MIN}, '#', plain);
            kith_screen_bar(screen, far[i], far[k], 3, 1, plain);
            kith_screen_dot(screen, far[i], far[k], KITH_RED);
            kith_screen_spark(screen, far[i], far[k], 2, (float[]){1, 2}, 2, 0, plain);
            kith_screen_clip(screen, (kith_screen_rect){far[i], far[k], far[k], far[i]});
            kith_screen_clip(screen, (kith_screen_rect){0});
        }
    }
    CHECK_SCREEN(screen, "\n\n\n\n");
    DONE(screen);
}

TEST(printing_takes_a_format)
{
    WITH_SCREEN(screen, 12, 1);
    CHECK_INT(kith_screen_print(screen, 1, 0, plain, "%s: %d", "hp", 42), 6);
    CHECK_SCREEN(screen, " hp: 42\n");
    CHECK_INT(kith_screen_print(screen, 0, 0, plain, "%02000d", 1), 1023);
    kith_screen_clear(screen);
    CHECK_INT(kith_screen_print(screen, -1016, 0, plain, "%01018dé%0100d", 1, 1), 1022);
    CHECK_SCREEN(screen, "01é...\n");
    CHECK_INT(kith_screen_print(screen, -1016, 0, plain, "%01019dé%0100d", 1, 1), 1022);
    CHECK_SCREEN(screen, "001...\n");
    DONE(screen);
}

/* One U+FFFD for each piece that could have been the start of a character (Unicode 3.9, U+FFFD
 * Substitution of Maximal Subparts). */
TEST(bytes_that_are_no_utf8_are_replaced)
{
    static const struct {
        const char *bytes;
        int columns;
    } cases[] = {
        {"\x80", 1},
        {"\xC3", 1},
        {"\xC3(", 2},
        {"\xE4\xB8x", 2},
        {"\xF0\x9F\x98", 1},
        {"\xC0\x80", 2},
        {"\xE0\x80\x80", 3},
        {"\xED\xA0\x80", 3},
        {"\xF4\x90\x80\x80", 4},
        {"\xF5", 1},
        {"a\xFF\xFE"
         "b",
         4},
        {"\xF0\x80\x80\x41", 4},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        WITH_SCREEN(screen, 8, 1);
        test_note(cases[i].bytes);
        CHECK_INT(kith_screen_text(screen, 0, 0, cases[i].bytes, plain), cases[i].columns);
        CHECK_INT(kith_screen_text_width(cases[i].bytes), cases[i].columns);
        CHECK_CONTAINS(cell_text(screen, cases[i].bytes[0] == 'a' ? 1 : 0, 0), "\xEF\xBF\xBD");
        DONE(screen);
    }
    test_note(NULL);
}

TEST(what_readers_take_for_one_character_is_one)
{
    static const struct {
        const char *text;
        int columns;
    } cases[] = {
        {"e\xCC\x81", 1},                 /* e and an acute */
        {"x\xCC\x82\xCC\xA3\xCC\x84", 1}, /* three marks */
        {"\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7",
         2},                                         /* a family */
        {"\xF0\x9F\x91\x8D\xF0\x9F\x8F\xBD", 2},     /* a thumb and its colour */
        {"\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA", 2},     /* a flag */
        {"\xE2\x9D\xA4\xEF\xB8\x8F", 1},             /* a heart as an emoji */
        {"\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB", 2}, /* a Korean syllable in parts */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char twice[80];
        WITH_SCREEN(screen, 6, 1);
        snprintf(twice, sizeof(twice), "%s%s", cases[i].text, cases[i].text);
        test_note(cases[i].text);
        CHECK_INT(kith_screen_text(screen, 0, 0, twice, plain), 2 * cases[i].columns);
        CHECK_STR(cell_text(screen, 0, 0), cases[i].text);
        CHECK_STR(cell_text(screen, cases[i].columns, 0), cases[i].text);
        DONE(screen);
    }
    test_note(NULL);
    /* Three letters of flags: a flag and a letter. */
    CHECK_INT(kith_screen_text_width("\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA\xF0\x9F\x87\xA9"), 3);
    CHECK_INT(kith_screen_text_width("\xCC\x81"), 1);
}

#define JOINER "\xE2\x80\x8D"
#define MAN "\xF0\x9F\x91\xA8"

/* A joiner at the end of a cell would join the next one to it. */
TEST(joiners_that_join_nothing_are_left_out)
{
    static const struct {
        const char *text;
        const char *cells[3]; /* one after the other */
    } cases[] = {
        {JOINER, {""}},
        {"a" JOINER "b", {"a", "b"}},
        {JOINER JOINER "x", {"x"}},
        {"a" JOINER JOINER "b", {"a", "b"}},
        {MAN JOINER JOINER JOINER "x", {MAN, "", "x"}},
        {MAN JOINER JOINER MAN, {MAN JOINER MAN}},
        {MAN JOINER, {MAN, ""}},
        {MAN JOINER "x", {MAN, "", "x"}},
        {"x" JOINER MAN, {"x", MAN}},
        {"e\xCC\x81" JOINER "\xCC\x82", {"e\xCC\x81\xCC\x82"}},
        {"\xEF\xBB\xBFx\xE2\x80\x8B", {"x\xE2\x80\x8B"}}, /* a byte order mark first */
        {"\xE2\x80\x8C", {""}},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        WITH_SCREEN(screen, 6, 1);
        test_note(cases[i].text);
        kith_screen_text(screen, 0, 0, cases[i].text, plain);
        for (int x = 0; x < 3 && cases[i].cells[x] != NULL; x++) {
            CHECK_STR(cell_text(screen, x, 0), cases[i].cells[x]);
        }
        DONE(screen);
    }
    test_note(NULL);
    /* One that is too long ends in a whole character. */
    char family[80] = "";
    for (int i = 0; i < 9; i++) {
        strcat(family, i == 0 ? MAN : JOINER MAN);
    }
    WITH_SCREEN(screen, 6, 1);
    CHECK_INT(kith_screen_text(screen, 0, 0, family, plain), 2);
    size_t length = strlen(cell_text(screen, 0, 0));
    CHECK(length >= 25 && strcmp(cell_text(screen, 0, 0) + length - 4, MAN) == 0);
    DONE(screen);
}

/* They would make text look like another one. */
TEST(what_reorders_text_is_replaced)
{
    static const uint32_t controls[] = {0x61C,  0x200E, 0x200F, 0x2028,  0x2029,  0x202A,
                                        0x202D, 0x202E, 0x2066, 0x2067,  0x2069,  0x206F,
                                        0xFFF9, 0xFFFB, 0xE0001, 0xE0020, 0xE007F};
    for (size_t i = 0; i < sizeof(controls) / sizeof(controls[0]); i++) {
        char text[16];
        int length = snprintf(text, sizeof(text), "ab");
        uint32_t c = controls[i];
        if (c >= 0x10000) {
            text[length++] = (char)(0xF0 | c >> 18);
            text[length++] = (char)(0x80 | (c >> 12 & 63));
        } else if (c >= 0x800) {
            text[length++] = (char)(0xE0 | c >> 12);
        }
        if (c >= 0x800) {
            text[length++] = (char)(0x80 | (c >> 6 & 63));
        } else {
            text[length++] = (char)(0xC0 | c >> 6);
        }
        text[length++] = (char)(0x80 | (c & 63));
        memcpy(text + length, "c", 2);
        WITH_SCREEN(screen, 6, 1);
        CHECK_INT(kith_screen_text(screen, 0, 0, text, plain), 4);
        CHECK_SCREEN(screen, "ab\xEF\xBF\xBD"
                             "c\n");
        kith_screen_clear(screen);
        kith_screen_put(screen, 0, 0, c, plain);
        CHECK_SCREEN(screen, "\xEF\xBF\xBD\n");
        DONE(screen);
    }
    /* England's flag is a black one and tags. */
    WITH_SCREEN(screen, 6, 1);
    static const char england[] = "\xF0\x9F\x8F\xB4\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2"
                                  "\xF3\xA0\x81\xA5\xF3\xA0\x81\xBF";
    CHECK_INT(kith_screen_text(screen, 0, 0, england, plain), 2);
    CHECK_STR(cell_text(screen, 0, 0), england);
    DONE(screen);
}

/* Long ones are cut between characters, and never beyond their cell. */
TEST(marks_without_end_are_left_out)
{
    char text[1 + 2 * 100 + 1] = "z";
    WITH_SCREEN(screen, 2, 1);
    for (int i = 0; i < 100; i++) {
        memcpy(text + 1 + 2 * i, "\xCC\x81", 2);
    }
    CHECK_INT(kith_screen_text(screen, 0, 0, text, plain), 1);
    CHECK_UINT(strlen(cell_text(screen, 0, 0)), 31);
    CHECK_STR(cell_text(screen, 1, 0), "");
    DONE(screen);
}

/* Thousands of different marked characters come and go: memory follows what is shown. */
TEST(clusters_that_are_gone_take_no_memory)
{
    WITH_SCREEN(screen, 10, 2);
    size_t most = 0;
    for (uint32_t i = 0; i < 5000; i++) {
        char text[32];
        snprintf(text, sizeof(text), "%c\xCC%c\xCC%c", 'a' + (int)(i % 26),
                 0x80 + (int)(i / 26 % 48), 0x80 + (int)(i / 1248));
        kith_screen_text(screen, (int)(i % 10), (int)(i / 10 % 2), text, plain);
        CHECK_STR(cell_text(screen, (int)(i % 10), (int)(i / 10 % 2)), text);
        most = memory->bytes > most ? memory->bytes : most;
    }
    CHECK(most < 8000);
    DONE(screen);
}

/* ---- Wide characters ------------------------------------------------------------------------- */

TEST(half_of_a_wide_character_is_never_left)
{
    WITH_SCREEN(screen, 5, 1);
    kith_screen_text(screen, 0, 0, "中中", plain);
    kith_screen_put(screen, 1, 0, 'x', plain);
    CHECK_SCREEN(screen, " x中\n");
    kith_screen_put(screen, 2, 0, 'y', plain);
    CHECK_SCREEN(screen, " xy\n");
    kith_screen_text(screen, 0, 0, "中中", plain);
    kith_screen_put(screen, 1, 0, 0x4E2D, plain); /* over halves of both */
    CHECK_SCREEN(screen, " 中\n");
    kith_screen_put(screen, 4, 0, 0x4E2D, plain); /* does not fit: a blank */
    CHECK_STR(cell_text(screen, 4, 0), " ");
    kith_screen_put(screen, -1, 0, 0x4E2D, plain);
    CHECK_STR(cell_text(screen, 0, 0), " ");
    DONE(screen);
}

TEST(clipping_keeps_drawing_inside)
{
    const kith_screen_rect inside = {1, 1, 3, 1};
    WITH_SCREEN(screen, 6, 3);
    kith_screen_rect before = kith_screen_clip(screen, inside);
    CHECK_INT(before.width, 6);
    kith_screen_fill(screen, (kith_screen_rect){-5, -5, 100, 100}, '#', plain);
    CHECK_SCREEN(screen, "\n ###\n\n");
    kith_screen_text(screen, 0, 1, "中中", plain);
    CHECK_SCREEN(screen, "\n  中\n\n");
    before = kith_screen_clip(screen, (kith_screen_rect){9, 9, 1, 1});
    CHECK_INT(before.x, 1);
    CHECK_INT(before.width, 3);
    kith_screen_text(screen, 0, 0, "nothing", plain);
    kith_screen_rect empty = kith_screen_clip(screen, (kith_screen_rect){0});
    kith_screen_put(screen, 0, 0, 'o', plain);
    kith_screen_clip(screen, empty); /* nothing, again */
    kith_screen_put(screen, 1, 0, 'o', plain);
    CHECK_SCREEN(screen, "o\n  中\n\n");
    kith_screen_clear(screen); /* all of it, whatever the clip */
    CHECK_SCREEN(screen, "\n\n\n");
    CHECK_RESULT(kith_screen_resize(screen, 6, 1), KITH_OK);
    kith_screen_put(screen, 5, 0, 'o', plain);
    CHECK_SCREEN(screen, "     o\n");
    DONE(screen);
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

TEST(boxes_have_borders)
{
    WITH_SCREEN(screen, 15, 3);
    for (int i = 0; i < 5; i++) {
        kith_screen_box(screen, (kith_screen_rect){3 * i, 0, 3, 3}, (kith_screen_border)i, plain);
    }
    CHECK_SCREEN(screen, "┌─┐┏━┓╔═╗╭─╮+-+\n│ │┃ ┃║ ║│ │| |\n└─┘┗━┛╚═╝╰─╯+-+\n");
    kith_screen_clear(screen);
    kith_screen_put(screen, 3, 1, 'x', plain);
    kith_screen_box(screen, (kith_screen_rect){2, 0, 5, 3}, (kith_screen_border)9, plain);
    kith_screen_box(screen, (kith_screen_rect){2, 0, 0, 3}, KITH_BORDER_LIGHT, plain);
    kith_screen_box(screen, (kith_screen_rect){2, 0, -4, 3}, KITH_BORDER_LIGHT, plain);
    kith_screen_box(screen, (kith_screen_rect){2, 0, 3, 3}, KITH_BORDER_LIGHT, plain);
    CHECK_SCREEN(screen, "  ┌─┐\n  │x│\n  └─┘\n");
    kith_screen_clear(screen);
    kith_screen_box(screen, (kith_screen_rect){-3, -3, INT_MAX, INT_MAX}, KITH_BORDER_LIGHT, plain);
    CHECK_SCREEN(screen, "\n\n\n");
    kith_screen_box(screen, (kith_screen_rect){INT_MIN, 1, INT_MAX, INT_MAX}, KITH_BORDER_LIGHT,
                    plain);
    CHECK_SCREEN(screen, "\n\n\n");
    DONE(screen);
}

TEST(bars_are_exact_to_an_eighth)
{
    static const struct {
        float part;
        const char *expected;
    } cases[] = {
        {0, "\n"},
        {1, "████\n"},
        {0.5f, "██\n"},
        {0.25f + 1 / 32.0f, "█▏\n"},
        {2, "████\n"},
        {-1, "\n"},
        {NAN, "\n"},
        {31 / 32.0f, "███▉\n"},
        {INFINITY, "████\n"},
        {1 / 100.0f, "\n"},
        {1 / 60.0f, "▏\n"},
        {4 / 32.0f, "▌\n"},
    };
    WITH_SCREEN(screen, 4, 1);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        kith_screen_clear(screen);
        kith_screen_bar(screen, 0, 0, 4, cases[i].part, plain);
        CHECK_SCREEN(screen, cases[i].expected);
    }
    kith_screen_bar(screen, -2, 0, 8, 0.5f, plain);
    CHECK_SCREEN(screen, "██\n");
    kith_screen_bar(screen, INT_MIN, 0, INT_MAX, 1, plain);
    kith_screen_bar(screen, 0, 0, INT_MAX, 1, plain);
    CHECK_SCREEN(screen, "████\n");
    DONE(screen);
}

TEST(sparks_show_the_newest_values)
{
    static const float values[] = {100, 0, 1, 2, 4, 8};
    WITH_SCREEN(screen, 7, 1);
    kith_screen_spark(screen, 0, 0, 5, values, 6, 0, plain);
    CHECK_SCREEN(screen, " ▁▂▄█\n");
    kith_screen_spark(screen, 0, 0, 7, values, 6, 8, plain);
    CHECK_SCREEN(screen, " █ ▁▂▄█\n");
    static const float odd[] = {NAN, INFINITY, -3, 0.0001f};
    kith_screen_clear(screen);
    kith_screen_spark(screen, 0, 0, 4, odd, 4, 1, plain);
    CHECK_SCREEN(screen, " █ ▁\n");
    kith_screen_clear(screen);
    kith_screen_spark(screen, 0, 0, 4, odd, 4, INFINITY, plain);
    CHECK_SCREEN(screen, " █ ▁\n");
    kith_screen_clear(screen);
    kith_screen_spark(screen, 0, 0, 4, values, 0, 0, plain);
    kith_screen_spark(screen, 0, 0, 0, values, 6, 0, plain);
    CHECK_SCREEN(screen, "\n");
    DONE(screen);
}

TEST(half_cells_have_a_colour_each)
{
    WITH_SCREEN(screen, 2, 2);
    kith_screen_dot(screen, 0, 0, KITH_RED);
    CHECK_SCREEN(screen, "▀\n\n");
    CHECK_UINT(cell_style(screen, 0, 0).fg, KITH_RED);
    kith_screen_dot(screen, 0, 1, KITH_BLUE);
    CHECK_SCREEN(screen, "▄\n\n");
    CHECK_UINT(cell_style(screen, 0, 0).fg, KITH_BLUE);
    CHECK_UINT(cell_style(screen, 0, 0).bg, KITH_RED);
    kith_screen_dot(screen, 0, 0, KITH_GREEN);
    CHECK_SCREEN(screen, "▀\n\n");
    CHECK_UINT(cell_style(screen, 0, 0).fg, KITH_GREEN);
    CHECK_UINT(cell_style(screen, 0, 0).bg, KITH_BLUE);
    kith_screen_dot(screen, 0, 0, KITH_COLOR_DEFAULT);
    CHECK_SCREEN(screen, "▄\n\n");
    CHECK_UINT(cell_style(screen, 0, 0).fg, KITH_BLUE);
    CHECK_UINT(cell_style(screen, 0, 0).bg, KITH_COLOR_DEFAULT);
    kith_screen_dot(screen, 0, 1, KITH_COLOR_DEFAULT);
    CHECK_SCREEN(screen, "\n\n");
    kith_screen_dot(screen, 0, 1, KITH_COLOR_NONE);
    kith_screen_put(screen, 1, 1, 'x', (kith_term_style){.bg = KITH_RED});
    kith_screen_dot(screen, 1, 3, KITH_GREEN);
    CHECK_SCREEN(screen, "\n ▄\n");
    CHECK_UINT(cell_style(screen, 1, 1).bg, KITH_RED);
    kith_screen_dot(screen, 1, 4, KITH_GREEN);
    kith_screen_dot(screen, 1, -1, KITH_GREEN);
    CHECK_SCREEN(screen, "\n ▄\n");
    /* A half that has the terminal's own colour keeps it. */
    kith_screen_put(screen, 0, 1, 0x2584, (kith_term_style){.bg = KITH_RED});
    kith_screen_dot(screen, 0, 2, KITH_BLUE);
    CHECK_SCREEN(screen, "\n▀▄\n");
    CHECK_UINT(cell_style(screen, 0, 1).fg, KITH_BLUE);
    CHECK_UINT(cell_style(screen, 0, 1).bg, KITH_COLOR_DEFAULT);
    DONE(screen);
}

TEST(filling_with_wide_characters_leaves_no_halves)
{
    WITH_SCREEN(screen, 5, 2);
    kith_screen_fill(screen, (kith_screen_rect){0, 0, 5, 1}, 0x4E2D, plain);
    kith_screen_fill(screen, (kith_screen_rect){-1, 1, 4, 1}, 0x4E2D, plain);
    CHECK_SCREEN(screen, "中中\n 中\n");
    DONE(screen);
}

/* ---- Layers ---------------------------------------------------------------------------------- */

TEST(layers_let_through_what_they_do_not_show)
{
    WITH_SCREEN(screen, 6, 2);
    kith_screen *layer = new_screen(memory, 3, 2);
    kith_screen_fill(screen, (kith_screen_rect){0, 0, 6, 2}, '.',
                     (kith_term_style){.bg = KITH_BLUE});
    kith_screen_put(layer, 0, 0, 'a', plain);
    kith_screen_put(layer, 1, 1, 0x4E2D, (kith_term_style){KITH_RED, KITH_GREEN, 0});
    kith_screen_text(layer, 2, 0, "e\xCC\x81", plain);
    kith_screen_draw(screen, 1, 0, layer);
    CHECK_SCREEN(screen, ".a.e\xCC\x81..\n..中..\n");
    CHECK_UINT(cell_style(screen, 1, 0).bg, KITH_BLUE);
    CHECK_UINT(cell_style(screen, 2, 1).bg, KITH_GREEN);
    kith_screen_draw(screen, -2, 0, layer); /* cut in the middle of the wide one */
    CHECK_SCREEN(screen, "e\xCC\x81"
                         "a.e\xCC\x81..\n .中..\n");
    kith_screen_draw(screen, 4, 1, layer);
    kith_screen_draw(screen, INT_MAX, INT_MIN, layer);
    kith_screen_draw(screen, INT_MIN, INT_MAX, layer);
    CHECK_SCREEN(screen, "e\xCC\x81"
                         "a.e\xCC\x81..\n .中a.\n");
    kith_screen_draw(screen, 1, 0, screen);
    CHECK_SCREEN(screen, "e\xCC\x81"
                         "a.e\xCC\x81..\n .中a.\n");
    kith_screen_free(layer);
    DONE(screen);
}

TEST(text_of_a_screen_is_cut_between_characters)
{
    char text[16];
    WITH_SCREEN(screen, 4, 1);
    kith_screen_text(screen, 0, 0, "a中b", plain);
    CHECK_UINT(kith_screen_to_text(screen, NULL, 0), 6);
    for (size_t size = 1; size <= 7; size++) {
        CHECK_UINT(kith_screen_to_text(screen, text, size), 6);
        CHECK_STR(text, size == 1   ? ""
                        : size < 5  ? "a"
                        : size == 5 ? "a中"
                        : size == 6 ? "a中b"
                                    : "a中b\n");
    }
    DONE(screen);
}

/* ---- Want of memory -------------------------------------------------------------------------- */

TEST(a_screen_that_cannot_be_made_leaves_nothing)
{
    test_memory *memory = test_memory_new();
    kith_allocator allocator = test_memory_allocator(memory);
    for (size_t nth = 1; nth <= 2; nth++) {
        test_memory_fail(memory, nth, false);
        CHECK_PTR_NULL(kith_screen_new(10, 10, &allocator));
        CHECK(test_memory_fail_nothing(memory));
        CHECK_UINT(memory->pieces, 0);
    }
    allocator.release = NULL;
    CHECK_PTR_NULL(kith_screen_new(10, 10, &allocator));
    test_memory_free(memory);
}

TEST(a_screen_that_cannot_grow_stays)
{
    WITH_SCREEN(screen, 4, 1);
    kith_screen_text(screen, 0, 0, "stay", plain);
    test_memory_fail(memory, 1, true);
    CHECK_RESULT(kith_screen_resize(screen, 100, 100), KITH_ERR_MEMORY);
    CHECK(test_memory_fail_nothing(memory));
    CHECK_SCREEN(screen, "stay\n");
    DONE(screen);
}

TEST(layers_without_memory_lose_their_marks_and_say_so)
{
    WITH_SCREEN(screen, 4, 1);
    kith_screen *layer = new_screen(memory, 4, 1);
    kith_screen_text(layer, 0, 0, "e\xCC\x81o\xCC\x82x", plain);
    test_memory_fail(memory, 1, true);
    kith_screen_draw(screen, 0, 0, layer);
    CHECK(test_memory_fail_nothing(memory));
    CHECK_RESULT(kith_screen_result(screen), KITH_ERR_MEMORY);
    CHECK_SCREEN(screen, "eox\n");
    kith_screen_clear(screen);
    kith_screen_draw(screen, 0, 0, layer);
    CHECK_SCREEN(screen, "e\xCC\x81o\xCC\x82x\n");
    kith_screen_free(layer);
    DONE(screen);
}
