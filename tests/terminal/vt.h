/* A terminal for tests: what bytes make of its screen. It knows just what the kit sends, and fails on
 * everything else. Written from the standard (ECMA-48), not from the renderer. With `lines` it also
 * knows what a prompt does: lines are written one below the other, and scroll. */
#ifndef KITH_TEST_VT_H
#define KITH_TEST_VT_H

#include <kith/terminal.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#define VT_CANCEL 030 /* ends a sequence that was cut off */

typedef struct vt_cell {
    char text[KITH_CELL_SIZE]; /* "": the right half of a wide one */
    uint32_t fg, bg;           /* as kith_terminal_color; 0: default */
    uint32_t attributes;
} vt_cell;

typedef struct vt {
    int width, height;
    int x, y;
    bool behind_last; /* the cursor waits behind the last column */
    bool stuck; /* it stays on the last column, where something was written, as nothing wraps */
    vt_cell *cells;
    vt_cell pen;
    bool alternate, hidden, no_wrap, pastes, focus, mouse, synchronized;
    bool lines;
    int top, bottom; /* of the region that scrolls */
    uint32_t scrolls;
    int keyboard; /* how often kitty's flags were pushed */
    uint32_t moves;
    char title[256];
} vt;

static inline void vt_wipe(vt *t, int from, int to)
{
    for (int i = from; i < to; i++) {
        t->cells[i] = (vt_cell){.text = " ", .bg = t->pen.bg};
    }
}

static inline vt vt_new(int width, int height)
{
    vt t = {.width = width, .height = height, .bottom = height - 1};
    t.cells = calloc((size_t)(width * height), sizeof(vt_cell));
    CHECK_PTR_NOT_NULL(t.cells);
    vt_wipe(&t, 0, width * height);
    return t;
}

static inline void vt_free(vt *t)
{
    free(t->cells);
}

static inline vt_cell *vt_at(const vt *t, int x, int y)
{
    CHECK(x >= 0 && x < t->width && y >= 0 && y < t->height);
    return &t->cells[y * t->width + x];
}

/* Half of a wide character that is written over takes the other half along. */
static inline void vt_split(vt *t, int x, int y)
{
    if (vt_at(t, x, y)->text[0] == '\0') {
        memcpy(vt_at(t, x - 1, y)->text, " ", 2);
        memcpy(vt_at(t, x, y)->text, " ", 2);
    } else if (x + 1 < t->width && vt_at(t, x + 1, y)->text[0] == '\0') {
        memcpy(vt_at(t, x + 1, y)->text, " ", 2);
    }
}

/* Goes a line down, where all lines go up at the end of the screen. */
static inline void vt_feed_line(vt *t)
{
    CHECK(t->lines);
    if (t->y + 1 < t->height) {
        t->y++;
        return;
    }
    const size_t kept = (size_t)((t->height - 1) * t->width);
    memmove(t->cells, t->cells + t->width, kept * sizeof(vt_cell));
    vt_wipe(t, (int)kept, t->width * t->height);
}

static inline void vt_write(vt *t, const char *text, int width)
{
    if (t->lines && t->behind_last) {
        t->x = 0;
        vt_feed_line(t);
    }
    CHECK(t->lines || !t->behind_last); /* terminals differ in what comes now */
    CHECK(t->x + width <= t->width);
    for (int i = 0; i < width; i++) {
        vt_split(t, t->x + i, t->y);
        vt_cell *cell = vt_at(t, t->x + i, t->y);
        *cell = t->pen;
        snprintf(cell->text, sizeof(cell->text), "%s", i == 0 ? text : "");
    }
    t->x += width;
    t->behind_last = t->x == t->width;
    t->stuck = t->behind_last && t->no_wrap;
    t->x -= t->behind_last;
}

/* A character without columns joins the one before. */
static inline void vt_join(vt *t, const char *text)
{
    CHECK(!t->stuck); /* some terminals look to the left of the cursor */
    int x = t->behind_last ? t->x : t->x - 1;
    vt_cell *cell = vt_at(t, x, t->y);
    cell = cell->text[0] == '\0' ? cell - 1 : cell;
    size_t length = strlen(cell->text);
    snprintf(cell->text + length, sizeof(cell->text) - length, "%s", text);
}

