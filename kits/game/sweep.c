/* Boxes on their way. */
#include <kith/floats.h>

#include "game/pairs.h"

/* A part of the tick, counted backwards: 0 is its end, 1 its start. */
typedef struct sweep_span {
    double least, most;
} sweep_span;

/* The part in which two extents overlap on one axis, if the first moves by `way` beside the second
 * and is now where it is said to be: open at both ends. */
static sweep_span sweep_axis(double low, double high, double other_low, double other_high,
                             double way)
{
    static const sweep_span never = {1, 0};
    static const sweep_span always = {-1, 2};
    double from = low - other_high;
    double to = high - other_low;
    if (way == 0) {
        return from < 0 && to > 0 ? always : never;
    }
    return way > 0 ? (sweep_span){from / way, to / way} : (sweep_span){to / way, from / way};
}

/* Relative to b, a moves by the difference of their ways, and b does not move. */
float ki_game_sweep(const ki_game_bodies *bodies, uint32_t a, uint32_t b)
{
    const ki_game_box *one = &bodies->boxes[a];
    const ki_game_box *other = &bodies->boxes[b];
    const ki_game_way *way = &bodies->ways[a];
    const ki_game_way *other_way = &bodies->ways[b];
    const sweep_span x = sweep_axis(one->left, one->right, other->left, other->right,
                                    (double)way->dx - (double)other_way->dx);
    const sweep_span y = sweep_axis(one->top, one->bottom, other->top, other->bottom,
                                    (double)way->dy - (double)other_way->dy);
    double least = x.least > y.least ? x.least : y.least;
    double most = x.most < y.most ? x.most : y.most;
    if (least < most && least < 1 && most > 0) {
        return most < 1 ? (float)(1 - most) : 0;
    }
    /* What overlaps now has a span that ends after 0, unless a number was too small for it. */
    return ki_game_overlap(one, other) ? 1 : -1;
}
