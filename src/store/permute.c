#include "store/permute.h"

bool ki_permute_mark(ki_column_context *columns, ki_entities *entities,
                     const ki_permutation *permutation)
{
    ki_rows *rows = permutation->rows;
    uint32_t shift = ki_rows_block_shift(rows);
    uint32_t marked = UINT32_MAX; /* the last block of rows that was */
    for (uint32_t row = 0; row < rows->count; row++) {
        if (permutation->order[row] == row) {
            continue;
        }
        uint32_t index = ki_rows_entity(rows, row).index1 - 1;
        bool ready = permutation->set != NULL
                         ? ki_column_mark(columns, &permutation->set->index, index)
                         : ki_record_mark(columns, entities, index);
        if (!ready || (row >> shift != marked && !ki_rows_mark(columns, rows, row))) {
            return false;
        }
        marked = row >> shift;
    }
    return true;
}

/* Lists the moves, circle by circle: each is a row, the row that moves there, the one that moves there,
 * and so on, and the first one again. Each column then goes through the list, whose rows it need not
 * wait for. Returns the end of the list. */
static const uint32_t *permute_list(uint32_t *order, uint32_t count, uint32_t *list)
{
    for (uint32_t first = 0; first < count; first++) {
        if (order[first] == first) {
            continue;
        }
        uint32_t row = first;
        do {
            uint32_t next = order[row];
            *list++ = row;
            order[row] = row;
            row = next;
        } while (row != first);
        *list++ = first;
    }
    return list;
}

static void permute_column(ki_column *column, const uint32_t *list, const uint32_t *end,
                           void *value)
{
    uint32_t size = column->size;
    while (list < end) {
        uint32_t first = *list;
        uint8_t *to = ki_column_at(column, first);
        ki_copy_value(value, to, size);
        while (*++list != first) {
            uint8_t *from = ki_column_at(column, *list);
            ki_copy_value(to, from, size);
            to = from;
        }
        ki_copy_value(to, value, size);
        list++;
    }
}

static void permute_hooked(ki_column *column, const uint32_t *list, const uint32_t *end,
                           void *value)
{
    while (list < end) {
        uint32_t first = *list;
        uint32_t to = first;
        ki_column_take(column, first, value);
        while (*++list != first) {
            ki_column_relocate(column, to, column, *list);
            to = *list;
        }
        ki_column_put(column, to, value);
        list++;
    }
}

/* Tells where the rows that moved are now. */
static void permute_places(ki_entities *entities, const ki_permutation *permutation,
                           const uint32_t *list, const uint32_t *end)
{
    for (; list < end; list++) {
        uint32_t index = ki_rows_entity(permutation->rows, *list).index1 - 1;
        if (permutation->set != NULL) {
            *KI_COLUMN_AT(uint32_t, &permutation->set->index, index) = *list + 1;
        } else {
            ki_record_at(entities, index)->row = *list;
        }
    }
}

void ki_permute(ki_entities *entities, const ki_permutation *permutation, uint32_t *scratch,
                void *value)
{
    ki_rows *rows = permutation->rows;
    const uint32_t *end = permute_list(permutation->order, rows->count, scratch);
    permute_column(&rows->entities, scratch, end, value);
    for (uint32_t i = 0; i < rows->column_count; i++) {
        ki_column *column = &rows->columns[i];
        if (column->hooks != NULL) {
            permute_hooked(column, scratch, end, value);
        } else if (column->size != 0) {
            permute_column(column, scratch, end, value);
        }
    }
    permute_places(entities, permutation, scratch, end);
}
