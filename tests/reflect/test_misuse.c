/* Misuse of definitions, fields and texts: what code gets wrong, not input. */
#include "../world/trips.h"

static void define_null(stage *s)
{
    CHECK_RESULT(kith_define(s->world, NULL, NULL), KITH_ERR_MISUSE);
}

static void define_in_open_query(stage *s)
{
    kith_iter it = kith_query_iter(s->query);
    CHECK(kith_next(&it));
    const kith_type_def def = {.name = "Late"};
    const kith_type *type = NULL;
    CHECK_RESULT(kith_define(s->world, &def, &type), KITH_ERR_MISUSE);
    CHECK_PTR_NULL(type);
    kith_iter_end(&it);
}

static void *set_field_there(void *user)
{
    stage *s = user;
    float x = 7;
    CHECK_RESULT(kith_set_field(s->world, s->e, &Position_type, "x", KITH_F32, &x, 4),
                 KITH_ERR_MISUSE);
    return NULL;
}
static void set_field_from_another_thread(stage *s)
{
    in_another_thread(set_field_there, s);
}

static void print_null(stage *s)
{
    CHECK_UINT(kith_print_value(s->world, &Position_type, NULL, NULL, 0), 0);
}

static void parse_null_value(stage *s)
{
    Position position = {1, 2};
    CHECK_RESULT(kith_parse_value(s->world, &Position_type, NULL, &position), KITH_ERR_MISUSE);
    CHECK_FLOAT(position.y, 2);
}

static void parse_null_entity(stage *s)
{
    CHECK_RESULT(kith_parse_entity(s->world, s->e, NULL), KITH_ERR_MISUSE);
}

static void parse_in_open_query(stage *s)
{
    kith_iter it = kith_query_iter(s->query);
    CHECK(kith_next(&it));
    CHECK_RESULT(kith_parse_entity(s->world, s->e, "Position { x = 3 } Velocity"), KITH_ERR_MISUSE);
    CHECK_FLOAT(KITH_GET(s->world, s->e, Position)->x, 1);
    kith_iter_end(&it);
}

static void print_named_null(stage *s)
{
    kith_print_value_named(s->world, &Position_type, NULL, NULL, NULL, NULL, 0);
}

static void print_null_field(stage *s)
{
    kith_print_field(s->world, NULL, &s->e, NULL, 0);
}

/* A field that is no type's is looked at first. Its text is empty then. */
static void print_odd_field(stage *s, kith_kind kind, uint32_t size)
{
    const kith_field field = {.name = "odd", .size = size, .kind = kind};
    const uint32_t value = 7;
    char text[8] = "before";
    CHECK_UINT(kith_print_field(s->world, &field, &value, text, sizeof text), 0);
    CHECK_STR(text, "");
}

static void print_unknown_kind(stage *s)
{
    print_odd_field(s, (kith_kind)99, 4);
}

static void print_part(stage *s)
{
    print_odd_field(s, KITH_U16, 3);
}

static void print_none(stage *s)
{
    print_odd_field(s, KITH_U16, 0);
}

/* Types that are not registered, and could not be. */
static void print_odd_value(stage *s, const kith_field *fields, uint32_t count)
{
    const kith_type type = {
        .name = "Odd", .size = 4, .align = 4, .field_count = count, .fields = fields};
    const uint32_t value = 7;
    char text[8] = "before";
    CHECK_UINT(kith_print_value(s->world, &type, &value, text, sizeof text), 0);
    CHECK_STR(text, "");
}

static void print_value_of_unknown_kind(stage *s)
{
    const kith_field fields[] = {{"fine", 0, 2, KITH_U16}, {"odd", 2, 2, (kith_kind)99}};
    print_odd_value(s, fields, 2);
}

static void print_fields_nowhere(stage *s)
{
    print_odd_value(s, NULL, 1);
}

static void print_nameless_field(stage *s)
{
    print_odd_value(s, &(kith_field){NULL, 0, 4, KITH_U32}, 1);
}

static void print_field_behind_the_end(stage *s)
{
    print_odd_value(s, &(kith_field){"odd", 2, 4, KITH_U32}, 1);
}

