/* The order of the values of each kind of field. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "random.h"
#include "test.h"

typedef enum Mood { MOOD_GRIM = -3, MOOD_CALM = 0, MOOD_GLAD = 5 } Mood;

KITH_COMPONENT(Every, (uint32_t, number), (int8_t, i8), (uint8_t, u8), (int16_t, i16),
               (uint16_t, u16), (int32_t, i32), (uint32_t, u32), (int64_t, i64), (uint64_t, u64),
               (float, f32), (double, f64), (bool, flag), (char, letter), (char, text, 5),
               (kith_entity, entity), (kith_text, label), (Mood, mood), (int16_t, list, 3));

#define VALUES_MAX 10
#define ROWS_MAX 300

/* A field, and some of its values in ascending order; `same` tells which are equal to the one before. */
typedef struct ordered {
    const char *field;
    size_t offset;
    size_t size;
    const void *values;
    uint32_t count;
    uint32_t same; /* a bit a value */
} ordered;

#define VALUES(T, ...)                                                                             \
    (const T[])                                                                                    \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define ORDERED(name, member, same, T, ...)                                                        \
    {                                                                                              \
        name, offsetof(Every, member), sizeof(T), VALUES(T, __VA_ARGS__),                          \
            sizeof(VALUES(T, __VA_ARGS__)) / sizeof(T), same                                       \
    }

typedef struct five_chars {
    char text[5];
} five_chars;

static float not_a_number(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double not_a_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The name of each text tells its rank; they are interned in another order. */
static kith_text label(kith_world *world, const char *text)
{
    kith_text interned;
    CHECK_RESULT(kith_text_intern(world, text, &interned), KITH_OK);
    return interned;
}

static void set_value(Every *value, const ordered *o, uint32_t which)
{
    memcpy((char *)value + o->offset, (const char *)o->values + which * o->size, o->size);
}

static uint32_t rank_of(const ordered *o, uint32_t which)
{
    uint32_t rank = 0;
    for (uint32_t i = 1; i <= which; i++) {
        rank += (o->same >> i & 1) == 0;
    }
    return rank;
}

/* Sorts `rows` entities with random values of the field, and compares with sorting by hand. */
static void check_order(const ordered *o, kith_layout layout, uint32_t rows, bool descending)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Every_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    label(f.world, "c");
    label(f.world, "a");
    label(f.world, "ab");
    label(f.world, "b");
    static uint32_t ranks[ROWS_MAX];
    uint64_t seed = rows + o->offset;
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t which = random_below(&seed, o->count);
        ranks[i] = rank_of(o, which);
        Every value;
        memset(&value, 0, sizeof value);
        value.number = i;
        set_value(&value, o, which);
        kith_spawn_or_none(f.world, &(kith_value){&Every_type, &value}, 1);
    }
    const kith_sort_def def = {.type = &Every_type, .field = o->field, .descending = descending};
    CHECK_RESULT(kith_sort(f.world, &def), KITH_OK);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Every));
    uint32_t visited = 0;
    uint32_t last = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        const Every *values = KITH_COLUMN(&it, Every);
        for (uint32_t i = 0; i < it.count; i++, visited++) {
            uint32_t number = values[i].number;
            CHECK_UINT(kith_entities(&it)[i].index1 - 1, number);
            if (visited > 0) {
                bool ascends = ranks[last] < ranks[number];
                bool same = ranks[last] == ranks[number];
                CHECK(same ? last < number : ascends != descending);
            }
            last = number;
        }
    }
    CHECK_UINT(visited, rows);
    fixture_free(&f);
}

static void check_orders(const ordered *list, size_t count)
{
    static const uint32_t rows[] = {2, 3, 17, 63, 64, 65, ROWS_MAX};
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < ROWS_OF(rows); j++) {
            char note[64];
            snprintf(note, sizeof note, "%s, %u rows", list[i].field, rows[j]);
            test_note(note);
            check_order(&list[i], KITH_TABLE, rows[j], j % 2 != 0);
            check_order(&list[i], KITH_TABLE, rows[j], j % 2 == 0);
            check_order(&list[i], KITH_SPARSE, rows[j], j % 2 != 0);
            test_note(NULL);
        }
    }
}

