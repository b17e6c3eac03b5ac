/* Looks into the cells of a spatial tree. */
#ifndef KI_INDEX_SPATIAL_SEARCH_H
#define KI_INDEX_SPATIAL_SEARCH_H

#include "index/spatial_node.h"

typedef struct ki_spatial_search ki_spatial_search;

/* Gets the entries of a cell: all that overlap with the box are among those that it gets, with
 * others. */
typedef void (*ki_spatial_leaf_fn)(ki_spatial_search *search, const unsigned char *entries,
                                   uint32_t count);

/* One search. It is the first member of what a leaf function needs beside. */
struct ki_spatial_search {
    const ki_spatial_tree *tree;
    ki_spatial_leaf_fn leaf;
    double low[3], high[3]; /* where the low corners of what is looked for are, in this level, */
    double size;            /* which is of boxes of that size */
    const double *center;   /* of ki_spatial_search_narrow; NULL: the search is not narrowed */
    double square;
    uint64_t met;        /* entries that were in cells */
    uint64_t empty_left; /* cells without entries that it looks at before it ends; 0: any number */
    bool ended;          /* set by `leaf`: no more cells are looked at */
};

/* Hands out the cells that may have entries which overlap with a box. Its corners may be infinite,
 * but not NaN. */
void ki_spatial_search_box(ki_spatial_search *search, const ki_spatial_key *box);

/* The same, of one level. */
void ki_spatial_search_level(ki_spatial_search *search, const ki_spatial_level *level,
                             const ki_spatial_key *box);

/* From the next row of cells on, looks only for what is no farther away from a point, by the square of
 * the distance. The point stays where it is until the search ends. */
void ki_spatial_search_narrow(ki_spatial_search *search, const double *center, double square);

/* A number for each of the eight kinds of entries, for a switch whose cases are compiled for one
 * of them. */
static inline uint32_t ki_spatial_kind(ki_spatial_shape shape)
{
    return (shape.dims == 3 ? 1u : 0u) + (shape.boxes ? 2u : 0u) + (shape.wide ? 4u : 0u);
}

/* The squares of the distances of a cell's entries from a point, up to KI_SPATIAL_LEAF; 0 where a
 * box has the point in it. */
void ki_spatial_squares(ki_spatial_shape shape, const unsigned char *entries, uint32_t count,
                        const double *point, double *squares);

#endif
