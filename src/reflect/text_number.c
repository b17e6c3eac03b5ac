/* Numbers to text and back. The C library does the rounding. Its decimal point depends on the
 * locale, so texts that it reads or writes here have none. */
#include <kith/floats.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reflect/text.h"

/* So many digits tell any double from its neighbours. Of further digits it only matters whether all are
 * zero. */
#define NUMBER_DIGITS 800u

#define NUMBER_NAN32 UINT32_C(0x7fc00000)
#define NUMBER_NAN64 UINT64_C(0x7ff8000000000000)

/* ---- Whole numbers */

typedef struct number_range {
    uint64_t least; /* magnitude of the lowest number */
    uint64_t most;
} number_range;

static number_range number_range_of(kith_kind kind)
{
    switch (kind) {
    case KITH_I8: return (number_range){(uint64_t)INT8_MAX + 1, INT8_MAX};
    case KITH_I16: return (number_range){(uint64_t)INT16_MAX + 1, INT16_MAX};
    case KITH_I32: return (number_range){(uint64_t)INT32_MAX + 1, INT32_MAX};
    case KITH_I64: return (number_range){(uint64_t)INT64_MAX + 1, INT64_MAX};
    case KITH_U16: return (number_range){0, UINT16_MAX};
    case KITH_U32: return (number_range){0, UINT32_MAX};
    case KITH_U64: return (number_range){0, UINT64_MAX};
    default: return (number_range){0, UINT8_MAX}; /* KITH_U8, KITH_BYTES */
    }
}

/* Reads the whole text as digits of a base; false if it is empty, has anything else, or does not
 * fit into 64 bits. */
static bool number_digits(const char *c, const char *end, uint64_t base, uint64_t *number)
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

/* Stores the low `size` bytes of a number: in two's complement, the same number in fewer bits. */
static void number_store(void *bytes, uint32_t size, uint64_t bits)
{
    const uint8_t u8 = (uint8_t)bits;
    const uint16_t u16 = (uint16_t)bits;
    const uint32_t u32 = (uint32_t)bits;
    if (bytes != NULL) {
        memcpy(bytes,
               size == 1   ? (const void *)&u8
               : size == 2 ? (const void *)&u16
               : size == 4 ? (const void *)&u32
                           : &bits,
               size);
    }
}

static uint64_t number_load(const void *bytes, uint32_t size)
{
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    switch (size) {
    case 1: return memcpy(&u8, bytes, size), u8;
    case 2: return memcpy(&u16, bytes, size), u16;
    case 4: return memcpy(&u32, bytes, size), u32;
    default: return memcpy(&u64, bytes, sizeof u64), u64;
    }
}

static bool number_parse_whole(kith_kind kind, const char *c, const char *end, void *bytes)
{
    number_range range = number_range_of(kind);
    bool negative = c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+')) {
        c++;
    }
    bool hex = end - c > 2 && c[0] == '0' && (c[1] == 'x' || c[1] == 'X');
    uint64_t magnitude;
    if (!number_digits(hex ? c + 2 : c, end, hex ? 16 : 10, &magnitude) ||
        magnitude > (negative ? range.least : range.most)) {
        return false;
    }
    number_store(bytes, kith_kind_size(kind), negative ? 0 - magnitude : magnitude);
    return true;
}

static void number_print_whole(kith_kind kind, const void *bytes, char *text)
{
    uint32_t size = kith_kind_size(kind);
    uint64_t bits = number_load(bytes, size);
    number_range range = number_range_of(kind);
    if (kind == KITH_BYTES) {
        snprintf(text, KI_NUMBER_TEXT, "0x%02x", (unsigned)bits);
    } else if (range.least != 0 && bits > range.most) {
        /* Negative: its magnitude is 2^bits minus the bits. */
        snprintf(text, KI_NUMBER_TEXT, "-%" PRIu64, range.least - (bits - range.least));
    } else {
        snprintf(text, KI_NUMBER_TEXT, "%" PRIu64, bits);
    }
}

/* ---- Decimals */

