/* Selections: the rows that a text gives, in which order, and how they are printed. */
#include <kith/kith.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "test.h"

KITH_COMPONENT(Unit, (int32_t, team), (float, power), (uint64_t, score), (int64_t, debt),
               (bool, on));
KITH_COMPONENT(Title, (kith_text, text));
KITH_COMPONENT(Bits, (uint8_t, marks, 2), (double, real));

static void spawn_unit(kith_world *world, int32_t team, float power, const char *name)
{
    Name called = {""};
    strncpy(called.text, name, sizeof called.text - 1);
    CHECK(!kith_is_none(KITH_SPAWN(
        world, KITH_VALUE(Unit, {team, power, (uint64_t)team, -(int64_t)team, team == 1}),
        {&Name_type, &called})));
}

/* Six units of three teams, one without a Name; and a thing that is no unit. */
static fixture units_fixture(void)
{
    fixture f = fixture_with_all(KITH_TABLE);
    CHECK_RESULT(KITH_TYPES(f.world, Unit, Title, Bits), KITH_OK);
    spawn_unit(f.world, 2, 1.5f, "b");
    spawn_unit(f.world, 1, 4, "a");
    spawn_unit(f.world, 2, -1, "ab");
    spawn_unit(f.world, 3, 0.25f, "");
    spawn_unit(f.world, 1, 4, "c");
    CHECK(!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Unit, {1, 2, 3, 4, false}))));
    CHECK(!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}))));
    return f;
}

static kith_select *select_of(kith_world *world, const char *text)
{
    kith_select *select = NULL;
    kith_text_error error = {.line = 0};
    kith_result result = kith_select_new(world, text, &error, &select);
    CHECK_STR(error.message, "");
    CHECK_RESULT(result, KITH_OK);
    return select;
}

/* All rows, each with a line break after it. */
static const char *rows_of(const kith_select *select, kith_select_format format)
{
    static char all[4000];
    size_t length = 0;
    all[0] = '\0';
    for (uint32_t row = 0; row < kith_select_row_count(select); row++) {
        size_t size = kith_select_print(select, row, format, all + length, sizeof all - length);
        CHECK_UINT(kith_select_print(select, row, format, NULL, 0), size);
        length += size;
        CHECK(length + 2 < sizeof all);
        strcpy(all + length++, "\n");
    }
    return all;
}

static void check_rows(kith_world *world, const char *text, const char *expected)
{
    kith_select *select = select_of(world, text);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_STR(rows_of(select, KITH_SELECT_TEXT), expected);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_STR(rows_of(select, KITH_SELECT_TEXT), expected);
    kith_select_free(select);
}

TEST(rows_come_in_the_order_of_the_scan)
{
    fixture f = units_fixture();
    check_rows(f.world, "Unit, Name select Name.text, Unit.power",
               "\"b\"\t1.5\n\"a\"\t4\n\"ab\"\t-1\n\"\"\t0.25\n\"c\"\t4\n");
    check_rows(f.world, "Position", "Entity(6v0)\t1\t2\n");
    check_rows(f.world, "Unit, !Name", "Entity(5v0)\t1\t2\t3\t4\tfalse\n");
    check_rows(f.world, "with Position", "Entity(6v0)\n");
    check_rows(f.world, "with Position select Position, Velocity.dx, entity",
               "1\t2\t-\tEntity(6v0)\n");
    check_rows(f.world, "Unit, Name select Unit.team limit 2", "2\n1\n");
    check_rows(f.world, "Unit select Unit.team limit 0", "");
    check_rows(f.world, "Velocity", "");
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

TEST(rows_are_ordered_and_ties_keep_the_order_of_the_scan)
{
    fixture f = units_fixture();
    check_rows(f.world, "Unit, Name select Name.text order by Unit.team",
               "\"a\"\n\"c\"\n\"b\"\n\"ab\"\n\"\"\n");
    check_rows(f.world, "Unit, Name select Name.text order by Unit.team desc",
               "\"\"\n\"b\"\n\"ab\"\n\"a\"\n\"c\"\n");
    check_rows(f.world,
               "Unit, Name select Name.text, Unit.power order by Unit.power, Name.text desc",
               "\"ab\"\t-1\n\"\"\t0.25\n\"b\"\t1.5\n\"c\"\t4\n\"a\"\t4\n");
    check_rows(f.world, "Unit, ?Name select Name.text order by Name.text limit 3",
               "-\n\"\"\n\"a\"\n");
    check_rows(f.world, "Unit select entity order by entity desc limit 2",
               "Entity(5v0)\nEntity(4v0)\n");
    fixture_free(&f);
}

/* Interned texts are ordered by their bytes, not by their numbers. */
TEST(interned_texts_are_ordered_by_their_bytes)
{
    fixture f = units_fixture();
    static const char *const texts[] = {"pear", "apple", "fig"};
    for (int i = 0; i < 3; i++) {
        kith_text text;
        CHECK_RESULT(kith_text_intern(f.world, texts[i], &text), KITH_OK);
        CHECK(!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Title, {text}))));
    }
    check_rows(f.world, "Title select Title.text order by Title.text",
               "\"apple\"\n\"fig\"\n\"pear\"\n");
    fixture_free(&f);
}

