/* Adds, removes and moves the entries of a spatial tree; spatial_node.h tells what it is. */
#ifndef KI_INDEX_SPATIAL_TREE_H
#define KI_INDEX_SPATIAL_TREE_H

#include "index/spatial_node.h"

/* Adds the entry of an entity that is not in the tree. One that nothing finds is not added, and this is
 * no error. KITH_ERR_MEMORY, KITH_ERR_LIMIT: the tree is as it was. */
kith_result ki_spatial_tree_insert(ki_spatial_tree *tree, const unsigned char *entry);

/* Removes an entry that was added. */
void ki_spatial_tree_remove(ki_spatial_tree *tree, const unsigned char *entry);

/* Removes entries, and inserts those that take their places: `from` and `to` are so many, one after the
 * other in memory. KITH_ERR_MEMORY, KITH_ERR_LIMIT: the first ones are moved, and the others are as they
 * were. */
kith_result ki_spatial_tree_move_many(ki_spatial_tree *tree, const unsigned char *from,
                                      const unsigned char *to, uint32_t count);

/* What is broken in the tree, or NULL. */
const char *ki_spatial_tree_check(const ki_spatial_tree *tree);

#endif
