/* The store: entities, components and tables of one world, and the few ways to change them
 * together.
 *
 * Everything follows one pattern: reserve all that is needed, which may fail and changes nothing
 * that can be seen; then commit, which cannot fail. */
#ifndef KI_STORE_STORE_H
#define KI_STORE_STORE_H

#include "base/context.h"
#include "store/component.h"
#include "store/entities.h"
#include "store/other.h"
#include "store/table.h"

#define KI_TABLES_MAX (1u << 24)

struct kith_query;
struct kith_cursor;

typedef struct ki_store {
    ki_context context;
    ki_space space;
    ki_entities entities;

    ki_component **components; /* by id - 1 */
    uint32_t component_count;
    uint32_t component_capacity;
    ki_component **others; /* those that are not KITH_TABLE */
    uint32_t other_count;
    uint32_t other_capacity;
    bool hooked;                /* values of a component have hooks */
    ki_component **tracked;     /* those that are, in no order */
    uint32_t track_count;       /* how many they are */
    uint32_t table_track_count; /* of them, those that are KITH_TABLE */
    uint32_t track_capacity;

    ki_table **tables; /* by id; NULL where one was reclaimed */
    ki_table *root;    /* number 0, which has no components, and stays */
    uint32_t table_slots;
    uint32_t table_capacity;
    uint32_t table_count;
    uint32_t free_table; /* no id below is free */
    ki_bitset live_tables;
    ki_map by_set;      /* the hash of a table's set of components → the table */
    uint64_t hash_mask; /* all ones; a test makes sets collide */

    ki_table **created; /* tables in the order in which they came, since table_epoch began */
    uint32_t created_count;
    uint32_t created_capacity;
    uint64_t table_epoch; /* grows when tables go */

    uint32_t expected_slots; /* room that the host asked for, and keeps */
    uint32_t *ids;           /* scratch for a set of ids */
    uint32_t ids_capacity;
    uint64_t namings; /* lists of components that were looked at for one that is named twice */

    struct kith_query *queries; /* all, in no order that matters */
    struct kith_cursor *open;   /* the open ones, the last opened first */
} ki_store;

/* KITH_ERR_MEMORY; the store is then to be freed. The context is there already. */
kith_result ki_store_init(ki_store *store);

/* Frees all but the context and the queries. */
void ki_store_free(ki_store *store);

/* ---- Components */

/* Adds a component, of which there are fewer than KI_COMPONENTS_MAX; `type` lives until the process
 * ends. NULL `hooks`: values are plain bytes. KITH_ERR_MEMORY. */
kith_result ki_store_add_component(ki_store *store, const kith_type *type, kith_layout layout,
                                   const kith_hooks *hooks, ki_component **component);

static inline ki_component *ki_store_component(const ki_store *store, uint32_t id)
{
    return store->components[id - 1];
}

/* Whether the living entity with this record has the component. */
bool ki_store_has(const ki_store *store, const ki_component *component, uint32_t index,
                  const ki_record *record);

/* The first of the entity's components that was registered after the one with this id; NULL if there is
 * none. */
const ki_component *ki_store_next(const ki_store *store, uint32_t index, const ki_record *record,
                                  uint32_t id);

/* The column and row of its value; NULL if it is absent. The column of a slot tag is that of its values,
 * which has no blocks. */
static inline ki_column *ki_locate(const ki_store *store, const ki_component *component,
                                   uint32_t index, const ki_record *record, uint32_t *row)
{
    if (component->layout == KITH_TABLE) {
        *row = record->row;
        return ki_table_column(store->tables[record->table], component->id);
    }
    return ki_other_locate(component, index, row);
}

/* Its value, to read; NULL if it is absent. For a tag that is there: not NULL, and not to be
 * followed. */
const void *ki_store_value(const ki_store *store, const ki_component *component, uint32_t index,
                           const ki_record *record);

