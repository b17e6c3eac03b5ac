/* Begins and ends a tree, its levels and nodes. */
#include <kith/floats.h>

#include "index/spatial_node.h"

/* ---- Nodes --------------------------------------------------------------------------------------- */

static void free_node(ki_spatial_tree *tree, ki_spatial_node *node)
{
    tree->node_bytes -= ki_spatial_node_bytes(node->cell_count);
    ki_heap_free(tree->heap, node, ki_spatial_node_bytes(node->cell_count),
                 _Alignof(ki_spatial_node));
}

void ki_spatial_nodes_free(ki_spatial_tree *tree, const ki_spatial_cell *cell)
{
    if (cell->room == KI_SPATIAL_NODE) {
        ki_spatial_node *node = ki_spatial_node_of(tree, cell);
        for (uint32_t i = 0; i < node->cell_count; i++) {
            ki_spatial_nodes_free(tree, &node->cells[i]);
        }
        free_node(tree, node);
    }
}

void ki_spatial_cell_free(ki_spatial_tree *tree, ki_spatial_cell *cell)
{
    if (cell->room == KI_SPATIAL_NODE) {
        ki_spatial_node *node = ki_spatial_node_of(tree, cell);
        for (uint32_t i = 0; i < node->cell_count; i++) {
            ki_spatial_cell_free(tree, &node->cells[i]);
        }
        free_node(tree, node);
        tree->places[cell->start].next = tree->place_free;
        tree->place_free = cell->start + 1;
    } else {
        ki_spatial_pool_free(&tree->pool, cell->start, cell->room);
    }
    *cell = (ki_spatial_cell){0};
}

unsigned char *ki_spatial_cell_copy(const ki_spatial_tree *tree, const ki_spatial_cell *cell,
                                    unsigned char *to)
{
    if (cell->room == KI_SPATIAL_NODE) {
        const ki_spatial_node *node = ki_spatial_node_of(tree, cell);
        for (uint32_t i = 0; i < node->cell_count; i++) {
            to = ki_spatial_cell_copy(tree, &node->cells[i], to);
        }
        return to;
    }
    const size_t bytes = (size_t)cell->count * tree->shape.stride;
    if (bytes > 0) {
        memcpy(to, ki_spatial_pool_at(&tree->pool, cell->start), bytes);
    }
    return to + bytes;
}

/* ---- The tree ------------------------------------------------------------------------------------ */

void ki_spatial_tree_init(ki_spatial_tree *tree, ki_heap *heap, ki_spatial_shape shape)
{
    *tree = (ki_spatial_tree){.heap = heap, .shape = shape, .pool = {.stride = shape.stride}};
}

void ki_spatial_tree_end(ki_spatial_tree *tree)
{
    for (uint32_t i = 0; i < tree->level_count; i++) {
        ki_spatial_nodes_free(tree, &tree->levels[i].root);
    }
    const size_t align = _Alignof(max_align_t);
    ki_heap_free(tree->heap, tree->levels, tree->level_capacity * sizeof *tree->levels, align);
    ki_heap_free(tree->heap, tree->places, tree->place_capacity * sizeof *tree->places, align);
    ki_spatial_pool_end(&tree->pool, tree->heap);
    ki_spatial_tree_init(tree, tree->heap, tree->shape);
}

size_t ki_spatial_tree_bytes(const ki_spatial_tree *tree)
{
    return tree->node_bytes + (size_t)tree->pool.capacity * tree->pool.stride +
           tree->level_capacity * sizeof *tree->levels +
           tree->place_capacity * sizeof *tree->places;
}

/* ---- Levels -------------------------------------------------------------------------------------- */

/* The least power of two that is at least as long as the longest side, or infinity. */
double ki_spatial_key_size(const ki_spatial_key *key)
{
    double side = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const double length = key->high[axis] - key->low[axis];
        side = length > side ? length : side;
    }
    uint64_t bits;
    memcpy(&bits, &side, sizeof bits);
    const uint64_t mantissa = (UINT64_C(1) << 52) - 1;
    bits = (bits + mantissa) & ~mantissa;
    memcpy(&side, &bits, sizeof side);
    return side;
}

ki_spatial_level *ki_spatial_level_find(const ki_spatial_tree *tree, double size)
{
    const double most = 1 << (KI_SPATIAL_LEVEL_SIZES - 1);
    for (uint32_t i = 0; i < tree->level_count; i++) {
        ki_spatial_level *level = &tree->levels[i];
        if (level->size >= size) {
            return level->size <= size * most ? level : NULL;
        }
    }
    return NULL;
}

ki_spatial_level *ki_spatial_level_make(ki_spatial_tree *tree, double size)
{
    ki_spatial_level *level = ki_spatial_level_find(tree, size);
    if (level != NULL) {
        return level;
    }
    if (ki_heap_grow(tree->heap, &tree->levels, &tree->level_capacity, tree->level_count + 1,
                     sizeof *tree->levels, 1) != KITH_OK) {
        return NULL;
    }
    level = &tree->levels[tree->level_count++];
    for (; level > tree->levels && level[-1].size > size; level--) {
        *level = level[-1];
    }
    *level = (ki_spatial_level){.size = size};
    return level;
}
