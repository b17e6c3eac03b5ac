/* What code that is built on Kith keeps with a world: pointers, found again by keys. */
#ifndef KI_WORLD_ATTACHED_H
#define KI_WORLD_ATTACHED_H

#include "world/world.h"

typedef struct ki_attached_item {
    uint64_t key;
    uint64_t number; /* no other item of the world ever has it */
    void *thing;
    void (*end)(void *thing);
    kith_attached_state state;         /* what of it snapshots keep; `take` is NULL: nothing */
    struct ki_attached_item *next;     /* the one that was attached before */
    struct ki_attached_item *previous; /* after it */
} ki_attached_item;

/* The data of KI_PART_ATTACHED. */
typedef struct ki_attached_items {
    ki_attached_item *last;
    ki_map by_key;
    uint64_t numbers; /* given out so far */
} ki_attached_items;

/* What snapshots keep of the items. */
extern const ki_state_calls ki_attached_state_calls;

#endif
