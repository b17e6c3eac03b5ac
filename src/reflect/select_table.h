/* Tables of values: what a selection reads, and what it gives out. */
#ifndef KI_REFLECT_SELECT_TABLE_H
#define KI_REFLECT_SELECT_TABLE_H

#include <string.h>

#include "reflect/query_syntax.h"
#include "world/world.h"

#define KI_NO_INDEX UINT32_MAX

/* A column of a table. */
typedef struct ki_select_column {
    ki_syntax_kind source; /* KI_SYNTAX_FIELD, _ENTITY, _COUNT, _SUM, _MIN, _MAX or _AVG */
    uint32_t way;          /* of a field: number in `ways`; or KI_NO_INDEX */
    uint32_t offset;       /* of the field in the component's value; of KI_SYNTAX_ENTITY, the number of
                              the entity in the row */
    uint32_t input;        /* in the result of groups: the column of `read` that it comes from */
    uint32_t at;           /* where the value is in a row */
    kith_field shown;      /* name, which is the selection's, size and kind */
} ki_select_column;

/* Rows of values. A row ends with a byte for each column: whether the value is there. */
typedef struct ki_select_table {
    ki_select_column *columns;
    uint32_t column_count;
    uint32_t column_capacity;
    uint32_t row_size;
    uint32_t present; /* where the bytes are in a row */
    uint8_t *rows;
    uint32_t row_count;
    uint32_t row_capacity;
} ki_select_table;

typedef struct ki_select_order {
    uint32_t column;
    bool descending;
} ki_select_order;

/* Adds a row of zero bytes in which nothing is there. */
kith_result ki_select_add_row(ki_heap *heap, ki_select_table *table, uint8_t **row);
void ki_select_clear(ki_heap *heap, ki_select_table *table);

static inline uint8_t *ki_select_row(const ki_select_table *table, uint32_t row)
{
    return table->rows + (size_t)row * table->row_size;
}

/* The value in a row, or NULL. */
static inline const void *ki_select_at(const ki_select_table *table, const uint8_t *row,
                                       uint32_t column)
{
    return row[table->present + column] != 0 ? row + table->columns[column].at : NULL;
}

static inline void ki_select_put(const ki_select_table *table, uint8_t *row, uint32_t column,
                                 const void *value)
{
    memcpy(row + table->columns[column].at, value, table->columns[column].shown.size);
    row[table->present + column] = 1;
}

/* Whether a value comes before another, of the same column; NULL comes before all. */
bool ki_select_is_before(const kith_world *world, const kith_field *shown, const void *a,
                         const void *b);

/* Drops the last row, if it does not come before row `row`. */
void ki_select_drop_row(const kith_world *world, ki_select_table *table,
                        const ki_select_order *orders, uint32_t order_count, uint32_t row);

/* Keeps the first `count` rows in order, and in that order. KITH_ERR_MEMORY */
kith_result ki_select_keep_rows(kith_world *world, ki_select_table *table,
                                const ki_select_order *orders, uint32_t order_count,
                                uint32_t count);

/* Sorts the rows of a table: `*order`, of `row_count` numbers, is made. */
kith_result ki_select_sort(kith_world *world, const ki_select_table *table,
                           const ki_select_order *orders, uint32_t order_count, uint32_t **order);

#endif
