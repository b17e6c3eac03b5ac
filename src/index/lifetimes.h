/* Lifetimes: who lived in each slot at the last look, and in which slots that has changed since. For
 * live queries that reach an entity which nothing but its end may change. */
#ifndef KI_INDEX_LIFETIMES_H
#define KI_INDEX_LIFETIMES_H

#include "index/live_follower.h"

typedef struct ki_lifetimes {
    uint64_t *seen; /* by slot: twice the generation, and 1 more if it lived */
    uint32_t capacity;
    uint32_t slots;  /* that were seen */
    uint64_t looked; /* the write clock at the last look; 0: there was none */
} ki_lifetimes;

void ki_lifetimes_free(ki_heap *heap, ki_lifetimes *lifetimes);

/* Makes room for the slots of a store. KITH_ERR_MEMORY. */
kith_result ki_lifetimes_reserve(ki_lifetimes *lifetimes, const ki_store *store);

/* Notes the slots in which another entity lives than was kept, or none; at first, all that live. There
 * is room. Takes time for the blocks of records that were written since. */
void ki_lifetimes_look(ki_lifetimes *lifetimes, const ki_store *store, ki_live_notes *notes);

/* Whether an entity lived when that was kept. */
bool ki_lifetimes_saw(const ki_lifetimes *lifetimes, kith_entity entity);

/* Keeps who lives now, for the next look. Takes as long as that. */
void ki_lifetimes_keep(ki_lifetimes *lifetimes, ki_store *store);

#endif
