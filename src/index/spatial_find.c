#include <kith/floats.h>

#include "index/spatial_find.h"

#include "base/roots.h"

/* ---- Boxes --------------------------------------------------------------------------------------- */

typedef struct box_search {
    ki_spatial_search search;
    ki_spatial_area area;
    ki_spatial_filter filter;
    ki_spatial_entities *results;
} box_search;

/* Writes the entities that overlap with a box, and returns their count. All are written, and those
 * that do not count are written over: a jump for each would often be guessed wrong. */
static inline uint32_t write_overlapping(const unsigned char *entries, uint32_t count,
                                         const ki_spatial_area *area, kith_entity *found,
                                         uint32_t dims, bool boxes, bool wide)
{
    const ki_spatial_shape shape = ki_spatial_shape_of(dims, boxes, wide);
    const ki_spatial_area local = *area;
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++, entries += shape.stride) {
        found[n] = ki_spatial_entity(entries);
        n += ki_spatial_overlaps(entries, &local, dims, boxes, wide);
    }
    return n;
}

uint32_t ki_spatial_overlapping(ki_spatial_shape shape, const unsigned char *entries,
                                uint32_t count, const ki_spatial_area *area, kith_entity *found)
{
    switch (ki_spatial_kind(shape)) {
    case 0: return write_overlapping(entries, count, area, found, 2, false, false);
    case 1: return write_overlapping(entries, count, area, found, 3, false, false);
    case 2: return write_overlapping(entries, count, area, found, 2, true, false);
    case 3: return write_overlapping(entries, count, area, found, 3, true, false);
    case 4: return write_overlapping(entries, count, area, found, 2, false, true);
    case 5: return write_overlapping(entries, count, area, found, 3, false, true);
    case 6: return write_overlapping(entries, count, area, found, 2, true, true);
    default: return write_overlapping(entries, count, area, found, 3, true, true);
    }
}

static void box_leaf(ki_spatial_search *search, const unsigned char *entries, uint32_t count)
{
    box_search *self = (box_search *)search;
    ki_spatial_entities *results = self->results;
    const ki_spatial_shape shape = search->tree->shape;
    if (self->filter.accepts == NULL && results->found <= results->capacity &&
        results->capacity - results->found > count) {
        results->found += ki_spatial_overlapping(shape, entries, count, &self->area,
                                                 results->entities + results->found);
        return;
    }
    kith_entity found[KI_SPATIAL_LEAF + 1];
    count = ki_spatial_overlapping(shape, entries, count, &self->area, found);
    for (uint32_t i = 0; i < count; i++) {
        if (ki_spatial_accepts(&self->filter, found[i])) {
            ki_spatial_entities_add(results, found[i]);
        }
    }
}

/* The least float that is not less. */
static float float_from(double number)
{
    const float narrow = (float)number;
    if (!((double)narrow < number)) {
        return narrow;
    }
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    bits += narrow < 0 ? UINT32_MAX : 1;
    float next;
    memcpy(&next, &bits, sizeof next);
    return next;
}

ki_spatial_area ki_spatial_area_of(const ki_spatial_key *box)
{
    ki_spatial_area area = {.box = *box};
    for (uint32_t axis = 0; axis < 3; axis++) {
        area.narrow_low[axis] = float_from(box->low[axis]);
        area.narrow_high[axis] = -float_from(-box->high[axis]);
    }
    return area;
}

void ki_spatial_find_box(const ki_spatial_tree *tree, const ki_spatial_key *box,
                         ki_spatial_filter filter, ki_spatial_entities *results)
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        if (!(box->low[axis] <= box->high[axis])) {
            return;
        }
    }
    box_search self = {.search = {.tree = tree, .leaf = box_leaf},
                       .area = ki_spatial_area_of(box),
                       .filter = filter,
                       .results = results};
    ki_spatial_search_box(&self.search, box);
    ki_spatial_entities_sort(results);
}

/* ---- Distances ----------------------------------------------------------------------------------- */

typedef struct distance_search {
    ki_spatial_search search;
    const double *point;
    double square; /* of the largest distance */
    ki_spatial_filter filter;
    ki_spatial_entities *results;
    ki_spatial_nearest *nearest;
} distance_search;

/* Sums, differences and squares are rounded, so that it is some steps larger; squares of very small
 * distances are 0, and those of very large ones infinite. */
double ki_spatial_reach(double distance)
{
    return ki_spatial_is_finite(kith_mul_f64(distance, distance))
               ? kith_mul_f64(distance, 1 + 0x1p-40) + 0x1p-500
               : INFINITY;
}

void ki_spatial_grow_box(ki_spatial_key *box, double distance)
{
    const double more = ki_spatial_reach(distance);
    for (uint32_t axis = 0; axis < 3; axis++) {
        box->low[axis] = ki_next_down(box->low[axis] - more);
        box->high[axis] = ki_next_up(box->high[axis] + more);
    }
}

static ki_spatial_key box_around(const double *point, double radius)
{
    ki_spatial_key box;
    memcpy(box.low, point, sizeof box.low);
    memcpy(box.high, point, sizeof box.high);
    ki_spatial_grow_box(&box, radius);
    return box;
}

double ki_spatial_square_of(double distance)
{
    const double square = kith_mul_f64(distance, distance);
    return square < DBL_MAX ? square : DBL_MAX;
}

static bool is_point(const double *point)
{
    return ki_spatial_is_finite(point[0]) && ki_spatial_is_finite(point[1]) &&
           ki_spatial_is_finite(point[2]);
}

