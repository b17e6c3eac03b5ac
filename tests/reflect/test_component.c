/* What KITH_COMPONENT declares is what one would write by hand, and the same type. */
#include <string.h>

#include <kith/reflect.h>

#include "declared.h"
#include "test.h"

/* The same structs, as they were written before. */
typedef struct WrittenKinds {
    bool flag;
    double f64;
    char letter;
    int64_t i64;
    int8_t i8;
    uint64_t u64;
    uint8_t u8;
    kith_entity owner;
    int16_t i16;
    uint16_t u16;
    int32_t i32;
    uint32_t u32;
    float f32;
    kith_text label;
    Team team;
    unsigned char end;
} WrittenKinds;
KITH_TYPE_NAMED(WrittenKinds, "DeclaredKinds", KITH_FIELD(WrittenKinds, flag), KITH_GAP,
                KITH_FIELD(WrittenKinds, f64), KITH_FIELD(WrittenKinds, letter), KITH_GAP,
                KITH_FIELD(WrittenKinds, i64), KITH_FIELD(WrittenKinds, i8), KITH_GAP,
                KITH_FIELD(WrittenKinds, u64), KITH_FIELD(WrittenKinds, u8), KITH_GAP,
                KITH_FIELD(WrittenKinds, owner), KITH_FIELD(WrittenKinds, i16),
                KITH_FIELD(WrittenKinds, u16), KITH_FIELD(WrittenKinds, i32),
                KITH_FIELD(WrittenKinds, u32), KITH_FIELD(WrittenKinds, f32),
                KITH_FIELD(WrittenKinds, label), KITH_FIELD(WrittenKinds, team),
                KITH_FIELD(WrittenKinds, end), KITH_GAP);

typedef struct WrittenArrays {
    char name[13];
    float matrix[4][3];
    kith_entity friends[2];
    float place[3];
    float path[5][3];
    bool flags[3];
    kith_text labels[2];
    Team teams[2];
    uint8_t last[1];
} WrittenArrays;
KITH_TYPE_NAMED(WrittenArrays, "DeclaredArrays", KITH_FIELD(WrittenArrays, name), KITH_GAP,
                KITH_FIELD(WrittenArrays, matrix, KITH_F32), KITH_FIELD(WrittenArrays, friends),
                KITH_FIELD(WrittenArrays, place), KITH_FIELD(WrittenArrays, path, KITH_F32),
                KITH_FIELD(WrittenArrays, flags), KITH_GAP, KITH_FIELD(WrittenArrays, labels),
                KITH_FIELD(WrittenArrays, teams), KITH_FIELD(WrittenArrays, last), KITH_GAP);

typedef struct WrittenGun {
    float every, wait;
    kith_entity owner;
    char name[16];
} WrittenGun;
KITH_TYPE_NAMED(WrittenGun, "DeclaredGun", KITH_FIELD(WrittenGun, every),
                KITH_FIELD(WrittenGun, wait), KITH_FIELD(WrittenGun, owner),
                KITH_FIELD(WrittenGun, name));

static const struct {
    const kith_type *declared;
    const kith_type *written;
} pairs[] = {
    {&DeclaredKinds_type, &WrittenKinds_type},
    {&DeclaredArrays_type, &WrittenArrays_type},
    {&DeclaredGun_type, &WrittenGun_type},
};
#define PAIRS (sizeof pairs / sizeof pairs[0])

/* A world with an entity that has one value, all of whose bytes are set. */
static void hashes_with(const kith_type *type, uint8_t fill, uint64_t *world, uint64_t *content)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, type, &(kith_component_def){.layout = KITH_SPARSE}),
                 KITH_OK);
    kith_entity e = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_add(f.world, e, type), KITH_OK);
    uint8_t *bytes = kith_get_mut_or_null(f.world, e, type);
    memset(bytes, fill, type->size);
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].kind != KITH_PADDING) {
            memset(bytes + type->fields[i].offset, 0, type->fields[i].size);
        }
    }
    *world = kith_world_hash(f.world);
    *content = kith_content_hash(f.world);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* One type with one hash, whichever macro described it, and padding does not count in either. */
