/* Who collides, when it is told, and in which order. */
#include <math.h>
#include <string.h>

#include "worlds.h"

static kith_entity spawn_box(fixture *f, float x, float y, float width, float height)
{
    kith_entity e;
    const Position position = {x, y};
    const Collider collider = {.width = width, .height = height};
    const kith_value values[] = {KITH_VALUE(Position, position), KITH_VALUE(Collider, collider)};
    CHECK_RESULT(kith_spawn(f->world, values, 2, &e), KITH_OK);
    return e;
}

static uint32_t hits(const fixture *f)
{
    return kith_event_count(f->world, &Collision_type);
}

static void check_hit(const fixture *f, uint32_t index, kith_entity a, kith_entity b,
                      kith_collision_phase phase, float time)
{
    const Collision *hit = KITH_EVENT(f->world, index, Collision);
    CHECK_PTR_NOT_NULL(hit);
    CHECK_SAME(hit->a, a);
    CHECK_SAME(hit->b, b);
    CHECK_INT(hit->phase, phase);
    CHECK_FLOAT(hit->time, time);
}

/* As in the source's test "collision detection between overlapping entities". */
TEST_EACH_LAYOUT(overlapping_boxes_collide_once, layout)
{
    fixture f = game_new(layout, KITH_GAME_COLLISION);
    kith_entity a = spawn_box(&f, 5, 5, 2, 2);
    kith_entity b = spawn_box(&f, 6, 5, 2, 2);
    spawn_box(&f, 20, 20, 1, 1);
    game_tick(&f, 0);
    CHECK_UINT(hits(&f), 1);
    check_hit(&f, 0, a, b, KITH_COLLISION_ENTER, 1);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(touching_edges_and_corners_do_not_collide, layout)
{
    fixture f = game_new(layout, KITH_GAME_COLLISION);
    for (int y = 0; y < 5; y++) {
        for (int x = 0; x < 5; x++) {
            spawn_box(&f, (float)x, (float)y, 1, 1);
        }
    }
    spawn_box(&f, 7, 2, 5, 5);
    spawn_box(&f, 0, 4.5f, 0, 0);
    game_tick(&f, 0);
    CHECK_UINT(hits(&f), 0);
    kith_entity inside = spawn_box(&f, 7, 2, 0, 0);
    game_tick(&f, 0);
    CHECK_UINT(hits(&f), 1);
    CHECK_SAME(KITH_EVENT(f.world, 0, Collision)->b, inside);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(a_collision_begins_stays_and_ends, layout)
{
    fixture f = game_new(layout, KITH_GAME_COLLISION);
    kith_entity a = spawn_box(&f, 0, 0, 2, 2);
    kith_entity b = spawn_box(&f, 1, 0, 2, 2);
    game_tick(&f, 0);
    check_hit(&f, 0, a, b, KITH_COLLISION_ENTER, 1);
    for (int i = 0; i < 3; i++) {
        game_tick(&f, 0);
        CHECK_UINT(hits(&f), 1);
        check_hit(&f, 0, a, b, KITH_COLLISION_STAY, 1);
    }
    CHECK_RESULT(KITH_SET(f.world, b, Position, {2, 0}), KITH_OK);
    game_tick(&f, 0);
    CHECK_UINT(hits(&f), 1);
    check_hit(&f, 0, a, b, KITH_COLLISION_EXIT, 1);
    game_tick(&f, 0);
    CHECK_UINT(hits(&f), 0);
    CHECK_RESULT(KITH_SET(f.world, b, Position, {1.5f, 0}), KITH_OK);
    game_tick(&f, 0);
    check_hit(&f, 0, a, b, KITH_COLLISION_ENTER, 1);
    fixture_free(&f);
}

/* Trap of source 003: an event's entity outlives the entity. Here its handle is dead. */
TEST_EACH_LAYOUT(who_dies_or_loses_its_collider_ends_its_collisions, layout)
{
    fixture f = game_new(layout, KITH_GAME_COLLISION);
    kith_entity a = spawn_box(&f, 0, 0, 2, 2);
    kith_entity b = spawn_box(&f, 1, 0, 2, 2);
    kith_entity c = spawn_box(&f, 1, 0, 2, 2);
    game_tick(&f, 0);
    CHECK_UINT(hits(&f), 3);
    CHECK_RESULT(kith_despawn(f.world, b), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(f.world, c, Collider), KITH_OK);
    kith_entity next = spawn_box(&f, 1, 0, 2, 2);
    CHECK_UINT(kith_entity_slot(next), kith_entity_slot(b));
    game_tick(&f, 0);
    CHECK_UINT(hits(&f), 4);
    check_hit(&f, 0, a, b, KITH_COLLISION_EXIT, 1);
    check_hit(&f, 1, a, next, KITH_COLLISION_ENTER, 1);
    check_hit(&f, 2, a, c, KITH_COLLISION_EXIT, 1);
    check_hit(&f, 3, b, c, KITH_COLLISION_EXIT, 1);
    CHECK_RESULT(KITH_REMOVE(f.world, a, Position), KITH_OK);
    game_tick(&f, 0);
    CHECK_UINT(hits(&f), 1);
    check_hit(&f, 0, a, next, KITH_COLLISION_EXIT, 1);
    fixture_free(&f);
}

/* What is switched off for a while goes on where it was: for up to as many runs as the header says. */
TEST(contacts_outlast_a_pause)
{
    static const struct {
        int runs;
        kith_collision_phase phase;
    } pauses[] = {
        {100, KITH_COLLISION_STAY}, {1023, KITH_COLLISION_STAY}, {1024, KITH_COLLISION_ENTER}};
    for (size_t k = 0; test_row(k, ROWS_OF(pauses)); k++) {
        fixture f = game_new(KITH_TABLE, KITH_GAME_COLLISION);
        kith_entity a = spawn_box(&f, 0, 0, 2, 2);
        kith_entity b = spawn_box(&f, 1, 0, 2, 2);
        game_tick(&f, 0);
        CHECK_RESULT(kith_system_enable(f.world, "collision", false), KITH_OK);
        for (int i = 0; i < pauses[k].runs; i++) {
            CHECK_RESULT(kith_run(f.world, 0), KITH_OK);
            CHECK_UINT(hits(&f), 0);
        }
        CHECK_RESULT(kith_system_enable(f.world, "collision", true), KITH_OK);
        game_tick(&f, 0);
        check_hit(&f, 0, a, b, pauses[k].phase, 1);
        fixture_free(&f);
    }
}

TEST_EACH_LAYOUT(layers_and_masks_have_to_agree_on_both_sides, layout)
{
    static const struct {
        uint32_t layers, mask, other_layers, other_mask;
        bool collide;
    } cases[] = {
        {0, 0, 0, 0, true},  {1, 0, 0, 1, true},      {2, 0, 0, 1, false},
        {2, 0, 0, 2, true},  {2, 1, 0, 2, true},      {2, 1, 4, 2, false},
        {2, 4, 4, 1, false}, {2, 4, 4, 3, true},      {3, 4, 5, 2, true},
        {2, 2, 2, 2, true},  {2, ~2u, 2, ~2u, false}, {1u << 31, 1, 1, 1u << 31, true},
    };
    fixture f = game_new(layout, KITH_GAME_COLLISION);
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        kith_entity a = spawn_box(&f, 0, 0, 2, 2);
        kith_entity b = spawn_box(&f, 1, 0, 2, 2);
        KITH_GET_MUT(f.world, a, Collider)->layers = cases[i].layers;
        KITH_GET_MUT(f.world, a, Collider)->mask = cases[i].mask;
        KITH_GET_MUT(f.world, b, Collider)->layers = cases[i].other_layers;
        KITH_GET_MUT(f.world, b, Collider)->mask = cases[i].other_mask;
        game_tick(&f, 0);
        CHECK_UINT(hits(&f), cases[i].collide);
        CHECK_RESULT(kith_despawn(f.world, a), KITH_OK);
        CHECK_RESULT(kith_despawn(f.world, b), KITH_OK);
        game_tick(&f, 0);
    }
    fixture_free(&f);
}

/* Trap of source 003: 512 colliders and 256 collisions were the most. */
TEST(there_is_no_cap)
{
    fixture f = game_new(KITH_TABLE, KITH_GAME_COLLISION);
    for (int i = 0; i < 300; i++) {
        spawn_box(&f, 0.001f * (float)i, 0, 1, 1);
    }
    for (int i = 0; i < 1000; i++) {
        spawn_box(&f, (float)(i % 40) * 2, 10 + (float)(i / 40) * 2, 1, 1);
    }
    game_tick(&f, 0);
    CHECK_UINT(hits(&f), 300 * 299 / 2);
    for (uint32_t i = 1; i < hits(&f); i++) {
        const Collision before = *KITH_EVENT(f.world, i - 1, Collision);
        const Collision *hit = KITH_EVENT(f.world, i, Collision);
        CHECK(before.a.index1 < hit->a.index1 ||
              (before.a.index1 == hit->a.index1 && before.b.index1 < hit->b.index1));
        CHECK(hit->a.index1 < hit->b.index1);
    }
    fixture_free(&f);
}

/* Trap of source 003: the collisions were of all worlds together. */
TEST(worlds_have_collisions_of_their_own)
{
    fixture f = game_new(KITH_TABLE, KITH_GAME_COLLISION);
    fixture g = game_new(KITH_TABLE, KITH_GAME_COLLISION);
    spawn_box(&f, 0, 0, 2, 2);
    spawn_box(&f, 1, 0, 2, 2);
    game_tick(&f, 0);
    game_tick(&g, 0);
    CHECK_UINT(hits(&f), 1);
    CHECK_UINT(hits(&g), 0);
    fixture_free(&f);
    fixture_free(&g);
}

/* ---- Memory --------------------------------------------------------------------------------------- */

/* The most that the world held beyond what it held before, for each body. */
static size_t most_for_each(const fixture *f, size_t used, uint32_t bodies)
{
    kith_memory_stats stats = kith_memory(f->world);
    CHECK_UINT(stats.used, f->memory->bytes);
    return (stats.peak - used) / bodies;
}

/* Those that are in one place and exclude each other are few pairs, however many boxes overlap. */
TEST_WITHIN(20, who_excludes_each_other_takes_no_memory)
{
    enum { BODIES = 10000, LIMIT = 64 << 20 };
    static const kith_collider colliders[] = {
        {.width = 1, .height = 1, .layers = 2, .mask = 1},
        {.width = 1, .height = 1, .layers = 4, .mask = 1},
    };
    fixture f = fixture_new_with(&(kith_world_def){.memory_limit = LIMIT});
    CHECK_RESULT(kith_game_add_systems(f.world, KITH_GAME_COLLISION), KITH_OK);
    const Position at = {5, 5};
    for (int i = 0; i < BODIES; i++) {
        kith_entity e;
        const kith_value values[] = {KITH_VALUE(Position, at),
                                     KITH_VALUE(Collider, colliders[i % 2])};
        CHECK_RESULT(kith_spawn(f.world, values, 2, &e), KITH_OK);
    }
    spawn_box(&f, 5, 5, 1, 1); /* of the first layer: meets all, but is met by those alone */
    kith_entity meets = spawn_box(&f, 5, 5, 1, 1);
    KITH_GET_MUT(f.world, meets, Collider)->mask = 6;
    const size_t used = kith_memory(f.world).used;
    game_tick(&f, 0);
    CHECK_UINT(hits(&f), 2 * BODIES);
    CHECK(most_for_each(&f, used, BODIES) < 400);
    fixture_free(&f);
}

/* Nor do those that pass each other on their ways, though what holds the ways overlaps. */
TEST_WITHIN(20, who_passes_each_other_takes_no_memory)
{
    enum { BODIES = 2000 };
    fixture f = game_new(KITH_TABLE, KITH_GAME_COLLISION);
    for (int i = 0; i < BODIES; i++) {
        kith_entity e = spawn_box(&f, (float)i * 0.25f, (float)i * 0.25f, 0.125f, 0.125f);
        CHECK_RESULT(KITH_SET(f.world, e, Velocity, {1000, 1000}), KITH_OK);
        KITH_GET_MUT(f.world, e, Collider)->swept = true;
    }
    const size_t used = kith_memory(f.world).used;
    game_tick(&f, 1);
    CHECK_UINT(hits(&f), 0);
    CHECK(most_for_each(&f, used, BODIES) < 400);
    fixture_free(&f);
}

/* A tick that would need more than the world may have fails whole; with fewer bodies it goes on. */
TEST(collisions_keep_within_the_limit_of_the_world)
{
    enum { BODIES = 300, LIMIT = 400000 };
    fixture f = fixture_new_with(&(kith_world_def){.memory_limit = LIMIT});
    CHECK_RESULT(kith_game_add_systems(f.world, KITH_GAME_COLLISION), KITH_OK);
    kith_entity bodies[BODIES];
    for (int i = 0; i < BODIES; i++) {
        bodies[i] = spawn_box(&f, 0, 0, 1, 1);
    }
    const uint64_t content = kith_content_hash(f.world);
    CHECK_RESULT(kith_run(f.world, 0), KITH_ERR_MEMORY);
    CHECK_CONTAINS(kith_error(f.world), "'collision'");
    CHECK(kith_memory(f.world).peak <= LIMIT);
    CHECK_UINT(kith_memory(f.world).used, f.memory->bytes);
    CHECK(kith_content_hash(f.world) == content);
    CHECK_UINT(hits(&f), 0);
    CHECK_RESULT(kith_despawn_many(f.world, bodies + 50, BODIES - 50, NULL), KITH_OK);
    game_tick(&f, 0);
    CHECK_UINT(hits(&f), 50 * 49 / 2);
    CHECK(kith_memory(f.world).peak <= LIMIT);
    fixture_free(&f);
}

/* ---- Any numbers -------------------------------------------------------------------------------- */

TEST(nonsense_collides_with_nothing)
{
    static const float boxes[][4] = {
        {NAN, 0, 1, 1},      {0, NAN, 1, 1}, {0, 0, NAN, 1},      {0, 0, 1, NAN},
        {0, 0, -1, 1},       {0, 0, 1, -1},  {INFINITY, 0, 1, 1}, {-INFINITY, 0, INFINITY, 1},
        {0, INFINITY, 1, 1},
    };
    fixture f = game_new(KITH_TABLE, KITH_GAME_COLLISION);
    spawn_box(&f, 0, 0, 10, 10);
    for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++) {
        spawn_box(&f, boxes[i][0], boxes[i][1], boxes[i][2], boxes[i][3]);
    }
    game_tick(&f, 0);
    CHECK_UINT(hits(&f), 0);
    fixture_free(&f);
}

