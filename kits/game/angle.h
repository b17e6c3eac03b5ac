/* Sines and cosines, inline for loops over many entities.
 *
 * All is computed in double, whose additions, multiplications and conversions round the same way on
 * every machine, as those of float do. Its 29 more bits take up all rounding errors: what is rounded to
 * float at the end is off by less than 0.01 units of a float's last place. */
#ifndef KI_GAME_ANGLE_H
#define KI_GAME_ANGLE_H

#include <kith/floats.h>

#include <kith/game/angle.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* From here on, angles are too large for ki_game_sincos itself: its product of `high` and a number of
 * quarters would not be exact. */
#define KI_GAME_FAR_ANGLE 0x1p20f

/* What is left of an angle without whole quarters of a turn: from -pi/4 to pi/4, and a little more where
 * a quarter was rounded. Only the two lowest bits of `quarters` count. */
typedef struct ki_game_part {
    double rest;
    uint32_t quarters;
} ki_game_part;

/* Of angles from KI_GAME_FAR_ANGLE on. */
ki_game_part ki_game_divide_far(float angle);

/* Of nearer ones: by Cody and Waite. Quarter turns are taken away in two parts. The high part has 33
 * bits, so that its product with a number below 2^20 is exact, and so is the difference. */
static inline ki_game_part ki_game_divide_near(double angle)
{
    const double high = 0x1.921fb544p0, low = 0x1.0b4611a626331p-34; /* pi / 2 */
    const double shift =
        0x1.8p52; /* added, it leaves a whole number in the low bits, the nearest */
    const double shifted = kith_mul_f64(angle, 0.63661977236758134) + shift; /* 2 / pi */
    const double count = shifted - shift;
    uint64_t quarters;
    memcpy(&quarters, &shifted, sizeof quarters);
    return (ki_game_part){(angle - kith_mul_f64(count, high)) - kith_mul_f64(count, low),
                          (uint32_t)quarters};
}

/* Taylor's series: between -pi/4 and pi/4, what is left out is below 2^-32 of the result. */
static inline double ki_game_series_sin(double rest, double square)
{
    double sum = 1.0 / 362880 - kith_mul_f64(square, 1.0 / 39916800);
    sum = -1.0 / 5040 + kith_mul_f64(square, sum);
    sum = 1.0 / 120 + kith_mul_f64(square, sum);
    sum = -1.0 / 6 + kith_mul_f64(square, sum);
    return rest * (1 + kith_mul_f64(square, sum)); /* a product last, which keeps the sign of 0 */
}

static inline double ki_game_series_cos(double square)
{
    double sum = 1.0 / 40320 - kith_mul_f64(square, 1.0 / 3628800);
    sum = -1.0 / 720 + kith_mul_f64(square, sum);
    sum = 1.0 / 24 + kith_mul_f64(square, sum);
    sum = -1.0 / 2 + kith_mul_f64(square, sum);
    return 1 + kith_mul_f64(square, sum);
}

/* The sine and cosine of an angle that is some quarters of a turn further. They change places and signs
 * by their bits: a branch on the quarter could not be predicted. */
static inline void ki_game_add_quarters(float *sine, float *cosine, uint32_t quarters)
{
    uint32_t up, right;
    memcpy(&up, sine, sizeof up);
    memcpy(&right, cosine, sizeof right);
    const uint32_t swap = (up ^ right) & (0 - (quarters & 1));
    up ^= swap ^ (quarters & 2) << 30;
    right ^= swap ^ ((quarters + 1) & 2) << 30;
    memcpy(sine, &up, sizeof up);
    memcpy(cosine, &right, sizeof right);
}

/* Of any that is finite. */
static inline ki_game_part ki_game_divide(float angle)
{
    return fabsf(angle) < KI_GAME_FAR_ANGLE ? ki_game_divide_near(angle)
                                            : ki_game_divide_far(angle);
}

/* The sine and cosine in double: off by less than 2^-32 of each. */
static inline void ki_game_sincos_part(ki_game_part part, double *sine, double *cosine)
{
    const double square = kith_mul_f64(part.rest, part.rest);
    const double up = ki_game_series_sin(part.rest, square), right = ki_game_series_cos(square);
    *sine = (part.quarters & 1) != 0 ? right : up;
    *cosine = (part.quarters & 1) != 0 ? up : right;
    *sine = (part.quarters & 2) != 0 ? -*sine : *sine;
    *cosine = ((part.quarters + 1) & 2) != 0 ? -*cosine : *cosine;
}

/* The angle of the direction to (x, y), of finite numbers, from -pi to pi. */
double ki_game_atan2(double y, double x);

/* kith_sincos_f32, with pointers that are not NULL. */
static inline void ki_game_sincos(float angle, float *sine, float *cosine)
{
    ki_game_part part;
    if (fabsf(angle) < KI_GAME_FAR_ANGLE) {
        part = ki_game_divide_near(angle);
    } else if (isfinite(angle)) {
        part = ki_game_divide_far(angle);
    } else {
        *sine = *cosine = NAN; /* computed, it would have another sign on other processors */
        return;
    }
    const double square = kith_mul_f64(part.rest, part.rest);
    *sine = (float)ki_game_series_sin(part.rest, square);
    *cosine = (float)ki_game_series_cos(square);
    ki_game_add_quarters(sine, cosine, part.quarters);
}

#endif
