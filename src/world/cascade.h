/* A cascade: what ends together with some entities, since relations lead to these, and what is only
 * unlinked. It goes by the links as they are going to be: see store/relation.h. */
#ifndef KI_WORLD_CASCADE_H
#define KI_WORLD_CASCADE_H

#include "store/relation.h"
#include "world/world.h"

/* A source that loses a relation, since its target ends. */
typedef struct ki_cleared {
    ki_relation *relation;
    uint32_t index;
} ki_cleared;

typedef struct ki_cascade {
    kith_world *world;
    ki_context *context; /* that gets messages, and memory is from */
    const char *call;
    uint32_t *ends; /* slots: depth first, each before its sources, these in order; the world's
                       `ended` has them too */
    uint32_t end_count;
    uint32_t end_capacity;
    uint32_t *waiting; /* slots that are to be visited, the next one last */
    uint32_t waiting_count;
    uint32_t waiting_capacity;
    ki_cleared *cleared; /* some may end after all */
    uint32_t cleared_count;
    uint32_t cleared_capacity;
} ki_cascade;

/* An empty one, the only one of its world until it is freed. */
void ki_cascade_begin(ki_cascade *cascade, kith_world *world, const char *call,
                      ki_context *context);
void ki_cascade_free(ki_cascade *cascade);

/* The entity in a slot ends, with all that ends with it. KITH_ERR_MEMORY. */
kith_result ki_cascade_add(ki_cascade *cascade, uint32_t index);

/* Whether all that ends may, after the last was added, and leaves in `cleared` those that stay, by slot.
 * KITH_ERR_CONFLICT, with a message: a source that stays refuses. KITH_ERR_MEMORY. */
kith_result ki_cascade_finish(ki_cascade *cascade);

#endif
