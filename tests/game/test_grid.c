/* Grids: who is where. */
#include <kith/floats.h>
#include <math.h>

#include "random.h"
#include "worlds.h"

static void spawn_tile(fixture *f, float x, float y, float width, float height, uint32_t layers)
{
    const Position at = {x, y};
    const Collider box = {.width = width, .height = height, .layers = layers};
    const kith_value values[] = {KITH_VALUE(Position, at), KITH_VALUE(Collider, box)};
    kith_entity e;
    CHECK_RESULT(kith_spawn(f->world, values, 2, &e), KITH_OK);
}

TEST_EACH_LAYOUT(is_there_a_wall_at, layout)
{
    fixture f = game_new(layout, 0);
    kith_grid *walls = kith_grid_new(f.world);
    CHECK_PTR_NOT_NULL(walls);
    CHECK_UINT(kith_grid_count(walls), 0);
    CHECK(kith_is_none(kith_grid_point(walls, 0, 0, 0)));
    for (int x = 0; x < 20; x++) {
        spawn_tile(&f, (float)x + 0.5f, 3.5f, 1, 1, 2);
        spawn_tile(&f, (float)x + 0.5f, 7.5f, 1, 1, 4);
    }
    CHECK_UINT(kith_grid_count(walls), 0); /* not before it is built */
    CHECK_RESULT(kith_grid_build(walls, 2), KITH_OK);
    CHECK_UINT(kith_grid_count(walls), 20);
    CHECK_UINT(kith_entity_slot(kith_grid_point(walls, 2.25f, 3.25f, 0)), 4);
    CHECK(kith_is_none(kith_grid_point(walls, 2, 3.25f, 0))); /* on the edge */
    CHECK(kith_is_none(kith_grid_point(walls, 2.25f, 7.25f, 0)));
    CHECK(kith_is_none(kith_grid_point(walls, NAN, 7.25f, 0)));
    CHECK_RESULT(kith_grid_build(walls, 0), KITH_OK);
    CHECK_UINT(kith_grid_count(walls), 40);
    CHECK_UINT(kith_entity_slot(kith_grid_point(walls, 2.25f, 7.25f, 4)), 5);
    CHECK(kith_is_none(kith_grid_point(walls, 2.25f, 7.25f, 2)));
    kith_grid_free(walls);
    kith_grid_free(NULL);
    fixture_free(&f);
}

TEST(boxes_give_the_first_by_slot)
{
    fixture f = game_new(KITH_TABLE, 0);
    for (int i = 0; i < 100; i++) {
        spawn_tile(&f, (float)(i * 37 % 100), 0, 1, 1, 0);
    }
    kith_grid *grid = kith_grid_new(f.world);
    CHECK_RESULT(kith_grid_build(grid, 0), KITH_OK);
    kith_entity found[100];
    CHECK_UINT(kith_grid_box(grid, -INFINITY, -1, INFINITY, 1, 0, found, 100), 100);
    for (uint32_t i = 0; i < 100; i++) {
        CHECK_UINT(kith_entity_slot(found[i]), i);
    }
    found[7] = KITH_NONE;
    CHECK_UINT(kith_grid_box(grid, -1e30f, -1, 1e30f, 1, 0, found, 7), 100);
    for (uint32_t i = 0; i < 7; i++) {
        CHECK_UINT(kith_entity_slot(found[i]), i);
    }
    CHECK(kith_is_none(found[7]));
    CHECK_UINT(kith_grid_box(grid, 0, -1, 10, 1, 0, NULL, 0), 11);
    CHECK_UINT(kith_grid_box(grid, 10, -1, 0, 1, 0, NULL, 0), 0);
    CHECK_UINT(kith_grid_box(grid, 0, NAN, 1, 1, 0, NULL, 0), 0);
    kith_grid_free(grid);
    fixture_free(&f);
}

/* It keeps what it was built of. */
TEST(a_grid_shows_what_was_there_when_it_was_built)
{
    fixture f = game_new(KITH_TABLE, 0);
    spawn_tile(&f, 0, 0, 1, 1, 0);
    kith_grid *grid = kith_grid_new(f.world);
    CHECK_RESULT(kith_grid_build(grid, 0), KITH_OK);
    kith_entity e = kith_grid_point(grid, 0, 0, 0);
    CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
    CHECK_SAME(kith_grid_point(grid, 0, 0, 0), e);
    CHECK_RESULT(kith_grid_build(grid, 0), KITH_OK);
    CHECK(kith_is_none(kith_grid_point(grid, 0, 0, 0)));
    kith_grid_free(grid);
    fixture_free(&f);
}

