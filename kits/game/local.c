/* Locals of Globals, and Locals in between. Computed in double, and rounded once. */
#include <kith/floats.h>

#include <float.h>

#include "game/rotation.h"
#include "game/transforms.h"

/* Two axes are at right angles if the cosine of the angle between them is not larger: the sum of many
 * roundings, and nothing that can be seen. */
#define RIGHT_ANGLE 1e-5

/* ---- Lengths and directions ------------------------------------------------------------------- */

/* A number that can be told; others count as 0, and then the matrix is not exactly what is told. */
static float take_finite(float number, bool *exact)
{
    *exact = *exact && isfinite(number);
    return isfinite(number) ? number : 0;
}

static ki_game_vector take_axis(kith_vec3 axis, bool *exact)
{
    return (ki_game_vector){take_finite(axis.x, exact), take_finite(axis.y, exact),
                            take_finite(axis.z, exact)};
}

/* A scale of 0 would be 1. No axis with length is shorter than FLT_TRUE_MIN. */
static float scale_of(double length, bool mirrored, bool *exact)
{
    *exact = *exact && length > 0 && length <= (double)FLT_MAX;
    const float scale = length > (double)FLT_MAX ? FLT_MAX : length > 0 ? (float)length : FLT_MIN;
    return mirrored ? -scale : scale;
}

static void check_right_angle(double dot, double length, bool *exact)
{
    *exact = *exact && fabs(dot) <= RIGHT_ANGLE * length;
}

/* ---- 2-D -------------------------------------------------------------------------------------- */

bool kith_transform2_to_local(kith_global2 global, kith_local2 *local)
{
    bool exact = true;
    const ki_game_vector x = {take_finite(global.x_axis.x, &exact),
                              take_finite(global.x_axis.y, &exact), 0};
    const ki_game_vector y = {take_finite(global.y_axis.x, &exact),
                              take_finite(global.y_axis.y, &exact), 0};
    const double along = ki_game_length(x), across = ki_game_length(y);
    check_right_angle(ki_game_dot(x, y), kith_mul_f64(along, across), &exact);
    const double angle = along > 0    ? ki_game_atan2(x.y, x.x)
                         : across > 0 ? ki_game_atan2(0 - y.x, y.y)
                                      : 0;
    *local = (kith_local2){take_finite(global.x, &exact), take_finite(global.y, &exact),
                           (float)angle, scale_of(along, false, &exact),
                           scale_of(across, ki_game_cross(x, y).z < 0, &exact)};
    return exact;
}

/* ---- 3-D -------------------------------------------------------------------------------------- */

/* What of `v` is at right angles to `unit`, with length 1; zeros if that is nothing but rounding. */
static ki_game_vector part_beside(ki_game_vector v, ki_game_vector unit)
{
    const double along = ki_game_dot(v, unit);
    const ki_game_vector rest = {v.x - kith_mul_f64(unit.x, along),
                                 v.y - kith_mul_f64(unit.y, along),
                                 v.z - kith_mul_f64(unit.z, along)};
    return ki_game_length(rest) > 1e-7 * ki_game_length(v) ? ki_game_unit(rest)
                                                           : (ki_game_vector){0, 0, 0};
}

static bool is_none(ki_game_vector v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

/* Where x points; where it is nothing, a direction that goes with the others. */
static ki_game_vector direction_of_x(ki_game_vector x, ki_game_vector y, ki_game_vector z)
{
    if (!is_none(x)) {
        return ki_game_unit(x);
    }
    const ki_game_vector unit_y = ki_game_unit(y), unit_z = ki_game_unit(z);
    const ki_game_vector across = ki_game_unit(ki_game_cross(unit_y, unit_z));
    if (!is_none(across)) {
        return across;
    }
    const ki_game_vector other = !is_none(y) ? unit_y : unit_z;
    return !is_none(other) ? ki_game_beside(other) : (ki_game_vector){1, 0, 0};
}

/* The same for y, at right angles to x. */
static ki_game_vector direction_of_y(ki_game_vector y, ki_game_vector z, ki_game_vector unit_x)
{
    const ki_game_vector beside = part_beside(y, unit_x);
    if (!is_none(beside)) {
        return beside;
    }
    const ki_game_vector across = part_beside(ki_game_cross(ki_game_unit(z), unit_x), unit_x);
    return !is_none(across) ? across : ki_game_beside(unit_x);
}

bool kith_transform3_to_local(kith_global3 global, kith_local3 *local)
{
    bool exact = true;
    const ki_game_vector x = take_axis(global.x_axis, &exact), y = take_axis(global.y_axis, &exact),
                         z = take_axis(global.z_axis, &exact);
    const double a = ki_game_length(x), b = ki_game_length(y), c = ki_game_length(z);
    check_right_angle(ki_game_dot(x, y), kith_mul_f64(a, b), &exact);
    check_right_angle(ki_game_dot(y, z), kith_mul_f64(b, c), &exact);
    check_right_angle(ki_game_dot(z, x), kith_mul_f64(c, a), &exact);
    const ki_game_vector unit_x = direction_of_x(x, y, z);
    const ki_game_vector unit_y = direction_of_y(y, z, unit_x);
    const ki_game_vector unit_z = ki_game_cross(unit_x, unit_y);
    const ki_game_vector position = take_axis(global.position, &exact);
    *local = (kith_local3){
        {(float)position.x, (float)position.y, (float)position.z},
        ki_game_quat_of_axes(unit_x, unit_y, unit_z),
        {scale_of(a, false, &exact), scale_of(b, false, &exact),
         scale_of(c, ki_game_dot(unit_z, z) < 0, &exact)},
    };
    return exact;
}

/* ---- In between ------------------------------------------------------------------------------- */

static float mix(float from, float to, double part)
{
    return (float)(kith_mul_f64(from, 1 - part) + kith_mul_f64(to, part));
}

/* On the way to a mirrored one there is 0, which would be 1. */
static float mix_scales(float from, float to, double part)
{
    const float scale = mix(ki_game_scale(from), ki_game_scale(to), part);
    return scale != 0 ? scale : FLT_MIN;
}

static kith_vec3 mix_vectors(kith_vec3 from, kith_vec3 to, double part)
{
    return (kith_vec3){mix(from.x, to.x, part), mix(from.y, to.y, part), mix(from.z, to.z, part)};
}

kith_local2 kith_transform2_interpolate(kith_local2 from, kith_local2 to, float part)
{
    const double t = ki_game_clamp(part);
    if (t == 0 || t == 1) {
        return t == 0 ? from : to;
    }
    return (kith_local2){
        mix(from.x, to.x, t), mix(from.y, to.y, t),
        (float)(from.angle + kith_mul_f64(kith_turn_f32(from.angle, to.angle), t)),
        mix_scales(from.scale_x, to.scale_x, t), mix_scales(from.scale_y, to.scale_y, t)};
}

kith_local3 kith_transform3_interpolate(kith_local3 from, kith_local3 to, float part)
{
    const double t = ki_game_clamp(part);
    if (t == 0 || t == 1) {
        return t == 0 ? from : to;
    }
    return (kith_local3){mix_vectors(from.position, to.position, t),
                         kith_quat_slerp(from.rotation, to.rotation, part),
                         {mix_scales(from.scale.x, to.scale.x, t),
                          mix_scales(from.scale.y, to.scale.y, t),
                          mix_scales(from.scale.z, to.scale.z, t)}};
}
