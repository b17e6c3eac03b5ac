/* Sprites: what a text makes, and what is said of one that makes no sense. */
#include <kith/terminal.h>
#include <string.h>

#include "drawing.h"
#include "test.h"

static const char ship_text[] = "# ships\n"
                                "color r #ff4040\n"
                                "color b 4 # from the palette\n"
                                "\n"
                                "sprite ship\n"
                                "anchor 1 1\n"
                                "cells\n"
                                "|/^\\\n"
                                "|<\xC2\xA0>\n"
                                "colors\n"
                                "|rrr\n"
                                "|b b\n"
                                "backs\n"
                                "|\n"
                                "| b\n"
                                "cells\r\n"
                                "|中\r\n"
                                "sprite dot\n"
                                "cells\n"
                                "|*";

static kith_terminal_sprites *read_sprites(test_memory *memory, const char *text)
{
    kith_allocator allocator = test_memory_allocator(memory);
    kith_terminal_sprites *sprites = NULL;
    kith_terminal_error error = {0};
    kith_result result = kith_terminal_sprites_read(text, &allocator, &sprites, &error);
    if (result != KITH_OK) {
        test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    return sprites;
}

TEST(sprites_are_drawn_by_their_anchor)
{
    WITH_SCREEN(screen, 6, 3);
    kith_terminal_sprites *sprites = read_sprites(memory, ship_text);
    const kith_terminal_sprite *ship = kith_terminal_sprites_find(sprites, "ship");
    CHECK_PTR_NOT_NULL(ship);
    CHECK_PTR_NULL(kith_terminal_sprites_find(sprites, "shi"));
    CHECK_INT(kith_terminal_sprite_width(ship), 3);
    CHECK_INT(kith_terminal_sprite_height(ship), 2);
    CHECK_INT(kith_terminal_sprite_frames(ship), 2);
    CHECK_INT(kith_terminal_sprite_frames(kith_terminal_sprites_find(sprites, "dot")), 1);
    kith_screen_fill(screen, (kith_screen_rect){0, 0, 6, 3}, '.', plain);
    kith_screen_sprite(screen, 2, 2, ship, 0);
    CHECK_SCREEN(screen, "......\n./^\\..\n.< >..\n");
    CHECK_UINT(cell_style(screen, 1, 1).fg, kith_rgb(0xFF, 0x40, 0x40));
    CHECK_STR(cell_text(screen, 2, 2), " ");
    CHECK_UINT(cell_style(screen, 2, 2).bg, KITH_PALETTE | 4);
    CHECK_UINT(cell_style(screen, 2, 2).fg, KITH_COLOR_NONE);
    kith_screen_sprite(screen, 5, 1, ship, 3); /* frames start over */
    kith_screen_sprite(screen, -2147483647, 2147483647, ship, 0);
    CHECK_SCREEN(screen, "....中\n./^\\..\n.< >..\n");
    kith_terminal_sprites_free(sprites);
    DONE(screen);
}

/* It holds for the frames after it, up to the next sprite. */
TEST(an_anchor_is_of_its_sprite_alone)
{
    WITH_SCREEN(screen, 4, 2);
    kith_terminal_sprites *sprites = read_sprites(memory, ship_text);
    kith_screen_sprite(screen, 3, 1, kith_terminal_sprites_find(sprites, "dot"), 0);
    CHECK_SCREEN(screen, "\n   *\n");
    kith_screen_sprite(screen, 2, 1, kith_terminal_sprites_find(sprites, "ship"), 1);
    CHECK_SCREEN(screen, " 中\n   *\n");
    kith_terminal_sprites_free(sprites);
    DONE(screen);
}

static const struct {
    const char *text;
    int line, column;
    const char *message;
} mistakes[] = {
    {"hello", 1, 1, "expected sprite, anchor, color, cells, colors, backs or a row, found 'hello'"},
    {"\n  spritex a", 2, 3, "expected sprite, anchor"},
    {"sprite", 1, 7, "expected a name of 1 to 63 bytes, found the end of the line"},
    {"sprite a b", 1, 10, "expected the end of the line, found 'b'"},
    {"sprite a\ncells\n|x\nsprite a", 4, 8, "expected another name, found a second 'a'"},
    {"sprite a", 2, 1, "expected the cells of sprite 'a', found the end of the line"},
    {"sprite a\nsprite b", 2, 1, "expected the cells of sprite 'a', found 'sprite'"},
    {"|x", 1, 1, "expected 'cells' before the first row, found '|'"},
    {"sprite a\n|x", 2, 1, "expected 'cells' before the first row"},
    {"cells\n|x", 1, 1, "expected 'sprite NAME' first, found 'cells'"},
    {"anchor 1 0\nsprite a\ncells\n|x", 1, 1, "expected 'sprite NAME' first, found 'anchor'"},
    {"sprite a\ncells\n|x\nanchor 1 0\n|y", 5, 1,
     "just comments between them, found one after something else"},
    {"sprite a\ncolors\n|x", 2, 1, "expected 'cells' first, found 'colors'"},
    {"sprite a\ncells\nsprite b", 2, 1, "expected rows of cells that start with '|', found none"},
    {"sprite a\ncells\n|\n|", 2, 1, "expected rows of cells"},
    {"sprite a\ncells x\n|x", 2, 7, "expected the end of the line, found 'x'"},
    {"color red 1", 1, 7, "expected one letter for the colour, found 'red'"},
    {"color ä #000000", 1, 7, "expected one letter for the colour"},
    {"color r", 1, 7, "expected one letter for the colour, found 'r'"},
    {"color r #12345", 1, 9, "expected #rrggbb, found '#12345'"},
    {"color r #1234567", 1, 9, "expected #rrggbb, found '#1234567'"},
    {"color r 256", 1, 9, "expected a number from 0 to 255, found '256'"},
    {"color r 99999999999999999999", 1, 9, "expected a number from 0 to 255"},
    {"color r red", 1, 9, "expected a number from 0 to 255, found 'red'"},
    {"color r 1 2", 1, 11, "expected the end of the line, found '2'"},
    {"sprite a\nanchor 1", 2, 9, "expected a number from 0 to 10000, found the end of the line"},
    {"sprite a\nanchor -1 2", 2, 8, "expected a number from 0 to 10000, found '-1'"},
    {"sprite a\ncells\n|xy\ncolors\n|zz", 5, 2,
     "expected a letter that 'color' has given, found z"},
    {"color z 1\nsprite a\ncells\n|xy\ncolors\n|zzz", 6, 4, "no more than the 2 by 1 cells"},
    {"color z 1\nsprite a\ncells\n|xy\ncolors\n|z\n|z", 7, 2, "no more than the 2 by 1 cells"},
    {"sprite a\ncells\n|ä\x01", 3, 3, "expected characters that can be shown in UTF-8"},
    {"sprite a\ncells\n|ab\xFF", 3, 4, "expected characters that can be shown in UTF-8"},
    {"sprite aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 1, 8,
     "1 to 63 bytes"},
};

TEST(comments_may_stand_between_rows)
{
    WITH_SCREEN(screen, 3, 2);
    kith_terminal_sprites *sprites =
        read_sprites(memory, "sprite a\ncells\n# the head\n|o\n\n  # the body\n|xyz\n\n# more\n");
    const kith_terminal_sprite *sprite = kith_terminal_sprites_find(sprites, "a");
    CHECK_INT(kith_terminal_sprite_width(sprite), 3);
    CHECK_INT(kith_terminal_sprite_height(sprite), 2);
    kith_screen_sprite(screen, 0, 0, sprite, 0);
    CHECK_SCREEN(screen, "o\nxyz\n");
    kith_terminal_sprites_free(sprites);
    DONE(screen);
}

TEST(a_text_that_makes_no_sense_is_told_where)
{
    for (size_t i = 0; test_row(i, ROWS_OF(mistakes)); i++) {
        test_memory *memory = test_memory_new();
        kith_allocator allocator = test_memory_allocator(memory);
        kith_terminal_sprites *sprites = (kith_terminal_sprites *)&mistakes;
        kith_terminal_error error = {0};
        char place[64];
        test_note(mistakes[i].text);
        CHECK_RESULT(kith_terminal_sprites_read(mistakes[i].text, &allocator, &sprites, &error),
                     KITH_ERR_INPUT);
        CHECK(sprites == (kith_terminal_sprites *)&mistakes);
        snprintf(place, sizeof(place), "line %d, column %d: ", mistakes[i].line,
                 mistakes[i].column);
        CHECK_CONTAINS(error.message, mistakes[i].message);
        CHECK_CONTAINS(error.message, place);
        CHECK_INT(error.line, mistakes[i].line);
        CHECK_INT(error.column, mistakes[i].column);
        CHECK_RESULT(kith_terminal_sprites_read(mistakes[i].text, &allocator, &sprites, NULL),
                     KITH_ERR_INPUT);
        test_memory_free(memory);
    }
}

TEST(no_sprites_are_fine)
{
    test_memory *memory = test_memory_new();
    kith_terminal_sprites *sprites = read_sprites(memory, "# nothing\n\n");
    CHECK_PTR_NULL(kith_terminal_sprites_find(sprites, ""));
    kith_terminal_sprites_free(sprites);
    test_memory_free(memory);
}

/* Any cut of a text, and any byte of it changed, reads or is refused; nothing else. */
TEST(a_broken_text_does_no_harm)
{
    char text[sizeof(ship_text)];
    for (size_t i = 0; i < sizeof(ship_text) - 1; i++) {
        for (int k = 0; k < 4; k++) {
            static const char bytes[] = {'\0', '|', '\n', '\xF0'};
            kith_terminal_sprites *sprites = NULL;
            memcpy(text, ship_text, sizeof(text));
            text[i] = bytes[k];
            kith_result result = kith_terminal_sprites_read(text, NULL, &sprites, NULL);
            CHECK(result == KITH_OK || result == KITH_ERR_INPUT);
            CHECK_INT(sprites != NULL, result == KITH_OK);
            kith_terminal_sprites_free(sprites);
        }
    }
}

TEST_WITHIN(10, whichever_allocation_fails_nothing_is_left)
{
    for (int on = 0; on < 2; on++) {
        bool reached = true;
        size_t failures = 0;
        for (size_t nth = 1; reached; nth++) {
            test_memory *memory = test_memory_new();
            kith_allocator allocator = test_memory_allocator(memory);
            kith_terminal_sprites *sprites = NULL;
            test_memory_fail(memory, nth, on != 0);
            kith_result result = kith_terminal_sprites_read(
                "sprite e\ncells\n|e\xCC\x81x\xCC\x81\nsprite f\ncells\n|\xCC\x81", &allocator,
                &sprites, NULL);
            reached = test_memory_fail_nothing(memory);
            CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
            CHECK_INT(sprites == NULL, reached);
            failures += reached;
            kith_terminal_sprites_free(sprites);
            test_memory_free(memory);
        }
        CHECK(failures > 8);
    }
}
