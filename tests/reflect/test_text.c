/* Values as text, and back: to the byte, whatever the locale. */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "kinds.h"
#include "random.h"
#include "test.h"

typedef struct Real32 {
    float v;
} Real32;
KITH_TYPE(Real32, KITH_FIELD(Real32, v));

typedef struct Real64 {
    double v;
} Real64;
KITH_TYPE(Real64, KITH_FIELD(Real64, v));

typedef struct Word {
    char v[8];
} Word;
KITH_TYPE(Word, KITH_FIELD(Word, v));

typedef struct Letter {
    char v;
} Letter;
KITH_TYPE(Letter, KITH_FIELD(Letter, v));

/* Prints a value, compares it, and reads it back. */
static void check_text(fixture *f, const kith_type *type, const void *value, const char *expected)
{
    static char text[4096];
    static unsigned char back[512];
    CHECK(type->size < sizeof back);
    size_t length = kith_print_value(f->world, type, value, text, sizeof text);
    CHECK_UINT(length, strlen(text));
    test_note(text);
    if (expected != NULL) {
        CHECK_STR(text, expected);
    }
    memset(back, 0x55, sizeof back);
    CHECK_RESULT(kith_parse_value(f->world, type, text, back), KITH_OK);
    CHECK(type->size == 0 || memcmp(back, value, type->size) == 0);
    CHECK_UINT(back[type->size], 0x55);
    test_note(NULL);
}

static const Kinds kinds = {.i8 = -128,
                            .u8 = 255,
                            .i16 = -1,
                            .u16 = 65535,
                            .i32 = INT32_MIN,
                            .u32 = UINT32_MAX,
                            .i64 = INT64_MIN,
                            .u64 = UINT64_MAX,
                            .f32 = 0.1f,
                            .f64 = 0.1,
                            .entity = {3, 1},
                            .flag = true,
                            .letter = '\'',
                            .byte = 200,
                            .text = "a \"b\"\n",
                            .numbers = {1, -2, 3},
                            .reals = {-0.0, 1e300},
                            .entities = {{0, 0}, {0, 7}},
                            .flags = {true, false, true},
                            .bytes = {0, 1, 255}};
static const char kinds_text[] =
    "{ i8 = -128, u8 = 255, i16 = -1, u16 = 65535, i32 = -2147483648, u32 = 4294967295,"
    " i64 = -9223372036854775808, u64 = 18446744073709551615, f32 = 0.1, f64 = 0.1,"
    " entity = Entity(2v1), flag = true, letter = '\\'', byte = 0xc8, text = \"a \\\"b\\\"\\n\","
    " numbers = [1, -2, 3], reals = [-0, 1e+300], entities = [Entity(null), Entity(~7)],"
    " flags = [true, false, true], bytes = [0x00, 0x01, 0xff] }";

TEST(every_kind_reads_back)
{
    fixture f = fixture_new();
    static Kinds value; /* padding is zero, which a copy need not be */
    memcpy(&value, &kinds, sizeof value);
    CHECK_RESULT(kith_parse_value(f.world, &Kinds_type, kinds_text, &value), KITH_OK);
    check_text(&f, &Kinds_type, &value, kinds_text);
    memset(&value, 0, sizeof value);
    check_text(&f, &Kinds_type, &value, NULL);
    /* A type that the world knows is as good. */
    CHECK_RESULT(kith_register(f.world, &Kinds_type, NULL), KITH_OK);
    check_text(&f, &Kinds_type, &value, NULL);
    check_text(&f, &Frozen_type, NULL, "{ }");
    fixture_free(&f);
}

/* ---- Text that is too long for its place ------------------------------------------------------ */

