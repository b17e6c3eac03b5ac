/* Descriptors of types: what makes sense, and what is told about the rest. */
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "test.h"

/* A world that has refused a type takes the next, and has none of the first. */
static void check_refused(fixture *f, const kith_type *type, const char *part)
{
    const uint64_t before = kith_world_hash(f->world);
    CHECK_RESULT(kith_register(f->world, type, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f->world), part);
    CHECK_CONTAINS(kith_error(f->world), "kith_register");
    CHECK_UINT(kith_type_count(f->world), 0);
    CHECK_UINT(kith_world_hash(f->world), before);
    CHECK_WORLD(f->world);

    /* What makes no sense as a component makes none as a resource or an event. */
    CHECK_RESULT(kith_resource_set(f->world, type, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f->world), part);
    CHECK_RESULT(kith_event_register(f->world, type, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f->world), part);
    CHECK_RESULT(kith_event_send(f->world, type, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f->world), part);
    CHECK_UINT(kith_world_hash(f->world), before);
    CHECK_WORLD(f->world);
}

/* A type of `type_size` bytes in these fields. */
#define TYPE(type_size, type_align, ...)                                                           \
    {                                                                                              \
        "Subject", (type_size), (type_align), 0,                                                   \
            sizeof((const kith_field[]){__VA_ARGS__}) / sizeof(kith_field),                        \
            (const kith_field[]){__VA_ARGS__}, NULL, KITH_TABLE, false, false, 0                   \
    }

#define ONE_FIELD                                                                                  \
    {                                                                                              \
        "value", 0, 4, KITH_U32                                                                    \
    }

