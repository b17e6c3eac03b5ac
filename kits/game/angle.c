/* Sines, cosines, arc tangents, and turns. */
#include <kith/floats.h>

#include <math.h>
#include <string.h>

#include "game/angle.h"

/* 1 / (2 pi), after 32 bits that are 0: as many bits as the largest float needs. */
static const uint32_t turn_bits[] = {0x00000000, 0x28be60db, 0x9391054a, 0x7f09d5f4,
                                     0x7d4d3770, 0x36d8a566, 0x4f10e410, 0x7f9458ea};

/* Bits of 1 / (2 pi) from a place on. */
static uint32_t turn_word(uint32_t place)
{
    const uint64_t both = (uint64_t)turn_bits[place / 32] << 32 | turn_bits[place / 32 + 1];
    return (uint32_t)(both << place % 32 >> 32);
}

/* By Payne and Hanek: of the angle, which is a whole number times a power of two, and 1 / (2 pi), only
 * those bits are multiplied that make parts of a turn. In integers, with 64 bits after the point: that
 * is enough, since no float comes nearer to a quarter than some 2^-32 of a turn. */
ki_game_part ki_game_divide_far(float angle)
{
    uint32_t bits;
    memcpy(&bits, &angle, sizeof bits);
    const uint32_t whole = (bits & 0x7fffff) | 0x800000;
    const uint32_t place = (bits >> 23 & 0xff) - 150 + 32;
    uint64_t turn = (uint64_t)(whole * turn_word(place))
                    << 32; /* whole turns fall off at the top */
    turn += (uint64_t)whole * turn_word(place + 32);
    turn += (uint64_t)whole * turn_word(place + 64) >> 32;
    if ((bits >> 31) != 0) {
        turn = 0 - turn;
    }
    const uint64_t half_quarter = UINT64_C(1) << 61;
    const uint32_t quarters = (uint32_t)((turn + half_quarter) >> 62);
    const uint64_t rest = turn + half_quarter - ((uint64_t)quarters << 62); /* from its lower end */
    const double radians = 0x1.921fb54442d18p-62;                           /* of 2^-64 of a turn */
    return (ki_game_part){kith_mul_f64((double)((int64_t)rest - (int64_t)half_quarter), radians),
                          quarters};
}

void kith_sincos_f32(float angle, float *sine, float *cosine)
{
    float up, right;
    ki_game_sincos(angle, &up, &right);
    if (sine != NULL) {
        *sine = up;
    }
    if (cosine != NULL) {
        *cosine = right;
    }
}

float kith_sin_f32(float angle)
{
    float sine, cosine;
    ki_game_sincos(angle, &sine, &cosine);
    return sine;
}

float kith_cos_f32(float angle)
{
    float sine, cosine;
    ki_game_sincos(angle, &sine, &cosine);
    return cosine;
}

/* The angle whose tangent is low / high, where 0 <= low <= high and 0 < high: the nearest of three
 * angles, and for the rest, whose tangent is below 0.2, Taylor's series. */
static double arc_tangent(double low, double high)
{
    static const struct known_angle {
        double tangent, angle, up_to; /* the tangent half-way to the next one */
    } known[] = {{0, 0, 0.19891236737965801},
                 {0.41421356237309505, 0.39269908169872415, 0.66817863791929892},
                 {1, 0.78539816339744831, 2}};
    uint32_t i = 0;
    while (low > kith_mul_f64(high, known[i].up_to)) {
        i++;
    }
    const double tangent =
        (low - kith_mul_f64(high, known[i].tangent)) / (high + kith_mul_f64(low, known[i].tangent));
    const double square = kith_mul_f64(tangent, tangent);
    double sum = 1.0 / 13;
    for (int divisor = 11; divisor > 0; divisor -= 2) {
        sum = 1.0 / divisor - kith_mul_f64(square, sum);
    }
    return known[i].angle + kith_mul_f64(tangent, sum);
}

double ki_game_atan2(double y, double x)
{
    const double up = fabs(y), right = fabs(x);
    const bool steep = up > right;
    const double low = steep ? right : up, high = steep ? up : right;
    double angle = high > 0 ? arc_tangent(low, high) : 0;
    if (steep) {
        angle = 1.5707963267948966 - angle;
    }
    if (copysign(1, x) < 0) {
        angle = 3.1415926535897931 - angle;
    }
    return copysign(1, y) < 0 ? -angle : angle;
}

float kith_atan2_f32(float y, float x)
{
    if (isnan(y) || isnan(x)) {
        return NAN;
    }
    if (isinf(y) || isinf(x)) {
        y = copysignf(isinf(y) ? 1 : 0, y);
        x = copysignf(isinf(x) ? 1 : 0, x);
    }
    return (float)ki_game_atan2(y, x);
}

/* Whole turns fall off by themselves. Each rest is at most an eighth of a turn, and a little more where
 * a quarter was rounded, which is nothing beside half a turn. */
float kith_turn_f32(float from, float to)
{
    if (!isfinite(from) || !isfinite(to)) {
        return NAN;
    }
    const double quarter = 1.5707963267948966;
    const ki_game_part a = ki_game_divide(from), b = ki_game_divide(to);
    const int32_t quarters = (int32_t)((b.quarters - a.quarters + 1) & 3) - 1; /* -1 to 2 */
    double turn = (b.rest - a.rest) + kith_mul_f64(quarters, quarter);
    if (turn > 2 * quarter) {
        turn = (b.rest - a.rest) + kith_mul_f64(quarters - 4, quarter);
    }
    return (float)turn;
}
