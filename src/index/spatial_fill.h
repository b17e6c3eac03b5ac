/* Fills a tree with many entries at once. */
#ifndef KI_INDEX_SPATIAL_FILL_H
#define KI_INDEX_SPATIAL_FILL_H

#include "index/spatial_node.h"

/* Puts entries in place of all that is in the tree. Those that nothing finds are left out.
 * KITH_ERR_MEMORY, KITH_ERR_LIMIT: the tree is as it was. */
kith_result ki_spatial_tree_fill(ki_spatial_tree *tree, const ki_spatial_source *source);

#endif
