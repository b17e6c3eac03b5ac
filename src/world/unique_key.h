/* Unique keys of components: what calls that write values ask. */
#ifndef KI_WORLD_UNIQUE_KEY_H
#define KI_WORLD_UNIQUE_KEY_H

#include "store/unique_map.h"
#include "world/world.h"

/* Claims the unique key of a value for an entity that is about to get the value; NULL is zero
 * bytes. Of a name, for one that has it, or is to have it, with the parent that it is linked to by
 * now. A claim that comes to nothing does no harm. KITH_ERR_CONFLICT, with both entities named, if
 * another entity has the key; KITH_ERR_INPUT: the value cannot be a name; KITH_ERR_MEMORY. */
kith_result ki_unique_claim(kith_world *world, const char *call, ki_component *component,
                            kith_entity entity, const void *value);

/* ---- Many at once */

/* The keys that many entities are to have together, whatever order that happens in. */
typedef struct ki_key_claims {
    kith_world *world;
    const char *call;
    ki_context *context; /* that gets messages, and memory is from */
    ki_map leaving;      /* component and slot → the slot's value goes */
    ki_map claimed;      /* hash of a key → a claim */
    struct ki_key_claim *claims;
    uint32_t count;
    uint32_t capacity;
} ki_key_claims;

void ki_key_claims_init(ki_key_claims *claims, kith_world *world, const char *call,
                        ki_context *context);
void ki_key_claims_free(ki_key_claims *claims);

/* An entity loses its value of a component, which has a unique key, or gets another. All that do are
 * named before the first claim. KITH_ERR_MEMORY. */
kith_result ki_key_claims_leave(ki_key_claims *claims, const ki_component *component,
                                kith_entity entity);

/* Makes room for `count` claims of keys of a component more.
 * KITH_ERR_MEMORY, KITH_ERR_LIMIT. */
kith_result ki_key_claims_reserve(ki_key_claims *claims, ki_component *component, uint32_t count);

/* Once all is as claimed: clears away what led to the entities that had the keys before. */
void ki_key_claims_settle(const ki_key_claims *claims);

/* Claims the key of a value for the entity in the slot `index`. The value, except for a name, stays
 * where it is until the claims are freed. An entity with `index1` 0 is the one with the number
 * `generation` among those that the call makes. KITH_ERR_CONFLICT, KITH_ERR_MEMORY; KITH_ERR_INPUT:
 * the value cannot be a name. */
kith_result ki_key_claims_add(ki_key_claims *claims, ki_component *component, kith_entity entity,
                              uint32_t index, const void *value);

#endif