TEST(groups_are_counted_and_summed)
{
    fixture f = units_fixture();
    check_rows(f.world, "Unit, Name group by Unit.team", "1\t2\n2\t2\n3\t1\n");
    check_rows(f.world,
               "Unit, Name group by Unit.team select sum(Unit.power), Unit.team, avg(Unit.score),"
               " min(Name.text), max(Unit.debt), count order by count desc, Unit.team desc",
               "0.5\t2\t2\t\"ab\"\t-2\t2\n8\t1\t1\t\"a\"\t-1\t2\n0.25\t3\t3\t\"\"\t-3\t1\n");
    check_rows(f.world, "Unit group by Unit.on, Unit.team select count, sum(Unit.debt)",
               "1\t4\n2\t-4\n1\t-3\n2\t-2\n");
    check_rows(f.world, "Unit group by Name.text select Name.text, count limit 2",
               "-\t1\n\"\"\t1\n");
    check_rows(f.world, "Unit select count, sum(Unit.on), min(Unit.power), max(Unit.team)",
               "6\t2\t-1\t3\n");
    check_rows(f.world,
               "Velocity select count, sum(Velocity.dx), avg(Velocity.dx), min(Velocity.dx)",
               "0\t-\t-\t-\n");
    check_rows(f.world, "Unit select count, sum(Velocity.dx)", "6\t-\n");
    check_rows(f.world, "Velocity group by Velocity.dx", "");
    check_rows(f.world, "Unit, Name group by Unit.team order by sum(Unit.power) limit 1", "3\t1\n");
    fixture_free(&f);
}

/* Kinds of sums are those of the header. */
TEST(columns_have_names_and_kinds)
{
    static const kith_field expected[] = {
        {"Unit.team", 0, 4, KITH_I32},       {"count", 0, 8, KITH_U64},
        {"sum(Unit.power)", 0, 8, KITH_F64}, {"sum(Unit.debt)", 0, 8, KITH_I64},
        {"sum(Unit.score)", 0, 8, KITH_U64}, {"avg(Unit.team)", 0, 8, KITH_F64},
        {"min(Unit.on)", 0, 1, KITH_BOOL}};
    fixture f = units_fixture();
    kith_select *select =
        select_of(f.world, "Unit group by Unit.team select Unit.team, count, sum( Unit.power ),"
                           " sum(Unit.debt), sum(Unit.score), avg(Unit.team), min(Unit.on)"
                           " order by max(Unit.power)");
    CHECK_UINT(kith_select_column_count(select), 7);
    for (uint32_t i = 0; i < 7; i++) {
        const kith_field *column = kith_select_column(select, i);
        CHECK_STR(column->name, expected[i].name);
        CHECK_INT(column->kind, expected[i].kind);
        CHECK_UINT(column->size, expected[i].size);
        CHECK_UINT(column->offset, 0);
    }
    CHECK(kith_select_column(select, 7) == NULL);
    CHECK_UINT(kith_select_row_count(select), 0);
    CHECK(kith_select_value(select, 0, 0) == NULL);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_UINT(kith_select_row_count(select), 3);
    CHECK_UINT(*(const uint64_t *)kith_select_value(select, 2, 1), 3);
    CHECK(kith_select_value(select, 3, 0) == NULL);
    CHECK(kith_select_value(select, 0, 7) == NULL);
    CHECK_UINT(kith_select_print(select, 3, KITH_SELECT_TEXT, NULL, 0), 0);
    fixture_free(&f); /* frees the selection too */
}

