/* Random conditions on random values, beside a naive evaluation that compares long doubles, one entity
 * after the other. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "components.h"
#include "random.h"
#include "test.h"

KITH_COMPONENT(Kinds, (int8_t, i8), (uint8_t, u8), (int16_t, i16), (uint16_t, u16), (int32_t, i32),
               (uint32_t, u32), (int64_t, i64), (uint64_t, u64), (float, f32), (double, f64),
               (bool, flag), (uint8_t, some, 3));
KITH_COMPONENT(Heat, (float, degrees));
KITH_COMPONENT(Pair, (int32_t, a), (int32_t, b));

#define ENTITIES 1500u
#define DEPTH 3
#define NODES 64

static const kith_type *const types[] = {&Kinds_type, &Heat_type, &Pair_type};

typedef struct condition_model {
    fixture f;
    kith_entity e[ENTITIES];
    uint64_t random;
    kith_term terms[NODES]; /* a list is a part of it that ends with a term of zeros */
    kith_condition conditions[NODES];
    uint32_t term_count, condition_count;
} condition_model;

/* Numbers where mistakes are likely. */
static long double some_number(condition_model *m)
{
    static const long double numbers[] = {0,     0.5L,         1,        2,          3,
                                          -1,    -0.5L,        127,      128,        -128,
                                          255,   256,          32767,    -32768,     1e3,
                                          65535, 16777216,     16777217, 2147483647, -2147483648.0L,
                                          0.1L,  4294967295.0L};
    switch (random_below(&m->random, 8)) {
    case 0: return 9223372036854775807.0L - random_below(&m->random, 3);
    case 1: return 18446744073709551615.0L - random_below(&m->random, 3);
    case 2: return -9223372036854775807.0L - 1 + random_below(&m->random, 3);
    case 3: return 9007199254740992.0L + random_below(&m->random, 3);
    default: return numbers[random_below(&m->random, sizeof numbers / sizeof numbers[0])];
    }
}

/* A value of a kind: one of those numbers if it is among the kind's, otherwise any. */
static void some_value(condition_model *m, const kith_field *field, uint8_t *bytes)
{
    uint64_t any = random_next(&m->random);
    long double number = some_number(m);
    memcpy(bytes, &any, kith_kind_size(field->kind));
#define IN_KIND(kind, T, least, most)                                                              \
    case kind:                                                                                     \
        if (number >= (long double)(least) && number <= (long double)(most)) {                     \
            T value = (T)number;                                                                   \
            memcpy(bytes, &value, sizeof value);                                                   \
        }                                                                                          \
        break
    switch (field->kind) {
        IN_KIND(KITH_I8, int8_t, INT8_MIN, INT8_MAX);
        IN_KIND(KITH_U8, uint8_t, 0, UINT8_MAX);
        IN_KIND(KITH_I16, int16_t, INT16_MIN, INT16_MAX);
        IN_KIND(KITH_U16, uint16_t, 0, UINT16_MAX);
        IN_KIND(KITH_I32, int32_t, INT32_MIN, INT32_MAX);
        IN_KIND(KITH_U32, uint32_t, 0, UINT32_MAX);
        IN_KIND(KITH_I64, int64_t, INT64_MIN, INT64_MAX);
        IN_KIND(KITH_U64, uint64_t, 0, UINT64_MAX);
        IN_KIND(KITH_F32, float, -FLT_MAX, FLT_MAX);
        IN_KIND(KITH_F64, double, -DBL_MAX, DBL_MAX);
    default: *bytes = (uint8_t)(any & 1); break;
    }
#undef IN_KIND
    if (field->kind == KITH_F32 && any % 16 == 0) {
        const float special[] = {NAN, INFINITY, -INFINITY, -0.0f};
        memcpy(bytes, &special[any / 16 % 4], sizeof special[0]);
    }
}

static void set_random(condition_model *m, kith_entity e, const kith_type *type)
{
    uint64_t words[16] = {0};
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        for (uint32_t at = 0; at < field->size; at += kith_kind_size(field->kind)) {
            some_value(m, field, (uint8_t *)words + field->offset + at);
        }
    }
    CHECK(type->size <= sizeof words);
    CHECK_RESULT(kith_set(m->f.world, e, type, words), KITH_OK);
}