TEST(text_is_cut_off_where_there_is_no_room)
{
    fixture f = fixture_new();
    const Position position = {1, -2.5f};
    static const char whole[] = "{ x = 1, y = -2.5 }";
    CHECK_UINT(kith_print_value(f.world, &Position_type, &position, NULL, 0), sizeof whole - 1);
    CHECK_UINT(kith_print_value(f.world, &Position_type, &position, NULL, 10), sizeof whole - 1);
    for (size_t size = 0; size < sizeof whole + 3; size++) {
        char text[sizeof whole + 8];
        memset(text, '~', sizeof text);
        CHECK_UINT(kith_print_value(f.world, &Position_type, &position, text, size),
                   sizeof whole - 1);
        size_t kept = size == 0 ? 0 : size < sizeof whole ? size - 1 : sizeof whole - 1;
        CHECK(strncmp(text, whole, kept) == 0);
        if (size != 0) {
            CHECK(text[kept] == '\0');
        }
        CHECK(text[size] == '~' || size >= sizeof whole);
        CHECK(text[sizeof text - 1] == '~');
    }
    fixture_free(&f);
}

/* ---- Floats ---------------------------------------------------------------------------------- */

static void check_bits(fixture *f, uint64_t bits, const char *text32, const char *text64)
{
    const uint32_t low = (uint32_t)bits;
    float f32;
    double f64;
    memcpy(&f32, &low, sizeof f32);
    memcpy(&f64, &bits, sizeof f64);
    if (text32 != NULL) {
        check_text(f, &Real32_type, &f32, text32[0] == '\0' ? NULL : text32);
    }
    if (text64 != NULL) {
        check_text(f, &Real64_type, &f64, text64[0] == '\0' ? NULL : text64);
    }
}

static const struct {
    float value;
    const char *text;
} floats[] = {
    {0, "{ v = 0 }"},
    {-0.0f, "{ v = -0 }"},
    {1, "{ v = 1 }"},
    {113.333336f, "{ v = 113.333336 }"},
    {16777216, "{ v = 16777216 }"},
    {1e19f, "{ v = 9999999980506447872 }"},
    {1e20f, "{ v = 1e+20 }"},
    {0.0001f, "{ v = 0.0001 }"},
    {0.00001f, "{ v = 1e-05 }"},
    {0.25f, "{ v = 0.25 }"},
    {FLT_MAX, "{ v = 3.4028235e+38 }"},
    {FLT_TRUE_MIN, "{ v = 1e-45 }"},
    {-INFINITY, "{ v = -inf }"},
};

static const struct {
    double value;
    const char *text;
} doubles[] = {
    {0.1 + 0.2, "{ v = 0.30000000000000004 }"},
    {1.0 / 3, "{ v = 0.3333333333333333 }"},
    {123456789.125, "{ v = 123456789.125 }"},
    {DBL_MAX, "{ v = 1.7976931348623157e+308 }"},
    {DBL_TRUE_MIN, "{ v = 5e-324 }"},
    {-DBL_MIN, "{ v = -2.2250738585072014e-308 }"},
    {INFINITY, "{ v = inf }"},
};

static void check_floats(fixture *f)
{
    for (size_t i = 0; test_row(i, ROWS_OF(floats)); i++) {
        check_text(f, &Real32_type, &floats[i].value, floats[i].text);
    }
    for (size_t i = 0; test_row(i, ROWS_OF(doubles)); i++) {
        check_text(f, &Real64_type, &doubles[i].value, doubles[i].text);
    }
    check_bits(f, 0x7fc00000, "{ v = nan }", NULL);
    check_bits(f, 0xffc00000, "{ v = nan(0xffc00000) }", NULL);
    check_bits(f, 0x7f800001, "{ v = nan(0x7f800001) }", NULL);
    check_bits(f, UINT64_C(0x7ff8000000000000), NULL, "{ v = nan }");
    check_bits(f, UINT64_C(0xfff800000000beef), NULL, "{ v = nan(0xfff800000000beef) }");
}

TEST(floats_have_the_fewest_digits)
{
    fixture f = fixture_new();
    check_floats(&f);
    fixture_free(&f);
}

TEST_WITHIN(8, any_bits_of_a_float_read_back)
{
    fixture f = fixture_new();
    uint64_t random = 1;
    for (int i = 0; i < 4000; i++) {
        check_bits(&f, random_next(&random), "", "");
    }
    fixture_free(&f);
}

