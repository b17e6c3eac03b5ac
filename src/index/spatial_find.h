/* The questions that a spatial tree answers. */
#ifndef KI_INDEX_SPATIAL_FIND_H
#define KI_INDEX_SPATIAL_FIND_H

#include "index/spatial_results.h"
#include "index/spatial_search.h"

/* Distances are compared by their squares, in double: below 1e-162 all are the same, and what is
 * 1e154 or more away is found by no search for distances. */

/* Leaves out the entities for which `accepts` is false. NULL: none. */
typedef struct ki_spatial_filter {
    bool (*accepts)(void *context, kith_entity entity);
    void *context;
} ki_spatial_filter;

static inline bool ki_spatial_accepts(const ki_spatial_filter *filter, kith_entity entity)
{
    return filter->accepts == NULL || filter->accepts(filter->context, entity);
}

/* A box, and a box of floats that has the same floats in it. */
typedef struct ki_spatial_area {
    ki_spatial_key box;
    float narrow_low[3], narrow_high[3];
} ki_spatial_area;

ki_spatial_area ki_spatial_area_of(const ki_spatial_key *box);

/* 1 if an entry overlaps with the area, else 0. */
static inline unsigned ki_spatial_overlaps(const unsigned char *entry, const ki_spatial_area *area,
                                           uint32_t dims, bool boxes, bool wide)
{
    unsigned overlap = 1;
    for (uint32_t axis = 0; axis < dims; axis++) {
        const uint32_t high_index = boxes ? dims + axis : axis;
        if (wide) {
            overlap &=
                (unsigned)(ki_spatial_number(entry, axis, true) <= area->box.high[axis]) &
                (unsigned)(ki_spatial_number(entry, high_index, true) >= area->box.low[axis]);
        } else {
            overlap &= (unsigned)((float)ki_spatial_number(entry, axis, false) <=
                                  area->narrow_high[axis]) &
                       (unsigned)((float)ki_spatial_number(entry, high_index, false) >=
                                  area->narrow_low[axis]);
        }
    }
    return overlap;
}

/* Writes which of a cell's entries overlap with an area, and returns their count. `found` has room for
 * `count`, of which more may be written than overlap. */
uint32_t ki_spatial_overlapping(ki_spatial_shape shape, const unsigned char *entries,
                                uint32_t count, const ki_spatial_area *area, kith_entity *found);

/* Finds those that overlap with a box; touching is overlapping. Ordered by slot. Corners that are
 * NaN or the wrong way round find nothing. */
void ki_spatial_find_box(const ki_spatial_tree *tree, const ki_spatial_key *box,
                         ki_spatial_filter filter, ki_spatial_entities *results);

/* Finds those that are at most `radius` away from a point, by the square of the distance. Ordered
 * by slot. */
void ki_spatial_find_radius(const ki_spatial_tree *tree, const double *point, double radius,
                            ki_spatial_filter filter, ki_spatial_entities *results);

/* Finds those nearest to a point, at most `within` away. Their distances are squares. */
void ki_spatial_find_nearest(const ki_spatial_tree *tree, const double *point, double within,
                             ki_spatial_filter filter, ki_spatial_nearest *results);

/* A little more than a distance: what is farther away than that along one axis has a square of the
 * distance above that of `distance`. */
double ki_spatial_reach(double distance);

/* Makes a box larger on each side, so that everything is in it whose square of the distance from the
 * box is at most that of `distance`. */
void ki_spatial_grow_box(ki_spatial_key *box, double distance);

/* The square of a distance. No search finds a distance if its square is not a number. */
double ki_spatial_square_of(double distance);

#endif
