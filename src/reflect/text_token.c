/* Text as tokens, and the errors that point at them. No <ctype.h>: it depends on the locale. */
#include <stdio.h>
#include <string.h>

#include "reflect/text.h"

KI_RARE static bool token_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

KI_RARE static bool token_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

KI_RARE static bool token_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* ---- Errors */

/* A byte that is neither a character nor space would be invisible where it matters. */
KI_RARE static bool token_is_control(char c)
{
    return ((unsigned char)c < 0x20 && !token_is_space(c)) || c == 0x7f;
}

KI_RARE kith_result ki_text_fail(ki_text_reader *reader, const char *where, const char *format,
                                 ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    ki_format(message, sizeof message, format, arguments);
    va_end(arguments);
    size_t line = 1;
    const char *start = reader->text;
    for (const char *c = reader->text; c < where; c++) {
        if (*c == '\n') {
            line++;
            start = c + 1;
        }
    }
    return ki_fail(reader->context, KITH_ERR_INPUT, "%s: line %zu, column %zu: %s", reader->call,
                   line, (size_t)(where - start) + 1, message);
}

/* A token for a message: short, and without bytes that a terminal might take for orders. */
KI_RARE static void token_describe(const ki_text_reader *reader, char *text, size_t capacity)
{
    static const char *const before[] = {"", "\"", "", "the character ", "the text ", "\""};
    const char *start = reader->token.start;
    if (reader->token.kind == KI_TOKEN_END) {
        snprintf(text, capacity, "the end of the text");
        return;
    }
    if (reader->token.kind == KI_TOKEN_MARK && (unsigned char)*start >= 0x80) {
        snprintf(text, capacity, "the byte 0x%02x", (unsigned char)*start);
        return;
    }
    bool plain = reader->token.kind == KI_TOKEN_WORD || reader->token.kind == KI_TOKEN_MARK;
    size_t length = reader->token.length;
    const char *end = "";
    if (length > 40) {
        end = "...";
        for (length = 40; ((unsigned char)start[length] & 0xC0) == 0x80 && length > 37;) {
            length--; /* not in the middle of a character */
        }
    }
    snprintf(text, capacity, "%s%.*s%s%s", before[reader->token.kind], (int)length, start, end,
             plain ? "\"" : "");
}

KI_RARE kith_result ki_text_expected(ki_text_reader *reader, const char *format, ...)
{
    char found[80];
    char expected[320];
    token_describe(reader, found, sizeof found);
    va_list arguments;
    va_start(arguments, format);
    ki_format(expected, sizeof expected, format, arguments);
    va_end(arguments);
    return ki_text_fail(reader, reader->token.start, "expected %s, found %s", expected, found);
}

/* ---- Tokens */

/* A word may have subscripts in it, `path[2].y`, as the names of nested fields do. */
KI_RARE static const char *token_skip_subscript(const char *c)
{
    const char *digit = c + 1;
    while (token_is_digit(*digit)) {
        digit++;
    }
    return digit > c + 1 && *digit == ']' ? digit + 1 : c;
}

KI_RARE static const char *token_skip_word(const char *c)
{
    for (;;) {
        const char *before = c;
        if (token_is_letter(*c) || token_is_digit(*c) || *c == '.' || *c == ':') {
            c++;
        } else if (*c == '[') {
            c = token_skip_subscript(c);
        }
        if (c == before) {
            return c;
        }
    }
}

/* The (2v1) of a handle and the (0x7fc00001) of a nan belong to the word before. */
KI_RARE static const char *token_skip_argument(const char *c)
{
    const char *start = c;
    if (*c == '(') {
        for (c++; token_is_letter(*c) || token_is_digit(*c) || *c == '~'; c++) {
        }
        return *c == ')' ? c + 1 : start;
    }
    return start;
}

KI_RARE static const char *token_skip_number(const char *c)
{
    while (token_is_letter(*c) || token_is_digit(*c) || *c == '.' || *c == '+' || *c == '-') {
        c++;
    }
    return c;
}

/* Spaces, ends of lines, and comments up to those. */
KI_RARE static const char *token_skip_space(const char *c)
{
    while (token_is_space(*c) || *c == '#') {
        if (*c == '#') {
            c += strcspn(c, "\n");
        } else {
            c++;
        }
    }
    return c;
}

KI_RARE static kith_result token_quoted(ki_text_reader *reader, const char *start)
{
    const char *c = start + 1;
    for (; *c != *start; c++) {
        if (*c == '\\' && c[1] != '\0' && c[1] != '\n') {
            c++;
        }
        if (*c == '\0' || *c == '\n') {
            return ki_text_fail(reader, start,
                                "expected %c at the end of what starts here, found the end of the"
                                " line",
                                *start);
        }
        if (token_is_control(*c) || *c == '\r') {
            return ki_text_fail(reader, c, "expected text, found the byte 0x%02x",
                                (unsigned char)*c);
        }
    }
    reader->token.kind = *start == '"' ? KI_TOKEN_TEXT : KI_TOKEN_CHAR;
    reader->next = c + 1;
    return KITH_OK;
}

KI_RARE kith_result ki_text_next(ki_text_reader *reader)
{
    const char *start = token_skip_space(reader->next);
    reader->token.start = start;
    if (*start == '\0') {
        reader->token.kind = KI_TOKEN_END;
        reader->next = start;
    } else if (token_is_letter(*start)) {
        reader->token.kind = KI_TOKEN_WORD;
        reader->next = token_skip_argument(token_skip_word(start));
    } else if (token_is_digit(*start) || *start == '.' || *start == '+' || *start == '-') {
        reader->token.kind = KI_TOKEN_NUMBER;
        reader->next = token_skip_number(start);
    } else if (*start == '\'' || *start == '"') {
        KI_TRY(token_quoted(reader, start));
    } else if (token_is_control(*start)) {
        return ki_text_fail(reader, start, "expected text, found the byte 0x%02x",
                            (unsigned char)*start);
    } else {
        reader->token.kind = KI_TOKEN_MARK;
        reader->next = start + 1;
    }
    reader->token.length = (size_t)(reader->next - start);
    return KITH_OK;
}

KI_RARE bool ki_text_is(const ki_text_reader *reader, const char *token)
{
    return reader->token.length == strlen(token) &&
           memcmp(reader->token.start, token, reader->token.length) == 0;
}

KI_RARE bool ki_text_is_word(const char *name)
{
    return token_is_letter(*name) && *token_skip_word(name) == '\0';
}

/* ---- Quoted bytes */

KI_RARE static int token_hex_digit(char c)
{
    return token_is_digit(c)        ? c - '0'
           : (c >= 'a' && c <= 'f') ? c - 'a' + 10
           : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                    : -1;
}

/* Resolves the escape whose backslash stands before `c`; the place behind it, or NULL. */
KI_RARE static const char *token_unescape(const char *c, char *byte)
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

KI_RARE kith_result ki_text_unquote(ki_text_reader *reader, char *bytes, size_t capacity,
                                    size_t *count)
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
                return ki_text_fail(reader, start,
                                    "expected one of n t 0 \\ ' \" or x and two hexadecimal digits"
                                    " behind \\");
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