TEST(the_locale_does_not_matter)
{
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "C.UTF-8"};
    fixture f = fixture_new();
    for (size_t i = 0; test_row(i, ROWS_OF(locales)); i++) {
        if (setlocale(LC_ALL, locales[i]) != NULL) {
            check_floats(&f);
        }
    }
    setlocale(LC_ALL, "C");
    fixture_free(&f);
}

/* Reads a Real32 or a Real64. */
static void read_real(fixture *f, const kith_type *type, const char *digits, void *value)
{
    static char text[8192];
    snprintf(text, sizeof text, "{ v = %s }", digits);
    test_note(text);
    CHECK_RESULT(kith_parse_value(f->world, type, text, value), KITH_OK);
    test_note(NULL);
}

static double read_f64(fixture *f, const char *digits)
{
    double value = 77;
    read_real(f, &Real64_type, digits, &value);
    return value;
}

static float read_f32(fixture *f, const char *digits)
{
    float value = 77;
    read_real(f, &Real32_type, digits, &value);
    return value;
}

/* As the C library reads them, also with more digits than anybody writes. */
TEST(numbers_are_read_however_they_are_written)
{
    static const char *const same[] = {"1",
                                       "+1",
                                       "-1",
                                       "1.",
                                       ".5",
                                       "-.5",
                                       "00012.500",
                                       "1e3",
                                       "1E+3",
                                       "1.5e-3",
                                       "0.000",
                                       "0e999999999",
                                       "0.00000000000000000000000000000000000000000000001e40",
                                       "123456789012345678901234567890",
                                       "9007199254740993",
                                       "1e-400",
                                       "4.9e-324",
                                       "2.4703282292062327e-324",
                                       "1e308",
                                       "0.1000000000000000055511151231257827021181583404541015625"};
    fixture f = fixture_new();
    for (size_t i = 0; test_row(i, ROWS_OF(same)); i++) {
        double expected = strtod(same[i], NULL);
        CHECK(read_f64(&f, same[i]) == expected);
    }
    /* Half-way between 2^53 and the next double, and a little more, far behind. */
    static char many[4096];
    snprintf(many, sizeof many, "9007199254740993.%01500d1", 0);
    CHECK(read_f64(&f, many) == 9007199254740994.0);
    snprintf(many, sizeof many, "9007199254740993.%01500d", 0);
    CHECK(read_f64(&f, many) == 9007199254740992.0);
    snprintf(many, sizeof many, "1%01500de-1500", 0);
    CHECK(read_f64(&f, many) == 1);
    snprintf(many, sizeof many, "0.%01500d1e1501", 0);
    CHECK(read_f64(&f, many) == 1);
    CHECK(read_f64(&f, "+inf") == INFINITY);
    double nothing = read_f64(&f, "nan(0xFFF0000000000001)");
    CHECK(nothing != nothing);
    fixture_free(&f);
}

/* A decimal beside the middle between two floats may be the middle itself as a double, and would be
 * rounded the wrong way from there. With so few digits that nothing else is lost. */
TEST(numbers_beside_the_middle_of_two_floats_are_rounded_once)
{
    fixture f = fixture_new();
    uint64_t random = 7;
    for (int i = 0; i < 20000; i++) {
        int exponent = (int)random_below(&random, 120) - 60;
        double middle = ldexp((double)(random_below(&random, 1 << 23) + (1 << 23)) + 0.5, exponent);
        char digits[40];
        snprintf(digits, sizeof digits, "%.*e", 10 + i % 7, i % 2 == 0 ? middle : -middle);
        CHECK(read_f32(&f, digits) == strtof(digits, NULL));
    }
    fixture_free(&f);
}

/* ---- Text in quotes -------------------------------------------------------------------------- */

