/* A table: the entities that have exactly one set of KITH_TABLE components, a row each.
 *
 * Columns stand in the order of their components' ids. An edge leads to a neighbour, with the plan
 * of which columns to copy: a move that was made before costs one look-up. */
#ifndef KI_STORE_TABLE_H
#define KI_STORE_TABLE_H

#include <kith/entity.h>

#include "store/column.h"

/* Component ids are below 2^16, so that one number holds an id and a column. */
#define KI_COMPONENTS_MAX 65535u

/* Where the columns begin that share a bit in `tracked`. */
#define KI_TRACKED_MANY 63u

/* The components that came first are found in a table by their id alone. */
#define KI_DIRECT_IDS 64u
#define KI_DIRECT_NONE UINT8_MAX

typedef struct ki_table ki_table;
struct ki_component;

typedef struct ki_edge_copy {
    const ki_column *from;
    ki_column *to;
    uint32_t size;
} ki_edge_copy;

/* The copies are the columns that both tables have: first those with values of 8 bytes, then those of
 * other few bytes, of more and less, and tags; one more, of size 0, ends them. */
typedef struct ki_edge {
    ki_table *to;
    uint32_t copy_count;
    bool is_step;       /* one component more or less, and values are plain bytes */
    ki_column *added;   /* the column that only the new table has; NULL if it is not just one */
    ki_column *dropped; /* the same of the old table */
    ki_edge_copy copies[];
} ki_edge;

typedef struct ki_known_step {
    uint32_t id; /* of a component; 0: empty, without an edge */
    const ki_edge *edge;
} ki_known_step;

struct ki_table {
    ki_piece piece; /* ends behind the first blocks of small values */
    uint32_t id;
    uint32_t row_count;
    uint32_t column_count;
    /* While ready_stamp is the clock: the window of rows that can be appended at once, in one block of
     * each column, whose `tail` is that of the window. */
    uint32_t ready_first;
    uint32_t ready_rows; /* how many, from that one on; 0: there is no window */
    uint32_t leaving;    /* scratch of calls that take several entities away; 0 outside of them */
    uint32_t arriving;   /* the same for those that come */
    uint64_t ready_stamp;
    /* A bit a column: its component is tracked; the last one is for all the rest. */
    uint64_t tracked;
    uint64_t named_pass; /* the last time that commands were merged and named a row here, */
    uint32_t named;      /* and what is behind that */
    /* While touched_stamp is the clock: two blocks of a simple table that are touched in all columns. */
    uint32_t touched[2];
    uint64_t touched_stamp;
    uint64_t hash;       /* of the ids */
    uint64_t order_key;  /* the first four ids: compares like the list as far as it reaches */
    const uint32_t *ids; /* sorted, one a column */
    ki_column *columns;
    ki_column entities;   /* kith_entity */
    const uint32_t *find; /* open addressing: id << 16 | column, 0 where empty */
    uint32_t find_mask;
    bool hooked; /* a column's values have hooks */
    bool simple; /* all values are plain bytes: none, or few of them */
    uint32_t edge_count;
    uint32_t edge_capacity;
    ki_edge **edges; /* sorted by the id of the table that they lead to */
    uint32_t step_count;
    uint32_t step_mask;         /* of the capacity; 0: `steps` is one that is empty, and nobody's */
    const ki_known_step *steps; /* open addressing: component id → the edge of its step */
    uint8_t direct
        [KI_DIRECT_IDS]; /* by id: the column, or KI_DIRECT_NONE. In order of ids, it is below that */
};

/* A table for these components, sorted, which `components` holds by id - 1; NULL if memory ran out. If
 * no value is large, there is room for a few rows, ready to be appended. */
ki_table *ki_table_new(ki_space *space, uint32_t id, const uint32_t *ids, uint32_t count,
                       struct ki_component *const *components);
void ki_table_free(ki_space *space, ki_table *table);

/* Bytes held by the table, rows and all. */
size_t ki_table_reserved(const ki_table *table);

#define KI_NO_COLUMN UINT32_MAX

/* A component's id and column as one number; 0: the table does not have it. */
static inline uint32_t ki_table_search(const ki_table *table, uint32_t id)
{
    for (uint32_t slot = id & table->find_mask;; slot = (slot + 1) & table->find_mask) {
        uint32_t entry = table->find[slot];
        if (entry >> 16 == id || entry == 0) {
            return entry;
        }
    }
}

/* The number of the column of a component; KI_NO_COLUMN if the table has none. */
uint32_t ki_table_find(const ki_table *table, uint32_t id);

/* How many of the table's components have an id up to this one: the number of the next one's column. */
uint32_t ki_table_ids_up_to(const ki_table *table, uint32_t id);

