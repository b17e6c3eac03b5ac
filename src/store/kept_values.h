/* Values of a component as they were at one time, for as long as no entity comes, goes or moves. Their
 * blocks are shared: one is copied when it is written meanwhile. */
#ifndef KI_STORE_KEPT_VALUES_H
#define KI_STORE_KEPT_VALUES_H

#include "store/store.h"

typedef struct ki_kept_values {
    struct kith_place_ place; /* where inline calls find them, while they are kept */
    ki_block *blocks; /* headers as they were, column after column; what place.in leads to */
    void *memory;     /* of the headers and, for KITH_TABLE, of what takes the place of tables */
    size_t bytes;
} ki_kept_values;

/* Keeps the values of a component, which has some. All that is written from then on finds the world's
 * write clock advanced. Nothing is kept on failure. KITH_ERR_MEMORY. */
kith_result ki_kept_values_take(ki_store *store, const ki_component *component,
                                ki_kept_values *kept);

/* Lets go of them. The memory for the headers stays for the next time. */
void ki_kept_values_release(ki_store *store, const ki_component *component, ki_kept_values *kept);

/* Frees that memory. Nothing is kept. */
void ki_kept_values_free(ki_heap *heap, ki_kept_values *kept);

#endif