static const struct {
    Word word;
    const char *text;
} words[] = {
    {{""}, "{ v = \"\" }"},
    {{{'f', 'u', 'l', 'l', '8', '8', '8', '8'}}, "{ v = \"full8888\" }"},
    {{"a\0b"}, "{ v = \"a\\0b\" }"},
    {{"\0\0001"}, "{ v = \"\\0\\01\" }"},
    {{"\t\n\r\x1b\x7f"}, "{ v = \"\\t\\n\\x0d\\x1b\\x7f\" }"},
    {{"\\'\""}, "{ v = \"\\\\'\\\"\" }"},
    {{"\xc3\xa4\xe2\x82\xac"}, "{ v = \"\xc3\xa4\xe2\x82\xac\" }"},
    {{"\xf0\x9f\x99\x82"}, "{ v = \"\xf0\x9f\x99\x82\" }"},
    {{"\xc3"}, "{ v = \"\\xc3\" }"},
    {{"\xc0\xaf\xff"}, "{ v = \"\\xc0\\xaf\\xff\" }"},
    {{"\xed\xa0\x80\xc2\x9b"}, "{ v = \"\\xed\\xa0\\x80\\xc2\\x9b\" }"},
    {{{'a', 'a', 'a', 'a', 'a', 'a', '\xe2', '\x82'}}, "{ v = \"aaaaaa\\xe2\\x82\" }"},
};

TEST(text_reads_back_to_the_byte)
{
    fixture f = fixture_new();
    for (size_t i = 0; test_row(i, ROWS_OF(words)); i++) {
        check_text(&f, &Word_type, &words[i].word, words[i].text);
    }
    for (int i = 0; i < 256; i++) {
        Letter letter = {(char)(unsigned char)i};
        check_text(&f, &Letter_type, &letter, NULL);
    }
    fixture_free(&f);
}

/* Names that a definition may have, and that are no words. */
TEST(odd_names_stand_in_quotes)
{
    fixture f = fixture_new();
    const kith_field fields[] = {{"two words", 0, 1, KITH_U8}, {"path[2].y", 1, 1, KITH_U8},
                                 {"9", 2, 1, KITH_U8},         {"\"", 3, 1, KITH_U8},
                                 {"path[2", 4, 1, KITH_U8},    {"Entity(1v1)", 5, 1, KITH_U8}};
    const kith_type type = {".Odd", 6, 1, 0, 6, fields, NULL, KITH_TABLE, false, false, 0};
    const uint8_t value[6] = {1, 2, 3, 4, 5, 6};
    check_text(&f, &type, value,
               "{ \"two words\" = 1, path[2].y = 2, \"9\" = 3, \"\\\"\" = 4, \"path[2\" = 5,"
               " \"Entity(1v1)\" = 6 }");
    fixture_free(&f);
}

/* Fields that have no text, and of which no byte is shown. */
TEST(padding_and_opaque_fields_have_no_text)
{
    fixture f = fixture_new();
    static const kith_kind hidden[] = {KITH_PADDING, KITH_OPAQUE};
    for (size_t i = 0; i < 2; i++) {
        const kith_field field = {"hidden", 0, 8, hidden[i]};
        const uint64_t value = 0x0102030405060708u;
        char text[8] = "before";
        CHECK_UINT(kith_print_field(f.world, &field, &value, text, sizeof text), 0);
        CHECK_STR(text, "");
    }
    fixture_free(&f);
}

/* ---- Texts that people write ----------------------------------------------------------------- */

