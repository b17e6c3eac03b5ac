/* Entities as text, with all that they have, and back: whole or not at all. */
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "kinds.h"
#include "stamps.h"
#include "test.h"

static const char *printed(kith_world *world, kith_entity entity)
{
    static char text[1 << 16];
    size_t length = 77;
    CHECK_RESULT(kith_print_entity(world, entity, text, sizeof text, &length), KITH_OK);
    CHECK_UINT(length, strlen(text));
    return text;
}

TEST_EACH_LAYOUT(an_entity_reads_back, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e =
        KITH_SPAWN(f.world, KITH_VALUE(Position, {1, -2.5f}), KITH_VALUE(Name, {"jane"}),
                   KITH_VALUE(Frozen), KITH_VALUE(Target, {{3, 4}}), KITH_VALUE(Big));
    kith_entity other = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_parse_entity(f.world, other, printed(f.world, e)), KITH_OK);
    CHECK_STR(KITH_GET(f.world, other, Name)->text, "jane");
    for (const kith_type *type = NULL; (type = kith_component_next(f.world, e, type)) != NULL;) {
        CHECK(kith_has(f.world, other, type));
        CHECK(type->size == 0 ||
              memcmp(kith_get(f.world, e, type), kith_get(f.world, other, type), type->size) == 0);
    }
    char text[1 << 14];
    snprintf(text, sizeof text, "%s", printed(f.world, e));
    CHECK_STR(printed(f.world, other), text);
    CHECK_STR(printed(f.world, kith_spawn_empty(f.world)), "");
    fixture_free(&f);
}

TEST_EACH_LAYOUT(a_component_stands_on_each_line, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, -2.5f}),
                               KITH_VALUE(Health, {7, 9}), KITH_VALUE(Frozen));
    CHECK_STR(printed(f.world, e),
              "Frozen\nHealth { current = 7, max = 9 }\nPosition { x = 1, y = -2.5 }\n");
    char text[16];
    size_t length = 0;
    CHECK_RESULT(kith_print_entity(f.world, e, text, sizeof text, &length), KITH_OK);
    CHECK_STR(text, "Frozen\nHealth {");
    CHECK(length > 60);
    CHECK_RESULT(kith_print_entity(f.world, e, NULL, 0, NULL), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
    CHECK_RESULT(kith_print_entity(f.world, e, text, sizeof text, &length), KITH_ERR_DEAD);
    CHECK_STR(text, "Frozen\nHealth {");
    fixture_free(&f);
}

TEST_EACH_LAYOUT(a_text_sets_what_it_names, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity, {3, 4}));
    CHECK_RESULT(kith_parse_entity(f.world, e,
                                   "# what a level says\n"
                                   "Position { y = 9 } Frozen\n\"Health\"\n"
                                   "Burning { }"),
                 KITH_OK);
    CHECK_STR(printed(f.world, e), "Burning\nFrozen\nHealth { current = 0, max = 0 }\n"
                                   "Position { x = 0, y = 9 }\nVelocity { dx = 3, dy = 4 }\n");
    CHECK_RESULT(kith_parse_entity(f.world, e, " # nothing"), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
    CHECK_RESULT(kith_parse_entity(f.world, e, "no text at all"), KITH_ERR_DEAD);
    fixture_free(&f);
}

/* ---- Not at all ------------------------------------------------------------------------------ */

static const struct {
    const char *text;
    const char *message;
} wrong[] = {
    {"Position { x = 3 }\nVelocity { dx = 3 }\nHealth { current = 1.5 }",
     "line 3, column 20: expected a whole number from -2147483648 to 2147483647 for Health.current,"
     " found 1.5"},
    {"Position { x = 3 }\n\tHelth", "line 2, column 2: expected a component that is registered"
                                    " (did you mean Health?), found \"Helth\""},
    {"Position Velocity Position { x = 3 }",
     "line 1, column 19: expected a component once, found Position again"},
    {"Frozen { x = 1 }", "line 1, column 10: expected }, as Frozen has no fields, found \"x\""},
    {"{ x = 1 }", "line 1, column 1: expected the name of a component, found \"{\""},
    {"Position { x = 1", "line 1, column 17: expected , or } after a field of Position, found the"
                         " end of the text"},
    {"Position, Velocity", "line 1, column 9: expected the name of a component, found \",\""},
};

