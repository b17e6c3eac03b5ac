/* Misuse of definitions, fields and texts: what code gets wrong, not input. */
#include "../world/trips.h"

TEST(arguments_that_are_nothing_are_told)
{
    stage s = stage_open();
    Position position = {1, 2};
    CHECK_TOLD(&s, kith_define(s.world, NULL, NULL) == KITH_ERR_MISUSE,
               "kith_define: the definition is NULL");
    CHECK_TOLD(&s, kith_print_value(s.world, &Position_type, NULL, NULL, 0) == 0,
               "kith_print_value: the type or the value is NULL");
    CHECK_TOLD(&s, kith_print_value_named(s.world, &Position_type, NULL, NULL, NULL, NULL, 0) == 0,
               "%s: the type or the value is NULL");
    CHECK_TOLD(&s, kith_print_field(s.world, NULL, &s.e, NULL, 0) == 0,
               "kith_print_field: the field or the value is NULL");
    CHECK_TOLD(&s, kith_parse_value(s.world, &Position_type, NULL, &position) == KITH_ERR_MISUSE,
               "kith_parse_value: the type or the text is NULL");
    CHECK_FLOAT(position.y, 2);
    CHECK_TOLD(&s, kith_field_from_text(s.world, s.e, &Position_type, "x", NULL) == KITH_ERR_MISUSE,
               "kith_field_from_text: the text is NULL");
    CHECK_TOLD(&s, kith_sort(s.world, NULL) == KITH_ERR_MISUSE,
               "kith_sort: the definition is NULL");
    CHECK_TOLD(&s, kith_parse_entity(s.world, s.e, NULL) == KITH_ERR_MISUSE,
               "kith_parse_entity: the text is NULL");
    CHECK_TOLD(&s, kith_query_text(s.world, NULL, NULL) == NULL,
               "kith_query_text: the text is NULL");
    kith_select *select;
    CHECK_TOLD(&s, kith_select_new(s.world, NULL, NULL, &select) == KITH_ERR_MISUSE,
               "kith_select_new: the text, or the place for the selection, is NULL");
    CHECK_RESULT(kith_select_new(s.world, "* limit $n", NULL, &select), KITH_OK);
    CHECK_TOLD(&s, kith_select_bind(select, NULL, 1) == KITH_ERR_MISUSE,
               "kith_select_bind: the name is NULL");
    CHECK_TOLD(&s, kith_query_text_tidy(s.world, "*", NULL, 1, NULL, NULL) == KITH_ERR_MISUSE,
               "kith_query_text_tidy: the text, or the room for the tidy one, is NULL");
    stage_close(&s);
}

TEST_WITHIN(10, calls_on_nothing_end_the_program)
{
    kith_reader reader = {.text = ""};
    kith_reader without_text = {.length = 3};
    kith_hint hint = {.word = "x", .length = 1};
    uint32_t value = 0;
    CHECK_ENDS(kith_read_token(&without_text), "kith_read_token: the reader or its text is NULL");
    CHECK_ENDS(kith_token_is(&reader, NULL), "kith_token_is: the reader or the text is NULL");
    CHECK_ENDS(kith_read_name(&reader, "a name", NULL, 8),
               "kith_read_name: the reader, what is expected or the name is NULL");
    CHECK_ENDS(kith_read_value(&reader, NULL, &value),
               "kith_read_value: the reader or the type is NULL");
    CHECK_ENDS(kith_read_fail(&reader, NULL, "%s", "x"),
               "kith_read_fail: the reader, the place or the format is NULL");
    CHECK_ENDS(kith_read_expected(NULL, "%s", "x"),
               "kith_read_expected: the reader or the format is NULL");
    CHECK_ENDS(kith_read_place(&reader, reader.text, NULL, NULL),
               "kith_read_place: the reader, the place or what it shall write is NULL");
    CHECK_ENDS(kith_hint_offer(&hint, NULL),
               "kith_hint_offer: the hint, its word or the name is NULL");
    CHECK_ENDS(kith_print_text_error("x", NULL, NULL, 0),
               "kith_print_text_error: the text or the error is NULL");
    CHECK_ENDS(kith_select_run(NULL), "%s: the selection is NULL");
    CHECK_ENDS(kith_select_print(NULL, 0, KITH_SELECT_TEXT, NULL, 0),
               "kith_select_print: the selection is NULL");
    CHECK_ENDS(kith_hint_text(NULL), "kith_hint_text: the hint is NULL");
}

