/* Goes through the cells of each node in the direction of the line, one axis after the other. For each
 * cell it finds the part of the line that is near enough to it. Once there are as many results as are
 * wanted, it leaves out what would be met later: so the first one is found fast.
 *
 * Arithmetic is rounded, and a cell is visited if it is near enough by far more than that: whether
 * an entry is met is decided by the entry and the line alone. */
#include <kith/floats.h>

#include "index/spatial_ray.h"

#include "base/roots.h"

#define RAY_SLACK 0x1p-40 /* of the numbers that were added and multiplied */

typedef struct ray_search {
    const ki_spatial_tree *tree;
    ki_spatial_ray ray;
    double way[3]; /* from the start to the end */
    double square; /* of its length */
    double length;
    double size; /* of the boxes of the level */
    double last; /* the part of the way after which nothing is wanted */
    ki_spatial_filter filter;
    ki_spatial_nearest *results;
} ray_search;

/* Parts of the way. None if first > last. */
typedef struct ray_span {
    double first, last;
} ray_span;

/* ---- Entries ------------------------------------------------------------------------------------- */

static double square_beside(const ray_search *search, const double *point, double part)
{
    double square = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const double at = search->ray.from[axis] + kith_mul_f64(search->way[axis], part);
        square += kith_mul_f64(point[axis] - at, point[axis] - at);
    }
    return square;
}

static double part_within(double part)
{
    return part > 0 ? part < 1 ? part : 1 : 0;
}

/* The part of the way at which a ball around a point is met; infinity if it is not. */
static double meet_ball(const ray_search *search, const double *point)
{
    double along = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        along += kith_mul_f64(point[axis] - search->ray.from[axis], search->way[axis]);
    }
    const double nearest = search->square > 0 ? along / search->square : 0;
    const double radius_square = kith_mul_f64(search->ray.radius, search->ray.radius);
    if (!(square_beside(search, point, part_within(nearest)) <= radius_square)) {
        return INFINITY;
    }
    const double left = radius_square - square_beside(search, point, nearest);
    return left > 0 && search->length > 0
               ? part_within(nearest - ki_square_root(left) / search->length)
               : part_within(nearest);
}

/* The parts of the way in which a coordinate is between two numbers, as far as they are in `span`. */
static ray_span clip_span(const ray_search *search, uint32_t axis, double low, double high,
                          ray_span span)
{
    const double from = search->ray.from[axis], way = search->way[axis];
    if (way == 0) {
        return from >= low && from <= high ? span : (ray_span){1, 0};
    }
    const double first = ((way > 0 ? low : high) - from) / way;
    const double last = ((way > 0 ? high : low) - from) / way;
    span.first = first > span.first ? first : span.first;
    span.last = last < span.last ? last : span.last;
    return span;
}

static double meet_box(const ray_search *search, const ki_spatial_key *key)
{
    ray_span span = {0, 1};
    for (uint32_t axis = 0; axis < search->tree->shape.dims; axis++) {
        span = clip_span(search, axis, key->low[axis] - search->ray.radius,
                         key->high[axis] + search->ray.radius, span);
    }
    return span.first <= span.last ? span.first : INFINITY;
}

static void ray_leaf(ray_search *search, const unsigned char *entries, uint32_t count)
{
    const ki_spatial_shape shape = search->tree->shape;
    ki_spatial_nearest *results = search->results;
    for (uint32_t i = 0; i < count; i++, entries += shape.stride) {
        const ki_spatial_key key = ki_spatial_entry_key(shape, entries);
        const double part = shape.boxes ? meet_box(search, &key) : meet_ball(search, key.low);
        const kith_entity entity = ki_spatial_entity(entries);
        if (part <= search->last && ki_spatial_nearest_has_place(results, entity, part) &&
            ki_spatial_accepts(&search->filter, entity)) {
            ki_spatial_nearest_add(results, entity, part);
            if (results->count == results->capacity) {
                search->last = results->list[0].distance;
            }
        }
    }
}

/* ---- Cells --------------------------------------------------------------------------------------- */

static double length_of(double number)
{
    return number < 0 ? -number : number;
}

