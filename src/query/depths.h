/* Depths: how many ancestors the entities of a world have. They are found when they are asked for, and
 * kept until a child gets another parent. */
#ifndef KI_QUERY_DEPTHS_H
#define KI_QUERY_DEPTHS_H

#include "store/relation.h"

typedef struct ki_depths {
    const ki_relation *child_of;
    uint32_t *depth1; /* by slot: the depth plus one; 0: it is not known */
    uint32_t capacity;
    uint32_t blocks; /* of the links, when they were looked at, */
    uint64_t time;   /* and the write clock then; 0: they never were */
    uint64_t round;  /* counts how often they had changed */
} ki_depths;

/* Whether no link changed since the depths were brought up to date. */
bool ki_depths_are_right(const ki_depths *depths);

/* Brings the depths of a store up to date, in which kith_child_of is registered: `store->depths` is
 * there then, and good until a link changes. KITH_ERR_MEMORY. */
kith_result ki_depths_refresh(ki_store *store);
void ki_depths_free(ki_store *store);

/* Finds a depth that is not known, and those on the way to the root. */
uint32_t ki_depth_find(ki_depths *depths, uint32_t index);

/* The depth of the living entity in a slot. */
static inline uint32_t ki_depth_of(ki_depths *depths, uint32_t index)
{
    uint32_t depth1 = depths->depth1[index];
    return depth1 != 0 ? depth1 - 1 : ki_depth_find(depths, index);
}

#endif
