/* A million points spread evenly, one for each unit of a plane, and the cells of grids by hand, which
 * know how large the plane is and how crowded: about eight points are in a cell. */
#ifndef BENCH_PLACES_H
#define BENCH_PLACES_H

#include "bench.h"

enum { PLACES = 1000000, SIDE = 1000, CELLS = 354, CELL_COUNT = CELLS * CELLS };

#define HALF_BOX 2.0615528f /* of a side: 17 points are in such a box */

static inline Position random_place(uint64_t *random)
{
    float x = bench_random_float(random, SIDE);
    return (Position){x, bench_random_float(random, SIDE)};
}

static inline uint32_t cell_along(float number)
{
    float cell = number * ((float)CELLS / SIDE);
    return cell < 0 ? 0 : cell >= CELLS ? CELLS - 1 : (uint32_t)cell;
}

static inline uint32_t cell_of(Position at)
{
    return cell_along(at.y) * CELLS + cell_along(at.x);
}

#endif