TEST(a_text_may_be_written_freely)
{
    fixture f = fixture_new();
    Kinds value;
    memset(&value, 0x55, sizeof value);
    CHECK_RESULT(kith_parse_value(f.world, &Kinds_type,
                                  "  # a comment\n{\n\tu8 = 0xFf, # another }\r\n"
                                  "letter='\\x41',i8=+7,numbers=[ 0x10 ,-0,  3 ]\n"
                                  ", entity = none, text=\"\\x61\\'\\\"\",}",
                                  &value),
                 KITH_OK);
    CHECK_UINT(value.u8, 255);
    CHECK_INT(value.letter, 'A');
    CHECK_INT(value.i8, 7);
    CHECK_INT(value.numbers[0], 16);
    CHECK_SAME(value.entity, KITH_NONE);
    CHECK_STR(value.text, "a'\"");
    CHECK(value.f64 == 0 && !value.flag && value.bytes[1] == 0);
    CHECK_RESULT(kith_parse_value(f.world, &Kinds_type, "{}", &value), KITH_OK);
    CHECK_UINT(value.u8, 0);
    CHECK_RESULT(kith_parse_value(f.world, &Kinds_type, "{ u8 = 1 }", NULL), KITH_OK);
    CHECK_RESULT(kith_parse_value(f.world, &Kinds_type, "{ u8 = x }", NULL), KITH_ERR_INPUT);
    fixture_free(&f);
}

typedef struct wrong_text {
    const char *text;
    const char *message;
} wrong_text;

#define KNOWN_FIELDS                                                                               \
    " (there are i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, entity, flag, letter, byte,"      \
    " text, numbers, reals, entities, flags, ...)"

