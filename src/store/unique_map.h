/* Unique keys: no two living entities have the same in some fields of a component. A map leads from
 * a key to the entity that has it.
 *
 * Writing a value puts it into the map. Losing one leaves its entry, which nobody takes for true:
 * an entry only says where to look, and what is found there is compared. So removing, ending and
 * moving entities costs nothing here. An entry that is not true is overwritten by the next one with
 * its tag, or dropped when the map is full.
 *
 * The map is in a column: snapshots, views and forks share its blocks as those of values, so that
 * each finds what it has.
 *
 * Names of entities are a unique key that is more than the value: the parent is part of it. It is
 * that of the links as they are going to be, which may be taken back. So while there are such
 * links, no entry of names is dropped. */
#ifndef KI_STORE_UNIQUE_MAP_H
#define KI_STORE_UNIQUE_MAP_H

#include "store/field_key.h"
#include "store/store.h"

#define KI_UNIQUE_FIELDS 6u

/* A place of the map: open addressing, linear probing. */
typedef struct ki_unique_place {
    uint32_t tag;   /* of the hash of a key */
    uint32_t slot1; /* where to look, plus one; 0: it never was used, and a search ends here */
} ki_unique_place;

/* Where a freed place says to look: no slot has that number. */
#define KI_UNIQUE_FREED UINT32_MAX

typedef struct ki_unique {
    const ki_component *component;
    kith_field fields[KI_UNIQUE_FIELDS];
    uint32_t field_count;
    bool by_number; /* the only field is one value, which is not a text in an array */
    bool names;     /* of names: `fields` are that of a ki_sibling_key, not of the value */
    bool held;      /* entries were put that become true together, if at all: see ki_unique_hold */
    uint32_t number;  /* in ki_store.uniques */
    uint8_t *zero;    /* a value of zero bytes */
    ki_column places; /* a power of two of ki_unique_place, or none. Never becomes shorter */
    uint32_t used;    /* of these: at most half */
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

/* Makes room for `count` entries, while what is not true may go. KITH_ERR_MEMORY, KITH_ERR_LIMIT. */
kith_result ki_unique_reserve(ki_store *store, ki_unique *unique, uint32_t count);

/* Notes that the entity in a slot has a key, or is about to get it: nothing else may have it by
 * then. If it comes to nothing, that does no harm. KITH_ERR_MEMORY, KITH_ERR_LIMIT. */
kith_result ki_unique_put(ki_store *store, ki_unique *unique, const void *key, uint32_t index);

/* From now on, what is put is of many entities that get their keys together: no entry goes that is
 * not true yet, or that is only true if nothing comes of it. */
static inline void ki_unique_hold(ki_unique *unique)
{
    unique->held = true;
}

/* That is over, for all keys. */
void ki_uniques_release(ki_store *store);

/* Frees entries with the tag of a key that was put while held, and is true now. */
void ki_unique_tidy(const ki_store *store, ki_unique *unique, const void *key);

/* Begins the same keys in a store with the same components, which has no entities yet, with maps
 * that are empty: for ki_store_borrow. KITH_ERR_MEMORY. */
kith_result ki_uniques_copy(ki_store *store, const ki_store *from);

/* Compares the map with all values. NULL: it is right. */
const char *ki_unique_check(const ki_store *store, const ki_unique *unique);

#endif