/* Fields that no type may have. */
static const struct {
    const char *name;
    kith_field field;
    const char *message;
} odd_fields[] = {
    {"an unknown kind", {"odd", 0, 4, (kith_kind)99}, "%s: field %s: %u is not a kind of field"},
    {"a part of a number",
     {"odd", 0, 3, KITH_U16},
     "%s: field %s: %u bytes are not one or more values of kind %s (%u bytes)"},
    {"no number",
     {"odd", 0, 0, KITH_U16},
     "%s: field %s: %u bytes are not one or more values of kind %s (%u bytes)"},
};

/* Such a field is looked at first. Its text is empty then. */
TEST(odd_fields_are_told)
{
    stage s = stage_open();
    for (size_t i = 0; test_row(i, ROWS_OF(odd_fields)); i++) {
        const kith_field *field = &odd_fields[i].field;
        const uint32_t value = 7;
        char text[8] = "before";
        test_note(odd_fields[i].name);
        CHECK_TOLD(&s, kith_print_field(s.world, field, &value, text, sizeof text) == 0,
                   odd_fields[i].message);
        CHECK_STR(text, "");
    }
    stage_close(&s);
}

/* Types that are not registered, and could not be. */
static const kith_field strange_fields[] = {{"fine", 0, 2, KITH_U16}, {"odd", 2, 2, (kith_kind)99}};
static const kith_field nameless_field = {NULL, 0, 4, KITH_U32};
static const kith_field late_field = {"odd", 2, 4, KITH_U32};
static const struct {
    kith_type type;
    const char *message;
} odd_types[] = {
    {{"Odd", 4, 4, 0, 2, strange_fields, NULL, KITH_TABLE, false, false, 0},
     "%s: field %s: %u is not a kind of field"},
    {{"Odd", 4, 4, 0, 1, NULL, NULL, KITH_TABLE, false, false, 0},
     "%s: %s has %u fields, but their address is NULL"},
    {{"Odd", 4, 4, 0, 1, &nameless_field, NULL, KITH_TABLE, false, false, 0},
     "%s: field number %u of %s has no name"},
    {{"Odd", 4, 4, 0, 1, &late_field, NULL, KITH_TABLE, false, false, 0},
     "%s: field %s, %u bytes from byte %u on, is not within a struct of %u bytes"},
};

TEST(odd_types_are_told)
{
    stage s = stage_open();
    for (size_t i = 0; test_row(i, ROWS_OF(odd_types)); i++) {
        const kith_type *type = &odd_types[i].type;
        const uint32_t value = 7;
        char text[8] = "before";
        test_note(odd_types[i].message);
        CHECK_TOLD(&s, kith_print_value(s.world, type, &value, text, sizeof text) == 0,
                   odd_types[i].message);
        CHECK_STR(text, "");
    }
    stage_close(&s);
}

/* ---- Where nothing may change ---------------------------------------------------------------- */

TEST(changes_in_an_open_query_are_told)
{
    stage s = stage_open();
    const kith_type_def def = {.name = "Late"};
    const kith_type *type = NULL;
    kith_iter it = kith_query_iter(s.query);
    CHECK(kith_next(&it));
    CHECK_TOLD(&s, kith_define(s.world, &def, &type) == KITH_ERR_MISUSE,
               "kith_define: the world is being iterated (%s); do it when the loop has ended"
               " (kith_iter_close)");
    CHECK_PTR_NULL(type);
    CHECK_TOLD(&s,
               kith_parse_entity(s.world, s.e, "Position { x = 3 } Velocity") == KITH_ERR_MISUSE,
               "kith_parse_entity: the world is being iterated (%s); do it when the loop has ended"
               " (kith_iter_close)");
    kith_iter_close(&it);
    stage_close(&s);
}

static void *set_field_there(void *user)
{
    stage *s = user;
    float x = 7;
    CHECK_RESULT(kith_set_field(s->world, s->e, &Position_type, "x", KITH_F32, &x, 4),
                 KITH_ERR_MISUSE);
    return NULL;
}

TEST(another_thread_is_told)
{
    stage s = stage_open();
    in_another_thread(set_field_there, &s);
    check_told(__FILE__, __LINE__, &s,
               "kith_set_field: the world belongs to another thread; its owner calls"
               " kith_world_release, this one kith_world_claim");
    stage_close(&s);
}
