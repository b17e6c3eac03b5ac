/* A terminal in memory, and another one that shows what its recording says. */
#ifndef KITH_TEST_HEADLESS_H
#define KITH_TEST_HEADLESS_H

#include <stdio.h>

#include "vt.h"

typedef struct headless {
    test_memory *memory;
    kith_terminal *term;
    kith_screen *screen;
    FILE *file;
    char *recording;
    size_t recording_size;
    size_t played;
    vt vt;
    uint32_t resizes;
} headless;

static inline headless headless_open(kith_terminal_def def)
{
    headless h = {.memory = test_memory_new()};
    def.output = KITH_TERMINAL_HEADLESS;
    def.allocator = test_memory_allocator(h.memory);
    CHECK_RESULT(kith_terminal_open(&def, &h.term), KITH_OK);
    h.screen = kith_terminal_screen(h.term);
    h.vt = vt_new(kith_screen_width(h.screen), kith_screen_height(h.screen));
    return h;
}

static inline void headless_record(headless *h)
{
    h->file = tmpfile();
    CHECK_PTR_NOT_NULL(h->file);
    CHECK_RESULT(kith_terminal_record(h->term, h->file), KITH_OK);
}

static inline void headless_close(headless *h)
{
    kith_terminal_close(h->term);
    test_memory_free(h->memory);
    if (h->file != NULL) {
        fclose(h->file);
        free(h->recording);
    }
    vt_free(&h->vt);
}

/* The text of a JSON string, from behind its quotation mark; returns what is behind its end. */
static inline const char *unescape(const char *at, char *text, size_t *length)
{
    *length = 0;
    while (*at != '"') {
        CHECK((unsigned char)*at >= 0x20);
        if (*at == '\\' && at[1] == 'u') {
            char code[5] = {at[2], at[3], at[4], at[5], '\0'};
            text[(*length)++] = (char)strtol(code, NULL, 16);
            at += 6;
        } else {
            at += *at == '\\';
            text[(*length)++] = *at++;
        }
    }
    return at + 1;
}

/* Sees to it that `recording` is what was recorded so far. */
static inline void headless_read(headless *h)
{
    long end = ftell(h->file);
    CHECK(end >= 0 && (size_t)end >= h->recording_size);
    h->recording = realloc(h->recording, (size_t)end + 1);
    CHECK_PTR_NOT_NULL(h->recording);
    CHECK_INT(fseek(h->file, (long)h->recording_size, SEEK_SET), 0);
    size_t more = (size_t)end - h->recording_size;
    CHECK_UINT(fread(h->recording + h->recording_size, 1, more, h->file), more);
    CHECK_INT(fseek(h->file, 0, SEEK_END), 0);
    h->recording_size = (size_t)end;
    h->recording[end] = '\0';
}

/* Plays what was recorded since the last call. */
static inline void headless_play(headless *h)
{
    headless_read(h);
    const char *at = h->recording + h->played;
    for (const char *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        if (*at == '{') {
            continue;
        }
        char *text = malloc((size_t)(end - at));
        CHECK_PTR_NOT_NULL(text);
        size_t length;
        const char *kind = strchr(at, '"');
        CHECK_PTR_NOT_NULL(kind);
        const char *behind = unescape(kind + 6, text, &length);
        CHECK(behind[0] == ']' && behind + 1 == end);
        if (kind[1] == 'r') {
            int width;
            int height;
            text[length] = '\0';
            CHECK_INT(sscanf(text, "%dx%d", &width, &height), 2);
            vt_free(&h->vt);
            h->vt = vt_new(width, height);
            h->resizes++;
        } else {
            CHECK_INT(kind[1], 'o');
            CHECK_UINT(vt_feed(&h->vt, text, length), length);
        }
        free(text);
    }
    h->played = (size_t)(at - h->recording);
}

/* The colour that a terminal with all colours is told. */
static inline uint32_t told_color(uint32_t color)
{
    return color == KITH_COLOR_DEFAULT ? 0 : color;
}

/* That the terminal shows what is on the screen. */
static inline void check_shown(const headless *h)
{
    CHECK_INT(h->vt.width, kith_screen_width(h->screen));
    CHECK_INT(h->vt.height, kith_screen_height(h->screen));
    CHECK(!vt_has_region(&h->vt));
    for (int i = 0; i < h->vt.width * h->vt.height; i++) {
        int x = i % h->vt.width;
        int y = i / h->vt.width;
        char text[KITH_CELL_SIZE];
        kith_terminal_style style;
        int width = kith_screen_read(h->screen, x, y, text, &style);
        const vt_cell *cell = vt_at(&h->vt, x, y);
        const char *expected = width == 0 ? "" : text[0] == '\0' ? " " : text;
        if (strcmp(cell->text, expected) != 0) {
            test_fail(__FILE__, __LINE__, "cell %d, %d shows '%s', not '%s'", x, y, cell->text,
                      expected);
        }
        CHECK_UINT(cell->bg, told_color(style.bg));
        const uint32_t seen = KITH_UNDERLINE | KITH_REVERSE;
        if (strcmp(expected, " ") == 0 && (style.attributes & seen) == 0) {
            CHECK_UINT(cell->attributes & seen, 0);
        } else if (width != 0) {
            CHECK_UINT(cell->attributes, style.attributes);
            CHECK_UINT(cell->fg, told_color(style.fg));
        }
    }
}

static inline void present_and_check(headless *h)
{
    CHECK_RESULT(kith_terminal_present(h->term), KITH_OK);
    headless_play(h);
    check_shown(h);
}

#endif