/* Types that make no sense, and what the error names. */
static const struct {
    const char *why;
    kith_type type;
    const char *part;
} wrong_types[] = {
    /* Fields may not overlap. */
    {"the second begins in the first",
     TYPE(8, 4, {"first", 0, 8, KITH_U32}, {"second", 4, 4, KITH_U32}), "second"},
    {"the same in another order", TYPE(8, 4, {"second", 4, 4, KITH_U32}, {"first", 0, 8, KITH_U32}),
     "second"},
    {"two that are the whole", TYPE(8, 4, {"one", 0, 8, KITH_U32}, {"two", 0, 8, KITH_U32}),
     "Subject"},
    {"as many bytes as the struct",
     TYPE(8, 4, {"first", 0, 4, KITH_U32}, {"second", 0, 4, KITH_U32}), "second"},
    {"padding in a field", TYPE(8, 4, {"first", 0, 8, KITH_U32}, {"hole", 6, 2, KITH_PADDING}),
     "hole"},
    /* Fields cover every byte. */
    {"a gap", TYPE(12, 4, {"first", 0, 4, KITH_U32}, {"last", 8, 4, KITH_U32}), "first"},
    {"a gap at the start", TYPE(8, 4, {"first", 4, 4, KITH_U32}), "Subject"},
    {"a gap at the end", TYPE(8, 4, {"first", 0, 4, KITH_U32}), "first"},
    {"forgotten padding that C leaves between a byte and an int",
     TYPE(8, 4, {"small", 0, 1, KITH_U8}, {"large", 4, 4, KITH_U32}), "small"},
    {"a gap beside the one that is said to be there",
     TYPE(16, 4, {"first", 0, 1, KITH_U8}, KITH_GAP, {"second", 4, 1, KITH_U8},
          {"third", 8, 8, KITH_U32}),
     "second"},
    {"a gap after another field than the one that is said",
     TYPE(12, 4, {"first", 0, 1, KITH_U8}, {"second", 4, 8, KITH_U32}, KITH_GAP), "first"},
    {"no fields at all", {.name = "Subject", .size = 4, .align = 4}, "Subject"},
    /* Fields lie inside the struct. */
    {"a field after the end", TYPE(8, 4, {"first", 0, 8, KITH_U32}, {"outside", 8, 4, KITH_U32}),
     "outside"},
    {"a field across the end", TYPE(8, 4, {"first", 0, 4, KITH_U32}, {"across", 4, 8, KITH_U32}),
     "across"},
    {"an offset that overflows",
     TYPE(8, 4, {"first", 0, 8, KITH_U32}, {"far", UINT32_MAX - 3, 8, KITH_U32}), "far"},
    {"a size that overflows",
     TYPE(8, 4, {"huge", 4, UINT32_MAX - 3, KITH_U32}, {"first", 0, 4, KITH_U32}), "huge"},
    {"a size that overflows, before a gap",
     TYPE(8, 4, {"first", 0, 4, KITH_U32}, {"huge", 4, UINT32_MAX - 3, KITH_U32}, KITH_GAP),
     "huge"},
    {"padding after the end", TYPE(8, 4, {"first", 0, 8, KITH_U32}, {"hole", 9, 0, KITH_PADDING}),
     "hole"},
    /* A field is one value of its kind, or an array of them. */
    {"one float and a half", TYPE(8, 1, {"torn", 0, 6, KITH_F32}, {"rest", 6, 2, KITH_U16}),
     "torn"},
    {"half a double", TYPE(4, 4, {"tiny", 0, 4, KITH_F64}), "tiny"},
    {"one entity and a half", TYPE(12, 4, {"who", 0, 12, KITH_ENTITY}), "who"},
    {"no value", TYPE(4, 4, ONE_FIELD, {"nothing", 4, 0, KITH_U8}), "nothing"},
    {"a kind after the last", TYPE(4, 4, {"what", 0, 4, (kith_kind)(KITH_OPAQUE + 1)}), "what"},
    {"a kind before the first", TYPE(4, 4, {"what", 0, 4, (kith_kind)-1}), "what"},
    /* Fields have names of their own. */
    {"a name twice", TYPE(8, 4, {"same", 0, 4, KITH_U32}, {"same", 4, 4, KITH_U32}), "same"},
    {"a name twice, with another between",
     TYPE(12, 4, {"x", 8, 4, KITH_U32}, {"y", 0, 4, KITH_U32}, {"x", 4, 4, KITH_U32}), "x"},
    {"no name", TYPE(4, 4, {NULL, 0, 4, KITH_U32}), "Subject"},
    {"an empty name", TYPE(4, 4, {"", 0, 4, KITH_U32}), "Subject"},
    /* Sizes are multiples of the alignment, up to a limit. */
    {"an alignment above the size", TYPE(4, 8, ONE_FIELD), "Subject"},
    {"a size that is no multiple", TYPE(6, 4, {"value", 0, 6, KITH_BYTES}), "Subject"},
    {"one byte too many", TYPE((1u << 20) + 1, 1, {"value", 0, (1u << 20) + 1, KITH_BYTES}),
     "Subject"},
    {"the largest number", TYPE(UINT32_MAX, 1, {"value", 0, UINT32_MAX, KITH_BYTES}), "Subject"},
    /* Tags have no fields. */
    {"a tag with a field", TYPE(0, 1, ONE_FIELD), "value"},
    {"a tag without an alignment", {.name = "Subject", .align = 0}, "align"},
    /* A count needs an array, which has a limit. */
    {"a count without an array",
     {.name = "Subject", .size = 4, .align = 4, .field_count = 1},
     "Subject"},
};

TEST(types_that_make_no_sense_are_refused)
{
    fixture f = fixture_new();
    for (size_t i = 0; test_row(i, ROWS_OF(wrong_types)); i++) {
        test_note(wrong_types[i].why);
        check_refused(&f, &wrong_types[i].type, wrong_types[i].part);
    }
    fixture_free(&f);
}

