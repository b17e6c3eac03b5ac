/* Unique keys: no two living entities have the same in some fields of a component. A map leads from
 * a key to the entity that has it.
 *
 * Writing a value puts it into the map. Losing one leaves its entry, which nobody takes for true:
 * an entry only says where to look, and what is found there is compared. So removing, ending and
 * moving entities costs nothing here. An entry that is not true is overwritten by the next one with
 * its hash, or dropped when the map is full.
 *
 * Names of entities are a unique key that is more than the value: the parent is part of it. It is
 * that of the links as they are going to be, which may be taken back. So while there are such
 * links, no entry of names is dropped. */
#ifndef KI_STORE_UNIQUE_MAP_H
#define KI_STORE_UNIQUE_MAP_H

#include "store/field_key.h"
#include "store/store.h"

#define KI_UNIQUE_FIELDS 6u

typedef struct ki_unique {
    const ki_component *component;
    kith_field fields[KI_UNIQUE_FIELDS];
    uint32_t field_count;
    bool number;   /* the only field is one value, which is not a text in an array */
    bool names;    /* of names: `fields` are that of a ki_sibling_key, not of the value */
    uint8_t *zero; /* a value of zero bytes */
    ki_map map;    /* hash of a key → slot plus one. Its capacity never shrinks: see ki_uniques_refill */
} ki_unique;

/* The key of a name: the slot of the parent plus one, or 0, and the number of the text. */
static inline uint64_t ki_sibling_key(uint32_t parent1, uint32_t text)
{
    return (uint64_t)parent1 << 32 | text;
}

/* Two entities with the same key. */
typedef struct ki_unique_pair {
    kith_entity first;
    kith_entity second;
} ki_unique_pair;

/* Makes the fields of `key`, whose `component` and fields are set, unique from now on.
 * KITH_ERR_CONFLICT if they are not, with the first two by slot; KITH_ERR_MEMORY. */
kith_result ki_unique_begin(ki_store *store, const ki_unique *key, ki_unique_pair *pair);

/* Makes the texts of a component, which no entity has yet, unique among the sources of a target of
 * `store->child_of`. KITH_ERR_MEMORY. */
kith_result ki_unique_begin_names(ki_store *store, ki_component *component);

/* The component has no unique key any more; NULL is fine. */
void ki_unique_end(ki_store *store, ki_component *component);

/* The same for all components of a store that is about to be freed. */
void ki_uniques_end(ki_store *store);

/* The value, where NULL is zero bytes. */
static inline const uint8_t *ki_unique_value(const ki_unique *unique, const void *value)
{
    return value == NULL ? unique->zero : (const uint8_t *)value;
}

/* The key of a value that the entity in a slot has or is to have: the value itself, or the key of a
 * name, which is put into `*name`. */
const uint8_t *ki_unique_key(const ki_store *store, const ki_unique *unique, const void *value,
                             uint32_t index, uint64_t *name);

/* The slot plus one of the living entity with a key; 0: there is none. */
uint32_t ki_unique_find(const ki_store *store, const ki_unique *unique, const void *key);

/* Makes `count` calls of ki_unique_put certain. KITH_ERR_MEMORY, KITH_ERR_LIMIT. */
kith_result ki_unique_reserve(ki_store *store, ki_unique *unique, uint32_t count);

/* Notes that the entity in a slot has a key, or is about to get it: nothing else may have it by
 * then. */
void ki_unique_put(ki_store *store, ki_unique *unique, const void *key, uint32_t index);

/* Puts all values again, after the whole store became what it was in a view. There is room for them: a
 * map is made while there are no views, and has had all that any view has. */
void ki_uniques_refill(ki_store *store);

/* Makes sure that the keys in the store are unique, whatever the maps say, and makes room for them.
 * KITH_ERR_CONFLICT, with `*doubled` and the first two by slot; KITH_ERR_MEMORY, KITH_ERR_LIMIT. */
kith_result ki_uniques_verify(ki_store *store, const ki_unique **doubled, ki_unique_pair *pair);

/* Compares the map with all values. NULL: it is right. */
const char *ki_unique_check(const ki_store *store, const ki_unique *unique);

#endif
