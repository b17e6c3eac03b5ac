/* Transforms of single entities, and their inverses. An inverse is computed in double, where
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
