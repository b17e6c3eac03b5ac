/* Misuse of the game kit. */
#include <kith/game.h>

#include "../world/trips.h"

static void register_in_null(stage *s)
{
    (void)s;
    kith_game_register(NULL, NULL);
}

static void add_to_null(stage *s)
{
    (void)s;
    kith_game_add(NULL, KITH_GAME_ALL);
}

static void grid_of_null(stage *s)
{
    (void)s;
    kith_grid_new(NULL);
}

static void build_null(stage *s)
{
    (void)s;
    kith_grid_build(NULL, 0);
}

static void count_null(stage *s)
{
    (void)s;
    kith_grid_count(NULL);
}

static void box_in_null(stage *s)
{
    (void)s;
    kith_grid_box(NULL, 0, 0, 1, 1, 0, NULL, 0);
}

static void point_in_null(stage *s)
{
    (void)s;
    kith_grid_point(NULL, 0, 0, 0);
}

static void box_into_null(stage *s)
{
    kith_grid *grid = kith_grid_new(s->world);
    CHECK_PTR_NOT_NULL(grid);
    CHECK_UINT(kith_grid_box(grid, 0, 0, 1, 1, 0, NULL, 5), 0);
    kith_grid_free(grid);
}

/* The world's own rule: no type is registered while a query is open. */
static void register_in_open_query(stage *s)
{
    kith_iter it = kith_query_iter(s->query);
    CHECK(kith_next(&it));
    CHECK_RESULT(kith_game_register(s->world, NULL), KITH_ERR_MISUSE);
    kith_iter_end(&it);
}

static const trip trips[] = {
    {"kith_game_register: the world is NULL", register_in_null, true},
    {"kith_game_add: the world is NULL", add_to_null, true},
    {"kith_grid_new: the world is NULL", grid_of_null, true},
    {"kith_grid_build: the grid is NULL", build_null, true},
    {"kith_grid_count: the grid is NULL", count_null, true},
    {"kith_grid_box: the grid or the array is NULL", box_in_null, true},
    {"kith_grid_box: the grid or the array is NULL", box_into_null, false},
    {"kith_grid_point: the grid is NULL", point_in_null, true},
    {"kith_game_register: the world is being iterated (%s); %s", register_in_open_query, false},
};

TEST_WITHIN(10, misuse_is_told)
{
    take_trips(trips, sizeof trips / sizeof trips[0]);
}
