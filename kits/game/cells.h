/* Boxes arranged so that those in one place are found at once: a grid for each size of boxes.
 *
 * A level has squares as cells. Their side is a power of two. A box is on the level with the
 * smallest cells that are at least as large as the box, or on the next level if few boxes are that
 * small. There it is in the cell of its left upper corner, and reaches into the next column and row
 * at most. So each box is in one cell, whatever its size, and a search for boxes that overlap looks
 * into few cells of each level.
 *
 * Cells are an array of rows if that is not much larger than the number of boxes. Else (boxes are
 * far apart for their size) a hash finds them, in buckets which several cells may share. */
#ifndef KI_GAME_CELLS_H
#define KI_GAME_CELLS_H

#include "game/bodies.h"

/* The body of a box. */
typedef struct ki_game_owner {
    uint32_t body;
    uint32_t slot; /* the cell or bucket, among those of all levels; of boxes without an end: any */
    ki_game_tag tag;
} ki_game_owner;

typedef struct ki_game_level {
    int exponent;        /* the side of its cells is two to the power of this, */
    double scale;        /* which is 1 / scale */
    uint32_t first, end; /* its boxes */
    int32_t left, top;   /* the cells in use */
    int32_t right, bottom;
    uint32_t *starts; /* where the boxes of each cell or bucket begin; one more at the end */
    uint32_t slots;   /* cells or buckets */
    uint32_t columns; /* of the array, with a spare one at either side; 0: buckets */
} ki_game_level;

enum { KI_GAME_LEVELS = 255 };

typedef struct ki_game_cells {
    const ki_game_bodies *bodies;
    /* By level, then cell, in the room of the bodies. KI_GAME_BODIES_SPARE more may be looked at,
     * but do not count. */
    ki_game_box *boxes;
    ki_game_owner *owners;                /* of each of those */
    uint32_t *numbers;                    /* one for each body, for callers: any */
    ki_game_level levels[KI_GAME_LEVELS]; /* from small to large */
    uint32_t level_count;
    uint32_t *starts; /* those of all levels */
    size_t slots;
    uint32_t endless_count; /* boxes without an end, which come after all others: in no cell */
} ki_game_cells;

/* Arranges bodies, which have to stay while this is in use. KITH_ERR_MEMORY */
kith_result ki_game_cells_build(ki_game_cells *cells, const ki_game_bodies *bodies);

void ki_game_cells_free(ki_game_cells *cells);

/* The cell of an array: the spare columns and the row below may be asked for too. */
static inline uint32_t ki_game_level_cell(const ki_game_level *level, int32_t x, int32_t y)
{
    return (uint32_t)(y - level->top) * level->columns + (uint32_t)(x - level->left + 1);
}

/* The bucket of a cell. The products of odd constants spread neighbours and far ones alike. */
static inline uint32_t ki_game_level_bucket(const ki_game_level *level, int32_t x, int32_t y)
{
    uint64_t mixed = (uint64_t)(uint32_t)x * UINT64_C(0x9e3779b97f4a7c15) ^
                     (uint64_t)(uint32_t)y * UINT64_C(0xc2b2ae3d27d4eb4f);
    mixed ^= mixed >> 32;
    return (uint32_t)(mixed * UINT64_C(0xd6e8feb86659fd93) >> 32) & (level->slots - 1);
}

static inline uint32_t ki_game_level_slot(const ki_game_level *level, int32_t x, int32_t y)
{
    return level->columns > 0 ? ki_game_level_cell(level, x, y) : ki_game_level_bucket(level, x, y);
}

/* The first and the last cell of an extent, if cells are 1 / `scale` long. Both are monotone, so
 * extents that overlap have cells that overlap. An end that is just on an edge does not count for
 * the cell after it. Neither may be beyond the range of int32_t. */
static inline int32_t ki_game_first_cell(float low, double scale)
{
    double at = (double)low * scale;
    int32_t cell = (int32_t)at;
    return cell - (at < cell);
}

static inline int32_t ki_game_last_cell(float high, double scale)
{
    double at = (double)high * scale;
    int32_t cell = (int32_t)at;
    return cell - !(at > cell);
}

/* Whether a box is in this cell: a bucket may have those of others, too. */
static inline bool ki_game_is_in_cell(const ki_game_level *level, const ki_game_box *box, int32_t x,
                                      int32_t y)
{
    return ki_game_first_cell(box->left, level->scale) == x &&
           ki_game_first_cell(box->top, level->scale) == y;
}

/* Cells, first and last included; none if they are the wrong way round. */
typedef struct ki_game_range {
    int32_t left, top, right, bottom;
} ki_game_range;

/* The cells of a level that may have boxes which overlap with this one. Its numbers may be any
 * except NaN. */
ki_game_range ki_game_level_range(const ki_game_level *level, const ki_game_box *box);

#endif
