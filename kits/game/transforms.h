/* The arithmetic of transforms, inline for loops over many entities: the bits of the public calls. */
#ifndef KI_GAME_TRANSFORMS_H
#define KI_GAME_TRANSFORMS_H

#include <kith/game/transform.h>

#include "game/angle.h"

static inline float ki_game_scale(float scale)
{
    return scale == 0 ? 1 : scale;
}

/* ---- 2-D -------------------------------------------------------------------------------------- */

static inline kith_vec2 ki_game_direction2(const kith_global2 *global, float x, float y)
{
    return (kith_vec2){kith_mul_f32(global->x_axis.x, x) + kith_mul_f32(global->y_axis.x, y),
                       kith_mul_f32(global->x_axis.y, x) + kith_mul_f32(global->y_axis.y, y)};
}

static inline kith_vec2 ki_game_point2(const kith_global2 *global, float x, float y)
{
    const kith_vec2 way = ki_game_direction2(global, x, y);
    return (kith_vec2){way.x + global->x, way.y + global->y};
}

static inline kith_global2 ki_game_from_local2(const kith_local2 *local)
{
    const float scale_x = ki_game_scale(local->scale_x), scale_y = ki_game_scale(local->scale_y);
    float sine, cosine;
    ki_game_sincos(local->angle, &sine, &cosine);
    return (kith_global2){{cosine * scale_x, sine * scale_x},
                          {0 - kith_mul_f32(sine, scale_y), cosine * scale_y}, /* not -0 */
                          local->x,
                          local->y};
}

static inline kith_global2 ki_game_multiply2(const kith_global2 *outer, const kith_global2 *inner)
{
    const kith_vec2 origin = ki_game_point2(outer, inner->x, inner->y);
    return (kith_global2){ki_game_direction2(outer, inner->x_axis.x, inner->x_axis.y),
                          ki_game_direction2(outer, inner->y_axis.x, inner->y_axis.y), origin.x,
                          origin.y};
}

static inline kith_global2 ki_game_compose2(const kith_global2 *parent, const kith_local2 *local)
{
    const kith_global2 own = ki_game_from_local2(local);
    return ki_game_multiply2(parent, &own);
}

/* ---- 3-D -------------------------------------------------------------------------------------- */

static inline kith_vec3 ki_game_direction3(const kith_global3 *global, float x, float y, float z)
{
    return (kith_vec3){
        kith_mul_f32(global->x_axis.x, x) + kith_mul_f32(global->y_axis.x, y) +
            kith_mul_f32(global->z_axis.x, z),
        kith_mul_f32(global->x_axis.y, x) + kith_mul_f32(global->y_axis.y, y) +
            kith_mul_f32(global->z_axis.y, z),
        kith_mul_f32(global->x_axis.z, x) + kith_mul_f32(global->y_axis.z, y) +
            kith_mul_f32(global->z_axis.z, z),
    };
}

static inline kith_vec3 ki_game_point3(const kith_global3 *global, float x, float y, float z)
{
    const kith_vec3 way = ki_game_direction3(global, x, y, z);
    return (kith_vec3){way.x + global->position.x, way.y + global->position.y,
                       way.z + global->position.z};
}

/* The square of a rotation's length, or 0 if it is to count as none. Within these limits neither the
 * square nor 2 divided by it leaves the range of floats. */
static inline float ki_game_quat_square(const kith_quat *q)
{
    const float square = kith_mul_f32(q->x, q->x) + kith_mul_f32(q->y, q->y) +
                         kith_mul_f32(q->z, q->z) + kith_mul_f32(q->w, q->w);
    return square >= 1e-30f && square <= 1e30f ? square : 0;
}

/* A division by the square of the rotation's length saves a root, and gives the right matrix for any
 * length. */
static inline kith_global3 ki_game_from_local3(const kith_local3 *local)
{
    const float square = ki_game_quat_square(&local->rotation);
    const kith_quat q = square != 0 ? local->rotation : (kith_quat){0, 0, 0, 1};
    const float twice = square != 0 ? 2 / square : 2;
    const float x = q.x * twice, y = q.y * twice, z = q.z * twice;
    const float xx = kith_mul_f32(q.x, x), yy = kith_mul_f32(q.y, y), zz = kith_mul_f32(q.z, z);
    const float xy = kith_mul_f32(q.x, y), xz = kith_mul_f32(q.x, z), yz = kith_mul_f32(q.y, z);
    const float wx = kith_mul_f32(q.w, x), wy = kith_mul_f32(q.w, y), wz = kith_mul_f32(q.w, z);
    const float scale_x = ki_game_scale(local->scale.x);
    const float scale_y = ki_game_scale(local->scale.y);
    const float scale_z = ki_game_scale(local->scale.z);
    return (kith_global3){
        {(1 - (yy + zz)) * scale_x, (xy + wz) * scale_x, (xz - wy) * scale_x},
        {(xy - wz) * scale_y, (1 - (xx + zz)) * scale_y, (yz + wx) * scale_y},
        {(xz + wy) * scale_z, (yz - wx) * scale_z, (1 - (xx + yy)) * scale_z},
        local->position,
    };
}

static inline kith_global3 ki_game_multiply3(const kith_global3 *outer, const kith_global3 *inner)
{
    const kith_vec3 *x = &inner->x_axis, *y = &inner->y_axis, *z = &inner->z_axis;
    const kith_vec3 *origin = &inner->position;
    return (kith_global3){
        ki_game_direction3(outer, x->x, x->y, x->z),
        ki_game_direction3(outer, y->x, y->y, y->z),
        ki_game_direction3(outer, z->x, z->y, z->z),
        ki_game_point3(outer, origin->x, origin->y, origin->z),
    };
}

static inline kith_global3 ki_game_compose3(const kith_global3 *parent, const kith_local3 *local)
{
    const kith_global3 own = ki_game_from_local3(local);
    return ki_game_multiply3(parent, &own);
}

#endif
