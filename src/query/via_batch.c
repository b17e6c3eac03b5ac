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
    ki_heap *heap = &cursor->query->store->context.heap;
    if (cursor->via_values == NULL) {
        cursor->via_values =
            ki_heap_alloc(heap, via_room_bytes(cursor->query), _Alignof(void *));
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

/* Where the values of a via are for the rows of a chunk, from `row` on, as they were found when that was
 * filtered. */
static const void **via_of_chunk(const kith_cursor *cursor, const ki_via *via, uint32_t row)
{
    return cursor->via_values + (size_t)via->number * KI_CHUNK_ROWS + row % KI_CHUNK_ROWS;
}

/* Where they are for the entities of the batch. */
static const void **via_of_batch(const kith_cursor *cursor, const ki_via *via)
{
    return cursor->kind == KI_BATCH_ROWS
               ? (const void **)cursor->row_batch->pointers + (size_t)via->term * KI_CHUNK_ROWS
               : via_of_chunk(cursor, via, cursor->scan.row);
}

/* Whether the values of a via are found while rows are filtered. */
static bool via_is_filtered(const ki_via *via)
{
    return via->valued && via->role == KITH_MUST && via->entity == 0;
}

void ki_via_gather(kith_cursor *cursor, uint32_t first, uint32_t end)
{
    const ki_conditions *conditions = cursor->query->conditions;
    const uint32_t *rows = cursor->row_batch->rows;
    for (uint32_t i = 0; i < conditions->via_count; i++) {
        const ki_via *via = &conditions->vias[i];
        if (!via_is_filtered(via)) {
            continue;
        }
        const void **from = via_of_chunk(cursor, via, 0);
        const void **to = via_of_batch(cursor, via);
        for (uint32_t k = first; k < end; k++) {
            to[k] = from[rows[k] % KI_CHUNK_ROWS];
        }
    }
}

static void via_bind_to(kith_bind *bind, const ki_via *via, const void **values)
{
    bind->base = (void *)values;
    bind->via_number = ki_type_number(via->component->type);
}

void ki_via_bind(kith_cursor *cursor)
{
    const ki_conditions *conditions = cursor->query->conditions;
    bool kept = cursor->scan.filter.via_values != NULL &&
                cursor->scan.driver.kind != KI_DRIVE_ONE && !cursor->query->store->columns.shared;
    for (uint32_t i = 0; i < conditions->via_count; i++) {
        const ki_via *via = &conditions->vias[i];
        if (!via->valued) {
            continue;
        }
        kith_bind *bind = &cursor->binds[via->term];
        bind->via_number = KITH_NO_NUMBER_;
        if (kept && via_is_filtered(via)) {
            via_bind_to(bind, via, via_of_batch(cursor, via));
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

/* The same from entities of the rows. */
static void via_find_others(const ki_via *via, const ki_store *store, const kith_entity *others,
                            uint32_t count, const void **values)
{
    for (uint32_t i = 0; i < count; i += 64) {
        ki_via_values_from(via, store, others + i, ki_min_u32(64, count - i), values + i);
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
    const void **values = via_of_batch(cursor, via);
    if (via->entity != 0) {
        const kith_entity *others =
            cursor->row_batch->others + (size_t)(via->entity - 1) * KI_CHUNK_ROWS;
        via_find_others(via, cursor->query->store, others, count, values);
    } else if (cursor->kind == KI_BATCH_ROWS) {
        via_find_rows(via, &scan->driver, cursor->row_batch->rows, count, values);
    } else {
        via_find_run(via, &scan->driver, scan->row, count, values);
    }
    via_bind_to(bind, via, values);
    return (const void *const *)values;
}
