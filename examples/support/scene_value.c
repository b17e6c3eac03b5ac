#include "scene_value.h"

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is being read: for messages, and where it goes. */
typedef struct value_target {
    scene_draft *draft;
    const kith_type *type;
    const kith_field *field;
    char *bytes; /* of the whole value */
    size_t byte; /* where in them the next part goes */
} value_target;

/* More bytes than any locale has in its decimal point. */
#define MOST_POINT 64

#define TARGET_FORMAT "%s.%s"
#define TARGET_NAMES(target) (target)->type->name, (target)->field->name

/* ---- Whole numbers ------------------------------------------------------------------------- */

typedef struct integer_range {
    uint64_t least; /* how far below zero it may be */
    uint64_t most;
} integer_range;

static integer_range range_of(kith_kind kind)
{
    switch (kind) {
    case KITH_I8: return (integer_range){ (uint64_t)INT8_MAX + 1, INT8_MAX };
    case KITH_I16: return (integer_range){ (uint64_t)INT16_MAX + 1, INT16_MAX };
    case KITH_I32: return (integer_range){ (uint64_t)INT32_MAX + 1, INT32_MAX };
    case KITH_I64: return (integer_range){ (uint64_t)INT64_MAX + 1, INT64_MAX };
    case KITH_U16: return (integer_range){ 0, UINT16_MAX };
    case KITH_U32: return (integer_range){ 0, UINT32_MAX };
    case KITH_U64: return (integer_range){ 0, UINT64_MAX };
    default: return (integer_range){ 0, UINT8_MAX }; /* KITH_U8, KITH_BYTES */
    }
}

/* Reads digits of a base up to `end`; false if there are none, others, or too many for 64 bits. */
static bool read_digits(const char *c, const char *end, uint64_t base, uint64_t *number)
{
    *number = 0;
    if (c == end) {
        return false;
    }
    for (; c < end; c++) {
        uint64_t digit = *c >= '0' && *c <= '9'   ? (uint64_t)(*c - '0')
                         : *c >= 'a' && *c <= 'f' ? (uint64_t)(*c - 'a') + 10
                         : *c >= 'A' && *c <= 'F' ? (uint64_t)(*c - 'A') + 10
                                                  : base;
        if (digit >= base || *number > (UINT64_MAX - digit) / base) {
            return false;
        }
        *number = *number * base + digit;
    }
    return true;
}

static bool read_integer(scene_token token, integer_range range, uint64_t *bits)
{
    if (token.kind != SCENE_NUMBER) {
        return false;
    }
    const char *c = token.start;
    const char *end = token.start + token.length;
    bool negative = *c == '-';
    if (*c == '-' || *c == '+') {
        c++;
    }
    uint64_t base = 10;
    if (end - c > 2 && c[0] == '0' && (c[1] == 'x' || c[1] == 'X')) {
        base = 16;
        c += 2;
    }
    uint64_t magnitude;
    if (!read_digits(c, end, base, &magnitude) ||
        magnitude > (negative ? range.least : range.most)) {
        return false;
    }
    *bits = negative ? 0 - magnitude : magnitude;
    return true;
}

/* Two's complement: the low bits of the number are the number in fewer bits. */
static void store_integer(char *bytes, uint32_t size, uint64_t bits)
{
    const uint8_t u8 = (uint8_t)bits;
    const uint16_t u16 = (uint16_t)bits;
    const uint32_t u32 = (uint32_t)bits;
    switch (size) {
    case 1: memcpy(bytes, &u8, size); break;
    case 2: memcpy(bytes, &u16, size); break;
    case 4: memcpy(bytes, &u32, size); break;
    default: memcpy(bytes, &bits, sizeof bits); break;
    }
}

