/* Misuse of the game kit. */
#include <kith/game.h>

#include "../world/trips.h"

TEST_WITHIN(10, misuse_is_told)
{
    stage s = stage_open();
    kith_grid *grid = kith_grid_new(s.world);
    CHECK_PTR_NOT_NULL(grid);
    CHECK_TOLD(&s, kith_grid_box(grid, 0, 0, 1, 1, 0, NULL, 5) == 0,
               "kith_grid_box: the grid or the array is NULL");
    kith_grid_free(grid);

    /* The world's own rule: no type is registered while a query is open. */
    kith_iter it = kith_query_iter(s.query);
    CHECK(kith_next(&it));
    CHECK_TOLD(&s, kith_game_register(s.world, NULL) == KITH_ERR_MISUSE,
               "kith_game_register: the world is being iterated (%s); %s");
    CHECK_TOLD(&s, kith_set_parent_in_place(s.world, KITH_NONE, KITH_NONE, NULL) == KITH_ERR_MISUSE,
               "kith_set_parent_in_place: the world is being iterated (%s); %s");
    kith_iter_close(&it);
    stage_close(&s);
}

TEST_WITHIN(10, calls_on_nothing_end_the_program)
{
    CHECK_ENDS(kith_game_register(NULL, NULL), "kith_game_register: the world is NULL");
    CHECK_ENDS(kith_game_add_systems(NULL, KITH_GAME_ALL),
               "kith_game_add_systems: the world is NULL");
    CHECK_ENDS(kith_set_parent_in_place(NULL, KITH_NONE, KITH_NONE, NULL),
               "kith_set_parent_in_place: the world is NULL");
    CHECK_ENDS(kith_grid_new(NULL), "kith_grid_new: the world is NULL");
    CHECK_ENDS(kith_grid_build(NULL, 0), "kith_grid_build: the grid is NULL");
    CHECK_ENDS(kith_grid_count(NULL), "kith_grid_count: the grid is NULL");
    CHECK_ENDS(kith_grid_box(NULL, 0, 0, 1, 1, 0, NULL, 0),
               "kith_grid_box: the grid or the array is NULL");
    CHECK_ENDS(kith_grid_point(NULL, 0, 0, 0), "kith_grid_point: the grid is NULL");
    CHECK_ENDS(kith_grid_nearest(NULL, 0, 0, 1, 0), "kith_grid_nearest: the grid is NULL");
}
