#include "store/rows.h"

void ki_rows_init(ki_rows *rows, ki_column *columns, uint32_t column_count)
{
    *rows = (ki_rows){.columns = columns, .column_count = column_count, .uniform = true};
    ki_column_init(&rows->entities, sizeof(kith_entity), _Alignof(kith_entity));
    for (uint32_t i = 0; i < column_count; i++) {
        rows->uniform = rows->uniform && columns[i].shift == KI_SMALL_SHIFT;
        rows->hooked = rows->hooked || columns[i].hooks != NULL;
    }
    rows->simple = rows->uniform && !rows->hooked;
}

void ki_rows_free(ki_column_context *columns, ki_rows *rows)
{
    for (uint32_t i = 0; i < rows->column_count; i++) {
        ki_column_free(columns, &rows->columns[i]);
    }
    ki_column_free(columns, &rows->entities);
    rows->count = 0;
    rows->capacity = 0;
}

void ki_rows_set_capacity(ki_rows *rows)
{
    rows->capacity = rows->entities.capacity;
    for (uint32_t i = 0; i < rows->column_count; i++) {
        rows->capacity = ki_min_u32(rows->capacity, rows->columns[i].capacity);
    }
}

void ki_rows_trim(ki_column_context *columns, ki_rows *rows)
{
    for (uint32_t i = 0; i < rows->column_count; i++) {
        ki_column_trim(columns, &rows->columns[i], rows->count);
    }
    ki_column_trim(columns, &rows->entities, rows->count);
    ki_rows_set_capacity(rows);
}

bool ki_rows_mark_slow(ki_column_context *columns, ki_rows *rows, uint32_t row)
{
    for (uint32_t i = 0; i < rows->column_count; i++) {
        if (!ki_column_mark(columns, &rows->columns[i], row)) {
            return false;
        }
    }
    return ki_column_mark(columns, &rows->entities, row); /* last: see ki_rows_is_marked */
}

/* Entities last here too. A failure leaves some columns with room to spare, which nobody can see. */
kith_result ki_rows_reserve_slow(ki_column_context *columns, ki_rows *rows, uint32_t count)
{
    for (uint32_t i = 0; i < rows->column_count; i++) {
        KI_TRY(ki_column_reserve_rows(columns, &rows->columns[i], rows->count, count));
    }
    KI_TRY(ki_column_reserve_rows(columns, &rows->entities, rows->count, count));
    ki_rows_set_capacity(rows);
    return KITH_OK;
}

void ki_rows_destroy(ki_rows *rows, uint32_t row)
{
    for (uint32_t i = 0; i < rows->column_count; i++) {
        if (rows->columns[i].hooks != NULL) {
            ki_column_drop(&rows->columns[i], row);
        }
    }
}

void ki_rows_fill_slow(ki_rows *rows, uint32_t to, uint32_t from)
{
    *KI_COLUMN_AT(kith_entity, &rows->entities, to) = ki_rows_entity(rows, from);
    for (uint32_t i = 0; i < rows->column_count; i++) {
        ki_column_copy(&rows->columns[i], to, &rows->columns[i], from);
    }
}

void ki_rows_remove_slow(ki_rows *rows, uint32_t row, uint32_t last)
{
    rows->count = last;
    ki_rows_destroy(rows, row);
    if (row != last) {
        ki_rows_fill_slow(rows, row, last);
    }
}