static uint64_t bits_of(const void *value)
{
    uint64_t bits;
    CHECK(value != NULL);
    memcpy(&bits, value, sizeof bits);
    return bits;
}

/* Doubles are added in the order of the scan: another order has another last bit. */
TEST(doubles_are_added_in_the_order_of_the_scan)
{
    fixture f = units_fixture();
    double sum = 0;
    for (int i = 0; i < 5000; i++) {
        double real = 1.0 / (1 + i * 7919 % 5000);
        CHECK(!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Bits, {{(uint8_t)(i % 3), 0}, real}))));
        sum += real;
    }
    kith_select *select = select_of(f.world, "Bits select sum(Bits.real)");
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_UINT(bits_of(kith_select_value(select, 0, 0)), bits_of(&sum));
    kith_select_free(select);
    check_rows(f.world, "Bits group by Bits.marks[0] select count", "1667\n1667\n1666\n");
    fixture_free(&f);
}

/* A NaN is skipped by min and max, and makes a sum a NaN, always with the same bits. */
TEST(a_float_that_is_no_number_has_a_place)
{
    fixture f = units_fixture();
    const double reals[] = {2, -NAN, -0.0, INFINITY, 0.0};
    for (int i = 0; i < 5; i++) {
        CHECK(!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Bits, {{0}, reals[i]}))));
    }
    check_rows(f.world,
               "Bits select min(Bits.real), max(Bits.real), sum(Bits.real), avg(Bits.real)",
               "-0\tinf\tnan\tnan\n");
    kith_select *select = select_of(f.world, "Bits select Bits.real order by Bits.real");
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_STR(rows_of(select, KITH_SELECT_JSON),
              "{\"Bits.real\": -0}\n{\"Bits.real\": 0}\n{\"Bits.real\": 2}\n"
              "{\"Bits.real\": \"inf\"}\n{\"Bits.real\": \"nan(0xfff8000000000000)\"}\n");
    fixture_free(&f);
}

/* A sum of whole numbers that is too large is an error, and then there are no rows. */
TEST(whole_sums_do_not_wrap)
{
    fixture f = units_fixture();
    CHECK(!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Unit, {9, 0, UINT64_MAX, INT64_MIN, 0}))));
    check_rows(f.world,
               "Unit group by Unit.team select max(Unit.score) order by Unit.team desc"
               " limit 1",
               "18446744073709551615\n");
    static const char *const texts[] = {"Unit select sum(Unit.score)",
                                        "Unit select sum(Unit.debt)"};
    for (int i = 0; i < 2; i++) {
        kith_select *select = select_of(f.world, texts[i]);
        CHECK(!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Unit, {9, 0, 1, INT64_MIN, 0}))));
        CHECK_RESULT(kith_select_run(select), KITH_ERR_LIMIT);
        CHECK(strstr(kith_error(f.world), "does not fit into 64 bits") != NULL);
        CHECK_UINT(kith_select_row_count(select), 0);
        kith_select_free(select);
    }
    fixture_free(&f);
}

/* What counts is the whole sum: on the way there, in the order of the scan, it may be larger. */
TEST(whole_sums_may_be_large_on_the_way)
{
    fixture f = fixture_with_all(KITH_TABLE);
    static const int64_t debts[] = {INT64_MAX, 1, INT64_MAX, INT64_MIN, -2, INT64_MIN};
    static const char *const sums[] = {"9223372036854775807\n", NULL, NULL,
                                       "9223372036854775807\n", "9223372036854775805\n", "-3\n"};
    for (int i = 0; i < 6; i++) {
        CHECK(!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Unit, {1, 0, 0, debts[i], false}))));
        kith_select *select = select_of(f.world, "Unit select sum(Unit.debt)");
        CHECK_RESULT(kith_select_run(select), sums[i] == NULL ? KITH_ERR_LIMIT : KITH_OK);
        if (sums[i] != NULL) {
            CHECK_STR(rows_of(select, KITH_SELECT_TEXT), sums[i]);
        }
        kith_select_free(select);
    }
    fixture_free(&f);
}