TEST(declared_and_written_are_one_type)
{
    for (size_t i = 0; i < PAIRS; i++) {
        test_note(pairs[i].declared->name);
        for (int turn = 0; turn < 2; turn++) {
            fixture f = fixture_new();
            const kith_component_def def = {.layout = KITH_SPARSE};
            const kith_type *both[] = {pairs[i].declared, pairs[i].written};
            CHECK_RESULT(kith_register(f.world, both[turn], &def), KITH_OK);
            CHECK_RESULT(kith_register(f.world, both[1 - turn], &def), KITH_OK);
            CHECK_UINT(kith_type_count(f.world), 1);
            CHECK_RESULT(kith_layout_of(f.world, both[1 - turn], NULL), KITH_OK);
            fixture_free(&f);
        }
        uint64_t hashes[4][2];
        hashes_with(pairs[i].declared, 0, &hashes[0][0], &hashes[0][1]);
        hashes_with(pairs[i].declared, 0xA5, &hashes[1][0], &hashes[1][1]);
        hashes_with(pairs[i].written, 0, &hashes[2][0], &hashes[2][1]);
        hashes_with(pairs[i].written, 0x5A, &hashes[3][0], &hashes[3][1]);
        for (int k = 1; k < 4; k++) {
            CHECK_UINT(hashes[k][0], hashes[0][0]);
            CHECK_UINT(hashes[k][1], hashes[0][1]);
        }
    }
    test_note(NULL);
}

TEST(fields_are_those_that_were_written)
{
    for (size_t i = 0; i < PAIRS; i++) {
        const kith_type *declared = pairs[i].declared;
        const kith_type *written = pairs[i].written;
        test_note(declared->name);
        CHECK_STR(declared->name, written->name);
        CHECK_UINT(declared->size, written->size);
        CHECK_UINT(declared->align, written->align);
        uint32_t found = 0;
        for (uint32_t k = 0; k < written->field_count; k++) {
            const kith_field *field = &written->fields[k];
            if (field->kind == KITH_PADDING) {
                continue;
            }
            CHECK_STR(declared->fields[found].name, field->name);
            CHECK_UINT(declared->fields[found].offset, field->offset);
            CHECK_UINT(declared->fields[found].size, field->size);
            CHECK_STR(kith_kind_name(declared->fields[found].kind), kith_kind_name(field->kind));
            found++;
        }
        CHECK_UINT(declared->field_count, found);
    }
    test_note(NULL);
}

