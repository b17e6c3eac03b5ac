/* What a line from one point to another meets. */
#ifndef KI_INDEX_SPATIAL_RAY_H
#define KI_INDEX_SPATIAL_RAY_H

#include "index/spatial_find.h"

typedef struct ki_spatial_ray {
    double from[3], to[3];
    double radius; /* points have it, and boxes are so much longer on each side */
} ki_spatial_ray;

/* Finds those that are met first. Their distances are parts of the way: 0 at its start, 1 at its
 * end. Numbers that are not finite, and a negative radius, find nothing. */
void ki_spatial_find_along(const ki_spatial_tree *tree, const ki_spatial_ray *ray,
                           ki_spatial_filter filter, ki_spatial_nearest *results);

#endif