TEST(names_of_types)
{
    fixture f = fixture_new();
    static const char *const bad[] = {
        "", "7up", "a b", "a-b", "a/b", "a\n", "\xC3\xA4", "Position ", "%s", "\"x\"", "a*",
    };
    kith_type type = TYPE(4, 4, ONE_FIELD);
    for (size_t i = 0; test_row(i, ROWS_OF(bad)); i++) {
        test_note(bad[i]);
        type.name = bad[i];
        check_refused(&f, &type, "name");
    }
    type.name = NULL;
    check_refused(&f, &type, "name");

    char name[130];
    memset(name, 'n', sizeof(name));
    name[128] = '\0';
    type.name = name;
    check_refused(&f, &type, "name");
    name[127] = '\0';
    CHECK_RESULT(kith_register(f.world, &type, NULL), KITH_OK);

    static const char *const good[] = {"a", "_", "A1", "game::Position", "a.body_2", ":", "."};
    for (size_t i = 0; test_row(i, ROWS_OF(good)); i++) {
        type.name = good[i];
        CHECK_RESULT(kith_register(f.world, &type, NULL), KITH_OK);
        CHECK_STR(kith_type_find(f.world, good[i])->name, good[i]);
    }
    CHECK_UINT(kith_type_count(f.world), 1 + sizeof(good) / sizeof(good[0]));
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

TEST(size_and_alignment_of_types)
{
    fixture f = fixture_new();
    kith_type type = TYPE(4, 4, ONE_FIELD);
    static const uint32_t bad_aligns[] = {0, 3, 5, 12, 8192, UINT32_MAX, UINT32_C(1) << 31};
    for (size_t i = 0; test_row(i, ROWS_OF(bad_aligns)); i++) {
        char note[32];
        snprintf(note, sizeof(note), "an alignment of %u", bad_aligns[i]);
        test_note(note);
        type.align = bad_aligns[i];
        check_refused(&f, &type, "align");
    }
    const kith_type largest = TYPE(1u << 20, 4096, {"value", 0, 1u << 20, KITH_BYTES});
    CHECK_RESULT(kith_register(f.world, &largest, NULL), KITH_OK);
    fixture_free(&f);
}

TEST(a_tag_has_no_fields)
{
    fixture f = fixture_new();
    const kith_type type = {.name = "Subject", .align = 1};
    CHECK_RESULT(kith_register(f.world, &type, NULL), KITH_OK);
    fixture_free(&f);
}

TEST(the_longest_field_array)
{
    fixture f = fixture_new();
    enum { COUNT = 4097 };
    static kith_field fields[COUNT];
    static char names[COUNT][8];
    for (uint32_t i = 0; i < COUNT; i++) {
        names[i][0] = 'f';
        for (uint32_t digit = 0, rest = i; digit < 4; digit++, rest /= 10) {
            names[i][4 - digit] = (char)('0' + rest % 10);
        }
        fields[i] = (kith_field){names[i], i, 1, KITH_U8};
    }
    kith_type type = {
        .name = "Subject", .size = COUNT, .align = 1, .field_count = COUNT, .fields = fields};
    check_refused(&f, &type, "Subject");
    type.size = type.field_count = COUNT - 1;
    CHECK_RESULT(kith_register(f.world, &type, NULL), KITH_OK);
    /* Another order takes longer to find right. */
    type.name = "Mixed";
    const kith_field first = fields[0];
    fields[0] = fields[40];
    fields[40] = first;
    CHECK_RESULT(kith_register(f.world, &type, NULL), KITH_OK);
    fixture_free(&f);
}

/* Padding of size 0 reaches to the next field, or to the end. */
TEST(padding_finds_its_end)
{
    fixture f = fixture_new();
    kith_type type = TYPE(16, 8, {"large", 8, 4, KITH_U32}, {"gap", 1, 0, KITH_PADDING},
                          {"small", 0, 1, KITH_U8}, {"tail", 12, 0, KITH_PADDING});
    CHECK_RESULT(kith_register(f.world, &type, NULL), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Padded_type, NULL), KITH_OK);
    fixture_free(&f);
}

/* KITH_GAP is after the field before it in the list, in whatever order the fields are; where there are
 * no bytes it is nothing. */
TEST(a_gap_follows_its_field)
{
    fixture f = fixture_new();
    kith_type type = TYPE(16, 4, {"last", 12, 1, KITH_U8}, KITH_GAP, {"small", 0, 1, KITH_U8},
                          KITH_GAP, {"large", 4, 8, KITH_U32}, KITH_GAP);
    CHECK_RESULT(kith_register(f.world, &type, NULL), KITH_OK);
    const kith_type *kept = kith_type_find(f.world, type.name);
    CHECK_PTR_NOT_NULL(kept);
    CHECK_UINT(kept->field_count, 3);
    CHECK(kept->padded);
    fixture_free(&f);
}

