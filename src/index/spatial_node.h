/* Points and boxes by where they are: a grid whose crowded cells are grids again.
 *
 * A node is a grid over the entries that it had when it was built, with about 6 to a cell. A cell
 * has up to 48 entries in an array, or is a node. So a cell of a town is divided as finely as its
 * people need, and one of the desert is large. Coordinates outside of a node's grid count for its
 * outermost cells: the cell of a coordinate never decreases as the coordinate grows, which is all
 * that a search relies on. So the grid may be anywhere, and of any size, and nothing wrong is
 * found: it only takes longer. A node that has four times the entries that it was built for, or a
 * quarter, is built anew.
 *
 * Entries that all are in one place are divided by their slots. What comes to another place in
 * their node has a cell of its own there.
 *
 * Boxes are entered by their low corner. They are sorted by size, a power of two, into levels that are
 * grids of their own: a search in a level looks so much farther below as its boxes may be long. One
 * huge box makes one level with one entry. A box goes to the least level that is at least as large as
 * it, unless that is too large; then a level is made. So a new level is never the right one for boxes
 * that are in another already. When the whole tree is built, sizes with fewer boxes than the next
 * larger one share its level.
 *
 * What is found does not depend on how the cells came to be. */
#ifndef KI_INDEX_SPATIAL_NODE_H
#define KI_INDEX_SPATIAL_NODE_H

#include "index/spatial_entry.h"
#include "index/spatial_pool.h"

/* Nodes within nodes: those in one place or below the first 24 are divided by slots, the latter
 * by two bits at a time, after which nothing is left to divide. */
enum { KI_SPATIAL_DEPTH = 24, KI_SPATIAL_DEPTH_MOST = KI_SPATIAL_DEPTH + 16 };

enum { KI_SPATIAL_NODE = UINT16_MAX };

typedef struct ki_spatial_cell {
    uint32_t start; /* its array; of a node: its number */
    uint16_t count;
    uint16_t room; /* of the array; KI_SPATIAL_NODE: it is a node */
} ki_spatial_cell;

typedef struct ki_spatial_node {
    double origin[3];  /* where the first cell begins */
    double scale[3];   /* cells per unit */
    uint32_t sizes[3]; /* cells along each axis; 1 along those that it is not divided by */
    uint32_t cell_count;
    uint32_t count; /* entries in it, and how many it was built for */
    uint32_t built;
    uint32_t depth;
    bool by_slot;
    bool in_one_place; /* by slot: all were at `origin`; the last cell has those that are not */
    ki_spatial_cell cells[];
} ki_spatial_node;

static inline size_t ki_spatial_node_bytes(uint32_t cells)
{
    return sizeof(ki_spatial_node) + cells * sizeof(ki_spatial_cell);
}

/* A node, or the number of the next unused one plus 1. */
typedef union ki_spatial_place {
    ki_spatial_node *node;
    uint32_t next;
} ki_spatial_place;

/* A level has boxes of so many sizes at most: its own, half of that, and so on. */
enum { KI_SPATIAL_LEVEL_SIZES = 4 };

/* Boxes up to a size. Points have size 0. */
typedef struct ki_spatial_level {
    double size;
    ki_spatial_cell root;
} ki_spatial_level;

typedef struct ki_spatial_tree {
    ki_heap *heap;
    ki_spatial_shape shape;
    ki_spatial_pool pool;
    ki_spatial_place *places; /* of nodes, by number */
    uint32_t place_count, place_capacity;
    uint32_t place_free;      /* the first unused one plus 1 */
    ki_spatial_level *levels; /* by size */
    uint32_t level_count, level_capacity;
    uint32_t count; /* entries that can be found */
    size_t node_bytes;
} ki_spatial_tree;

/* An empty tree takes no memory. */
void ki_spatial_tree_init(ki_spatial_tree *tree, ki_heap *heap, ki_spatial_shape shape);
void ki_spatial_tree_end(ki_spatial_tree *tree);

/* Bytes that the tree takes. */
size_t ki_spatial_tree_bytes(const ki_spatial_tree *tree);

static inline ki_spatial_node *ki_spatial_node_of(const ki_spatial_tree *tree,
                                                  const ki_spatial_cell *cell)
{
    return tree->places[cell->start].node;
}

/* The cell of a coordinate along an axis. It never decreases as the coordinate grows. NaN, which
 * infinite extents give, counts for the first. */
static inline uint32_t ki_spatial_along(const ki_spatial_node *node, uint32_t axis, double number)
{
    const double at = (number - node->origin[axis]) * node->scale[axis];
    const uint32_t size = node->sizes[axis];
    return !(at > 0) ? 0 : at >= (double)size ? size - 1 : (uint32_t)at;
}

/* The cell of a low corner. */
static inline uint32_t ki_spatial_cell_at(const ki_spatial_node *node, const double *low,
                                          uint32_t dims)
{
    uint32_t cell = dims == 3 ? ki_spatial_along(node, 2, low[2]) : 0;
    cell = cell * node->sizes[1] + ki_spatial_along(node, 1, low[1]);
    return cell * node->sizes[0] + ki_spatial_along(node, 0, low[0]);
}

static inline bool ki_spatial_is_at_origin(const ki_spatial_node *node, const double *low)
{
    return low[0] == node->origin[0] && low[1] == node->origin[1] && low[2] == node->origin[2];
}

/* The cell of an entry, in a node that is divided by slots. */
static inline uint32_t ki_spatial_cell_by_slot(const ki_spatial_node *node, kith_entity entity,
                                               const double *low)
{
    if (node->depth >= KI_SPATIAL_DEPTH) {
        return entity.index1 >> 2 * (node->depth - KI_SPATIAL_DEPTH) & 3;
    }
    if (node->in_one_place && !ki_spatial_is_at_origin(node, low)) {
        return node->cell_count - 1;
    }
    const uint64_t mixed = (entity.index1 * UINT64_C(0x9e3779b97f4a7c15)) >> 32;
    return (uint32_t)(mixed * (node->cell_count - 1) >> 32);
}

static inline uint32_t ki_spatial_cell_of(const ki_spatial_node *node, kith_entity entity,
                                          const double *low, uint32_t dims)
{
    return node->by_slot ? ki_spatial_cell_by_slot(node, entity, low)
                         : ki_spatial_cell_at(node, low, dims);
}

/* The entries of a cell, with those of the nodes in it. */
static inline uint32_t ki_spatial_cell_count(const ki_spatial_tree *tree,
                                             const ki_spatial_cell *cell)
{
    return cell->room == KI_SPATIAL_NODE ? ki_spatial_node_of(tree, cell)->count : cell->count;
}

/* Frees what a cell has, which is then empty. */
void ki_spatial_cell_free(ki_spatial_tree *tree, ki_spatial_cell *cell);

/* Frees the nodes of a cell alone: the arrays go with the pool. */
void ki_spatial_nodes_free(ki_spatial_tree *tree, const ki_spatial_cell *cell);

/* Copies the entries of a cell, and returns where the copy ends. */
unsigned char *ki_spatial_cell_copy(const ki_spatial_tree *tree, const ki_spatial_cell *cell,
                                    unsigned char *to);

/* The size of a key: a power of two, 0 or infinity. */
double ki_spatial_key_size(const ki_spatial_key *key);

/* Finds the level for keys of a size; NULL if there is none. */
ki_spatial_level *ki_spatial_level_find(const ki_spatial_tree *tree, double size);

/* The same, but makes it if there is none; NULL if memory ran out. */
ki_spatial_level *ki_spatial_level_make(ki_spatial_tree *tree, double size);

#endif