static inline void vt_color(vt *t, const int *codes, int count, int *i)
{
    uint32_t *color = codes[*i] / 10 == 3 ? &t->pen.fg : &t->pen.bg;
    if (codes[*i + 1] == 2) {
        CHECK(*i + 4 < count);
        *color = kith_rgb(codes[*i + 2], codes[*i + 3], codes[*i + 4]);
        *i += 4;
    } else {
        CHECK(codes[*i + 1] == 5 && *i + 2 < count);
        *color = KITH_PALETTE | (uint32_t)codes[*i + 2];
        *i += 2;
    }
}

static inline void vt_rendition(vt *t, const int *codes, int count)
{
    static const uint32_t on[] = {0,          KITH_BOLD, KITH_DIM,    KITH_ITALIC, KITH_UNDERLINE,
                                  KITH_BLINK, 0,         KITH_REVERSE};
    for (int i = 0; i < count; i++) {
        int code = codes[i];
        if (code == 0) {
            t->pen = (vt_cell){0};
        } else if (code < 8 && on[code] != 0) {
            t->pen.attributes |= on[code];
        } else if (code == 22) {
            t->pen.attributes &= ~(KITH_BOLD | KITH_DIM);
        } else if (code > 22 && code < 28 && on[code - 20] != 0) {
            t->pen.attributes &= ~on[code - 20];
        } else if (code == 38 || code == 48) {
            vt_color(t, codes, count, &i);
        } else if (code == 39) {
            t->pen.fg = 0;
        } else if (code == 49) {
            t->pen.bg = 0;
        } else if (code >= 30 && code < 38) {
            t->pen.fg = KITH_PALETTE | (uint32_t)(code - 30);
        } else if (code >= 40 && code < 48) {
            t->pen.bg = KITH_PALETTE | (uint32_t)(code - 40);
        } else if (code >= 90 && code < 98) {
            t->pen.fg = KITH_PALETTE | (uint32_t)(code - 90 + 8);
        } else if (code >= 100 && code < 108) {
            t->pen.bg = KITH_PALETTE | (uint32_t)(code - 100 + 8);
        } else {
            test_fail(__FILE__, __LINE__, "rendition %d", code);
        }
    }
}

static inline void vt_mode(vt *t, int mode, bool on)
{
    switch (mode) {
    case 7: t->no_wrap = !on; break;
    case 25: t->hidden = !on; break;
    case 1002:
    case 1003: t->mouse = on; break;
    case 1004: t->focus = on; break;
    case 1006: break;
    case 1049: t->alternate = on; break;
    case 2004: t->pastes = on; break;
    case 2026: t->synchronized = on; break;
    default: test_fail(__FILE__, __LINE__, "mode %d", mode);
    }
}

static inline void vt_move(vt *t, int x, int y)
{
    CHECK(x >= 0 && x < t->width && y >= 0 && y < t->height);
    t->x = x;
    t->y = y;
    t->behind_last = t->stuck = false;
    t->moves++;
}

/* Without numbers it is the whole screen again. */
static inline void vt_region(vt *t, int top, int bottom)
{
    t->top = top == 0 ? 0 : top - 1;
    t->bottom = bottom == 0 ? t->height - 1 : bottom - 1;
    CHECK(t->top < t->bottom && t->bottom < t->height);
    vt_move(t, 0, 0);
}

static inline bool vt_has_region(const vt *t)
{
    return t->top != 0 || t->bottom != t->height - 1;
}

/* Inserts blank lines at the cursor, or deletes lines there, within the region. */
static inline void vt_shift(vt *t, int lines, bool insert)
{
    CHECK(t->y >= t->top && t->y <= t->bottom);
    CHECK(t->pen.bg == 0 && t->pen.attributes == 0); /* blanks get them on some terminals */
    const int rows = t->bottom - t->y + 1;
    CHECK(lines < rows);
    vt_cell *at = t->cells + t->y * t->width;
    const size_t kept = (size_t)((rows - lines) * t->width);
    memmove(insert ? at + lines * t->width : at, insert ? at : at + lines * t->width,
            kept * sizeof(vt_cell));
    const int bared = insert ? t->y : t->bottom + 1 - lines;
    vt_wipe(t, bared * t->width, (bared + lines) * t->width);
    t->scrolls++;
    vt_move(t, 0, t->y);
}

