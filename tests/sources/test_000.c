/* Every test of source 000 (entities, sparse sets, the hard-coded world), on every layout. */
#include "components.h"
#include "test.h"

#include <kith/kith.h>

typedef struct Sprite {
    uint8_t glyph, color;
} Sprite;
KITH_TYPE(Sprite, KITH_FIELD(Sprite, glyph), KITH_FIELD(Sprite, color));

typedef struct Gravity {
    float force;
} Gravity;
KITH_TYPE(Gravity, KITH_FIELD(Gravity, force));

static void register_episode(kith_world *world, kith_layout layout)
{
    const kith_component_def def = {.layout = layout};
    register_all(world, layout);
    CHECK_RESULT(kith_register(world, &Sprite_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(world, &Gravity_type, &def), KITH_OK);
}

/* How many entities have a Position. */
static uint32_t positions(kith_world *world)
{
    kith_query *query = KITH_QUERY(world, KITH_WITH(Position));
    uint32_t count = kith_query_count(query);
    kith_query_free(query);
    return count;
}

/* test "entity creation returns unique IDs" */
TEST(entity_creation_returns_unique_ids)
{
    fixture f = fixture_new();
    kith_entity e1 = kith_spawn_empty(f.world);
    kith_entity e2 = kith_spawn_empty(f.world);
    kith_entity e3 = kith_spawn_empty(f.world);

    CHECK_STR(kith_entity_to_text(e1).text, "Entity(0v0)");
    CHECK_STR(kith_entity_to_text(e2).text, "Entity(1v0)");
    CHECK_STR(kith_entity_to_text(e3).text, "Entity(2v0)");
    CHECK_UINT(e1.generation, 0);
    CHECK_UINT(e2.generation, 0);
    CHECK_UINT(e3.generation, 0);
    CHECK_UINT(kith_entity_count(f.world), 3);
    fixture_free(&f);
}

/* test "entity destruction and recycling" */
TEST(entity_destruction_and_recycling)
{
    fixture f = fixture_new();
    kith_entity e1 = kith_spawn_empty(f.world);
    kith_entity e2 = kith_spawn_empty(f.world);
    kith_spawn_empty(f.world);
    CHECK_UINT(kith_entity_count(f.world), 3);

    CHECK_RESULT(kith_despawn(f.world, e2), KITH_OK);
    CHECK_UINT(kith_entity_count(f.world), 2);
    CHECK(!kith_alive(f.world, e2));
    CHECK_WORLD(f.world);

    kith_entity e4 = kith_spawn_empty(f.world);
    CHECK_STR(kith_entity_to_text(e4).text, "Entity(1v1)");
    CHECK(!kith_alive(f.world, e2));
    CHECK(kith_alive(f.world, e4));
    CHECK_UINT(e2.index1, e4.index1);
    CHECK(!kith_entity_equal(e2, e4));
    CHECK(kith_alive(f.world, e1));
    fixture_free(&f);
}

/* test "sparse set basic operations" */
TEST_EACH_LAYOUT(sparse_set_basic_operations, layout)
{
    fixture f = fixture_new();
    register_episode(f.world, layout);
    kith_entity e[100];
    CHECK_RESULT(kith_spawn_many(f.world, 100, NULL, 0, e), KITH_OK);

    CHECK_RESULT(KITH_SET(f.world, e[0], Position, {10, 20}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e[5], Position, {50, 60}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e[2], Position, {30, 40}), KITH_OK);
    CHECK_UINT(positions(f.world), 3);
    CHECK_WORLD(f.world);

    CHECK(KITH_HAS(f.world, e[0], Position));
    CHECK(KITH_HAS(f.world, e[5], Position));
    CHECK(KITH_HAS(f.world, e[2], Position));
    CHECK(!KITH_HAS(f.world, e[1], Position));
    CHECK(!KITH_HAS(f.world, e[99], Position));

    CHECK_FLOAT(KITH_GET(f.world, e[0], Position)->x, 10);
    CHECK_FLOAT(KITH_GET(f.world, e[0], Position)->y, 20);

    CHECK_RESULT(KITH_SET(f.world, e[0], Position, {100, 200}), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e[0], Position)->x, 100);
    CHECK_UINT(positions(f.world), 3);
    fixture_free(&f);
}

/* test "sparse set removal with swap" */
TEST_EACH_LAYOUT(sparse_set_removal_with_swap, layout)
{
    fixture f = fixture_new();
    register_episode(f.world, layout);
    kith_entity e[3];
    for (int i = 0; i < 3; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i + 1, (float)i + 1}));
    }

    CHECK_RESULT(KITH_REMOVE(f.world, e[0], Position), KITH_OK);
    CHECK_UINT(positions(f.world), 2);
    CHECK(!KITH_HAS(f.world, e[0], Position));
    CHECK(KITH_HAS(f.world, e[1], Position));
    CHECK(KITH_HAS(f.world, e[2], Position));
    CHECK_FLOAT(KITH_GET(f.world, e[1], Position)->x, 2);
    CHECK_FLOAT(KITH_GET(f.world, e[2], Position)->x, 3);
    fixture_free(&f);
}

