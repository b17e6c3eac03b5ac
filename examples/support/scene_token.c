#include "scene_token.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* No <ctype.h>: what a scene means must not depend on the host's locale. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int hex_digit(char c)
{
    return is_digit(c)              ? c - '0'
           : (c >= 'a' && c <= 'f') ? c - 'a' + 10
           : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                    : -1;
}

/* ---- Errors -------------------------------------------------------------------------------- */

static void fail_at(scene_reader *reader, const char *where)
{
    reader->error->line = reader->line_number;
    reader->error->column = (uint32_t)(where - reader->line) + 1;
}

/* Marks a message that did not fit. */
static void close_message(scene_error *error, int length)
{
    if (length >= (int)sizeof error->message) {
        memcpy(error->message + sizeof error->message - 4, "...", 4);
    }
}

kith_result scene_fail(scene_reader *reader, const char *where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length =
        vsnprintf(reader->error->message, sizeof reader->error->message, format, arguments);
    va_end(arguments);
    close_message(reader->error, length);
    fail_at(reader, where);
    return KITH_ERR_INPUT;
}

/* A token for a message: short, and without bytes that a terminal might take for orders. */
static void describe(scene_token token, char *text, size_t capacity)
{
    static const char *const before[] = {
        [SCENE_WORD] = "\"", [SCENE_NUMBER] = "", [SCENE_CHAR] = "the character ",
        [SCENE_TEXT] = "the text ", [SCENE_MARK] = "\"",
    };
    if (token.kind == SCENE_END) {
        snprintf(text, capacity, "the end of the line");
        return;
    }
    if (token.kind == SCENE_MARK && (unsigned char)*token.start >= 0x80) {
        snprintf(text, capacity, "the byte 0x%02x", (unsigned char)*token.start);
        return;
    }
    bool quoted = token.kind == SCENE_WORD || token.kind == SCENE_MARK;
    const size_t most = 40;
    int length = (int)(token.length < most ? token.length : most);
    snprintf(text, capacity, "%s%.*s%s%s", before[token.kind], length, token.start,
             token.length > most ? "..." : "", quoted ? "\"" : "");
}

kith_result scene_expected(scene_reader *reader, const char *format, ...)
{
    char found[80];
    char expected[sizeof reader->error->message];
    describe(reader->token, found, sizeof found);

    va_list arguments;
    va_start(arguments, format);
    vsnprintf(expected, sizeof expected, format, arguments);
    va_end(arguments);
    return scene_fail(reader, reader->token.start, "expected %.400s, found %s", expected, found);
}

/* ---- Lines --------------------------------------------------------------------------------- */

scene_reader scene_read(const char *text, size_t length, scene_error *error)
{
    if (length == 0) {
        text = ""; /* it may be NULL */
    }
    /* Some editors put a byte order mark in front. */
    size_t mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    return (scene_reader){ .next = text + mark, .end = text + length, .error = error };
}

/* Control characters would be invisible where they matter. A carriage return is one but at the end. */
static kith_result check_line(scene_reader *reader)
{
    for (const char *c = reader->line; c < reader->line_end; c++) {
        if (((unsigned char)*c < 0x20 && *c != '\t') || *c == 0x7f) {
            return scene_fail(reader, c, "expected text, found the byte 0x%02x", (unsigned char)*c);
        }
    }
    return KITH_OK;
}

kith_result scene_next_line(scene_reader *reader, bool *more)
{
    *more = reader->next < reader->end;
    if (!*more) {
        return KITH_OK;
    }
    const char *line = reader->next;
    const char *line_end = memchr(line, '\n', (size_t)(reader->end - line));
    reader->next = line_end != NULL ? line_end + 1 : reader->end;
    if (line_end == NULL) {
        line_end = reader->end;
    } else if (line_end > line && line_end[-1] == '\r') {
        line_end--;
    }
    reader->line = reader->position = line;
    reader->line_end = line_end;
    reader->line_number++;
    if (line_end - line > (ptrdiff_t)SCENE_MAX_LINE) {
        return scene_fail(reader, line + SCENE_MAX_LINE,
                          "expected a line of at most %u bytes, found one of %td", SCENE_MAX_LINE,
                          line_end - line);
    }
    return check_line(reader);
}

/* ---- Tokens -------------------------------------------------------------------------------- */

