/* Compares the entries of each cell with one another, and with those of the cells around it in their
 * level. Into another level that has more entries each looks by itself: there cells are smaller, as a
 * rule, and what is far apart here has no cells in common there. */
#include <kith/floats.h>

#include "index/spatial_pairs.h"

#include "base/bits.h"

/* The entries of a cell that the filter accepts. */
typedef struct pair_cell {
    const unsigned char *start;
    uint32_t count;
    kith_entity entities[KI_SPATIAL_LEAF];
    uint32_t numbers[KI_SPATIAL_LEAF]; /* in the cell */
    ki_spatial_key keys[KI_SPATIAL_LEAF];
} pair_cell;

typedef struct pair_search {
    ki_spatial_search search;
    pair_cell cell;
    ki_spatial_area area; /* around all entries of the cell, or around one of them, */
    uint32_t number;      /* which has this number among those that are accepted */
    uint32_t level;       /* of the cell */
    bool is_largest;      /* no level has more entries */
    double distance;
    double reach;  /* what is farther apart than this along an axis is too far apart */
    double square; /* of the distance */
    ki_spatial_filter filter;
    ki_spatial_pairs *results;
} pair_search;

static inline double square_between(const ki_spatial_key *a, const ki_spatial_key *b, uint32_t dims)
{
    double square = 0;
    for (uint32_t axis = 0; axis < dims; axis++) {
        const double before = b->low[axis] - a->high[axis], after = a->low[axis] - b->high[axis];
        const double away = before > 0 ? before : after > 0 ? after : 0;
        square += kith_mul_f64(away, away);
    }
    return square;
}

/* The first `count` of the cell's entries that may be near to a key, a bit for each. */
static inline uint64_t near_along(const pair_search *self, uint32_t count,
                                  const ki_spatial_key *key, uint32_t dims)
{
    uint64_t close = 0;
    for (uint32_t i = 0; i < count; i++) {
        const ki_spatial_key *own = &self->cell.keys[i];
        unsigned overlap = 1;
        for (uint32_t axis = 0; axis < dims; axis++) {
            overlap &= (unsigned)(own->low[axis] - key->high[axis] <= self->reach) &
                       (unsigned)(key->low[axis] - own->high[axis] <= self->reach);
        }
        close |= (uint64_t)overlap << i;
    }
    return close;
}

static void add_pair(ki_spatial_pairs *results, kith_entity one, kith_entity other)
{
    if (results->found < results->capacity) {
        results->pairs[results->found] =
            one.index1 < other.index1 ? (kith_pair){one, other} : (kith_pair){other, one};
    }
    results->found++;
}

/* Adds the pairs of an entry with the first `count` of the cell's. */
static void add_pairs(const pair_search *self, const unsigned char *entry, uint32_t count)
{
    const pair_cell *cell = &self->cell;
    const ki_spatial_shape shape = self->search.tree->shape;
    const ki_spatial_key key = ki_spatial_entry_key(shape, entry);
    const kith_entity entity = ki_spatial_entity(entry);
    uint64_t close = shape.dims == 2 ? near_along(self, count, &key, 2)
                                     : near_along(self, count, &key, 3);
    if (close == 0 || !ki_spatial_accepts(&self->filter, entity)) {
        return;
    }
    for (; close != 0; close &= close - 1) {
        const uint32_t i = ki_lowest_bit(close);
        if (square_between(&cell->keys[i], &key, shape.dims) <= self->square) {
            add_pair(self->results, cell->entities[i], entity);
        }
    }
}

/* Those of a cell that overlap with an area, a bit for each. */
static inline uint64_t in_area_of(const ki_spatial_area *area, const unsigned char *entries,
                                  uint32_t count, uint32_t dims, bool boxes, bool wide)
{
    const ki_spatial_shape shape = ki_spatial_shape_of(dims, boxes, wide);
    const ki_spatial_area local = *area;
    uint64_t in = 0;
    for (uint32_t i = 0; i < count; i++, entries += shape.stride) {
        in |= (uint64_t)ki_spatial_overlaps(entries, &local, dims, boxes, wide) << i;
    }
    return in;
}

