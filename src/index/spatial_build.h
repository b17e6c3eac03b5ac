/* Builds cells of entries. */
#ifndef KI_INDEX_SPATIAL_BUILD_H
#define KI_INDEX_SPATIAL_BUILD_H

#include "index/spatial_node.h"

/* Makes a cell of entries: an array, or a node. Its depth is that of a node. KITH_ERR_MEMORY,
 * KITH_ERR_LIMIT, and KITH_ERR_INPUT if there are many and one is not finite: the cell and all
 * entries of the tree are as they were. */
kith_result ki_spatial_cell_build(ki_spatial_tree *tree, const ki_spatial_source *source,
                                  uint32_t depth, ki_spatial_cell *cell);

#endif