/* That column, or NULL. */
ki_column *ki_table_column(const ki_table *table, uint32_t id);

/* What stands where ki_table_search looks first: what it finds, or something else. 0: the table does not
 * have the component. */
static inline uint32_t ki_table_peek(const ki_table *table, uint32_t id)
{
    return table->find[id & table->find_mask];
}

/* The column of one of the components that came first; NULL if the table does not have it. */
static inline ki_column *ki_table_direct(const ki_table *table, uint32_t id)
{
    uint32_t number = table->direct[id];
    /* Columns stand right behind the table, which is one load less than to ask where they are. */
    return KI_UNLIKELY(number == KI_DIRECT_NONE) ? NULL
                                                 : (ki_column *)(uintptr_t)(table + 1) + number;
}

/* Column number 0 is that of the entities, and those of the components follow. */
static inline const ki_column *ki_table_nth(const ki_table *table, uint32_t number)
{
    return number == 0 ? &table->entities : &table->columns[number - 1];
}

/* The order in which queries visit tables. */
int ki_table_compare(const ki_table *a, const ki_table *b);

/* The part of ki_table_reserve that is not two compares. */
kith_result ki_table_reserve_slow(ki_space *space, ki_table *table, uint32_t count);

/* Whether so many rows can be appended without more ado, and their columns written at their tails. */
static inline bool ki_table_is_ready(const ki_space *space, const ki_table *table, uint32_t count)
{
    uint32_t used = table->row_count - table->ready_first;
    return table->ready_stamp == space->now && used <= table->ready_rows &&
           count <= table->ready_rows - used;
}

/* The same for one row, while nobody has looked at the world. */
static inline bool ki_table_has_room(const ki_table *table)
{
    return table->row_count - table->ready_first < table->ready_rows;
}

/* Makes ki_table_append certain `count` times: room, and nothing shared among what will be written.
 * */
static inline kith_result ki_table_reserve(ki_space *space, ki_table *table, uint32_t count)
{
    if (KI_LIKELY(ki_table_is_ready(space, table, count))) {
        return KITH_OK;
    }
    return ki_table_reserve_slow(space, table, count);
}

/* Appends a row whose columns are the caller's to write, and returns its number. */
static inline uint32_t ki_table_append(ki_table *table, kith_entity entity)
{
    uint32_t row = table->row_count++;
    *KI_COLUMN_AT(kith_entity, &table->entities, row) = entity;
    return row;
}

static inline kith_entity ki_table_entity(const ki_table *table, uint32_t row)
{
    KI_ASSERT(row < table->entities.capacity);
    return *KI_COLUMN_AT(const kith_entity, &table->entities, row);
}

/* The part of ki_table_touch_removal that is not a few compares. */
bool ki_table_touch_removal_slow(ki_space *space, ki_table *table, uint32_t row);

static inline bool ki_table_is_touched(const ki_table *table, uint32_t row)
{
    uint32_t block = row >> KI_SMALL_SHIFT;
    return block == table->touched[0] || block == table->touched[1];
}

/* Makes the removal of a row certain: nothing shared in its blocks and in those of the last row. */
static inline bool ki_table_touch_removal(ki_space *space, ki_table *table, uint32_t row)
{
    return KI_LIKELY(table->touched_stamp == space->now && ki_table_is_touched(table, row) &&
                     ki_table_is_touched(table, table->row_count - 1)) ||
           ki_table_touch_removal_slow(space, table, row);
}

/* Destroys the values with hooks that the row still holds: those that were not moved elsewhere. */
KI_COLD void ki_table_drop_row(ki_table *table, uint32_t row);

/* The edge to another table, made if need be; NULL if memory ran out. */
ki_edge *ki_table_edge(ki_space *space, ki_table *from, ki_table *to);

/* The edge that adds a component, or removes one that the table has; NULL if none was noted. */
static inline const ki_edge *ki_table_step(const ki_table *table, uint32_t id)
{
    for (uint32_t slot = id & table->step_mask;; slot = (slot + 1) & table->step_mask) {
        const ki_known_step *step = &table->steps[slot];
        if (KI_LIKELY(step->id == id) || step->id == 0) {
            return step->edge;
        }
    }
}

/* Notes the edge for ki_table_step. KITH_ERR_MEMORY. */
kith_result ki_table_note_step(ki_space *space, ki_table *table, uint32_t id, const ki_edge *edge);

/* Forgets all steps, and the edges to tables for which `gone` answers true. */
void ki_table_drop_edges(ki_space *space, ki_table *table, bool (*gone)(const ki_table *table));

#endif
