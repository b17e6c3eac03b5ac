/* Where the camera looks. */
#include <kith/terminal.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

static const kith_screen_rect view = {2, 1, 20, 10};

TEST(points_of_the_world_have_a_cell)
{
    int x;
    int y;
    kith_camera camera = {.view = view, .x = 100, .y = 50};
    CHECK(kith_camera_to_screen(&camera, 100, 50, &x, &y));
    CHECK_INT(x, 12);
    CHECK_INT(y, 6);
    CHECK(kith_camera_to_screen(&camera, 90, 45, &x, &y));
    CHECK_INT(x, 2);
    CHECK_INT(y, 1);
    CHECK(!kith_camera_to_screen(&camera, 89.9f, 45, &x, &y));
    CHECK_INT(x, 1);
    CHECK(kith_camera_to_screen(&camera, 109.9f, 54.9f, &x, &y));
    CHECK(!kith_camera_to_screen(&camera, 110, 54.9f, NULL, NULL));
    CHECK(!kith_camera_to_screen(&camera, 100, 55, &x, NULL));
    camera.cell_width = 0.5f;
    camera.cell_height = 2;
    CHECK(kith_camera_to_screen(&camera, 101, 51, &x, &y));
    CHECK_INT(x, 14);
    CHECK_INT(y, 6);
    CHECK(!kith_camera_to_screen(&camera, INFINITY, -INFINITY, &x, &y));
    CHECK_INT(x, 1000000000);
    CHECK_INT(y, -1000000000);
    CHECK(!kith_camera_to_screen(&camera, NAN, 1e30f, &x, &y));
}

TEST(cells_have_a_point_of_the_world)
{
    for (int size = 1; size <= 3; size++) {
        kith_camera camera = {.view = view,
                              .x = -7.3f,
                              .y = 12.6f,
                              .cell_width = 0.5f * (float)size,
                              .cell_height = (float)size};
        camera.view.width -= size; /* odd and even */
        for (int y = -5; y < 20; y++) {
            for (int x = -5; x < 30; x++) {
                float world_x;
                float world_y;
                int column;
                int row;
                kith_camera_to_world(&camera, x, y, &world_x, &world_y);
                bool seen = kith_camera_to_screen(&camera, world_x, world_y, &column, &row);
                CHECK_INT(column, x);
                CHECK_INT(row, y);
                CHECK_INT(seen, x >= 2 && x < 2 + camera.view.width && y >= 1 && y < 11);
            }
        }
    }
    kith_camera camera = {.view = view};
    float world_x;
    kith_camera_to_world(&camera, INT_MAX, INT_MIN, &world_x, NULL);
    CHECK(world_x > 2e9f);
}

TEST(the_camera_follows_what_leaves_the_dead_zone)
{
    kith_camera camera = {.view = view, .dead_width = 6, .dead_height = 2};
    kith_camera_follow(&camera, 3, -1, 0.1f);
    CHECK_FLOAT(camera.x, 0);
    CHECK_FLOAT(camera.y, 0);
    kith_camera_follow(&camera, 5, -4, 0.1f);
    CHECK_FLOAT(camera.x, 2);
    CHECK_FLOAT(camera.y, -3);
    kith_camera_follow(&camera, -2, -4, 0.1f);
    CHECK_FLOAT(camera.x, 1);
    kith_camera_follow(&camera, NAN, INFINITY, 0.1f);
    kith_camera_follow(&camera, 100, 100, NAN);
    kith_camera_follow(&camera, 100, 100, -1);
    CHECK_FLOAT(camera.x, 1);
    CHECK_FLOAT(camera.y, -3);
}

