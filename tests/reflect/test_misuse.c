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

static const trip trips[] = {
    {"kith_print_value_named: the type or the value is NULL", print_named_null, false},
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
    {"kith_set_field: the world belongs to another thread; its owner calls kith_world_yield, this"
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
