/* Kith: rotations in 3-D, with the same bits on every machine.
 *
 *     kith_quat aimed = kith_quat_look((kith_vec3){1, 0, 4}, (kith_vec3){0, 1, 0});
 *     turret->rotation = kith_quat_slerp(turret->rotation, aimed, 0.1f);
 *
 * A part of the game kit, without worlds: <kith/game/transform.h> includes it. Angles are in radians.
 * All rotations that are returned have length 1 and finite parts. The error of each part is below 0.52
 * units in the last place of the largest. Any bits are safe as a number. Any thread. The calls are not
 * inline: the bits do not depend on how your program is compiled. */
#ifndef KITH_GAME_ROTATION_H
#define KITH_GAME_ROTATION_H

#include <kith/base.h>

typedef struct kith_vec3 {
    float x, y, z;
} kith_vec3;

/* A rotation in 3-D, as a unit quaternion: x, y, z is the axis times the sine of half the angle, w the
 * cosine. Of another length than 1 it is the same rotation. Of a length below 1e-15 or above 1e15, or
 * with a part that is not finite, it is none: {0, 0, 0, 0} turns nothing, as {0, 0, 0, 1} does. A
 * quaternion and its negative are the same rotation too. */
typedef struct kith_quat {
    float x, y, z, w;
} kith_quat;

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Making them ------------------------------------------------------------------------------ */

/* The rotation by an angle about an axis, which may have any length. About the z axis it turns from the
 * x axis towards the y axis. An axis of zeros, or a number that is not finite, gives no rotation. */
KITH_API kith_quat kith_quat_about(float x, float y, float z, float angle);

/* About the x axis by the angle x, then about the y axis, then about the z axis, where the axes stay as
 * they are. Or the other way around, about the axes of what is turned: by z, then y, then x. A number
 * that is not finite gives no rotation. */
KITH_API kith_quat kith_quat_from_angles(kith_vec3 angles);

/* The shortest rotation from one direction to another, which may have any length. Of opposite ones, a
 * half turn about some axis at right angles. A direction of zeros, or a number that is not finite, gives
 * no rotation. */
KITH_API kith_quat kith_quat_between(kith_vec3 from, kith_vec3 to);

/* The rotation that has the z axis point ahead, and the y axis up, or as near to it as can be. If `up`
 * is on the line of `ahead`, is zeros or is not finite, it is some direction at right angles. An
 * `ahead` of zeros, or with a number that is not finite, gives no rotation. */
KITH_API kith_quat kith_quat_look(kith_vec3 ahead, kith_vec3 up);

/* ---- Putting them together -------------------------------------------------------------------- */

/* What `inner` does first, and then `outer`. */
KITH_API kith_quat kith_quat_multiply(kith_quat outer, kith_quat inner);

/* What undoes a rotation. */
KITH_API kith_quat kith_quat_invert(kith_quat rotation);

/* The same rotation with length 1. No call of this kit needs that, but other libraries may. */
KITH_API kith_quat kith_quat_normalize(kith_quat rotation);

/* A rotation on the shortest way from one to another: `part` is 0 for `from`, 1 for `to`. Below 0 or
 * not-a-number counts as 0, above 1 as 1. The first turns at an even speed. The second is quicker to
 * compute and goes the same way, a little slower near its ends. */
KITH_API kith_quat kith_quat_slerp(kith_quat from, kith_quat to, float part);
KITH_API kith_quat kith_quat_nlerp(kith_quat from, kith_quat to, float part);

/* ---- What they do ----------------------------------------------------------------------------- */

/* Where a point or a direction comes to: the bits of kith_transform3_direction with the rotation's
 * matrix. The result is as long as (x, y, z), up to rounding; it is not finite if a number is not. */
KITH_API kith_vec3 kith_quat_rotate(kith_quat rotation, float x, float y, float z);

/* By how much it turns, from 0 to KITH_PI. Writes the axis that it turns about, of length 1; the z axis
 * if it turns nothing. `axis` may be NULL. */
KITH_API float kith_quat_angle(kith_quat rotation, kith_vec3 *axis);

/* Angles that kith_quat_from_angles makes this rotation of: x and z from -KITH_PI to KITH_PI, y from
 * -KITH_PI / 2 to KITH_PI / 2. Where y is a quarter turn, only the sum or the difference of the others
 * counts, and x is 0. */
KITH_API kith_vec3 kith_quat_to_angles(kith_quat rotation);

#ifdef __cplusplus
}
#endif

#endif
