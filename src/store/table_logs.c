#include "store/table_logs.h"

/* ---- Who is tracked -------------------------------------------------------------------------- */

static uint64_t table_logs_bit(uint32_t column)
{
    return (uint64_t)1 << ki_min_u32(column, KI_LOGGED_MANY);
}

/* The first column at or after `column` whose component is tracked; KI_NO_COLUMN if there is none. */
static uint32_t table_logs_find(const ki_store *store, const ki_table *table, uint32_t column)
{
    if (column < KI_LOGGED_MANY) {
        uint64_t rest = table->logged >> column;
        if (rest == 0) {
            return KI_NO_COLUMN;
        }
        column += ki_lowest_bit(rest);
        if (column < KI_LOGGED_MANY) {
            return column;
        }
    }
    while (column < table->rows.column_count &&
           ki_store_component(store, table->ids[column])->change_log == NULL) {
        column++;
    }
    return column < table->rows.column_count ? column : KI_NO_COLUMN;
}

void ki_table_logs_mark(const ki_store *store, ki_table *table)
{
    table->logged = 0;
    for (uint32_t i = 0; i < table->rows.column_count; i++) {
        if (ki_store_component(store, table->ids[i])->change_log != NULL) {
            table->logged |= table_logs_bit(i);
        }
    }
}

/* Has all tables of a component know whether it is tracked. */
static void table_logs_mark_all(const ki_store *store, const ki_component *component)
{
    const ki_bitset *tables = &component->in.tables;
    for (uint32_t id = ki_bitset_next(tables, 0); id != UINT32_MAX;
         id = ki_bitset_next(tables, id + 1)) {
        ki_table_logs_mark(store, store->tables[id]);
    }
}

kith_result ki_table_logs_begin(ki_store *store, ki_component *component)
{
    ki_heap *heap = &store->context.heap;
    KI_TRY(ki_heap_grow(heap, &store->logged, &store->track_capacity, store->log_count + 1,
                        sizeof(ki_component *), 2));
    component->change_log = ki_change_log_new(heap, component->type->size, component->type->align,
                                              component->hooks, &store->despawning);
    if (component->change_log == NULL) {
        return KITH_ERR_MEMORY;
    }
    component->change_log->place = store->log_count;
    store->logged[store->log_count++] = component;
    if (component->layout == KITH_TABLE) {
        store->table_log_count++;
        table_logs_mark_all(store, component);
    }
    return KITH_OK;
}

void ki_table_logs_end_unread(ki_store *store, ki_component *component)
{
    if (component->change_log->readers != NULL || component->change_log->value_diff != NULL) {
        return;
    }
    ki_component *last = store->logged[--store->log_count];
    last->change_log->place = component->change_log->place;
    store->logged[last->change_log->place] = last;
    ki_change_log_free(&store->context.heap, component->change_log);
    component->change_log = NULL;
    if (component->layout == KITH_TABLE) {
        store->table_log_count--;
        table_logs_mark_all(store, component);
    }
}

const char *ki_table_logs_check(const ki_store *store, const ki_table *table)
{
    uint64_t logged = 0;
    for (uint32_t i = 0; i < table->rows.column_count; i++) {
        bool is_tracked = ki_store_component(store, table->ids[i])->change_log != NULL;
        logged |= is_tracked ? table_logs_bit(i) : 0;
    }
    return logged == table->logged ? NULL : "a table does not know which components are tracked";
}

/* ---- From one table to another --------------------------------------------------------------- */

uint32_t ki_table_logs_next(const ki_store *store, const ki_table *table, const ki_table *other,
                            uint32_t column)
{
    column = table == NULL ? KI_NO_COLUMN : table_logs_find(store, table, column);
    while (other != NULL && column != KI_NO_COLUMN && ki_table_has(other, table->ids[column])) {
        column = table_logs_find(store, table, column + 1);
    }
    return column;
}

static ki_change_log *table_logs_of(const ki_store *store, const ki_table *table, uint32_t column)
{
    return ki_store_component(store, table->ids[column])->change_log;
}

static kith_result table_logs_reserve_side(ki_store *store, const ki_table *table,
                                           const ki_table *other, uint32_t count, bool lost)
{
    for (uint32_t i = 0; (i = ki_table_logs_next(store, table, other, i)) != KI_NO_COLUMN; i++) {
        KI_TRY(ki_change_log_reserve(&store->context.heap, table_logs_of(store, table, i), count,
                                     lost));
    }
    return KITH_OK;
}

kith_result ki_table_logs_reserve_slow(ki_store *store, const ki_table *from, const ki_table *to,
                                       uint32_t count)
{
    KI_TRY(table_logs_reserve_side(store, from, to, count, true));
    return table_logs_reserve_side(store, to, from, count, false);
}

void ki_table_logs_append_slow(ki_store *store, const ki_table *from, const ki_table *to,
                               const kith_entity *entities, const uint32_t *rows, uint32_t count)
{
    for (uint32_t i = 0; (i = ki_table_logs_next(store, from, to, i)) != KI_NO_COLUMN; i++) {
        ki_change_log_append_lost(table_logs_of(store, from, i), entities, count,
                                  &from->rows.columns[i], rows);
    }
    for (uint32_t i = 0; (i = ki_table_logs_next(store, to, from, i)) != KI_NO_COLUMN; i++) {
        ki_change_log_append(table_logs_of(store, to, i), entities, count);
    }
}
