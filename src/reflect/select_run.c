/* Reads what a selection asks for of the entities that match. */
#include <string.h>

#include "reflect/selection.h"

#define RUN_BATCH 1024u

/* The values of a batch: for each way, as many addresses as the batch may have entities. */
typedef struct run_batch {
    const void **values;
    kith_entity *others; /* room for as many handles */
    const kith_entity *entities;
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
            ki_select_put(table, row, k, &batch->entities[i]);
            continue;
        }
        const char *value = run_value(batch, column->way, i);
        if (value != NULL) {
            ki_select_put(table, row, k, value + column->offset);
        }
    }
    return KITH_OK;
}

static kith_result run_add_batch(kith_select *select, run_batch *batch, uint64_t most)
{
    for (uint32_t i = 0; i < select->way_count; i++) {
        ki_select_follow(select->world, &select->ways[i], batch->entities, batch->count,
                         batch->others, batch->values + (size_t)i * RUN_BATCH);
    }
    for (uint32_t i = 0; i < batch->count && select->read.row_count < most; i++) {
        KI_TRY(run_add(select, batch, i));
    }
    return KITH_OK;
}

/* Reads until the limit, if rows are given out as they come. A look for changes goes on to its end. */
static kith_result run_read(kith_select *select, run_batch *batch)
{
    uint64_t most = UINT64_MAX;
    if (select->limited && !select->grouped && select->order_count == 0) {
        most = select->limit.value.as.u64;
    }
    kith_result result = KITH_OK;
    kith_iter it = kith_query_iter(select->query);
    while (result == KITH_OK && (select->looks || select->read.row_count < most) &&
           kith_next_rows(&it)) {
        batch->entities = kith_entities(&it);
        batch->count = it.count;
        result = run_add_batch(select, batch, most);
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