/* An average fits even if the sum does not: that is rounded to a double once. */
TEST(averages_of_large_numbers)
{
    fixture f = fixture_with_all(KITH_TABLE);
    static const uint64_t scores[] = {UINT64_MAX, UINT64_MAX, 4098, 1};
    static const double averages[] = {0x1p64, 0x1p64, 0x1.5555555555555p63, 0x1.0000000000001p63};
    static const double debts[] = {-0x1p63, -0x1p63, -0x1.5555555555555p62, -0x1p62};
    for (int i = 0; i < 4; i++) {
        const int64_t debt = i < 2 ? INT64_MIN : 0;
        CHECK(!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Unit, {1, 0, scores[i], debt, false}))));
        kith_select *select = select_of(f.world, "Unit select avg(Unit.score), avg(Unit.debt)");
        CHECK_RESULT(kith_select_run(select), KITH_OK);
        CHECK_FLOAT(*(const double *)kith_select_value(select, 0, 0), averages[i]);
        CHECK_FLOAT(*(const double *)kith_select_value(select, 0, 1), debts[i]);
        kith_select_free(select);
    }
    fixture_free(&f);
}

TEST(within_is_a_circle_or_a_ball)
{
    fixture f = units_fixture();
    for (int i = 0; i < 25; i++) {
        CHECK(!kith_is_none(
            KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)(i % 5) * 10, (float)(i / 5) * 10}))));
    }
    check_rows(f.world, "Position where within(Position, 10, 10, 10) select Position",
               "10\t0\n0\t10\n10\t10\n20\t10\n10\t20\n");
    check_rows(f.world, "Position where within(Position, 10, 10, 9.999) select Position",
               "10\t10\n");
    check_rows(f.world, "Position where within(Position, 10, 10, -20) select Position", "");
    check_rows(f.world, "Position where within(Position, nan, 10, 20) select Position", "");
    check_rows(f.world, "Position where within(Position, 10, 0, 10) and within(Position, 0, 0, 10)",
               "Entity(6v0)\t1\t2\nEntity(7v0)\t0\t0\nEntity(8v0)\t10\t0\n");
    check_rows(f.world, "Unit where within(Position, 1, 2, 50)", "");
    check_rows(f.world,
               "Position where not within(Position, 0, 0, 45) or within(Position, 0, 0, 0)"
               " select Position order by Position.x, Position.y",
               "0\t0\n30\t40\n40\t30\n40\t40\n");
    kith_select *select =
        select_of(f.world, "Position where within(Position, $x, $x, $r) select count limit $n");
    CHECK_RESULT(kith_select_run(select), KITH_ERR_INPUT);
    CHECK_STR(kith_error(f.world), "kith_select_run: $n has no value; call kith_select_bind");
    CHECK_RESULT(kith_select_bind(select, "x", 20), KITH_OK);
    CHECK_RESULT(kith_select_bind(select, "r", 14.5f), KITH_OK);
    CHECK_RESULT(kith_select_run(select), KITH_ERR_INPUT);
    CHECK_RESULT(kith_select_bind(select, "n", -1), KITH_ERR_INPUT);
    CHECK_RESULT(kith_select_bind(select, "n", 1.0), KITH_ERR_INPUT);
    CHECK_RESULT(kith_select_bind(select, "x", "ten"), KITH_ERR_INPUT);
    CHECK_RESULT(kith_select_bind(select, "y", 1), KITH_ERR_UNKNOWN);
    CHECK_STR(kith_error(f.world), "kith_select_bind: the selection has no $y (there are x, r, n)");
    CHECK_RESULT(kith_select_bind(select, "n", 7u), KITH_OK);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_STR(rows_of(select, KITH_SELECT_TEXT), "9\n");
    CHECK_RESULT(kith_select_bind(select, "n", 0), KITH_OK);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_UINT(kith_select_row_count(select), 0);
    fixture_free(&f);
}

KITH_COMPONENT(Place, (int16_t, z), (double, y), (uint8_t, x));

TEST(within_takes_numbers_of_all_kinds_and_three_of_them)
{
    fixture f = units_fixture();
    CHECK(!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Place, {-3, 4, 200}))));
    check_rows(f.world, "Place where within(Place, 200, 0, 0, 5)", "Entity(7v0)\t-3\t4\t200\n");
    check_rows(f.world, "Place where within(Place, 200, 0, 1, 5)", "");
    check_rows(f.world, "Place where within(Place, 200, 0, 4) select count", "1\n");
    fixture_free(&f);
}

