#include "query/via_batch.h"

#include "query/condition.h"
#include "query/row_batch.h"
#include "store/register.h"

static size_t via_room_bytes(const kith_query *query)
{
    return (size_t)query->conditions->via_count * KI_CHUNK_ROWS * sizeof(void *);
}

bool ki_via_room_reserve(kith_cursor *cursor)
{
    ki_column_context *columns = &cursor->query->store->columns;
    if (cursor->via_values == NULL) {
        if (columns->lock != NULL) {
            ki_lock_acquire(columns->lock);
        }
        cursor->via_values =
            ki_heap_alloc(columns->heap, via_room_bytes(cursor->query), _Alignof(void *));
        if (columns->lock != NULL) {
            ki_lock_release(columns->lock);
        }
    }
    return cursor->via_values != NULL;
}

void ki_via_room_free(kith_cursor *cursor)
{
    if (cursor->via_values != NULL) {
        ki_heap_free(&cursor->query->store->context.heap, (void *)cursor->via_values,
                     via_room_bytes(cursor->query), _Alignof(void *));
    }
}

/* Where the addresses of a via are, for the batch of arrays. */
static const void **via_array(const kith_cursor *cursor, const ki_via *via)
{
    uint32_t row = cursor->scan.row % KI_CHUNK_ROWS;
    return cursor->via_values + (size_t)via->number * KI_CHUNK_ROWS + row;
}

static void via_bind_to(kith_bind *bind, const ki_via *via, const void **values)
{
    bind->base = (void *)values;
    bind->via_number = ki_type_number(via->component->type);
}

void ki_via_bind(kith_cursor *cursor)
{
    const ki_conditions *conditions = cursor->query->conditions;
    bool kept = cursor->kind == KI_BATCH_ARRAYS && cursor->scan.driver.kind != KI_DRIVE_ONE &&
                !cursor->query->store->columns.shared;
    for (uint32_t i = 0; i < conditions->via_count; i++) {
        const ki_via *via = &conditions->vias[i];
        if (!via->valued) {
            continue;
        }
        kith_bind *bind = &cursor->binds[via->term];
        bind->via_number = KITH_NO_NUMBER_;
        if (kept && via->role == KITH_MUST) {
            via_bind_to(bind, via, via_array(cursor, via));
        }
    }
}

/* Finds the values of `count` rows of the driving storage, which ascend. */
static void via_find_rows(const ki_via *via, const ki_driver *driver, const uint32_t *rows,
                          uint32_t count, const void **values)
{
    const void *of_word[64];
    for (uint32_t i = 0; i < count;) {
        uint32_t first = rows[i] & ~63u;
        uint64_t asked = 0;
        uint32_t end = i;
        for (; end < count && rows[end] - first < 64; end++) {
            asked |= UINT64_C(1) << (rows[end] - first);
        }
        ki_via_values(via, driver, first, asked, of_word);
        for (; i < end; i++) {
            values[i] = of_word[rows[i] - first];
        }
    }
}

/* The same for `count` rows from `row` on, in one chunk. */
static void via_find_run(const ki_via *via, const ki_driver *driver, uint32_t row, uint32_t count,
                         const void **values)
{
    for (uint32_t i = 0; i < count; i += 64) {
        uint32_t rows = ki_min_u32(64, count - i);
        ki_via_values(via, driver, row + i, UINT64_MAX >> (64 - rows), values + i);
    }
}

const void *const *ki_via_pointers(kith_cursor *cursor, uint32_t term, uint32_t count)
{
    const ki_via *via = cursor->query->terms[term].via;
    const ki_scan *scan = &cursor->scan;
    kith_bind *bind = &cursor->binds[term];
    if (bind->via_number != KITH_NO_NUMBER_) {
        return (const void *const *)bind->base;
    }
    const void **values;
    if (cursor->kind == KI_BATCH_ROWS) {
        ki_row_batch *batch = cursor->row_batch;
        values = (const void **)(batch->pointers + (size_t)term * KI_CHUNK_ROWS);
        via_find_rows(via, &scan->driver, batch->rows, count, values);
    } else {
        values = via_array(cursor, via);
        via_find_run(via, &scan->driver, scan->row, count, values);
    }
    via_bind_to(bind, via, values);
    return (const void *const *)values;
}