static kith_result read_whole(scene_reader *reader, const value_target *target, uint32_t size)
{
    integer_range range = range_of(target->field->kind);
    uint64_t bits;
    if (!read_integer(reader->token, range, &bits)) {
        return scene_expected(reader,
                              "a whole number from %s%" PRIu64 " to %" PRIu64
                              " for " TARGET_FORMAT,
                              range.least > 0 ? "-" : "", range.least, range.most,
                              TARGET_NAMES(target));
    }
    store_integer(target->bytes + target->byte, size, bits);
    return KITH_OK;
}

/* ---- Numbers with fractions ------------------------------------------------------------------ */

static const char *skip_digits(const char *c, const char *end, size_t *count)
{
    const char *start = c;
    while (c < end && *c >= '0' && *c <= '9') {
        c++;
    }
    *count += (size_t)(c - start);
    return c;
}

/* The grammar is ours, so that what strtod knows besides (inf, nan, hexadecimal) stays out. */
static bool is_decimal(scene_token token)
{
    if (token.kind != SCENE_NUMBER) {
        return false;
    }
    const char *c = token.start;
    const char *end = token.start + token.length;
    size_t digits = 0;
    if (*c == '-' || *c == '+') {
        c++;
    }
    c = skip_digits(c, end, &digits);
    if (c < end && *c == '.') {
        c = skip_digits(c + 1, end, &digits);
    }
    if (digits > 0 && c < end && (*c == 'e' || *c == 'E')) {
        c++;
        if (c < end && (*c == '-' || *c == '+')) {
            c++;
        }
        digits = 0;
        c = skip_digits(c, end, &digits);
    }
    return digits > 0 && c == end;
}

/* strtod reads the point that the host's locale has. `text` has room for the longest token and point. */
static void localize(scene_token token, char *text)
{
    const char *dot = memchr(token.start, '.', token.length);
    size_t before = dot != NULL ? (size_t)(dot - token.start) : token.length;
    memcpy(text, token.start, before);
    text += before;
    if (dot != NULL) {
        const char *point = localeconv()->decimal_point;
        size_t behind = token.length - before - 1;
        memcpy(text, point, strlen(point));
        text += strlen(point);
        memcpy(text, dot + 1, behind);
        text += behind;
    }
    *text = '\0';
}

static kith_result read_real(scene_reader *reader, const value_target *target)
{
    bool narrow = target->field->kind == KITH_F32;
    char text[SCENE_MAX_LINE + MOST_POINT];
    if (!is_decimal(reader->token)) {
        return scene_expected(reader, "a number for " TARGET_FORMAT, TARGET_NAMES(target));
    }
    localize(reader->token, text);
    float f32 = narrow ? strtof(text, NULL) : 0;
    double f64 = narrow ? (double)f32 : strtod(text, NULL);
    if (!isfinite(f64)) {
        return scene_expected(reader, "a number from %.9g to %.9g for " TARGET_FORMAT,
                              narrow ? -(double)FLT_MAX : -DBL_MAX,
                              narrow ? (double)FLT_MAX : DBL_MAX, TARGET_NAMES(target));
    }
    memcpy(target->bytes + target->byte, narrow ? (const void *)&f32 : (const void *)&f64,
           narrow ? sizeof f32 : sizeof f64);
    return KITH_OK;
}

/* ---- The rest ------------------------------------------------------------------------------ */

static kith_result read_bool(scene_reader *reader, const value_target *target)
{
    bool value = scene_is(reader->token, "true");
    if (!value && !scene_is(reader->token, "false")) {
        return scene_expected(reader, "true or false for " TARGET_FORMAT, TARGET_NAMES(target));
    }
    memcpy(target->bytes + target->byte, &value, sizeof value);
    return KITH_OK;
}

static kith_result read_character(scene_reader *reader, const value_target *target)
{
    size_t count = 0;
    if (reader->token.kind == SCENE_CHAR) {
        kith_result result =
            scene_unquote(reader, reader->token, target->bytes + target->byte, 1, &count);
        if (result != KITH_OK) {
            return result;
        }
    }
    if (count != 1) {
        return scene_expected(reader, "a character of one byte, like '@', for " TARGET_FORMAT,
                              TARGET_NAMES(target));
    }
    return KITH_OK;
}

