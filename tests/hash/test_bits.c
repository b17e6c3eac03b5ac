/* Every bit of every value counts for the hashes, and none of the padding. */
#include "hashes.h"

static bool is_padding(const kith_type *type, uint32_t offset)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        if (field->kind != KITH_PADDING && offset >= field->offset &&
            offset < field->offset + field->size) {
            return false;
        }
    }
    return true;
}

static void flip(kith_world *world, kith_entity entity, const kith_type *type, uint32_t bit)
{
    unsigned char *bytes = kith_get_mut_or_null(world, entity, type);
    CHECK_PTR_NOT_NULL(bytes);
    bytes[bit / 8] = (unsigned char)(bytes[bit / 8] ^ 1u << bit % 8);
}

/* No bit of a value is overlooked, and none of its padding is looked at. */
TEST_EACH_LAYOUT_WITHIN(20, every_bit_of_a_value_counts, layout)
{
    scene s = scene_new(layout);
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        const kith_type *type = component_types[i];
        if (type->size == 0) {
            continue;
        }
        ok(kith_add(s.world, s.empty, type));
        hashes before = hashes_of(s.world);
        /* A stride that is odd and no power of two meets every place within a word. */
        uint32_t stride = type->size > 100 ? 37 : 1;
        for (uint32_t bit = 0; bit < 8 * type->size; bit += stride) {
            flip(s.world, s.empty, type, bit);
            hashes after = hashes_of(s.world);
            bool padding = is_padding(type, bit / 8);
            CHECK_INT(after.world == before.world, padding);
            CHECK_INT(after.content == before.content, padding);
            flip(s.world, s.empty, type, bit);
        }
        hashes back = hashes_of(s.world);
        CHECK(back.world == before.world && back.content == before.content);
        ok(kith_remove(s.world, s.empty, type));
    }
    fixture_free(&s.f);
}

/* Padding whose size is told, where Padded leaves it to be found. */
TEST_EACH_LAYOUT(padding_of_a_given_size_does_not_count, layout)
{
    static const kith_field fields[] = {{"pad", 2, 2, KITH_PADDING},
                                        {"bytes", 0, 2, KITH_U16},
                                        {"rest", 4, 3, KITH_PADDING},
                                        {"last", 7, 1, KITH_I8}};
    static uint32_t number;
    static const kith_type type = {"SizedPadding", 8,       2,          0,     4,
                                   fields,         &number, KITH_TABLE, false, false, 0};
    fixture f = fixture_new();
    ok(kith_register(f.world, &type, &(kith_component_def){.layout = layout}));
    kith_entity e = KITH_SPAWN(f.world, {&type, NULL});
    hashes before = hashes_of(f.world);
    for (uint32_t bit = 0; bit < 64; bit++) {
        flip(f.world, e, &type, bit);
        hashes after = hashes_of(f.world);
        CHECK_INT(after.world == before.world, is_padding(&type, bit / 8));
        CHECK_INT(after.content == before.content, is_padding(&type, bit / 8));
        flip(f.world, e, &type, bit);
    }
    fixture_free(&f);
}

/* Rows behind the first block count like those in it. */
TEST_EACH_LAYOUT(every_row_counts, layout)
{
    fixture f = fixture_with_all(layout);
    enum { ROWS = 2500 };
    static kith_entity entities[ROWS];
    const kith_values values[] = {KITH_VALUE(Position, {1, 2}), KITH_VALUE(Byte, {3})};
    ok(kith_spawn_many(f.world, ROWS, values, 2, entities));
    hashes before = hashes_of(f.world);
    for (uint32_t i = 0; i < ROWS; i += 83) {
        flip(f.world, entities[i], &Byte_type, i % 8);
        hashes after = hashes_of(f.world);
        CHECK(after.world != before.world && after.content != before.content);
        flip(f.world, entities[i], &Byte_type, i % 8);
    }
    hashes back = hashes_of(f.world);
    CHECK(back.world == before.world && back.content == before.content);
    fixture_free(&f);
}

/* ---- Free slots -------------------------------------------------------------------------------- */

enum { FREED = 5, ORDERS = 5 * 4 * 3 * 2 };

/* The entity that goes as number `i` in one of the orders in which five may go. */
static int freed(int order, int i)
{
    int left[FREED] = {0, 1, 2, 3, 4};
    int taken = 0;
    for (int k = 0; k <= i; k++) {
        int which = order % (FREED - k);
        order /= FREED - k;
        taken = left[which];
        left[which] = left[FREED - k - 1];
    }
    return taken;
}

/* The slot that was freed last is the next to be used, and so on to the first: each order leads to other
 * handles, and so to another hash; the content is the same. */
TEST(the_order_of_free_slots_counts_for_the_world_alone)
{
    hashes found[ORDERS];
    for (int order = 0; order < ORDERS; order++) {
        fixture f = fixture_new();
        kith_entity e[FREED + 1];
        CHECK_RESULT(kith_spawn_many(f.world, FREED + 1, NULL, 0, e), KITH_OK);
        for (int i = 0; i < FREED; i++) {
            ok(kith_despawn(f.world, e[freed(order, i)]));
        }
        found[order] = hashes_of(f.world);
        CHECK(found[order].content == found[0].content);
        for (int i = 0; i < order; i++) {
            CHECK(found[i].world != found[order].world);
        }
        for (int i = FREED; i-- > 0;) {
            CHECK_UINT(kith_entity_slot(kith_spawn_empty(f.world)),
                       kith_entity_slot(e[freed(order, i)]));
        }
        fixture_free(&f);
    }
}
