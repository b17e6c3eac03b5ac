/* Kith: finding entities by where they are.
 *
 *     kith_index *places;
 *     kith_index_def def = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)};
 *     kith_index_new(world, &def, &places);
 *     ...
 *     kith_near found[8];
 *     uint32_t count;
 *     kith_near_def foes_near_by = {.within = 30, .query = foes};
 *     kith_nearest(places, KITH_POINT(x, y), 8, &foes_near_by, found, &count);
 *
 * The fields are floats or doubles, all of one kind:
 *
 *     KITH_FIELDS(Position, x, y)                      points in 2-D
 *     KITH_FIELDS(Position, x, y, z)                   points in 3-D
 *     KITH_FIELDS(Bounds, left, top, right, bottom)    boxes in 2-D: the low corner, the high corner
 *     KITH_FIELDS(Box, x, y, z, x_end, y_end, z_end)   boxes in 3-D, the same
 *
 * Worlds may be of any size, and entities anywhere in them; nothing has to be told. Crowds, things
 * far away and boxes of all sizes cost little more than those that are spread evenly; but if all are
 * in one place, or equally far away, kith_nearest may look at each. Nobody finds an entity with a
 * coordinate that is NaN or infinite, or a box whose high corner is below its low corner.
 *
 * Coordinates are in units of the program's own, and so are distances; all arithmetic is in
 * double. Distances are compared by their squares: below 1e-162 all count as 0, and what is 1e154
 * or more away is not found by its distance. The distance of a box is that of its nearest point, 0
 * inside.
 *
 * Each call brings the index up to date first, see kith_index_find: pointers from kith_get_mut
 * into the component's values die. Answers do not depend on when the index was made.
 *
 * Queries find the index, too: one of points by KITH_IF_WITHIN and by ranges of its fields, one of boxes
 * by comparisons of their corners (left <= 40, right >= 10, ...). */
#ifndef KITH_SPATIAL_H
#define KITH_SPATIAL_H

#include <kith/index.h>
#include <kith/query.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A place; in 2-D z does not count. */
typedef struct kith_point {
    double x, y, z;
} kith_point;

/* KITH_POINT(3, 4), KITH_POINT(3, 4, 5) */
#define KITH_POINT(...) KITH_POINT_OF_(__VA_ARGS__, 0, ~)
#ifdef __cplusplus
#define KITH_POINT_OF_(x, y, z, ...) (kith_point{x, y, z})
#else
#define KITH_POINT_OF_(x, y, z, ...) ((kith_point){x, y, z})
#endif

/* Finds the entities in a box, from its low corner to its high corner: points that are in it, and
 * boxes that overlap with it or touch it. They come in the order of their slots
 * (kith_entity.index1). `query` leaves out those that do not match; NULL: none.
 *
 * Corners may be infinite. NaN, and a high corner below the low one, find nothing.
 * KITH_ERR_MEMORY: nothing was found; a later call does what is left. */
KITH_API kith_result kith_within_box(kith_index *index, kith_point low, kith_point high,
                                     kith_query *query, kith_index_found *found);

/* Finds the entities at most `radius` away from a point, in the order of their slots. A center
 * that is not finite, and a radius that is negative or NaN, find nothing. KITH_ERR_MEMORY as
 * above. */
KITH_API kith_result kith_within_radius(kith_index *index, kith_point center, double radius,
                                        kith_query *query, kith_index_found *found);

/* An entity, and how far away it is. */
typedef struct kith_near {
    kith_entity entity;
    double distance;
} kith_near;

/* What kith_nearest looks for. All zero: all. */
typedef struct kith_near_def {
    double within;     /* at most so far away; 0: at any distance */
    kith_query *query; /* leaves out those that do not match; NULL: none */
} kith_near_def;

/* Finds the `most` entities nearest to a point, and writes them to `results`, which has room for
 * as many. They come in the order of the squares of their distances, those with the same square in
 * the order of their slots. (Squares that differ in the last bits may have the same root: two with
 * the same `distance` may come in either order, the same one each time.) `*count` says how many
 * there are. `def` may be NULL. A point that is not finite, and a negative limit, find nothing.
 * KITH_ERR_MEMORY: nothing was found; a later call does what is left. */
KITH_API kith_result kith_nearest(kith_index *index, kith_point point, uint32_t most,
                                  const kith_near_def *def, kith_near *results, uint32_t *count);

/* What kith_along looks for. All zero: all that the line goes through. */
typedef struct kith_along_def {
    double radius;     /* points have it; boxes are so much longer on each side */
    kith_query *query; /* leaves out those that do not match; NULL: none */
} kith_along_def;

/* Finds the first `most` entities that are met on the way from one point straight to another, and
 * writes them to `results`, which has room for as many: 1 finds what is hit first. They come in the
 * order in which they are met; those that are met at the same part of the way, in the order of their
 * slots. `distance` is computed from that part: the distance from the start, 0 for what it starts in.
 * `*count` says how many there are.
 *
 * What is farther away than the last one found is not looked at: the first hit on a long way costs
 * no more than on a short one.
 *
 * Points without a radius are met only if the line goes exactly through them. `def` may be NULL.
 * Ends that are not finite or 1e154 or more apart, and a negative radius, find nothing.
 * KITH_ERR_MEMORY: nothing was found; a later call does what is left. */
KITH_API kith_result kith_along(kith_index *index, kith_point from, kith_point to, uint32_t most,
                                const kith_along_def *def, kith_near *results, uint32_t *count);

/* Two entities; the slot of the first is the lower one. */
typedef struct kith_pair {
    kith_entity first, second;
} kith_pair;

typedef struct kith_pairs_found {
    const kith_pair *pairs; /* good until the index is asked again, or freed */
    uint32_t count;
} kith_pairs_found;

/* Finds all pairs of entities that are at most `distance` apart, each pair once: 0 finds boxes that
 * overlap or touch, and points in the same place. They come in the order of the first ones' slots,
 * and then of the second ones'. `query` leaves out entities that do not match; NULL: none. A
 * distance that is negative or NaN finds nothing.
 *
 * KITH_ERR_MEMORY: nothing was found; a later call does what is left. KITH_ERR_LIMIT: there are more
 * than 2^29 pairs. */
KITH_API kith_result kith_pairs(kith_index *index, double distance, kith_query *query,
                                kith_pairs_found *found);

#ifdef __cplusplus
}
#endif
#endif
