/* Tokens of a text, and errors that point at them. <ctype.h> is not used: it depends on the locale. */
#include <stdio.h>
#include <string.h>

#include <kith/reader.h>

#include "base/context.h"
#include "reflect/text.h"

static inline bool token_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool token_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool token_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* ---- Errors */

/* Whether a byte is a control character; in a text it would be invisible. */
static bool token_is_control(char c)
{
    return ((unsigned char)c < 0x20 && !token_is_space(c)) || c == 0x7f;
}

void kith_read_place(const kith_reader *reader, const char *where, uint32_t *line, uint32_t *column)
{
    if (KI_CHECKED && (reader == NULL || where == NULL || line == NULL || column == NULL)) {
        ki_misuse(NULL, "kith_read_place: the reader, the place or what it shall write is NULL");
        return;
    }
    uint32_t lines = 1;
    const char *start = reader->text;
    for (const char *c = reader->text; c < where; c++) {
        if (*c == '\n') {
            lines++;
            start = c + 1;
        }
    }
    *line = lines;
    *column = (uint32_t)(where - start) + 1;
}

kith_result kith_read_fail(kith_reader *reader, const char *where, const char *format, ...)
{
    if (KI_CHECKED && (reader == NULL || where == NULL || format == NULL)) {
        return ki_misuse(NULL, "kith_read_fail: the reader, the place or the format is NULL");
    }
    kith_text_error *error = reader->error;
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        ki_format(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        kith_read_place(reader, where, &error->line, &error->column);
    }
    return KITH_ERR_INPUT;
}

#define TOKEN_SHOWN 40u

/* Copies a token for a message, with a question mark for each byte that is not part of a character. */
static void token_show(const char *bytes, size_t length, char text[TOKEN_SHOWN + 1])
{
    size_t step;
    for (size_t i = 0; i < length; i += step) {
        size_t known = (unsigned char)bytes[i] < 0x80
                           ? 1
                           : ki_text_character((const unsigned char *)bytes + i, length - i);
        step = known == 0 ? 1 : known;
        memcpy(text + i, known == 0 ? "?" : bytes + i, step);
    }
    text[length] = '\0';
}

/* Describes a token for a message: short, and without bytes that a terminal might obey. */
static void token_describe(const kith_reader *reader, char *text, size_t capacity)
{
    static const char *const before[] = {"", "\"", "", "the character ", "the text ", "\""};
    const char *start = reader->token.start;
    if (reader->token.kind == KITH_TOKEN_END) {
        snprintf(text, capacity, "the end of the text");
        return;
    }
    size_t length = reader->token.length;
    if (reader->token.kind == KITH_TOKEN_MARK && (unsigned char)*start >= 0x80) {
        length = ki_text_character((const unsigned char *)start,
                                   (size_t)(reader->text + reader->length - start));
        if (length == 0) {
            snprintf(text, capacity, "the byte 0x%02x", (unsigned char)*start);
            return;
        }
    }
    bool plain = reader->token.kind == KITH_TOKEN_WORD || reader->token.kind == KITH_TOKEN_MARK;
    const char *end = "";
    if (length > TOKEN_SHOWN) {
        end = "...";
        for (length = TOKEN_SHOWN;
             ((unsigned char)start[length] & 0xC0) == 0x80 && length > TOKEN_SHOWN - 3;) {
            length--; /* not in the middle of a character */
        }
    }
    char shown[TOKEN_SHOWN + 1];
    token_show(start, length, shown);
    snprintf(text, capacity, "%s%s%s%s", before[reader->token.kind], shown, end, plain ? "\"" : "");
}

kith_result kith_read_expected(kith_reader *reader, const char *format, ...)
{
    if (KI_CHECKED && (reader == NULL || format == NULL)) {
        return ki_misuse(NULL, "kith_read_expected: the reader or the format is NULL");
    }
    char found[80];
    char expected[400];
    token_describe(reader, found, sizeof found);
    va_list arguments;
    va_start(arguments, format);
    ki_format(expected, sizeof expected, format, arguments);
    va_end(arguments);
    return kith_read_fail(reader, reader->token.start, "expected %s, found %s", expected, found);
}

/* ---- Tokens */

/* The byte at a place; zero after the end. */
static inline char token_at(const kith_reader *reader, const char *c)
{
    if (c < reader->text + reader->length) {
        return *c;
    }
    return '\0';
}

/* Two colons join the parts of a name, game::Position. Any other colon is a mark. */
static bool token_joins(const kith_reader *reader, const char *c)
{
    return *c == ':' && token_at(reader, c + 1) == ':' && token_is_letter(token_at(reader, c + 2));
}

/* Skips a subscript: words may have them, as in `path[2].y`. */
static const char *token_skip_subscript(const kith_reader *reader, const char *c)
{
    const char *digit = c + 1;
    while (token_is_digit(token_at(reader, digit))) {
        digit++;
    }
    return digit > c + 1 && token_at(reader, digit) == ']' ? digit + 1 : c;
}

static const char *token_skip_word(const kith_reader *reader, const char *c)
{
    for (;;) {
        char byte = token_at(reader, c);
        while (token_is_letter(byte) || token_is_digit(byte) || byte == '.' ||
               (byte == ':' && token_joins(reader, c))) {
            c += byte == ':' ? 2 : 1;
            byte = token_at(reader, c);
        }
        const char *after = byte == '[' ? token_skip_subscript(reader, c) : c;
        if (after == c) {
            return c;
        }
        c = after;
    }
}