/* test "sparse set iteration" */
TEST_EACH_LAYOUT(sparse_set_iteration, layout)
{
    fixture f = fixture_new();
    register_episode(f.world, layout);
    kith_entity e[40];
    CHECK_RESULT(kith_spawn_many(f.world, 40, NULL, 0, e), KITH_OK);
    for (int i = 1; i <= 3; i++) {
        CHECK_RESULT(KITH_SET(f.world, e[i * 10], Position, {(float)i, 0}), KITH_OK);
    }

    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    float sum = 0;
    uint32_t seen = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        const Position *position = KITH_COLUMN(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) {
            uint32_t number = (uint32_t)position[i].x;
            CHECK_SAME(kith_entities(&it)[i], e[number * 10]);
            sum += position[i].x;
            seen++;
        }
    }
    CHECK_FLOAT(sum, 6);
    CHECK_UINT(seen, 3);
    kith_query_free(query);
    fixture_free(&f);
}

/* test "world spawn and despawn" */
TEST_EACH_LAYOUT(world_spawn_and_despawn, layout)
{
    fixture f = fixture_new();
    register_episode(f.world, layout);
    kith_entity player =
        KITH_SPAWN(f.world, KITH_VALUE(Position, {0, 0}), KITH_VALUE(Velocity, {1, 0}),
                   KITH_VALUE(Health, {100, 100}), KITH_VALUE(Sprite, {'@', 2}));

    CHECK(kith_alive(f.world, player));
    CHECK(KITH_HAS(f.world, player, Position));
    CHECK(KITH_HAS(f.world, player, Velocity));
    CHECK(KITH_HAS(f.world, player, Health));
    CHECK(KITH_HAS(f.world, player, Sprite));
    CHECK(!KITH_HAS(f.world, player, Gravity));
    CHECK_WORLD(f.world);

    CHECK_RESULT(kith_despawn(f.world, player), KITH_OK);
    CHECK(!kith_alive(f.world, player));
    CHECK(!KITH_HAS(f.world, player, Position));
    CHECK(!KITH_HAS(f.world, player, Velocity));
    CHECK(!KITH_HAS(f.world, player, Health));
    CHECK(!KITH_HAS(f.world, player, Sprite));
    fixture_free(&f);
}

/* test "world entity recycling with components" */
TEST_EACH_LAYOUT(world_entity_recycling_with_components, layout)
{
    fixture f = fixture_new();
    register_episode(f.world, layout);
    kith_entity e1 = kith_spawn_empty(f.world);
    CHECK_RESULT(KITH_SET(f.world, e1, Position, {42, 99}), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, e1), KITH_OK);

    kith_entity e2 = kith_spawn_empty(f.world);
    CHECK_UINT(e2.index1, e1.index1);
    CHECK_UINT(e2.generation, 1);
    CHECK(!KITH_HAS(f.world, e2, Position));
    CHECK_PTR_NULL(KITH_GET(f.world, e2, Position));
    fixture_free(&f);
}

/* What the source's demo prints, up to the slot that is handed out again. */
TEST_EACH_LAYOUT(demo_recycles_the_slot_of_the_second_enemy, layout)
{
    fixture f = fixture_new();
    register_episode(f.world, layout);
    kith_entity player =
        KITH_SPAWN(f.world, KITH_VALUE(Position, {40, 12}), KITH_VALUE(Velocity, {0, 0}),
                   KITH_VALUE(Health, {100, 100}), KITH_VALUE(Sprite, {'@', 2}));
    KITH_SPAWN(f.world, KITH_VALUE(Position, {10, 5}), KITH_VALUE(Velocity, {0.5f, 0}),
               KITH_VALUE(Health, {50, 50}), KITH_VALUE(Sprite, {'E', 1}));
    kith_entity enemy2 =
        KITH_SPAWN(f.world, KITH_VALUE(Position, {70, 8}), KITH_VALUE(Velocity, {-0.3f, 0.1f}),
                   KITH_VALUE(Health, {30, 30}), KITH_VALUE(Sprite, {'e', 1}));
    KITH_SPAWN(f.world, KITH_VALUE(Position, {40, 11}), KITH_VALUE(Velocity, {0, -2}),
               KITH_VALUE(Sprite, {'|', 3}), KITH_VALUE(Gravity, {0.1f}));
    CHECK_STR(kith_entity_to_text(player).text, "Entity(0v0)");
    CHECK_UINT(positions(f.world), 4);

    CHECK_RESULT(kith_despawn(f.world, enemy2), KITH_OK);
    CHECK_UINT(positions(f.world), 3);
    CHECK(!kith_alive(f.world, enemy2));

    kith_entity pickup =
        KITH_SPAWN(f.world, KITH_VALUE(Position, {70, 8}), KITH_VALUE(Sprite, {'+', 4}));
    CHECK_STR(kith_entity_to_text(pickup).text, "Entity(2v1)");
    CHECK(!KITH_HAS(f.world, pickup, Velocity));
    CHECK(!KITH_HAS(f.world, pickup, Health));
    fixture_free(&f);
}
