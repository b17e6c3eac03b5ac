/* Rotations. All is computed in double and rounded once, at the end. */
#include <kith/floats.h>

#include "game/rotation.h"

#include "game/transforms.h"

static const kith_quat no_rotation = {0, 0, 0, 1};

/* A quaternion in double. */
typedef struct wide_quat {
    double x, y, z, w;
} wide_quat;

static double quat_square(wide_quat q)
{
    return kith_mul_f64(q.x, q.x) + kith_mul_f64(q.y, q.y) + kith_mul_f64(q.z, q.z) +
           kith_mul_f64(q.w, q.w);
}

static wide_quat quat_unit(wide_quat q)
{
    const double length = sqrt(quat_square(q));
    return (wide_quat){q.x / length, q.y / length, q.z / length, q.w / length};
}

/* {0, 0, 0, 1} if it is to count as none. */
static wide_quat quat_of(kith_quat q)
{
    return ki_game_quat_square(&q) != 0 ? (wide_quat){q.x, q.y, q.z, q.w}
                                        : (wide_quat){0, 0, 0, 1};
}

/* Rounds one, of any length but 0. */
static kith_quat quat_end(wide_quat q)
{
    q = quat_unit(q);
    return (kith_quat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
}

static wide_quat quat_product(wide_quat a, wide_quat b)
{
    return (wide_quat){kith_mul_f64(a.w, b.x) + kith_mul_f64(a.x, b.w) + kith_mul_f64(a.y, b.z) -
                           kith_mul_f64(a.z, b.y),
                       kith_mul_f64(a.w, b.y) - kith_mul_f64(a.x, b.z) + kith_mul_f64(a.y, b.w) +
                           kith_mul_f64(a.z, b.x),
                       kith_mul_f64(a.w, b.z) + kith_mul_f64(a.x, b.y) - kith_mul_f64(a.y, b.x) +
                           kith_mul_f64(a.z, b.w),
                       kith_mul_f64(a.w, b.w) - kith_mul_f64(a.x, b.x) - kith_mul_f64(a.y, b.y) -
                           kith_mul_f64(a.z, b.z)};
}

/* ---- Directions ------------------------------------------------------------------------------- */

ki_game_vector ki_game_unit(ki_game_vector v)
{
    const double length = ki_game_length(v);
    return length > 0 ? (ki_game_vector){v.x / length, v.y / length, v.z / length}
                      : (ki_game_vector){0, 0, 0};
}

/* Of the x and the y axis, the one that is further from it is at an angle of at least 45 degrees. */
ki_game_vector ki_game_beside(ki_game_vector v)
{
    const bool x = fabs(v.x) <= fabs(v.y);
    const ki_game_vector axis = {x ? 1 : 0, x ? 0 : 1, 0};
    return ki_game_unit(ki_game_cross(axis, v));
}

/* By the largest of four: a root of what is left of a difference would have lost its digits. */
kith_quat ki_game_quat_of_axes(ki_game_vector x, ki_game_vector y, ki_game_vector z)
{
    const double xx = x.x, yy = y.y, zz = z.z;
    if (xx + yy + zz >= 0) {
        return quat_end((wide_quat){y.z - z.y, z.x - x.z, x.y - y.x, 1 + xx + yy + zz});
    }
    if (xx >= yy && xx >= zz) {
        return quat_end((wide_quat){1 + xx - yy - zz, x.y + y.x, z.x + x.z, y.z - z.y});
    }
    if (yy >= zz) {
        return quat_end((wide_quat){x.y + y.x, 1 + yy - zz - xx, y.z + z.y, z.x - x.z});
    }
    return quat_end((wide_quat){z.x + x.z, y.z + z.y, 1 + zz - xx - yy, x.y - y.x});
}

/* ---- Making them ------------------------------------------------------------------------------ */

/* By an angle about an axis of length 1. */
static wide_quat quat_about(ki_game_vector axis, float angle)
{
    double sine, cosine;
    ki_game_sincos_part(ki_game_divide(angle / 2), &sine, &cosine);
    return (wide_quat){kith_mul_f64(axis.x, sine), kith_mul_f64(axis.y, sine),
                       kith_mul_f64(axis.z, sine), cosine};
}

kith_quat kith_quat_about(float x, float y, float z, float angle)
{
    const kith_vec3 axis = {x, y, z};
    const ki_game_vector unit = ki_game_unit(ki_game_vector_of(axis));
    return ki_game_is_finite(axis) && isfinite(angle) && ki_game_length(unit) > 0
               ? quat_end(quat_about(unit, angle))
               : no_rotation;
}

kith_quat kith_quat_from_angles(kith_vec3 angles)
{
    if (!ki_game_is_finite(angles)) {
        return no_rotation;
    }
    const wide_quat x = quat_about((ki_game_vector){1, 0, 0}, angles.x);
    const wide_quat y = quat_about((ki_game_vector){0, 1, 0}, angles.y);
    const wide_quat z = quat_about((ki_game_vector){0, 0, 1}, angles.z);
    return quat_end(quat_product(z, quat_product(y, x)));
}

kith_quat kith_quat_between(kith_vec3 from, kith_vec3 to)
{
    const ki_game_vector a = ki_game_vector_of(from), b = ki_game_vector_of(to);
    if (!ki_game_is_finite(from) || !ki_game_is_finite(to)) {
        return no_rotation;
    }
    const ki_game_vector across = ki_game_cross(a, b);
    const double sine = ki_game_length(across), cosine = ki_game_dot(a, b);
    const double size = sqrt(kith_mul_f64(sine, sine) + kith_mul_f64(cosine, cosine));
    if (size == 0) {
        return no_rotation;
    }
    if (sine == 0 && cosine < 0) {
        const ki_game_vector axis = ki_game_beside(a);
        return quat_end((wide_quat){axis.x, axis.y, axis.z, 0});
    }
    /* The axis has the length sine, and is to have the sine of half the angle if w has its cosine. */
    if (cosine >= 0) {
        return quat_end((wide_quat){across.x, across.y, across.z, size + cosine});
    }
    const double scale = (size - cosine) / sine;
    return quat_end((wide_quat){kith_mul_f64(across.x, scale), kith_mul_f64(across.y, scale),
                                kith_mul_f64(across.z, scale), sine});
}

kith_quat kith_quat_look(kith_vec3 ahead, kith_vec3 up)
{
    const ki_game_vector z = ki_game_vector_of(ahead);
    if (!ki_game_is_finite(ahead) || ki_game_length(z) == 0) {
        return no_rotation;
    }
    ki_game_vector x = {0, 0, 0};
    if (ki_game_is_finite(up)) {
        x = ki_game_unit(ki_game_cross(ki_game_vector_of(up), z));
    }
    if (ki_game_length(x) == 0) {
        x = ki_game_beside(z);
    }
    const ki_game_vector unit = ki_game_unit(z);
    return ki_game_quat_of_axes(x, ki_game_cross(unit, x), unit);
}

/* ---- Putting them together -------------------------------------------------------------------- */

kith_quat kith_quat_multiply(kith_quat outer, kith_quat inner)
{
    return quat_end(quat_product(quat_of(outer), quat_of(inner)));
}

kith_quat kith_quat_invert(kith_quat rotation)
{
    const wide_quat q = quat_of(rotation);
    return quat_end((wide_quat){0 - q.x, 0 - q.y, 0 - q.z, q.w}); /* 0 minus 0 is not -0 */
}

kith_quat kith_quat_normalize(kith_quat rotation)
{
    return quat_end(quat_of(rotation));
}

/* Of two that are the same rotation, the one that is nearer to `to`. */
static wide_quat quat_nearer(wide_quat q, wide_quat to)
{
    const double dot = kith_mul_f64(q.x, to.x) + kith_mul_f64(q.y, to.y) +
                       kith_mul_f64(q.z, to.z) + kith_mul_f64(q.w, to.w);
    return dot < 0 ? (wide_quat){-q.x, -q.y, -q.z, -q.w} : q;
}

static wide_quat quat_sum(wide_quat a, double a_weight, wide_quat b, double b_weight)
{
    return (wide_quat){kith_mul_f64(a.x, a_weight) + kith_mul_f64(b.x, b_weight),
                       kith_mul_f64(a.y, a_weight) + kith_mul_f64(b.y, b_weight),
                       kith_mul_f64(a.z, a_weight) + kith_mul_f64(b.z, b_weight),
                       kith_mul_f64(a.w, a_weight) + kith_mul_f64(b.w, b_weight)};
}

static double sine_of(double angle)
{
    double sine, cosine;
    ki_game_sincos_part(ki_game_divide_near(angle), &sine, &cosine);
    return sine;
}

/* The angle comes from both diagonals of a rhombus, which is exact for small ones too. */
kith_quat kith_quat_slerp(kith_quat from, kith_quat to, float part)
{
    const wide_quat a = quat_unit(quat_of(from)), b = quat_nearer(quat_unit(quat_of(to)), a);
    const double across = sqrt(quat_square(quat_sum(b, 1, a, -1)));
    const double along = sqrt(quat_square(quat_sum(b, 1, a, 1)));
    const double angle = 2 * ki_game_atan2(across, along), t = ki_game_clamp(part);
    return across == 0 ? quat_end(a)
                       : quat_end(quat_sum(a, sine_of(kith_mul_f64(1 - t, angle)), b,
                                           sine_of(kith_mul_f64(t, angle))));
}

kith_quat kith_quat_nlerp(kith_quat from, kith_quat to, float part)
{
    const wide_quat a = quat_unit(quat_of(from)), b = quat_nearer(quat_unit(quat_of(to)), a);
    const double t = ki_game_clamp(part);
    return quat_end(quat_sum(a, 1 - t, b, t));
}

/* ---- What they do ----------------------------------------------------------------------------- */

kith_vec3 kith_quat_rotate(kith_quat rotation, float x, float y, float z)
{
    const kith_local3 local = {.rotation = rotation};
    const kith_global3 global = ki_game_from_local3(&local);
    return ki_game_direction3(&global, x, y, z);
}

float kith_quat_angle(kith_quat rotation, kith_vec3 *axis)
{
    wide_quat q = quat_unit(quat_of(rotation));
    q = q.w < 0 ? (wide_quat){-q.x, -q.y, -q.z, -q.w} : q;
    const ki_game_vector turned = {q.x, q.y, q.z};
    const double sine = ki_game_length(turned);
    if (axis != NULL) {
        const ki_game_vector unit =
            sine > 0 ? ki_game_unit(turned) : (ki_game_vector){0, 0, 1};
        *axis = (kith_vec3){(float)unit.x, (float)unit.y, (float)unit.z};
    }
    return (float)(2 * ki_game_atan2(sine, q.w));
}

/* What is left of the cosine of a quarter turn, if it was rounded. */
#define QUARTER_COSINE 1e-7

kith_vec3 kith_quat_to_angles(kith_quat rotation)
{
    const wide_quat q = quat_unit(quat_of(rotation));
    const double xx = kith_mul_f64(q.x, q.x), yy = kith_mul_f64(q.y, q.y);
    const double zz = kith_mul_f64(q.z, q.z), ww = kith_mul_f64(q.w, q.w);
    const double xy = kith_mul_f64(q.x, q.y), zw = kith_mul_f64(q.z, q.w);
    const double xz = kith_mul_f64(q.x, q.z), yw = kith_mul_f64(q.y, q.w);
    const double yz = kith_mul_f64(q.y, q.z), xw = kith_mul_f64(q.x, q.w);
    /* Where the x axis points: how much of it is along x and along y. */
    const double along = ww + xx - yy - zz, across = 2 * (xy + zw);
    const double cosine = sqrt(kith_mul_f64(along, along) + kith_mul_f64(across, across));
    const float y = (float)ki_game_atan2(2 * (yw - xz), cosine);
    if (cosine < QUARTER_COSINE) {
        return (kith_vec3){0, y, (float)ki_game_atan2(2 * (zw - xy), ww - xx + yy - zz)};
    }
    return (kith_vec3){(float)ki_game_atan2(2 * (yz + xw), ww - xx - yy + zz), y,
                       (float)ki_game_atan2(across, along)};
}
