/* Exact changes of one component: what each entity's value was when anyone looked last, and when a
 * look first found it to be another. Brought up to date from the blocks that were written since, so
 * that no write has to say what it wrote. */
#ifndef KI_STORE_EXACT_H
#define KI_STORE_EXACT_H

#include <kith/entity.h>

#include "store/column.h"

typedef struct ki_exact {
    uint64_t refreshed; /* blocks that were written later have not been looked at */
    ki_column seen;     /* paged by slot: ki_seen, and behind it the value, or what the hash of a
                           value with hooks is */
} ki_exact;

typedef struct ki_seen {
    uint64_t changed;    /* the time of the look that found the value changed; 0: never seen */
    uint32_t generation; /* of whose value it is */
    uint32_t unused;
} ki_seen;

struct ki_store;
struct ki_component;

/* For values of this size; NULL if memory ran out. */
ki_exact *ki_exact_new(ki_heap *heap, uint32_t size);
void ki_exact_free(ki_space *space, ki_exact *exact);

/* Looks at all blocks that were written since the last refresh; what it finds changed has changed
 * now. From the first time on the component has a track, which tells of losses. KITH_ERR_MEMORY: some
 * was looked at, which does no harm. */
kith_result ki_exact_refresh(struct ki_store *store, struct ki_component *component);

/* Entities lose the component: what was seen of them counts no more. */
void ki_exact_forget(ki_exact *exact, const kith_entity *entities, uint32_t count);

/* Whether the value of an entity that has the component may have changed later than `looked`; exact
 * after a refresh. */
bool ki_exact_changed(const struct ki_store *store, const struct ki_component *component,
                      uint32_t index, uint64_t looked);

#endif
