/* Cells and what is drawn on them: characters, shapes, layers, clipping. */
#include <kith/terminal.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "drawing.h"
#include "test.h"

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
    kith_terminal_style style;
    WITH_SCREEN(screen, 4, 2);
    kith_screen_put(screen, 1, 1, 'x', (kith_terminal_style){KITH_RED, KITH_BLUE, KITH_BOLD});
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
    } cases[] = {{0x2FF, 1},   {0x300, 0},   {0x36F, 0},   {0x370, 1},   {0x378, 1},   {0x10FF, 1},
                 {0x1100, 2},  {0x115F, 2},  {0x1160, 0},  {0x11FF, 0},  {0x1200, 1},  {0x231A, 2},
                 {0x231B, 2},  {0x231C, 1},  {0x2E80, 2},  {0x303E, 2},  {0x303F, 1},  {0x3041, 2},
                 {0x4E2D, 2},  {0xA4C6, 2},  {0xAC00, 2},  {0xD7A3, 2},  {0xE000, 1},  {0xFE00, 0},
                 {0xFFE6, 2},  {0x1F300, 2}, {0x1F64F, 2}, {0x1FAFF, 2}, {0x20000, 2}, {0x3FFFD, 2},
                 {0xE0100, 0}, {0xE01EF, 0}, {0xE01F0, 1}, {0x10FFFD, 1}};
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
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
}

TEST(backgrounds_stay_where_none_is_given)
{
    WITH_SCREEN(screen, 3, 1);
    kith_screen_fill(screen, (kith_screen_rect){0, 0, 3, 1}, ' ',
                     (kith_terminal_style){.bg = KITH_BLUE});
    kith_screen_text(screen, 0, 0, "ab", (kith_terminal_style){.fg = KITH_RGB | 0x010203});
    kith_screen_put(screen, 1, 0, 'c',
                    (kith_terminal_style){KITH_COLOR_DEFAULT, KITH_COLOR_DEFAULT, 0});
    CHECK_UINT(cell_style(screen, 0, 0).bg, KITH_BLUE);
    CHECK_UINT(cell_style(screen, 0, 0).fg, 0x01010203);
    CHECK_UINT(cell_style(screen, 1, 0).bg, KITH_COLOR_DEFAULT);
    CHECK_UINT(cell_style(screen, 1, 0).fg, KITH_COLOR_NONE);
    CHECK_UINT(KITH_RED | KITH_BRIGHT, KITH_PALETTE | 9);
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
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
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
    static const struct {
        const char *name;
        int y;
        kith_terminal_color color;
        const char *text;
        kith_terminal_color fg, bg;
    } dots[] = {
        {"above", 0, KITH_RED, "▀\n\n", KITH_RED, KITH_COLOR_NONE},
        {"below", 1, KITH_BLUE, "▄\n\n", KITH_BLUE, KITH_RED},
        {"above again", 0, KITH_GREEN, "▀\n\n", KITH_GREEN, KITH_BLUE},
        {"no dot above", 0, KITH_COLOR_DEFAULT, "▄\n\n", KITH_BLUE, KITH_COLOR_DEFAULT},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(dots)); i++) {
        test_note(dots[i].name);
        kith_screen_dot(screen, 0, dots[i].y, dots[i].color);
        CHECK_SCREEN(screen, dots[i].text);
        CHECK_UINT(cell_style(screen, 0, 0).fg, dots[i].fg);
        CHECK_UINT(cell_style(screen, 0, 0).bg, dots[i].bg);
    }
    kith_screen_dot(screen, 0, 1, KITH_COLOR_DEFAULT);
    CHECK_SCREEN(screen, "\n\n");
    kith_screen_dot(screen, 0, 1, KITH_COLOR_NONE);
    kith_screen_put(screen, 1, 1, 'x', (kith_terminal_style){.bg = KITH_RED});
    kith_screen_dot(screen, 1, 3, KITH_GREEN);
    CHECK_SCREEN(screen, "\n ▄\n");
    CHECK_UINT(cell_style(screen, 1, 1).bg, KITH_RED);
    kith_screen_dot(screen, 1, 4, KITH_GREEN);
    kith_screen_dot(screen, 1, -1, KITH_GREEN);
    CHECK_SCREEN(screen, "\n ▄\n");
    /* A half that has the terminal's own colour keeps it. */
    kith_screen_put(screen, 0, 1, 0x2584, (kith_terminal_style){.bg = KITH_RED});
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
                     (kith_terminal_style){.bg = KITH_BLUE});
    kith_screen_put(layer, 0, 0, 'a', plain);
    kith_screen_put(layer, 1, 1, 0x4E2D, (kith_terminal_style){KITH_RED, KITH_GREEN, 0});
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
