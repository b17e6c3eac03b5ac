/* What entities and components of a store were at one time: views of its columns, and the few numbers
 * beside them. What did not change between two of them is there once. */
#ifndef KI_STORE_STORE_VIEW_H
#define KI_STORE_STORE_VIEW_H

#include "store/relation.h"
#include "store/storage_view.h"

#define KI_VIEW_TABLES 64u

/* Tables whose ids follow one another, from a multiple of KI_VIEW_TABLES on. */
typedef struct ki_tables_view {
    uint32_t owners; /* store views that have it */
    ki_storage_view *at[KI_VIEW_TABLES]; /* NULL where there was no table, or it never had a row */
} ki_tables_view;

typedef struct ki_store_view {
    struct ki_store_view *next; /* of the store's */
    uint32_t slots;             /* as in ki_entities */
    uint32_t empty;
    uint32_t retired;
    uint32_t free_head;
    uint32_t table_count; /* slots of tables */
    uint32_t other_count;  /* components of other layouts than KITH_TABLE */
    uint32_t unique_count; /* as ki_store.unique_slots */
    ki_storage_view *entities;
    ki_storage_view
        *exact; /* what was seen of components whose changes are exact; NULL: there is none */
    ki_storage_view **others;  /* NULL if transient */
    ki_storage_view **uniques; /* the maps of unique keys; NULL where one had ended */
    ki_tables_view *tables[];  /* and then `others`, and `uniques` */
} ki_store_view;

/* A view of a store that has nothing, not even `entities`: to compare with. */
extern const ki_store_view ki_store_view_none;

static inline uint32_t ki_store_view_parts(const ki_store_view *view)
{
    return (view->table_count + KI_VIEW_TABLES - 1) / KI_VIEW_TABLES;
}

/* What a view has of a table, and of a component of another layout; NULL: nothing. The view may be
 * NULL. */
static inline ki_storage_view *ki_store_view_table(const ki_store_view *view, uint32_t id)
{
    return view != NULL && id < view->table_count
               ? view->tables[id / KI_VIEW_TABLES]->at[id % KI_VIEW_TABLES]
               : NULL;
}

static inline ki_storage_view *ki_store_view_other(const ki_store_view *view, uint32_t other)
{
    return view != NULL && other < view->other_count ? view->others[other] : NULL;
}

/* The map of a unique key. */
static inline ki_storage_view *ki_store_view_unique(const ki_store_view *view, uint32_t unique)
{
    return view != NULL && unique < view->unique_count ? view->uniques[unique] : NULL;
}

/* Takes a view of the whole store. Its values can be copied. It shares with the view that was last
 * taken or restored, if that is not freed. While there is a view, ki_store_reclaim frees no tables.
 * Nothing changed on failure. KITH_ERR_MEMORY. */
kith_result ki_store_view_take(ki_store *store, ki_store_view **view);

/* Makes ki_store_view_restore certain, until something is written. KITH_ERR_MEMORY. */
kith_result ki_store_view_reserve(ki_store *store, const ki_store_view *view);

/* Makes the store what it was. Tables and components that came since have no entities then, nor have
 * transient components. */
void ki_store_view_restore(ki_store *store, const ki_store_view *view);

/* Takes back what was written to entities and components since a view was taken, which cannot fail:
 * the columns have not fewer blocks since. Leaves transient components alone. */
void ki_store_view_revert(ki_store *store, const ki_store_view *view);

void ki_store_view_free(ki_store *store, ki_store_view *view);

/* Has an empty store with the same components read what a view of another store has, until it is
 * freed: see ki_column_borrow. `columns.borrowed` is set already. KITH_ERR_MEMORY: it has a part. */
kith_result ki_store_borrow(ki_store *store, const ki_store *from, const ki_store_view *view);

/* The view of a table, or of a component of another layout, in the store view that was taken or restored
 * last; NULL: there is none, or it was written since. */
ki_storage_view *ki_store_table_as_viewed(const ki_store *store, uint32_t id);
ki_storage_view *ki_store_other_as_viewed(const ki_store *store, uint32_t other);

/* The records of its slots; NULL: there were none. */
static inline const ki_column_view *ki_store_view_records(const ki_store_view *view)
{
    return view->entities == NULL ? NULL : &view->entities->columns[0];
}

/* The record of a slot that an entity lived in; NULL: none did. */
static inline const ki_record *ki_store_view_living(const ki_store_view *view, uint32_t index)
{
    const ki_record *record =
        index < view->slots ? ki_column_view_at(&view->entities->columns[0], index) : NULL;
    return record != NULL && record->table < KI_RETIRED_TABLE ? record : NULL;
}

/* The links of a relation; NULL: there were none. */
static inline const ki_column_view *ki_store_view_links(const ki_store_view *view,
                                                        const ki_relation *relation)
{
    const uint32_t column = 2 + relation->number; /* after those of the entities themselves */
    return view->entities != NULL && column < view->entities->column_count
               ? &view->entities->columns[column]
               : NULL;
}

/* What a slot was as a source and as a target. */
static inline ki_link ki_store_view_link(const ki_store_view *view, const ki_relation *relation,
                                         uint32_t index)
{
    const ki_column_view *links = ki_store_view_links(view, relation);
    const ki_link *link = links == NULL ? NULL : ki_column_view_at(links, index);
    return link == NULL ? (ki_link){0} : *link;
}

/* Whether a slot had an entity with the component. */
bool ki_store_view_has(const ki_store *store, const ki_store_view *view,
                       const ki_component *component, uint32_t index);

/* The value that it had; NULL if it lacked the component. For a tag not NULL, and not to be followed. */
const void *ki_store_view_value(const ki_store *store, const ki_store_view *view,
                                const ki_component *component, uint32_t index);

/* That entity; KITH_NONE if there was none. */
kith_entity ki_store_view_holder(const ki_store *store, const ki_store_view *view,
                                 const ki_component *component, uint32_t index);

#endif
