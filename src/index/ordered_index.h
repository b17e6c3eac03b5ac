/* The kind of index that keeps entities in the order of their values. */
#ifndef KI_INDEX_ORDERED_INDEX_H
#define KI_INDEX_ORDERED_INDEX_H

#include "index/frame.h"
#include "index/ordered_runs.h"

extern const ki_index_calls ki_ordered_index;

/* The entries from `low` on and before `high`. Both may be entries that are not there. An entry is the
 * words of a key, most significant first, then the slot and the generation of the entity. */
typedef struct ki_ordered_bounds {
    uint32_t low[KI_ORDERED_WORDS_MAX];
    uint32_t high[KI_ORDERED_WORDS_MAX];
} ki_ordered_bounds;

/* The bounds of the values that a range takes. False: it takes none, since a bound is a NaN. */
bool ki_ordered_bounds_of(const kith_index *index, const kith_range *range,
                          ki_ordered_bounds *bounds);

/* The bounds of the texts that begin with `prefix`; the first field is an array of char. False: the
 * prefix is longer than a text can be. */
bool ki_ordered_prefix_bounds(const kith_index *index, const char *prefix, uint32_t length,
                              ki_ordered_bounds *bounds);
bool ki_ordered_has_prefixes(const kith_index *index);

/* Finds up to `limit` entities in an index that is up to date, by value, then by slot; or the other
 * way round. KITH_ERR_MEMORY. */
kith_result ki_ordered_index_find(kith_index *index, const ki_ordered_bounds *bounds,
                                  bool descending, uint32_t limit, uint32_t *count);

/* Counts the entities between bounds, up to `enough`, also in an index that is not up to date; and
 * appends the slots of up to `enough` of them to `list`, unless that is NULL. KITH_ERR_MEMORY. */
kith_result ki_ordered_index_slots(const kith_index *index, const ki_ordered_bounds *bounds,
                                   uint32_t enough, ki_slot_list *list, uint32_t *count);

/* Appends the slots of all entities with the next value of the first field to a list, in an index that
 * is up to date: see ki_source_calls. KITH_ERR_LIMIT, KITH_ERR_MEMORY. */
kith_result ki_ordered_index_next(const kith_index *index, ki_source_place *place, bool descending,
                                  uint32_t limit, ki_slot_list *list);

/* Whether the index has one field, which is a number. */
bool ki_ordered_has_distances(const kith_index *index);

/* Makes the least entry with the key of a value. False: it is a NaN. */
bool ki_ordered_entry_of(const kith_index *index, const void *value, uint32_t *entry);

/* Finds up to `limit` entities of such an index that is up to date, from an entry of a value on:
 * ordered_nearest.c. KITH_ERR_MEMORY. */
kith_result ki_ordered_nearest(kith_index *index, const uint32_t *entry, uint32_t limit,
                               uint32_t *count);

#endif
