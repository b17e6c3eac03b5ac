/* A change set: what several transitions need together. Rows, blocks and logs of many changes overlap,
 * so they are not reserved one by one: first each change is expected, which counts by storage and marks
 * what is the entity's own; then the whole is reserved once. After that the changes cannot fail, in the
 * order in which they were expected. */
#ifndef KI_STORE_CHANGE_SET_H
#define KI_STORE_CHANGE_SET_H

#include "store/store.h"

#define KI_CHANGE_SET_OWN 16u

/* Entities are gathered in slices where one component after the other is asked about them. */
#define KI_SLICE 256u

/* How many entities enter a table or a component, and how many leave it. */
typedef struct ki_flow {
    ki_table *table;         /* one of these two */
    ki_component *component; /* of any layout: those of tables have a log */
    uint64_t entering;
    uint64_t leaving;
} ki_flow;

typedef struct ki_change_set {
    ki_store *store;
    ki_heap *heap; /* of what is not in `own` */
    bool once;     /* no entity is expected to leave a table twice; else one may be named twice */
    ki_flow *flows;
    uint32_t flow_count;
    uint32_t flow_capacity;
    ki_map numbers; /* of those that are not in `own`, by address: number in `flows` plus one */
    ki_flow own[KI_CHANGE_SET_OWN];
} ki_change_set;

/* An empty set; it must not be moved, and is freed by ki_change_set_free. */
void ki_change_set_init(ki_change_set *set, ki_store *store, ki_heap *heap);
void ki_change_set_free(ki_change_set *set);

/* The counts of a table or a component, to be added to. NULL if memory ran out. */
ki_flow *ki_change_set_table(ki_change_set *set, ki_table *table);
ki_flow *ki_change_set_component(ki_change_set *set, ki_component *component);

/* Expects `count` entities to go from one table to another (either may be NULL): in both tables,
 * and in the logs of the components that they lose and get. KITH_ERR_MEMORY. */
kith_result ki_change_set_move(ki_change_set *set, ki_table *from, ki_table *to, uint32_t count);

/* Expects the entities in these slots to lose a component of another layout than KITH_TABLE, where they
 * have it. With `consecutive` it is known that the slots follow one another. */
kith_result ki_change_set_lose(ki_change_set *set, ki_component *component, const uint32_t *indexes,
                               uint32_t count, bool consecutive);

/* The same for all components that they have. Their summaries tell of none afterwards. */
kith_result ki_change_set_lose_all(ki_change_set *set, const uint32_t *indexes, uint32_t count,
                                   bool consecutive);

/* Expects the end of those of the entities that are alive. One that is named twice is counted twice. */
kith_result ki_change_set_end(ki_change_set *set, const kith_entity *entities, uint32_t count);

/* Reserves all that was expected. KITH_ERR_MEMORY, KITH_ERR_LIMIT. */
kith_result ki_change_set_reserve(ki_change_set *set);

#endif