/* A word may have subscripts in it, `path[2].y`, as the names of nested fields do. */
static const char *skip_subscript(const char *c, const char *end)
{
    const char *digit = c + 1;
    while (digit < end && is_digit(*digit)) {
        digit++;
    }
    return digit > c + 1 && digit < end && *digit == ']' ? digit + 1 : c;
}

static const char *skip_word(const char *c, const char *end)
{
    while (c < end) {
        const char *before = c;
        if (is_letter(*c) || is_digit(*c) || *c == '.' || *c == ':') {
            c++;
        } else if (*c == '[') {
            c = skip_subscript(c, end);
        }
        if (c == before) {
            break;
        }
    }
    return c;
}

static const char *skip_number(const char *c, const char *end)
{
    while (c < end && (is_letter(*c) || is_digit(*c) || *c == '.' || *c == '+' || *c == '-')) {
        c++;
    }
    return c;
}

/* The end behind the closing quote, or NULL if there is none. */
static const char *skip_quoted(const char *c, const char *end)
{
    char quote = *c++;
    while (c < end && *c != quote) {
        c += *c == '\\' && c + 1 < end ? 2 : 1;
    }
    return c < end ? c + 1 : NULL;
}

kith_result scene_next(scene_reader *reader)
{
    const char *c = reader->position;
    const char *end = reader->line_end;
    while (c < end && (*c == ' ' || *c == '\t')) {
        c++;
    }
    const char *start = c;
    scene_token_kind kind = SCENE_END;
    if (c == end || *c == '#') {
        c = start;
    } else if (is_letter(*c)) {
        kind = SCENE_WORD;
        c = skip_word(c, end);
    } else if (is_digit(*c) || *c == '.' || *c == '+' || *c == '-') {
        kind = SCENE_NUMBER;
        c = skip_number(c, end);
    } else if (*c == '\'' || *c == '"') {
        kind = *c == '"' ? SCENE_TEXT : SCENE_CHAR;
        c = skip_quoted(c, end);
        if (c == NULL) {
            return scene_fail(reader, start,
                              "expected %c at the end of what starts here, found the end of the "
                              "line",
                              *start);
        }
    } else {
        kind = SCENE_MARK;
        c++;
    }
    reader->token = (scene_token){ kind, start, (size_t)(c - start) };
    reader->position = c;
    return KITH_OK;
}

bool scene_is(scene_token token, const char *text)
{
    return token.kind != SCENE_END && token.length == strlen(text) &&
           memcmp(token.start, text, token.length) == 0;
}

kith_result scene_skip(scene_reader *reader, const char *mark, const char *what)
{
    if (!scene_is(reader->token, mark)) {
        return scene_expected(reader, "%s", what);
    }
    return scene_next(reader);
}

/* ---- Quoted bytes -------------------------------------------------------------------------- */

/* Resolves the escape whose backslash stands before `c`; returns the place behind it, or NULL. */
static const char *unescape(const char *c, const char *end, char *byte)
{
    static const char names[] = "nt0\\'\"";
    static const char bytes[] = "\n\t\0\\'\"";
    if (c < end && *c == 'x') {
        int high = c + 1 < end ? hex_digit(c[1]) : -1;
        int low = c + 2 < end ? hex_digit(c[2]) : -1;
        *byte = (char)(unsigned char)(high * 16 + low);
        return high >= 0 && low >= 0 ? c + 3 : NULL;
    }
    const char *name = c < end ? memchr(names, *c, sizeof names - 1) : NULL;
    if (name == NULL) {
        return NULL;
    }
    *byte = bytes[name - names];
    return c + 1;
}

kith_result scene_unquote(scene_reader *reader, scene_token token, char *bytes, size_t capacity,
                          size_t *count)
{
    const char *c = token.start + 1;
    const char *end = token.start + token.length - 1;
    size_t written = 0;
    while (c < end) {
        const char *start = c;
        char byte = *c++;
        if (byte == '\\') {
            c = unescape(c, end, &byte);
            if (c == NULL) {
                return scene_fail(reader, start,
                                  "expected one of n t 0 \\ ' \" or x and two hexadecimal digits "
                                  "behind \\");
            }
        }
        if (written < capacity) {
            bytes[written] = byte;
        }
        written++;
    }
    *count = written;
    return KITH_OK;
}
