/* Transforms in 3-D, and rotations: against their definition in double, and their bits. */
#include <kith/floats.h>

#include <float.h>
#include <math.h>

#include "bits.h"
#include "worlds.h"

static const Global3 identity3 = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
static const kith_quat no_turn = {0, 0, 0, 1};

static bool same3(Global3 a, Global3 b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool same_quat(kith_quat a, kith_quat b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Whether two places are equal but for the rounding of numbers up to `size`. */
static bool are_close(kith_vec3 a, kith_vec3 b, double size)
{
    return fabs((double)a.x - (double)b.x) <= size * 1e-6 &&
           fabs((double)a.y - (double)b.y) <= size * 1e-6 &&
           fabs((double)a.z - (double)b.z) <= size * 1e-6;
}

static kith_vec3 random_vec3(uint64_t *random, float limit)
{
    kith_vec3 v;
    v.x = random_within(random, limit);
    v.y = random_within(random, limit);
    v.z = random_within(random, limit);
    return v;
}

static kith_quat random_quat(uint64_t *random)
{
    const kith_vec3 axis = random_vec3(random, 1);
    return kith_quat_about(axis.x, axis.y, axis.z, random_within(random, 10));
}

static Local3 random_local3(uint64_t *random)
{
    const kith_vec3 position = random_vec3(random, 100);
    const kith_quat rotation = random_quat(random);
    return (Local3){position, rotation, random_vec3(random, 4)};
}

static Global3 random_global3(uint64_t *random)
{
    return kith_transform3_from_local(random_local3(random));
}

static Global3 turned_by(kith_quat rotation)
{
    return kith_transform3_from_local((Local3){.rotation = rotation});
}

TEST(a_local_of_zeros_changes_nothing_in_3d)
{
    CHECK(same3(kith_transform3_from_local((Local3){0}), identity3));
    CHECK(same3(kith_transform3_from_local((Local3){{0}, no_turn, {1, 1, 1}}), identity3));
    const Global3 moved = kith_transform3_from_local((Local3){.position = {3, 4, 5}});
    CHECK(same3(moved, (Global3){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {3, 4, 5}}));
    CHECK(same3(kith_transform3_compose(moved, (Local3){0}), moved));
    CHECK(same3(kith_transform3_multiply(identity3, moved), moved));
}

TEST(a_scale_of_zero_is_one_in_3d)
{
    const Global3 x = kith_transform3_from_local((Local3){.scale = {2, 0, 0}});
    const Global3 y = kith_transform3_from_local((Local3){.scale = {0, 3, -0.0f}});
    const Global3 z = kith_transform3_from_local((Local3){.scale = {0, 0, FLT_MIN}});
    CHECK(same3(x, (Global3){{2, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}));
    CHECK(same3(y, (Global3){{1, 0, 0}, {0, 3, 0}, {0, 0, 1}, {0, 0, 0}}));
    CHECK(same3(z, (Global3){{1, 0, 0}, {0, 1, 0}, {0, 0, FLT_MIN}, {0, 0, 0}}));
}

/* A quarter about each axis: what points where. */
TEST(a_rotation_turns_from_each_axis_to_the_next)
{
    const Global3 x = turned_by(kith_quat_about(5, 0, 0, KITH_PI / 2));
    const Global3 y = turned_by(kith_quat_about(0, 1e-30f, 0, KITH_PI / 2));
    const Global3 z = turned_by(kith_quat_about(0, 0, 1e30f, KITH_PI / 2));
    CHECK(are_close(kith_transform3_direction(x, 0, 1, 0), (kith_vec3){0, 0, 1}, 1));
    CHECK(are_close(kith_transform3_direction(y, 0, 0, 1), (kith_vec3){1, 0, 0}, 1));
    CHECK(are_close(kith_transform3_direction(z, 1, 0, 0), (kith_vec3){0, 1, 0}, 1));
    CHECK(are_close(kith_transform3_direction(z, 0, 1, 0), (kith_vec3){-1, 0, 0}, 1));
    CHECK(are_close(kith_transform3_direction(z, 0, 0, 1), (kith_vec3){0, 0, 1}, 1));
}

/* By Rodrigues: v cos + (k x v) sin + k (k . v) (1 - cos), scaled first and moved last. */
TEST(a_local_scales_turns_and_moves_in_3d)
{
    uint64_t random = 1;
    for (int i = 0; i < 1000; i++) {
        const kith_vec3 axis = random_vec3(&random, 1);
        const float angle = random_within(&random, 10);
        const Local3 local = {random_vec3(&random, 100),
                              kith_quat_about(axis.x, axis.y, axis.z, angle),
                              random_vec3(&random, 4)};
        const kith_vec3 p = random_vec3(&random, 10);
        const double length = sqrt((double)(axis.x * axis.x) + (double)(axis.y * axis.y) +
                                   (double)(axis.z * axis.z));
        const double kx = (double)axis.x / length, ky = (double)axis.y / length,
                     kz = (double)axis.z / length;
        const double vx = (double)(p.x * local.scale.x), vy = (double)(p.y * local.scale.y),
                     vz = (double)(p.z * local.scale.z);
        const double c = cos((double)angle), s = sin((double)angle);
        const double along = (kx * vx + ky * vy + kz * vz) * (1 - c);
        const kith_vec3 expected = {(float)(vx * c + (ky * vz - kz * vy) * s + kx * along),
                                    (float)(vy * c + (kz * vx - kx * vz) * s + ky * along),
                                    (float)(vz * c + (kx * vy - ky * vx) * s + kz * along)};
        const Global3 global = kith_transform3_from_local(local);
        const kith_vec3 turned = kith_transform3_direction(global, p.x, p.y, p.z);
        CHECK(are_close(turned, expected, 100));
        const kith_vec3 moved = kith_transform3_point(global, p.x, p.y, p.z);
        CHECK_FLOAT(moved.x, turned.x + local.position.x);
        CHECK_FLOAT(moved.y, turned.y + local.position.y);
        CHECK_FLOAT(moved.z, turned.z + local.position.z);
    }
}

TEST(a_part_follows_its_parent_in_3d)
{
    uint64_t random = 2;
    for (int i = 0; i < 1000; i++) {
        const Global3 outer = random_global3(&random);
        const Local3 local = random_local3(&random);
        const Global3 inner = kith_transform3_from_local(local);
        const Global3 both = kith_transform3_compose(outer, local);
        CHECK(same3(both, kith_transform3_multiply(outer, inner)));
        const kith_vec3 p = random_vec3(&random, 10);
        const kith_vec3 q = kith_transform3_point(inner, p.x, p.y, p.z);
        CHECK(are_close(kith_transform3_point(both, p.x, p.y, p.z),
                        kith_transform3_point(outer, q.x, q.y, q.z), 2000));
    }
}

TEST(an_inverse_undoes_in_3d)
{
    uint64_t random = 3;
    for (int i = 0; i < 1000; i++) {
        const Local3 local = random_local3(&random);
        const Global3 global = kith_transform3_from_local(local);
        Global3 inverse;
        CHECK(kith_transform3_invert(global, &inverse));
        CHECK(kith_transform3_invert(global, NULL));
        const kith_vec3 p = random_vec3(&random, 10);
        const kith_vec3 q = kith_transform3_point(global, p.x, p.y, p.z);
        const double least = fmin(fabs((double)local.scale.x),
                                  fmin(fabs((double)local.scale.y), fabs((double)local.scale.z)));
        CHECK(are_close(kith_transform3_point(inverse, q.x, q.y, q.z), p, 500 / least));
    }
    Global3 inverse;
    CHECK(kith_transform3_invert(identity3, &inverse) && same3(inverse, identity3));
    const Global3 sheared = {{2, 0, 0}, {0, 4, 0}, {6, 4, 8}, {2, 4, 8}};
    CHECK(kith_transform3_invert(sheared, &inverse));
    CHECK(same3(inverse,
                (Global3){{0.5f, 0, 0}, {0, 0.25f, 0}, {-0.375f, -0.125f, 0.125f}, {2, 0, -1}}));
}

TEST(what_has_no_inverse_is_told_in_3d)
{
    static const Global3 cases[] = {
        {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
        {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}},
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {0, 0, 0}},
        {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {0, 0, 0}},
        {{1, 0, 0}, {0, NAN, 0}, {0, 0, 1}, {0, 0, 0}},
        {{1, 0, 0}, {0, 1, 0}, {0, 0, INFINITY}, {0, 0, 0}},
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, NAN}},
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {INFINITY, 0, 0}},
        {{1, 0, 0}, {0, 0x1p-149f, 0}, {0, 0, 1}, {0, 0, 0}},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        Global3 inverse = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
        const Global3 kept = inverse;
        CHECK(!kith_transform3_invert(cases[i], &inverse));
        CHECK(!kith_transform3_invert(cases[i], NULL));
        CHECK(same3(inverse, kept));
    }
}