/* Skips what belongs to the word before it: the (2v1) of a handle, the (0x7fc00001) of a nan. */
static const char *token_skip_argument(const kith_reader *reader, const char *start)
{
    if (token_at(reader, start) != '(') {
        return start;
    }
    const char *c = start + 1;
    while (token_is_letter(token_at(reader, c)) || token_is_digit(token_at(reader, c)) ||
           token_at(reader, c) == '~') {
        c++;
    }
    return token_at(reader, c) == ')' ? c + 1 : start;
}

static const char *token_skip_number(const kith_reader *reader, const char *c)
{
    for (;; c++) {
        char byte = token_at(reader, c);
        if (!token_is_letter(byte) && !token_is_digit(byte) && byte != '.' && byte != '+' &&
            byte != '-') {
            return c;
        }
    }
}

/* Skips spaces, ends of lines, and comments. */
static const char *token_skip_space(kith_reader *reader, const char *c)
{
    const char *end = reader->text + reader->length;
    reader->token.first = c == reader->text;
    while (c < end && (token_is_space(*c) || *c == '#')) {
        if (*c == '#') {
            const char *line_end = memchr(c, '\n', (size_t)(end - c));
            c = line_end == NULL ? end : line_end;
        } else {
            reader->token.first = reader->token.first || *c == '\n';
            c++;
        }
    }
    return c;
}

static kith_result token_quoted(kith_reader *reader, const char *start)
{
    const char *c = start + 1;
    const char *end = reader->text + reader->length;
    for (; token_at(reader, c) != *start; c++) {
        if (token_at(reader, c) == '\\' && c + 1 < end) {
            c++;
        }
        if (c == end || *c == '\n') {
            return kith_read_fail(reader, start,
                                  "expected %c at the end of what starts here, found the end of the"
                                  " line",
                                  *start);
        }
        if (token_is_control(*c) || *c == '\r') {
            return kith_read_fail(reader, c, "expected text, found the byte 0x%02x",
                                  (unsigned char)*c);
        }
    }
    reader->token.kind = *start == '"' ? KITH_TOKEN_TEXT : KITH_TOKEN_CHAR;
    reader->next = c + 1;
    return KITH_OK;
}

kith_result kith_read_token(kith_reader *reader)
{
    if (KI_CHECKED && (reader == NULL || reader->text == NULL)) {
        return ki_misuse(NULL, "kith_read_token: the reader or its text is NULL");
    }
    const char *start = reader->next == NULL ? reader->text : reader->next;
    start = token_skip_space(reader, start);
    char byte = token_at(reader, start);
    reader->token.start = start;
    reader->token.length = 0;
    reader->token.kind = KITH_TOKEN_END; /* also if this fails */
    if (start == reader->text + reader->length) {
        reader->token.first = true;
        reader->next = start;
    } else if (token_is_letter(byte)) {
        reader->token.kind = KITH_TOKEN_WORD;
        reader->next = token_skip_argument(reader, token_skip_word(reader, start));
    } else if (token_is_digit(byte) || byte == '.' || byte == '+' || byte == '-') {
        reader->token.kind = KITH_TOKEN_NUMBER;
        reader->next = token_skip_number(reader, start);
    } else if (byte == '\'' || byte == '"') {
        KI_TRY(token_quoted(reader, start));
    } else if (token_is_control(byte)) {
        return kith_read_fail(reader, start, "expected text, found the byte 0x%02x",
                              (unsigned char)byte);
    } else {
        reader->token.kind = KITH_TOKEN_MARK;
        reader->next = start + 1;
    }
    reader->token.length = (size_t)(reader->next - start);
    return KITH_OK;
}

bool kith_token_is(const kith_reader *reader, const char *text)
{
    if (KI_CHECKED && (reader == NULL || text == NULL)) {
        ki_misuse(NULL, "kith_token_is: the reader or the text is NULL");
        return false;
    }
    size_t length = strlen(text);
    return reader->token.kind != KITH_TOKEN_END && reader->token.length == length &&
           memcmp(reader->token.start, text, length) == 0;
}

bool ki_text_is_word(const char *name)
{
    kith_reader reader = {.text = name, .length = strlen(name)};
    return token_is_letter(*name) && token_skip_word(&reader, name) == name + reader.length;
}

/* ---- Quoted bytes */

static int token_hex_digit(char c)
{
    return token_is_digit(c)        ? c - '0'
           : (c >= 'a' && c <= 'f') ? c - 'a' + 10
           : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                    : -1;
}

/* Resolves an escape, from after its backslash on; the place after it, or NULL. */
static const char *token_unescape(const char *c, char *byte)
{
    static const char names[] = "nt0\\'\"";
    static const char bytes[] = "\n\t\0\\'\"";
    if (*c == 'x') {
        int high = token_hex_digit(c[1]);
        int low = high < 0 ? -1 : token_hex_digit(c[2]);
        *byte = (char)(unsigned char)(high * 16 + low);
        return low >= 0 ? c + 3 : NULL;
    }
    const char *name = memchr(names, *c, sizeof names - 1);
    if (name == NULL) {
        return NULL;
    }
    *byte = bytes[name - names];
    return c + 1;
}

kith_result ki_text_unquote(kith_reader *reader, char *bytes, size_t capacity, size_t *count)
{
    const char *c = reader->token.start + 1;
    const char *end = reader->token.start + reader->token.length - 1;
    size_t written = 0;
    while (c < end) {
        const char *start = c;
        char byte = *c++;
        if (byte == '\\') {
            c = token_unescape(c, &byte);
            if (c == NULL) {
                return kith_read_fail(
                    reader, start,
                    "expected one of n t 0 \\ ' \" or x and two hexadecimal digits"
                    " after \\");
            }
        }
        if (bytes != NULL && written < capacity) {
            bytes[written] = byte;
        }
        written++;
    }
    *count = written;
    return KITH_OK;
}
