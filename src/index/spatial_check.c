/* Whether a tree keeps its rules. */
#include <kith/floats.h>

#include "index/spatial_tree.h"

/* What was met on the way. */
typedef struct tree_check {
    const ki_spatial_tree *tree;
    const ki_spatial_level *level;
    uint64_t entries;
    uint64_t rooms;
    uint64_t nodes;
    size_t node_bytes;
} tree_check;

static const char *check_leaf(tree_check *check, const ki_spatial_cell *cell,
                              const ki_spatial_node *node, uint32_t number)
{
    const ki_spatial_tree *tree = check->tree;
    const ki_spatial_shape shape = tree->shape;
    if (cell->count > cell->room || cell->room > KI_SPATIAL_LEAF ||
        cell->room % KI_SPATIAL_STEP != 0 || cell->start + (uint64_t)cell->room > tree->pool.used) {
        if (cell->room > 0) {
            return "a cell of a spatial index is not within its room";
        }
    }
    for (uint32_t i = 0; i < cell->count; i++) {
        const unsigned char *entry = ki_spatial_pool_at(&tree->pool, cell->start + i);
        const ki_spatial_key key = ki_spatial_entry_key(shape, entry);
        if (!ki_spatial_key_is_found(&key) || 
            ki_spatial_level_find(tree, ki_spatial_key_size(&key)) != check->level) {
            return "an entry of a spatial index is in the wrong level";
        }
        const kith_entity entity = ki_spatial_entity(entry);
        if (node != NULL && number != ki_spatial_cell_of(node, entity, key.low, shape.dims)) {
            return "an entry of a spatial index is in the wrong cell";
        }
    }
    check->entries += cell->count;
    check->rooms += cell->room;
    return NULL;
}

static const char *check_cell(tree_check *check, const ki_spatial_cell *cell,
                              const ki_spatial_node *parent, uint32_t number)
{
    if (cell->room != KI_SPATIAL_NODE) {
        return check_leaf(check, cell, parent, number);
    }
    if (cell->start >= check->tree->place_count) {
        return "a cell of a spatial index has no node";
    }
    const ki_spatial_node *node = ki_spatial_node_of(check->tree, cell);
    const uint64_t before = check->entries;
    check->nodes++;
    check->node_bytes += sizeof *node + node->cell_count * sizeof *node->cells;
    if (node->depth != (parent == NULL ? 0 : parent->depth + 1) ||
        node->cell_count != node->sizes[0] * node->sizes[1] * node->sizes[2]) {
        return "a node of a spatial index has a wrong size or depth";
    }
    for (uint32_t i = 0; i < node->cell_count; i++) {
        const char *broken = check_cell(check, &node->cells[i], node, i);
        if (broken != NULL) {
            return broken;
        }
    }
    return check->entries - before == node->count ? NULL
                                                  : "a node of a spatial index has a wrong count";
}

/* The nodes that are unused, and whether their list ends. */
static uint64_t unused_places(const ki_spatial_tree *tree)
{
    uint64_t unused = 0;
    for (uint32_t place = tree->place_free; place != 0 && unused <= tree->place_count;
         place = tree->places[place - 1].next) {
        unused++;
    }
    return unused;
}

const char *ki_spatial_tree_check(const ki_spatial_tree *tree)
{
    tree_check check = {.tree = tree};
    for (uint32_t i = 0; i < tree->level_count; i++) {
        const ki_spatial_level *level = &tree->levels[i];
        if (i > 0 && !(level->size > level[-1].size)) {
            return "levels of a spatial index are not in order";
        }
        check.level = level;
        const char *broken = check_cell(&check, &level->root, NULL, 0);
        if (broken != NULL) {
            return broken;
        }
    }
    if (check.entries != tree->count || check.rooms + tree->pool.spare != tree->pool.used ||
        check.nodes + unused_places(tree) != tree->place_count ||
        check.node_bytes != tree->node_bytes) {
        return "a spatial index has lost entries, arrays or nodes";
    }
    return NULL;
}
