/* Queries in text: what texts mean, and what is said about wrong ones. */
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "test.h"

/* A text, and the terms that it stands for. */
typedef struct text_case {
    const char *text;
    const kith_term *terms;
} text_case;

static void spawn_some(kith_world *world)
{
    static const kith_type *const types[] = {&Position_type, &Velocity_type, &Health_type,
                                             &Frozen_type, &Burning_type};
    for (uint32_t set = 0; set < 32; set++) {
        kith_value values[5];
        uint32_t count = 0;
        for (uint32_t i = 0; i < 5; i++) {
            if ((set >> i & 1) != 0) {
                values[count++] = (kith_value){types[i], NULL};
            }
        }
        CHECK(!kith_is_none(kith_spawn_or_none(world, values, count)));
    }
}

static void check_same_entities(kith_query *a, kith_query *b)
{
    kith_iter left = kith_query_iter(a);
    kith_iter right = kith_query_iter(b);
    bool more = true;
    while (more) {
        more = kith_next_rows(&left);
        CHECK_INT(kith_next_rows(&right), more);
        CHECK_UINT(left.count * more, right.count * more);
        for (uint32_t i = 0; more && i < left.count; i++) {
            CHECK_SAME(kith_entities(&left)[i], kith_entities(&right)[i]);
        }
    }
}

/* A query of a text visits what the same query in C visits. */
TEST_EACH_LAYOUT(terms_are_those_of_a_query_in_c, layout)
{
    const text_case cases[] = {
        {"Position", KITH_TERMS(KITH_READ(Position))},
        {"*", KITH_TERMS({0})},
        {"Position, write Velocity, !Frozen, ?Health",
         KITH_TERMS(KITH_READ(Position), KITH_WRITE(Velocity), KITH_WITHOUT(Frozen),
                    KITH_OPTIONAL(Health))},
        {"with Position,?write Health", KITH_TERMS(KITH_WITH(Position), KITH_OPTIONAL_MUT(Health))},
        {"any(Health, Velocity), any( Frozen,Burning )",
         KITH_TERMS(KITH_ANY_OF(Health, 0), KITH_ANY_OF(Velocity, 0), KITH_ANY_OF(Frozen, 1),
                    KITH_ANY_OF(Burning, 1))},
        {" \"Position\" , # a comment\n ! Frozen\n",
         KITH_TERMS(KITH_READ(Position), KITH_WITHOUT(Frozen))},
        {"changed(Position), Health", KITH_TERMS(KITH_CHANGED(Position), KITH_READ(Health))},
    };
    fixture f = fixture_with_all(layout);
    spawn_some(f.world);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kith_query *expected = NULL;
        kith_text_error error;
        CHECK_RESULT(kith_query_new(f.world, &(kith_query_def){.terms = cases[i].terms}, &expected),
                     KITH_OK);
        kith_query *query = kith_query_text(f.world, cases[i].text, &error);
        CHECK(query != NULL);
        CHECK(kith_query_count(expected) > 0);
        check_same_entities(query, expected);
        kith_query_free(query);
    }
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* What `write` says is kept: a column may be written, and one that is read may not. */
TEST(access_is_that_of_the_text)
{
    fixture f = fixture_with_all(KITH_TABLE);
    spawn_some(f.world);
    kith_query *query = kith_query_text(f.world, "write Position, Velocity", NULL);
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it));
    CHECK(KITH_COLUMN_MUT(&it, Position) != NULL);
    CHECK(KITH_COLUMN(&it, Velocity) != NULL);
    CHECK(KITH_COLUMN_MUT(&it, Velocity) == NULL);
    expect_misuse(&f, "Velocity");
    kith_iter_close(&it);
    fixture_free(&f);
}

/* ---- The normal form */

static void check_tidy(kith_world *world, const char *text, const char *expected)
{
    char tidy[1000];
    size_t length = 0;
    CHECK_RESULT(kith_query_text_tidy(world, text, tidy, sizeof tidy, &length, NULL), KITH_OK);
    CHECK_STR(tidy, expected);
    CHECK_UINT(length, strlen(expected));
}

