/* Adds, removes and moves entries, one at a time. */
#include <kith/floats.h>

#include "index/spatial_tree.h"

#include "index/spatial_build.h"
#include "index/spatial_fill.h"

/* A node is built anew when it has so many times the entries that it was built for, or a part of
 * them. */
enum { NODE_GROWTH = 4 };

/* An array that has so much more room than entries is exchanged for a shorter one. */
enum { ROOM_UNUSED = 2 * KI_SPATIAL_STEP };

/* An entry, and what finds its cell. */
typedef struct tree_item {
    const unsigned char *entry;
    double low[3];
    double size; /* of its level */
    bool is_found;
} tree_item;

/* The cells that a coordinate leads through, from the root on: `length` nodes, and then the one at the
 * end, which is no node. */
typedef struct tree_path {
    ki_spatial_cell *cells[KI_SPATIAL_DEPTH_MOST + 1];
    uint32_t length;
} tree_path;

/* ---- Building anew ------------------------------------------------------------------------------- */

/* Builds the whole tree anew. If memory runs out it is as it was, and as right. */
static void rebuild_tree(ki_spatial_tree *tree)
{
    const size_t bytes = ki_heap_bytes(tree->count, tree->shape.stride);
    unsigned char *entries = ki_heap_alloc(tree->heap, bytes, _Alignof(double));
    if (entries == NULL) {
        return;
    }
    unsigned char *end = entries;
    for (uint32_t i = 0; i < tree->level_count; i++) {
        end = ki_spatial_cell_copy(tree, &tree->levels[i].root, end);
    }
    ki_spatial_run run;
    const ki_spatial_source source = ki_spatial_source_of(tree->shape, &run, entries, tree->count);
    ki_spatial_tree_fill(tree, &source);
    ki_heap_free(tree->heap, entries, bytes, _Alignof(double));
}

/* Builds a cell anew, or the whole tree if most of the entries are in the cell. If memory runs out
 * the cell is as it was, and as right. */
static void rebuild_cell(ki_spatial_tree *tree, ki_spatial_cell *cell, uint32_t depth)
{
    const uint32_t count = ki_spatial_cell_count(tree, cell);
    if (count > tree->count / 2) {
        rebuild_tree(tree);
        return;
    }
    const size_t bytes = ki_heap_bytes(count, tree->shape.stride);
    unsigned char *entries = ki_heap_alloc(tree->heap, bytes, _Alignof(double));
    if (entries == NULL) {
        return;
    }
    ki_spatial_cell_copy(tree, cell, entries);
    ki_spatial_run run;
    const ki_spatial_source source = ki_spatial_source_of(tree->shape, &run, entries, count);
    ki_spatial_cell built = {0};
    if (ki_spatial_cell_build(tree, &source, depth, &built) == KITH_OK) {
        ki_spatial_cell_free(tree, cell);
        *cell = built;
    }
    ki_heap_free(tree->heap, entries, bytes, _Alignof(double));
}

/* ---- Single entries ------------------------------------------------------------------------------ */

static tree_item item_of(const ki_spatial_tree *tree, const unsigned char *entry)
{
    const ki_spatial_key key = ki_spatial_entry_key(tree->shape, entry);
    return (tree_item){entry,
                       {key.low[0], key.low[1], key.low[2]},
                       tree->shape.boxes ? ki_spatial_key_size(&key) : 0,
                       ki_spatial_key_is_found(&key)};
}

/* The cell in a node where an item is, or would be. */
static ki_spatial_cell *cell_in_node(const ki_spatial_tree *tree, const ki_spatial_cell *cell,
                                     const tree_item *item)
{
    ki_spatial_node *node = ki_spatial_node_of(tree, cell);
    return &node->cells[ki_spatial_cell_of(node, ki_spatial_entity(item->entry), item->low,
                                           tree->shape.dims)];
}

/* Returns the cell at the end. */
static ki_spatial_cell *find_path(const ki_spatial_tree *tree, ki_spatial_level *level,
                                  const tree_item *item, tree_path *path)
{
    ki_spatial_cell *cell = &level->root;
    path->length = 0;
    while (cell->room == KI_SPATIAL_NODE) {
        path->cells[path->length++] = cell;
        cell = cell_in_node(tree, cell, item);
    }
    path->cells[path->length] = cell;
    return cell;
}

static unsigned char *entry_at(const ki_spatial_tree *tree, const ki_spatial_cell *cell, uint32_t i)
{
    return ki_spatial_pool_at(&tree->pool, cell->start) + (size_t)i * tree->shape.stride;
}

/* Which of a cell's entries this is; their count if none is. While an entity moves it may be in one
 * cell with both keys, so that all bytes are compared. */
static uint32_t find_entry(const ki_spatial_tree *tree, const ki_spatial_cell *cell,
                           const unsigned char *wanted)
{
    const uint32_t index1 = ki_spatial_entity(wanted).index1;
    const unsigned char *entry = entry_at(tree, cell, 0);
    for (uint32_t i = 0; i < cell->count; i++, entry += tree->shape.stride) {
        if (ki_spatial_entity(entry).index1 == index1 &&
            memcmp(entry, wanted, tree->shape.stride) == 0) {
            return i;
        }
    }
    return cell->count;
}