/* Of another length it is the same rotation; where that makes no sense, none. */
TEST(rotations_of_any_length_are_rotations)
{
    uint64_t random = 4;
    for (int i = 0; i < 1000; i++) {
        const kith_quat unit = random_quat(&random);
        const float lengths[] = {1.1e-15f, 1e-3f, -2, 0x1p20f, 0.9e15f};
        const float length = lengths[i % 5];
        const kith_quat q = {unit.x * length, unit.y * length, unit.z * length, unit.w * length};
        const Global3 expected = turned_by(unit), global = turned_by(q);
        CHECK(are_close(global.x_axis, expected.x_axis, 1));
        CHECK(are_close(global.y_axis, expected.y_axis, 1));
        CHECK(are_close(global.z_axis, expected.z_axis, 1));
        const kith_quat one = kith_quat_normalize(q);
        const float sign = length < 0 ? -1.0f : 1.0f;
        CHECK(are_close((kith_vec3){one.x, one.y, one.z},
                        (kith_vec3){sign * unit.x, sign * unit.y, sign * unit.z}, 0.5));
        CHECK(fabs((double)one.w - (double)(sign * unit.w)) < 1e-6);
    }
    static const kith_quat none[] = {{0, 0, 0, 0},        {0.9e-15f, 0, 0, 0}, {0, 1.1e15f, 0, 0},
                                     {0, 0, 0x1p100f, 0}, {NAN, 0, 0, 1},      {0, 0, 0, INFINITY}};
    for (size_t i = 0; test_row(i, ROWS_OF(none)); i++) {
        const kith_quat turn = kith_quat_normalize((kith_quat){1, 2, 3, 4});
        CHECK(same3(turned_by(none[i]), identity3));
        CHECK(same_quat(kith_quat_normalize(none[i]), no_turn));
        CHECK(same_quat(kith_quat_multiply(turn, none[i]), turn));
        CHECK(same_quat(kith_quat_multiply(none[i], turn), turn));
    }
}

