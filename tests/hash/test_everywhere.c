/* Hashes and random numbers are the same on every machine: with the highest byte of a number first or
 * last, with pointers of 4 bytes or 8. The numbers here were found on x86-64; a change of how hashes are
 * computed changes them. */
#include <kith/kith.h>
#include <string.h>

#include "base/hash.h"
#include "inspect/inspect.h"
#include "test.h"

/* ---- Numbers by which machines are compared ---------------------------------------------------- */

typedef struct Mixed {
    double weight;
    uint64_t serial;
    int64_t debt;
    float height;
    int32_t depth;
    kith_entity owner;
    uint16_t years[3];
    int8_t mood;
    bool open;
    char name[6];
    uint8_t flags[2];
} Mixed;
KITH_TYPE(Mixed, KITH_FIELD(Mixed, weight), KITH_FIELD(Mixed, serial), KITH_FIELD(Mixed, debt),
          KITH_FIELD(Mixed, height), KITH_FIELD(Mixed, depth), KITH_FIELD(Mixed, owner),
          KITH_FIELD(Mixed, years), KITH_FIELD(Mixed, mood), KITH_FIELD(Mixed, open),
          KITH_FIELD(Mixed, name), KITH_FIELD(Mixed, flags));

/* With padding and a text, so that it is hashed field by field. */
typedef struct Gaps {
    uint8_t kind;
    uint32_t number;
    kith_text title;
    int16_t steps[2];
} Gaps;
KITH_TYPE(Gaps, KITH_FIELD(Gaps, kind), KITH_GAP, KITH_FIELD(Gaps, number), KITH_FIELD(Gaps, title),
          KITH_FIELD(Gaps, steps));

typedef struct Small {
    uint16_t number;
} Small;
KITH_TYPE(Small, KITH_FIELD(Small, number));

typedef struct Wide {
    uint64_t number;
} Wide;
KITH_TYPE(Wide, KITH_FIELD(Wide, number));

static Mixed mixed_of(uint32_t i, kith_entity owner)
{
    return (Mixed){.weight = i * 0.5 - 3,
                   .serial = UINT64_C(0x0123456789abcdef) * (i + 1),
                   .debt = -(int64_t)i * 1000003,
                   .height = (float)i * 0.25f,
                   .depth = -(int32_t)i,
                   .owner = owner,
                   .years = {(uint16_t)i, (uint16_t)(i * 257), 1999},
                   .mood = (int8_t)(i * 3),
                   .open = i % 3 == 0,
                   .name = "moth",
                   .flags = {(uint8_t)i, 0x80}};
}

static void dice(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            *KITH_AT_MUT(it, i, Wide) = (Wide){kith_system_random(it)};
        }
    }
}

