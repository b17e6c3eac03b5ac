/* Builds cells of entries: counts those of each cell, and puts them there. */
#include <kith/floats.h>

#include "index/spatial_build.h"

/* A node has so many cells that there are at most this many entries to a cell, and more than half
 * as many. */
enum { ENTRIES_PER_CELL = 8 };

/* So many entries, and not all, are measured to find where a grid begins and ends. */
enum { SAMPLES = 4096 };

/* What building a node needs. */
typedef struct node_draft {
    ki_spatial_tree *tree;
    ki_spatial_node *node;
    const ki_spatial_source *source;
    uint32_t *cells;  /* of each entry */
    uint32_t *places; /* of each cell: how many entries it has, then where the next one goes */
    uint32_t crowded; /* entries in cells that become nodes */
} node_draft;

/* ---- The grid of a node -------------------------------------------------------------------------- */

/* Measures the entries, or every so many of them: the others count for the outermost cells. */
static void measure_entries(const node_draft *draft, uint32_t step, double *origin, double *extents)
{
    const ki_spatial_shape shape = draft->tree->shape;
    const ki_spatial_source *source = draft->source;
    for (uint32_t axis = 0; axis < shape.dims; axis++) {
        double low = INFINITY, high = -INFINITY;
        uint64_t i = 0; /* in a run */
        for (uint32_t k = 0; k < source->run_count; k++) {
            for (; i < source->runs[k].count; i += step) {
                double number = ki_spatial_coordinate(source->runs[k].keys + i * source->key_stride,
                                                      axis, shape.wide);
                low = number < low ? number : low;
                high = number > high ? number : high;
            }
            i -= source->runs[k].count;
        }
        origin[axis] = low;
        extents[axis] = high - low;
    }
}

/* Divides the longest side in two until there are enough cells. */
static void plan_grid(const node_draft *draft, uint32_t step)
{
    const ki_spatial_shape shape = draft->tree->shape;
    ki_spatial_node *node = draft->node;
    double extents[3] = {0};
    measure_entries(draft, step, node->origin, extents);
    for (uint32_t axis = 0; axis < 3; axis++) {
        node->sizes[axis] = 1;
    }
    for (uint32_t made = 1; made < node->cell_count; made *= 2) {
        uint32_t longest = 0;
        for (uint32_t axis = 1; axis < shape.dims; axis++) {
            if (extents[axis] / node->sizes[axis] > extents[longest] / node->sizes[longest]) {
                longest = axis;
            }
        }
        node->sizes[longest] *= 2;
    }
    node->in_one_place = extents[0] == 0 && extents[1] == 0 && extents[2] == 0;
    for (uint32_t axis = 0; axis < shape.dims; axis++) {
        node->scale[axis] = extents[axis] > 0 ? node->sizes[axis] / extents[axis] : 0;
    }
}

static void plan_slots(ki_spatial_node *node)
{
    node->by_slot = true;
    node->sizes[0] = node->cell_count;
    node->sizes[1] = node->sizes[2] = 1;
}

/* False if one of the entries is not finite. */
static inline bool count_each(const node_draft *draft, uint32_t dims, bool wide)
{
    const ki_spatial_node node = *draft->node;
    const ki_spatial_source source = *draft->source;
    uint32_t *cells = draft->cells, *places = draft->places;
    bool finite = true;
    for (uint32_t k = 0; k < source.run_count; k++) {
        const unsigned char *key = source.runs[k].keys;
        const uint32_t count = source.runs[k].count;
        for (uint32_t i = 0; i < count; i++, key += source.key_stride) {
            const double low[3] = {ki_spatial_coordinate(key, 0, wide),
                                   ki_spatial_coordinate(key, 1, wide),
                                   dims == 3 ? ki_spatial_coordinate(key, 2, wide) : 0};
            const uint32_t cell = ki_spatial_cell_at(&node, low, dims);
            finite &= (low[0] - low[0]) + (low[1] - low[1]) + (low[2] - low[2]) == 0;
            cells[i] = cell;
            places[cell]++;
        }
        cells += count;
    }
    return finite;
}

static bool count_by_grid(const node_draft *draft)
{
    const ki_spatial_shape shape = draft->tree->shape;
    if (shape.dims == 2) {
        return shape.wide ? count_each(draft, 2, true) : count_each(draft, 2, false);
    }
    return shape.wide ? count_each(draft, 3, true) : count_each(draft, 3, false);
}

