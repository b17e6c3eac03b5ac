/* Next doubles and square roots, beside those of the C library. */
#include <kith/floats.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/roots.h"
#include "random.h"
#include "test.h"

/* Any double that is positive and finite, down to the least. */
static double any_number(uint64_t *random)
{
    uint64_t bits =
        (uint64_t)random_below(random, UINT32_MAX) << 32 | random_below(random, UINT32_MAX);
    double number;
    bits = bits >> 1 | 1;
    memcpy(&number, &bits, sizeof number);
    return number < INFINITY ? number : 1;
}

TEST(a_square_root_is_the_nearest_double)
{
    static const double chosen[] = {0,       1,         2,         25,      1e300,   1e-300,
                                    DBL_MIN, 0x1p-1074, 0x1p-1022, 0x1p128, 0x1p-128};
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
        CHECK(ki_square_root(chosen[i]) == sqrt(chosen[i]));
    }
    uint64_t random = 1;
    for (int i = 0; i < 100000; i++) {
        double number = any_number(&random);
        CHECK(ki_square_root(number) == sqrt(number));
        double square = (double)random_below(&random, 1 << 20);
        CHECK(ki_square_root(kith_mul_f64(square, square)) == square);
    }
    CHECK(ki_square_root(INFINITY) == INFINITY);
    /* Almost half-way between 2^512 and the one before. */
    CHECK(ki_square_root(DBL_MAX) == sqrt(DBL_MAX) || ki_square_root(DBL_MAX) == 0x1p512);
}

TEST(the_next_double_is_the_next_one)
{
    static const double chosen[] = {0, 1, DBL_MIN, DBL_MAX, 0x1p-1074, 1e300, INFINITY};
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
        CHECK(ki_next_up(chosen[i]) == nextafter(chosen[i], INFINITY));
        CHECK(ki_next_up(-chosen[i]) == nextafter(-chosen[i], INFINITY));
        CHECK(ki_next_down(chosen[i]) == nextafter(chosen[i], -INFINITY));
        CHECK(ki_next_down(-chosen[i]) == nextafter(-chosen[i], -INFINITY));
    }
    double up = ki_next_up((double)NAN);
    double down = ki_next_down((double)NAN);
    CHECK(up != up && down != down);
    uint64_t random = 2;
    for (int i = 0; i < 10000; i++) {
        double number = any_number(&random);
        CHECK(ki_next_up(number) == nextafter(number, INFINITY));
        CHECK(ki_next_down(number) == nextafter(number, -INFINITY));
    }
}

TEST(a_guess_of_a_root_is_near_it)
{
    uint64_t random = 3;
    for (int i = 0; i < 10000; i++) {
        double number = 1e-9 + (double)random_below(&random, UINT32_MAX) / 1000;
        double second = ki_guess_root(number, 2) / sqrt(number);
        double third = ki_guess_root(number, 3) / cbrt(number);
        CHECK(second > 0.9 && second < 1.1 && third > 0.9 && third < 1.1);
    }
}