TEST(texts_have_a_normal_form)
{
    static const char *const cases[][2] = {
        {"A ,B", "A, B"},
        {"  *", "*"},
        {"? write A,!B,with C,write D", "?write A, !B, with C, write D"},
        {"any (A,B) ,changed ( C )", "any(A, B), changed(C)"},
        {"A where A.x<3", "A where A.x < 3"},
        {"A where A.x==3 and (A.y>=-2.5)", "A where A.x = 3 and A.y >= -2.5"},
        {"A where ((A.x = 1 or A.x = 2)) and A.y != $y",
         "A where (A.x = 1 or A.x = 2) and A.y != $y"},
        {"A where A.x = 1 or (A.x = 2 and A.y = 3)", "A where A.x = 1 or A.x = 2 and A.y = 3"},
        {"A where (A.x = 1 and A.x = 2) and A.y = 3", "A where (A.x = 1 and A.x = 2) and A.y = 3"},
        {"A where not not(A.x = 1)", "A where not not A.x = 1"},
        {"A where not (A.x = 1 or has(B))", "A where not (A.x = 1 or has(B))"},
        {"A where A.x between 1 and $b and A.y in(1,2 , $c)",
         "A where A.x between 1 and $b and A.y in (1, 2, $c)"},
        {"A where A.t prefix 'x y' or A.t contains \"q\\\"\" or A.t = B.t",
         "A where A.t prefix 'x y' or A.t contains \"q\\\"\" or A.t = B.t"},
        {"A where A.e = Entity(2v1) or A.e != none or A.b = true or A.x > -inf",
         "A where A.e = Entity(2v1) or A.e != none or A.b = true or A.x > -inf"},
        {"A where within(A,1,$y,5)", "A where within(A, 1, $y, 5)"},
        {"A group by A.x,A.y select count,sum( A.z ),min(A.z),max(A.z),avg(A.z)"
         " order by count desc,A.x limit 10",
         "A group by A.x, A.y select count, sum(A.z), min(A.z), max(A.z), avg(A.z)"
         " order by count desc, A.x limit 10"},
        {"A select entity,A.x,A limit $n", "A select entity, A.x, A limit $n"},
        {"write, with, \"where\", any, changed", "write, with, \"where\", any, changed"},
    };
    fixture f = fixture_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_tidy(f.world, cases[i][0], cases[i][1]);
        check_tidy(f.world, cases[i][1], cases[i][1]);
    }
    char few[5] = "xxxx";
    size_t length = 0;
    CHECK_RESULT(kith_query_text_tidy(f.world, "Abcdef", few, sizeof few, &length, NULL), KITH_OK);
    CHECK_STR(few, "Abcd");
    CHECK_UINT(length, 6);
    CHECK_RESULT(kith_query_text_tidy(f.world, "Abcdef", NULL, 0, &length, NULL), KITH_OK);
    fixture_free(&f);
}

/* ---- Mistakes */

typedef struct mistake {
    const char *text;
    uint32_t line, column;
    const char *message;
} mistake;

static void check_mistake(kith_world *world, mistake m)
{
    kith_text_error error = {.line = 99};
    char all[700];
    CHECK(kith_query_text(world, m.text, &error) == NULL);
    CHECK_STR(error.message, m.message);
    CHECK_UINT(error.line, m.line);
    CHECK_UINT(error.column, m.column);
    snprintf(all, sizeof all, "kith_query_text: line %u, column %u: %s", m.line, m.column,
             m.message);
    CHECK_STR(kith_error(world), all);
}

