/* Compares the entries of each cell with one another, and with those of the cells around it. */
#include <kith/floats.h>

#include "index/spatial_pairs.h"

#include "base/bits.h"

/* The entries of the cell that is compared with others. */
typedef struct pair_cell {
    const unsigned char *start;
    uint32_t count; /* of those that the filter accepts */
    kith_entity entities[KI_SPATIAL_LEAF];
    uint32_t numbers[KI_SPATIAL_LEAF]; /* in the cell */
    ki_spatial_key keys[KI_SPATIAL_LEAF];
    double low[3][KI_SPATIAL_LEAF],
        high[3][KI_SPATIAL_LEAF]; /* around them, as far as the distance */
    ki_spatial_area hull;         /* of all these */
} pair_cell;

typedef struct pair_search {
    ki_spatial_search search;
    pair_cell cell;
    bool in_own_level; /* the cells that are found are of the same level as the cell */
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

/* The first `count` of the cell's entries that may be near to a key, a bit for each. */
static uint64_t near_to(const pair_cell *cell, uint32_t count, const ki_spatial_key *key)
{
    uint64_t close = 0;
    for (uint32_t i = 0; i < count; i++) {
        unsigned overlap = 1;
        for (uint32_t axis = 0; axis < 3; axis++) {
            overlap &= (unsigned)(cell->low[axis][i] <= key->high[axis]) &
                       (unsigned)(cell->high[axis][i] >= key->low[axis]);
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
    const ki_spatial_key key = ki_spatial_entry_key(self->search.tree->shape, entry);
    uint64_t close = near_to(cell, count, &key);
    const kith_entity entity = ki_spatial_entity(entry);
    if (close == 0 || !ki_spatial_accepts(&self->filter, entity)) {
        return;
    }
    for (; close != 0; close &= close - 1) {
        const uint32_t i = ki_lowest_bit(close);
        if (square_between(&cell->keys[i], &key) <= self->square) {
            add_pair(self->results, cell->entities[i], entity);
        }
    }
}

/* Those of a cell that overlap with the hull, a bit for each. */
static inline uint64_t in_hull_of(const pair_cell *cell, const unsigned char *entries,
                                  uint32_t count, uint32_t dims, bool boxes, bool wide)
{
    const ki_spatial_shape shape = ki_spatial_shape_of(dims, boxes, wide);
    const ki_spatial_area hull = cell->hull;
    uint64_t in = 0;
    for (uint32_t i = 0; i < count; i++, entries += shape.stride) {
        in |= (uint64_t)ki_spatial_overlaps(entries, &hull, dims, boxes, wide) << i;
    }
    return in;
}

static uint64_t in_hull(ki_spatial_shape shape, const pair_cell *cell, const unsigned char *entries,
                        uint32_t count)
{
    switch (ki_spatial_kind(shape)) {
    case 0: return in_hull_of(cell, entries, count, 2, false, false);
    case 1: return in_hull_of(cell, entries, count, 3, false, false);
    case 2: return in_hull_of(cell, entries, count, 2, true, false);
    case 3: return in_hull_of(cell, entries, count, 3, true, false);
    case 4: return in_hull_of(cell, entries, count, 2, false, true);
    case 5: return in_hull_of(cell, entries, count, 3, false, true);
    case 6: return in_hull_of(cell, entries, count, 2, true, true);
    default: return in_hull_of(cell, entries, count, 3, true, true);
    }
}

/* Of two cells of a level, the one that comes first in memory is compared with the other. */
static void pair_leaf(ki_spatial_search *search, const unsigned char *entries, uint32_t count)
{
    const pair_search *self = (const pair_search *)search;
    const pair_cell *cell = &self->cell;
    const ki_spatial_shape shape = search->tree->shape;
    if (self->in_own_level && entries < cell->start) {
        return;
    }
    for (uint64_t in = in_hull(shape, cell, entries, count); in != 0; in &= in - 1) {
        const uint32_t number = ki_lowest_bit(in);
        uint32_t others = cell->count;
        while (entries == cell->start && others > 0 && cell->numbers[others - 1] >= number) {
            others--;
        }
        add_pairs(self, entries + (size_t)number * shape.stride, others);
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
    ki_spatial_key box = cell->keys[at];
    ki_spatial_grow_box(&box, self->distance);
    for (uint32_t axis = 0; axis < 3; axis++) {
        cell->low[axis][at] = box.low[axis];
        cell->high[axis][at] = box.high[axis];
    }
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
    ki_spatial_key hull = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < cell->count; i++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            const double low = cell->low[axis][i], high = cell->high[axis][i];
            hull.low[axis] = low < hull.low[axis] ? low : hull.low[axis];
            hull.high[axis] = high > hull.high[axis] ? high : hull.high[axis];
        }
    }
    cell->hull = ki_spatial_area_of(&hull);
}

/* Of two levels, the one with more entries looks into the other: its cells are smaller, as a rule. */
static bool looks_into(const ki_spatial_tree *tree, uint32_t level, uint32_t other)
{
    const uint32_t count = ki_spatial_cell_count(tree, &tree->levels[level].root);
    const uint32_t others = ki_spatial_cell_count(tree, &tree->levels[other].root);
    return count > others || (count == others && level < other);
}

static void pairs_of_leaf(pair_search *self, const ki_spatial_cell *cell, uint32_t level)
{
    const ki_spatial_tree *tree = self->search.tree;
    take_cell(self, cell);
    for (uint32_t i = 0; self->cell.count > 0 && i < tree->level_count; i++) {
        self->in_own_level = i == level;
        if (self->in_own_level || looks_into(tree, level, i)) {
            ki_spatial_search_level(&self->search, &tree->levels[i], &self->cell.hull.box);
        }
    }
}

static void pairs_of_cell(pair_search *self, const ki_spatial_cell *cell, uint32_t level)
{
    if (cell->room != KI_SPATIAL_NODE) {
        if (cell->count > 0 && self->results->found <= KI_PAIRS_MOST) {
            pairs_of_leaf(self, cell, level);
        }
        return;
    }
    const ki_spatial_node *node = ki_spatial_node_of(self->search.tree, cell);
    for (uint32_t i = 0; i < node->cell_count; i++) {
        pairs_of_cell(self, &node->cells[i], level);
    }
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
    self.search = (ki_spatial_search){.tree = tree, .leaf = pair_leaf};
    self.distance = distance;
    self.square = ki_spatial_square_of(distance);
    self.filter = filter;
    self.results = results;
    for (uint32_t i = 0; i < tree->level_count; i++) {
        pairs_of_cell(&self, &tree->levels[i].root, i);
    }
    if (results->found > 1 && results->found <= results->capacity) {
        sort_pairs(results);
    }
}
