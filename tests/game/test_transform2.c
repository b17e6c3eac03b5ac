/* Transforms in 2-D: against their definition in double, and their bits. */
#include <kith/floats.h>

#include <float.h>
#include <math.h>

#include "bits.h"
#include "worlds.h"

static const Global2 identity2 = {{1, 0}, {0, 1}, 0, 0};

static bool same2(Global2 a, Global2 b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Whether two numbers are equal but for the rounding of numbers up to `size`. */
static bool is_close(float a, double b, double size)
{
    return fabs((double)a - b) <= size * 1e-6;
}

static Local2 random_local2(uint64_t *random)
{
    Local2 local;
    local.x = random_within(random, 100);
    local.y = random_within(random, 100);
    local.angle = random_within(random, 10);
    local.scale_x = random_within(random, 4);
    local.scale_y = random_within(random, 4);
    return local;
}

static Global2 random_global2(uint64_t *random)
{
    return kith_transform2_from_local(random_local2(random));
}

TEST(a_local_of_zeros_changes_nothing_in_2d)
{
    CHECK(same2(kith_transform2_from_local((Local2){0}), identity2));
    CHECK(same2(kith_transform2_from_local((Local2){.scale_x = 1, .scale_y = -0.0f}), identity2));
    const Global2 moved = kith_transform2_from_local((Local2){.x = 3, .y = 4});
    CHECK(same2(moved, (Global2){{1, 0}, {0, 1}, 3, 4}));
    CHECK(same2(kith_transform2_compose(moved, (Local2){0}), moved));
    CHECK(same2(kith_transform2_multiply(identity2, moved), moved));
}

/* Each axis by itself: only a 0 means 1. */
TEST(a_scale_of_zero_is_one_in_2d)
{
    CHECK(same2(kith_transform2_from_local((Local2){.scale_x = 2}),
                (Global2){{2, 0}, {0, 1}, 0, 0}));
    CHECK(same2(kith_transform2_from_local((Local2){.scale_y = -3}),
                (Global2){{1, 0}, {0, -3}, 0, 0}));
    CHECK(same2(kith_transform2_from_local((Local2){.scale_x = FLT_MIN, .scale_y = 0x1p-149f}),
                (Global2){{FLT_MIN, 0}, {0, 0x1p-149f}, 0, 0}));
}

/* A point is scaled, then turned from x towards y, then moved. */
TEST(a_local_scales_turns_and_moves_in_2d)
{
    const Global2 quarter = kith_transform2_from_local(
        (Local2){.x = 10, .y = 20, .angle = KITH_PI / 2, .scale_x = 2, .scale_y = 3});
    kith_vec2 p = kith_transform2_point(quarter, 1, 0);
    CHECK(is_close(p.x, 10, 10) && is_close(p.y, 22, 10));
    p = kith_transform2_point(quarter, 0, 1);
    CHECK(is_close(p.x, 7, 10) && is_close(p.y, 20, 10));
    p = kith_transform2_direction(quarter, 0, 1);
    CHECK(is_close(p.x, -3, 10) && is_close(p.y, 0, 10));

    uint64_t random = 1;
    for (int i = 0; i < 1000; i++) {
        const Local2 local = random_local2(&random);
        const Global2 global = kith_transform2_from_local(local);
        const double x = (double)random_within(&random, 10), y = (double)random_within(&random, 10);
        const double c = cos((double)local.angle), s = sin((double)local.angle);
        const double sx = x * (double)local.scale_x, sy = y * (double)local.scale_y;
        p = kith_transform2_direction(global, (float)x, (float)y);
        CHECK(is_close(p.x, c * sx - s * sy, 100) && is_close(p.y, s * sx + c * sy, 100));
        const kith_vec2 moved = kith_transform2_point(global, (float)x, (float)y);
        CHECK_FLOAT(moved.x, p.x + local.x);
        CHECK_FLOAT(moved.y, p.y + local.y);
    }
}

/* Both calls have the same bits, and the outer one comes last. */
TEST(a_part_follows_its_parent_in_2d)
{
    const Global2 turned = kith_transform2_from_local((Local2){.x = 5, .angle = KITH_PI / 2});
    const Global2 part = kith_transform2_compose(turned, (Local2){.x = 2, .scale_x = 4});
    CHECK(is_close(part.x, 5, 5) && is_close(part.y, 2, 5));
    CHECK(is_close(part.x_axis.x, 0, 4) && is_close(part.x_axis.y, 4, 4));

    uint64_t random = 2;
    for (int i = 0; i < 1000; i++) {
        const Global2 outer = random_global2(&random);
        const Local2 local = random_local2(&random);
        const Global2 inner = kith_transform2_from_local(local);
        const Global2 both = kith_transform2_compose(outer, local);
        CHECK(same2(both, kith_transform2_multiply(outer, inner)));
        const float x = random_within(&random, 10), y = random_within(&random, 10);
        const kith_vec2 p = kith_transform2_point(inner, x, y);
        const kith_vec2 q = kith_transform2_point(outer, p.x, p.y);
        const kith_vec2 r = kith_transform2_point(both, x, y);
        CHECK(is_close(r.x, (double)q.x, 1000) && is_close(r.y, (double)q.y, 1000));
    }
}

TEST(an_inverse_undoes_in_2d)
{
    uint64_t random = 3;
    for (int i = 0; i < 1000; i++) {
        const Global2 global = random_global2(&random);
        Global2 inverse;
        CHECK(kith_transform2_invert(global, &inverse));
        CHECK(kith_transform2_invert(global, NULL));
        const float x = random_within(&random, 10), y = random_within(&random, 10);
        const kith_vec2 p = kith_transform2_point(global, x, y);
        const kith_vec2 q = kith_transform2_point(inverse, p.x, p.y);
        const double least = fmin(hypot(global.x_axis.x, global.x_axis.y),
                                  hypot(global.y_axis.x, global.y_axis.y));
        CHECK(is_close(q.x, (double)x, 300 / least) && is_close(q.y, (double)y, 300 / least));
    }
    Global2 inverse;
    CHECK(kith_transform2_invert(identity2, &inverse) && same2(inverse, identity2));
    const Global2 sheared = {{2, 0}, {6, 4}, 8, 16};
    CHECK(kith_transform2_invert(sheared, &inverse));
    CHECK(same2(inverse, (Global2){{0.5f, 0}, {-0.75f, 0.25f}, 8, -4}));
}

TEST(what_has_no_inverse_is_told_in_2d)
{
    static const Global2 cases[] = {
        {{0, 0}, {0, 0}, 0, 0},
        {{0, 0}, {0, 1}, 0, 0},
        {{1, 0}, {0, 0}, 0, 0},
        {{1, 2}, {2, 4}, 0, 0},
        {{1.1f, 3.3f}, {1.1f, 3.3f}, 0, 0},
        {{NAN, 0}, {0, 1}, 0, 0},
        {{1, 0}, {0, INFINITY}, 0, 0},
        {{1, 0}, {0, 1}, NAN, 0},
        {{1, 0}, {0, 1}, 0, INFINITY},
        {{0x1p-149f, 0}, {0, 1}, 0, 0},
        {{1, 0}, {0, 0x1p-100f}, 0, 0x1p100f},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        Global2 inverse = {{1, 2}, {3, 4}, 5, 6};
        const Global2 kept = inverse;
        CHECK(!kith_transform2_invert(cases[i], &inverse));
        CHECK(!kith_transform2_invert(cases[i], NULL));
        CHECK(same2(inverse, kept));
    }
    Global2 large;
    CHECK(kith_transform2_invert((Global2){{0x1p-126f, 0}, {0, 0x1p126f}, 0, 0}, &large));
    CHECK(same2(large, (Global2){{0x1p126f, 0}, {0, 0x1p-126f}, 0, 0}));
}

/* On each machine, by each compiler. */
TEST(transforms_in_2d_have_the_same_bits_everywhere)
{
    uint64_t random = 4;
    uint64_t hash = NO_BITS;
    for (int i = 0; i < 20000; i++) {
        const Local2 local = random_local2(&random);
        Global2 global = kith_transform2_compose(random_global2(&random), local);
        add_bits(&hash, &global.x_axis.x, 6);
        CHECK(kith_transform2_invert(global, &global));
        add_bits(&hash, &global.x_axis.x, 6);
        const float x = random_within(&random, 10), y = random_within(&random, 10);
        const kith_vec2 p = kith_transform2_point(global, x, y);
        add_bits(&hash, &p.x, 2);
    }
    CHECK_UINT(hash, UINT64_C(297543226719564859));
}