TEST(json_is_json)
{
    fixture f = units_fixture();
    kith_text text;
    CHECK_RESULT(kith_text_intern_bytes(f.world, "q\"\\\n\0\xc3\xa4\xff", 8, &text), KITH_OK);
    CHECK(!kith_is_none(
        KITH_SPAWN(f.world, KITH_VALUE(Title, {text}), KITH_VALUE(Bits, {{1, 2}, 0.5}))));
    kith_select *select = select_of(
        f.world, "Title, Bits select Title.text, Bits.marks, Bits.real, Name.text, entity");
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_STR(rows_of(select, KITH_SELECT_JSON),
              "{\"Title.text\": \"q\\\"\\\\\\u000a\\u0000\xc3\xa4\\u00ff\", \"Bits.marks\": [1, 2],"
              " \"Bits.real\": 0.5, \"Name.text\": null, \"entity\": \"Entity(7v0)\"}\n");
    kith_select_free(select);
    select = select_of(f.world, "Unit, Name select Name.text, Unit.on limit 2");
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_STR(
        rows_of(select, KITH_SELECT_JSON),
        "{\"Name.text\": \"b\", \"Unit.on\": false}\n{\"Name.text\": \"a\", \"Unit.on\": true}\n");
    char few[6];
    CHECK_UINT(kith_select_print(select, 0, KITH_SELECT_JSON, few, sizeof few), 36);
    CHECK_STR(few, "{\"Nam");
    fixture_free(&f);
}

/* A run is a look: it sees what changed since the last one, also where a limit left out rows. */
TEST(a_run_is_a_look)
{
    fixture f = units_fixture();
    kith_entity first = kith_entity_next(f.world, KITH_NONE);
    kith_select *select = select_of(f.world, "changed(Unit) select entity limit 1");
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_UINT(kith_select_row_count(select), 1);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_UINT(kith_select_row_count(select), 0);
    KITH_GET_MUT(f.world, first, Unit)->team = 5;
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_UINT(kith_select_row_count(select), 1);
    fixture_free(&f);
}

/* Mistakes of the clauses that queries do not have. */
TEST(mistakes_of_selections_have_a_place_and_a_reason)
{
    static const struct {
        const char *text;
        uint32_t column;
        const char *message;
    } mistakes[] = {
        {"write Unit", 7,
         "expected a component that is read, since a selection writes nothing, found \"Unit\""},
        {"Unit select Unit.tem", 13,
         "expected a field of Unit (did you mean team?), found \"Unit.tem\""},
        {"Unit select Frozen", 13,
         "expected a field, or a component that has fields, found \"Frozen\""},
        {"Unit select team", 13, "expected a field (did you mean Unit.team?), found \"team\""},
        {"Unit select count, entity", 20,
         "expected a sum, or a field that the query groups by, found \"entity\""},
        {"Unit group by Unit.team select Unit.power", 32,
         "expected a sum, or a field that the query groups by, found \"Unit.power\""},
        {"Unit group by Big.words", 15,
         "expected a field with one value (Big.words is 20000 bytes of u32), found \"Big.words\""},
        {"Unit select sum(Name.text)", 17,
         "expected a field with a number, to be added, found \"Name.text\""},
        {"Unit order by Big.words", 15,
         "expected a field with one value (Big.words is 20000 bytes of u32), found \"Big.words\""},
        {"Unit group Unit.team", 12, "expected by after group, found \"Unit.team\""},
        {"Unit limit -1", 12, "expected a whole number that is not negative, or $name, found -1"},
        {"Unit limit 1.5", 12, "expected a whole number that is not negative, or $name, found 1.5"},
        {"Unit limit x", 12, "expected a number of rows, or $name, after limit, found \"x\""},
        {"Unit where within(Velocity, 1, 2, 3)", 19,
         "expected a component with fields x, y that are numbers, found \"Velocity\""},
        {"Unit where within(Position, 1, 2, 3, 4)", 19,
         "expected a component with fields x, y, z that are numbers, found \"Position\""},
        {"Unit where within(Position, 1, 'a', 3)", 32,
         "expected a number, or $name, found the character 'a'"},
        {"Unit where within(Position, 1, 2, $)", 36,
         "expected the name of a parameter after $, found \")\""},
    };
    fixture f = units_fixture();
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        kith_text_error error = {.line = 0};
        kith_select *select = NULL;
        CHECK_RESULT(kith_select_new(f.world, mistakes[i].text, &error, &select), KITH_ERR_INPUT);
        CHECK(select == NULL);
        CHECK_STR(error.message, mistakes[i].message);
        CHECK_UINT(error.column, mistakes[i].column);
        CHECK_UINT(error.line, 1);
    }
    fixture_free(&f);
}
