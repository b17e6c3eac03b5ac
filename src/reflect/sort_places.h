/* The place of each entity in the hierarchy, as a number to sort by: level by level, the children of one
 * parent together and in their order. */
#ifndef KI_REFLECT_SORT_PLACES_H
#define KI_REFLECT_SORT_PLACES_H

#include <kith/query.h>

#include "store/store.h"

typedef struct ki_sort_places {
    uint32_t *of;    /* by slot; of entities that were not added, nor are below one, anything */
    uint32_t *queue; /* slots, in order */
    uint32_t slots;
    uint32_t count; /* of the queue */
} ki_sort_places;

/* Room for all slots. KITH_ERR_MEMORY: ki_sort_places_free is to be called all the same. */
kith_result ki_sort_places_begin(ki_sort_places *places, ki_store *store);
void ki_sort_places_free(ki_sort_places *places, ki_store *store);

/* Adds the entities of rows that have no parent, after those that were added before. */
void ki_sort_places_add_roots(ki_sort_places *places, const ki_store *store, const ki_rows *rows);

/* Gives places to all that were added and to those below them. Other entities without a parent come
 * after the ones that were added, by slot. `order` is KITH_PARENTS_FIRST or KITH_CHILDREN_FIRST. */
void ki_sort_places_end(ki_sort_places *places, const ki_store *store, kith_order order);

#endif
