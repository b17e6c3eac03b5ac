/* Conditions in text: they are those of a query in C. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "test.h"

KITH_COMPONENT(Tile, (char, glyph), (uint8_t, level), (bool, lit));
KITH_COMPONENT(Word, (kith_text, text));

/* 200 entities with all sorts of values, of which some lack this or that. */
static void spawn_values(kith_world *world, kith_entity first)
{
    static const char *const names[] = {"zig", "ziggy", "zag", "a zig", ""};
    for (int i = 0; i < 200; i++) {
        Name name = {""};
        Word word;
        strcpy(name.text, names[i % 5]);
        CHECK_RESULT(kith_text_intern(world, names[i % 4], &word.text), KITH_OK);
        kith_entity e = KITH_SPAWN(world, KITH_VALUE(Health, {i % 30, 20}));
        CHECK_RESULT(KITH_SET(world, e, Position, {(float)(i % 7), (float)(i % 4)}), KITH_OK);
        CHECK_RESULT(KITH_SET(world, e, Tile, {(char)('a' + i % 3), (uint8_t)i, i % 2 == 0}),
                     KITH_OK);
        CHECK_RESULT(kith_set(world, e, &Name_type, &name), KITH_OK);
        CHECK_RESULT(kith_set(world, e, &Word_type, &word), KITH_OK);
        CHECK_RESULT(KITH_SET(world, e, Target, {i % 3 == 0 ? first : KITH_NONE}), KITH_OK);
        if (i % 11 == 0) {
            CHECK_RESULT(KITH_REMOVE(world, e, Tile), KITH_OK);
        }
        if (i % 13 == 0) {
            CHECK_RESULT(KITH_ADD(world, e, Frozen), KITH_OK);
        }
    }
}

static void check_same(kith_query *a, kith_query *b)
{
    kith_iter left = kith_query_iter(a);
    kith_iter right = kith_query_iter(b);
    uint32_t all = 0;
    bool more = true;
    while (more) {
        more = kith_next_rows(&left);
        CHECK_INT(kith_next_rows(&right), more);
        CHECK_UINT(more ? left.count : 0, more ? right.count : 0);
        for (uint32_t i = 0; more && i < left.count; i++, all++) {
            CHECK_SAME(kith_entities(&left)[i], kith_entities(&right)[i]);
        }
    }
    CHECK(all > 0 && all < 200);
}

