/* Sprites as text. The format is told in kith/terminal/screen.h.
 *
 * Line by line. Where a frame's rows begin, the lines are measured first, so that its picture can
 * be made at once; `colors` and `backs` then go over the picture again. */
#include <stdlib.h>
#include <string.h>

#include "terminal/sprite.h"
#include "terminal/terminal_heap.h"

typedef enum sprite_part {
    PART_NONE,
    PART_SPRITE,
    PART_CELLS,
    PART_COLORS,
    PART_BACKS
} sprite_part;

typedef struct sprite_reader {
    kith_terminal_sprites *sprites;
    kith_terminal_error *error;
    const char *line; /* where this one starts */
    int number;       /* its number, from 1 */
    sprite_part part;
    int row; /* the next one of this part */
    int anchor_x, anchor_y;
    kith_terminal_color colors[128]; /* by letter; KITH_COLOR_NONE: not given */
} sprite_reader;

/* ---- Errors ---------------------------------------------------------------------------------- */

static bool line_ends(char byte)
{
    return byte == '\0' || byte == '\n';
}

/* The column of a place in this line, in characters from 1. */
static int column_of(const sprite_reader *reader, const char *at)
{
    int column = 1;
    for (const char *c = reader->line; c < at; c++) {
        column += ((unsigned char)*c & 0xC0) != 0x80;
    }
    return column;
}

KITH_FORMAT_(3, 4)
static kith_result bad_sprite(const sprite_reader *reader, const char *at, const char *format, ...)
{
    kith_terminal_error *error = reader->error;
    if (error != NULL) {
        error->line = reader->number;
        error->column = column_of(reader, at);
        int length = snprintf(error->message, sizeof error->message,
                              "line %d, column %d: ", error->line, error->column);
        va_list arguments;
        va_start(arguments, format);
        ki_terminal_format(error->message + length, sizeof error->message - (size_t)length, format,
                           arguments);
        va_end(arguments);
    }
    return KITH_ERR_INPUT;
}

/* What is at a place, for a message. */
typedef struct found_text {
    char text[40];
} found_text;

static found_text found_at(const char *at)
{
    found_text found = {"the end of the line"};
    if (!line_ends(*at)) {
        size_t length = 1 + strcspn(at + 1, " \t\r\n");
        length = length > 24 ? 24 : length;
        while (length < 28 && ((unsigned char)at[length] & 0xC0) == 0x80) {
            length++; /* the rest of a character */
        }
        snprintf(found.text, sizeof found.text, "'%.*s'", (int)length, at);
    }
    return found;
}

/* ---- Words ----------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r");
}

/* Moves past `word` if it is here. */
static bool takes_word(const char **at, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0 || strchr(" \t\r\n", (*at)[length]) == NULL) {
        return false; /* strchr finds the end of the text as well */
    }
    *at = skip_blanks(*at + length);
    return true;
}

static kith_result expect_line_end(const sprite_reader *reader, const char *at)
{
    at = skip_blanks(at);
    if (line_ends(*at) || *at == '#') {
        return KITH_OK;
    }
    return bad_sprite(reader, at, "expected the end of the line, found %s", found_at(at).text);
}

static kith_result read_small_number(const sprite_reader *reader, const char **at, int limit,
                                     int *number)
{
    int value = 0;
    const char *c = *at;
    for (; *c >= '0' && *c <= '9' && value <= limit; c++) {
        value = value * 10 + (*c - '0');
    }
    if (c == *at || value > limit) {
        return bad_sprite(reader, *at, "expected a number from 0 to %d, found %s", limit,
                          found_at(*at).text);
    }
    *at = skip_blanks(c);
    *number = value;
    return KITH_OK;
}

static bool is_color_letter(char letter)
{
    return letter > ' ' && letter < 127;
}

/* color LETTER #rrggbb | NUMBER */
static kith_result read_color(sprite_reader *reader, const char *at)
{
    char letter = *at;
    if (!is_color_letter(letter) || (at[1] != ' ' && at[1] != '\t')) {
        return bad_sprite(reader, at, "expected one letter for the colour, found %s",
                          found_at(at).text);
    }
    at = skip_blanks(at + 1);
    kith_terminal_color color;
    if (*at == '#') {
        size_t digits = strspn(at + 1, "0123456789abcdefABCDEF");
        if (digits != 6) {
            return bad_sprite(reader, at, "expected #rrggbb, found %s", found_at(at).text);
        }
        char hex[7];
        memcpy(hex, at + 1, 6);
        hex[6] = '\0';
        color = KITH_RGB | (uint32_t)strtoul(hex, NULL, 16);
        at += 7;
    } else {
        int number = 0;
        KI_TRY(read_small_number(reader, &at, 255, &number));
        color = KITH_PALETTE | (uint32_t)number;
    }
    KI_TRY(expect_line_end(reader, at));
    reader->colors[(unsigned char)letter] = color;
    return KITH_OK;
}

/* ---- Sprites and frames ---------------------------------------------------------------------- */

static kith_terminal_sprite *last_sprite(const sprite_reader *reader)
{
    return reader->sprites->items[reader->sprites->count - 1];
}