/* A grid's memory is the world's. */
TEST(grids_keep_within_the_limit_of_the_world)
{
    enum { LIMIT = 100000 };
    fixture f = fixture_new_with(&(kith_world_def){.memory_limit = LIMIT});
    kith_grid *grid = kith_grid_new(f.world);
    spawn_tile(&f, 0, 0, 1, 1, 0);
    const size_t used = kith_memory(f.world).used;
    CHECK_RESULT(kith_grid_build(grid, 0), KITH_OK);
    CHECK(kith_memory(f.world).used > used);
    for (int i = 0; i < 800; i++) {
        spawn_tile(&f, (float)i, 0, 1, 1, 0);
    }
    CHECK_RESULT(kith_grid_build(grid, 0), KITH_ERR_MEMORY);
    CHECK_UINT(kith_grid_count(grid), 1);
    CHECK(kith_memory(f.world).peak <= LIMIT);
    CHECK_UINT(kith_memory(f.world).used, f.memory->bytes);
    kith_grid_free(grid);
    fixture_free(&f);
}

TEST(a_grid_may_be_freed_behind_its_world)
{
    test_memory *memory = test_memory_new();
    kith_world *world =
        kith_world_new(&(kith_world_def){.allocator = test_memory_allocator(memory)});
    CHECK_RESULT(kith_game_register(world, NULL), KITH_OK);
    kith_entity e = KITH_SPAWN(world, KITH_VALUE(Position, {1, 1}),
                               KITH_VALUE(Collider, {.width = 1, .height = 1}));
    kith_grid *grid = kith_grid_new(world);
    CHECK_RESULT(kith_grid_build(grid, 0), KITH_OK);
    kith_world_free(world);
    CHECK_SAME(kith_grid_point(grid, 1, 1, 0), e);
    kith_grid_free(grid);
    test_memory_free(memory);
}

