/* Views of storages: the entities' records, a table, a sparse set, a slot array, what was seen of exact
 * changes, or the map of a unique key. Each is some columns, and a number beside them. */
#ifndef KI_STORE_STORAGE_VIEW_H
#define KI_STORE_STORAGE_VIEW_H

#include "store/relation.h"
#include "store/unique_map.h"
#include "store/view.h"

/* What the columns of a storage were. */
typedef struct ki_storage_view {
    uint32_t owners; /* store views that have it */
    uint32_t
        number; /* of rows of a table or a sparse set, of bits of a slot array, of used places */
    uint32_t column_count;
    bool hashed;   /* whether the hash is known */
    uint64_t hash; /* of a table or of a component's storage: see inspect/world_hash.c */
    ki_column_view columns[];
} ki_storage_view;

/* The columns of a storage as it is now. */
typedef struct ki_storage_columns {
    ki_column *columns[2];
    uint32_t count;          /* of these, */
    ki_rows *rows;           /* which the columns of these come after; or NULL */
    ki_relation **relations; /* or the lists of these */
    uint32_t relation_count;
    ki_component **exact; /* or what was seen of these */
    uint32_t exact_count;
    uint32_t *number; /* of rows, or of bits that are set; NULL: neither */
} ki_storage_columns;

ki_storage_columns ki_storage_of_entities(ki_store *store);
ki_storage_columns ki_storage_of_exact(ki_store *store);
ki_storage_columns ki_storage_of_table(ki_table *table);
ki_storage_columns ki_storage_of_component(ki_component *component); /* of another layout */
ki_storage_columns ki_storage_of_unique(ki_unique *unique);

/* Whether the storage is still what the view is, which is of the store view that was taken or restored
 * last. */
bool ki_storage_is_as_viewed(const ki_store *store, const ki_storage_columns *storage,
                             const ki_storage_view *view);

/* A view of the storage, which may be that of before, `base`; NULL: no memory. */
ki_storage_view *ki_storage_view_take(ki_store *store, const ki_storage_columns *storage,
                                      ki_storage_view *base);

/* One holder less. NULL is fine. */
void ki_storage_view_release(ki_store *store, ki_storage_view *view);

/* Makes ki_storage_view_restore certain. KITH_ERR_MEMORY. */
kith_result ki_storage_view_reserve(ki_store *store, const ki_storage_columns *storage,
                                    const ki_storage_view *view);

/* Makes the storage what it was. NULL `view`: it had nothing. It had nothing in columns that the view
 * has not. With `all` also what is transient, which it had nothing of. Whether other entities than
 * before are in it, or in other rows. */
bool ki_storage_view_restore(ki_store *store, const ki_storage_columns *storage,
                             const ki_storage_view *view, bool all);

/* Has an empty storage of another store read what it was; NULL: nothing. KITH_ERR_MEMORY. */
kith_result ki_storage_view_borrow(ki_store *store, const ki_storage_columns *storage,
                                   const ki_storage_view *view);

#endif