static uint64_t in_area(ki_spatial_shape shape, const ki_spatial_area *area,
                        const unsigned char *entries, uint32_t count)
{
    switch (ki_spatial_kind(shape)) {
    case 0: return in_area_of(area, entries, count, 2, false, false);
    case 1: return in_area_of(area, entries, count, 3, false, false);
    case 2: return in_area_of(area, entries, count, 2, true, false);
    case 3: return in_area_of(area, entries, count, 3, true, false);
    case 4: return in_area_of(area, entries, count, 2, false, true);
    case 5: return in_area_of(area, entries, count, 3, false, true);
    case 6: return in_area_of(area, entries, count, 2, true, true);
    default: return in_area_of(area, entries, count, 3, true, true);
    }
}

/* Compares a cell with one of the same level. Of the two, the one that comes first in memory does. */
static void compare_cells(ki_spatial_search *search, const unsigned char *entries, uint32_t count)
{
    const pair_search *self = (const pair_search *)search;
    const pair_cell *cell = &self->cell;
    const ki_spatial_shape shape = search->tree->shape;
    if (entries < cell->start) {
        return;
    }
    const bool is_own = entries == cell->start;
    uint32_t others = is_own ? 0 : cell->count; /* of its own, those before the entry */
    for (uint64_t in = in_area(shape, &self->area, entries, count); in != 0; in &= in - 1) {
        const uint32_t number = ki_lowest_bit(in);
        while (is_own && others < cell->count && cell->numbers[others] < number) {
            others++;
        }
        add_pairs(self, entries + (size_t)number * shape.stride, others);
    }
}

/* Compares one entry with a cell of another level. */
static void compare_one(ki_spatial_search *search, const unsigned char *entries, uint32_t count)
{
    const pair_search *self = (const pair_search *)search;
    const ki_spatial_shape shape = search->tree->shape;
    const ki_spatial_key *own = &self->cell.keys[self->number];
    for (uint64_t in = in_area(shape, &self->area, entries, count); in != 0; in &= in - 1) {
        const unsigned char *entry = entries + (size_t)ki_lowest_bit(in) * shape.stride;
        const ki_spatial_key key = ki_spatial_entry_key(shape, entry);
        const kith_entity entity = ki_spatial_entity(entry);
        if (square_between(own, &key, shape.dims) <= self->square &&
            ki_spatial_accepts(&self->filter, entity)) {
            add_pair(self->results, self->cell.entities[self->number], entity);
        }
    }
}

/* Takes an entry of the cell. */
static void take_entry(pair_search *self, const unsigned char *entry, uint32_t number)
{
    pair_cell *cell = &self->cell;
    const uint32_t at = cell->count++;
    cell->entities[at] = ki_spatial_entity(entry);
    cell->numbers[at] = number;
    cell->keys[at] = ki_spatial_entry_key(self->search.tree->shape, entry);
}

/* Takes a cell to compare with others. */
static void take_cell(pair_search *self, const ki_spatial_cell *from)
{
    const ki_spatial_tree *tree = self->search.tree;
    pair_cell *cell = &self->cell;
    cell->start = ki_spatial_pool_at(&tree->pool, from->start);
    cell->count = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        const unsigned char *entry = cell->start + (size_t)i * tree->shape.stride;
        if (ki_spatial_accepts(&self->filter, ki_spatial_entity(entry))) {
            take_entry(self, entry, i);
        }
    }
}

/* What is around all entries of the cell, as far as the distance. */
static ki_spatial_key hull_of(const pair_search *self, uint32_t dims)
{
    const pair_cell *cell = &self->cell;
    ki_spatial_key hull = {{0}, {0}};
    for (uint32_t axis = 0; axis < dims; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < cell->count; i++) {
            const ki_spatial_key *key = &cell->keys[i];
            low = key->low[axis] < low ? key->low[axis] : low;
            high = key->high[axis] > high ? key->high[axis] : high;
        }
        hull.low[axis] = low;
        hull.high[axis] = high;
    }
    ki_spatial_grow_box(&hull, self->distance);
    return hull;
}

/* Of two levels, the one with fewer entries looks into the other. */
static bool looks_into(const ki_spatial_tree *tree, uint32_t level, uint32_t other)
{
    const uint32_t count = ki_spatial_cell_count(tree, &tree->levels[level].root);
    const uint32_t others = ki_spatial_cell_count(tree, &tree->levels[other].root);
    return count < others || (count == others && level < other);
}

