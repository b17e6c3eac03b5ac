/* Kith: transforms: where entities are, how they are turned and how large they are, in 2-D and in 3-D,
 * with the same bits on every machine.
 *
 *     KITH_SPAWN(world, KITH_VALUE(Local2, {.x = 10, .y = 5, .angle = KITH_PI / 2}));
 *     ...
 *     kith_global2 ship = kith_transform2_from_local(*KITH_GET(world, entity, Local2));
 *     kith_vec2 muzzle = kith_transform2_point(ship, 0.5f, 0);
 *
 * A part of the game kit: <kith/game.h> includes it, and has the short names (Local2, Global2, Local3,
 * Global3) if KITH_GAME_NAMES is defined. What you write is a Local: numbers that people and tools
 * understand. What you draw with is a Global: the same as a matrix, in the world. The system
 * "transforms" of the kit (KITH_GAME_TRANSFORMS) computes Globals down hierarchies of
 * <kith/hierarchy.h>, in each tick:
 * - An entity with a Local has a Global from then on: the system adds it.
 * - It is the parent's Global composed with the entity's Local, if the parent has a Local too.
 *   Otherwise it is of the Local alone: ancestors further up count through the parent only.
 * - Locals may be written, added and removed, and parents changed, in any way. The system finds what
 *   changed, and computes it and all below it. A Global whose value stays the same is not written,
 *   unless more than a sixteenth of all are computed: then all are.
 * - Only the system writes Globals. What you write to that of an entity with a Local lasts until the
 *   system runs. An entity that loses its Local keeps its Global, which is yours then.
 * The bits are those of kith_transform2_compose and kith_transform3_compose, from the root on.
 *
 * A Local of all zero bytes is usable: it is at the origin, neither turned nor scaled. So a scale of 0
 * means 1, and a rotation of zeros means none. The price: nothing can be scaled to nothing. What shrinks
 * has to end above 0, at FLT_MIN say, or be hidden.
 *
 * The calls without a world take and return values; they need no memory, and any thread may make them.
 * Any bits are safe as a number: not-a-number and infinity give results that are not finite,
 * unless it is told otherwise. Which NaN that is differs between machines, so store none. The calls are
 * not inline: the bits do not depend on how your program is compiled. */
#ifndef KITH_GAME_TRANSFORM_H
#define KITH_GAME_TRANSFORM_H

#include <kith/game/angle.h>
#include <kith/game/rotation.h>
#include <kith/world.h>

/* ---- Values ----------------------------------------------------------------------------------- */

typedef struct kith_vec2 {
    float x, y;
} kith_vec2;

/* ---- Components ------------------------------------------------------------------------------- */

/* Where it is, relative to what it is part of, or else to the world's origin. A point of its own is
 * scaled first, then turned, then moved. */
typedef struct kith_local2 {
    float x, y;
    float angle;            /* in radians, from the x axis towards the y axis */
    float scale_x, scale_y; /* along its own axes. 0: 1. Negative: mirrored */
} kith_local2;
KITH_TYPE_NAMED(kith_local2, "Local2", KITH_FIELD(kith_local2, x), KITH_FIELD(kith_local2, y),
                KITH_FIELD(kith_local2, angle), KITH_FIELD(kith_local2, scale_x),
                KITH_FIELD(kith_local2, scale_y));

/* Where it is in the world: the matrix that takes its own points there. A point p comes to
 * x_axis * p.x + y_axis * p.y + (x, y). In memory it is what shaders call a mat3x2. Zeros are no
 * default: they take all points to (0, 0). */
typedef struct kith_global2 {
    kith_vec2 x_axis, y_axis; /* where its own directions (1, 0) and (0, 1) point */
    float x, y;               /* where its own origin is */
} kith_global2;
KITH_TYPE_NAMED(kith_global2, "Global2", KITH_FIELD(kith_global2, x_axis.x),
                KITH_FIELD(kith_global2, x_axis.y), KITH_FIELD(kith_global2, y_axis.x),
                KITH_FIELD(kith_global2, y_axis.y), KITH_FIELD(kith_global2, x),
                KITH_FIELD(kith_global2, y));

/* As kith_local2, in 3-D. */
typedef struct kith_local3 {
    kith_vec3 position;
    kith_quat rotation;
    kith_vec3 scale; /* along its own axes. 0: 1. Negative: mirrored */
} kith_local3;
KITH_TYPE_NAMED(kith_local3, "Local3", KITH_FIELD(kith_local3, position.x),
                KITH_FIELD(kith_local3, position.y), KITH_FIELD(kith_local3, position.z),
                KITH_FIELD(kith_local3, rotation.x), KITH_FIELD(kith_local3, rotation.y),
                KITH_FIELD(kith_local3, rotation.z), KITH_FIELD(kith_local3, rotation.w),
                KITH_FIELD(kith_local3, scale.x), KITH_FIELD(kith_local3, scale.y),
                KITH_FIELD(kith_local3, scale.z));