TEST(endless_and_huge_boxes_collide_with_what_they_cover)
{
    fixture f = game_new(KITH_TABLE, KITH_GAME_COLLISION);
    kith_entity small = spawn_box(&f, 5, 5, 1, 1);
    kith_entity far = spawn_box(&f, 3e38f, -3e38f, 1e37f, 1e37f);
    kith_entity all = spawn_box(&f, 0, 0, INFINITY, INFINITY);
    kith_entity row = spawn_box(&f, 0, 5, INFINITY, 1);
    kith_entity huge = spawn_box(&f, 0, 0, 3.4e38f, 3.4e38f);
    kith_entity tiny = spawn_box(&f, 1e-40f, 1e-40f, 1e-38f, 1e-38f);
    spawn_box(&f, 1e30f, 1e30f, 1, 1); /* a point, at that distance */
    game_tick(&f, 0);
    kith_entity expected[][2] = {{small, all}, {small, row}, {small, huge}, {far, all},  {all, row},
                                 {all, huge},  {all, tiny},  {row, huge},   {huge, tiny}};
    uint32_t found = 0;
    for (uint32_t i = 0; i < hits(&f); i++) {
        const Collision *hit = KITH_EVENT(f.world, i, Collision);
        for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++) {
            found += kith_entity_equal(hit->a, expected[k][0]) &&
                     kith_entity_equal(hit->b, expected[k][1]);
        }
    }
    CHECK_UINT(found, 9);
    CHECK_UINT(hits(&f), 11); /* and the point within `all` and `huge` */
    fixture_free(&f);
}