static kith_result read_text(scene_reader *reader, const value_target *target)
{
    uint32_t size = target->field->size;
    size_t count = 0;
    if (reader->token.kind != SCENE_TEXT) {
        return scene_expected(reader, "a text in \" for " TARGET_FORMAT, TARGET_NAMES(target));
    }
    kith_result result =
        scene_unquote(reader, reader->token, target->bytes + target->byte, size, &count);
    if (result != KITH_OK) {
        return result;
    }
    if (count > size) {
        return scene_fail(reader, reader->token.start,
                          "expected a text of at most %" PRIu32 " bytes for " TARGET_FORMAT
                          ", found one of %zu",
                          size, TARGET_NAMES(target), count);
    }
    return KITH_OK;
}

static kith_result read_entity(scene_reader *reader, const value_target *target)
{
    if (reader->token.kind != SCENE_WORD) {
        return scene_expected(reader, "the name of an entity, or none, for " TARGET_FORMAT,
                              TARGET_NAMES(target));
    }
    if (scene_is(reader->token, "none")) {
        return KITH_OK;
    }
    draft_reference *reference =
        scene_list_add(&target->draft->references, 1, sizeof *reference);
    if (reference == NULL) {
        return KITH_ERR_MEMORY;
    }
    *reference = (draft_reference){
        .name = reader->token,
        .line = reader->line_number,
        .column = (uint32_t)(reader->token.start - reader->line) + 1,
        .entity = (uint32_t)target->draft->entities.count - 1,
        .type = target->type,
        .field = target->field,
        .byte = target->byte,
    };
    return KITH_OK;
}

static kith_result read_one(scene_reader *reader, const value_target *target, uint32_t size)
{
    switch (target->field->kind) {
    case KITH_BOOL: return read_bool(reader, target);
    case KITH_CHAR: return read_character(reader, target);
    case KITH_F32:
    case KITH_F64: return read_real(reader, target);
    case KITH_ENTITY: return read_entity(reader, target);
    default: return read_whole(reader, target, size);
    }
}

/* [1, 2, 3]: neither more nor less than the field holds. */
static kith_result read_list(scene_reader *reader, value_target *target, uint32_t size)
{
    uint32_t length = target->field->size / size;
    if (!scene_is(reader->token, "[")) {
        return scene_expected(reader, "a list in [ ] of %" PRIu32 " values for " TARGET_FORMAT,
                              length, TARGET_NAMES(target));
    }
    for (uint32_t i = 0; i < length; i++) {
        kith_result result = scene_next(reader);
        if (result != KITH_OK) {
            return result;
        }
        result = read_one(reader, target, size);
        if (result != KITH_OK) {
            return result;
        }
        target->byte += size;
        result = scene_next(reader);
        if (result != KITH_OK) {
            return result;
        }
        const char *mark = i + 1 < length ? "," : "]";
        if (!scene_is(reader->token, mark)) {
            return scene_expected(reader,
                                  "\"%s\" behind value %" PRIu32 " of %" PRIu32
                                  " for " TARGET_FORMAT,
                                  mark, i + 1, length, TARGET_NAMES(target));
        }
    }
    return KITH_OK;
}

kith_result scene_read_value(scene_draft *draft, scene_reader *reader, const kith_type *type,
                             const kith_field *field, char *bytes)
{
    value_target target = { draft, type, field, bytes, field->offset };
    uint32_t size = kith_kind_size(field->kind);
    kith_result result;
    if (field->kind == KITH_CHAR && field->size > size) {
        result = read_text(reader, &target);
    } else if (field->size > size) {
        result = read_list(reader, &target, size);
    } else {
        result = read_one(reader, &target, size);
    }
    return result == KITH_OK ? scene_next(reader) : result;
}
