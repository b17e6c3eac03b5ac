/* Reads what a selection asks for of the entities that match. */
#include <kith/floats.h>

#include <string.h>

#include "reflect/selection.h"

#define RUN_BATCH 1024u

/* The values of a batch: for each way, as many addresses as the batch may have entities. */
typedef struct run_batch {
    const void **values;
    kith_entity *others; /* room for as many handles */
    const kith_entity *entities[KITH_ROW_ENTITIES]; /* by their numbers in the row */
    double point[3]; /* of the distance */
    uint32_t count;
} run_batch;

static const void *run_value(const run_batch *batch, uint32_t way, uint32_t i)
{
    return batch->values[(size_t)way * RUN_BATCH + i];
}

static kith_result run_add(kith_select *select, const run_batch *batch, uint32_t i)
{
    ki_select_table *table = &select->read;
    uint8_t *row;
    KI_TRY(ki_select_add_row(&select->world->store.context.heap, table, &row));
    for (uint32_t k = 0; k < table->column_count; k++) {
        const ki_select_column *column = &table->columns[k];
        if (column->source == KI_SYNTAX_ENTITY) {
            ki_select_put(table, row, k, &batch->entities[column->offset][i]);
            continue;
        }
        const char *value = run_value(batch, column->way, i);
        if (value != NULL && column->source == KI_SYNTAX_DISTANCE) {
            const double square = ki_select_square(&select->distance, batch->point, value);
            ki_select_put(table, row, k, &square);
        } else if (value != NULL) {
            ki_select_put(table, row, k, value + column->offset);
        }
    }
    return KITH_OK;
}

/* Where the order decides which rows are given out: more than `count` of these, and so many more, are
 * sorted, and only the first `count` are kept. */
#define RUN_MORE 1024u

/* Drops rows that will not be among the first `count`. `*sorted`: these are in order. */
static kith_result run_keep_first(kith_select *select, uint64_t count, bool *sorted)
{
    ki_select_table *table = &select->read;
    const ki_select_order *orders = select->orders;
    if (table->row_count <= count) {
        return KITH_OK;
    }
    if (count == 0) {
        table->row_count = 0;
        return KITH_OK;
    }
    if (*sorted) {
        ki_select_drop_row(select->world, table, orders, select->order_count, (uint32_t)count - 1);
    }
    if (table->row_count < 2 * count + RUN_MORE) {
        return KITH_OK;
    }
    *sorted = true;
    return ki_select_keep_rows(select->world, table, orders, select->order_count, (uint32_t)count);
}

static kith_result run_add_batch(kith_select *select, run_batch *batch, uint64_t most, bool *sorted)
{
    const bool ordered = select->order_count != 0;
    for (uint32_t i = 0; i < select->way_count; i++) {
        const ki_select_way *way = &select->ways[i];
        ki_select_follow(select->world, way, batch->entities[way->entity], batch->count,
                         batch->others, batch->values + (size_t)i * RUN_BATCH);
    }
    for (uint32_t i = 0; i < batch->count && (ordered || select->read.row_count < most); i++) {
        KI_TRY(run_add(select, batch, i));
        KI_TRY(ordered ? run_keep_first(select, most, sorted) : KITH_OK);
    }
    return KITH_OK;
}

/* Reads until the limit, if rows are given out as they come; else all, of which as many as the limit
 * says are kept. A look for changes goes on to its end. */
static kith_result run_read(kith_select *select, run_batch *batch)
{
    const bool limited = select->limited && !select->grouped;
    const uint64_t most = limited ? select->limit.value.as.u64 : UINT64_MAX / 4;
    const bool all = select->looks || select->order_count != 0;
    bool sorted = false;
    kith_result result = KITH_OK;
    ki_select_point(&select->distance, batch->point);
    kith_iter it = kith_query_iter_at(select->query, KI_SELECT_RUN, 0);
    if (select->has_first && it.cursor != NULL) {
        ki_sorted first = select->first;
        first.count = most;
        memcpy(first.order.point, batch->point, sizeof first.order.point);
        ki_sorted_plan(it.cursor, &first);
    }
    while (result == KITH_OK && (all || select->read.row_count < most) && kith_next_rows(&it)) {
        for (uint32_t i = 0; i < select->compiler.entity_count; i++) {
            batch->entities[i] = kith_others(&it, i);
        }
        batch->count = it.count;
        result = run_add_batch(select, batch, most, &sorted);
    }
    kith_iter_close(&it);
    return result != KITH_OK ? result : it.result;
}

kith_result ki_select_read(kith_select *select)
{
    ki_heap *heap = &select->world->store.context.heap;
    run_batch batch = {.count = 0};
    size_t size = ki_heap_bytes((uint64_t)select->way_count * RUN_BATCH, sizeof *batch.values);
    size_t others_size = RUN_BATCH * sizeof *batch.others;
    batch.values = ki_heap_alloc(heap, size, _Alignof(const void *));
    batch.others = ki_heap_alloc(heap, others_size, _Alignof(kith_entity));
    kith_result result = KITH_ERR_MEMORY;
    if (batch.values != NULL && batch.others != NULL) {
        result = run_read(select, &batch);
    }
    ki_heap_free(heap, batch.values, size, _Alignof(const void *));
    ki_heap_free(heap, batch.others, others_size, _Alignof(kith_entity));
    return result;
}