/* Looks for the pairs of entry `number` of the cell in other levels. */
static void pairs_in_levels(pair_search *self, uint32_t number)
{
    const ki_spatial_tree *tree = self->search.tree;
    ki_spatial_key box = self->cell.keys[number];
    ki_spatial_grow_box(&box, self->distance);
    self->area = ki_spatial_area_of(&box);
    self->number = number;
    self->search.leaf = compare_one;
    for (uint32_t i = 0; i < tree->level_count; i++) {
        if (looks_into(tree, self->level, i)) {
            ki_spatial_search_level(&self->search, &tree->levels[i], &box);
        }
    }
}

static void pairs_of_leaf(pair_search *self, const ki_spatial_cell *cell)
{
    const ki_spatial_tree *tree = self->search.tree;
    take_cell(self, cell);
    if (self->cell.count == 0) {
        return;
    }
    const ki_spatial_key hull = hull_of(self, tree->shape.dims);
    self->area = ki_spatial_area_of(&hull);
    self->search.leaf = compare_cells;
    ki_spatial_search_level(&self->search, &tree->levels[self->level], &hull);
    for (uint32_t i = 0; !self->is_largest && i < self->cell.count; i++) {
        pairs_in_levels(self, i);
    }
}

static void pairs_of_cell(pair_search *self, const ki_spatial_cell *cell)
{
    if (cell->room != KI_SPATIAL_NODE) {
        if (cell->count > 0 && self->results->found <= KI_PAIRS_MOST) {
            pairs_of_leaf(self, cell);
        }
        return;
    }
    const ki_spatial_node *node = ki_spatial_node_of(self->search.tree, cell);
    for (uint32_t i = 0; i < node->cell_count; i++) {
        pairs_of_cell(self, &node->cells[i]);
    }
}

static void pairs_of_level(pair_search *self, uint32_t level)
{
    const ki_spatial_tree *tree = self->search.tree;
    self->level = level;
    self->is_largest = true;
    for (uint32_t i = 0; i < tree->level_count; i++) {
        self->is_largest = self->is_largest && !looks_into(tree, level, i);
    }
    pairs_of_cell(self, &tree->levels[level].root);
}

/* What sorting takes, in the memory after the pairs. */
typedef struct pair_sort {
    kith_pair *unsorted;
    uint64_t *keys;
    ki_keyed_number *scratch;
    uint32_t *numbers;
} pair_sort;

static void sort_pairs(const ki_spatial_pairs *results)
{
    const uint32_t count = (uint32_t)results->found;
    pair_sort sort;
    sort.unsorted = results->pairs + count;
    sort.keys = (uint64_t *)(void *)(sort.unsorted + count);
    sort.scratch = (ki_keyed_number *)(void *)(sort.keys + count);
    sort.numbers = (uint32_t *)(void *)(sort.scratch + (size_t)2 * count);
    memcpy(sort.unsorted, results->pairs, count * sizeof *sort.unsorted);
    for (uint32_t i = 0; i < count; i++) {
        const kith_pair *pair = &sort.unsorted[i];
        sort.keys[i] = (uint64_t)pair->first.index1 << 32 | pair->second.index1;
    }
    ki_sort_by_keys(sort.numbers, sort.keys, count, sort.scratch);
    for (uint32_t i = 0; i < count; i++) {
        results->pairs[i] = sort.unsorted[sort.numbers[i]];
    }
}

void ki_spatial_find_pairs(const ki_spatial_tree *tree, double distance, ki_spatial_filter filter,
                           ki_spatial_pairs *results)
{
    if (!(distance >= 0)) {
        return;
    }
    pair_search self; /* most of the entries stay unwritten */
    self.search = (ki_spatial_search){.tree = tree};
    self.distance = distance;
    self.reach = ki_spatial_reach(distance);
    self.square = ki_spatial_square_of(distance);
    self.filter = filter;
    self.results = results;
    for (uint32_t i = 0; i < tree->level_count; i++) {
        pairs_of_level(&self, i);
    }
    if (results->found > 1 && results->found <= results->capacity) {
        sort_pairs(results);
    }
}