static const wrong_text wrong_texts[] = {
    {"", "line 1, column 1: expected { before the fields of Kinds, found the end of the text"},
    {"  \n # x",
     "line 2, column 5: expected { before the fields of Kinds, found the end of the text"},
    {"{", "line 1, column 2: expected the name of a field or }, found the end of the text"},
    {"{ u8", "line 1, column 5: expected = after Kinds.u8, found the end of the text"},
    {"{ u8 = }",
     "line 1, column 8: expected a whole number from 0 to 255 for Kinds.u8, found \"}\""},
    {"{ u8 = 256 }",
     "line 1, column 8: expected a whole number from 0 to 255 for Kinds.u8, found 256"},
    {"{ u8 = -1 }",
     "line 1, column 8: expected a whole number from 0 to 255 for Kinds.u8, found -1"},
    {"{ u8 = 1.0 }",
     "line 1, column 8: expected a whole number from 0 to 255 for Kinds.u8, found 1.0"},
    {"{ u8 = 0x }",
     "line 1, column 8: expected a whole number from 0 to 255 for Kinds.u8, found 0x"},
    {"{ i8 = -129 }",
     "line 1, column 8: expected a whole number from -128 to 127 for Kinds.i8, found -129"},
    {"{ u64 = 18446744073709551616 }",
     "line 1, column 9: expected a whole number from 0 to 18446744073709551615 for Kinds.u64,"
     " found 18446744073709551616"},
    {"{ f32 = 1e39 }",
     "line 1, column 9: expected a number of at most 3.4e38 for Kinds.f32, found 1e39"},
    {"{ f64 = 1e309 }",
     "line 1, column 9: expected a number of at most 1.7e308 for Kinds.f64, found 1e309"},
    {"{ f32 = 1,5 }", "line 1, column 11: expected the name of a field or }, found 5"},
    {"{ f32 = 0x10 }",
     "line 1, column 9: expected a number of at most 3.4e38 for Kinds.f32, found 0x10"},
    {"{ f32 = 1e }",
     "line 1, column 9: expected a number of at most 3.4e38 for Kinds.f32, found 1e"},
    {"{ f32 = - }", "line 1, column 9: expected a number of at most 3.4e38 for Kinds.f32, found -"},
    {"{ f32 = . }", "line 1, column 9: expected a number of at most 3.4e38 for Kinds.f32, found ."},
    {"{ f32 = nan(0x7f800000) }",
     "line 1, column 9: expected a number for Kinds.f32,"
     " found \"nan(0x7f800000)\""},
    {"{ f32 = nan(0x17fc00001) }",
     "line 1, column 9: expected a number for Kinds.f32,"
     " found \"nan(0x17fc00001)\""},
    {"{ f64 = nan(0x17ff8000000000001) }",
     "line 1, column 9: expected a number for Kinds.f64,"
     " found \"nan(0x17ff8000000000001)\""},
    {"{ f32 = infinity }",
     "line 1, column 9: expected a number for Kinds.f32, found \"infinity\""},
    {"{ f32 = \"1\" }",
     "line 1, column 9: expected a number for Kinds.f32, found the text \"1\""},
    {"{\n  flag = 1 }", "line 2, column 10: expected true or false for Kinds.flag, found 1"},
    {"{ letter = 'ab' }", "line 1, column 12: expected a character of one byte, like '@', for"
                          " Kinds.letter, found the character 'ab'"},
    {"{ letter = \"a\" }", "line 1, column 12: expected a character of one byte, like '@', for"
                           " Kinds.letter, found the text \"a\""},
    {"{ text = 'a' }",
     "line 1, column 10: expected a text in \" for Kinds.text, found the character 'a'"},
    {"{ text = \"0123456789\" }",
     "line 1, column 10: expected a text of at most 9 bytes for Kinds.text, found one of 10"},
    {"{ text = \"a\\q\" }", "line 1, column 12: expected one of n t 0 \\ ' \" or x and two"
                            " hexadecimal digits after \\"},
    {"{ text = \"a\\x1\" }", "line 1, column 12: expected one of n t 0 \\ ' \" or x and two"
                             " hexadecimal digits after \\"},
    {"{ text = \"abc }",
     "line 1, column 10: expected \" at the end of what starts here, found the end of the line"},
    {"{ text = \"abc\\", "line 1, column 10: expected \" at the end of what starts here, found the"
                         " end of the line"},
    {"{ text = \"abc\\\nd\" }",
     "line 1, column 10: expected \" at the end of what starts here, found the end of the line"},
    {"{ letter = '\\\n' }", "line 1, column 12: expected ' at the end of what starts here, found"
                            " the end of the line"},
    {"{ text = \"a\x01\" }", "line 1, column 12: expected text, found the byte 0x01"},
    {"{ \x02 }", "line 1, column 3: expected text, found the byte 0x02"},
    {"{ \xff }", "line 1, column 3: expected the name of a field or }, found the byte 0xff"},
    {"{ \xc3\xa4 }", "line 1, column 3: expected the name of a field or }, found \"\xc3\xa4\""},
    {"{ \xc2\x9b }", "line 1, column 3: expected the name of a field or }, found the byte 0xc2"},
    {"{ f32 = \"a\xc2\x9b"
     "2J\xff\xc3\xa9\" }",
     "line 1, column 9: expected a number for Kinds.f32, found the text"
     " \"a??2J?\xc3\xa9\""},
    {"{ \xf0\x9f\x98", "line 1, column 3: expected the name of a field or }, found the byte 0xf0"},
    {"{ entity = Entity(1v) }", "line 1, column 12: expected an entity, like Entity(2v1), or none,"
                                " for Kinds.entity, found \"Entity(1v)\""},
    {"{ entity = Entity(1 v2) }",
     "line 1, column 12: expected an entity, like Entity(2v1), or none, for Kinds.entity,"
     " found \"Entity\""},
    {"{ numbers = 1 }",
     "line 1, column 13: expected a list in [ ] of 3 values for Kinds.numbers, found 1"},
    {"{ numbers = [1, 2] }",
     "line 1, column 18: expected \",\" after value 2 of 3 for Kinds.numbers, found \"]\""},
    {"{ numbers = [1, 2, 3, 4] }",
     "line 1, column 21: expected \"]\" after value 3 of 3 for Kinds.numbers, found \",\""},
    {"{ bytes = [0, 256, 0] }",
     "line 1, column 15: expected a whole number from 0 to 255 for Kinds.bytes, found 256"},
    {"{ colour = 1 }",
     "line 1, column 3: expected a field of Kinds" KNOWN_FIELDS ", found \"colour\""},
    {"{ lettre = 'a' }", "line 1, column 3: expected a field of Kinds (did you mean letter?), found"
                         " \"lettre\""},
    {"{ \"gap\" = 1 }",
     "line 1, column 3: expected a field of Kinds" KNOWN_FIELDS ", found the text \"gap\""},
    {"{ u8 = 1, u8 = 2 }", "line 1, column 11: expected a field once, found u8 again"},
    {"{ u8 = 1 u16 = 2 }", "line 1, column 10: expected , or } after a field of Kinds, found"
                           " \"u16\""},
    {"{ , }", "line 1, column 3: expected the name of a field or }, found \",\""},
    {"{ } { }", "line 1, column 5: expected the end of the text, found \"{\""},
    {"{ \"a\\0b\" = 1 }",
     "line 1, column 3: expected the name of a field or }, found the text \"a\\0b\""},
    {"{ aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeee = 1 }",
     "line 1, column 3: expected a field of Kinds" KNOWN_FIELDS ", found"
     " \"aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd...\""},
};

