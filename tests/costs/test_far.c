/* What finding the nearest takes from far away grows with the edge of a crowd, not with the crowd. */
#include <kith/floats.h>

#include <kith/spatial.h>

#include "components.h"
#include "test.h"
#include "work.h"

static uint64_t work_from(double x, double y, uint32_t side)
{
    kith_world *world = kith_world_new(NULL);
    kith_index *index;
    const kith_index_def def = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)};
    CHECK_RESULT(kith_index_new(world, &def, &index), KITH_OK);
    for (uint32_t i = 0; i < side * side; i++) {
        const float shift = (float)(i % 7) / 16;
        KITH_SPAWN(world, KITH_VALUE(Position, {(float)(i % side) + shift, (float)(i / side)}));
    }
    kith_near found[4];
    uint32_t count;
    const kith_point point = KITH_POINT(x * side, y * side);
    CHECK_RESULT(kith_nearest(index, point, 4, NULL, found, &count), KITH_OK);
    const uint64_t before = work_done();
    CHECK_RESULT(kith_nearest(index, point, 4, NULL, found, &count), KITH_OK);
    const uint64_t work = work_done() - before;
    CHECK_UINT(count, 4);
    kith_world_free(world);
    return work;
}

/* From the left, the right, below and above, and from a corner: near and far. */
TEST_WITHIN(20, the_nearest_of_a_crowd_that_is_far_away)
{
    static const double from[][2] = {{-0.5, 0.5}, {1.5, 0.5},  {0.5, -0.5}, {0.5, 1.5},
                                     {-9, -9},    {50, 0.25},  {0.25, 999}, {-1e6, 0.5},
                                     {1.001, 1.001}, {0.5, 0.5}};
    for (size_t i = 0; test_row(i, ROWS_OF(from)); i++) {
        const uint64_t few = work_from(from[i][0], from[i][1], 40);
        const uint64_t many = work_from(from[i][0], from[i][1], 320);
        if (many > 16 * few) {
            test_fail(__FILE__, __LINE__, "among 64 times as many it takes %u instead of %u steps",
                      (unsigned)many, (unsigned)few);
        }
    }
}