TEST_EACH_LAYOUT(a_wrong_text_changes_nothing, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Burning));
    const uint64_t before = kith_world_hash(f.world);
    const size_t used = kith_memory(f.world).used;
    test_stamps *stamps = test_stamps_take(f.world);
    for (size_t i = 0; test_row(i, ROWS_OF(wrong)); i++) {
        char message[512];
        test_note(wrong[i].text);
        CHECK_RESULT(kith_parse_entity(f.world, e, wrong[i].text), KITH_ERR_INPUT);
        snprintf(message, sizeof message, "kith_parse_entity: %s", wrong[i].message);
        CHECK_STR(kith_error(f.world), message);
        CHECK_UINT(kith_world_hash(f.world), before);
        CHECK_UINT(kith_memory(f.world).used, used);
    }
    test_stamps_check_none(stamps);
    test_stamps_free(stamps);
    fixture_free(&f);
}

/* Types of Kith's own are known in every world, and a relation has no value without a target. */
TEST(a_relation_is_named_with_its_target)
{
    fixture f = fixture_new();
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    const uint64_t hash = kith_world_hash(f.world);
    const char *text = "Position { x = 9, y = 9 }\nChildOf";
    CHECK_RESULT(kith_parse_entity(f.world, e, text), KITH_ERR_DEAD);
    CHECK_CONTAINS(kith_error(f.world), "kith_parse_entity: ");
    CHECK_CONTAINS(kith_error(f.world), "the target of ChildOf");
    text = "Position { x = 9, y = 9 }\nEntityName { text = \"a/b\" }";
    CHECK_RESULT(kith_parse_entity(f.world, e, text), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "\"a/b\" cannot be the name of an entity");
    CHECK_WORLD(f.world);
    CHECK_UINT(kith_world_hash(f.world), hash);
    fixture_free(&f);
}

TEST(a_world_without_types_knows_none)
{
    fixture f = fixture_new();
    kith_entity e = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_parse_entity(f.world, e, ""), KITH_OK);
    CHECK_RESULT(kith_parse_entity(f.world, e, "Position"), KITH_ERR_INPUT);
    fixture_free(&f);
}

/* As many components as there are, and texts that say each name over and over. */
TEST(an_entity_may_have_many_components)
{
    enum { MANY = 300 };
    static char text[MANY * 40];
    size_t length = 0;
    fixture f = fixture_new();
    for (int i = 0; i < MANY; i++) {
        char name[16];
        snprintf(name, sizeof name, "Made%03d", i);
        const kith_type_def def = {.name = name,
                                   .fields = &(const kith_field){"v", 0, 0, KITH_U32},
                                   .field_count = 1,
                                   .layout = (kith_layout)(i % 3)};
        CHECK_RESULT(kith_define(f.world, &def, NULL), KITH_OK);
        length += (size_t)snprintf(text + length, sizeof text - length, "%s { v = %d }\n", name, i);
    }
    kith_entity e = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_parse_entity(f.world, e, text), KITH_OK);
    CHECK_STR(printed(f.world, e), text);
    fixture_free(&f);
}

/* A name that is no word stands in quotes, with a value behind it and without, and reads back. */
TEST_EACH_LAYOUT(odd_names_of_components_stand_in_quotes, layout)
{
    static const struct {
        const char *name;
        const char *printed;
    } names[] = {{".hidden", "\".hidden\""},
                 {"a:b", "\"a:b\""},
                 {"game::Body", "game::Body"},
                 {":", "\":\""},
                 {"plain.word", "plain.word"}};
    const kith_field field = {"v", 0, 0, KITH_U8};
    for (size_t i = 0; test_row(i, ROWS_OF(names)); i++) {
        for (uint32_t fields = 0; fields < 2; fields++) {
            fixture f = fixture_new();
            const kith_type_def def = {
                .name = names[i].name, .fields = &field, .field_count = fields, .layout = layout};
            const kith_type *type;
            CHECK_RESULT(kith_define(f.world, &def, &type), KITH_OK);
            kith_entity e = kith_spawn_empty(f.world);
            CHECK_RESULT(kith_add(f.world, e, type), KITH_OK);
            char text[100];
            snprintf(text, sizeof text, "%s%s\n", names[i].printed,
                     fields == 0 ? "" : " { v = 0 }");
            CHECK_STR(printed(f.world, e), text);
            CHECK_RESULT(kith_remove_all(f.world, e), KITH_OK);
            CHECK_RESULT(kith_parse_entity(f.world, e, text), KITH_OK);
            CHECK(kith_has(f.world, e, type));
            fixture_free(&f);
        }
    }
}

/* ---- In an open query ------------------------------------------------------------------------ */

/* Values may be overwritten there. */
TEST_EACH_LAYOUT(a_text_may_overwrite_in_an_open_query, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity));
    kith_query *query = KITH_QUERY(f.world, KITH_WITH(Position));
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it));
    test_stamps *stamps = test_stamps_take(f.world);
    CHECK_RESULT(kith_parse_entity(f.world, e, "Velocity { dx = 5 } Position { x = 5 }"), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 5);
    test_stamps_free(stamps);
    kith_iter_close(&it);
    fixture_free(&f);
}