TEST(a_layout_that_is_none)
{
    fixture f = fixture_new();
    const kith_component_def def = {.layout = (kith_layout)(KITH_SLOT + 1)};
    CHECK_RESULT(kith_register(f.world, &Position_type, &def), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "Position");
    CHECK_CONTAINS(kith_error(f.world), "layout");
    CHECK_UINT(kith_type_count(f.world), 0);
    fixture_free(&f);
}

/* All kinds at once, arrays of them too. */
typedef struct AllKinds {
    double f64[2];
    int64_t i64;
    uint64_t u64;
    kith_entity entity[3];
    float f32;
    int32_t i32;
    uint32_t u32[2];
    int16_t i16;
    uint16_t u16;
    int8_t i8;
    uint8_t u8;
    char text[13];
    bool flag;
    enum { RED, GREEN } color;
    kith_text label, labels[3];
} AllKinds;
KITH_TYPE(AllKinds, KITH_FIELD(AllKinds, f64), KITH_FIELD(AllKinds, i64), KITH_FIELD(AllKinds, u64),
          KITH_FIELD(AllKinds, entity), KITH_FIELD(AllKinds, f32), KITH_FIELD(AllKinds, i32),
          KITH_FIELD(AllKinds, u32), KITH_FIELD(AllKinds, i16), KITH_FIELD(AllKinds, u16),
          KITH_FIELD(AllKinds, i8), KITH_FIELD(AllKinds, u8), KITH_FIELD(AllKinds, text),
          KITH_FIELD(AllKinds, flag), KITH_FIELD(AllKinds, color), KITH_FIELD(AllKinds, label),
          KITH_FIELD(AllKinds, labels));

TEST(kinds_are_deduced)
{
    static const kith_kind kinds[] = {
        KITH_F64, KITH_I64, KITH_U64, KITH_ENTITY, KITH_F32,  KITH_I32, KITH_U32,  KITH_I16,
        KITH_U16, KITH_I8,  KITH_U8,  KITH_CHAR,   KITH_BOOL, KITH_U32, KITH_TEXT, KITH_TEXT,
    };
    CHECK_UINT(AllKinds_type.field_count, sizeof(kinds) / sizeof(kinds[0]));
    for (uint32_t i = 0; i < AllKinds_type.field_count; i++) {
        CHECK_STR(kith_kind_name(AllKinds_type.fields[i].kind), kith_kind_name(kinds[i]));
        CHECK_UINT(AllKinds_type.fields[i].size % kith_kind_size(kinds[i]), 0);
    }
    CHECK_UINT(AllKinds_type.version, 0);
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &AllKinds_type, NULL), KITH_OK);
    fixture_free(&f);
}

/* The descriptor may be gone as soon as it was registered. */
TEST(descriptors_are_copied)
{
    fixture f = fixture_new();
    char *name = malloc(16);
    char *field_name = malloc(16);
    kith_field *field = malloc(sizeof(*field));
    kith_type *type = malloc(sizeof(*type));
    CHECK(name != NULL && field_name != NULL && field != NULL && type != NULL);
    strcpy(name, "Fleeting");
    strcpy(field_name, "value");
    *field = (kith_field){field_name, 0, 4, KITH_U32};
    *type = (kith_type){name, 4, 4, 9, 1, field, NULL, KITH_TABLE, false, false, 0};
    CHECK_RESULT(kith_register(f.world, type, NULL), KITH_OK);
    memset(name, '?', 15);
    memset(field_name, '?', 15);
    free(name);
    free(field_name);
    free(field);
    free(type);

    const kith_type *kept = kith_type_find(f.world, "Fleeting");
    CHECK_PTR_NOT_NULL(kept);
    CHECK_UINT(kept->version, 9);
    CHECK_UINT(kept->field_count, 1);
    CHECK_STR(kept->fields[0].name, "value");
    const uint32_t value = 7;
    kith_entity e = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_set(f.world, e, kept, &value), KITH_OK);
    CHECK_UINT(*(const uint32_t *)kith_get(f.world, e, kept), 7);
    fixture_free(&f);
}
