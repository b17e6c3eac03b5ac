/* The columns of a selection: how they are made, named and placed in a row. */
#ifndef KI_REFLECT_SELECT_COLUMNS_H
#define KI_REFLECT_SELECT_COLUMNS_H

#include "reflect/selection.h"

/* A field that is read, and the way to its component. */
typedef struct ki_select_field {
    ki_select_way way;
    kith_field field;
} ki_select_field;

/* The number of a way in `ways`; it is added if it is not there yet. KITH_ERR_MEMORY */
kith_result ki_select_add_way(kith_select *select, const ki_select_way *way, uint32_t *number);

/* The column that reads a field. KITH_ERR_MEMORY */
kith_result ki_select_field_column(kith_select *select, const ki_select_field *field,
                                   ki_select_column *column);

/* The column with the entity of a row that has a number. */
ki_select_column ki_select_entity_column(uint32_t number);

/* The number of the first column that has the same value; or `column_count`. */
uint32_t ki_select_find_column(const ki_select_table *table, const ki_select_column *column);

/* Adds a column; its name is copied. KITH_ERR_MEMORY */
kith_result ki_select_add_column(kith_select *select, ki_select_table *table,
                                 ki_select_column column, const char *name);

/* The same, with the name that an output has in the text: its node has the number. */
kith_result ki_select_add_output(kith_select *select, ki_select_table *table,
                                 ki_select_column column, uint32_t output);

/* Adds the entities of a row to `read`. KITH_ERR_MEMORY */
kith_result ki_select_add_entities(kith_select *select);

/* Adds all fields of the component at the end of a way that can be shown to `read`. KITH_ERR_MEMORY */
kith_result ki_select_add_fields(kith_select *select, const ki_select_way *way);

/* Takes away all columns, and frees their names. */
void ki_select_drop_columns(ki_heap *heap, ki_select_table *table);

/* Gives each column its place in a row. */
void ki_select_place_columns(ki_select_table *table);

#endif