/* ---- Swept -------------------------------------------------------------------------------------- */

static kith_entity spawn_bullet(fixture *f, Position at, Velocity velocity)
{
    kith_entity e = spawn_box(f, at.x, at.y, 0.2f, 0.2f);
    CHECK_RESULT(KITH_SET(f->world, e, Velocity, velocity), KITH_OK);
    KITH_GET_MUT(f->world, e, Collider)->swept = true;
    return e;
}

TEST_EACH_LAYOUT(fast_bullets_do_not_tunnel, layout)
{
    fixture f = game_new(layout, KITH_GAME_COLLISION | KITH_GAME_MOVEMENT);
    kith_entity wall = spawn_box(&f, 50, 0, 0.5f, 10);
    kith_entity low = spawn_box(&f, 50, 8, 0.5f, 1);
    kith_entity bullet = spawn_bullet(&f, (Position){0, 0}, (Velocity){1000, 0});
    (void)low;
    game_tick(&f, 0.1f);
    CHECK_FLOAT(KITH_GET(f.world, bullet, Position)->x, 100);
    CHECK_UINT(hits(&f), 1);
    const Collision *hit = KITH_EVENT(f.world, 0, Collision);
    CHECK_SAME(hit->a, wall);
    CHECK_SAME(hit->b, bullet);
    CHECK(fabsf(hit->time - (50 - 0.25f - 0.1f) / 100) < 1e-5f);
    game_tick(&f, 0.1f);
    CHECK_UINT(hits(&f), 1);
    check_hit(&f, 0, wall, bullet, KITH_COLLISION_EXIT, 1);
    fixture_free(&f);
}