static ki_sprite_frame *last_frame(const sprite_reader *reader)
{
    const kith_terminal_sprite *sprite = last_sprite(reader);
    return &sprite->frames[sprite->count - 1];
}

/* Whether the sprite before has something to show. */
static kith_result finish_sprite(const sprite_reader *reader, const char *at)
{
    if (reader->part != PART_NONE && last_sprite(reader)->count == 0) {
        return bad_sprite(reader, at, "expected the cells of sprite '%s', found %s",
                          last_sprite(reader)->name, found_at(at).text);
    }
    return KITH_OK;
}

static kith_result read_sprite(sprite_reader *reader, const char *start, const char *at)
{
    KI_TRY(finish_sprite(reader, start));
    size_t length = strcspn(at, " \t\r\n#");
    if (length == 0 || length >= KI_SPRITE_NAME_SIZE) {
        return bad_sprite(reader, at, "expected a name of 1 to %d bytes, found %s",
                          KI_SPRITE_NAME_SIZE - 1, found_at(at).text);
    }
    char name[KI_SPRITE_NAME_SIZE];
    memcpy(name, at, length);
    name[length] = '\0';
    if (kith_terminal_sprites_find(reader->sprites, name) != NULL) {
        return bad_sprite(reader, at, "expected another name, found a second '%s'", name);
    }
    KI_TRY(expect_line_end(reader, at + length));
    kith_terminal_sprites *sprites = reader->sprites;
    KI_TRY(ki_terminal_grow(&sprites->allocator, &sprites->items, &sprites->capacity,
                            sprites->count + 1, sizeof(kith_terminal_sprite *)));
    kith_terminal_sprite *sprite = ki_terminal_alloc(&sprites->allocator, sizeof *sprite);
    if (sprite == NULL) {
        return KITH_ERR_MEMORY;
    }
    memcpy(sprite->name, name, sizeof name);
    sprites->items[sprites->count++] = sprite;
    reader->part = PART_SPRITE;
    reader->anchor_x = reader->anchor_y = 0;
    return KITH_OK;
}

static kith_result read_anchor(sprite_reader *reader, const char *start, const char *at)
{
    if (reader->part == PART_NONE) {
        return bad_sprite(reader, start, "expected 'sprite NAME' first, found %s",
                          found_at(start).text);
    }
    KI_TRY(read_small_number(reader, &at, KI_SIDE_MAX, &reader->anchor_x));
    KI_TRY(read_small_number(reader, &at, KI_SIDE_MAX, &reader->anchor_y));
    return expect_line_end(reader, at);
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line == '\n' ? line + 1 : line;
}

static bool is_comment(const char *line)
{
    line = skip_blanks(line);
    return line_ends(*line) || *line == '#';
}

/* The rows that follow this line, with nothing but comments between them: how many, and the columns
 * of the longest. */
static void measure_rows(const char *line, int *width, int *height)
{
    *width = *height = 0;
    for (line = next_line(line); *line == '|' || (*line != '\0' && is_comment(line));
         line = next_line(line)) {
        if (*line != '|') {
            continue;
        }
        int columns = 0;
        const char *at = line + 1;
        const char *end = line + strcspn(line, "\r\n");
        for (ki_grapheme g; at < end && columns < KI_SIDE_MAX && ki_grapheme_read(&g, &at);) {
            columns += g.width;
        }
        *width = columns > *width ? columns : *width;
        *height += *height < KI_SIDE_MAX;
    }
}

static kith_result start_cells(sprite_reader *reader, const char *at)
{
    int width;
    int height;
    kith_terminal_sprite *sprite = last_sprite(reader);
    const kith_allocator *allocator = &reader->sprites->allocator;
    measure_rows(reader->line, &width, &height);
    if (width < 1 || width >= KI_SIDE_MAX || height >= KI_SIDE_MAX) {
        return bad_sprite(reader, at, "expected rows of cells that start with '|', %s",
                          width < 1 ? "found none" : "found too many");
    }
    KI_TRY(ki_terminal_grow(allocator, &sprite->frames, &sprite->capacity, sprite->count + 1,
                            sizeof *sprite->frames));
    kith_screen *picture = kith_screen_new(width, height, allocator);
    if (picture == NULL) {
        return KITH_ERR_MEMORY;
    }
    sprite->frames[sprite->count++] =
        (ki_sprite_frame){picture, reader->anchor_x, reader->anchor_y};
    sprite->width = width > sprite->width ? width : sprite->width;
    sprite->height = height > sprite->height ? height : sprite->height;
    return KITH_OK;
}

