#include "command/rows.h"

static void rows_copy_span(const ki_column *from, uint32_t row, uint32_t count, ki_column *to,
                           uint32_t first)
{
    while (count > 0) {
        uint32_t step = ki_column_run(to, first, ki_column_run(from, row, count));
        memcpy(ki_column_at(to, first), ki_column_at(from, row), (size_t)step * from->size);
        row += step;
        first += step;
        count -= step;
    }
}

/* Copies values of up to 16 bytes from rows here and there. Inlined, so that the size is known in each
 * of the loops. */
static inline void rows_gather(const ki_column *from, const uint32_t *rows, uint32_t count,
                               const ki_column *to, uint32_t first, uint32_t size)
{
    for (uint32_t k = 0; k < count; k++) {
        uint32_t row = rows[k];
        const uint8_t *block = from->blocks[row >> KI_SMALL_SHIFT].data;
        uint8_t *place = to->blocks[(first + k) >> KI_SMALL_SHIFT].data;
        memcpy(place + (size_t)((first + k) % KI_BLOCK_ROWS_MAX) * size,
               block + (size_t)(row % KI_BLOCK_ROWS_MAX) * size, size);
    }
}

void ki_rows_copy(const uint32_t *rows, uint32_t count, bool in_a_row, const ki_edge *edge,
                  uint32_t first)
{
    for (uint32_t i = 0; i < edge->copy_count; i++) {
        const ki_column *source = edge->copies[i].from;
        ki_column *target = edge->copies[i].to;
        if (source->size == 0) {
            continue;
        }
        if (in_a_row && source->plain != 0) {
            rows_copy_span(source, rows[0], count, target, first);
            continue;
        }
        switch (source->plain) {
        case 4: rows_gather(source, rows, count, target, first, 4); break;
        case 8: rows_gather(source, rows, count, target, first, 8); break;
        case 12: rows_gather(source, rows, count, target, first, 12); break;
        case 16: rows_gather(source, rows, count, target, first, 16); break;
        default:
            for (uint32_t k = 0; k < count; k++) {
                ki_column_copy(target, first + k, source, in_a_row ? rows[0] + k : rows[k]);
            }
            break;
        }
    }
}

/* Whether the row's entity is still at home in the table. */
static bool rows_stays(const ki_store *store, const ki_table *table, uint32_t row)
{
    uint32_t index = ki_table_entity(table, row).index1 - 1;
    return ki_record_at(&store->entities, index)->table == table->id;
}

/* Fills a hole with the last row. */
static inline void rows_fill(const ki_store *store, ki_table *table, uint32_t hole, uint32_t last)
{
    for (uint32_t k = 0; k < table->column_count; k++) {
        ki_column_copy(&table->columns[k], hole, &table->columns[k], last);
    }
    kith_entity entity = ki_table_entity(table, last);
    *KI_COLUMN_AT(kith_entity, &table->entities, hole) = entity;
    ki_record_at(&store->entities, entity.index1 - 1)->row = hole;
}

void ki_rows_remove(ki_store *store, ki_table *table, const uint32_t *rows, uint32_t count)
{
    for (uint32_t i = 0; table->hooked && i < count; i++) {
        ki_table_drop_row(table, rows[i]);
    }
    uint32_t left = table->row_count - count;
    uint32_t last = table->row_count;
    for (uint32_t i = 0; left != 0 && i < count; i++) {
        uint32_t hole = rows[i];
        if (hole >= left) {
            continue;
        }
        do {
            last--;
        } while (!rows_stays(store, table, last));
        rows_fill(store, table, hole, last);
    }
    table->row_count = left;
}

void ki_rows_remove_span(ki_store *store, ki_table *table, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; table->hooked && i < count; i++) {
        ki_table_drop_row(table, first + i);
    }
    uint32_t left = table->row_count - count;
    uint32_t last = table->row_count;
    for (uint32_t hole = first; hole < left && hole - first < count; hole++) {
        rows_fill(store, table, hole, --last);
    }
    table->row_count = left;
}

bool ki_rows_touch_end(ki_store *store, ki_table *table, uint32_t leaving)
{
    if (leaving >= table->row_count) {
        return true; /* nobody stays who could move */
    }
    uint32_t shift = table->entities.shift;
    for (uint32_t i = 0; i < table->column_count; i++) {
        shift = ki_min_u32(shift, table->columns[i].shift);
    }
    uint32_t touched = UINT32_MAX; /* the last group of rows for which one touch is enough */
    for (uint32_t row = table->row_count - leaving; row < table->row_count; row++) {
        if (row >> shift != touched) {
            touched = row >> shift;
            if (!ki_table_touch_removal(&store->space, table, row)) {
                return false;
            }
        }
        uint32_t index = ki_table_entity(table, row).index1 - 1;
        if (!ki_record_touch(&store->space, &store->entities, index)) {
            return false;
        }
    }
    return true;
}