/* The number in a field. */
static long double number_of(const kith_field *field, const uint8_t *bytes)
{
#define FROM_KIND(kind, T)                                                                         \
    case kind: {                                                                                   \
        T value;                                                                                   \
        memcpy(&value, bytes, sizeof value);                                                       \
        return (long double)value;                                                                 \
    }
    switch (field->kind) {
        FROM_KIND(KITH_I8, int8_t)
        FROM_KIND(KITH_I16, int16_t)
        FROM_KIND(KITH_U16, uint16_t)
        FROM_KIND(KITH_I32, int32_t)
        FROM_KIND(KITH_U32, uint32_t)
        FROM_KIND(KITH_I64, int64_t)
        FROM_KIND(KITH_U64, uint64_t)
        FROM_KIND(KITH_F32, float)
        FROM_KIND(KITH_F64, double)
    default: return *bytes;
    }
#undef FROM_KIND
}

static kith_operand some_operand(condition_model *m)
{
    long double number = some_number(m);
    if (random_below(&m->random, 8) == 0) {
        const uint32_t type = random_below(&m->random, 3);
        const kith_field *field =
            &types[type]->fields[random_below(&m->random, types[type]->field_count)];
        bool array = field->size != kith_kind_size(field->kind);
        return kith_operand_field_(types[type], array ? "some[1]" : field->name, 0);
    }
    if (number == floorl(number) && number >= 0 && number <= 18446744073709551615.0L &&
        random_below(&m->random, 2) == 0) {
        return kith_operand_u64_((uint64_t)number);
    }
    if (number == floorl(number) && number >= -9223372036854775808.0L &&
        number <= 9223372036854775807.0L && random_below(&m->random, 2) == 0) {
        return kith_operand_i64_((int64_t)number);
    }
    return kith_operand_f64_(random_below(&m->random, 20) == 0 ? (double)NAN : (double)number);
}

static kith_term some_term(condition_model *m, uint32_t depth, bool group)
{
    const kith_type *type = types[random_below(&m->random, 3)];
    if (group && random_below(&m->random, 6) == 0) {
        return (kith_term){type, KITH_ACCESS_NONE,
                           random_below(&m->random, 2) == 0 ? KITH_MUST : KITH_MUST_NOT, 0, NULL};
    }
    kith_condition *condition = &m->conditions[m->condition_count++];
    *condition = (kith_condition){.op = KITH_OP_ANY};
    if (depth < DEPTH && random_below(&m->random, 3) == 0) {
        uint32_t count = 1 + random_below(&m->random, 2);
        kith_term *list = &m->terms[m->term_count];
        m->term_count += count + 1;
        condition->op = (kith_op)(KITH_OP_ANY + random_below(&m->random, 3));
        condition->terms = list;
        for (uint32_t i = 0; i < count; i++) {
            list[i] = some_term(m, depth + 1, true);
        }
        list[count] = (kith_term){0};
        return (kith_term){NULL, KITH_ACCESS_NONE, KITH_MUST, 0, condition};
    }
    const kith_field *field = &type->fields[random_below(&m->random, type->field_count)];
    condition->op = (kith_op)(1 + random_below(&m->random, 6));
    condition->field = field->size == kith_kind_size(field->kind) ? field->name : "some[2]";
    condition->value = some_operand(m);
    return (kith_term){type, KITH_ACCESS_NONE, KITH_MUST, 0, condition};
}

/* ---- The naive evaluation */

static bool read_number(condition_model *m, kith_entity e, const kith_type *type, const char *name,
                        long double *number)
{
    const uint8_t *value = kith_get(m->f.world, e, type);
    const kith_field *field = kith_field_find(type, name);
    if (value != NULL) {
        *number = field != NULL ? number_of(field, value + field->offset)
                                : value[offsetof(Kinds, some) + (size_t)(name[5] - '0')];
    }
    return value != NULL;
}