/* The number `digits` times ten to the power of `exponent`. */
typedef struct number_decimal {
    bool negative;
    bool fraction; /* the digits to come are after the point */
    bool rest;     /* digits that were left out are not all zero */
    uint32_t count;
    int64_t exponent;
    char digits[NUMBER_DIGITS];
} number_decimal;

static void number_add_digit(number_decimal *decimal, char digit)
{
    bool leading = decimal->count == 0 && digit == '0';
    if (leading || decimal->count < NUMBER_DIGITS) {
        decimal->exponent -= decimal->fraction;
    } else {
        decimal->rest = decimal->rest || digit != '0';
        decimal->exponent += !decimal->fraction;
    }
    if (!leading && decimal->count < NUMBER_DIGITS) {
        decimal->digits[decimal->count++] = digit;
    }
}

/* Reads [+-] digits [. digits]; one of the two groups of digits may be missing. The place after it, or
 * NULL. */
static const char *number_mantissa(const char *c, const char *end, number_decimal *decimal)
{
    bool any = false;
    if (c < end && (*c == '-' || *c == '+')) {
        decimal->negative = *c++ == '-';
    }
    for (; c < end && ((*c >= '0' && *c <= '9') || (*c == '.' && !decimal->fraction)); c++) {
        if (*c == '.') {
            decimal->fraction = true;
        } else {
            number_add_digit(decimal, *c);
            any = true;
        }
    }
    return any ? c : NULL;
}

/* Reads [e [+-] digits] up to the end; false for anything else. */
static bool number_exponent(const char *c, const char *end, number_decimal *decimal)
{
    if (c == end) {
        return true;
    }
    if (*c != 'e' && *c != 'E') {
        return false;
    }
    c++;
    bool negative = c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+')) {
        c++;
    }
    if (c == end) {
        return false;
    }
    int64_t exponent = 0;
    for (; c < end; c++) {
        if (*c < '0' || *c > '9') {
            return false;
        }
        /* Larger exponents decide alone: no mantissa that fits into memory makes up for them. */
        exponent = exponent > INT64_MAX / 100 ? exponent : exponent * 10 + (*c - '0');
    }
    decimal->exponent += negative ? -exponent : exponent;
    return true;
}

static void number_store_float(void *bytes, const void *value, size_t size)
{
    if (bytes != NULL) {
        memcpy(bytes, value, size);
    }
}

/* Rounds to the nearest value of the kind; false if that is infinite. */
static bool number_round(const number_decimal *decimal, kith_kind kind, void *bytes)
{
    char text[NUMBER_DIGITS + 32];
    size_t length = 0;
    int64_t exponent = decimal->exponent;
    text[length++] = decimal->negative ? '-' : '+';
    memcpy(text + length, decimal->digits, decimal->count);
    length += decimal->count;
    if (decimal->count == 0 || decimal->rest) {
        text[length++] = decimal->rest ? '1' : '0';
        exponent -= 1;
    }
    exponent = decimal->count == 0  ? 0
               : exponent > 100000  ? 100000
               : exponent < -100000 ? -100000
                                    : exponent;
    snprintf(text + length, sizeof text - length, "e%d", (int)exponent);
    float f32 = kind == KITH_F32 ? strtof(text, NULL) : 0;
    double f64 = kind == KITH_F32 ? (double)f32 : strtod(text, NULL);
    if (fabs(f64) > DBL_MAX) {
        return false;
    }
    number_store_float(bytes, kind == KITH_F32 ? (const void *)&f32 : &f64, kith_kind_size(kind));
    return true;
}

/* ---- Floats */

static bool number_is(const char *c, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - c) == length && memcmp(c, word, length) == 0;
}

static uint64_t number_infinity(kith_kind kind)
{
    return kind == KITH_F32 ? UINT64_C(0x7f800000) : UINT64_C(0x7ff0000000000000);
}

static uint64_t number_sign(kith_kind kind)
{
    return kind == KITH_F32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
}