static void read_token_of_null(stage *s)
{
    (void)s;
    kith_reader reader = {.length = 3};
    kith_read_token(&reader);
}

static void compare_token_with_null(stage *s)
{
    (void)s;
    kith_reader reader = {.text = ""};
    kith_token_is(&reader, NULL);
}

static void read_name_into_null(stage *s)
{
    (void)s;
    kith_reader reader = {.text = ""};
    kith_read_name(&reader, "a name", NULL, 8);
}

static void read_value_of_null(stage *s)
{
    kith_reader reader = {.text = ""};
    kith_read_value(&reader, NULL, &s->e);
}

static void fail_nowhere(stage *s)
{
    (void)s;
    kith_reader reader = {.text = ""};
    kith_read_fail(&reader, NULL, "%s", "x");
}

static void expect_of_nobody(stage *s)
{
    (void)s;
    kith_read_expected(NULL, "%s", "x");
}

static void place_nowhere(stage *s)
{
    (void)s;
    kith_reader reader = {.text = ""};
    kith_read_place(&reader, reader.text, NULL, NULL);
}

static void offer_null(stage *s)
{
    (void)s;
    kith_hint hint = {.word = "x", .length = 1};
    kith_hint_offer(&hint, NULL);
}

static void hint_of_nobody(stage *s)
{
    (void)s;
    kith_hint_text(NULL);
}

static void field_from_null(stage *s)
{
    kith_field_from_text(s->world, s->e, &Position_type, "x", NULL);
}

static const trip trips[] = {
    {"kith_field_from_text: the text is NULL", field_from_null, false},
    {"%s: the type or the value is NULL", print_named_null, false},
    {"%s: field %s: %u is not a kind of field", print_unknown_kind, false},
    {"%s: field %s: %u is not a kind of field", print_value_of_unknown_kind, false},
    {"%s: field %s: %u bytes are not one or more values of kind %s (%u bytes)", print_part, false},
    {"%s: field %s: %u bytes are not one or more values of kind %s (%u bytes)", print_none, false},
    {"%s: %s has %u fields, but their address is NULL", print_fields_nowhere, false},
    {"%s: field number %u of %s has no name", print_nameless_field, false},
    {"%s: field %s, %u bytes from byte %u on, is not within a struct of %u bytes",
     print_field_behind_the_end, false},
    {"kith_print_field: the field or the value is NULL", print_null_field, false},
    {"kith_read_token: the reader or its text is NULL", read_token_of_null, true},
    {"kith_token_is: the reader or the text is NULL", compare_token_with_null, true},
    {"kith_read_name: the reader, what is expected or the name is NULL", read_name_into_null, true},
    {"kith_read_value: the reader or the type is NULL", read_value_of_null, true},
    {"kith_read_fail: the reader, the place or the format is NULL", fail_nowhere, true},
    {"kith_read_expected: the reader or the format is NULL", expect_of_nobody, true},
    {"kith_read_place: the reader, the place or what it shall write is NULL", place_nowhere, true},
    {"kith_hint_offer: the hint, its word or the name is NULL", offer_null, true},
    {"kith_hint_text: the hint is NULL", hint_of_nobody, true},
    {"kith_define: the definition is NULL", define_null, false},
    {"kith_define: the world is being iterated (%s); do it when the loop has ended"
     " (kith_iter_end)",
     define_in_open_query, false},
    {"kith_set_field: the world belongs to another thread; its owner calls kith_world_release, this"
     " one kith_world_claim",
     set_field_from_another_thread, false},
    {"kith_print_value: the type or the value is NULL", print_null, false},
    {"kith_parse_value: the type or the text is NULL", parse_null_value, false},
    {"kith_parse_entity: the text is NULL", parse_null_entity, false},
    {"kith_parse_entity: the world is being iterated (%s); do it when the loop has ended"
     " (kith_iter_end)",
     parse_in_open_query, false},
};

TEST_WITHIN(10, misuse_is_told)
{
    take_trips(trips, sizeof trips / sizeof trips[0]);
}