/* As kith_global2, in 3-D. In memory it is what shaders call a mat4x3. */
typedef struct kith_global3 {
    kith_vec3 x_axis, y_axis, z_axis; /* where its own axes point */
    kith_vec3 position;               /* where its own origin is */
} kith_global3;
KITH_TYPE_NAMED(kith_global3, "Global3", KITH_FIELD(kith_global3, x_axis.x),
                KITH_FIELD(kith_global3, x_axis.y), KITH_FIELD(kith_global3, x_axis.z),
                KITH_FIELD(kith_global3, y_axis.x), KITH_FIELD(kith_global3, y_axis.y),
                KITH_FIELD(kith_global3, y_axis.z), KITH_FIELD(kith_global3, z_axis.x),
                KITH_FIELD(kith_global3, z_axis.y), KITH_FIELD(kith_global3, z_axis.z),
                KITH_FIELD(kith_global3, position.x), KITH_FIELD(kith_global3, position.y),
                KITH_FIELD(kith_global3, position.z));

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 2-D -------------------------------------------------------------------------------------- */

/* The matrix that scales, turns and moves a point as `local` says. */
KITH_API kith_global2 kith_transform2_from_local(kith_local2 local);

/* What `inner` does first, and then `outer`. */
KITH_API kith_global2 kith_transform2_multiply(kith_global2 outer, kith_global2 inner);

/* The matrix of a part whose parent has the matrix `parent`: the bits of kith_transform2_multiply with
 * the part's own matrix. */
KITH_API kith_global2 kith_transform2_compose(kith_global2 parent, kith_local2 local);

/* Where a point of its own is in the world. */
KITH_API kith_vec2 kith_transform2_point(kith_global2 global, float x, float y);

/* Where a direction of its own points: turned and scaled, not moved. */
KITH_API kith_vec2 kith_transform2_direction(kith_global2 global, float x, float y);

/* Writes what takes the world's points to its own. False, and *inverse stays as it is, if there is no
 * inverse with finite floats: an axis is 0 long, both are on one line, or a number is too large, too
 * small or not finite. `inverse` may be NULL. */
KITH_API bool kith_transform2_invert(kith_global2 global, kith_global2 *inverse);

/* The Local that kith_transform2_from_local makes this matrix of; its numbers are rounded. False if
 * there is none: then *local is the nearest that there is, and finite.
 * - Axes that are not at right angles, within 1e-5 radians, are a shear. The x axis keeps its direction,
 *   and both keep their lengths.
 * - An axis of length 0 gets the scale FLT_MIN, since 0 means 1. A length above FLT_MAX gets that.
 * - A number that is not finite counts as 0.
 * A mirrored matrix gets a negative scale_y. Several Locals may have the same matrix: this gives one of
 * them. */
KITH_API bool kith_transform2_to_local(kith_global2 global, kith_local2 *local);

/* What is between two Locals: `part` is 0 for `from`, 1 for `to`. Below 0 or not-a-number counts as 0,
 * above 1 as 1. It turns the shorter way, at an even speed. For drawing between two ticks. */
KITH_API kith_local2 kith_transform2_interpolate(kith_local2 from, kith_local2 to, float part);

/* ---- 3-D -------------------------------------------------------------------------------------- */

/* Each as the one above with a 2 in its name. */
KITH_API kith_global3 kith_transform3_from_local(kith_local3 local);
KITH_API kith_global3 kith_transform3_multiply(kith_global3 outer, kith_global3 inner);
KITH_API kith_global3 kith_transform3_compose(kith_global3 parent, kith_local3 local);
KITH_API kith_vec3 kith_transform3_point(kith_global3 global, float x, float y, float z);
KITH_API kith_vec3 kith_transform3_direction(kith_global3 global, float x, float y, float z);

/* As kith_transform2_invert. If axes are nearly in one plane, rounding may give them an inverse with
 * large numbers. */
KITH_API bool kith_transform3_invert(kith_global3 global, kith_global3 *inverse);

/* As kith_transform2_to_local and kith_transform2_interpolate. In a shear the y axis stays in the plane
 * of x and y. A mirrored one gets a negative scale along the z axis. */
KITH_API bool kith_transform3_to_local(kith_global3 global, kith_local3 *local);
KITH_API kith_local3 kith_transform3_interpolate(kith_local3 from, kith_local3 to, float part);

/* ---- In hierarchies --------------------------------------------------------------------------- */

/* Gives an entity another parent, as kith_set_parent does, and Locals with which it stays where it is
 * in the world: a turret that is blown off, a box that is picked up. Goes by the Locals of both and of
 * their ancestors, not by Globals, so it may be called at any time. Without a Local only the parent
 * changes. The same parent again changes nothing. `*exact` is true if it stays there, with rounded
 * numbers; false if it stays as near as kith_transform2_to_local can say. `exact` may be NULL.
 *
 * KITH_ERR_INPUT    the new parent has a Global without inverse: see kith_transform2_invert
 * KITH_ERR_DEAD, KITH_ERR_CYCLE, KITH_ERR_MEMORY as for kith_set_parent
 * After an error all is as it was. Misuse while a query is open. */
KITH_API kith_result kith_set_parent_in_place(kith_world *world, kith_entity child,
                                              kith_entity parent, bool *exact);

#ifdef __cplusplus
}
#endif

#endif