TEST(a_bullet_that_is_not_swept_tunnels)
{
    fixture f = game_new(KITH_TABLE, KITH_GAME_COLLISION | KITH_GAME_MOVEMENT);
    spawn_box(&f, 50, 0, 0.5f, 10);
    kith_entity bullet = spawn_bullet(&f, (Position){0, 0}, (Velocity){1000, 0});
    KITH_GET_MUT(f.world, bullet, Collider)->swept = false;
    game_tick(&f, 0.1f);
    CHECK_UINT(hits(&f), 0);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(bullets_meet_by_their_relative_motion, layout)
{
    fixture f = game_new(layout, KITH_GAME_COLLISION | KITH_GAME_MOVEMENT);
    /* Through each other; side by side at a distance; one behind the other, never nearer. */
    kith_entity right = spawn_bullet(&f, (Position){0, 0}, (Velocity){1000, 0});
    kith_entity left = spawn_bullet(&f, (Position){100, 0}, (Velocity){-1000, 0});
    spawn_bullet(&f, (Position){0, 5}, (Velocity){1000, 0});
    spawn_bullet(&f, (Position){0, 5.5f}, (Velocity){1000, 0});
    spawn_bullet(&f, (Position){20, 5}, (Velocity){1000, 0});
    /* Their ways cross, but they are there at different times. */
    spawn_bullet(&f, (Position){0, -50}, (Velocity){1000, 0});
    spawn_bullet(&f, (Position){10, -60}, (Velocity){0, 1000});
    spawn_bullet(&f, (Position){50, -95}, (Velocity){0, 1000});
    game_tick(&f, 0.1f);
    for (uint32_t i = 1; i < hits(&f); i++) {
        CHECK(KITH_EVENT(f.world, i - 1, Collision)->time <=
              KITH_EVENT(f.world, i, Collision)->time);
    }
    CHECK_UINT(hits(&f), 2); /* the second: both are at (10, -50) after 10 units */
    const Collision *second = KITH_EVENT(f.world, 1, Collision);
    CHECK_SAME(second->a, right);
    CHECK_SAME(second->b, left);
    fixture_free(&f);
}

TEST(a_way_that_only_grazes_is_no_collision)
{
    fixture f = game_new(KITH_TABLE, KITH_GAME_COLLISION);
    spawn_box(&f, 50, 0, 2, 2);
    kith_entity along = spawn_box(&f, 100, 2, 2, 2);
    kith_entity up_to = spawn_box(&f, 48, 0, 2, 2);
    CHECK_RESULT(KITH_SET(f.world, along, Velocity, {100, 0}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, up_to, Velocity, {30, 0}), KITH_OK);
    KITH_GET_MUT(f.world, along, Collider)->swept = true;
    KITH_GET_MUT(f.world, up_to, Collider)->swept = true;
    game_tick(&f, 1);
    CHECK_UINT(hits(&f), 0);
    KITH_GET_MUT(f.world, along, Position)->y = 1.9375f;
    game_tick(&f, 1);
    CHECK_UINT(hits(&f), 2); /* a hair nearer, it is one with both that it passes */
    fixture_free(&f);
}

/* Boxes that go the same way on one axis, edge to edge, and pass each other on the other axis: from
 * either side, and a hair nearer. */
TEST_EACH_LAYOUT(sliding_exactly_along_an_edge_is_no_collision, layout)
{
    static const Velocity pushed[] = {{0, 16}, {0, -16}, {16, 0}, {-16, 0}};
    for (int k = 0; k < 4 * 2 * 2; k++) {
        const Velocity with = pushed[k / 4];
        const float side = k % 2 == 0 ? 2 : -2;
        const bool nearer = k / 2 % 2 == 1;
        const float apart = nearer ? side * 0.96875f : side;
        const bool across = with.dx == 0; /* they pass each other on the x axis */
        fixture f = game_new(layout, KITH_GAME_COLLISION);
        kith_entity one = spawn_box(&f, 0, 0, 2, 2);
        kith_entity other =
            across ? spawn_box(&f, 50, apart, 2, 2) : spawn_box(&f, apart, 50, 2, 2);
        const Velocity past = {with.dx + (across ? 128 : 0), with.dy + (across ? 0 : 128)};
        CHECK_RESULT(KITH_SET(f.world, one, Velocity, with), KITH_OK);
        CHECK_RESULT(KITH_SET(f.world, other, Velocity, past), KITH_OK);
        KITH_GET_MUT(f.world, one, Collider)->swept = true;
        KITH_GET_MUT(f.world, other, Collider)->swept = true;
        game_tick(&f, 1);
        CHECK_UINT(hits(&f), nearer);
        fixture_free(&f);
    }
}

/* Far out a short way is lost in the rounding of where it began: it counts all the same. */
TEST(short_ways_far_out_count)
{
    static const Velocity ways[] = {{0.03f, 0}, {-0.03f, 0}, {0, 0.03f}, {0, -0.03f}};
    for (size_t i = 0; test_row(i, ROWS_OF(ways)); i++) {
        fixture f = game_new(KITH_TABLE, KITH_GAME_COLLISION);
        float x = ways[i].dx > 0 ? -2 : ways[i].dx < 0 ? 2 : 0;
        float y = ways[i].dy > 0 ? -2 : ways[i].dy < 0 ? 2 : 0;
        kith_entity wall = spawn_box(&f, 1e6f + x, 1e6f + y, 2, 2);
        kith_entity leaves = spawn_box(&f, 1e6f, 1e6f, 2, 2); /* now it touches the wall */
        CHECK_RESULT(KITH_SET(f.world, leaves, Velocity, ways[i]), KITH_OK);
        KITH_GET_MUT(f.world, leaves, Collider)->swept = true;
        game_tick(&f, 1);
        CHECK_UINT(hits(&f), 1);
        check_hit(&f, 0, wall, leaves, KITH_COLLISION_ENTER, 0);
        fixture_free(&f);
    }
}

TEST(nonsense_velocities_are_no_ways)
{
    static const Velocity velocities[] = {
        {NAN, 0}, {0, INFINITY}, {3e38f, 3e38f}, {-3e38f, 0}, {0, 0}};
    fixture f = game_new(KITH_TABLE, KITH_GAME_COLLISION);
    spawn_box(&f, 50, 0, 2, 2);
    spawn_box(&f, 0, 0, INFINITY, 2);
    for (size_t i = 0; i < sizeof velocities / sizeof velocities[0]; i++) {
        kith_entity e = spawn_bullet(&f, (Position){50, 0}, velocities[i]);
        (void)e;
    }
    game_tick(&f, 10);
    for (uint32_t i = 0; i < hits(&f); i++) {
        float time = KITH_EVENT(f.world, i, Collision)->time;
        CHECK(time >= 0 && time <= 1);
    }
    CHECK(hits(&f) >= 11); /* each with both boxes, and the boxes with each other */
    fixture_free(&f);
}

/* Those that are fragile need this: what comes first is told first. */
TEST(swept_collisions_come_in_the_order_of_time)
{
    fixture f = game_new(KITH_TABLE, KITH_GAME_COLLISION | KITH_GAME_MOVEMENT);
    kith_entity far = spawn_box(&f, 80, 0, 1, 1);
    kith_entity near = spawn_box(&f, 20, 0, 1, 1);
    kith_entity middle = spawn_box(&f, 50, 0, 1, 1);
    kith_entity start = spawn_box(&f, 0, 0, 1, 1);
    kith_entity still = spawn_box(&f, 80, 0.5f, 1, 1);
    kith_entity bullet = spawn_bullet(&f, (Position){0, 0}, (Velocity){100, 0});
    game_tick(&f, 1);
    const kith_entity order[] = {start, near, middle, far, still};
    CHECK_UINT(hits(&f), 6);
    check_hit(&f, 0, start, bullet, KITH_COLLISION_ENTER, 0);
    for (uint32_t i = 0; i < 5; i++) {
        CHECK_SAME(KITH_EVENT(f.world, i, Collision)->a, order[i]);
        CHECK_SAME(KITH_EVENT(f.world, i, Collision)->b, bullet);
    }
    check_hit(&f, 5, far, still, KITH_COLLISION_ENTER, 1);
    KITH_GET_MUT(f.world, bullet, Position)->x = 0;
    game_tick(&f, 1);
    check_hit(&f, 0, start, bullet, KITH_COLLISION_STAY, 0);
    fixture_free(&f);
}