/* Gives a cell an array with other room, which is reserved. */
static void change_room(ki_spatial_tree *tree, ki_spatial_cell *cell, uint32_t room)
{
    const uint32_t start = room == 0 ? 0 : ki_spatial_pool_alloc(&tree->pool, room);
    if (cell->count > 0) {
        memcpy(ki_spatial_pool_at(&tree->pool, start), entry_at(tree, cell, 0),
               (size_t)cell->count * tree->shape.stride);
    }
    ki_spatial_pool_free(&tree->pool, cell->start, cell->room);
    cell->start = start;
    cell->room = (uint16_t)room;
}

/* Makes a node of a full cell and one more entry. */
static kith_result split_cell(ki_spatial_tree *tree, ki_spatial_cell *cell, uint32_t depth,
                              const unsigned char *entry)
{
    double entries[(KI_SPATIAL_LEAF + 1) * 7];
    unsigned char *bytes = (unsigned char *)entries;
    KI_ASSERT((KI_SPATIAL_LEAF + 1) * (size_t)tree->shape.stride <= sizeof entries);
    unsigned char *end = ki_spatial_cell_copy(tree, cell, bytes);
    memcpy(end, entry, tree->shape.stride);
    ki_spatial_run run;
    const ki_spatial_source source =
        ki_spatial_source_of(tree->shape, &run, bytes, KI_SPATIAL_LEAF + 1);
    ki_spatial_cell made;
    KI_TRY(ki_spatial_cell_build(tree, &source, depth, &made));
    ki_spatial_cell_free(tree, cell);
    *cell = made;
    return KITH_OK;
}

/* Room for two arrays of any size: an entry moves from one to another. A pool that is mostly spare
 * is built anew before it grows. */
static kith_result reserve_array(ki_spatial_tree *tree)
{
    const ki_spatial_pool *pool = &tree->pool;
    if (pool->capacity - pool->used < 2 * KI_SPATIAL_LEAF && pool->spare > 64 * KI_SPATIAL_LEAF &&
        pool->spare > pool->used / 2) {
        rebuild_tree(tree);
    }
    return ki_spatial_pool_reserve(&tree->pool, tree->heap, (uint64_t)2 * KI_SPATIAL_LEAF);
}

/* Builds the first node anew that has many more or fewer entries than it was built for. True if
 * there is one: paths that lead through it are gone. */
static bool balance(ki_spatial_tree *tree, const tree_path *path)
{
    for (uint32_t i = 0; i < path->length; i++) {
        const ki_spatial_node *node = ki_spatial_node_of(tree, path->cells[i]);
        if (node->count / NODE_GROWTH > node->built || node->count < node->built / NODE_GROWTH) {
            rebuild_cell(tree, path->cells[i], node->depth);
            return true;
        }
    }
    return false;
}

static void count_in_nodes(const ki_spatial_tree *tree, const tree_path *path, uint32_t more)
{
    for (uint32_t i = 0; i < path->length; i++) {
        ki_spatial_node_of(tree, path->cells[i])->count += more;
    }
}

/* Adds an entry to a cell that has fewer than KI_SPATIAL_LEAF. Room for an array is reserved. */
static void add_to_cell(ki_spatial_tree *tree, ki_spatial_cell *cell, const unsigned char *entry)
{
    if (cell->count == cell->room) {
        change_room(tree, cell, cell->room + KI_SPATIAL_STEP);
    }
    memcpy(entry_at(tree, cell, cell->count++), entry, tree->shape.stride);
}

static kith_result insert_item(ki_spatial_tree *tree, const tree_item *item)
{
    if (!item->is_found) {
        return KITH_OK;
    }
    KI_TRY(reserve_array(tree));
    ki_spatial_level *level = ki_spatial_level_make(tree, item->size);
    if (level == NULL) {
        return KITH_ERR_MEMORY;
    }
    tree_path path;
    ki_spatial_cell *cell = find_path(tree, level, item, &path);
    if (cell->count == KI_SPATIAL_LEAF) {
        KI_TRY(split_cell(tree, cell, path.length, item->entry));
    } else {
        add_to_cell(tree, cell, item->entry);
    }
    tree->count++;
    count_in_nodes(tree, &path, 1);
    balance(tree, &path);
    return KITH_OK;
}

kith_result ki_spatial_tree_insert(ki_spatial_tree *tree, const unsigned char *entry)
{
    const tree_item item = item_of(tree, entry);
    return insert_item(tree, &item);
}

/* Removes an entry from its cell. The last one takes its place. */
static void remove_from_cell(ki_spatial_tree *tree, ki_spatial_cell *cell, uint32_t at)
{
    cell->count--;
    if (at < cell->count) {
        memcpy(entry_at(tree, cell, at), entry_at(tree, cell, cell->count), tree->shape.stride);
    }
    const uint32_t room = ki_spatial_pool_room(cell->count);
    if (cell->count == 0 || (cell->room - cell->count >= ROOM_UNUSED &&
                             (tree->pool.free[room / KI_SPATIAL_STEP] != 0 ||
                              tree->pool.capacity - tree->pool.used >= room))) {
        change_room(tree, cell, room);
    }
}

