/* The spatial kind of index: a tree, and moves that it was told of and has not made yet. */
#ifndef KI_INDEX_SPATIAL_INDEX_H
#define KI_INDEX_SPATIAL_INDEX_H

#include "index/frame.h"
#include "index/spatial_tree.h"

/* Moves are made this many at a time: see ki_spatial_tree_move_many. */
enum { KI_SPATIAL_MOVES = 256 };

typedef struct ki_spatial_data {
    ki_spatial_tree tree;
    unsigned char *from; /* room for KI_SPATIAL_MOVES entries each: where entities were, */
    unsigned char *to;   /* and where they are */
    uint32_t moves;
    bool adjacent; /* the component has the coordinates as a key has them */
} ki_spatial_data;

extern const ki_index_calls ki_spatial_index;

#endif