TEST(an_axis_that_is_none_turns_nothing)
{
    CHECK(same_quat(kith_quat_about(0, 0, 0, 1), no_turn));
    CHECK(same_quat(kith_quat_about(NAN, 0, 1, 1), no_turn));
    CHECK(same_quat(kith_quat_about(0, INFINITY, 0, 1), no_turn));
    CHECK(same_quat(kith_quat_about(0, 0, 1, NAN), no_turn));
    CHECK(same_quat(kith_quat_about(0, 0, 1, -INFINITY), no_turn));
    CHECK(same_quat(kith_quat_about(0, 0, 1, 0), no_turn));
    CHECK(same_quat(kith_quat_about(0, 0x1p-149f, 0, KITH_PI), kith_quat_about(0, 1, 0, KITH_PI)));
}

TEST(a_product_of_rotations_does_the_inner_one_first)
{
    const kith_quat about_x = kith_quat_about(1, 0, 0, KITH_PI / 2);
    const kith_quat about_z = kith_quat_about(0, 0, 1, KITH_PI / 2);
    const Global3 both = turned_by(kith_quat_multiply(about_z, about_x));
    CHECK(are_close(both.x_axis, (kith_vec3){0, 1, 0}, 1));
    CHECK(are_close(both.y_axis, (kith_vec3){0, 0, 1}, 1));
    CHECK(are_close(both.z_axis, (kith_vec3){1, 0, 0}, 1));

    uint64_t random = 5;
    kith_quat sum = no_turn;
    for (int i = 0; i < 1000; i++) {
        const kith_quat outer = random_quat(&random), inner = random_quat(&random);
        const Global3 a = turned_by(kith_quat_multiply(outer, inner));
        const Global3 b = kith_transform3_multiply(turned_by(outer), turned_by(inner));
        CHECK(are_close(a.x_axis, b.x_axis, 1) && are_close(a.y_axis, b.y_axis, 1) &&
              are_close(a.z_axis, b.z_axis, 1));
        sum = kith_quat_multiply(outer, sum);
        CHECK(same_quat(sum, kith_quat_normalize(sum)) ||
              fabs((double)(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z + sum.w * sum.w) - 1) <
                  4e-7);
    }
}

/* On each machine, by each compiler. */
TEST(transforms_in_3d_have_the_same_bits_everywhere)
{
    uint64_t random = 6;
    uint64_t hash = NO_BITS;
    for (int i = 0; i < 20000; i++) {
        Global3 global = random_global3(&random);
        const Local3 local = random_local3(&random);
        const kith_quat q = kith_quat_multiply(local.rotation, random_quat(&random));
        const kith_quat n = kith_quat_normalize((kith_quat){q.x * 3, q.y * 3, q.z * 3, q.w * 3});
        global = kith_transform3_compose(global, local);
        add_bits(&hash, &global.x_axis.x, 12);
        CHECK(kith_transform3_invert(global, &global));
        add_bits(&hash, &global.x_axis.x, 12);
        add_bits(&hash, &q.x, 4);
        add_bits(&hash, &n.x, 4);
    }
    CHECK_UINT(hash, UINT64_C(11983013365581739826));
}