/* Numbers of this axis that are added up are wrong by less. */
static double slack_along(const ray_search *search, const ki_spatial_node *node, uint32_t axis)
{
    const double extent = node->scale[axis] > 0 ? node->sizes[axis] / node->scale[axis] : 0;
    const double sum = length_of(search->ray.from[axis]) + length_of(search->ray.to[axis]) +
                       length_of(node->origin[axis]) + extent + search->size + search->ray.radius;
    return kith_mul_f64(sum, RAY_SLACK) + 0x1p-1000;
}

/* The part of the way that is near enough to what has its low corner in a cell of an axis. */
static ray_span span_of_cell(const ray_search *search, const ki_spatial_node *node, uint32_t axis,
                             uint32_t cell, ray_span span)
{
    const double slack = slack_along(search, node, axis) + search->ray.radius;
    const double origin = node->origin[axis], scale = node->scale[axis];
    const double low = cell == 0 ? -INFINITY : origin + cell / scale - slack;
    const double high = cell + 1 == node->sizes[axis]
                            ? INFINITY
                            : origin + (cell + 1) / scale + search->size + slack;
    span.last = span.last < search->last ? span.last : search->last;
    return clip_span(search, axis, low, high, span);
}

static void ray_cell(ray_search *search, const ki_spatial_cell *cell);

/* The cells of an axis, and of the axes before. `before`: how many are before this row. */
static void ray_row(ray_search *search, const ki_spatial_node *node, uint32_t axis, size_t before,
                    ray_span span)
{
    const double from = search->ray.from[axis], way = search->way[axis];
    const double one = from + kith_mul_f64(way, span.first);
    const double two = from + kith_mul_f64(way, span.last);
    const double reach = slack_along(search, node, axis) + search->ray.radius;
    const double low = (one < two ? one : two) - search->size - reach;
    const uint32_t first = ki_spatial_along(node, axis, low);
    const uint32_t last = ki_spatial_along(node, axis, (one < two ? two : one) + reach);
    for (uint32_t i = 0; i <= last - first; i++) {
        const uint32_t cell = way < 0 ? last - i : first + i;
        const ray_span part = span_of_cell(search, node, axis, cell, span);
        if (part.first > search->last && search->way[axis] != 0) {
            break; /* later cells are met later */
        }
        if (part.first > part.last) {
            continue;
        }
        if (axis == 0) {
            ray_cell(search, &node->cells[before + cell]);
        } else {
            ray_row(search, node, axis - 1, (before + cell) * node->sizes[axis - 1], part);
        }
    }
}

static void ray_cell(ray_search *search, const ki_spatial_cell *cell)
{
    if (cell->room != KI_SPATIAL_NODE) {
        if (cell->count > 0) {
            ray_leaf(search, ki_spatial_pool_at(&search->tree->pool, cell->start), cell->count);
        }
        return;
    }
    const ki_spatial_node *node = ki_spatial_node_of(search->tree, cell);
    if (!node->by_slot) {
        ray_row(search, node, search->tree->shape.dims - 1, 0, (ray_span){0, 1});
        return;
    }
    for (uint32_t i = 0; i < node->cell_count; i++) {
        ray_cell(search, &node->cells[i]);
    }
}

void ki_spatial_find_along(const ki_spatial_tree *tree, const ki_spatial_ray *ray,
                           ki_spatial_filter filter, ki_spatial_nearest *results)
{
    ray_search search = {
        .tree = tree, .ray = *ray, .last = 1, .filter = filter, .results = results};
    for (uint32_t axis = 0; axis < 3; axis++) {
        search.way[axis] = ray->to[axis] - ray->from[axis];
        search.square += kith_mul_f64(search.way[axis], search.way[axis]);
        if (!ki_spatial_is_finite(ray->from[axis]) || !ki_spatial_is_finite(ray->to[axis])) {
            return;
        }
    }
    if (!ki_spatial_is_finite(search.square) || !ki_spatial_is_finite(ray->radius) ||
        ray->radius < 0 || results->capacity == 0) {
        return;
    }
    search.length = ki_square_root(search.square);
    for (uint32_t i = 0; i < tree->level_count; i++) {
        search.size = tree->levels[i].size;
        ray_cell(&search, &tree->levels[i].root);
    }
    ki_spatial_nearest_sort(results);
}