static void radius_leaf(ki_spatial_search *search, const unsigned char *entries, uint32_t count)
{
    distance_search *self = (distance_search *)search;
    const size_t stride = search->tree->shape.stride;
    double squares[KI_SPATIAL_LEAF];
    ki_spatial_squares(search->tree->shape, entries, count, self->point, squares);
    for (uint32_t i = 0; i < count; i++) {
        if (squares[i] <= self->square) {
            const kith_entity entity = ki_spatial_entity(entries + i * stride);
            if (ki_spatial_accepts(&self->filter, entity)) {
                ki_spatial_entities_add(self->results, entity);
            }
        }
    }
}

void ki_spatial_find_radius(const ki_spatial_tree *tree, const double *point, double radius,
                            ki_spatial_filter filter, ki_spatial_entities *results)
{
    if (!is_point(point) || !(radius >= 0)) {
        return;
    }
    const ki_spatial_key box = box_around(point, radius);
    distance_search self = {.search = {.tree = tree, .leaf = radius_leaf},
                            .point = point,
                            .square = ki_spatial_square_of(radius),
                            .filter = filter,
                            .results = results};
    ki_spatial_search_box(&self.search, &box);
    ki_spatial_entities_sort(results);
}

/* ---- The nearest --------------------------------------------------------------------------------- */

static void nearest_leaf(ki_spatial_search *search, const unsigned char *entries, uint32_t count)
{
    distance_search *self = (distance_search *)search;
    const size_t stride = search->tree->shape.stride;
    const double before = self->square;
    double squares[KI_SPATIAL_LEAF];
    ki_spatial_squares(search->tree->shape, entries, count, self->point, squares);
    for (uint32_t i = 0; i < count; i++) {
        if (squares[i] <= self->square) {
            const kith_entity entity = ki_spatial_entity(entries + i * stride);
            if (ki_spatial_nearest_has_place(self->nearest, entity, squares[i]) &&
                ki_spatial_accepts(&self->filter, entity)) {
                ki_spatial_nearest_add(self->nearest, entity, squares[i]);
                if (self->nearest->count == self->nearest->capacity) {
                    self->square = self->nearest->list[0].distance;
                }
            }
        }
    }
    if (self->square < before) { /* what is farther away than the last one is no nearer */
        ki_spatial_search_narrow(search, self->point, self->square);
    }
}

/* In a level: how far one has to look for so many entries, if they are as crowded as the cell of
 * the point and its node; infinity if the level has no cells. */
static double guess_in_level(const ki_spatial_tree *tree, const ki_spatial_cell *cell,
                             const double *point, uint32_t wanted)
{
    const uint32_t dims = tree->shape.dims;
    const ki_spatial_node *node = NULL;
    while (cell->room == KI_SPATIAL_NODE && !ki_spatial_node_of(tree, cell)->by_slot) {
        node = ki_spatial_node_of(tree, cell);
        cell = &node->cells[ki_spatial_cell_at(node, point, dims)];
    }
    if (node == NULL) {
        return INFINITY;
    }
    const double usual = (double)node->count / node->cell_count;
    const double crowd = (usual + ki_spatial_cell_count(tree, cell)) / 2;
    double volume = 1;
    for (uint32_t axis = 0; axis < dims; axis++) {
        volume = node->scale[axis] > 0 ? volume / node->scale[axis] : volume;
    }
    const double size = wanted * volume / ((dims + 1) * crowd);
    return size > 0 && size < INFINITY ? ki_guess_root(size, dims) : size;
}

/* A first guess of how far to look. Some more than needed are looked for, since looking again takes
 * longest. A guess may be wrong; so its last bit does not matter. */
static double guess_reach(const ki_spatial_tree *tree, const double *point, uint32_t count)
{
    const uint32_t wanted = count + 2 + count / 2;
    double reach = INFINITY;
    for (uint32_t i = 0; i < tree->level_count && count < tree->count; i++) {
        const double guess = guess_in_level(tree, &tree->levels[i].root, point, wanted);
        reach = guess < reach ? guess : reach;
    }
    return reach > 0 ? reach : INFINITY;
}

/* Looks at all in a box. What was not looked at is farther away than the reach; so when as many as
 * wanted are within, they are the nearest. Otherwise it looks farther. */
void ki_spatial_find_nearest(const ki_spatial_tree *tree, const double *point, double within,
                             ki_spatial_filter filter, ki_spatial_nearest *results)
{
    if (!is_point(point) || !(within >= 0) || results->capacity == 0) {
        return;
    }
    distance_search self = {.search = {.tree = tree, .leaf = nearest_leaf},
                            .point = point,
                            .filter = filter,
                            .nearest = results};
    double reach = guess_reach(tree, point, results->capacity);
    for (;;) {
        reach = reach < within ? reach : within;
        const ki_spatial_key box = box_around(point, reach);
        self.square = ki_spatial_square_of(within);
        self.search.met = results->count = 0;
        ki_spatial_search_box(&self.search, &box);
        const bool full = results->count == results->capacity;
        if (reach == within || self.search.met == tree->count ||
            (full && self.square <= kith_mul_f64(reach, reach))) {
            break;
        }
        reach =
            full ? kith_mul_f64(ki_square_root(self.square), 1 + 0x1p-40) + 0x1p-500 : reach * 2;
    }
    ki_spatial_nearest_sort(results);
}
