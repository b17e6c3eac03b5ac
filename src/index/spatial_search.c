#include <kith/floats.h>

#include "index/spatial_search.h"

#include "base/roots.h"

static void search_node(ki_spatial_search *search, const ki_spatial_node *node);

static void search_cells(ki_spatial_search *search, const ki_spatial_cell *cells, uint32_t count)
{
    for (uint32_t i = 0; i < count && !search->ended; i++) {
        const ki_spatial_cell *cell = &cells[i];
        if (cell->room == KI_SPATIAL_NODE) {
            search_node(search, ki_spatial_node_of(search->tree, cell));
        } else if (cell->count > 0) {
            search->met += cell->count;
            search->leaf(search, ki_spatial_pool_at(&search->tree->pool, cell->start), cell->count);
        } else if (--search->empty_left == 0) {
            search->ended = true;
        }
    }
}

/* What a search hands out is fetched before the first cell is looked at, if it is so many cells of
 * a node at most: of a million entries, a box with 17 is found in 0.8 of the time. */
enum { CELLS_FETCHED = 64 };

/* Cells of a node, first and last included. */
typedef struct cell_range {
    uint32_t first[3], last[3];
} cell_range;

static cell_range range_of(const ki_spatial_search *search, const ki_spatial_node *node)
{
    cell_range range = {{0}, {0}};
    for (uint32_t axis = 0; axis < search->tree->shape.dims; axis++) {
        range.first[axis] = ki_spatial_along(node, axis, search->low[axis]);
        range.last[axis] = ki_spatial_along(node, axis, search->high[axis]);
    }
    return range;
}

static uint64_t cells_of(const cell_range *range)
{
    uint64_t cells = 1;
    for (uint32_t axis = 0; axis < 3; axis++) {
        cells *= range->last[axis] - range->first[axis] + 1;
    }
    return cells;
}

static void fetch_cells(ki_spatial_search *search, const ki_spatial_cell *cells, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (cells[i].count > 0) {
            KITH_PREFETCH_(ki_spatial_pool_at(&search->tree->pool, cells[i].start));
        }
    }
}

/* The least low corner of what is at most so long and reaches `low`. A length was rounded, and so
 * is the difference here: both are taken as one step more. */
static double least_low(double low, double size)
{
    return size == 0 ? low : ki_next_down(low - ki_next_up(size));
}

/* How far a point is at least from what is in the cells with number `at` along an axis: a cell less,
 * since where cells begin is rounded. Outermost cells have no outer end. */
static double away_from(const ki_spatial_search *search, const ki_spatial_node *node, uint32_t axis,
                        uint32_t at)
{
    const double scale = node->scale[axis];
    if (!(scale > 0)) {
        return 0;
    }
    const double point = search->center[axis];
    const double low = node->origin[axis] + ((double)at - 1) / scale;
    const double high = node->origin[axis] + ((double)at + 2) / scale + search->size;
    const double before = at == 0 ? 0 : low - point;
    const double after = at + 1 == node->sizes[axis] ? 0 : point - high;
    return before > after ? (before > 0 ? before : 0) : (after > 0 ? after : 0);
}

/* The cells in row (y, z) of a range that may have what is as near as a search is narrowed to. Returns
 * how many. */
static uint32_t row_of(const ki_spatial_search *search, const ki_spatial_node *node,
                       const cell_range *range, uint32_t y, uint32_t z,
                       const ki_spatial_cell **cells)
{
    uint32_t first = range->first[0], last = range->last[0];
    *cells = &node->cells[((size_t)z * node->sizes[1] + y) * node->sizes[0]];
    if (search->center != NULL) {
        const double dy = away_from(search, node, 1, y), dz = away_from(search, node, 2, z);
        const double square = kith_mul_f64(dy, dy) + kith_mul_f64(dz, dz);
        const double rest = search->square - kith_mul_f64(square, 1 - 0x1p-40);
        if (rest < 0) {
            return 0;
        }
        const double reach = kith_mul_f64(ki_square_root(rest), 1 + 0x1p-40) + 0x1p-500;
        const double low = least_low(ki_next_down(search->center[0] - reach), search->size);
        const double high = ki_next_up(search->center[0] + reach);
        const uint32_t from = ki_spatial_along(node, 0, low), to = ki_spatial_along(node, 0, high);
        first = from > first ? from : first;
        last = to < last ? to : last;
    }
    *cells += first;
    return first <= last ? last - first + 1 : 0;
}