TEST(a_slow_camera_goes_a_part_of_the_way)
{
    kith_camera camera = {.view = view, .speed = 0.75f};
    kith_camera_follow(&camera, 100, 0, 1);
    CHECK(fabsf(camera.x - 75) < 0.001f);
    kith_camera halves = {.view = view, .speed = 0.75f};
    kith_camera_follow(&halves, 100, 0, 0.5f);
    kith_camera_follow(&halves, 100, 0, 0.5f);
    CHECK(fabsf(halves.x - 75) < 0.001f); /* the same way, in however many steps */
    kith_camera_follow(&camera, 100, 0, 0);
    CHECK(fabsf(camera.x - 75) < 0.001f);
}

/* The numbers were computed with 60 digits, and rounded where the camera rounds. */
TEST(a_slow_camera_is_at_the_same_bits_everywhere)
{
    static const struct {
        float speed, dt, x;
    } expected[] = {{0.99f, 1 / 60.0f, 0x1.238258p+6f},
                    {0.3f, 0.05f, 0x1.a2725ap+4f},
                    {0.9999f, 1 / 144.0f, 0x1.0926c6p+6f}};
    for (size_t i = 0; test_row(i, ROWS_OF(expected)); i++) {
        kith_camera camera = {.view = view, .speed = expected[i].speed};
        for (int step = 0; step < 17; step++) {
            kith_camera_follow(&camera, 100, 0, expected[i].dt);
        }
        CHECK(camera.x == expected[i].x);
    }
}

TEST(the_camera_stays_inside_the_world)
{
    kith_camera camera = {.view = view, .min_x = -50, .max_x = 50, .min_y = 0, .max_y = 8};
    kith_camera_follow(&camera, 1000, 1000, 0.1f);
    CHECK_FLOAT(camera.x, 40);
    CHECK_FLOAT(camera.y, 4); /* the world is lower than the view */
    kith_camera_follow(&camera, -1000, 1000, 0.1f);
    CHECK_FLOAT(camera.x, -40);
    CHECK(kith_camera_to_screen(&camera, -50, 4, NULL, NULL));
    CHECK(!kith_camera_to_screen(&camera, -50.1f, 4, NULL, NULL));
}

TEST(shaking_is_the_same_for_the_same_seed)
{
    int seen[3][60][2];
    int farthest = 0;
    for (int run = 0; run < 3; run++) {
        kith_camera camera = {.view = view, .seed = run == 2 ? 8 : 7};
        kith_camera_shake(&camera, 4, 1);
        kith_camera_shake(&camera, 2, 10); /* weaker: does nothing */
        for (int i = 0; i < 60; i++) {
            float world_x;
            float world_y;
            int back;
            kith_camera_follow(&camera, 0, 0, 1 / 60.0f);
            kith_camera_to_screen(&camera, 0, 0, &seen[run][i][0], &seen[run][i][1]);
            int off = abs(seen[run][i][0] - 12);
            farthest = off > farthest ? off : farthest;
            CHECK(off <= 4 * (60 - i) / 60 + 1);
            kith_camera_to_world(&camera, 5, 5, &world_x, &world_y);
            kith_camera_to_screen(&camera, world_x, world_y, &back, NULL);
            CHECK_INT(back, 5);
        }
        kith_camera_follow(&camera, 0, 0, 1);
        CHECK(kith_camera_to_screen(&camera, 0, 0, &seen[run][0][0], NULL));
        CHECK_INT(seen[run][0][0], 12);
    }
    CHECK(farthest >= 2);
    int turns = 0;
    for (int i = 1; i < 30; i++) {
        turns += seen[0][i][0] != seen[0][i - 1][0] && seen[0][i][1] != seen[0][i - 1][1];
    }
    CHECK(turns > 5);
    CHECK(memcmp(seen[0], seen[1], sizeof(seen[0])) == 0);
    CHECK(memcmp(seen[0], seen[2], sizeof(seen[0])) != 0);
    kith_camera camera = {.view = view};
    kith_camera_shake(&camera, NAN, 1);
    kith_camera_shake(&camera, 1, INFINITY);
    kith_camera_shake(&camera, -1, 1);
    kith_camera_shake(&camera, 1, 0);
    CHECK_FLOAT(camera.shake, 0);
}
