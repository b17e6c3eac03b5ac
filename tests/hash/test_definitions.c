/* What the hashes see of how a world was set up: types, their layouts and order, and where memory comes
 * from. */
#include "hashes.h"

/* A small world whose two types are registered in this order, with these layouts. */
static hashes small_world(const kith_type *first, kith_layout first_layout, const kith_type *second,
                          kith_layout second_layout, const kith_world_def *def)
{
    fixture f = fixture_new_with(def);
    ok(kith_register(f.world, first, &(kith_component_def){ .layout = first_layout }));
    ok(kith_register(f.world, second, &(kith_component_def){ .layout = second_layout }));
    for (float i = 0; i < 10; i++) {
        const Position one = { i, 2 }, two = { i, 4 };
        CHECK(!kith_is_none(KITH_SPAWN(f.world, { first, &one }, { second, &two })));
    }
    hashes result = hashes_of(f.world);
    fixture_free(&f);
    return result;
}

TEST(layouts_count_for_the_world_alone)
{
    hashes base = small_world(&Position_type, KITH_TABLE, &Velocity_type, KITH_TABLE, NULL);
    for (int first = 0; first < LAYOUT_COUNT; first++) {
        for (int second = 0; second < LAYOUT_COUNT; second++) {
            hashes other = small_world(&Position_type, (kith_layout)first, &Velocity_type,
                                       (kith_layout)second, NULL);
            CHECK_INT(other.world != base.world, first != 0 || second != 0);
            CHECK(other.content == base.content);
        }
    }
    /* The values change places with the types, so that the content is another. */
    hashes turned = small_world(&Velocity_type, KITH_TABLE, &Position_type, KITH_TABLE, NULL);
    CHECK(turned.world != base.world);
    CHECK(turned.content != base.content);
}

/* A type that nothing has does not count, nor does its layout; one that an entity once had neither. */
TEST(types_that_nothing_has_do_not_count)
{
    for (int layout = 0; layout < LAYOUT_COUNT; layout++) {
        fixture f = fixture_new();
        fixture g = fixture_new();
        ok(kith_register(f.world, &Position_type,
                         &(kith_component_def){ .layout = (kith_layout)layout }));
        CHECK(kith_world_hash(f.world) == kith_world_hash(g.world));
        kith_entity e = kith_spawn_empty(f.world);
        CHECK_SAME(kith_spawn_empty(g.world), e);
        ok(KITH_SET(f.world, e, Position, { 1, 2 }));
        CHECK(kith_world_hash(f.world) != kith_world_hash(g.world));
        ok(KITH_REMOVE(f.world, e, Position));
        CHECK(kith_world_hash(f.world) == kith_world_hash(g.world));
        fixture_free(&f);
        fixture_free(&g);
    }
}

/* Values of one and the same content, under types that were registered the other way round. */
TEST(the_order_of_registration_does_not_count)
{
    fixture f = fixture_new();
    fixture g = fixture_new();
    ok(kith_register(f.world, &Position_type, NULL));
    ok(kith_register(f.world, &Health_type, NULL));
    ok(kith_register(g.world, &Health_type, NULL));
    ok(kith_register(g.world, &Position_type, NULL));
    const kith_value values[] = { KITH_VALUE(Health, { 1, 2 }), KITH_VALUE(Position, { 3, 4 }) };
    kith_entity e;
    ok(kith_spawn(f.world, values, 2, &e));
    ok(kith_spawn(g.world, values, 2, &e));
    CHECK(kith_world_hash(f.world) == kith_world_hash(g.world));
    CHECK(kith_content_hash(f.world) == kith_content_hash(g.world));
    fixture_free(&f);
    fixture_free(&g);
}

TEST(where_memory_comes_from_does_not_count)
{
    hashes base = small_world(&Position_type, KITH_TABLE, &Velocity_type, KITH_SPARSE, NULL);
    const kith_world_def defs[] = { { .expected_entities = 5000 },
                                    { .expected_types = 100 },
                                    { .memory_limit = 10000000 } };
    for (size_t i = 0; i < 3; i++) {
        hashes other =
            small_world(&Position_type, KITH_TABLE, &Velocity_type, KITH_SPARSE, &defs[i]);
        CHECK(other.world == base.world && other.content == base.content);
    }
    /* The C library's own allocator. */
    kith_world *world = kith_world_new(NULL);
    fixture f = fixture_new();
    CHECK(kith_world_hash(world) == kith_world_hash(f.world));
    CHECK(kith_content_hash(world) == kith_content_hash(f.world));
    kith_world_free(world);
    fixture_free(&f);
}

/* The same struct under another name, with another version or other fields is another type. */
TEST(names_versions_and_fields_of_types_count)
{
    static const kith_field bytes = { "bytes", 0, 8, KITH_BYTES };
    static const kith_field other = { "others", 0, 8, KITH_BYTES };
    static const kith_field words = { "bytes", 0, 8, KITH_U32 };
    static uint32_t numbers[5];
    const kith_type types[] = {
        {"One", 8, 4, 0, 1, &bytes, &numbers[0], KITH_TABLE, false, false, 0},
        {"Two", 8, 4, 0, 1, &bytes, &numbers[1], KITH_TABLE, false, false, 0},
        {"Two", 8, 4, 1, 1, &bytes, &numbers[2], KITH_TABLE, false, false, 0},
        {"Two", 8, 4, 0, 1, &other, &numbers[3], KITH_TABLE, false, false, 0},
        {"Two", 8, 4, 0, 1, &words, &numbers[4], KITH_TABLE, false, false, 0}};
    hashes all[5];
    for (size_t i = 0; i < 5; i++) {
        all[i] = small_world(&types[i], KITH_TABLE, &Velocity_type, KITH_TABLE, NULL);
        for (size_t k = 0; k < i; k++) {
            CHECK(all[i].world != all[k].world);
        }
    }
    CHECK(all[0].content != all[1].content);
}