static void count_by_slot(node_draft *draft)
{
    const ki_spatial_source *source = draft->source;
    uint32_t *cells = draft->cells;
    for (uint32_t k = 0; k < source->run_count; k++) {
        const ki_spatial_run run = source->runs[k];
        for (size_t i = 0; i < run.count; i++) {
            const ki_spatial_key key =
                ki_spatial_key_of(draft->tree->shape, run.keys + i * source->key_stride);
            const kith_entity entity = ki_spatial_entity(run.entities + i * source->entity_stride);
            cells[i] = ki_spatial_cell_by_slot(draft->node, entity, key.low);
            draft->places[cells[i]]++;
        }
        cells += run.count;
    }
}

/* Whether a grid divides the entries; if not, no cell has a count. */
static kith_result try_grid(node_draft *draft, uint32_t step, bool *divided)
{
    plan_grid(draft, step);
    if (!count_by_grid(draft)) {
        return KITH_ERR_INPUT;
    }
    uint32_t *place = &draft->places[draft->cells[0]];
    *divided = *place < draft->source->count;
    *place = *divided ? *place : 0;
    return KITH_OK;
}

/* Counts the entries of each cell: of a grid over some of them, or over all if some do not tell
 * enough. What that does not divide is in one place. */
static kith_result count_cells(node_draft *draft)
{
    bool divided = false;
    if (draft->node->depth < KI_SPATIAL_DEPTH) {
        const uint32_t step = draft->source->count / SAMPLES + 1;
        KI_TRY(try_grid(draft, step, &divided));
        if (!divided && step > 1) {
            KI_TRY(try_grid(draft, 1, &divided));
        }
    }
    if (!divided) {
        plan_slots(draft->node);
        count_by_slot(draft);
    }
    return KITH_OK;
}

/* ---- The entries of a node ----------------------------------------------------------------------- */

/* Reserves room for all entries: arrays of cells first, and after them, for a while, the entries
 * of cells that have too many and become nodes. */
static kith_result reserve_cells(node_draft *draft, uint32_t *rooms)
{
    uint64_t needed = 0;
    for (uint32_t i = 0; i < draft->node->cell_count; i++) {
        const uint32_t count = draft->places[i];
        if (count > KI_SPATIAL_LEAF) {
            draft->crowded += count;
        } else {
            needed += ki_spatial_pool_room(count);
        }
    }
    KI_TRY(ki_spatial_pool_reserve(&draft->tree->pool, draft->tree->heap, needed + draft->crowded));
    *rooms = (uint32_t)needed;
    return KITH_OK;
}

static void place_cells(node_draft *draft, uint32_t rooms)
{
    ki_spatial_pool *pool = &draft->tree->pool;
    uint32_t crowd = pool->used + rooms;
    for (uint32_t i = 0; i < draft->node->cell_count; i++) {
        const uint32_t count = draft->places[i];
        if (count > KI_SPATIAL_LEAF) {
            draft->node->cells[i] = (ki_spatial_cell){0};
            draft->places[i] = crowd;
            crowd += count;
        } else {
            const uint32_t room = ki_spatial_pool_room(count);
            draft->node->cells[i] = (ki_spatial_cell){pool->used, (uint16_t)count, (uint16_t)room};
            draft->places[i] = pool->used;
            pool->used += room;
        }
    }
}

static inline void put_by_stride(const node_draft *draft, size_t stride)
{
    const ki_spatial_source source = *draft->source;
    const size_t head = sizeof(kith_entity);
    const uint32_t *cells = draft->cells;
    uint32_t *places = draft->places;
    for (uint32_t k = 0; k < source.run_count; k++) {
        const ki_spatial_run run = source.runs[k];
        for (size_t i = 0; i < run.count; i++) {
            const size_t place = places[cells[i]]++;
            unsigned char *to = draft->tree->pool.entries + place * stride;
            memcpy(to, run.entities + i * source.entity_stride, head);
            memcpy(to + head, run.keys + i * source.key_stride, stride - head);
        }
        cells += run.count;
    }
}

/* The copy of an entry is a few moves if the compiler knows its size. */
static void put_entries(const node_draft *draft)
{
    switch (draft->tree->shape.stride) {
    case 16: put_by_stride(draft, 16); break;
    case 20: put_by_stride(draft, 20); break;
    case 24: put_by_stride(draft, 24); break;
    case 32: put_by_stride(draft, 32); break;
    default: put_by_stride(draft, draft->tree->shape.stride); break;
    }
}

/* Makes nodes of the cells that have too many entries. These come after what is in use, each where
 * the one before ends; a cell that has few ends before. */