static inline void vt_control(vt *t, char mark, const int *n, int count, char end)
{
    int first = n[0] == 0 ? 1 : n[0];
    if (mark == '?') {
        if (end != 'u') {
            CHECK(end == 'h' || end == 'l');
            vt_mode(t, n[0], end == 'h');
        }
        return;
    }
    if (mark != '\0') {
        CHECK(end == 'u');
        t->keyboard += mark == '>' ? 1 : -1;
        return;
    }
    switch (end) {
    case 'm': vt_rendition(t, n, count); break;
    case 'H': vt_move(t, (n[1] == 0 ? 1 : n[1]) - 1, first - 1); break;
    case 'A':
        CHECK(t->lines);
        vt_move(t, t->x, t->y - first);
        break;
    case 'B': vt_move(t, t->x, t->y + first); break;
    case 'C': vt_move(t, t->x + first, t->y); break;
    case 'D': vt_move(t, t->x - first, t->y); break;
    case 'J':
        CHECK(n[0] == 2 || (n[0] == 0 && t->lines));
        vt_wipe(t, n[0] == 2 ? 0 : t->y * t->width + t->x, t->width * t->height);
        break;
    case 'K':
        CHECK_INT(n[0], 0);
        CHECK(t->pen.bg == 0);
        vt_split(t, t->x, t->y);
        vt_wipe(t, t->y * t->width + t->x, (t->y + 1) * t->width);
        break;
    case 'L':
    case 'M': vt_shift(t, first, end == 'L'); break;
    case 'r': vt_region(t, n[0], n[1]); break;
    case 't': break;
    default: test_fail(__FILE__, __LINE__, "control sequence %c", end);
    }
}

/* Reads a sequence behind its ESC; returns what follows, or NULL if it is not whole. */
static inline const char *vt_escape(vt *t, const char *at, const char *end)
{
    if (at < end && *at == ']') {
        const char *start = at;
        for (; at + 1 < end; at++) {
            if (at[0] == '\033' && at[1] == '\\') {
                snprintf(t->title, sizeof(t->title), "%.*s", (int)(at - start), start);
                return at + 2;
            }
        }
        return NULL;
    }
    if (at >= end) {
        return NULL;
    }
    if (*at == VT_CANCEL) {
        return at + 1;
    }
    CHECK_INT(*at, '[');
    at++;
    char mark = at < end && *at >= '<' && *at <= '?' ? *at++ : '\0';
    int numbers[64] = {0};
    int count = 1;
    for (; at < end && ((*at >= '0' && *at <= '9') || *at == ';'); at++) {
        if (*at == ';') {
            CHECK(++count < 60);
        } else {
            numbers[count - 1] = numbers[count - 1] * 10 + (*at - '0');
        }
    }
    if (at == end) {
        return NULL;
    }
    if (*at != VT_CANCEL) {
        vt_control(t, mark, numbers, count, *at);
    }
    return at + 1;
}

static inline int vt_character_size(unsigned char first)
{
    return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/* Takes bytes; returns how many were whole. */
static inline size_t vt_feed(vt *t, const char *bytes, size_t size)
{
    const char *end = bytes + size;
    const char *at = bytes;
    while (at < end) {
        if (*at == '\033') {
            const char *next = vt_escape(t, at + 1, end);
            if (next == NULL) {
                break;
            }
            at = next;
            continue;
        }
        int length = vt_character_size((unsigned char)*at);
        size_t there = (size_t)(end - at < length ? end - at : length);
        const char *cancel = memchr(at, VT_CANCEL, there);
        if (cancel != NULL) {
            at = cancel + 1; /* what stands before it is a character that was cut off */
            continue;
        }
        if (end - at < length) {
            break;
        }
        char text[8] = {0};
        memcpy(text, at, (size_t)length);
        if (*at == '\r') {
            vt_move(t, 0, t->y);
        } else if (*at == '\v') { /* not '\n': the system may make two characters of that */
            CHECK(t->y != t->bottom && t->y + 1 < t->height);
            t->y++;
        } else if (*at == '\n' && t->lines) {
            vt_feed_line(t);
        } else if (*at == '\b') {
            CHECK(!t->behind_last);
            vt_move(t, t->x - 1, t->y);
        } else if ((unsigned char)*at >= 0x20) {
            char first_with_base[12];
            snprintf(first_with_base, sizeof(first_with_base), "a%s", text);
            /* Joined to a letter it takes no column of its own. */
            if (kith_screen_text_width(first_with_base) == 1) {
                vt_join(t, text);
            } else {
                vt_write(t, text, kith_screen_text_width(text));
            }
        } else {
            test_fail(__FILE__, __LINE__, "control character %d", *at);
        }
        at += length;
    }
    return (size_t)(at - bytes);
}

#endif
