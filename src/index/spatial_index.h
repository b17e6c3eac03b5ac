/* The spatial kind of index: a tree, and moves that it was told of and has not made yet. */
#ifndef KI_INDEX_SPATIAL_INDEX_H
#define KI_INDEX_SPATIAL_INDEX_H

#include "index/frame.h"
#include "index/spatial_tree.h"

/* Moves are made this many at a time: see ki_spatial_tree_move_many. */
enum { KI_SPATIAL_MOVES = 256 };

/* A refresh makes up to so many changes one by one, or one for every so many entries. A change takes
 * some 20 times as long as an entry of a tree that is filled. */
enum { KI_SPATIAL_CHANGES = 64, KI_SPATIAL_PER_CHANGE = 16 };

typedef struct ki_spatial_data {
    ki_spatial_tree tree;
    unsigned char *from; /* room for KI_SPATIAL_MOVES entries each: where entities were, */
    unsigned char *to;   /* and where they are */
    uint32_t moves;
    uint32_t changes; /* that a refresh told of; above KI_SPATIAL_CHANGES the tree is filled anew */
    uint32_t known;   /* entities that it was told of; the tree lacks those that are not finite */
    bool adjacent;    /* the component has the coordinates as a key has them */
} ki_spatial_data;

extern const ki_index_calls ki_spatial_index;

#endif