TEST(what_is_wrong_is_told_with_its_place)
{
    fixture f = fixture_new();
    for (size_t i = 0; test_row(i, ROWS_OF(wrong_texts)); i++) {
        Kinds value;
        memset(&value, 0x55, sizeof value);
        test_note(wrong_texts[i].text);
        CHECK_RESULT(kith_parse_value(f.world, &Kinds_type, wrong_texts[i].text, &value),
                     KITH_ERR_INPUT);
        char message[512];
        snprintf(message, sizeof message, "kith_parse_value: %s", wrong_texts[i].message);
        CHECK_STR(kith_error(f.world), message);
        CHECK_UINT(value.u8, 0x55);
    }
    fixture_free(&f);
}

/* Types are input too. */
TEST(a_type_that_makes_no_sense_is_refused)
{
    fixture f = fixture_new();
    const kith_field fields[] = {{"x", 4000, 4, KITH_F32}};
    const kith_type type = {"Wild", 4, 4, 0, 1, fields, NULL, KITH_TABLE, false, false, 0};
    float value = 3;
    CHECK_RESULT(kith_parse_value(f.world, &type, "{ x = 1 }", &value), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "kith_parse_value: Wild.x: ends at byte 4004");
    CHECK_FLOAT(value, 3);
    fixture_free(&f);
}

TEST(any_cut_of_a_text_is_refused)
{
    fixture f = fixture_new();
    char text[sizeof kinds_text];
    Kinds value;
    for (size_t length = 0; length < sizeof kinds_text - 1; length++) {
        memcpy(text, kinds_text, length);
        text[length] = '\0';
        CHECK_RESULT(kith_parse_value(f.world, &Kinds_type, text, &value), KITH_ERR_INPUT);
    }
    fixture_free(&f);
}

/* The fields that were read are remembered 64 at a time; each is itself alone. */
TEST(a_field_may_stand_once_wherever_it_is_among_many)
{
    enum { FIELDS = 260 };
    static kith_field fields[FIELDS];
    static char names[FIELDS][8];
    static uint8_t value[FIELDS];
    static const uint32_t numbers[] = {0, 1, 62, 63, 64, 65, 127, 128, 191, 192, 255, 256, 259};
    fixture f = fixture_new();
    for (uint32_t i = 0; i < FIELDS; i++) {
        snprintf(names[i], sizeof names[i], "f%u", i);
        fields[i] = (kith_field){names[i], i, 1, KITH_U8};
    }
    const kith_type type = {"Many", FIELDS,     1,     0,     FIELDS, fields,
                            NULL,   KITH_TABLE, false, false, 0};
    for (size_t i = 0; test_row(i, ROWS_OF(numbers)); i++) {
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
            char text[64];
            snprintf(text, sizeof text, "{ f%u = 1, f%u = 2 }", numbers[i], numbers[k]);
            CHECK_RESULT(kith_parse_value(f.world, &type, text, value),
                         i == k ? KITH_ERR_INPUT : KITH_OK);
            if (i == k) {
                snprintf(text, sizeof text, "expected a field once, found f%u again", numbers[k]);
                CHECK_CONTAINS(kith_error(f.world), text);
            } else {
                CHECK_UINT(value[numbers[i]], 1);
                CHECK_UINT(value[numbers[k]], 2);
            }
        }
    }
    fixture_free(&f);
}
