/* What kith_disabled comes to: which entities have it, or an ancestor of theirs does. A bit for each
 * slot, derived from the tag and from the links of kith_child_of. Queries ask these bits where their
 * terms name the tag.
 *
 * They are brought up to date before a query answers, from the blocks that were written since. That
 * takes no memory, and so cannot fail: bits have room for all slots that there is room for. No snapshot
 * holds them, and no hash. */
#ifndef KI_STORE_DISABLED_H
#define KI_STORE_DISABLED_H

#include "store/relation.h"

typedef struct ki_disabled {
    ki_component *own;      /* kith_disabled */
    ki_component inherited; /* what terms ask in its place: a slot tag, which is none of the store's */
    uint64_t looked;        /* write clock of the last look; 0: all is to be looked at */
    uint32_t own_blocks;    /* how many there were then: of the tag's bits, */
    uint32_t link_blocks;   /* and of links to parents */
    uint64_t turned;        /* bits that ever changed */
} ki_disabled;

/* Makes them for the component of kith_disabled, with room for all slots. KITH_ERR_MEMORY. */
kith_result ki_disabled_new(ki_store *store, ki_component *own);
void ki_disabled_free(ki_store *store);

/* Columns became what a snapshot holds, with its stamps: all is looked at again. */
void ki_disabled_distrust(ki_store *store);

void ki_disabled_refresh_slow(ki_store *store);

/* Brings the bits up to date; by the thread of the world's owner. */
static inline void ki_disabled_refresh(ki_store *store)
{
    if (store->disabled != NULL) {
        ki_disabled_refresh_slow(store);
    }
}

/* What a query asks where a term names this component. */
static inline ki_component *ki_disabled_asked(const ki_store *store, ki_component *component)
{
    return store->disabled != NULL && store->disabled->own == component
               ? &store->disabled->inherited
               : component;
}

/* Whether a component is what queries ask in place of kith_disabled. */
static inline bool ki_disabled_is(const ki_store *store, const ki_component *component)
{
    return store->disabled != NULL && component == &store->disabled->inherited;
}

/* Whether the entity in a slot has the tag, or an ancestor does: by asking all of them, up to date or
 * not. For a slot without an entity: no. */
bool ki_disabled_climb(const ki_store *store, uint32_t index);

/* Compares the bits with what they come from, if they are up to date. NULL: all is well. */
const char *ki_disabled_check(const ki_store *store);

#endif