/* Reads inf, -inf, nan, and nan(0x7fc00001) with all of its bits. */
static bool number_parse_special(kith_kind kind, const char *c, const char *end, uint64_t *bits)
{
    uint64_t infinity = number_infinity(kind);
    uint64_t sign = number_sign(kind);
    if (number_is(c, end, "inf") || number_is(c, end, "+inf")) {
        *bits = infinity;
        return true;
    }
    if (number_is(c, end, "-inf")) {
        *bits = infinity | sign;
        return true;
    }
    if (number_is(c, end, "nan")) {
        *bits = kind == KITH_F32 ? NUMBER_NAN32 : NUMBER_NAN64;
        return true;
    }
    if (end - c < 8 || memcmp(c, "nan(0x", 6) != 0 || end[-1] != ')') {
        return false;
    }
    return number_digits(c + 6, end - 1, 16, bits) && *bits <= (sign | (sign - 1)) &&
           (*bits & (sign - 1)) > infinity;
}

/* 10^22 is the highest power of ten that a double holds exactly. */
static const double number_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* If a double holds both the digits and the power of ten exactly, one multiplication or division
 * rounds as strtod does, and is many times faster (W. Clinger, How to read floating point numbers
 * accurately, 1990). Rounding that double to a float gives the nearest float, except half-way
 * between two floats. */
static bool number_round_exact(const number_decimal *decimal, kith_kind kind, void *bytes)
{
    int64_t power = decimal->exponent < 0 ? -decimal->exponent : decimal->exponent;
    if (FLT_EVAL_METHOD != 0 || decimal->count > 15 || power > 22) {
        return false;
    }
    uint64_t mantissa = 0;
    for (uint32_t i = 0; i < decimal->count; i++) {
        mantissa = mantissa * 10 + (uint64_t)(decimal->digits[i] - '0');
    }
    double ten = number_powers[power];
    double f64 = decimal->exponent < 0 ? (double)mantissa / ten : (double)mantissa * ten;
    uint64_t bits;
    memcpy(&bits, &f64, sizeof bits);
    f64 = decimal->negative ? -f64 : f64;
    if (kind == KITH_F64) {
        number_store_float(bytes, &f64, sizeof f64);
        return true;
    }
    bool half_way = (bits & 0x1fffffff) == 0x10000000;
    bool normal = bits == 0 || (fabs(f64) >= (double)FLT_MIN && fabs(f64) <= 1e30);
    float f32 = (float)f64;
    if (!half_way && normal) {
        number_store_float(bytes, &f32, sizeof f32);
    }
    return !half_way && normal;
}

static bool number_parse_real(kith_kind kind, const char *c, const char *end, void *bytes)
{
    uint64_t bits;
    bool may_be = c < end && (end[-1] == 'f' || end[-1] == 'n' || end[-1] == ')');
    if (may_be && number_parse_special(kind, c, end, &bits)) {
        number_store(bytes, kith_kind_size(kind), bits);
        return true;
    }
    number_decimal decimal;
    decimal.negative = decimal.fraction = decimal.rest = false;
    decimal.count = 0;
    decimal.exponent = 0;
    c = number_mantissa(c, end, &decimal);
    return c != NULL && number_exponent(c, end, &decimal) &&
           (number_round_exact(&decimal, kind, bytes) || number_round(&decimal, kind, bytes));
}

/* The shortest digits of numbers that have few, which most have: a whole number of tenths,
 * hundredths and so on. This is many times faster than the C library. 0 if the value is not one of
 * those. The limits keep each step exact, or far from where a wrong rounding would show. */
static int number_short(kith_kind kind, double value, char digits[24], int *exponent)
{
    bool narrow = kind == KITH_F32;
    const double limit = narrow ? 0x1p24 : 0x1p43;
    for (int places = 0; FLT_EVAL_METHOD == 0 && places <= 10; places++) {
        double ten = number_powers[places];
        double scaled = value * ten;
        if (scaled >= limit) {
            return 0;
        }
        double whole = (double)(uint64_t)(scaled + 0.5);
        double back = narrow ? (double)((float)whole / (float)ten) : whole / ten;
        if (back == value && whole != 0) {
            int count = snprintf(digits, 24, "%" PRIu64, (uint64_t)whole);
            *exponent = count - 1 - places;
            return count;
        }
    }
    return 0;
}