static void remove_item(ki_spatial_tree *tree, const tree_item *item)
{
    ki_spatial_level *level = item->is_found ? ki_spatial_level_find(tree, item->size) : NULL;
    if (level == NULL) {
        return;
    }
    tree_path path;
    ki_spatial_cell *cell = find_path(tree, level, item, &path);
    const uint32_t at = find_entry(tree, cell, item->entry);
    if (at < cell->count) {
        remove_from_cell(tree, cell, at);
        tree->count--;
        count_in_nodes(tree, &path, UINT32_MAX);
        balance(tree, &path);
    }
}

void ki_spatial_tree_remove(ki_spatial_tree *tree, const unsigned char *entry)
{
    const tree_item item = item_of(tree, entry);
    remove_item(tree, &item);
}

/* Moves an item within its level, if its new cell is not full. Room for an array is reserved. */
static bool move_in_level(ki_spatial_tree *tree, const tree_item *from, const tree_item *to)
{
    ki_spatial_level *level = ki_spatial_level_find(tree, from->size);
    if (level == NULL || level != ki_spatial_level_find(tree, to->size)) {
        return false;
    }
    tree_path path, other;
    ki_spatial_cell *cell = find_path(tree, level, from, &path);
    ki_spatial_cell *next = find_path(tree, level, to, &other);
    const uint32_t at = find_entry(tree, cell, from->entry);
    if (at == cell->count) {
        return false;
    }
    if (cell == next) {
        memcpy(entry_at(tree, cell, at), to->entry, tree->shape.stride);
        return true;
    }
    if (next->count == KI_SPATIAL_LEAF) {
        return false;
    }
    remove_from_cell(tree, cell, at);
    add_to_cell(tree, next, to->entry);
    count_in_nodes(tree, &path, UINT32_MAX);
    count_in_nodes(tree, &other, 1);
    if (!balance(tree, &path)) {
        balance(tree, &other);
    }
    return true;
}

static kith_result move_item(ki_spatial_tree *tree, const tree_item *from, const tree_item *to)
{
    KI_TRY(reserve_array(tree));
    if (from->is_found && to->is_found && move_in_level(tree, from, to)) {
        return KITH_OK;
    }
    KI_TRY(insert_item(tree, to));
    remove_item(tree, from);
    return KITH_OK;
}

/* ---- Many moves ---------------------------------------------------------------------------------- */

/* So many moves are looked up before the first of them is made: what they need comes from memory
 * at once. That takes a fourth of the time of one after the other, at a million entries. */
enum { MOVES_AHEAD = 32, FETCH_BYTES = 64 };

/* The cell of an item in the outermost grid; NULL if there is no such grid. */
static const ki_spatial_cell *outer_cell(const ki_spatial_tree *tree, const tree_item *item)
{
    const ki_spatial_level *level = ki_spatial_level_find(tree, item->size);
    return level == NULL || level->root.room != KI_SPATIAL_NODE
               ? NULL
               : cell_in_node(tree, &level->root, item);
}

static void fetch_entries(const ki_spatial_tree *tree, const ki_spatial_cell *cell)
{
    if (cell != NULL && cell->count > 0) {
        const unsigned char *entries = entry_at(tree, cell, 0);
        const size_t bytes = (size_t)cell->count * tree->shape.stride;
        for (size_t line = 0; line <= bytes; line += FETCH_BYTES) {
            KITH_PREFETCH_(entries + line, 1);
        }
    }
}

static void fetch_items(const ki_spatial_tree *tree, const tree_item *items, uint32_t count)
{
    const ki_spatial_cell *cells[2 * MOVES_AHEAD];
    for (uint32_t i = 0; i < count; i++) {
        cells[i] = outer_cell(tree, &items[i]);
        KITH_PREFETCH_(cells[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        fetch_entries(tree, cells[i]);
    }
}

kith_result ki_spatial_tree_move_many(ki_spatial_tree *tree, const unsigned char *from,
                                      const unsigned char *to, uint32_t count)
{
    const uint32_t stride = tree->shape.stride;
    tree_item items[2 * MOVES_AHEAD]; /* of each move where it begins, and where it ends */
    for (uint32_t first = 0; first < count; first += MOVES_AHEAD) {
        const uint32_t some = count - first < MOVES_AHEAD ? count - first : MOVES_AHEAD;
        for (uint32_t i = 0; i < 2 * some; i += 2, from += stride, to += stride) {
            items[i] = item_of(tree, from);
            items[i + 1] = item_of(tree, to);
        }
        fetch_items(tree, items, 2 * some);
        for (uint32_t i = 0; i < 2 * some; i += 2) {
            KI_TRY(move_item(tree, &items[i], &items[i + 1]));
        }
    }
    return KITH_OK;
}
