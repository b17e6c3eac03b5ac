/* Sines, cosines and the angles of directions: beside those of the C library, and their bits. */
#include <kith/floats.h>

#include <kith/game.h>
#include <math.h>

#include "bits.h"
#include "test.h"

/* How many units of a float's last place a result is off. */
static double error_of(float result, double exact)
{
    int exponent;
    frexp(exact, &exponent);
    return fabs((double)result - exact) / ldexp(1, exponent < -125 ? -149 : exponent - 24);
}

static void check_sincos(float angle)
{
    float sine, cosine;
    kith_sincos_f32(angle, &sine, &cosine);
    CHECK(error_of(sine, sin((double)angle)) < 0.51);
    CHECK(error_of(cosine, cos((double)angle)) < 0.51);
    CHECK(bits_of(sine) == bits_of(kith_sin_f32(angle)));
    CHECK(bits_of(cosine) == bits_of(kith_cos_f32(angle)));

    float other_sine, other_cosine;
    kith_sincos_f32(-angle, &other_sine, &other_cosine);
    CHECK(bits_of(other_sine) == bits_of(-sine));
    CHECK(bits_of(other_cosine) == bits_of(cosine));
}

TEST(sines_and_cosines_are_exact_to_half_a_unit)
{
    const uint32_t step = test_short() ? 200001 : 10001;
    for (uint32_t bits = 0; bits <= bits_of(6.2831855f); bits += step) {
        check_sincos(float_of(bits));
    }
    /* On both sides of each eighth of a turn, where the quarter, the sign or the series changes. */
    for (int eighth = 0; eighth <= 64; eighth++) {
        const uint32_t middle = bits_of((float)(eighth * 0.78539816339744831));
        for (uint32_t i = 0; i < 200; i++) {
            check_sincos(float_of(middle + i));
            check_sincos(float_of(middle > i ? middle - i : 0));
        }
    }
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        check_sincos(random_within(&random, 1000));
    }
}

/* Computed with 600 bits. The last ones come nearest to a quarter of a turn: of all floats, and of those
 * with the same exponent. */
TEST(large_angles_are_as_exact)
{
    static const struct {
        float angle, sine, cosine;
    } cases[] = {
        {0x1.fffffep19f, 0x1.156658p-2f, 0x1.ecdaf4p-1f},
        {0x1p20f, 0x1.526cccp-2f, 0x1.e33adap-1f},
        {-0x1.000002p20f, -0x1.c84710p-2f, 0x1.ca5cf2p-1f},
        {0x1.312dp23f, 0x1.aea414p-2f, -0x1.d085bep-1f},
        {-0x1.2a05f2p33f, 0x1.f334c8p-2f, 0x1.bf098ap-1f},
        {0x1.921fb6p33f, -0x1.ff262ep-1f, 0x1.d81492p-5f},
        {0x1.5af1d8p66f, 0x1.502ad2p-1f, 0x1.822e46p-1f},
        {-0x1.93e594p99f, 0x1.951360p-1f, -0x1.392444p-1f},
        {0x1p127f, 0x1.3f2c62p-1f, 0x1.90571ep-1f},
        {0x1.fffffep127f, -0x1.0b3366p-1f, 0x1.b4bf2cp-1f},
        {-0x1.fffffep127f, 0x1.0b3366p-1f, 0x1.b4bf2cp-1f},
        {0x1.f37c8ap95f, 1, -0x1.bbdd52p-30f},
        {0x1.47d0fep34f, 1, -0x1.149db0p-29f},
        {0x1.f37c8ap96f, -0x1.bbdd52p-29f, -1},
        {0x1.4ac55cp21f, 1, -0x1.4823bcp-26f},
        {0x1.e768f6p24f, -1, -0x1.15d442p-24f},
        {0x1.4665d2p25f, -1, 0x1.927bccp-27f},
        {0x1.804eeep126f, 1, -0x1.b9d20ap-24f},
        {0x1.7b9b40p127f, 0x1.8d47bap-25f, -1},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        CHECK_FLOAT(kith_sin_f32(cases[i].angle), cases[i].sine);
        CHECK_FLOAT(kith_cos_f32(cases[i].angle), cases[i].cosine);
    }
}

