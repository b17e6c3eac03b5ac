/* The plans that a world keeps: see plan.h. */
#ifndef KI_WORLD_PLANS_H
#define KI_WORLD_PLANS_H

#include "store/component.h"
#include "store/table.h"

/* How to make an entity with certain components. It is made once for each list that a program spawns. */
#define KI_PLAN_INLINE 8u
#define KI_PLAN_CACHE 8u
#define KI_NO_EPOCH UINT64_MAX /* of an empty place in the cache */

typedef struct ki_plan_entry {
    ki_component *component;
    ki_column *column; /* in the plan's table; NULL for other layouts */
    uint32_t number;   /* of the component's type */
} ki_plan_entry;

typedef struct ki_plan {
    uint32_t count;
    uint32_t other_count; /* entries that are not KITH_TABLE */
    bool hooked;          /* values of an entry have hooks */
    bool simple;          /* all entries are KITH_TABLE, and the table's rows are simple */
    uint64_t epoch;       /* of the store's tables; in another the plan is not valid */
    ki_table *table;
    ki_plan_entry *entries;
} ki_plan;

typedef struct ki_cached_plan {
    ki_plan plan;
    ki_plan_entry entries[KI_PLAN_INLINE];
} ki_cached_plan;

/* What kith_set_several did last, for the next entity of the same table with the same components. */
typedef struct ki_several {
    ki_cached_plan to;   /* the table that they moved to, and the components set; none has hooks */
    uint32_t from;       /* the number of the table that they were in */
    const ki_edge *edge; /* NULL: they stay in their table */
} ki_several;

#endif
