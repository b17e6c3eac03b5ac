/* At the end of a refresh, a kind is told which entities left and came. */
#ifndef KI_INDEX_APPLY_MOVES_H
#define KI_INDEX_APPLY_MOVES_H

#include "index/frame.h"

/* Tells the kind of all moves that are noted, and forgets them. KITH_ERR_MEMORY. */
kith_result ki_index_apply_moves(kith_index *index);

#endif