static bool holds(condition_model *m, kith_entity e, const kith_term *term)
{
    const kith_condition *condition = term->condition;
    if (condition == NULL) {
        return kith_has(m->f.world, e, term->type) == (term->role == KITH_MUST);
    }
    if (condition->op >= KITH_OP_ANY) {
        uint32_t count = 0;
        uint32_t all = 0;
        for (; condition->terms[all].type != NULL || condition->terms[all].condition != NULL;
             all++) {
            count += holds(m, e, &condition->terms[all]);
        }
        return condition->op == KITH_OP_ANY   ? count != 0
               : condition->op == KITH_OP_ALL ? count == all
                                              : count == 0;
    }
    const kith_operand *operand = &condition->value;
    long double left;
    long double right = operand->kind == KITH_OPERAND_F64   ? (long double)operand->as.f64
                        : operand->kind == KITH_OPERAND_I64 ? (long double)operand->as.i64
                                                            : (long double)operand->as.u64;
    if (!read_number(m, e, term->type, condition->field, &left) ||
        (operand->kind == KITH_OPERAND_FIELD &&
         !read_number(m, e, operand->type, operand->as.string, &right))) {
        return false;
    }
    uint32_t outcome = left < right ? 1 : left > right ? 4 : left == right ? 2 : 0;
    return ((uint32_t)condition->op & outcome) != 0;
}

/* Checks a query of random terms in all ways of asking. */
static void check_random(condition_model *m)
{
    m->term_count = 0;
    m->condition_count = 0;
    kith_term terms[4] = {0};
    uint32_t count = 0;
    if (random_below(&m->random, 2) == 0) {
        terms[count++] = (kith_term)KITH_READ(Heat);
    }
    terms[count++] = some_term(m, 0, false);
    if (random_below(&m->random, 2) == 0) {
        terms[count++] = some_term(m, 0, false);
    }
    kith_query *query = kith_query_new_or_null(m->f.world, &(kith_query_def){.terms = terms});
    CHECK_PTR_NOT_NULL(query);
    bool expected[ENTITIES] = {false};
    uint32_t expected_count = 0;
    for (uint32_t i = 0; i < ENTITIES; i++) {
        expected[i] = true;
        for (uint32_t k = 0; k < count; k++) {
            expected[i] = expected[i] && holds(m, m->e[i], &terms[k]);
        }
        expected_count += expected[i];
        CHECK_INT(kith_query_contains(query, m->e[i]), expected[i]);
    }
    CHECK_UINT(kith_query_count(query), expected_count);
    kith_entity order[ENTITIES];
    uint32_t met = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        memcpy(order + met, kith_entities(&it), it.count * sizeof *order);
        met += it.count;
    }
    CHECK_UINT(met, expected_count);
    met = 0;
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        CHECK(memcmp(order + met, kith_entities(&it), it.count * sizeof *order) == 0);
        met += it.count;
    }
    CHECK_UINT(met, expected_count);
    CHECK_SAME(kith_query_first(query), met == 0 ? KITH_NONE : order[0]);
    kith_query_free(query);
}

/* Whatever the layouts are, the queries find what the model finds; also as values and rows change. */
TEST_WITHIN(30, random_conditions_find_what_the_model_finds)
{
    for (uint32_t layouts = 0; layouts < 27; layouts++) {
        condition_model m = {.f = fixture_new(), .random = layouts + 1};
        for (uint32_t i = 0, rest = layouts; i < 3; i++, rest /= 3) {
            kith_register(m.f.world, types[i],
                          &(kith_component_def){.layout = (kith_layout)(rest % 3)});
        }
        for (uint32_t i = 0; i < ENTITIES; i++) {
            m.e[i] = kith_spawn_empty(m.f.world);
            for (uint32_t k = 0; k < 3; k++) {
                if (random_below(&m.random, 4) != 0) {
                    set_random(&m, m.e[i], types[k]);
                }
            }
        }
        for (uint32_t round = 0; round < 12; round++) {
            for (uint32_t k = 0; k < 100; k++) {
                uint32_t i = random_below(&m.random, ENTITIES);
                const kith_type *type = types[random_below(&m.random, 3)];
                if (random_below(&m.random, 2) == 0) {
                    set_random(&m, m.e[i], type);
                } else {
                    kith_remove(m.f.world, m.e[i], type);
                }
            }
            check_random(&m);
        }
        CHECK_WORLD(m.f.world);
        fixture_free(&m.f);
    }
}
