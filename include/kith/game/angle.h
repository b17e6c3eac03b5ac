/* Kith: sines, cosines and the angles of directions, with the same bits on every machine. Those of
 * <math.h> differ in the last digit from one C library to the next, so that a world which stores what
 * they return is not the same everywhere.
 *
 * A part of the game kit, without worlds: <kith/game.h> includes it. Angles are in radians. Where x
 * grows to the right and y downwards, as in this kit, they grow clockwise; where y grows upwards,
 * counterclockwise.
 *
 * Each result is the nearest float, or one of the two that the exact result is almost half-way
 * between: its error is below 0.51 units in the last place, for all finite numbers. Not-a-number
 * gives NAN, always with the same bits. Any thread. */
#ifndef KITH_GAME_ANGLE_H
#define KITH_GAME_ANGLE_H

#include <kith/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Half a turn: the nearest float, which is a little more than pi. */
#define KITH_PI 3.14159265f

/* Both of them, quicker than one by one. Either pointer may be NULL. Infinity gives NAN. */
KITH_API void kith_sincos_f32(float angle, float *sine, float *cosine);

/* Infinity gives NAN. The sine of -0 is -0. */
KITH_API float kith_sin_f32(float angle);
KITH_API float kith_cos_f32(float angle);

/* The angle of the direction to (x, y), from -KITH_PI to KITH_PI: its cosine goes with x, its sine
 * with y. Zeros and infinities as in C: (0, 0) has the angle 0, with the sign of y; where x is
 * negative or -0, half a turn. */
KITH_API float kith_atan2_f32(float y, float x);

/* How far to turn from one angle to another, the shorter way: from -KITH_PI to KITH_PI. Half a turn is
 * either. Infinity gives NAN. Angles may be any number of turns apart. Where nearly nothing is left of
 * them, the error may be larger than that of the others, but not than 1e-15. */
KITH_API float kith_turn_f32(float from, float to);

#ifdef __cplusplus
}
#endif

#endif