TEST(mistakes_have_a_place_and_a_reason)
{
    static const mistake mistakes[] = {
        {"", 1, 1, "expected a component, found the end of the text"},
        {"Position,", 1, 10, "expected a component, found the end of the text"},
        {"Position Velocity", 1, 10,
         "expected a comma, where, group by, select, order by, limit, or the end of the query, "
         "found"
         " \"Velocity\""},
        {"Position wher Health.current < 2", 1, 10,
         "expected a comma, where, group by, select, order by, limit, or the end of the query (did"
         " you mean where?), found \"wher\""},
        {"Position,\n  Velocty", 2, 3,
         "expected a component that is registered (did you mean Velocity?), found \"Velocty\""},
        {"Position, without Frozen", 1, 11,
         "expected ! before a component that must not be there, found \"without\""},
        {"not Frozen", 1, 1,
         "expected ! before a component that must not be there, found \"not\""},
        {"select Position.x from Position", 1, 1,
         "expected the components, and then select, as in Health select Health.current, found "
         "\"select\""},
        {"without where Health.current = 3", 1, 1,
         "expected a component that is registered (there are Aligned, Big, Burning, Byte, Extra, "
         "Frozen, Health, Name, Padded, Position, Target, Velocity), found \"without\""},
        {"Position where x = 3", 1, 16, "expected a field (did you mean Position.x?), found \"x\""},
        {"Health, Position where x = 3", 1, 24,
         "expected a field (did you mean Position.x?), found \"x\""},
        {"Health where x = 3", 1, 14, "expected a field, like Health.current, found \"x\""},
        {"Position, !Position", 1, 12,
         "expected each component once in the list of terms, found \"Position\""},
        {"any(Position", 1, 13,
         "expected \")\" or a comma after a component of any, found the end of the text"},
        {"changed(Position, Health)", 1, 17,
         "expected \")\" after the component of changed, found \",\""},
        {"Position where", 1, 15,
         "expected a condition, like Health.current < 20, found the end of the text"},
        {"Position WHERE Health.current < 2", 1, 10,
         "expected a comma, where, group by, select, order by, limit, or the end of the query (did"
         " you mean where?), found \"WHERE\""},
        {"Position where Health", 1, 16,
         "expected a condition, like has(T), T.field < 20 or name = 'a', found \"Health\""},
        {"Position where Health.current", 1, 30,
         "expected one of < <= > >= = != between in prefix contains like, after a field, found the "
         "end of the text"},
        {"Position where Health = 3", 1, 16,
         "expected a field of Health (there are current, max), found \"Health\""},
        {"Position where Frozen = 3", 1, 16, "expected a component with fields, found \"Frozen\""},
        {"Position where Helth = 3", 1, 16,
         "expected a field, like Health.current, found \"Helth\""},
        {"Position where Health.current < 3 && Health.max > 3", 1, 35,
         "expected and, or, group by, select, order by, limit, or the end of the query (write"
         " and), found \"&&\""},
        {"Position where Helth.current = 3", 1, 16,
         "expected a field of a component (did you mean Health?), found \"Helth.current\""},
        {"Position where Health.curent = 3", 1, 16,
         "expected a field of Health (did you mean current?), found \"Health.curent\""},
        {"Position where Big.words[5000] = 3", 1, 16,
         "expected a number below 5000 in [ ] after Big.words, found \"Big.words[5000]\""},
        {"Position where Big.words = 3", 1, 16,
         "expected a field with one value (Big.words is 20000 bytes of u32), found \"Big.words\""},
        {"Position where Health.current < 'a'", 1, 33,
         "expected a number for Health.current, found the character 'a'"},
        {"Position where Health.current < Name.text", 1, 33,
         "expected a number for Health.current, found \"Name.text\""},
        {"Position where Name.text < 'a'", 1, 16,
         "expected a field that is a number (Name.text is char), found \"Name.text\""},
        {"Position where Health.current prefix 'a'", 1, 16,
         "expected a field that is a text (Health.current is i32), found \"Health.current\""},
        {"Position where Name.text prefix Name.text", 1, 33,
         "expected a text in ' ' after prefix, contains or like, or $name, found \"Name.text\""},
        {"Position where Name.text like Target.entity -> Name.text", 1, 31,
         "expected a text in ' ' after prefix, contains or like, or $name,"
         " found \"Target.entity\""},
        {"Position where Target.entity = 3", 1, 32,
         "expected an entity, like Entity(2v1) or none for Target.entity, found 3"},
        {"Position where Health.current < 3x", 1, 33,
         "expected a number of at most 1.7e308, found 3x"},
        {"Position where Health.current between 3 or 4", 1, 41,
         "expected and between the two values of between, found \"or\""},
        {"Position where Health.current in 3", 1, 34, "expected \"(\" after in, found 3"},
        {"Position where (Health.current = 3", 1, 35,
         "expected \")\" after the condition in brackets, found the end of the text"},
        {"Position where Health.current = $ x", 1, 35,
         "expected the name of a parameter after $, found \"x\""},
        {"Position where within(Position, 1, true, 3)", 1, 36,
         "expected a number, or $name, found \"true\""},
        {"Position where within(Position, 1, 2)", 1, 16,
         "expected within(Position, x, y, distance), or with x, y and z, found \"within\""},
        {"Position limit 3", 1, 10,
         "expected the end of the query, since only a selection (kith_select_new) has group by,"
         " select, order by and limit, found \"limit\""},
        {"Position limit 3 where Health.current = 3", 1, 18,
         "expected the end of the query (where comes before limit), found \"where\""},
        {"Position limit 3 limit 4", 1, 18, "expected the end of the query, found \"limit\""},
        {"Position \x01", 1, 10, "expected text, found the byte 0x01"},
        {"Position, \"a\\0b\"", 1, 11,
         "expected a component that is registered (there are Aligned, Big, Burning, Byte,"
         " Extra, Frozen, Health, Name, Padded, Position, Target, Velocity), found the text "
         "\"a\\0b\""},
    };
    fixture f = fixture_with_all(KITH_TABLE);
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        check_mistake(f.world, mistakes[i]);
    }
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