/* Makes the value ready to be written. KITH_ERR_ABSENT, KITH_ERR_MEMORY. */
kith_result ki_store_touch_value(ki_store *store, ki_component *component, uint32_t index,
                                 const ki_record *record, void **value);

/* When the block of the value of an entity that has the component was last written. */
uint64_t ki_store_stamp(const ki_store *store, const ki_component *component, uint32_t index);

/* How many entities have the component. */
uint32_t ki_store_count(const ki_store *store, const ki_component *component);

/* The entity's first component of another layout at or after number `from` of `others`; NULL after the
 * last. */
ki_component *ki_others_next(const ki_store *store, uint32_t index, uint32_t from);

/* A walk over the components of other layouts that are in some lanes, in order. */
typedef struct ki_lanes_walk {
    uint64_t lanes;
    uint64_t rest; /* of this round of lanes */
    uint32_t round;
} ki_lanes_walk;

static inline ki_lanes_walk ki_lanes_walk_start(uint64_t lanes)
{
    return (ki_lanes_walk){.lanes = lanes, .rest = lanes};
}

/* NULL after the last. */
static inline ki_component *ki_lanes_walk_next(const ki_store *store, ki_lanes_walk *walk)
{
    if (KI_UNLIKELY(walk->rest == 0)) {
        walk->round += KI_LANES;
        walk->rest = walk->lanes;
        if (walk->rest == 0 || walk->round >= store->other_count) {
            return NULL;
        }
    }
    uint32_t number = walk->round + ki_lowest_bit(walk->rest);
    walk->rest &= walk->rest - 1;
    return number < store->other_count ? store->others[number] : NULL;
}

/* Makes ki_others_remove certain. KITH_ERR_MEMORY. */
static inline kith_result ki_others_reserve_removal(ki_store *store, uint32_t index)
{
    return KI_LIKELY(ki_lanes_at(&store->entities, index) == 0)
               ? KITH_OK
               : ki_others_reserve_removal_slow(store, index);
}

/* Takes all components of other layouts from an entity. */
static inline void ki_others_remove(ki_store *store, kith_entity entity)
{
    if (KI_UNLIKELY(ki_lanes_at(&store->entities, entity.index1 - 1) != 0)) {
        ki_others_remove_slow(store, entity);
    }
}

/* ---- Tables */

/* The table of a sorted set of components, made if need be. */
kith_result ki_store_table(ki_store *store, const uint32_t *ids, uint32_t count, ki_table **table);

/* The edge that leads from a table to the one with a component more, or less if it has it. */
kith_result ki_store_step(ki_store *store, ki_table *from, uint32_t id, const ki_edge **edge);

/* A scratch array of `count` ids, good until the next call; NULL if memory ran out. */
uint32_t *ki_store_ids(ki_store *store, uint32_t count);

/* A component that a set of ids gets, or loses. */
static inline uint32_t ki_id_added(uint32_t id)
{
    return id << 1;
}

static inline uint32_t ki_id_removed(uint32_t id)
{
    return id << 1 | 1;
}

/* The table of a table's components with some changes, which are the first `count` of the scratch array,
 * in any order, and name each component once. What it has already, or lacks already, may be named. */
kith_result ki_store_target(ki_store *store, const ki_table *from, uint32_t count, ki_table **to);

/* Begins a list of components. */
static inline uint64_t ki_store_begin_names(ki_store *store)
{
    return ++store->namings;
}

/* Names a component in a list; false if it is named there already. */
static inline bool ki_component_name(ki_component *component, uint64_t naming)
{
    bool first = component->named != naming;
    component->named = naming;
    return first;
}

/* Gives back blocks and pages that hold nothing. */
void ki_store_trim(ki_store *store);

/* Frees tables without rows, and trims. */
void ki_store_reclaim(ki_store *store);

/* ---- The whole */

/* Calls `visit` for every column, in an order that is the same for the same state. */
void ki_store_each_column(ki_store *store, void (*visit)(ki_column *column, void *context),
                          void *context);

#endif
