#include "line_editor.h"

#include <stdlib.h>
#include <string.h>

#include "support/must.h"

/* ---- Characters ------------------------------------------------------------------------------ */

/* The bytes of one number of Unicode, which may be broken. */
static size_t code_bytes(const char *text)
{
    size_t size = *text == '\0' ? 0 : 1;
    while (((unsigned char)text[size] & 0xC0) == 0x80 && size > 0 && size < 4) {
        size++;
    }
    return size;
}

/* A mark takes no column of its own when it is joined to a letter. */
static int code_columns(const char *text, size_t size)
{
    char joined[8] = "a";
    memcpy(joined + 1, text, size);
    return kith_screen_text_width(joined) - 1;
}

int line_editor_columns(const char *text, size_t size)
{
    int columns = 0;
    for (size_t at = 0; at < size;) {
        size_t bytes = code_bytes(text + at);
        columns += code_columns(text + at, bytes);
        at += bytes;
    }
    return columns;
}

size_t line_editor_character(const line_editor *line, size_t at)
{
    size_t size = code_bytes(line->text + at);
    for (size_t more; (more = code_bytes(line->text + at + size)) != 0;) {
        if (code_columns(line->text + at + size, more) > 0) {
            break;
        }
        size += more;
    }
    return size;
}

/* Where the character before a byte begins. */
static size_t before(const line_editor *line, size_t at)
{
    size_t start = 0;
    for (size_t next = 0; next < at; next += line_editor_character(line, next)) {
        start = next;
    }
    return start;
}

static bool is_blank(const line_editor *line, size_t at)
{
    return line->text[at] == ' ';
}

static size_t word_start(const line_editor *line)
{
    size_t at = line->cursor;
    while (at > 0 && is_blank(line, at - 1)) {
        at--;
    }
    while (at > 0 && !is_blank(line, at - 1)) {
        at--;
    }
    return at;
}

static size_t word_end(const line_editor *line)
{
    size_t at = line->cursor;
    while (at < line->length && is_blank(line, at)) {
        at++;
    }
    while (at < line->length && !is_blank(line, at)) {
        at++;
    }
    return at;
}

/* ---- Changing it ----------------------------------------------------------------------------- */

line_editor line_editor_new(void)
{
    line_editor line = {.capacity = 256};
    line.text = must_make(malloc(line.capacity));
    line.text[0] = '\0';
    return line;
}

void line_editor_free(line_editor *line)
{
    free(line->text);
    *line = (line_editor){0};
}

/* Deletes what is between two places; the cursor comes to the first one. */
static void delete_part(line_editor *line, size_t from, size_t to)
{
    memmove(line->text + from, line->text + to, line->length - to + 1);
    line->length -= to - from;
    line->cursor = from;
}

static void insert(line_editor *line, const char *text, size_t size)
{
    if (line->length + size >= line->capacity) {
        line->capacity = 2 * (line->length + size) + 1;
        line->text = must_make(realloc(line->text, line->capacity));
    }
    char *at = line->text + line->cursor;
    memmove(at + size, at, line->length - line->cursor + 1);
    memcpy(at, text, size);
    line->length += size;
    line->cursor += size;
}

void line_editor_replace(line_editor *line, size_t start, const char *text)
{
    delete_part(line, start, line->cursor);
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '\n' || byte == '\t') {
            insert(line, " ", 1);
        } else if (byte >= ' ' && byte != 127) {
            insert(line, text, 1);
        }
    }
}

void line_editor_set(line_editor *line, const char *text)
{
    line->cursor = line->length;
    line_editor_replace(line, 0, text);
}

/* ---- Keys ------------------------------------------------------------------------------------ */

static void write_character(line_editor *line, uint32_t code)
{
    char text[5] = {0};
    if (code < 0x80) {
        text[0] = (char)code;
    } else if (code < 0x800) {
        text[0] = (char)(0xC0 | code >> 6);
        text[1] = (char)(0x80 | (code & 63));
    } else if (code < 0x10000) {
        text[0] = (char)(0xE0 | code >> 12);
        text[1] = (char)(0x80 | (code >> 6 & 63));
        text[2] = (char)(0x80 | (code & 63));
    } else {
        text[0] = (char)(0xF0 | code >> 18);
        text[1] = (char)(0x80 | (code >> 12 & 63));
        text[2] = (char)(0x80 | (code >> 6 & 63));
        text[3] = (char)(0x80 | (code & 63));
    }
    line_editor_replace(line, line->cursor, text);
}

/* Keys with Ctrl. */
static bool control(line_editor *line, uint32_t key)
{
    size_t next = line->cursor + line_editor_character(line, line->cursor);
    switch (key) {
    case 'a': line->cursor = 0; return true;
    case 'e': line->cursor = line->length; return true;
    case 'b': line->cursor = before(line, line->cursor); return true;
    case 'f': line->cursor = next; return true;
    case 'd': delete_part(line, line->cursor, next); return true;
    case 'h': delete_part(line, before(line, line->cursor), line->cursor); return true;
    case 'k': delete_part(line, line->cursor, line->length); return true;
    case 'u': delete_part(line, 0, line->cursor); return true;
    case 'w': delete_part(line, word_start(line), line->cursor); return true;
    case KITH_KEY_LEFT: line->cursor = word_start(line); return true;
    case KITH_KEY_RIGHT: line->cursor = word_end(line); return true;
    default: return false;
    }
}

/* Keys with Alt go by words. */
static bool alternate(line_editor *line, uint32_t key)
{
    switch (key) {
    case 'b':
    case KITH_KEY_LEFT: line->cursor = word_start(line); return true;
    case 'f':
    case KITH_KEY_RIGHT: line->cursor = word_end(line); return true;
    case 'd': delete_part(line, line->cursor, word_end(line)); return true;
    case KITH_KEY_BACKSPACE: delete_part(line, word_start(line), line->cursor); return true;
    default: return false;
    }
}

static bool plain(line_editor *line, uint32_t key, uint32_t character)
{
    switch (key) {
    case KITH_KEY_HOME: return control(line, 'a');
    case KITH_KEY_END: return control(line, 'e');
    case KITH_KEY_LEFT: return control(line, 'b');
    case KITH_KEY_RIGHT: return control(line, 'f');
    case KITH_KEY_DELETE: return control(line, 'd');
    case KITH_KEY_BACKSPACE: return control(line, 'h');
    default: break;
    }
    if (character < ' ' || character == 127) {
        return false;
    }
    write_character(line, character);
    return true;
}

bool line_editor_take(line_editor *line, const kith_input_event *event)
{
    if (event->kind == KITH_INPUT_PASTE) {
        line_editor_replace(line, line->cursor, event->text);
        return true;
    }
    if (event->kind != KITH_INPUT_KEY || event->action == KITH_ACTION_RELEASE) {
        return false;
    }
    if ((event->modifiers & KITH_CTRL) != 0) {
        return control(line, event->key);
    }
    return (event->modifiers & KITH_ALT) != 0 ? alternate(line, event->key)
                                              : plain(line, event->key, event->character);
}
