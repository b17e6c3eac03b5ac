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

/* The nodes that a coordinate leads through, from the root on, and the cell at the end, which is
 * no node. */
typedef struct tree_path {
    ki_spatial_node *nodes[KI_SPATIAL_DEPTH_MOST];
    ki_spatial_cell *cells[KI_SPATIAL_DEPTH_MOST]; /* those of the nodes */
    ki_spatial_cell *cell;
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

static tree_path find_path(const ki_spatial_tree *tree, ki_spatial_level *level, kith_entity entity,
                           const ki_spatial_key *key)
{
    tree_path path; /* most of it stays unwritten */
    path.cell = &level->root;
    path.length = 0;
    while (path.cell->room == KI_SPATIAL_NODE) {
        ki_spatial_node *node = ki_spatial_node_of(tree, path.cell);
        path.cells[path.length] = path.cell;
        path.nodes[path.length++] = node;
        path.cell = &node->cells[ki_spatial_cell_of(node, entity, key->low, tree->shape.dims)];
    }
    return path;
}

static unsigned char *entry_at(const ki_spatial_tree *tree, const ki_spatial_cell *cell, uint32_t i)
{
    return ki_spatial_pool_at(&tree->pool, cell->start) + (size_t)i * tree->shape.stride;
}

/* Which of a cell's entries this is; their count if none is. While an entity moves it may be in one
 * cell with both keys, so that all bytes are compared. */
static uint32_t find_entry(const ki_spatial_tree *tree, const ki_spatial_cell *cell,
                           kith_entity entity, const ki_spatial_key *key)
{
    double wanted[7];
    ki_spatial_entry_write(tree->shape, (unsigned char *)wanted, entity, key);
    const unsigned char *entry = entry_at(tree, cell, 0);
    for (uint32_t i = 0; i < cell->count; i++, entry += tree->shape.stride) {
        if (ki_spatial_entity(entry).index1 == entity.index1 &&
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
                              kith_entity entity, const ki_spatial_key *key)
{
    double entries[(KI_SPATIAL_LEAF + 1) * 7];
    unsigned char *bytes = (unsigned char *)entries;
    KI_ASSERT((KI_SPATIAL_LEAF + 1) * (size_t)tree->shape.stride <= sizeof entries);
    unsigned char *end = ki_spatial_cell_copy(tree, cell, bytes);
    ki_spatial_entry_write(tree->shape, end, entity, key);
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
        const ki_spatial_node *node = path->nodes[i];
        if (node->count / NODE_GROWTH > node->built || node->count < node->built / NODE_GROWTH) {
            rebuild_cell(tree, path->cells[i], node->depth);
            return true;
        }
    }
    return false;
}

static void count_in_nodes(const tree_path *path, uint32_t more)
{
    for (uint32_t i = 0; i < path->length; i++) {
        path->nodes[i]->count += more;
    }
}

/* Adds an entry to a cell that has fewer than KI_SPATIAL_LEAF. Room for an array is reserved. */
static void add_to_cell(ki_spatial_tree *tree, ki_spatial_cell *cell, kith_entity entity,
                        const ki_spatial_key *key)
{
    if (cell->count == cell->room) {
        change_room(tree, cell, cell->room + KI_SPATIAL_STEP);
    }
    ki_spatial_entry_write(tree->shape, entry_at(tree, cell, cell->count++), entity, key);
}

kith_result ki_spatial_tree_insert(ki_spatial_tree *tree, kith_entity entity,
                                   const ki_spatial_key *key)
{
    if (!ki_spatial_key_is_found(key)) {
        return KITH_OK;
    }
    KI_TRY(reserve_array(tree));
    ki_spatial_level *level = ki_spatial_level_make(tree, ki_spatial_level_size(key));
    if (level == NULL) {
        return KITH_ERR_MEMORY;
    }
    const tree_path path = find_path(tree, level, entity, key);
    if (path.cell->count == KI_SPATIAL_LEAF) {
        KI_TRY(split_cell(tree, path.cell, path.length, entity, key));
    } else {
        add_to_cell(tree, path.cell, entity, key);
    }
    tree->count++;
    count_in_nodes(&path, 1);
    balance(tree, &path);
    return KITH_OK;
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

void ki_spatial_tree_remove(ki_spatial_tree *tree, kith_entity entity, const ki_spatial_key *key)
{
    ki_spatial_level *level = ki_spatial_key_is_found(key)
                                  ? ki_spatial_level_find(tree, ki_spatial_level_size(key))
                                  : NULL;
    if (level == NULL) {
        return;
    }
    const tree_path path = find_path(tree, level, entity, key);
    const uint32_t at = find_entry(tree, path.cell, entity, key);
    if (at < path.cell->count) {
        remove_from_cell(tree, path.cell, at);
        tree->count--;
        count_in_nodes(&path, UINT32_MAX);
        balance(tree, &path);
    }
}

/* Moves an entry within its level, if its new cell is not full. Room for an array is reserved. */
static bool move_in_level(ki_spatial_tree *tree, kith_entity entity, const ki_spatial_key *from,
                          const ki_spatial_key *to)
{
    const double size = ki_spatial_level_size(from);
    ki_spatial_level *level = ki_spatial_level_find(tree, size);
    if (level == NULL || ki_spatial_level_size(to) != size) {
        return false;
    }
    const tree_path path = find_path(tree, level, entity, from);
    const tree_path other = find_path(tree, level, entity, to);
    const uint32_t at = find_entry(tree, path.cell, entity, from);
    if (at == path.cell->count) {
        return false;
    }
    if (path.cell == other.cell) {
        ki_spatial_entry_write(tree->shape, entry_at(tree, path.cell, at), entity, to);
        return true;
    }
    if (other.cell->count == KI_SPATIAL_LEAF) {
        return false;
    }
    remove_from_cell(tree, path.cell, at);
    add_to_cell(tree, other.cell, entity, to);
    count_in_nodes(&path, UINT32_MAX);
    count_in_nodes(&other, 1);
    if (!balance(tree, &path)) {
        balance(tree, &other);
    }
    return true;
}

kith_result ki_spatial_tree_move(ki_spatial_tree *tree, kith_entity entity,
                                 const ki_spatial_key *from, const ki_spatial_key *to)
{
    KI_TRY(reserve_array(tree));
    const bool was_found = ki_spatial_key_is_found(from), is_found = ki_spatial_key_is_found(to);
    if (was_found && is_found && move_in_level(tree, entity, from, to)) {
        return KITH_OK;
    }
    KI_TRY(ki_spatial_tree_insert(tree, entity, to));
    ki_spatial_tree_remove(tree, entity, from);
    return KITH_OK;
}

/* ---- Many moves ---------------------------------------------------------------------------------- */

/* So many moves are looked up before the first of them is made: what they need comes from memory
 * at once. That takes a fourth of the time of one after the other, at a million entries. */
enum { MOVES_AHEAD = 32, FETCH_BYTES = 64 };

/* The cell of an entry in the outermost grid; NULL if there is no such grid. */
static const ki_spatial_cell *outer_cell(const ki_spatial_tree *tree, const unsigned char *entry)
{
    const ki_spatial_key key = ki_spatial_entry_key(tree->shape, entry);
    const ki_spatial_level *level =
        ki_spatial_level_find(tree, tree->shape.boxes ? ki_spatial_level_size(&key) : 0);
    if (level == NULL || level->root.room != KI_SPATIAL_NODE) {
        return NULL;
    }
    const ki_spatial_node *node = ki_spatial_node_of(tree, &level->root);
    return &node->cells[ki_spatial_cell_of(node, ki_spatial_entity(entry), key.low,
                                           tree->shape.dims)];
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

static void fetch_moves(const ki_spatial_tree *tree, const unsigned char *from,
                        const unsigned char *to, uint32_t count)
{
    const ki_spatial_cell *cells[2 * MOVES_AHEAD];
    for (size_t i = 0; i < count; i++) {
        cells[2 * i] = outer_cell(tree, from + i * tree->shape.stride);
        cells[2 * i + 1] = outer_cell(tree, to + i * tree->shape.stride);
        KITH_PREFETCH_(cells[2 * i]);
        KITH_PREFETCH_(cells[2 * i + 1]);
    }
    for (uint32_t i = 0; i < 2 * count; i++) {
        fetch_entries(tree, cells[i]);
    }
}

kith_result ki_spatial_tree_move_many(ki_spatial_tree *tree, const unsigned char *from,
                                      const unsigned char *to, uint32_t count)
{
    const ki_spatial_shape shape = tree->shape;
    for (uint32_t first = 0; first < count; first += MOVES_AHEAD) {
        const uint32_t some = count - first < MOVES_AHEAD ? count - first : MOVES_AHEAD;
        fetch_moves(tree, from, to, some);
        for (uint32_t i = 0; i < some; i++, from += shape.stride, to += shape.stride) {
            const ki_spatial_key old = ki_spatial_entry_key(shape, from);
            const ki_spatial_key new = ki_spatial_entry_key(shape, to);
            KI_TRY(ki_spatial_tree_move(tree, ki_spatial_entity(from), &old, &new));
        }
    }
    return KITH_OK;
}
