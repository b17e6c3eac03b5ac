/* Definitions, fields and texts in a world in the middle of its life. */
#include "reflect_calls.h"

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

/* More than the check of a type keeps on the stack. */
kith_result reflect_call_define_many_fields(stage *s)
{
    static kith_field fields[40];
    static char names[40][4];
    for (int i = 0; i < 40; i++) {
        names[i][0] = 'f';
        names[i][1] = (char)('0' + i / 10);
        names[i][2] = (char)('0' + i % 10);
        fields[i] = (kith_field){names[i], 0, 0, KITH_U16};
    }
    return define_type(s, (kith_type_def){.name = "Wide", .fields = fields, .field_count = 40});
}

kith_result reflect_call_set_field(stage *s)
{
    float x = 99;
    return kith_set_field(s->world, s->plain, &Position_type, "x", KITH_F32, &x, sizeof x);
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    return (a ^ b) * UINT64_C(0x9E3779B97F4A7C15) + (a >> 29);
}

uint64_t reflect_call_ask(stage *s)
{
    uint64_t answer = kith_field_find(&Position_type, "y")->offset;
    float x = 0;
    CHECK_RESULT(
        kith_get_field(s->world, s->plain, &Position_type, "x", KITH_F32, &x, sizeof x), KITH_OK);
    answer = mix(answer, (uint64_t)(int64_t)(x * 16));
    return mix(answer, kith_get_field(s->world, s->plain, &Position_type, "z", KITH_F32, &x, 4));
}
