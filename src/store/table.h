/* A table: the entities that have exactly one set of KITH_TABLE components, a row each.
 *
 * Columns are in the order of their components' ids. An edge leads to another table, with the list of
 * columns to copy: a move that was made before costs one look-up.
 *
 * Without KI_LIKELY, the row observer of the bench takes 7 % more where it adds what is sparse. */
#ifndef KI_STORE_TABLE_H
#define KI_STORE_TABLE_H

#include <kith/type.h>

#include "base/map.h"
#include "store/rows.h"

/* Component ids are below 2^16, so that one number holds an id and a column. */
#define KI_COMPONENTS_MAX 65535u

/* The columns from this one on share a bit in `tracked`. */
#define KI_LOGGED_MANY 63u

/* The components that came first are found in a table by their id alone. */
#define KI_DIRECT_IDS KITH_DIRECT_IDS_
#define KI_NO_COLUMN UINT16_MAX

#define KI_RECENT_EDGES 8u /* a power of two */

typedef struct kith_table_ ki_table;
struct ki_component;

typedef struct ki_edge_copy {
    const ki_column *from;
    ki_column *to;
} ki_edge_copy;

/* The way from one table to another: the columns that both have. */
typedef struct ki_edge {
    ki_table *to;
    ki_column *added; /* the column that only `to` has; NULL if it is not just one */
    uint32_t copy_count;
    bool simple; /* both tables' rows are */
    ki_edge_copy copies[];
} ki_edge;

/* An edge whose two tables have simple rows. */
typedef struct ki_recent_edge {
    uint32_t change; /* the component that it adds or removes, as ki_id_added and ki_id_removed */
    const ki_edge *edge;
} ki_recent_edge;

struct kith_table_ {
    ki_slab slab; /* ends after the first blocks of small values */
    /* By id: where the column begins, in bytes from the table on; 0: there is none. */
    uint16_t direct[KI_DIRECT_IDS];
    uint32_t id;
    ki_rows rows;
    uint64_t logged;               /* a bit a column: its component is tracked */
    uint64_t hash;                 /* of the ids */
    const kith_type *const *types; /* one a column, in order of names */
    const uint32_t *ids;           /* one a column, in the columns' order; ascending */
    uint32_t edge_count;
    uint32_t edge_capacity;
    ki_edge **edges; /* sorted by the id of the table that they lead to */
    ki_map edge_map; /* component id → the edge that adds it, or removes it where it is there */
    ki_recent_edge recent[KI_RECENT_EDGES]; /* by the last bits of `change`: those used last */
};

/* A table for these components, sorted, which `components` holds by id - 1; NULL if memory ran out. If
 * no value is large, there is room for a few rows, ready to be appended. */
ki_table *ki_table_new(ki_column_context *context, uint32_t id, const uint32_t *ids, uint32_t count,
                       struct ki_component *const *components);
void ki_table_free(ki_column_context *context, ki_table *table);

/* Bytes held by the table, rows and all. */
size_t ki_table_reserved(const ki_table *table);

/* The number of the column that begins so many bytes after the table does. */
static inline uint32_t ki_table_number(uint32_t direct)
{
    return (direct - (uint32_t)sizeof(ki_table)) / (uint32_t)sizeof(ki_column);
}

/* The number of the column of a component; KI_NO_COLUMN if the table has none. */
static inline uint32_t ki_table_lookup(const ki_table *table, uint32_t id)
{
    if (KI_LIKELY(id < KI_DIRECT_IDS)) {
        uint32_t direct = table->direct[id];
        return direct == 0 ? KI_NO_COLUMN : ki_table_number(direct);
    }
    uint32_t low = 0;
    uint32_t high = table->rows.column_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (table->ids[middle] < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < table->rows.column_count && table->ids[low] == id ? low : KI_NO_COLUMN;
}

/* The first type of the table's components after a name, or with NULL the first of all; NULL: none. */
const kith_type *ki_table_next_type(const ki_table *table, const char *name);

static inline bool ki_table_has(const ki_table *table, uint32_t id)
{
    return KI_LIKELY(id < KI_DIRECT_IDS) ? table->direct[id] != 0
                                         : ki_table_lookup(table, id) != KI_NO_COLUMN;
}

/* The column of a component, or NULL. */
static inline ki_column *ki_table_column(const ki_table *table, uint32_t id)
{
    if (KI_LIKELY(id < KI_DIRECT_IDS)) {
        uint32_t direct = table->direct[id];
        return direct == 0 ? NULL : (ki_column *)((uintptr_t)table + direct);
    }
    uint32_t number = ki_table_lookup(table, id);
    return number == KI_NO_COLUMN ? NULL : &table->rows.columns[number];
}

/* The order in which queries visit tables. */
int ki_table_compare(const ki_table *a, const ki_table *b);

/* The edge to another table, made if need be; NULL if memory ran out. */
ki_edge *ki_table_edge(ki_column_context *context, ki_table *from, ki_table *to);

/* A component that a set of ids gets, or loses. */
static inline uint32_t ki_id_added(uint32_t id)
{
    return id << 1;
}

static inline uint32_t ki_id_removed(uint32_t id)
{
    return id << 1 | 1;
}

/* The edge that adds a component, or removes it, if both tables have simple rows and it was used
 * recently; or NULL. `change` is what ki_id_added or ki_id_removed tells. */
static inline const ki_edge *ki_table_recent_edge(const ki_table *table, uint32_t change)
{
    const ki_recent_edge *recent = &table->recent[change % KI_RECENT_EDGES];
    return recent->change == change ? recent->edge : NULL;
}

/* The edge that adds a component, or removes one that the table has; NULL if none was noted. */
const ki_edge *ki_table_known_edge(ki_table *table, uint32_t id);

/* Notes the edge for ki_table_known_edge. KITH_ERR_MEMORY. */
kith_result ki_table_remember_edge(ki_column_context *context, ki_table *table, uint32_t id,
                                   ki_edge *edge);

/* Forgets all steps, and the edges to tables for which `gone` answers true. */
void ki_table_drop_edges(ki_column_context *context, ki_table *table,
                         bool (*gone)(const ki_table *table));

#endif
