/* Definitions, fields and texts in a world in the middle of its life. */
#include "reflect_calls.h"

#include <string.h>

static kith_result define_type(stage *s, kith_type_def def)
{
    const kith_type *type = &Position_type;
    def.layout = s->def.layout;
    kith_result result = kith_define(s->world, &def, &type);
    CHECK_INT(type == &Position_type, result != KITH_OK);
    return result;
}

kith_result reflect_call_define(stage *s)
{
    static const kith_field fields[] = {{"level", 0, 0, KITH_U8}, {"owner", 0, 0, KITH_ENTITY}};
    return define_type(s, (kith_type_def){.name = "Made", .fields = fields, .field_count = 2});
}

kith_result reflect_call_define_relation(stage *s)
{
    static const kith_field fields[] = {{"source", .kind = KITH_ENTITY},
                                        {"target", .kind = KITH_ENTITY}};
    return define_type(s, (kith_type_def){.name = "Made",
                                          .fields = fields,
                                          .field_count = 2,
                                          .relation = KITH_MANY | KITH_CLEAR});
}

/* More than the check of a type keeps on the stack, in an order that it has to think about. */
static const kith_field *many_fields(void)
{
    static kith_field fields[40];
    static char names[40][4];
    for (int i = 0; i < 40; i++) {
        names[i][0] = 'f';
        names[i][1] = (char)('0' + i / 10);
        names[i][2] = (char)('0' + i % 10);
        fields[39 - i] = (kith_field){names[i], 2 * (uint32_t)i, 2, KITH_U16};
    }
    return fields;
}

kith_result reflect_call_define_many_fields(stage *s)
{
    return define_type(
        s, (kith_type_def){.name = "Wide", .size = 80, .fields = many_fields(), .field_count = 40});
}

kith_result reflect_call_set_field(stage *s)
{
    float x = 99;
    return kith_set_field(s->world, s->plain, &Position_type, "x", KITH_F32, &x, sizeof x);
}

kith_result reflect_call_field_from_text(stage *s)
{
    return kith_field_from_text(s->world, s->plain, &Position_type, "x", "99");
}

/* A type that is not registered is looked at first. */
kith_result reflect_call_parse_value(stage *s)
{
    const kith_type type = {"Wide", 80, 2, 0, 40, many_fields(), NULL, KITH_TABLE, false, false, 0};
    uint16_t value[40] = {0xEEEE};
    kith_result result = kith_parse_value(s->world, &type, "{ f03 = 7 }", value);
    CHECK_UINT(value[0], result == KITH_OK ? 0 : 0xEEEE);
    CHECK_UINT(value[3], result == KITH_OK ? 7 : 0);
    return result;
}

kith_result reflect_call_parse_known(stage *s)
{
    return kith_parse_entity(s->world, s->empty, "Position { x = 5 } Velocity { dy = 6 }");
}

kith_result reflect_call_parse_new(stage *s)
{
    return kith_parse_entity(s->world, s->plain,
                             "Name { text = \"new\" } Burning Position { x = 9 } Health Byte");
}

kith_result reflect_call_parse_over(stage *s)
{
    return kith_parse_entity(s->world, s->full, "Extra { a = 9 } Frozen Position { x = 9 }");
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    return (a ^ b) * UINT64_C(0x9E3779B97F4A7C15) + (a >> 29);
}

uint64_t reflect_call_ask(stage *s)
{
    uint64_t answer = kith_field_find(&Position_type, "y")->offset;
    float x = 0;
    CHECK_RESULT(kith_get_field(s->world, s->plain, &Position_type, "x", KITH_F32, &x, sizeof x),
                 KITH_OK);
    answer = mix(answer, (uint64_t)(int64_t)(x * 16));
    answer = mix(answer, kith_get_field(s->world, s->plain, &Position_type, "z", KITH_F32, &x, 4));
    char text[512];
    size_t length = 0;
    CHECK_RESULT(kith_print_entity(s->world, s->plain, text, sizeof text, &length), KITH_OK);
    answer = mix(answer, length);
    const kith_difference difference = {.kind = KITH_DIFF_SPAWNED, .entity = s->plain};
    answer = mix(answer, kith_print_difference(s->world, &difference, text, sizeof text));
    return mix(answer, kith_print_value(s->world, &Position_type,
                                        KITH_GET(s->world, s->plain, Position), text, sizeof text));
}

/* Where all types are KITH_SLOT, gives some entities Target, which is in tables, in no order. */
void reflect_call_prepare_sort(stage *s)
{
    if (s->def.layout == KITH_SLOT) {
        CHECK_RESULT(KITH_SET(s->world, s->plain, Target, {s->plain}), KITH_OK);
        CHECK_RESULT(KITH_SET(s->world, s->full, Target, {s->full}), KITH_OK);
        CHECK_RESULT(KITH_SET(s->world, s->empty, Target, {s->empty}), KITH_OK);
    }
}

static int compare_first_words(const void *a, const void *b, void *user)
{
    (void)user;
    uint32_t left;
    uint32_t right;
    memcpy(&left, a, sizeof left);
    memcpy(&right, b, sizeof right);
    return (left > right) - (left < right);
}

/* The rows of Position are in ascending order. */
static kith_result sort_downwards(const stage *s, bool compares)
{
    bool slots = s->def.layout == KITH_SLOT;
    kith_sort_def def = {.type = &Position_type, .field = "x", .descending = true};
    if (slots) {
        CHECK_RESULT(kith_sort(s->world, &def), KITH_ERR_INPUT);
        def = (kith_sort_def){.type = &Target_type, .field = "entity"};
    }
    if (compares) {
        def.field = NULL;
        def.compare = compare_first_words;
    }
    return kith_sort(s->world, &def);
}

kith_result reflect_call_sort(stage *s)
{
    return sort_downwards(s, false);
}

kith_result reflect_call_sort_by_comparing(stage *s)
{
    return sort_downwards(s, true);
}