static kith_result build_crowded(node_draft *draft)
{
    ki_spatial_tree *tree = draft->tree;
    const size_t stride = tree->shape.stride;
    const size_t bytes = draft->crowded * stride;
    unsigned char *entries = ki_heap_alloc(tree->heap, bytes, _Alignof(double));
    if (entries == NULL) {
        return KITH_ERR_MEMORY;
    }
    const uint32_t end = tree->pool.used;
    memcpy(entries, ki_spatial_pool_at(&tree->pool, end), bytes);
    kith_result result = KITH_OK;
    uint32_t start = end;
    for (uint32_t i = 0; result == KITH_OK && i < draft->node->cell_count; i++) {
        if (draft->places[i] > end) {
            ki_spatial_run run;
            const ki_spatial_source source = ki_spatial_source_of(
                tree->shape, &run, entries + (start - end) * stride, draft->places[i] - start);
            result = ki_spatial_cell_build(tree, &source, draft->node->depth + 1,
                                           &draft->node->cells[i]);
            start = draft->places[i];
        }
    }
    ki_heap_free(tree->heap, entries, bytes, _Alignof(double));
    return result;
}

static kith_result fill_node(node_draft *draft)
{
    uint32_t rooms;
    KI_TRY(count_cells(draft));
    KI_TRY(reserve_cells(draft, &rooms));
    place_cells(draft, rooms);
    put_entries(draft);
    return draft->crowded > 0 ? build_crowded(draft) : KITH_OK;
}

/* ---- Nodes and cells ----------------------------------------------------------------------------- */

/* A node for so many entries, with empty cells. */
static ki_spatial_node *new_node(ki_spatial_tree *tree, uint32_t count, uint32_t depth)
{
    const uint32_t wanted = count / ENTRIES_PER_CELL;
    uint32_t cells = 4;
    while (depth < KI_SPATIAL_DEPTH && cells < wanted) {
        cells *= 2;
    }
    const size_t bytes = ki_spatial_node_bytes(cells);
    ki_spatial_node *node = ki_heap_alloc_zeroed(tree->heap, bytes, _Alignof(ki_spatial_node));
    if (node == NULL) {
        return NULL;
    }
    tree->node_bytes += bytes;
    node->cell_count = cells;
    node->count = node->built = count;
    node->depth = depth;
    return node;
}

/* Sorts entries into the cells of a node. */
static kith_result sort_entries(ki_spatial_tree *tree, ki_spatial_node *node,
                                const ki_spatial_source *source)
{
    node_draft draft = {.tree = tree, .node = node, .source = source};
    const size_t cells_size = ki_heap_bytes(node->count, sizeof *draft.cells);
    const size_t places_size = ki_heap_bytes(node->cell_count, sizeof *draft.places);
    draft.cells = ki_heap_alloc(tree->heap, cells_size, _Alignof(uint32_t));
    draft.places = ki_heap_alloc_zeroed(tree->heap, places_size, _Alignof(uint32_t));
    kith_result result = KITH_ERR_MEMORY;
    if (draft.cells != NULL && draft.places != NULL) {
        result = fill_node(&draft);
    }
    ki_heap_free(tree->heap, draft.cells, cells_size, _Alignof(uint32_t));
    ki_heap_free(tree->heap, draft.places, places_size, _Alignof(uint32_t));
    return result;
}

static kith_result build_node(ki_spatial_tree *tree, const ki_spatial_source *source,
                              uint32_t depth, ki_spatial_cell *cell)
{
    if (tree->place_free == 0) {
        KI_TRY(ki_heap_grow(tree->heap, &tree->places, &tree->place_capacity, tree->place_count + 1,
                            sizeof *tree->places, 4));
        tree->places[tree->place_count++].next = 0;
        tree->place_free = tree->place_count;
    }
    ki_spatial_node *node = new_node(tree, source->count, depth);
    if (node == NULL) {
        return KITH_ERR_MEMORY;
    }
    const uint32_t number = tree->place_free - 1;
    tree->place_free = tree->places[number].next;
    tree->places[number].node = node;
    ki_spatial_cell made = {.start = number, .room = KI_SPATIAL_NODE};
    const kith_result result = sort_entries(tree, node, source);
    if (result != KITH_OK) {
        ki_spatial_cell_free(tree, &made);
        return result;
    }
    *cell = made;
    return KITH_OK;
}

kith_result ki_spatial_cell_build(ki_spatial_tree *tree, const ki_spatial_source *source,
                                  uint32_t depth, ki_spatial_cell *cell)
{
    const uint32_t count = source->count;
    if (count > KI_SPATIAL_LEAF) {
        return build_node(tree, source, depth, cell);
    }
    const uint32_t room = ki_spatial_pool_room(count);
    KI_TRY(ki_spatial_pool_reserve(&tree->pool, tree->heap, room));
    *cell = (ki_spatial_cell){0};
    if (count > 0) {
        const uint32_t start = ki_spatial_pool_alloc(&tree->pool, room);
        ki_spatial_source_copy(tree->shape, source, ki_spatial_pool_at(&tree->pool, start));
        *cell = (ki_spatial_cell){start, (uint16_t)count, (uint16_t)room};
    }
    return KITH_OK;
}