TEST(one_to_thirty_two_fields)
{
    fixture f = fixture_new();
    for (uint32_t i = 0; i < 32; i++) {
        const kith_type *type = declared_in_c[i];
        test_note(type->name);
        CHECK_UINT(type->field_count, i + 1);
        CHECK_RESULT(kith_register(f.world, type, NULL), KITH_OK);
        kith_entity e = kith_spawn_empty(f.world);
        CHECK_RESULT(kith_add(f.world, e, type), KITH_OK);
        for (uint32_t k = 0; k < type->field_count; k++) {
            uint32_t number = (uint32_t)(100 * i + k);
            uint8_t small = (uint8_t)k;
            const kith_field *field = &type->fields[k];
            const void *value = field->kind == KITH_U8 ? (const void *)&small : &number;
            if (i != 0) {
                CHECK_RESULT(
                    kith_set_field(f.world, e, type, field->name, field->kind, value, field->size),
                    KITH_OK);
            }
        }
        for (uint32_t k = 0; k < type->field_count && i != 0; k++) {
            uint32_t number = 0;
            CHECK_RESULT(kith_get_field(f.world, e, type, type->fields[k].name,
                                        type->fields[k].kind, &number, type->fields[k].size),
                         KITH_OK);
            uint8_t small;
            memcpy(&small, &number, 1);
            CHECK_UINT(k % 2 == 0 ? small : number, k % 2 == 0 ? k : 100 * i + k);
        }
    }
    test_note(NULL);
    CHECK_UINT(kith_type_count(f.world), 32);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* As declared, unless kith_register names another. */
TEST(the_layout_is_part_of_the_line)
{
    static const struct {
        const kith_type *type;
        kith_layout layout;
    } cases[] = {
        {&DeclaredKinds_type, KITH_TABLE}, {&DeclaredArrays_type, KITH_SPARSE},
        {&DeclaredGun_type, KITH_SLOT},    {&DeclaredByte_type, KITH_TABLE},
        {&DeclaredTag_type, KITH_TABLE},   {&DeclaredSlotTag_type, KITH_SLOT},
        {&Declared32_type, KITH_SPARSE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_note(cases[i].type->name);
        fixture f = fixture_new();
        kith_layout layout = KITH_TABLE;
        CHECK_INT(cases[i].type->layout, cases[i].layout);
        CHECK_RESULT(kith_register(f.world, cases[i].type, NULL), KITH_OK);
        CHECK_RESULT(kith_layout_of(f.world, cases[i].type, &layout), KITH_OK);
        CHECK_INT(layout, cases[i].layout);
        CHECK_RESULT(kith_register(f.world, cases[i].type, &(kith_component_def){0}), KITH_OK);
        fixture_free(&f);
    }
    test_note(NULL);
    fixture f = fixture_new();
    kith_layout layout = KITH_TABLE;
    CHECK_RESULT(
        kith_register(f.world, &DeclaredGun_type, &(kith_component_def){.layout = KITH_SPARSE}),
        KITH_OK);
    CHECK_RESULT(kith_layout_of(f.world, &DeclaredGun_type, &layout), KITH_OK);
    CHECK_INT(layout, KITH_SPARSE);
    CHECK_RESULT(kith_register(f.world, &DeclaredGun_type, NULL), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "'DeclaredGun' is registered with layout KITH_SPARSE, not"
                                        " KITH_SLOT");
    /* A table for what declares another layout: by a descriptor that declares none. */
    kith_type in_tables = DeclaredArrays_type;
    in_tables.layout = KITH_TABLE;
    CHECK_RESULT(kith_register(f.world, &in_tables, NULL), KITH_OK);
    CHECK_RESULT(kith_layout_of(f.world, &DeclaredArrays_type, &layout), KITH_OK);
    CHECK_INT(layout, KITH_TABLE);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* What a world gives out can be given to another world, and has no padding among its fields. */
TEST(descriptors_of_a_world_are_complete)
{
    fixture f = fixture_new();
    fixture other = fixture_new();
    for (size_t i = 0; i < PAIRS; i++) {
        CHECK_RESULT(kith_register(f.world, pairs[i].written, NULL), KITH_OK);
        const kith_type *kept = kith_type_find(f.world, pairs[i].written->name);
        CHECK(kept->padded);
        CHECK_UINT(kept->field_count, pairs[i].declared->field_count);
        CHECK_RESULT(kith_register(other.world, kept, NULL), KITH_OK);
        CHECK_RESULT(kith_layout_of(other.world, pairs[i].declared, NULL), KITH_OK);
    }
    fixture_free(&f);
    fixture_free(&other);
}

/* `padded` excuses gaps, and nothing else. */
TEST(padded_types_are_checked_too)
{
    static const kith_field overlap[] = {{"one", 0, 4, KITH_U32}, {"two", 2, 2, KITH_U16}};
    static const kith_field outside[] = {{"one", 8, 4, KITH_U32}};
    fixture f = fixture_new();
    kith_type type = {.name = "Padded2",
                      .size = 8,
                      .align = 4,
                      .field_count = 2,
                      .fields = overlap,
                      .padded = true};
    CHECK_RESULT(kith_register(f.world, &type, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "overlap");
    type.fields = outside;
    type.field_count = 1;
    CHECK_RESULT(kith_register(f.world, &type, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "one");
    type.fields = overlap;
    CHECK_RESULT(kith_register(f.world, &type, NULL), KITH_OK);
    type.padded = false;
    CHECK_RESULT(kith_register(f.world, &type, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "no field covers byte 4 of 8");
    fixture_free(&f);
}