/* Finds the fewest digits that read back as the value; returns their number. */
static int number_shortest(kith_kind kind, double value, char digits[24], int *exponent)
{
    int most = kind == KITH_F32 ? 9 : 17;
    int few = number_short(kind, value, digits, exponent);
    if (few != 0) {
        return few;
    }
    for (int count = 1;; count++) {
        char text[64];
        char whole[64];
        int length = 0;
        snprintf(text, sizeof text, "%.*e", count - 1, value);
        const char *c = text;
        for (; *c != 'e'; c++) {
            if (*c >= '0' && *c <= '9' && length < 17) {
                digits[length++] = *c;
            }
        }
        digits[length] = '\0';
        *exponent = (int)strtol(c + 1, NULL, 10);
        snprintf(whole, sizeof whole, "%se%d", digits, *exponent - (count - 1));
        double back = kind == KITH_F32 ? (double)strtof(whole, NULL) : strtod(whole, NULL);
        if (back == value || count == most) {
            return count;
        }
    }
}

/* Numbers from 0.0001 to below 1e+20 are written without an exponent. */
static void number_print_finite(kith_kind kind, double value, bool negative, char *text)
{
    char digits[24];
    int exponent;
    const char *sign = negative ? "-" : "";
    int count = number_shortest(kind, value, digits, &exponent);
    if (exponent == count - 1) {
        snprintf(text, KI_NUMBER_TEXT, "%s%s", sign, digits);
    } else if (exponent >= count - 1 && exponent < 20) {
        snprintf(text, KI_NUMBER_TEXT, "%s%.0f", sign, value);
    } else if (exponent >= 0 && exponent < 20) {
        snprintf(text, KI_NUMBER_TEXT, "%s%.*s.%s", sign, exponent + 1, digits,
                 digits + exponent + 1);
    } else if (exponent >= -4 && exponent < 0) {
        snprintf(text, KI_NUMBER_TEXT, "%s0.%.*s%s", sign, -exponent - 1, "000", digits);
    } else {
        snprintf(text, KI_NUMBER_TEXT, "%s%c%s%se%+03d", sign, digits[0], count > 1 ? "." : "",
                 digits + 1, exponent);
    }
}

static void number_print_real(kith_kind kind, const void *bytes, char *text)
{
    uint64_t bits = number_load(bytes, kith_kind_size(kind));
    bool negative = (bits & number_sign(kind)) != 0;
    uint64_t magnitude = bits & ~number_sign(kind);
    if (magnitude > number_infinity(kind)) {
        if (bits == (kind == KITH_F32 ? NUMBER_NAN32 : NUMBER_NAN64)) {
            snprintf(text, KI_NUMBER_TEXT, "nan");
        } else {
            snprintf(text, KI_NUMBER_TEXT, "nan(0x%0*" PRIx64 ")", kind == KITH_F32 ? 8 : 16, bits);
        }
    } else if (magnitude == number_infinity(kind)) {
        snprintf(text, KI_NUMBER_TEXT, negative ? "-inf" : "inf");
    } else {
        float f32 = 0;
        double f64 = 0;
        number_store(kind == KITH_F32 ? (void *)&f32 : &f64, kith_kind_size(kind), magnitude);
        f64 = kind == KITH_F32 ? (double)f32 : f64;
        number_print_finite(kind, f64, negative, text);
    }
}

/* ---- All kinds */

void ki_number_print(kith_kind kind, const void *bytes, char text[KI_NUMBER_TEXT])
{
    (kind == KITH_F32 || kind == KITH_F64 ? number_print_real : number_print_whole)(kind, bytes,
                                                                                    text);
}

bool ki_number_parse(kith_kind kind, const char *text, size_t length, void *bytes)
{
    return (kind == KITH_F32 || kind == KITH_F64 ? number_parse_real : number_parse_whole)(
        kind, text, text + length, bytes);
}

void ki_number_expected(kith_kind kind, char *text, size_t size)
{
    if (kind == KITH_F32 || kind == KITH_F64) {
        snprintf(text, size, "a number of at most %s", kind == KITH_F32 ? "3.4e38" : "1.7e308");
        return;
    }
    number_range range = number_range_of(kind);
    snprintf(text, size, "a whole number from %s%" PRIu64 " to %" PRIu64,
             range.least > 0 ? "-" : "", range.least, range.most);
}