TEST_EACH_LAYOUT(who_is_nearest, layout)
{
    fixture f = game_new(layout, 0);
    kith_grid *grid = kith_grid_new(f.world);
    CHECK(kith_is_none(kith_grid_nearest(grid, 0, 0, INFINITY, 0)));
    spawn_tile(&f, 4, 0, 1, 1, 2);
    spawn_tile(&f, -4, 0, 1, 1, 2);
    spawn_tile(&f, 0, 3, 1, 1, 4);
    spawn_tile(&f, 1000, 0, 30, 1, 8);
    spawn_tile(&f, 0, 0, INFINITY, 1, 16);
    CHECK_RESULT(kith_grid_build(grid, 0), KITH_OK);
    CHECK_UINT(kith_entity_slot(kith_grid_nearest(grid, 0, 0, 100, 2)),
               0); /* of two, the first by slot */
    CHECK_UINT(kith_entity_slot(kith_grid_nearest(grid, -0.5f, 0, 100, 2)), 1);
    CHECK_UINT(kith_entity_slot(kith_grid_nearest(grid, 0, 0, 100, 0)), 2);
    CHECK_UINT(kith_entity_slot(kith_grid_nearest(grid, 0, 0, 3.25f, 0)), 2);
    CHECK(kith_is_none(kith_grid_nearest(grid, 0, 0, 3, 0))); /* it is not nearer than that */
    CHECK_UINT(kith_entity_slot(kith_grid_nearest(grid, 990, 0, 11, 0)), 3); /* by its middle */
    CHECK(kith_is_none(kith_grid_nearest(grid, 990, 0, 9, 0)));
    CHECK_UINT(kith_entity_slot(kith_grid_nearest(grid, -3e6f, 3e6f, INFINITY, 0)), 1);
    CHECK_UINT(kith_entity_slot(kith_grid_nearest(grid, -3e38f, 3e38f, INFINITY, 0)),
               0); /* all the same */
    CHECK(kith_is_none(kith_grid_nearest(grid, 0, 0, INFINITY, 16 | 32)));
    static const float wrong[][3] = {{NAN, 0, 9}, {0, NAN, 9},      {0, 0, NAN},
                                     {0, 0, -1},  {INFINITY, 0, 9}, {0, 0, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CHECK(kith_is_none(kith_grid_nearest(grid, wrong[i][0], wrong[i][1], wrong[i][2], 0)));
    }
    kith_grid_free(grid);
    fixture_free(&f);
}

/* ---- Beside all boxes --------------------------------------------------------------------------- */

static float any_number(uint64_t *random, uint32_t range)
{
    static const float odd[] = {0, 1e30f, -1e30f, INFINITY, 1e9f, 1e-30f};
    return random_below(random, 50) == 0
               ? odd[random_below(random, 6)]
               : ((float)random_below(random, range * 4) - (float)range) / 4;
}

static bool is_found(const kith_world *world, kith_entity e, const float box[4])
{
    const Position *at = KITH_GET(world, e, Position);
    const Collider *c = KITH_GET(world, e, Collider);
    return at->x - c->width / 2 < box[2] && at->x + c->width / 2 > box[0] &&
           at->y - c->height / 2 < box[3] && at->y + c->height / 2 > box[1] && c->width >= 0 &&
           c->height >= 0;
}

static void check_question(const kith_world *world, const kith_grid *grid, const float box[4])
{
    enum { MOST = 200 };
    kith_entity found[MOST];
    uint32_t count = kith_grid_box(grid, box[0], box[1], box[2], box[3], 0, found, MOST);
    uint32_t expected = 0;
    for (kith_entity e = kith_entity_next(world, KITH_NONE);
         !kith_is_none(e) && box[0] <= box[2] && box[1] <= box[3]; e = kith_entity_next(world, e)) {
        if (is_found(world, e, box)) {
            CHECK(expected < count);
            CHECK_SAME(found[expected], e);
            expected++;
        }
    }
    CHECK_UINT(count, expected);
}

/* The middle of its box, as the grid has it. */
static double middle_of(float at, float size)
{
    float half = size / 2;
    return ((double)(at - half) + (double)(at + half)) / 2;
}

static void check_nearest(const kith_world *world, const kith_grid *grid, float x, float y,
                          float radius)
{
    double least = (double)radius * radius;
    kith_entity expected = KITH_NONE;
    for (kith_entity e = kith_entity_next(world, KITH_NONE); !kith_is_none(e) && isfinite(x + y);
         e = kith_entity_next(world, e)) {
        const Position *at = KITH_GET(world, e, Position);
        const Collider *c = KITH_GET(world, e, Collider);
        double dx = middle_of(at->x, c->width) - (double)x;
        double dy = middle_of(at->y, c->height) - (double)y;
        double square = kith_mul_f64(dx, dx) + kith_mul_f64(dy, dy);
        if (square < least && radius > 0 && c->width >= 0 && c->height >= 0) {
            least = square;
            expected = e;
        }
    }
    CHECK_SAME(kith_grid_nearest(grid, x, y, radius, 0), expected);
}

TEST_WITHIN(20, answers_are_those_of_all_boxes)
{
    static const uint32_t ranges[] = {4, 40, 4000};
    static const float sizes[] = {0, 0.5f, 1, 1, 2, 3, 8, 100, -1, 1e20f, INFINITY};
    for (uint64_t seed = 1; seed <= (test_long() ? 2000u : 30u); seed++) {
        uint64_t random = seed;
        uint32_t range = ranges[seed % 3];
        fixture f = game_new(KITH_TABLE, 0);
        for (uint32_t i = random_below(&random, 200); i > 0; i--) {
            spawn_tile(&f, any_number(&random, range), any_number(&random, range),
                       sizes[random_below(&random, 11)], sizes[random_below(&random, 11)], 0);
        }
        kith_grid *grid = kith_grid_new(f.world);
        CHECK_RESULT(kith_grid_build(grid, 0), KITH_OK);
        for (int question = 0; question < 50; question++) {
            float box[4] = {any_number(&random, range), any_number(&random, range), 0, 0};
            box[2] = box[0] + sizes[random_below(&random, 11)];
            box[3] = box[1] + sizes[random_below(&random, 11)];
            check_question(f.world, grid, box);
            check_nearest(f.world, grid, box[0], box[1], sizes[random_below(&random, 11)]);
        }
        kith_grid_free(grid);
        fixture_free(&f);
    }
}
