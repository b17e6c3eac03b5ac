/* Rotations in 3-D: against their definitions in long double, at their limits, and their bits. */
#include <kith/floats.h>

#include <float.h>
#include <math.h>

#include "bits.h"
#include "worlds.h"

#define NEARLY 0.52 /* units in the last place */

static const kith_quat no_turn = {0, 0, 0, 1};

/* A quaternion, or a vector with w = 0. */
typedef struct exact {
    long double x, y, z, w;
} exact;

static exact scaled(exact q, long double by)
{
    return (exact){q.x * by, q.y * by, q.z * by, q.w * by};
}

static long double product(exact a, exact b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

static exact unit(exact q)
{
    return scaled(q, 1 / sqrtl(product(q, q)));
}

static exact exact_of(kith_quat q)
{
    return unit((exact){q.x, q.y, q.z, q.w});
}

static exact exact_vector(kith_vec3 v)
{
    return (exact){v.x, v.y, v.z, 0};
}

static exact multiplied(exact a, exact b)
{
    return (exact){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                   a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                   a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                   a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

/* By q v q*. */
static exact turned(exact q, exact v)
{
    return multiplied(multiplied(q, v), (exact){-q.x, -q.y, -q.z, q.w});
}

/* How far two directions or rotations of length 1 are from each other. */
static double apart(exact a, exact b)
{
    const exact d = {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
    return (double)sqrtl(product(d, d));
}

/* Of the largest part's last place: the largest is above 0.5, as a sum of four squares is 1. */
static double error_of(kith_quat q, exact expected)
{
    const long double differences[] = {q.x - expected.x, q.y - expected.y, q.z - expected.z,
                                       q.w - expected.w};
    long double worst = 0;
    for (int i = 0; i < 4; i++) {
        worst = fmaxl(worst, fabsl(differences[i]));
    }
    return (double)(worst * 0x1p24L);
}

static double length_error(kith_quat q)
{
    const exact e = {q.x, q.y, q.z, q.w};
    return fabs((double)(sqrtl(product(e, e)) - 1));
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
    kith_quat q;
    q.x = random_within(random, 1);
    q.y = random_within(random, 1);
    q.z = random_within(random, 1);
    q.w = random_within(random, 1);
    return kith_quat_normalize(q);
}

static bool same_quat(kith_quat a, kith_quat b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* ---- Axes and angles -------------------------------------------------------------------------- */

TEST(a_rotation_about_an_axis_is_exact)
{
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        const kith_vec3 axis = random_vec3(&random, i % 2 == 0 ? 1 : 1e30f);
        const float angle = random_within(&random, i % 3 == 0 ? 1e6f : 7);
        const exact e = unit(exact_vector(axis));
        const long double half = (long double)angle / 2;
        exact expected = scaled(e, sinl(half));
        expected.w = cosl(half);
        CHECK(error_of(kith_quat_about(axis.x, axis.y, axis.z, angle), expected) < NEARLY);
    }
}

TEST(a_rotation_tells_its_axis_and_angle)
{
    uint64_t random = 2;
    for (int i = 0; i < 20000; i++) {
        const kith_quat q = random_quat(&random);
        const exact e = exact_of(q);
        const exact part = {e.x, e.y, e.z, 0};
        const long double sine = sqrtl(product(part, part));
        kith_vec3 axis;
        const float angle = kith_quat_angle(q, &axis);
        const long double expected = 2 * atan2l(sine, fabsl(e.w));
        CHECK(fabsl(angle - expected) <= 0.51L * 0x1p-22L);
        CHECK(apart(exact_vector(axis), scaled(part, (e.w < 0 ? -1 : 1) / sine)) < 1e-7);
        CHECK(bits_of(kith_quat_angle(q, NULL)) == bits_of(angle));
        CHECK(bits_of(kith_quat_angle((kith_quat){-q.x, -q.y, -q.z, -q.w}, NULL)) ==
              bits_of(angle));
        const kith_quat again = kith_quat_about(axis.x, axis.y, axis.z, angle);
        CHECK(apart(exact_of(again), scaled(e, e.w < 0 ? -1 : 1)) < 3e-7);
    }
    /* Of small angles as exactly. */
    for (float angle = 1; angle > 1e-30f; angle /= 3) {
        kith_vec3 axis;
        const kith_quat q = kith_quat_about(0, 3, -4, angle);
        CHECK(fabs((double)kith_quat_angle(q, &axis) / (double)angle - 1) < 2e-7);
        CHECK(fabs((double)axis.y - 0.6) < 1e-6 && fabs((double)axis.z + 0.8) < 1e-6);
    }
    kith_vec3 axis = {1, 2, 3};
    CHECK_FLOAT(kith_quat_angle(no_turn, &axis), 0);
    CHECK(axis.x == 0 && axis.y == 0 && axis.z == 1);
    CHECK_FLOAT(kith_quat_angle((kith_quat){0, 0, 0, -1}, &axis), 0);
    CHECK_FLOAT(kith_quat_angle((kith_quat){0, 2, 0, 0}, &axis), KITH_PI);
    CHECK(axis.x == 0 && axis.y == 1 && axis.z == 0);
}

/* About x, then y, then z. */
TEST(a_rotation_is_made_of_angles)
{
    uint64_t random = 3;
    for (int i = 0; i < 20000; i++) {
        const kith_vec3 a = random_vec3(&random, i % 3 == 0 ? 1e7f : 4);
        const exact x = {sinl((long double)a.x / 2), 0, 0, cosl((long double)a.x / 2)};
        const exact y = {0, sinl((long double)a.y / 2), 0, cosl((long double)a.y / 2)};
        const exact z = {0, 0, sinl((long double)a.z / 2), cosl((long double)a.z / 2)};
        CHECK(error_of(kith_quat_from_angles(a), multiplied(z, multiplied(y, x))) < NEARLY);
    }
    const kith_quat about_y = kith_quat_from_angles((kith_vec3){0, 1, 0});
    CHECK(same_quat(about_y, kith_quat_about(0, 1, 0, 1)));
    CHECK(same_quat(kith_quat_from_angles((kith_vec3){0, 0, 0}), no_turn));
    CHECK(same_quat(kith_quat_from_angles((kith_vec3){NAN, 0, 0}), no_turn));
    CHECK(same_quat(kith_quat_from_angles((kith_vec3){0, 0, INFINITY}), no_turn));
}

static double angles_error(kith_quat q)
{
    const kith_vec3 angles = kith_quat_to_angles(q);
    CHECK(fabsf(angles.x) <= KITH_PI && fabsf(angles.y) <= KITH_PI / 2 &&
          fabsf(angles.z) <= KITH_PI);
    const exact again = exact_of(kith_quat_from_angles(angles));
    return fmin(apart(again, exact_of(q)), apart(scaled(again, -1), exact_of(q)));
}

TEST(a_rotation_tells_its_angles)
{
    uint64_t random = 4;
    for (int i = 0; i < 20000; i++) {
        CHECK(angles_error(random_quat(&random)) < 3e-7);
    }
    /* At a quarter turn about y, and ever nearer to it. */
    for (int i = 0; i < 3000; i++) {
        kith_vec3 a = random_vec3(&random, 3);
        a.y = (i % 2 == 0 ? 1.0f : -1.0f) * (KITH_PI / 2 - ldexpf(1, -(i % 30)));
        CHECK(angles_error(kith_quat_from_angles(a)) < 4e-7);
    }
    /* Not one of these has a cosine that is exactly 0. */
    const kith_quat up = {0, 0.5f, 0, 0.5f}, down = {0.5f, -0.5f, 0.5f, 0.5f};
    CHECK_FLOAT(kith_quat_to_angles(up).y, KITH_PI / 2);
    CHECK_FLOAT(kith_quat_to_angles(up).x, 0);
    CHECK_FLOAT(kith_quat_to_angles(down).y, -KITH_PI / 2);
    CHECK_FLOAT(kith_quat_to_angles(down).x, 0);
    CHECK(angles_error(up) < 1e-7 && angles_error(down) < 1e-7);

    const kith_vec3 plain = kith_quat_to_angles(kith_quat_from_angles((kith_vec3){0.25f, -1, 3}));
    CHECK(fabsf(plain.x - 0.25f) < 1e-6f && fabsf(plain.y + 1) < 1e-6f &&
          fabsf(plain.z - 3) < 1e-6f);
}

/* ---- Directions ------------------------------------------------------------------------------- */

/* The rotation that is expected: on the axis at right angles, by the angle between. */
static void check_between(kith_vec3 from, kith_vec3 to)
{
    const kith_quat q = kith_quat_between(from, to);
    const exact a = exact_vector(from), b = exact_vector(to);
    const exact arrived = turned(exact_of(q), unit(a));
    CHECK(length_error(q) < 1.2e-7);
    CHECK(apart(arrived, unit(b)) < 4e-7);
    /* The shortest: its axis is at right angles to both. */
    const exact axis = {q.x, q.y, q.z, 0};
    CHECK(fabsl(product(axis, unit(a))) < 2e-7L && fabsl(product(axis, unit(b))) < 2e-7L);
    CHECK(q.w >= 0);
}

TEST(the_shortest_rotation_between_directions)
{
    uint64_t random = 5;
    for (int i = 0; i < 20000; i++) {
        const kith_vec3 from = random_vec3(&random, 1), to = random_vec3(&random, 1e20f);
        check_between(from, to);
        /* Nearly the same, and nearly opposite. */
        const float little = ldexpf(1, -(i % 25));
        const kith_vec3 aside = random_vec3(&random, little);
        check_between(from, (kith_vec3){from.x + aside.x, from.y + aside.y, from.z + aside.z});
        check_between(from, (kith_vec3){aside.x - from.x, aside.y - from.y, aside.z - from.z});
        check_between(from, from);
        check_between(from, (kith_vec3){-from.x, -from.y, -from.z});
    }
    const kith_vec3 odd = {0.1f, 0.7f, -0.3f};
    check_between(odd, (kith_vec3){odd.x * -4, odd.y * -4, odd.z * -4});
    check_between((kith_vec3){1, 1, 1}, (kith_vec3){-3, -3, -3});
    check_between((kith_vec3){0x1p-149f, 0, 0}, (kith_vec3){0, FLT_MAX, 0});
    check_between((kith_vec3){FLT_MAX, FLT_MAX, 0}, (kith_vec3){-FLT_MAX, 0, FLT_MAX});
    check_between((kith_vec3){0x1p-149f, 0x1p-149f, 0}, (kith_vec3){0, 0x1p-149f, 0x1p-149f});
    const kith_quat quarter = kith_quat_between((kith_vec3){1, 0, 0}, (kith_vec3){0, 1, 0});
    CHECK(same_quat(quarter, kith_quat_about(0, 0, 1, KITH_PI / 2)));
    for (int axis = 0; axis < 3; axis++) {
        const kith_vec3 v = {axis == 0, axis == 1, axis == 2};
        const kith_quat half = kith_quat_between(v, (kith_vec3){-v.x, -v.y, -v.z});
        CHECK_FLOAT(half.w, 0);
        CHECK(same_quat(kith_quat_between(v, v), no_turn));
    }
}

TEST(no_direction_gives_no_rotation)
{
    static const kith_vec3 none[] = {
        {0, 0, 0}, {NAN, 0, 1}, {0, INFINITY, 0}, {1, 0, -INFINITY}, {0, -0.0f, 0}};
    const kith_vec3 x = {1, 0, 0};
    for (size_t i = 0; test_row(i, ROWS_OF(none)); i++) {
        CHECK(same_quat(kith_quat_between(none[i], x), no_turn));
        CHECK(same_quat(kith_quat_between(x, none[i]), no_turn));
        CHECK(same_quat(kith_quat_look(none[i], x), no_turn));
    }
}

static void check_look(kith_vec3 ahead, kith_vec3 up)
{
    const kith_quat q = kith_quat_look(ahead, up);
    const exact e = exact_of(q), to = unit(exact_vector(ahead)), above = exact_vector(up);
    CHECK(length_error(q) < 1.2e-7);
    CHECK(apart(turned(e, (exact){0, 0, 1, 0}), to) < 4e-7);
    /* What of `up` is at right angles to where it looks. */
    const long double along = product(above, to);
    const exact rest = {above.x - along * to.x, above.y - along * to.y, above.z - along * to.z, 0};
    if (product(rest, rest) > 1e-12L * product(above, above)) {
        CHECK(apart(turned(e, (exact){0, 1, 0, 0}), unit(rest)) < 1e-6);
    }
}

TEST(a_rotation_looks_ahead)
{
    uint64_t random = 6;
    for (int i = 0; i < 20000; i++) {
        const kith_vec3 ahead = random_vec3(&random, 1), up = random_vec3(&random, 1e10f);
        check_look(ahead, up);
        check_look(ahead, ahead);
        check_look(ahead, (kith_vec3){-2 * ahead.x, -2 * ahead.y, -2 * ahead.z});
        check_look(ahead, (kith_vec3){0, 1, 0});
    }
    const kith_vec3 y = {0, 1, 0}, z = {0, 0, 1};
    CHECK(same_quat(kith_quat_look(z, y), no_turn));
    CHECK(
        same_quat(kith_quat_look((kith_vec3){1, 0, 0}, y), kith_quat_about(0, 1, 0, KITH_PI / 2)));
    /* Each of the four ways to make a quaternion of axes. */
    CHECK(fabsf(kith_quat_look((kith_vec3){0, 0, -1}, y).y) > 0.99f);
    CHECK(fabsf(kith_quat_look((kith_vec3){0, 0, -1}, (kith_vec3){0, -1, 0}).x) > 0.99f);
    CHECK(fabsf(kith_quat_look(z, (kith_vec3){0, -1, 0}).z) > 0.99f);
    check_look(z, (kith_vec3){0, 0, 0});
    check_look(y, (kith_vec3){0, FLT_MAX, 0});
    CHECK(same_quat(kith_quat_look(y, (kith_vec3){NAN, 0, 0}),
                    kith_quat_look(y, (kith_vec3){0, 0, 0})));
    check_look((kith_vec3){0x1p-149f, 0, 0}, (kith_vec3){0, FLT_MAX, FLT_MAX});
    check_look((kith_vec3){FLT_MAX, FLT_MAX, FLT_MAX}, (kith_vec3){0, 0x1p-149f, 0});
}

TEST(a_rotation_turns_a_point_as_its_matrix_does)
{
    uint64_t random = 7;
    for (int i = 0; i < 5000; i++) {
        const kith_quat q = random_quat(&random);
        const kith_vec3 v = random_vec3(&random, 100);
        const kith_vec3 found = kith_quat_rotate(q, v.x, v.y, v.z);
        const Global3 matrix = kith_transform3_from_local((Local3){.rotation = q});
        const kith_vec3 expected = kith_transform3_direction(matrix, v.x, v.y, v.z);
        CHECK(memcmp(&found, &expected, sizeof found) == 0);
        CHECK(apart(exact_vector(found), turned(exact_of(q), exact_vector(v))) < 1e-4);
        const kith_vec3 back = kith_quat_rotate(kith_quat_invert(q), found.x, found.y, found.z);
        CHECK(apart(exact_vector(back), exact_vector(v)) < 2e-4);
    }
    CHECK(same_quat(kith_quat_invert(no_turn), no_turn));
    CHECK(same_quat(kith_quat_invert((kith_quat){0, 0, 0, 0}), no_turn));
    CHECK(same_quat(kith_quat_invert((kith_quat){0, 3, 0, 4}), (kith_quat){0, -0.6f, 0, 0.8f}));
}

/* ---- In between ------------------------------------------------------------------------------- */

static exact exact_slerp(kith_quat from, kith_quat to, long double part)
{
    const exact a = exact_of(from);
    exact b = exact_of(to);
    b = product(a, b) < 0 ? scaled(b, -1) : b;
    const exact d = {b.x - a.x, b.y - a.y, b.z - a.z, b.w - a.w};
    const exact s = {b.x + a.x, b.y + a.y, b.z + a.z, b.w + a.w};
    const long double angle = 2 * atan2l(sqrtl(product(d, d)), sqrtl(product(s, s)));
    if (angle < 1e-17L) {
        return a;
    }
    const exact x = scaled(a, sinl((1 - part) * angle) / sinl(angle));
    const exact y = scaled(b, sinl(part * angle) / sinl(angle));
    return (exact){x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w};
}

TEST(slerp_is_exact)
{
    uint64_t random = 8;
    for (int i = 0; i < 20000; i++) {
        const kith_quat a = random_quat(&random);
        kith_quat b = random_quat(&random);
        if (i % 2 == 0) { /* ever nearer to each other */
            const kith_vec3 axis = random_vec3(&random, 1);
            b = kith_quat_multiply(
                a, kith_quat_about(axis.x, axis.y, axis.z, ldexpf(1, -(i / 2 % 30))));
        }
        const float part = (random_within(&random, 1) + 1) / 2;
        const kith_quat q = kith_quat_slerp(a, b, part);
        CHECK(error_of(q, exact_slerp(a, b, part)) < NEARLY);
        CHECK(same_quat(kith_quat_slerp(a, b, 0), kith_quat_normalize(a)));
        const exact end = exact_of(kith_quat_slerp(a, b, 1)), e = exact_of(b);
        CHECK(fmin(apart(end, e), apart(scaled(end, -1), e)) < 1.2e-7);
        const kith_quat n = kith_quat_nlerp(a, b, part);
        CHECK(length_error(n) < 1.2e-7);
        CHECK(apart(exact_of(n), exact_slerp(a, b, part)) < 0.08); /* at most some 4 degrees */
        CHECK(apart(exact_of(kith_quat_nlerp(a, b, 0.5f)), exact_slerp(a, b, 0.5L)) < 1.2e-7);
    }
}

TEST(slerp_takes_the_shortest_way_and_stays_on_it)
{
    const kith_quat a = kith_quat_about(0, 0, 1, 0.5f), b = kith_quat_about(0, 0, 1, 1.5f);
    const kith_quat middle = kith_quat_about(0, 0, 1, 1), b_too = {-b.x, -b.y, -b.z, -b.w};
    CHECK(apart(exact_of(kith_quat_slerp(a, b, 0.5f)), exact_of(middle)) < 1.2e-7);
    CHECK(same_quat(kith_quat_slerp(a, b_too, 0.5f), kith_quat_slerp(a, b, 0.5f)));
    CHECK(same_quat(kith_quat_nlerp(a, b_too, 0.25f), kith_quat_nlerp(a, b, 0.25f)));
    const float below[] = {-1, -INFINITY, NAN, -0.0f}, above[] = {2, INFINITY, 1.00001f};
    for (size_t i = 0; test_row(i, ROWS_OF(below)); i++) {
        CHECK(same_quat(kith_quat_slerp(a, b, below[i]), kith_quat_slerp(a, b, 0)));
        CHECK(same_quat(kith_quat_nlerp(a, b, below[i]), kith_quat_nlerp(a, b, 0)));
    }
    for (size_t i = 0; test_row(i, ROWS_OF(above)); i++) {
        CHECK(same_quat(kith_quat_slerp(a, b, above[i]), kith_quat_slerp(a, b, 1)));
        CHECK(same_quat(kith_quat_nlerp(a, b, above[i]), kith_quat_nlerp(a, b, 1)));
    }
    CHECK(same_quat(kith_quat_slerp(a, a, 0.3f), kith_quat_normalize(a)));
    /* Of any length; and what is no rotation is none. */
    const kith_quat large = {a.x * 1e14f, a.y * 1e14f, a.z * 1e14f, a.w * 1e14f};
    CHECK(apart(exact_of(kith_quat_slerp(large, b, 0.5f)), exact_of(middle)) < 1.2e-7);
    CHECK(same_quat(kith_quat_slerp((kith_quat){NAN, 0, 0, 1}, b, 0.5f),
                    kith_quat_slerp(no_turn, b, 0.5f)));
    /* Half a turn away there are two ways: one of them, at the same speed. */
    const kith_quat half = {1, 0, 0, 0};
    CHECK(fabs((double)kith_quat_angle(kith_quat_slerp(no_turn, half, 0.25f), NULL) -
               0.78539816339744831) < 1e-7);
}

/* ---- Bits ------------------------------------------------------------------------------------- */

/* On each machine, by each compiler. */
TEST(rotations_have_the_same_bits_everywhere)
{
    uint64_t random = 9;
    uint64_t hash = NO_BITS;
    for (int i = 0; i < 20000; i++) {
        const kith_quat a = random_quat(&random);
        const kith_quat b = random_quat(&random);
        const kith_vec3 v = random_vec3(&random, 10);
        const kith_vec3 w = random_vec3(&random, 10);
        const float part = random_within(&random, 1);
        kith_vec3 axis;
        const float angle = kith_quat_angle(a, &axis);
        const kith_vec3 angles = kith_quat_to_angles(a);
        const kith_quat made[] = {kith_quat_about(v.x, v.y, v.z, w.x),
                                  kith_quat_from_angles(v),
                                  kith_quat_between(v, w),
                                  kith_quat_look(v, w),
                                  kith_quat_invert(a),
                                  kith_quat_slerp(a, b, part),
                                  kith_quat_nlerp(a, b, part)};
        for (size_t j = 0; j < sizeof made / sizeof made[0]; j++) {
            add_bits(&hash, &made[j].x, 4);
        }
        add_bits(&hash, &angle, 1);
        add_bits(&hash, &axis.x, 3);
        add_bits(&hash, &angles.x, 3);
    }
    CHECK_UINT(hash, UINT64_C(2653323540716920085));
}