TEST_EACH_LAYOUT(conditions_are_those_of_a_query_in_c, layout)
{
    fixture f = fixture_with_all(layout);
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(f.world, &Tile_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Word_type, &def), KITH_OK);
    const kith_entity first = KITH_SPAWN(f.world, KITH_VALUE(Position, {100, 100}));
    spawn_values(f.world, first);
    const struct {
        const char *text;
        const kith_term *terms;
    } cases[] = {
        {"Health where Health.current < 20",
         KITH_TERMS(KITH_READ(Health), KITH_IF(Health, current, <, 20))},
        {"* where Position.x >= 2.5 and Position.y != 3",
         KITH_TERMS(KITH_IF(Position, x, >=, 2.5), KITH_IF(Position, y, !=, 3))},
        {"* where Health.current between 5 and 9",
         KITH_TERMS(KITH_IF(Health, current, >=, 5), KITH_IF(Health, current, <=, 9))},
        {"* where not Health.current between 5 and 9",
         KITH_TERMS(KITH_IF_NOT(
             KITH_IF_ALL(KITH_IF(Health, current, >=, 5), KITH_IF(Health, current, <=, 9))))},
        {"Tile where Tile.glyph in ('a', 'c') or Tile.level = 4",
         KITH_TERMS(KITH_READ(Tile),
                    KITH_IF_ANY(KITH_IF_IN(Tile, glyph, 'a', 'c'), KITH_IF(Tile, level, ==, 4)))},
        {"* where Tile.lit = true and (Tile.level > 100 or has(Frozen))",
         KITH_TERMS(KITH_IF(Tile, lit, ==, true),
                    KITH_IF_ANY(KITH_IF(Tile, level, >, 100), KITH_WITH(Frozen)))},
        {"* where Health.current > Health.max",
         KITH_TERMS(KITH_IF(Health, current, >, KITH_ITS(Health, max)))},
        {"Health where Name.text prefix 'zig' and not Name.text = 'zig'",
         KITH_TERMS(KITH_READ(Health), KITH_IF_PREFIX(Name, text, "zig"),
                    KITH_IF_NOT(KITH_IF(Name, text, ==, "zig")))},
        {"* where Word.text contains \"ig\" and Word.text != 'ziggy'",
         KITH_TERMS(KITH_IF_CONTAINS(Word, text, "ig"), KITH_IF(Word, text, !=, "ziggy"))},
        {"* where Target.entity = Entity(0v0)", KITH_TERMS(KITH_IF(Target, entity, ==, first))},
        {"* where Target.entity = none and has(Frozen)",
         KITH_TERMS(KITH_IF(Target, entity, ==, KITH_NONE), KITH_IF_ALL(KITH_WITH(Frozen)))},
        {"Frozen where has(Frozen) and has(Tile)",
         KITH_TERMS(KITH_READ(Frozen), KITH_IF_ALL(KITH_WITH(Frozen)),
                    KITH_IF_ALL(KITH_WITH(Tile)))},
        {"* where Health.current < $limit and Name.text = $name",
         KITH_TERMS(KITH_IF(Health, current, <, 11.5), KITH_IF(Name, text, ==, "zag"))},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kith_query *expected = NULL;
        kith_text_error error = {.message = ""};
        kith_query *query = kith_query_text(f.world, cases[i].text, &error);
        CHECK_STR(error.message, "");
        CHECK_RESULT(kith_query_new(f.world, &(kith_query_def){.terms = cases[i].terms}, &expected),
                     KITH_OK);
        if (strchr(cases[i].text, '$') != NULL) {
            CHECK_RESULT(kith_query_bind(query, "limit", 11.5), KITH_OK);
            CHECK_RESULT(kith_query_bind(query, "name", "zag"), KITH_OK);
        }
        check_same(query, expected);
        CHECK_UINT(kith_query_count(query), kith_query_count(expected));
    }
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* A parameter is a value, whatever is in it: never more of the text. */
TEST(parameters_are_bound_and_not_pasted_in)
{
    fixture f = fixture_with_all(KITH_TABLE);
    Name name = {"' or 1 = 1"};
    CHECK(!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 2}), {&Name_type, &name})));
    CHECK(!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 2}), KITH_VALUE(Name))));
    kith_select *select = NULL;
    CHECK_RESULT(kith_select_new(f.world,
                                 "Name where Name.text = $name and Health.current < $most"
                                 " select count limit $most",
                                 NULL, &select),
                 KITH_OK);
    CHECK_RESULT(kith_select_bind(select, "most", 2), KITH_OK);
    CHECK_RESULT(kith_select_run(select), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world),
                   "kith_select_run: kith_bound(\"name\") of the query of Name, Health, in text"
                   " $name, has no value yet");
    CHECK_UINT(kith_select_row_count(select), 0);
    CHECK_RESULT(kith_select_bind(select, "name", 3), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "kith_select_bind: Name.text is char");
    CHECK_RESULT(kith_select_bind(select, "name", "' or 1 = 1"), KITH_OK);
    CHECK_RESULT(kith_select_bind(select, "other", 3), KITH_ERR_UNKNOWN);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_UINT(*(const uint64_t *)kith_select_value(select, 0, 0), 1);
    fixture_free(&f);
}

/* More groups within one another than a query may have are a mistake with a place. */
TEST(groups_nest_up_to_a_limit)
{
    fixture f = fixture_with_all(KITH_TABLE);
    for (int depth = 16; depth <= 17; depth++) {
        char text[400] = "* where ";
        for (int i = 0; i < depth; i++) {
            strcat(text, "not ");
        }
        strcat(text, "Health.max = 1");
        kith_text_error error = {.line = 0};
        CHECK_INT(kith_query_text(f.world, text, &error) != NULL, depth == 16);
        CHECK_UINT(error.line, depth == 16 ? 0 : 1);
        CHECK_UINT(error.column, depth == 16 ? 0 : 9 + 16 * 4);
        CHECK_INT(strstr(error.message, "at most 16 groups") != NULL, depth == 17);
    }
    fixture_free(&f);
}
