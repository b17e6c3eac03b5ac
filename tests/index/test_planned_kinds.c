/* Queries that find indexes, by conditions of all shapes on fields of all kinds: what they tell is what
 * they told before there was an index. */
#include <kith/floats.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "all_ways.h"
#include "components.h"
#include "random.h"

KITH_COMPONENT(Kinds, (int8_t, i8), (int16_t, i16), (int32_t, i32), (int64_t, i64), (uint8_t, u8),
               (uint16_t, u16), (uint32_t, u32), (uint64_t, u64), (float, f32), (double, f64),
               (char, letter), (char, name, 7), (kith_text, word), (kith_entity, who),
               (bool, flag));

#define KINDS 2000u

/* ---- Numbers at the ends of what a field holds ----------------------------------------------- */

typedef struct world_of_kinds {
    fixture f;
    kith_world *world;
    uint64_t random;
    kith_entity made[KINDS];
} world_of_kinds;

static double some_double(uint64_t *random)
{
    static const double ends[] = {0,       -0.0,    1,        -1,       HUGE_VAL, -HUGE_VAL,
                                  DBL_MAX, FLT_MAX, -FLT_MAX, -DBL_MAX, DBL_MIN,  FLT_MIN,
                                  5e-324,  1e-45,   NAN,      0.1};
    uint32_t which = random_below(random, 200);
    return which < ROWS_OF(ends) ? ends[which] : (double)random_below(random, 4000) / 7;
}

/* Bits of any number, or of one at an end: all zeros or ones, or only the highest bit, give or take
 * one. */
static uint64_t some_bits(uint64_t *random, uint32_t bits)
{
    uint64_t high = UINT64_C(1) << (bits - 1);
    const uint64_t ends[] = {0, 1, UINT64_MAX, UINT64_MAX - 1, high, high - 1, high + 1};
    uint32_t which = random_below(random, 300);
    return which < ROWS_OF(ends) ? ends[which] : random_next(random);
}

static Kinds some_kinds(world_of_kinds *t)
{
    uint64_t *random = &t->random;
    double f64 = some_double(random);
    bool fits = fabs(f64) <= FLT_MAX || f64 != f64 || fabs(f64) == HUGE_VAL;
    Kinds kinds = {
        .i8 = (int8_t)some_bits(random, 8),
        .i16 = (int16_t)some_bits(random, 16),
        .i32 = (int32_t)some_bits(random, 32),
        .i64 = (int64_t)some_bits(random, 64),
        .u8 = (uint8_t)some_bits(random, 8),
        .u16 = (uint16_t)some_bits(random, 16),
        .u32 = (uint32_t)some_bits(random, 32),
        .u64 = some_bits(random, 64),
        .f32 = fits ? (float)f64 : 0,
        .f64 = f64,
        .letter = (char)some_bits(random, 8),
        .who = {random_below(random, 100) == 0 ? 0 : 1 + random_below(random, KINDS), 0},
        .flag = random_below(random, 100) == 0,
    };
    char text[32];
    snprintf(text, sizeof(text), "w%u", random_below(random, 400));
    CHECK_RESULT(kith_text_intern(t->world, random_below(random, 90) == 0 ? "" : text, &kinds.word),
                 KITH_OK);
    /* Up to the last byte of the field, which then has no zero; and bytes after the zero. */
    snprintf(text, sizeof(text), "n%u%s", random_below(random, 900), "abcdef");
    memset(kinds.name, 'x', sizeof(kinds.name));
    memcpy(kinds.name, text, random_below(random, 2) == 0 ? 7 : 4);
    if (random_below(random, 2) == 0) {
        kinds.name[4 + random_below(random, 3)] = '\0';
    }
    if (random_below(random, 200) == 0) {
        memset(kinds.name, 0, 1 + random_below(random, 7));
    }
    return kinds;
}

