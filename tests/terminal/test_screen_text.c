/* Text on a screen: lines, columns, and characters of several bytes or code points. */
#include <kith/terminal.h>
#include <limits.h>
#include <string.h>

#include "drawing.h"
#include "test.h"

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
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        WITH_SCREEN(screen, 8, 1);
        test_note(cases[i].bytes);
        CHECK_INT(kith_screen_text(screen, 0, 0, cases[i].bytes, plain), cases[i].columns);
        CHECK_INT(kith_screen_text_width(cases[i].bytes), cases[i].columns);
        CHECK_CONTAINS(cell_text(screen, cases[i].bytes[0] == 'a' ? 1 : 0, 0), "\xEF\xBF\xBD");
        DONE(screen);
    }
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
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        char twice[80];
        WITH_SCREEN(screen, 6, 1);
        snprintf(twice, sizeof(twice), "%s%s", cases[i].text, cases[i].text);
        test_note(cases[i].text);
        CHECK_INT(kith_screen_text(screen, 0, 0, twice, plain), 2 * cases[i].columns);
        CHECK_STR(cell_text(screen, 0, 0), cases[i].text);
        CHECK_STR(cell_text(screen, cases[i].columns, 0), cases[i].text);
        DONE(screen);
    }
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
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        WITH_SCREEN(screen, 6, 1);
        test_note(cases[i].text);
        kith_screen_text(screen, 0, 0, cases[i].text, plain);
        for (int x = 0; x < 3 && cases[i].cells[x] != NULL; x++) {
            CHECK_STR(cell_text(screen, x, 0), cases[i].cells[x]);
        }
        DONE(screen);
    }
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
    for (size_t i = 0; test_row(i, ROWS_OF(controls)); i++) {
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
