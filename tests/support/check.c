#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

static const char *current_note;

static void print_and_abort(const char *file, int line, const char *message)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, message);
    abort();
}

void (*test_on_failure)(const char *file, int line, const char *message) = print_and_abort;

void test_note(const char *note)
{
    current_note = note;
}

bool test_row(size_t i, size_t count)
{
    static char row[32];
    snprintf(row, sizeof(row), "row %zu", i);
    current_note = i < count ? row : NULL;
    return i < count;
}

/* Bytes that a terminal would obey: what a test quotes may move its cursor, or change its modes. */
static void escape_controls(char *to, size_t size, const char *from)
{
    size_t length = 0;
    for (; *from != '\0' && length + sizeof("\\x1b") <= size; from++) {
        unsigned char byte = (unsigned char)*from;
        bool obeyed = (byte < 0x20 && byte != '\n') || byte == 0x7f;
        length += (size_t)snprintf(to + length, size - length, obeyed ? "\\x%02x" : "%c", byte);
    }
    to[length] = '\0';
}

_Noreturn void test_fail(const char *file, int line, const char *format, ...)
{
    char message[2048];
    char plain[2 * sizeof(message)];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    if (current_note != NULL && length >= 0 && (size_t)length < sizeof(message)) {
        snprintf(message + length, sizeof(message) - (size_t)length, " [%s]", current_note);
    }
    escape_controls(plain, sizeof(plain), message);
    test_on_failure(file, line, plain);
    abort();
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && *value != '\0' && strcmp(value, "0") != 0;
}

bool test_long(void)
{
    return is_set("KITH_TEST_LONG");
}

bool test_short(void)
{
    return is_set("KITH_TEST_SHORT");
}

uint64_t test_number(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text != NULL && *text != '\0' ? strtoull(text, NULL, 10) : otherwise;
}

const char *layout_name(kith_layout layout)
{
    static const char *const names[LAYOUT_COUNT] = {"table", "sparse", "slot"};
    return (unsigned)layout < LAYOUT_COUNT ? names[layout] : "no layout";
}

void test_check_int(const char *file, int line, const char *a_text, const char *b_text, int64_t a,
                    int64_t b)
{
    if (a != b) {
        test_fail(file, line, "%s is %" PRId64 ", but %s is %" PRId64, a_text, a, b_text, b);
    }
}

void test_check_uint(const char *file, int line, const char *a_text, const char *b_text, uint64_t a,
                     uint64_t b)
{
    if (a != b) {
        test_fail(file, line, "%s is %" PRIu64 ", but %s is %" PRIu64, a_text, a, b_text, b);
    }
}

void test_check_float(const char *file, int line, const char *a_text, const char *b_text, double a,
                      double b)
{
    if (!(a == b)) {
        test_fail(file, line, "%s is %.9g, but %s is %.9g", a_text, a, b_text, b);
    }
}

static const char *shown(const char *text)
{
    return text != NULL ? text : "(NULL)";
}

void test_check_str(const char *file, int line, const char *a_text, const char *b_text,
                    const char *a, const char *b)
{
    if (a == NULL || b == NULL ? a != b : strcmp(a, b) != 0) {
        test_fail(file, line, "%s is \"%s\", but %s is \"%s\"", a_text, shown(a), b_text, shown(b));
    }
}

void test_check_contains(const char *file, int line, const char *text_text, const char *text,
                         const char *part)
{
    if (text == NULL || strstr(text, part) == NULL) {
        test_fail(file, line, "%s is \"%s\", which does not contain \"%s\"", text_text, shown(text),
                  part);
    }
}

void test_check_same(const char *file, int line, const char *a_text, const char *b_text,
                     kith_entity a, kith_entity b)
{
    if (!kith_entity_equal(a, b)) {
        test_fail(file, line, "%s is %s, but %s is %s", a_text, kith_entity_to_text(a).text, b_text,
                  kith_entity_to_text(b).text);
    }
}

void test_check_result(const char *file, int line, const char *text, kith_result result,
                       kith_result expected)
{
    if (result != expected) {
        test_fail(file, line, "%s is %s, not %s", text, kith_result_name(result),
                  kith_result_name(expected));
    }
}

void test_check_world(const char *file, int line, kith_world *world)
{
    kith_result result = kith_world_check(world);
    if (result != KITH_OK) {
        test_fail(file, line, "kith_world_check: %s: %s", kith_result_name(result),
                  kith_error(world));
    }
}
