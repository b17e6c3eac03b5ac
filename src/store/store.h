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
#include "store/storage.h"
#include "store/table.h"

#define KI_TABLES_MAX (1u << 24)

struct kith_query;
struct kith_cursor;

/* A link as it was. */
typedef struct ki_link_change {
    struct ki_relation *relation;
    uint32_t index;   /* of the source */
    uint32_t target1; /* what it led to, */
    uint32_t next1;   /* and the source that it came before */
} ki_link_change;

#define KI_LINK_CHANGES_OWN 2u

typedef struct ki_link_changes {
    ki_link_change *list; /* `own` while that is enough */
    uint32_t count;
    uint32_t capacity;
    ki_link_change own[KI_LINK_CHANGES_OWN]; /* so that a few take no memory */
} ki_link_changes;

typedef struct ki_store {
    ki_context context;
    ki_column_context columns;
    ki_entities entities;

    ki_component **components; /* by id - 1 */
    uint32_t component_count;
    uint32_t component_capacity;
    ki_component *names;     /* the root of the tree of them; NULL: there are none */
    ki_component **storages; /* those that are not KITH_TABLE */
    uint32_t storage_count;
    uint32_t other_capacity;
    bool hooked;              /* values of a component have hooks */
    struct ki_unique **uniques; /* unique keys of components; NULL where one ended */
    uint32_t unique_slots;      /* of these, also those that are NULL */
    uint32_t unique_capacity;
    uint32_t unique_count; /* unique keys */
    struct ki_relation **relations; /* in the order in which their types were registered, */
    struct ki_relation *last_relation; /* and the last by name; NULL: there is none */
    uint32_t relation_count;
    uint32_t relation_capacity;
    struct ki_relation *child_of; /* that of children to their parent; NULL: it is not registered */
    struct ki_disabled *disabled; /* of kith_disabled; NULL: it is not registered */
    ki_component *entity_names;   /* kith_name; NULL: it is not registered */
    ki_bitset ended;    /* slots, while a cascade is found; empty otherwise */
    ki_link_changes link_changes; /* those that may still be taken back */
    ki_component *
        *exact; /* components whose changes are exact, in the order in which they became so */
    uint32_t exact_count;
    uint32_t exact_capacity;
    ki_component **logged;    /* those that are, in no order */
    uint32_t log_count;       /* how many they are */
    uint32_t table_log_count; /* of them, those that are KITH_TABLE */
    uint32_t track_capacity;
    bool despawning; /* those that lose components now are being despawned, for logs of values */
    uint32_t locks; /* open queries, and one more in a view: while there are any, nothing of the
                       structure may change */

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

    const struct ki_store_view
        *viewed; /* the view that was last taken or restored; NULL: it was freed. Tables that are
                    not in `columns.changed` are what they are in it */
    uint64_t viewed_clock;       /* the write clock then */
    uint64_t moved; /* the write clock when a restore last brought other entities back, or other rows */
    struct ki_store_view *views; /* all there are, in no order that matters */

    uint32_t expected_slots; /* room that the host asked for, and keeps */
    uint32_t *ids;           /* scratch for a set of ids */
    uint32_t ids_capacity;
    uint64_t namings; /* lists of components that were looked at for one that is named twice */

    struct kith_query *queries; /* all, in no order that matters */
    struct ki_depths *depths;   /* of entities in the hierarchy; NULL: no query went by them yet */
    struct kith_cursor *open;   /* the open ones, the last opened first */
} ki_store;

/* Begins a store. Its context is there already. */
void ki_store_init(ki_store *store);

/* Makes its first table, without which nothing else may be done. KITH_ERR_MEMORY: the store is to be
 * freed. */
kith_result ki_store_make_root(ki_store *store);

/* Frees all but the context, the queries and the unique keys. */
void ki_store_free(ki_store *store);

/* ---- Components */

/* Adds a component. There are fewer than KI_COMPONENTS_MAX so far, and `type` lives until the process
 * ends. NULL `hooks`: values are plain bytes. KITH_ERR_MEMORY. */
kith_result ki_store_add_component(ki_store *store, const kith_type *type, kith_layout layout,
                                   const kith_hooks *hooks, ki_component **component);

/* Notes whether a component is guarded, after it got or lost a unique key or a relation. */
void ki_store_guard(const ki_store *store, ki_component *component);

static inline ki_component *ki_store_component(const ki_store *store, uint32_t id)
{
    return store->components[id - 1];
}

/* Whether the living entity with this record has the component. */
bool ki_store_has(const ki_store *store, const ki_component *component, uint32_t index,
                  const ki_record *record);

/* The column and row of its value; NULL if it is absent. The column of a slot tag is that of its values,
 * which has no blocks. */
static inline ki_column *ki_locate(const ki_store *store, const ki_component *component,
                                   uint32_t index, const ki_record *record, uint32_t *row)
{
    if (component->layout == KITH_TABLE) {
        *row = record->row;
        return ki_table_column(store->tables[record->table], component->id);
    }
    return ki_storage_locate(component, index, row);
}

/* The same of what is in a slot, or NULL: nobody lives there, or there is no such slot. */
static inline ki_column *ki_locate_in_slot(const ki_store *store, const ki_component *component,
                                           uint32_t index, uint32_t *row)
{
    if (component->layout != KITH_TABLE) {
        return ki_storage_locate(component, index, row); /* the dead have nothing there */
    }
    if (index >= store->entities.slots) {
        return NULL;
    }
    const ki_record *record = ki_record_at(&store->entities, index);
    return record->table < KI_RETIRED_TABLE ? ki_locate(store, component, index, record, row)
                                            : NULL;
}

/* Its value, to read; NULL if it is absent. For a tag that is there: not NULL, and not to be
 * followed. */
const void *ki_store_value(const ki_store *store, const ki_component *component, uint32_t index,
                           const ki_record *record);

/* Makes the value ready to be written. KITH_ERR_ABSENT, KITH_ERR_MEMORY. */
kith_result ki_store_mark_value(ki_store *store, ki_component *component, uint32_t index,
                                const ki_record *record, void **value);

/* When the block of the value of an entity that has the component was last written. */
uint64_t ki_store_stamp(const ki_store *store, const ki_component *component, uint32_t index);

/* How many entities have the component. */
uint32_t ki_store_count(const ki_store *store, const ki_component *component);

/* Whether an entity has a component. */
bool ki_store_has_any(const ki_store *store, const ki_component *component);

/* ---- Tables */

/* The table of a sorted set of components, made if need be. */
kith_result ki_store_table(ki_store *store, const uint32_t *ids, uint32_t count, ki_table **table);

/* The table with an id, made if need be; if there is one, it has these components. */
kith_result ki_store_table_at(ki_store *store, uint32_t id, const uint32_t *ids, uint32_t count,
                              ki_table **table);

/* The edge that leads from a table to the one with a component more, or less if it has it. */
kith_result ki_store_edge(ki_store *store, ki_table *from, uint32_t id, const ki_edge **edge);

/* A scratch array of `count` ids, good until the next call; NULL if memory ran out. */
uint32_t *ki_store_ids(ki_store *store, uint32_t count);

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

/* Frees tables without rows, unless there are views, and trims. */
void ki_store_reclaim(ki_store *store);

/* ---- The whole */

/* Calls `visit` for every column, in an order that is the same for the same state. */
void ki_store_each_column(ki_store *store, void (*visit)(ki_column *column, void *context),
                          void *context);

#endif