static kith_result start_part(sprite_reader *reader, const char *start, sprite_part part,
                              const char *rest)
{
    KI_TRY(expect_line_end(reader, rest));
    if (reader->part == PART_NONE || (part != PART_CELLS && last_sprite(reader)->count == 0)) {
        return bad_sprite(reader, start, "expected %s first, found %s",
                          reader->part == PART_NONE ? "'sprite NAME'" : "'cells'",
                          found_at(start).text);
    }
    if (part == PART_CELLS) {
        KI_TRY(start_cells(reader, start));
    }
    reader->part = part;
    reader->row = 0;
    return KITH_OK;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static kith_result read_cells_row(sprite_reader *reader, const char *at, const char *end)
{
    kith_screen *picture = last_frame(reader)->picture;
    int x = 0;
    if (reader->row >= picture->height) {
        return bad_sprite(reader, reader->line,
                          "expected the rows of a frame with just comments between them, found one"
                          " after something else");
    }
    while (at < end) {
        const char *start = at;
        ki_grapheme g;
        ki_grapheme_read(&g, &at);
        if (g.base == KI_REPLACEMENT) {
            return bad_sprite(reader, start, "expected characters that can be shown in UTF-8");
        }
        if (g.base != ' ' || g.count > 1) {
            ki_grapheme shown = g;
            if (g.base == 0xA0 && g.count == 1) {
                shown.base = ' '; /* the blank that hides what is under it */
            }
            ki_screen_set_grapheme(picture, x, reader->row, &shown, (kith_terminal_style){0});
        }
        x += g.width;
    }
    return kith_screen_result(picture);
}

static kith_result read_colors_row(sprite_reader *reader, const char *at, const char *end)
{
    kith_screen *picture = last_frame(reader)->picture;
    for (int x = 0; at < end; at++, x++) {
        if (x >= picture->width || reader->row >= picture->height) {
            return bad_sprite(reader, at, "expected no more than the %d by %d cells of the frame",
                              picture->width, picture->height);
        }
        if (*at == ' ') {
            continue;
        }
        if (!is_color_letter(*at) || reader->colors[(unsigned char)*at] == KITH_COLOR_NONE) {
            char letter[2] = {*at, '\0'};
            return bad_sprite(reader, at, "expected a letter that 'color' has given, found %s",
                              is_color_letter(*at) ? letter : found_at(at).text);
        }
        kith_terminal_color color = reader->colors[(unsigned char)*at];
        ki_cell *cell = ki_screen_cell(picture, x, reader->row);
        if (reader->part == PART_COLORS) {
            cell->fg = color;
        } else {
            cell->bg = color;
            if (cell->glyph == KI_GLYPH_NONE) {
                cell->glyph = ' '; /* a background is something to show */
            }
        }
    }
    return KITH_OK;
}

static kith_result read_row(sprite_reader *reader)
{
    const char *at = reader->line + 1;
    const char *end = reader->line + strcspn(reader->line, "\r\n");
    if (reader->part == PART_NONE || reader->part == PART_SPRITE) {
        return bad_sprite(reader, reader->line, "expected 'cells' before the first row, found '|'");
    }
    if (reader->part == PART_CELLS) {
        KI_TRY(read_cells_row(reader, at, end));
    } else {
        KI_TRY(read_colors_row(reader, at, end));
    }
    reader->row++;
    return KITH_OK;
}

static kith_result read_sprite_line(sprite_reader *reader)
{
    const char *start = skip_blanks(reader->line);
    const char *at = start;
    if (*reader->line == '|') {
        return read_row(reader);
    }
    if (is_comment(start)) {
        return KITH_OK;
    }
    if (takes_word(&at, "sprite")) {
        return read_sprite(reader, start, at);
    }
    if (takes_word(&at, "color")) {
        return read_color(reader, at);
    }
    if (takes_word(&at, "anchor")) {
        return read_anchor(reader, start, at);
    }
    if (takes_word(&at, "cells")) {
        return start_part(reader, start, PART_CELLS, at);
    }
    if (takes_word(&at, "colors")) {
        return start_part(reader, start, PART_COLORS, at);
    }
    if (takes_word(&at, "backs")) {
        return start_part(reader, start, PART_BACKS, at);
    }
    return bad_sprite(reader, start,
                      "expected sprite, anchor, color, cells, colors, backs or a row, found %s",
                      found_at(start).text);
}

static kith_result read_sprites(sprite_reader *reader, const char *text)
{
    reader->line = text;
    for (reader->number = 1; *reader->line != '\0'; reader->number++) {
        KI_TRY(read_sprite_line(reader));
        reader->line = next_line(reader->line);
    }
    return finish_sprite(reader, reader->line);
}

kith_result kith_terminal_sprites_read(const char *text, const kith_allocator *allocator,
                                       kith_terminal_sprites **sprites, kith_terminal_error *error)
{
    kith_allocator own;
    if (text == NULL || sprites == NULL) {
        return KITH_ERR_MISUSE;
    }
    sprite_reader reader = {.error = error};
    if (!ki_terminal_allocator(&own, allocator)) {
        return bad_sprite(&reader, NULL, "the allocator has just one of its functions");
    }
    reader.sprites = ki_terminal_alloc(&own, sizeof *reader.sprites);
    if (reader.sprites == NULL) {
        return KITH_ERR_MEMORY;
    }
    reader.sprites->allocator = own;
    kith_result result = read_sprites(&reader, text);
    if (result != KITH_OK) {
        kith_terminal_sprites_free(reader.sprites);
        return result;
    }
    *sprites = reader.sprites;
    return KITH_OK;
}
