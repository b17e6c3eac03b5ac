/* Vectors and rotations in double. Products of two floats are exact there, so that what is at right
 * angles to two directions is exact to the last bit but one, however near to each other they are. */
#ifndef KI_GAME_ROTATION_H
#define KI_GAME_ROTATION_H

#include <kith/floats.h>

#include <kith/game/rotation.h>
#include <math.h>
#include <stdbool.h>

typedef struct ki_game_vector {
    double x, y, z;
} ki_game_vector;

static inline ki_game_vector ki_game_vector_of(kith_vec3 v)
{
    return (ki_game_vector){v.x, v.y, v.z};
}

static inline bool ki_game_is_finite(kith_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static inline double ki_game_dot(ki_game_vector a, ki_game_vector b)
{
    return kith_mul_f64(a.x, b.x) + kith_mul_f64(a.y, b.y) + kith_mul_f64(a.z, b.z);
}

static inline ki_game_vector ki_game_cross(ki_game_vector a, ki_game_vector b)
{
    return (ki_game_vector){kith_mul_f64(a.y, b.z) - kith_mul_f64(a.z, b.y),
                            kith_mul_f64(a.z, b.x) - kith_mul_f64(a.x, b.z),
                            kith_mul_f64(a.x, b.y) - kith_mul_f64(a.y, b.x)};
}

static inline double ki_game_length(ki_game_vector v)
{
    return sqrt(ki_game_dot(v, v));
}

/* The same direction with length 1; zeros if it has none. */
ki_game_vector ki_game_unit(ki_game_vector v);

/* A direction at right angles to one, of length 1. */
ki_game_vector ki_game_beside(ki_game_vector v);

/* The rotation that takes the x, y and z axis to these, which have length 1 and are at right angles. */
kith_quat ki_game_quat_of_axes(ki_game_vector x, ki_game_vector y, ki_game_vector z);

/* A part from 0 to 1: not-a-number is 0. */
static inline double ki_game_clamp(float part)
{
    return part > 0 ? (part < 1 ? (double)part : 1) : 0;
}

#endif
