/* Transforms of single entities, their inverses, and rotations. An inverse is computed in double, where
 * products of two floats are exact: small differences of large products decide it. */
#include <kith/floats.h>

#include <float.h>
#include <math.h>

#include "game/transforms.h"

/* Whether each of these is a float that is finite, as nothing is that was divided by 0. */
static bool all_fit(const double *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        if (!(fabs(numbers[i]) <= (double)FLT_MAX)) {
            return false;
        }
    }
    return true;
}

/* ---- 2-D -------------------------------------------------------------------------------------- */

kith_global2 kith_transform2_from_local(kith_local2 local)
{
    return ki_game_from_local2(&local);
}

kith_global2 kith_transform2_multiply(kith_global2 outer, kith_global2 inner)
{
    return ki_game_multiply2(&outer, &inner);
}

kith_global2 kith_transform2_compose(kith_global2 parent, kith_local2 local)
{
    return ki_game_compose2(&parent, &local);
}

kith_vec2 kith_transform2_point(kith_global2 global, float x, float y)
{
    return ki_game_point2(&global, x, y);
}

kith_vec2 kith_transform2_direction(kith_global2 global, float x, float y)
{
    return ki_game_direction2(&global, x, y);
}

bool kith_transform2_invert(kith_global2 global, kith_global2 *inverse)
{
    const double a = global.x_axis.x, b = global.x_axis.y;
    const double c = global.y_axis.x, d = global.y_axis.y;
    const double area = kith_mul_f64(a, d) - kith_mul_f64(b, c);
    double n[6] = {d / area, 0 - b / area, 0 - c / area, a / area, 0, 0}; /* 0 minus 0 is not -0 */
    n[4] = 0 - (kith_mul_f64(n[0], global.x) + kith_mul_f64(n[2], global.y));
    n[5] = 0 - (kith_mul_f64(n[1], global.x) + kith_mul_f64(n[3], global.y));
    if (!all_fit(n, 6)) {
        return false;
    }
    if (inverse != NULL) {
        *inverse = (kith_global2){
            {(float)n[0], (float)n[1]}, {(float)n[2], (float)n[3]}, (float)n[4], (float)n[5]};
    }
    return true;
}

/* ---- 3-D -------------------------------------------------------------------------------------- */

kith_global3 kith_transform3_from_local(kith_local3 local)
{
    return ki_game_from_local3(&local);
}

kith_global3 kith_transform3_multiply(kith_global3 outer, kith_global3 inner)
{
    return ki_game_multiply3(&outer, &inner);
}

kith_global3 kith_transform3_compose(kith_global3 parent, kith_local3 local)
{
    return ki_game_compose3(&parent, &local);
}

kith_vec3 kith_transform3_point(kith_global3 global, float x, float y, float z)
{
    return ki_game_point3(&global, x, y, z);
}

kith_vec3 kith_transform3_direction(kith_global3 global, float x, float y, float z)
{
    return ki_game_direction3(&global, x, y, z);
}

/* A row of an inverse, before it is divided: at right angles to two axes. */
static void cross_product(const kith_vec3 *a, const kith_vec3 *b, double row[3])
{
    row[0] = kith_mul_f64(a->y, b->z) - kith_mul_f64(a->z, b->y);
    row[1] = kith_mul_f64(a->z, b->x) - kith_mul_f64(a->x, b->z);
    row[2] = kith_mul_f64(a->x, b->y) - kith_mul_f64(a->y, b->x);
}

static double dot_product(const double row[3], const kith_vec3 *v)
{
    return kith_mul_f64(row[0], v->x) + kith_mul_f64(row[1], v->y) + kith_mul_f64(row[2], v->z);
}

bool kith_transform3_invert(kith_global3 global, kith_global3 *inverse)
{
    double n[12]; /* three rows, and where the origin comes to */
    cross_product(&global.y_axis, &global.z_axis, &n[0]);
    cross_product(&global.z_axis, &global.x_axis, &n[3]);
    cross_product(&global.x_axis, &global.y_axis, &n[6]);
    const double volume = dot_product(&n[0], &global.x_axis);
    for (size_t i = 0; i < 9; i++) {
        n[i] = 0 + n[i] / volume; /* 0 plus -0 is 0 */
    }
    for (size_t i = 0; i < 3; i++) {
        n[9 + i] = 0 - dot_product(&n[3 * i], &global.position);
    }
    if (!all_fit(n, 12)) {
        return false;
    }
    if (inverse != NULL) {
        *inverse = (kith_global3){{(float)n[0], (float)n[3], (float)n[6]},
                                  {(float)n[1], (float)n[4], (float)n[7]},
                                  {(float)n[2], (float)n[5], (float)n[8]},
                                  {(float)n[9], (float)n[10], (float)n[11]}};
    }
    return true;
}

/* ---- Rotations -------------------------------------------------------------------------------- */

static const kith_quat no_rotation = {0, 0, 0, 1};

static kith_quat usable_rotation(kith_quat q)
{
    return ki_game_quat_square(&q) != 0 ? q : no_rotation;
}

static double square_length(double x, double y, double z, double w)
{
    return kith_mul_f64(x, x) + kith_mul_f64(y, y) + kith_mul_f64(z, z) + kith_mul_f64(w, w);
}

kith_quat kith_quat_about(float x, float y, float z, float angle)
{
    const double length = sqrt(square_length(x, y, z, 0));
    if (!(length > 0 && length <= DBL_MAX) || !isfinite(angle)) {
        return no_rotation;
    }
    float sine, cosine;
    ki_game_sincos(angle / 2, &sine, &cosine);
    return (kith_quat){(float)(x / length * sine), (float)(y / length * sine),
                       (float)(z / length * sine), cosine};
}

kith_quat kith_quat_multiply(kith_quat outer, kith_quat inner)
{
    const kith_quat a = usable_rotation(outer), b = usable_rotation(inner);
    const double x = kith_mul_f64(a.w, b.x) + kith_mul_f64(a.x, b.w) + kith_mul_f64(a.y, b.z) -
                     kith_mul_f64(a.z, b.y);
    const double y = kith_mul_f64(a.w, b.y) - kith_mul_f64(a.x, b.z) + kith_mul_f64(a.y, b.w) +
                     kith_mul_f64(a.z, b.x);
    const double z = kith_mul_f64(a.w, b.z) + kith_mul_f64(a.x, b.y) - kith_mul_f64(a.y, b.x) +
                     kith_mul_f64(a.z, b.w);
    const double w = kith_mul_f64(a.w, b.w) - kith_mul_f64(a.x, b.x) - kith_mul_f64(a.y, b.y) -
                     kith_mul_f64(a.z, b.z);
    const double length = sqrt(square_length(x, y, z, w));
    return (kith_quat){(float)(x / length), (float)(y / length), (float)(z / length),
                       (float)(w / length)};
}

kith_quat kith_quat_normalize(kith_quat rotation)
{
    const kith_quat q = usable_rotation(rotation);
    const double length = sqrt(square_length(q.x, q.y, q.z, q.w));
    return (kith_quat){(float)(q.x / length), (float)(q.y / length), (float)(q.z / length),
                       (float)(q.w / length)};
}