static void kinds_new(world_of_kinds *t, kith_layout layout)
{
    memset(t, 0, sizeof(*t));
    t->f = fixture_new();
    t->world = t->f.world;
    t->random = 1 + (uint64_t)layout;
    CHECK_RESULT(kith_register(t->world, &Kinds_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    for (uint32_t i = 0; i < KINDS; i++) {
        const Kinds kinds = some_kinds(t);
        const kith_value value = {&Kinds_type, &kinds};
        t->made[i] = kith_spawn_or_none(t->world, &value, 1);
        CHECK(!kith_is_none(t->made[i]));
    }
}

/* What fields are compared with: of each form that an operand has, at the ends of all kinds. */
static const kith_operand operands[] = {
    {KITH_OPERAND_I64, 0, {.i64 = 0}, NULL, NULL},
    {KITH_OPERAND_I64, 0, {.i64 = 1}, NULL, NULL},
    {KITH_OPERAND_I64, 0, {.i64 = -1}, NULL, NULL},
    {KITH_OPERAND_I64, 0, {.i64 = -2}, NULL, NULL},
    {KITH_OPERAND_I64, 0, {.i64 = INT8_MIN}, NULL, NULL},
    {KITH_OPERAND_I64, 0, {.i64 = INT8_MAX}, NULL, NULL},
    {KITH_OPERAND_I64, 0, {.i64 = UINT8_MAX}, NULL, NULL},
    {KITH_OPERAND_I64, 0, {.i64 = UINT8_MAX + 1}, NULL, NULL},
    {KITH_OPERAND_I64, 0, {.i64 = INT16_MIN}, NULL, NULL},
    {KITH_OPERAND_I64, 0, {.i64 = INT16_MIN - 1}, NULL, NULL},
    {KITH_OPERAND_I64, 0, {.i64 = INT16_MAX}, NULL, NULL},
    {KITH_OPERAND_I64, 0, {.i64 = UINT16_MAX}, NULL, NULL},
    {KITH_OPERAND_I64, 0, {.i64 = INT32_MIN}, NULL, NULL},
    {KITH_OPERAND_I64, 0, {.i64 = INT32_MAX}, NULL, NULL},
    {KITH_OPERAND_I64, 0, {.i64 = INT64_C(1) + INT32_MAX}, NULL, NULL},
    {KITH_OPERAND_I64, 0, {.i64 = UINT32_MAX}, NULL, NULL},
    {KITH_OPERAND_I64, 0, {.i64 = INT64_C(1) << 32}, NULL, NULL},
    {KITH_OPERAND_I64, 0, {.i64 = INT64_MIN}, NULL, NULL},
    {KITH_OPERAND_I64, 0, {.i64 = INT64_MAX}, NULL, NULL},
    {KITH_OPERAND_U64, 0, {.u64 = UINT64_C(1) << 63}, NULL, NULL},
    {KITH_OPERAND_U64, 0, {.u64 = UINT64_MAX}, NULL, NULL},
    {KITH_OPERAND_U64, 0, {.u64 = UINT64_MAX - 1}, NULL, NULL},
    {KITH_OPERAND_F64, 0, {.f64 = 0.5}, NULL, NULL},
    {KITH_OPERAND_F64, 0, {.f64 = -0.0}, NULL, NULL},
    {KITH_OPERAND_F64, 0, {.f64 = 0.1}, NULL, NULL},
    {KITH_OPERAND_F64, 0, {.f64 = 570.5}, NULL, NULL},
    {KITH_OPERAND_F64, 0, {.f64 = HUGE_VAL}, NULL, NULL},
    {KITH_OPERAND_F64, 0, {.f64 = -HUGE_VAL}, NULL, NULL},
    {KITH_OPERAND_F64, 0, {.f64 = DBL_MAX}, NULL, NULL},
    {KITH_OPERAND_F64, 0, {.f64 = -DBL_MAX}, NULL, NULL},
    {KITH_OPERAND_F64, 0, {.f64 = FLT_MAX}, NULL, NULL},
    {KITH_OPERAND_F64, 0, {.f64 = -FLT_MAX}, NULL, NULL},
    {KITH_OPERAND_F64, 0, {.f64 = 5e-324}, NULL, NULL},
    {KITH_OPERAND_F64, 0, {.f64 = DBL_MIN}, NULL, NULL},
    {KITH_OPERAND_F64, 0, {.f64 = 1e-45}, NULL, NULL},
    {KITH_OPERAND_F64, 0, {.f64 = 18446744073709551616.0}, NULL, NULL},
    {KITH_OPERAND_F64, 0, {.f64 = NAN}, NULL, NULL},
    {KITH_OPERAND_BOOL, 0, {.boolean = true}, NULL, NULL},
};

#define OPERANDS (uint32_t) ROWS_OF(operands)

/* What all operands find, asked in turn; how many of them by an index is added to `*planned`. */
static void ask_operands(kith_query *query, uint64_t *answers, uint32_t *planned)
{
    for (uint32_t i = 0; i < OPERANDS; i++) {
        CHECK_RESULT(kith_query_bind_operand(query, "v", operands[i]), KITH_OK);
        answers[i] = ask_all_ways(query);
        *planned += is_planned(query);
    }
}

/* Whatever a field is compared with, and however: both kinds of index find what the scan does. The first
 * condition holds for all; since it is about an entity, the scan is slow, and an index may find more. */
static void try_numbers(world_of_kinds *t, const char *field)
{
    static const char *const comparisons[] = {"= $v",  "< $v",        "<= $v", "> $v",
                                              ">= $v", "in ($v, $v)", "!= $v"};
    for (uint32_t i = 0; i < ROWS_OF(comparisons); i++) {
        char text[100];
        snprintf(text, sizeof(text), "Kinds where Kinds.who != Entity(9v9) and Kinds.%s %s", field,
                 comparisons[i]);
        kith_query *query = kith_query_text(t->world, text, NULL);
        CHECK(query != NULL);
        uint64_t scanned[OPERANDS];
        uint32_t planned = 0;
        ask_operands(query, scanned, &planned);
        CHECK_UINT(planned, 0);
        static const kith_index_kind kinds[] = {KITH_INDEX_HASH, KITH_INDEX_ORDERED,
                                                KITH_INDEX_FILTER};
        for (uint32_t kind = 0; kind < ROWS_OF(kinds); kind++) {
            const kith_index_def def = {.kind = kinds[kind],
                                        .type = &Kinds_type,
                                        .fields = {field}};
            kith_index *index;
            uint64_t found[OPERANDS];
            CHECK_RESULT(kith_index_new(t->world, &def, &index), KITH_OK);
            ask_operands(query, found, &planned);
            for (uint32_t k = 0; k < OPERANDS; k++) {
                if (scanned[k] != found[k]) {
                    test_fail(__FILE__, __LINE__,
                              "%s finds others by an index: operand %u, kind %u", text, k, kind);
                }
            }
            kith_index_free(index);
        }
        /* != is no condition for an index, but some numbers are no field's, and all are not equal. */
        CHECK(planned >= (i == 6 ? 0 : 4));
        kith_query_free(query);
    }
}

TEST_EACH_LAYOUT_WITHIN(20, numbers_at_the_ends_are_found_by_an_index, layout)
{
    static world_of_kinds t;
    static const char *const fields[] = {"i8",  "i16", "i32", "i64", "u8",    "u16",
                                         "u32", "u64", "f32", "f64", "letter"};
    kinds_new(&t, layout);
    for (uint32_t i = 0; i < ROWS_OF(fields); i++) {
        try_numbers(&t, fields[i]);
    }
    CHECK_WORLD(t.world);
    fixture_free(&t.f);
}

/* ---- Texts, entities, parts of fields -------------------------------------------------------- */

typedef struct worded {
    const char *condition; /* after one that holds for all */
    const char *field;     /* of the index */
    kith_index_kind kind;
    bool planned;
    const char *second; /* field of the index; or NULL */
} worded;

static const worded words[] = {
    {"Kinds.word = 'w17'", "word", KITH_INDEX_HASH, true, NULL},
    {"Kinds.word = ''", "word", KITH_INDEX_HASH, true, NULL},
    {"Kinds.word in ('w1', 'w2', 'w1')", "word", KITH_INDEX_HASH, true, NULL},
    /* Nobody interned it: there is no key to look for. */
    {"Kinds.word = 'never'", "word", KITH_INDEX_HASH, false, NULL},
    {"Kinds.word in ('w1', 'never')", "word", KITH_INDEX_HASH, false, NULL},
    {"Kinds.word prefix 'w1'", "word", KITH_INDEX_HASH, false, NULL},
    {"Kinds.word prefix 'w17'", "word", KITH_INDEX_HASH, false, NULL},
    {"Kinds.word contains 'w17'", "word", KITH_INDEX_HASH, false, NULL},
    {"Kinds.word != 'w17'", "word", KITH_INDEX_HASH, false, NULL},
    {"not Kinds.word = 'w17'", "word", KITH_INDEX_HASH, false, NULL},
    {"Kinds.name = 'n12a'", "name", KITH_INDEX_HASH, true, NULL},
    {"Kinds.name = 'n12abcd'", "name", KITH_INDEX_HASH, true, NULL},
    {"Kinds.name = 'n12abcde'", "name", KITH_INDEX_HASH, false, NULL}, /* longer than the field */
    {"Kinds.name = ''", "name", KITH_INDEX_HASH, true, NULL},
    {"Kinds.name in ('n12a', '', 'n12abcd')", "name", KITH_INDEX_HASH, true, NULL},
    {"Kinds.name = 'n12a'", "name", KITH_INDEX_ORDERED, true, NULL},
    {"Kinds.name = 'n12abcd'", "name", KITH_INDEX_ORDERED, true, NULL},
    {"Kinds.name = ''", "name", KITH_INDEX_ORDERED, true, NULL},
    {"Kinds.name in ('n12a', '', 'n12abcd')", "name", KITH_INDEX_ORDERED, true, NULL},
    {"Kinds.name prefix 'n12'", "name", KITH_INDEX_ORDERED, true, NULL},
    {"Kinds.name prefix 'n12abcd'", "name", KITH_INDEX_ORDERED, true, NULL},
    {"Kinds.name prefix 'n12abcde'", "name", KITH_INDEX_ORDERED, false, NULL},
    {"Kinds.name prefix ''", "name", KITH_INDEX_ORDERED, false, NULL}, /* all */
    {"Kinds.name prefix 'n12'", "name", KITH_INDEX_HASH, false, NULL},
    {"Kinds.name contains 'n12'", "name", KITH_INDEX_ORDERED, false, NULL},
    {"(Kinds.name prefix 'n12' or Kinds.name = '')", "name", KITH_INDEX_ORDERED, false, NULL},
    {"(Kinds.name = 'n12a' or Kinds.name = '')", "name", KITH_INDEX_ORDERED, true, NULL},
    {"Kinds.name != 'n12a'", "name", KITH_INDEX_ORDERED, false, NULL},
    {"Kinds.name[0] = 'n'", "name", KITH_INDEX_ORDERED, false, NULL},
    {"Kinds.name[0] = 'n'", "name", KITH_INDEX_HASH, false, NULL},
    {"Kinds.who = none", "who", KITH_INDEX_HASH, true, NULL},
    {"Kinds.who = Entity(77v0)", "who", KITH_INDEX_HASH, true, NULL},
    {"Kinds.who = Entity(77v1)", "who", KITH_INDEX_HASH, true, NULL},
    {"Kinds.who in (Entity(1v0), none, Entity(5v0))", "who", KITH_INDEX_HASH, true, NULL},
    {"Kinds.who in (Entity(1v0), Entity(5v0))", "who", KITH_INDEX_ORDERED, true, NULL},
    {"Kinds.who != none", "who", KITH_INDEX_ORDERED, false, NULL},
    {"not Kinds.who = Entity(77v0)", "who", KITH_INDEX_HASH, false, NULL},
    {"Kinds.flag = true", "flag", KITH_INDEX_HASH, false, NULL},
    {"Kinds.flag = true", "flag", KITH_INDEX_ORDERED, false, NULL},
    {"Kinds.i16 = 1 and Kinds.i16 = 2", "i16", KITH_INDEX_HASH, true, NULL},
    {"Kinds.i16 > 5 and Kinds.i16 < 3", "i16", KITH_INDEX_ORDERED, true, NULL},
    {"Kinds.i16 > 5 and Kinds.i16 < 6", "i16", KITH_INDEX_ORDERED, true, NULL},
    {"Kinds.i16 > -3 and Kinds.i16 > 32760", "i16", KITH_INDEX_ORDERED, false,
     NULL}, /* takes the first */
    {"Kinds.i16 > 32700 and Kinds.i16 > -3", "i16", KITH_INDEX_ORDERED, true, NULL},
    {"Kinds.i16 between 32767 and 32767", "i16", KITH_INDEX_ORDERED, true, NULL},
    {"Kinds.i16 in (1, 2.5, 3)", "i16", KITH_INDEX_HASH, false, NULL},
    {"Kinds.i16 in (1, 70000)", "i16", KITH_INDEX_HASH, false, NULL},
    {"(Kinds.i16 = 1 or Kinds.i16 < -32700)", "i16", KITH_INDEX_ORDERED, false, NULL},
    {"(Kinds.i16 = 1 or Kinds.u16 = 1)", "i16", KITH_INDEX_ORDERED, false, NULL},
    {"not Kinds.i16 = 1", "i16", KITH_INDEX_HASH, false, NULL},
    {"not (Kinds.i16 = 1 and Kinds.i16 = 2)", "i16", KITH_INDEX_HASH, false, NULL},
    {"(Kinds.i16 = 1 and (Kinds.u16 > 7 and not Kinds.u8 = 3))", "i16", KITH_INDEX_HASH, true,
     NULL},
    {"Kinds.i16 = Kinds.i8", "i16", KITH_INDEX_HASH, false, NULL},
    /* Indexes of two fields. */
    {"Kinds.i8 = 1 and Kinds.u8 = 1", "i8", KITH_INDEX_HASH, true, "u8"},
    {"Kinds.u8 = 1 and Kinds.i8 = 1", "i8", KITH_INDEX_ORDERED, true, "u8"},
    {"Kinds.i8 = 1", "i8", KITH_INDEX_HASH, false, "u8"},
    {"Kinds.i8 = 1", "i8", KITH_INDEX_ORDERED, true, "u8"},
    {"Kinds.u8 = 1", "i8", KITH_INDEX_ORDERED, false, "u8"},
    {"Kinds.i8 = 1 and Kinds.u8 > 3 and Kinds.u8 <= 100", "i8", KITH_INDEX_ORDERED, true, "u8"},
    {"Kinds.i8 = 1 and Kinds.u8 >= 250", "i8", KITH_INDEX_ORDERED, true, "u8"},
    {"Kinds.i8 = 1 and Kinds.u8 < 9", "i8", KITH_INDEX_ORDERED, true, "u8"},
    {"Kinds.i8 > 126 and Kinds.u8 = 9", "i8", KITH_INDEX_ORDERED, true, "u8"},
    {"Kinds.i8 = 1 and Kinds.u8 in (1, 255)", "i8", KITH_INDEX_ORDERED, true, "u8"},
    {"Kinds.i8 = 1 and Kinds.u8 in (1, 255)", "i8", KITH_INDEX_HASH, false, "u8"},
    {"Kinds.i8 in (1, 2) and Kinds.u8 = 1", "i8", KITH_INDEX_HASH, false, "u8"},
    {"Kinds.i8 in (1, 2) and Kinds.u8 = 1", "i8", KITH_INDEX_ORDERED, false, "u8"},
    {"Kinds.u8 = 1 and Kinds.name prefix 'n1'", "u8", KITH_INDEX_ORDERED, true, "name"},
    {"Kinds.u8 = 1 and Kinds.name = 'n12a'", "u8", KITH_INDEX_ORDERED, true, "name"},
    {"Kinds.name = '' and Kinds.u8 < 99", "name", KITH_INDEX_ORDERED, true, "u8"},
    {"Kinds.name prefix 'n12' and Kinds.u8 = 1", "name", KITH_INDEX_ORDERED, true, "u8"},
    {"Kinds.i64 = 1 and Kinds.i32 > 0", "i64", KITH_INDEX_ORDERED, true, "i32"},
    /* Those with a NaN are not in the index. */
    {"Kinds.i8 = 1", "i8", KITH_INDEX_ORDERED, false, "f64"},
    {"Kinds.i8 = 1", "i8", KITH_INDEX_ORDERED, false, "f32"},
    {"Kinds.i8 = 1 and not Kinds.f64 > 1", "i8", KITH_INDEX_ORDERED, false, "f64"},
    {"Kinds.i8 = 1 and Kinds.f64 > -1", "i8", KITH_INDEX_ORDERED, true, "f64"},
    {"Kinds.i8 = 1 and Kinds.f32 in (0, 1)", "i8", KITH_INDEX_ORDERED, true, "f32"},
    {"Kinds.f32 between 7 and 8", "f32", KITH_INDEX_ORDERED, true, "i8"},
    {"Kinds.f32 = 0 and Kinds.f64 = 0", "f32", KITH_INDEX_HASH, true, "f64"},
    {"Kinds.f32 = -0.0 and Kinds.f64 <= 0", "f32", KITH_INDEX_ORDERED, true, "f64"},
    {"Kinds.flag = true and Kinds.i8 = 1", "i8", KITH_INDEX_HASH, false, "flag"},
    {"Kinds.flag = true and Kinds.i8 = 1", "i8", KITH_INDEX_ORDERED, true, "flag"},
    {"Kinds.flag = true and Kinds.i8 = 1", "flag", KITH_INDEX_ORDERED, false, "i8"},
    {"Kinds.word = 'w17'", "word", KITH_INDEX_FILTER, true, NULL},
    {"Kinds.word = ''", "word", KITH_INDEX_FILTER, true, NULL},
    {"Kinds.word = 'never'", "word", KITH_INDEX_FILTER, true, NULL},
    {"Kinds.word in ('w1', 'never')", "word", KITH_INDEX_FILTER, true, NULL},
    {"Kinds.word prefix 'w1'", "word", KITH_INDEX_FILTER, false, NULL},
    {"Kinds.word contains 'w17'", "word", KITH_INDEX_FILTER, false, NULL},
    {"Kinds.name = 'n12abcd'", "name", KITH_INDEX_FILTER, true, NULL},
    {"Kinds.name = 'n12abcde'", "name", KITH_INDEX_FILTER, true, NULL},
    {"Kinds.name prefix 'x'", "name", KITH_INDEX_FILTER, true, NULL},
    {"Kinds.name in ('n12a', 'n12abcd')", "name", KITH_INDEX_FILTER, true, NULL},
    {"Kinds.who = Entity(7v0)", "who", KITH_INDEX_FILTER, true, NULL},
    {"Kinds.who in (Entity(7v0), Entity(1v0))", "who", KITH_INDEX_FILTER, true, NULL},
    {"Kinds.letter = 'x'", "letter", KITH_INDEX_FILTER, true, NULL},
    {"Kinds.flag = true and Kinds.i8 = 1", "flag", KITH_INDEX_FILTER, true, "i8"},
    {"Kinds.f64 = 0 and Kinds.f32 = 0", "f64", KITH_INDEX_FILTER, true, "f32"},
};

TEST_EACH_LAYOUT_WITHIN(10, conditions_of_all_shapes_agree_with_the_scan, layout)
{
    static world_of_kinds t;
    kinds_new(&t, layout);
    for (size_t i = 0; test_row(i, ROWS_OF(words)); i++) {
        char text[300];
        snprintf(text, sizeof(text), "Kinds where Kinds.who != Entity(9v9) and %s",
                 words[i].condition);
        kith_query *query = kith_query_text(t.world, text, NULL);
        CHECK(query != NULL);
        uint64_t scanned = ask_all_ways(query);
        const kith_index_def def = {.kind = words[i].kind,
                                    .type = &Kinds_type,
                                    .fields = {words[i].field, words[i].second}};
        kith_index *index;
        CHECK_RESULT(kith_index_new(t.world, &def, &index), KITH_OK);
        uint64_t found = ask_all_ways(query);
        CHECK(scanned == found);
        CHECK_UINT(is_planned(query), words[i].planned);
        kith_index_free(index);
        kith_query_free(query);
    }
    fixture_free(&t.f);
}

/* A text that nobody interned is looked for by the scan; once it is interned, by the index. */
TEST_EACH_LAYOUT(a_text_is_interned_between_two_questions, layout)
{
    static world_of_kinds t;
    kinds_new(&t, layout);
    const kith_index_def def = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Kinds, word)};
    kith_index *index;
    CHECK_RESULT(kith_index_new(t.world, &def, &index), KITH_OK);
    kith_query *query = KITH_QUERY(t.world, KITH_IF(Kinds, who, !=, ((kith_entity){9, 9})),
                                   KITH_IF(Kinds, word, ==, kith_bound("word")));
    CHECK_RESULT(kith_query_bind(query, "word", "late"), KITH_OK);
    CHECK_UINT(kith_query_count(query), 0);
    Kinds kinds = *KITH_GET(t.world, t.made[5], Kinds);
    CHECK_RESULT(kith_text_intern(t.world, "late", &kinds.word), KITH_OK);
    CHECK_RESULT(kith_set(t.world, t.made[5], &Kinds_type, &kinds), KITH_OK);
    CHECK_UINT(kith_query_count(query), 1);
    CHECK(is_planned(query));
    CHECK_SAME(kith_query_first(query), t.made[5]);
    /* A copy of the text is kept, and an empty one is a text. */
    char text[8] = "late";
    CHECK_RESULT(kith_query_bind(query, "word", (const char *)text), KITH_OK);
    text[0] = 'g';
    CHECK_UINT(kith_query_count(query), 1);
    CHECK_RESULT(kith_query_bind(query, "word", ""), KITH_OK);
    CHECK(kith_query_count(query) > 1 && is_planned(query));
    fixture_free(&t.f);
}
