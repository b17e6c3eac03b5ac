/* The bundles that a world keeps: see bundle.h. */
#ifndef KI_WORLD_BUNDLE_CACHE_H
#define KI_WORLD_BUNDLE_CACHE_H

#include "store/component.h"
#include "store/table.h"

/* How to make an entity with certain components. It is made once for each list that a program spawns. */
#define KI_BUNDLE_INLINE 8u
#define KI_BUNDLE_CACHE 8u
#define KI_NO_EPOCH UINT64_MAX /* of an empty place in the cache */

typedef struct ki_bundle_entry {
    ki_component *component;
    ki_column *column; /* in the bundle's table; NULL for other layouts */
    uint32_t number;   /* of the component's type */
} ki_bundle_entry;

typedef struct ki_bundle {
    uint32_t count;
    uint32_t storage_count; /* entries that are not KITH_TABLE */
    bool hooked;            /* values of an entry have hooks */
    bool guarded;           /* an entry's component is */
    bool simple;    /* all entries are KITH_TABLE, not guarded, and the table's rows are simple */
    uint64_t epoch; /* of the store's tables; in another the bundle is not valid */
    ki_table *table;
    ki_bundle_entry *entries;
} ki_bundle;

typedef struct ki_cached_bundle {
    ki_bundle bundle;
    ki_bundle_entry entries[KI_BUNDLE_INLINE];
} ki_cached_bundle;

/* What kith_set_values did last, for the next entity of the same table with the same components. */
typedef struct ki_last_transition {
    ki_cached_bundle to; /* the table that they moved to, and the components set; none has hooks */
    uint32_t from;       /* the number of the table that they were in */
    const ki_edge *edge; /* NULL: they stay in their table */
} ki_last_transition;

#endif