static kith_world *play(fixture *f, kith_layout layout)
{
    kith_world *world = f->world;
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(world, &Mixed_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(world, &Gaps_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(world, &Small_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(world, &Wide_type, &def), KITH_OK);
    const kith_system_def rolls = {.name = "dice",
                                   .run = dice,
                                   .interval = 0.25f,
                                   .query.terms = KITH_TERMS(KITH_WRITE(Wide))};
    CHECK_RESULT(kith_system_add(world, &rolls), KITH_OK);
    kith_text title;
    CHECK_RESULT(kith_text_intern(world, "a title of some length", &title), KITH_OK);
    kith_entity last = KITH_NONE;
    for (uint32_t i = 0; i < 500; i++) {
        const Mixed mixed = mixed_of(i, last);
        const Gaps gaps = {(uint8_t)i, i * 65537, title, {(int16_t)(i * 999), (int16_t)i}};
        last = KITH_SPAWN(world, KITH_VALUE(Mixed, mixed), KITH_VALUE(Gaps, gaps),
                          KITH_VALUE(Small, {(uint16_t)(i * 3)}), KITH_VALUE(Wide));
        if (i % 7 == 0) {
            CHECK_RESULT(kith_despawn(world, last), KITH_OK);
            last = KITH_NONE;
        }
    }
    const Mixed mixed = mixed_of(77, last);
    CHECK_RESULT(kith_resource_set(world, &Mixed_type, &mixed), KITH_OK);
    CHECK_RESULT(KITH_SEND(world, Small, {513}), KITH_OK);
    for (int tick = 0; tick < 5; tick++) {
        CHECK_RESULT(kith_run(world, 0.1f), KITH_OK);
    }
    return world;
}

TEST(hashes_are_the_same_on_every_machine)
{
    static const uint64_t world_hashes[LAYOUT_COUNT] = {
        UINT64_C(0x74cc74bf69e0525b), UINT64_C(0x47882c86a55d9a89), UINT64_C(0x8ac7ad7ef4ceae83)};
    for (int layout = 0; layout < LAYOUT_COUNT; layout++) {
        fixture f = fixture_new();
        kith_world *world = play(&f, (kith_layout)layout);
        CHECK_UINT(kith_content_hash(world), UINT64_C(0xb71c5af221e4442f));
        CHECK_UINT(kith_world_hash(world), world_hashes[layout]);
        fixture_free(&f);
    }
}

typedef struct Drawn {
    uint64_t numbers[4];
} Drawn;
KITH_TYPE(Drawn, KITH_FIELD(Drawn, numbers));

static void draw(kith_iter *it)
{
    while (kith_next(it)) {
        for (int i = 0; i < 4; i++) {
            KITH_AT_MUT(it, 0, Drawn)->numbers[i] = kith_system_random(it);
        }
    }
}

TEST(random_numbers_are_the_same_on_every_machine)
{
    static const uint64_t expected[4] = {UINT64_C(0x5267080ccd7e547d), UINT64_C(0xad5ed6132698c0d8),
                                         UINT64_C(0xd684034ec9bb8943),
                                         UINT64_C(0x1ab6d0185c3b3cc8)};
    fixture f = fixture_new_with(&(kith_world_def){.seed = 7});
    CHECK_RESULT(kith_register(f.world, &Drawn_type, NULL), KITH_OK);
    CHECK_RESULT(
        kith_system_add(f.world, &(kith_system_def){.name = "a name of more than 8 bytes",
                                                    .run = draw,
                                                    .query.terms = KITH_TERMS(KITH_WRITE(Drawn))}),
        KITH_OK);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Drawn));
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    for (int i = 0; i < 4; i++) {
        CHECK_UINT(KITH_GET(f.world, e, Drawn)->numbers[i], expected[i]);
    }
    CHECK_UINT(kith_random_next(KITH_RANDOM(f.world)), UINT64_C(0x3d1e51fee03af270));
    fixture_free(&f);
}

/* ---- What a machine with the other byte order does --------------------------------------------- */

static uint32_t width_of(const kith_field *field)
{
    return field->kind == KITH_ENTITY ? 4 : kith_kind_size(field->kind);
}

/* Turns round the bytes of each number. */
static void swap_fields(void *value, const kith_field *fields, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t width = width_of(&fields[i]);
        unsigned char *number = (unsigned char *)value + fields[i].offset;
        for (uint32_t done = 0; done < fields[i].size; done += width, number += width) {
            for (uint32_t low = 0, high = width - 1; low < high; low++, high--) {
                unsigned char byte = number[low];
                number[low] = number[high];
                number[high] = byte;
            }
        }
    }
}

/* Of one value and of many, so of any number of bytes behind the last whole word and the last lanes. */
TEST(values_with_swapped_bytes_have_the_hash_of_values_without)
{
    enum { MOST = 40 };
    static const kith_type *const types[] = {&Mixed_type, &Small_type, &Wide_type};
    static union {
        Mixed mixed[MOST];
        Small number[MOST];
        unsigned char bytes[MOST * sizeof(Mixed)];
    } straight, swapped;
    for (uint32_t i = 0; i < MOST; i++) {
        straight.mixed[i] = mixed_of(i * 31, (kith_entity){i + 1, i * 3});
    }
    for (size_t t = 0; test_row(t, ROWS_OF(types)); t++) {
        const kith_type *type = types[t];
        for (uint32_t count = 1; count <= MOST; count++) {
            swapped = straight;
            for (uint32_t i = 0; i < count; i++) {
                swap_fields(swapped.bytes + i * type->size, type->fields, type->field_count);
            }
            CHECK_UINT(ki_hash_swapped(count, type->fields, type->field_count, swapped.bytes,
                                       count * type->size),
                       ki_hash_bytes(count, straight.bytes, count * type->size));
        }
    }
}

/* As on 32-bit x86, where a number of 8 bytes in a struct is aligned by 4. */
TEST(how_numbers_of_8_bytes_are_aligned_does_not_count)
{
    static const kith_field fields[] = {{"x", 0, 8, KITH_F64}, {"y", 8, 8, KITH_U64}};
    uint64_t hashes[2];
    for (uint32_t i = 0; i < 2; i++) {
        fixture f = fixture_new();
        const kith_type_def def = {
            .name = "Pair", .size = 16, .align = 4 + 4 * i, .fields = fields, .field_count = 2};
        CHECK_RESULT(kith_define(f.world, &def, NULL), KITH_OK);
        hashes[i] = kith_world_hash(f.world);
        fixture_free(&f);
    }
    CHECK_UINT(hashes[0], hashes[1]);
}