TEST(what_is_no_angle_gives_nan_and_zeros_keep_their_sign)
{
    const float not_numbers[] = {NAN, -NAN, INFINITY, -INFINITY, float_of(0xffc01234)};
    for (size_t i = 0; test_row(i, ROWS_OF(not_numbers)); i++) {
        CHECK_UINT(bits_of(kith_sin_f32(not_numbers[i])), 0x7fc00000);
        CHECK_UINT(bits_of(kith_cos_f32(not_numbers[i])), 0x7fc00000);
    }
    CHECK_UINT(bits_of(kith_sin_f32(0)), 0);
    CHECK_UINT(bits_of(kith_sin_f32(-0.0f)), 0x80000000);
    CHECK_FLOAT(kith_cos_f32(-0.0f), 1);
    CHECK_FLOAT(kith_sin_f32(0x1p-149f), 0x1p-149f);
    CHECK_FLOAT(KITH_PI, (float)3.14159265358979323846);
    CHECK_FLOAT(kith_sin_f32(KITH_PI / 2), 1);
    CHECK_FLOAT(kith_cos_f32(KITH_PI), -1);
}

TEST(either_result_may_be_left_out)
{
    float one = 0;
    kith_sincos_f32(2, &one, NULL);
    CHECK_FLOAT(one, kith_sin_f32(2));
    kith_sincos_f32(2, NULL, &one);
    CHECK_FLOAT(one, kith_cos_f32(2));
    kith_sincos_f32(2, NULL, NULL);
}

static void check_atan2(float y, float x)
{
    const float angle = kith_atan2_f32(y, x);
    CHECK(error_of(angle, atan2((double)y, (double)x)) < 0.51);
    CHECK(bits_of(kith_atan2_f32(-y, x)) == bits_of(-angle));
}

TEST(angles_of_directions_are_exact_to_half_a_unit)
{
    uint64_t random = 2;
    const int count = test_short() ? 10000 : 100000;
    for (int i = 0; i < count; i++) {
        check_atan2(random_within(&random, 100), random_within(&random, 100));
        const float y = float_of(random_below(&random, UINT32_MAX));
        const float x = float_of(random_below(&random, UINT32_MAX));
        if (isfinite(y) && isfinite(x)) {
            check_atan2(y, x);
        }
    }
    /* On both sides of where another of the known angles is the nearest. */
    static const float tangents[] = {0x1p-149f, 0.19891237f, 0.41421356f, 0.66817864f, 1};
    for (size_t i = 0; test_row(i, ROWS_OF(tangents)); i++) {
        for (uint32_t j = 0; j < 100; j++) {
            const float more = float_of(bits_of(tangents[i]) + j);
            const float less = float_of(bits_of(tangents[i]) - (i > 0 ? j : 0));
            check_atan2(more, 1);
            check_atan2(less, 1);
            check_atan2(1, less);
            check_atan2(more, -1);
            check_atan2(less, -0x1p-126f);
            check_atan2(more * 0x1p100f, 0x1p100f);
        }
    }
}

TEST(angles_of_zeros_and_infinities_are_those_of_c)
{
    static const float chosen[] = {0,         -0.0f,           1,        -1,
                                   0x1p-149f, 0x1.fffffep127f, INFINITY, -INFINITY};
    for (size_t i = 0; test_row(i, ROWS_OF(chosen)); i++) {
        for (size_t j = 0; j < ROWS_OF(chosen); j++) {
            const float angle = kith_atan2_f32(chosen[i], chosen[j]);
            const double exact = atan2((double)chosen[i], (double)chosen[j]);
            CHECK(exact == 0 ? angle == 0 : error_of(angle, exact) < 0.51);
            CHECK(signbit(angle) == signbit(chosen[i]));
        }
        CHECK_UINT(bits_of(kith_atan2_f32(chosen[i], NAN)), 0x7fc00000);
        CHECK_UINT(bits_of(kith_atan2_f32(-NAN, chosen[i])), 0x7fc00000);
    }
    CHECK_UINT(bits_of(kith_atan2_f32(-0.0f, -0.0f)), bits_of(-KITH_PI));
    CHECK_UINT(bits_of(kith_atan2_f32(0, 0)), 0);
}

