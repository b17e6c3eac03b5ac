/* The end of entities, with all that ends with them: reserved first, and then made or called off. */
#ifndef KI_WORLD_ENDS_H
#define KI_WORLD_ENDS_H

#include "store/change_set.h"
#include "world/cascade.h"

typedef struct ki_ends {
    kith_world *world;
    const kith_entity *entities; /* those that are alive end, */
    uint32_t count;
    bool linked; /* and with relations in the world, in place of them: */
    ki_cascade cascade;
    uint32_t links; /* where the changes of them begin */
    ki_change_set set;
    size_t bytes;      /* of these two: */
    kith_entity *ends; /* all of the cascade, */
    const ki_edge *
        *edges; /* and by which those that lose a KITH_TABLE relation move; NULL: by none */
} ki_ends;

/* Reserves the end of those of the entities that are alive. It must not be moved then, nor may anything
 * of the world change before one of the calls below. KITH_ERR_CONFLICT: a relation refuses;
 * KITH_ERR_MEMORY. Nothing is reserved then, and messages name `call`. */
kith_result ki_ends_reserve(ki_ends *ends, kith_world *world, const char *call,
                            const kith_entity *entities, uint32_t count);

void ki_ends_commit(ki_ends *ends);
void ki_ends_cancel(ki_ends *ends);

#endif
