/* Moves: entities that were found to have left a row, or to have come to one, while an index is brought
 * up to date. An entity that did both has moved, and its entry stays. */
#ifndef KI_INDEX_MOVES_H
#define KI_INDEX_MOVES_H

#include <kith/entity.h>

#include "base/heap.h"

#define KI_KEY_BYTES_MAX 48u

typedef struct ki_move {
    kith_entity entity; /* KITH_NONE: done */
    uint32_t key[KI_KEY_BYTES_MAX / sizeof(uint32_t)];
} ki_move;

typedef struct ki_move_list {
    ki_move *list;
    uint32_t count;
    uint32_t capacity;
} ki_move_list;

typedef struct ki_moves {
    ki_move_list left;
    ki_move_list came;
} ki_moves;

/* Makes room for one move. KITH_ERR_MEMORY. */
kith_result ki_move_list_reserve(ki_heap *heap, ki_move_list *list);
void ki_move_list_add(ki_move_list *list, kith_entity entity, const void *key, uint32_t key_size);
void ki_moves_free(ki_heap *heap, ki_moves *moves);

#endif