TEST(a_world_without_types_tells_how_it_gets_them)
{
    static const mistake unregistered = {
        "Health where Health.current < 20", 1, 1,
        "expected a component that is registered (none is yet; KITH_TYPES registers types),"
        " found \"Health\""};
    fixture f = fixture_new();
    check_mistake(f.world, unregistered);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

KITH_COMPONENT(Grade, (char, letter));

TEST(a_single_char_is_compared_with_a_character_or_a_number)
{
    static const char *const texts[] = {"Grade where Grade.letter = 'b'",
                                        "Grade where Grade.letter = \"b\"",
                                        "Grade where Grade.letter = 98"};
    static const mistake long_one = {"Grade where Grade.letter = 'bb'", 1, 28,
                                     "expected a single character, or a number for Grade.letter,"
                                     " found the character 'bb'"};
    fixture f = fixture_new();
    KITH_SPAWN(f.world, KITH_VALUE(Grade, {'a'}));
    KITH_SPAWN(f.world, KITH_VALUE(Grade, {'b'}));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        CHECK_UINT(kith_query_count(kith_query_text(f.world, texts[i], NULL)), 1);
    }
    check_mistake(f.world, long_one);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Brackets and `not` nest up to a limit, which is told. */
TEST(nesting_has_a_limit)
{
    fixture f = fixture_new();
    for (int nots = 0; nots < 2; nots++) {
        for (size_t depth = 64; depth <= 100000; depth += depth == 64 ? 1 : 99935) {
            const char *level = nots != 0 ? "not " : "(";
            char *text = malloc(depth * 6 + 100);
            CHECK(text != NULL);
            char *end = text + sprintf(text, "A where ");
            for (size_t i = 0; i < depth; i++) {
                end += sprintf(end, "%s", level);
            }
            end += sprintf(end, "A.x = 1");
            for (size_t i = 0; nots == 0 && i < depth; i++) {
                *end++ = ')';
            }
            *end = '\0';
            kith_text_error error;
            CHECK_RESULT(kith_query_text_tidy(f.world, text, NULL, 0, NULL, &error),
                         depth == 64 ? KITH_OK : KITH_ERR_INPUT);
            if (depth != 64) {
                CHECK(strstr(error.message, "at most 64 levels") != NULL);
                CHECK_UINT(error.column, 9 + 64 * strlen(level));
            }
            free(text);
        }
    }
    fixture_free(&f);
}

/* A query has at most 4,096 terms; a text with more is a mistake, not misuse. */
TEST(long_lists_are_refused)
{
    static const char *const forms[][3] = {
        {"Position where Health.max = 1", " and Health.max = 1", ""},
        {"Position where not (Health.max = 1", " or Health.max = 1", ")"},
        {"Position where Health.max in (1", ", 1", ")"}};
    fixture f = fixture_with_all(KITH_TABLE);
    char *text = malloc(100000);
    CHECK(text != NULL);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        kith_text_error error = {.line = 0};
        char *end = text + sprintf(text, "%s", forms[i][0]);
        for (int k = 0; k < 4096; k++) {
            end += sprintf(end, "%s", forms[i][1]);
        }
        sprintf(end, "%s", forms[i][2]);
        CHECK(kith_query_text(f.world, text, &error) == NULL);
        CHECK(strstr(error.message,
                     "expected a list of at most 4096 terms, conditions or values") != NULL);
        CHECK_UINT(error.line, 1);
    }
    free(text);
    fixture_free(&f);
}

/* A mistake is shown with its line and a caret; of a long line, the part around it. */
TEST(a_caret_is_below_the_place)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_text_error error;
    char shown[800];
    const char *text = "Position,\n\t\"\xc3\xa4\", Velocty";
    kith_query_text(f.world, "Position, Velocty", &error);
    size_t length = kith_print_text_error("Position, Velocty", &error, shown, sizeof shown);
    CHECK_STR(shown, "line 1, column 11: expected a component that is registered (did you mean"
                     " Velocity?), found \"Velocty\"\n"
                     "    Position, Velocty\n"
                     "              ^");
    CHECK_UINT(length, strlen(shown));
    error = (kith_text_error){.line = 2, .column = 8, .message = "m"};
    kith_print_text_error(text, &error, shown, sizeof shown);
    CHECK_STR(shown, "line 2, column 8: m\n     \"\xc3\xa4\", Velocty\n          ^");

    char many[401];
    memset(many, 'a', 400);
    many[400] = '\0';
    error = (kith_text_error){.line = 1, .column = 201, .message = "m"};
    kith_print_text_error(many, &error, shown, sizeof shown);
    CHECK_UINT(strlen(shown), strlen("line 1, column 201: m\n    \n    ^") + 100 + 60);

    error = (kith_text_error){.line = 0, .message = "memory"};
    CHECK_UINT(kith_print_text_error("x", &error, shown, sizeof shown), 6);
    CHECK_STR(shown, "memory");
    error = (kith_text_error){.line = 7, .column = 900, .message = "elsewhere"};
    kith_print_text_error("x", &error, shown, sizeof shown);
    CHECK_STR(shown, "elsewhere");
    CHECK_UINT(kith_print_text_error("x", &error, NULL, 0), 9);
    fixture_free(&f);
}