/* Calls a function for each row of cells. */
static inline void each_row(ki_spatial_search *search, const ki_spatial_node *node,
                            const cell_range *range,
                            void (*row)(ki_spatial_search *, const ki_spatial_cell *, uint32_t))
{
    for (uint32_t z = range->first[2]; z <= range->last[2]; z++) {
        for (uint32_t y = range->first[1]; y <= range->last[1] && !search->ended; y++) {
            const ki_spatial_cell *cells;
            const uint32_t count = row_of(search, node, range, y, z, &cells);
            row(search, cells, count);
        }
    }
}

/* Whether a node has its entries in one place, which is not looked at, except those of the last
 * cell. */
static bool is_place_outside(const ki_spatial_search *search, const ki_spatial_node *node)
{
    bool outside = false;
    for (uint32_t axis = 0; axis < search->tree->shape.dims; axis++) {
        outside |=
            node->origin[axis] < search->low[axis] || node->origin[axis] > search->high[axis];
    }
    return outside && node->in_one_place;
}

static void search_node(ki_spatial_search *search, const ki_spatial_node *node)
{
    if (node->by_slot) {
        const uint32_t skipped = is_place_outside(search, node) ? node->cell_count - 1 : 0;
        search_cells(search, &node->cells[skipped], node->cell_count - skipped);
        return;
    }
    const cell_range range = range_of(search, node);
    if (cells_of(&range) <= CELLS_FETCHED) {
        each_row(search, node, &range, fetch_cells);
    }
    each_row(search, node, &range, search_cells);
}

void ki_spatial_search_level(ki_spatial_search *search, const ki_spatial_level *level,
                             const ki_spatial_key *box)
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        search->low[axis] = least_low(box->low[axis], level->size);
        search->high[axis] = box->high[axis];
    }
    search->size = level->size;
    search->center = NULL;
    search_cells(search, &level->root, 1);
}

void ki_spatial_search_narrow(ki_spatial_search *search, const double *center, double square)
{
    search->center = center;
    search->square = square;
}

void ki_spatial_search_box(ki_spatial_search *search, const ki_spatial_key *box)
{
    const ki_spatial_tree *tree = search->tree;
    for (uint32_t i = 0; i < tree->level_count; i++) {
        ki_spatial_search_level(search, &tree->levels[i], box);
    }
}

static inline void squares_of(const unsigned char *entries, uint32_t count, const double *point,
                              double *squares, uint32_t dims, bool boxes, bool wide)
{
    const ki_spatial_shape shape = ki_spatial_shape_of(dims, boxes, wide);
    for (uint32_t i = 0; i < count; i++, entries += shape.stride) {
        double square = 0;
        for (uint32_t axis = 0; axis < dims; axis++) {
            const double low = ki_spatial_number(entries, axis, wide);
            double away = low - point[axis];
            if (boxes) {
                const double after = point[axis] - ki_spatial_number(entries, dims + axis, wide);
                away = away > 0 ? away : after > 0 ? after : 0;
            }
            square += kith_mul_f64(away, away);
        }
        squares[i] = square;
    }
}

void ki_spatial_squares(ki_spatial_shape shape, const unsigned char *entries, uint32_t count,
                        const double *point, double *squares)
{
    switch (ki_spatial_kind(shape)) {
    case 0: squares_of(entries, count, point, squares, 2, false, false); break;
    case 1: squares_of(entries, count, point, squares, 3, false, false); break;
    case 2: squares_of(entries, count, point, squares, 2, true, false); break;
    case 3: squares_of(entries, count, point, squares, 3, true, false); break;
    case 4: squares_of(entries, count, point, squares, 2, false, true); break;
    case 5: squares_of(entries, count, point, squares, 3, false, true); break;
    case 6: squares_of(entries, count, point, squares, 2, true, true); break;
    default: squares_of(entries, count, point, squares, 3, true, true); break;
    }
}
