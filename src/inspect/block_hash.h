/* Hashes of columns: those of their blocks, summed. A block that is shared with a snapshot keeps its
 * hash until it is written, so that hashing again costs what was written since. */
#ifndef KI_INSPECT_BLOCK_HASH_H
#define KI_INSPECT_BLOCK_HASH_H

#include "inspect/value_hash.h"
#include "store/relation.h"

typedef struct ki_hashing {
    const kith_world *world;
    bool checks; /* only hashes that are kept are made, again; what is returned means nothing */
    bool wrong;  /* one of them was another */
} ki_hashing;

/* The values of the first `count` rows. */
uint64_t ki_hash_rows(ki_hashing *hashing, const ki_hasher *by, const ki_column *column,
                      uint32_t count);

/* The entities of the first `count` rows. */
uint64_t ki_hash_handles(ki_hashing *hashing, const ki_column *entities, uint32_t count);

/* The records of all slots. */
uint64_t ki_hash_records(ki_hashing *hashing, const ki_entities *entities);

/* The order of the sources in the lists of a relation; 0: it has none. */
uint64_t ki_hash_links(ki_hashing *hashing, const ki_relation *relation);

/* Which slots have the component, and their values. */
uint64_t ki_hash_slots(ki_hashing *hashing, const ki_component *component);

#endif
