/* Looks around each entry for those with higher slots. */
#include <kith/floats.h>

#include "index/spatial_pairs.h"

#include "base/sort.h"

typedef struct pair_search {
    ki_spatial_search search;
    kith_entity entity; /* and where it is */
    ki_spatial_key key;
    double distance;
    double square; /* of the distance */
    ki_spatial_filter filter;
    ki_spatial_pairs *results;
} pair_search;

static double square_between(const ki_spatial_key *a, const ki_spatial_key *b)
{
    double square = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const double before = b->low[axis] - a->high[axis], after = a->low[axis] - b->high[axis];
        const double away = before > 0 ? before : after > 0 ? after : 0;
        square += kith_mul_f64(away, away);
    }
    return square;
}

static void pair_leaf(ki_spatial_search *search, const unsigned char *entries, uint32_t count)
{
    pair_search *self = (pair_search *)search;
    const ki_spatial_shape shape = search->tree->shape;
    ki_spatial_pairs *results = self->results;
    for (uint32_t i = 0; i < count; i++, entries += shape.stride) {
        const kith_entity other = ki_spatial_entity(entries);
        const ki_spatial_key key = ki_spatial_entry_key(shape, entries);
        if (other.index1 > self->entity.index1 &&
            square_between(&self->key, &key) <= self->square &&
            ki_spatial_accepts(&self->filter, other)) {
            if (results->found < results->capacity) {
                results->pairs[results->found] = (kith_pair){self->entity, other};
            }
            results->found++;
        }
    }
}

static void look_around_each(pair_search *self, const unsigned char *entries, uint32_t count)
{
    const ki_spatial_tree *tree = self->search.tree;
    for (uint32_t i = 0; i < count && self->results->found <= KI_PAIRS_MOST;
         i++, entries += tree->shape.stride) {
        self->entity = ki_spatial_entity(entries);
        if (ki_spatial_accepts(&self->filter, self->entity)) {
            self->key = ki_spatial_entry_key(tree->shape, entries);
            ki_spatial_key box = self->key;
            ki_spatial_grow_box(&box, self->distance);
            ki_spatial_search_box(&self->search, &box);
        }
    }
}

static void pairs_of_cell(pair_search *self, const ki_spatial_cell *cell)
{
    const ki_spatial_tree *tree = self->search.tree;
    if (cell->room != KI_SPATIAL_NODE) {
        if (cell->count > 0) {
            look_around_each(self, ki_spatial_pool_at(&tree->pool, cell->start), cell->count);
        }
        return;
    }
    const ki_spatial_node *node = ki_spatial_node_of(tree, cell);
    for (uint32_t i = 0; i < node->cell_count; i++) {
        pairs_of_cell(self, &node->cells[i]);
    }
}

static bool pair_is_before(const void *pairs, uint32_t a, uint32_t b)
{
    const kith_pair *one = (const kith_pair *)pairs + a, *two = (const kith_pair *)pairs + b;
    return one->first.index1 != two->first.index1 ? one->first.index1 < two->first.index1
                                                  : one->second.index1 < two->second.index1;
}

static void sort_pairs(const ki_spatial_pairs *results)
{
    const uint32_t count = (uint32_t)results->found;
    kith_pair *unsorted = results->pairs + results->capacity;
    uint32_t *numbers = (uint32_t *)(void *)(unsorted + results->capacity);
    memcpy(unsorted, results->pairs, count * sizeof *unsorted);
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = i;
    }
    ki_sort(numbers, count, pair_is_before, unsorted);
    for (uint32_t i = 0; i < count; i++) {
        results->pairs[i] = unsorted[numbers[i]];
    }
}

void ki_spatial_find_pairs(const ki_spatial_tree *tree, double distance, ki_spatial_filter filter,
                           ki_spatial_pairs *results)
{
    if (!(distance >= 0)) {
        return;
    }
    pair_search self = {.search = {.tree = tree, .leaf = pair_leaf},
                        .distance = distance,
                        .square = ki_spatial_square_of(distance),
                        .filter = filter,
                        .results = results};
    for (uint32_t i = 0; i < tree->level_count; i++) {
        pairs_of_cell(&self, &tree->levels[i].root);
    }
    if (results->found > 1 && results->found <= results->capacity) {
        sort_pairs(results);
    }
}