TEST(whole_numbers_are_in_order)
{
    const ordered list[] = {
        ORDERED("i8", i8, 0, int8_t, INT8_MIN, -1, 0, 1, INT8_MAX),
        ORDERED("u8", u8, 0, uint8_t, 0, 1, 127, 128, UINT8_MAX),
        ORDERED("i16", i16, 0, int16_t, INT16_MIN, -256, -1, 0, 1, 256, INT16_MAX),
        ORDERED("u16", u16, 0, uint16_t, 0, 1, 255, 256, 32768, UINT16_MAX),
        ORDERED("i32", i32, 0, int32_t, INT32_MIN, -65536, -1, 0, 1, 65536, INT32_MAX),
        ORDERED("u32", u32, 0, uint32_t, 0, 1, 255, 65536, 0x80000000u, UINT32_MAX),
        ORDERED("i64", i64, 0, int64_t, INT64_MIN, -INT64_C(4294967297), -1, 0, 1, UINT32_MAX,
                INT64_C(4294967296), INT64_MAX),
        ORDERED("u64", u64, 0, uint64_t, 0, 1, UINT32_MAX, UINT64_C(4294967296), UINT64_C(1) << 63,
                UINT64_MAX),
        ORDERED("mood", mood, 0, Mood, MOOD_GRIM, MOOD_CALM, MOOD_GLAD),
        ORDERED("flag", flag, 0, bool, false, true),
        ORDERED("list[1]", list[1], 0, int16_t, -7, 0, 300),
    };
    check_orders(list, ROWS_OF(list));
}

TEST(floats_are_in_order)
{
    const ordered list[] = {
        ORDERED("f32", f32, 1 << 4 | 1 << 9, float, -INFINITY, -2.5f, -1e-44f, -0.0f, 0.0f, 1e-44f,
                3.0f, INFINITY, not_a_number(0x7fc00000), not_a_number(0xffc00001)),
        ORDERED("f64", f64, 1 << 4 | 1 << 9, double, -INFINITY, -2.5, -5e-324, -0.0, 0.0, 5e-324,
                3.0, INFINITY, not_a_double(UINT64_C(0xfff8000000000000)),
                not_a_double(UINT64_C(0x7ff8000000000001))),
    };
    check_orders(list, ROWS_OF(list));
}

TEST(texts_and_handles_are_in_order)
{
    const ordered list[] = {
        ORDERED("letter", letter, 0, char, '\0', 'A', 'a', (char)0x80, (char)0xff),
        ORDERED("text[2]", text[2], 0, char, '\0', 'A', 'a', (char)0x80, (char)0xff),
        ORDERED("text", text, 1 << 2, five_chars, {""}, {"a"}, {"a\0x"}, {"ab"},
                {{'b', 'b', 'b', 'b', 'a'}}, {{'b', 'b', 'b', 'b', 'b'}}, {"\xc3\xa9"}),
        ORDERED("entity", entity, 0, kith_entity, {0, 0}, {1, 0}, {1, 7}, {2, 0}, {UINT32_MAX, 0}),
        /* numbers 2, 3, 4 and 1, as check_order interns them, and one that no text has */
        ORDERED("label", label, 0, kith_text, {99}, {0}, {2}, {3}, {4}, {1}),
    };
    check_orders(list, ROWS_OF(list));
}

TEST(constant_digits_make_no_difference)
{
    const ordered list[] = {
        ORDERED("u32", u32, 0, uint32_t, 0x12000034, 0x12000134, 0x12000234),
        ORDERED("u64", u64, 0, uint64_t, UINT64_C(0x100000007), UINT64_C(0x200000007)),
        ORDERED("u64", u64, 0, uint64_t, UINT64_C(0x1200000034000000), UINT64_C(0x1200000035000000),
                UINT64_C(0x1300000034000000)),
        ORDERED("i64", i64, 0, int64_t, 77),
    };
    check_orders(list, ROWS_OF(list));
}