/* On each machine, by each compiler. Half of the angles are any floats, half are those of games. */
TEST_WITHIN(20, a_million_results_have_the_same_bits_everywhere)
{
    uint64_t random = 3;
    uint64_t hash = NO_BITS;
    for (int i = 0; i < 250000; i++) {
        const float any = float_of((uint32_t)(random_next(&random) >> 32));
        const float other = float_of((uint32_t)(random_next(&random) >> 32));
        const float angle = i % 2 == 0 ? any : random_within(&random, 10);
        float results[4] = {0, 0, kith_atan2_f32(any, other), kith_atan2_f32(angle, 1)};
        kith_sincos_f32(angle, &results[0], &results[1]);
        add_bits(&hash, results, 4);
    }
    CHECK_UINT(hash, UINT64_C(8187101776263317863));
}

static const long double exact_turn = 6.28318530717958647692528676655900577L;

static void check_turn(float from, float to)
{
    const long double way = (long double)to - (long double)from;
    const long double expected = way - roundl(way / exact_turn) * exact_turn;
    const float turn = kith_turn_f32(from, to);
    const bool half = fabsl(expected) > exact_turn / 2 - 1e-15L; /* either way */
    const double found = (double)(half ? fabsf(turn) : turn);
    const double sought = (double)(half ? fabsl(expected) : expected);
    CHECK(error_of((float)found, sought) < 0.51 || fabs(found - sought) < 1e-15);
    CHECK(turn >= -KITH_PI && turn <= KITH_PI);
}

/* In long double, for which angles must not be too large. Not by remainderl: with emscripten's, the 14th
 * digit is wrong. */
TEST(a_turn_goes_the_shorter_way)
{
    uint64_t random = 3;
    for (int i = 0; i < 50000; i++) {
        const float from = random_within(&random, i % 2 == 0 ? 4 : 300);
        check_turn(from, random_within(&random, 4));
        check_turn(from, random_within(&random, 300));
        check_turn(from, from + random_within(&random, 1e-5f));
        check_turn(from, from);
    }
    for (int eighths = -16; eighths <= 16; eighths++) {
        const float from = (float)(eighths * 0.78539816339744831);
        for (int other = -16; other <= 16; other++) {
            check_turn(from, (float)(other * 0.78539816339744831));
        }
    }
    CHECK_FLOAT(kith_turn_f32(3, -3), (float)(2 * 3.14159265358979323846 - 6));
    CHECK_FLOAT(kith_turn_f32(0.1f, 0.3f), 0.3f - 0.1f);
    CHECK_FLOAT(kith_turn_f32(0, 0x1p-149f), 0x1p-149f);
    CHECK_FLOAT(kith_turn_f32(0, KITH_PI), -3.1415925f); /* KITH_PI is more than half a turn */
}

/* However large they are: it turns what has the one sine to what has the other. */
TEST(a_turn_between_large_angles)
{
    uint64_t random = 4;
    for (int i = 0; i < 50000; i++) {
        const float from = ldexpf(random_within(&random, 1), (int)random_below(&random, 129));
        const float to = ldexpf(random_within(&random, 1), (int)random_below(&random, 129));
        float sine, cosine, to_sine, to_cosine;
        kith_sincos_f32(from, &sine, &cosine);
        kith_sincos_f32(to, &to_sine, &to_cosine);
        const double turn = (double)kith_turn_f32(from, to);
        CHECK(fabs(turn) < 3.1415928);
        const double up = (double)sine * cos(turn) + (double)cosine * sin(turn);
        const double right = (double)cosine * cos(turn) - (double)sine * sin(turn);
        CHECK(fabs(up - (double)to_sine) < 3e-7 && fabs(right - (double)to_cosine) < 3e-7);
    }
    const float not_numbers[] = {NAN, -NAN, INFINITY, -INFINITY};
    for (size_t i = 0; test_row(i, ROWS_OF(not_numbers)); i++) {
        CHECK_UINT(bits_of(kith_turn_f32(not_numbers[i], 1)), 0x7fc00000);
        CHECK_UINT(bits_of(kith_turn_f32(1, not_numbers[i])), 0x7fc00000);
    }
}
