/* Values that are written are found, and their blocks marked, when the batch is handed out: that may
 * fail. Others are found when they are asked for. */
#include "query/row_batch.h"

#include "query/via_batch.h"

/* How many entities a row has beside the query's. */
static size_t row_batch_other_count(const kith_query *query)
{
    const ki_pairs *pairs = ki_query_pairs(query);
    return pairs == NULL ? 0 : pairs->entity_count - 1;
}

static size_t row_batch_bytes(const kith_query *query)
{
    return sizeof(ki_row_batch) + (size_t)query->term_count * KI_CHUNK_ROWS * sizeof(void *) +
           row_batch_other_count(query) * KI_CHUNK_ROWS * sizeof(kith_entity);
}

bool ki_row_batch_reserve(kith_cursor *cursor)
{
    ki_heap *heap = &cursor->query->store->context.heap;
    if (cursor->row_batch == NULL) {
        cursor->row_batch =
            ki_heap_alloc(heap, row_batch_bytes(cursor->query), _Alignof(ki_row_batch));
    }
    if (cursor->row_batch == NULL) {
        return false;
    }
    ki_row_batch *batch = cursor->row_batch;
    batch->word = KI_CHUNK_WORDS;
    batch->walking = false;
    batch->left = 0;
    batch->others = (kith_entity *)(void *)(batch->pointers +
                                            (size_t)cursor->query->term_count * KI_CHUNK_ROWS);
    return true;
}

void ki_row_batch_free(kith_cursor *cursor)
{
    ki_heap_free(&cursor->query->store->context.heap, cursor->row_batch,
                 row_batch_bytes(cursor->query), _Alignof(ki_row_batch));
}

/* ---- Which rows */

/* Appends the rows of a mask to a list of `count` rows, and returns how many there are then. */
static uint32_t row_batch_append(uint32_t *rows, uint32_t count, uint32_t first, uint64_t mask)
{
    if (mask == UINT64_MAX) {
        for (uint32_t i = 0; i < 64; i++) {
            rows[count + i] = first + i;
        }
        return count + 64;
    }
    /* Several at a time, also where fewer are left: how often the loop runs is easier to foresee. */
    const uint64_t highest = UINT64_C(1) << 63;
    uint32_t end = count + ki_bit_count(mask);
    for (; count < end; count += KI_ROW_BATCH_STEP) {
        for (uint32_t i = 0; i < KI_ROW_BATCH_STEP; i++, mask &= mask - 1) {
            rows[count + i] = first + ki_lowest_bit(mask | highest);
        }
    }
    return end;
}

/* Selects the rows of the next batch, and returns how many they are; 0 at the end. Whole masks only: so
 * it ends once there may be no room for another one. */
static uint32_t row_batch_select(kith_cursor *cursor)
{
    ki_row_batch *batch = cursor->row_batch;
    ki_scan *scan = &cursor->scan;
    uint32_t count = 0;
    while (count <= KI_CHUNK_ROWS - 64) {
        if (batch->word == KI_CHUNK_WORDS) {
            bool stay = count != 0; /* a batch has rows of one table */
            if (!ki_scan_next_chunk(scan, stay, batch->masks)) {
                break;
            }
            batch->word = 0;
        }
        uint32_t first = scan->row + batch->word * 64;
        uint64_t mask = batch->masks[batch->word++];
        uint32_t before = count;
        count = mask == 0 ? count : row_batch_append(batch->rows, count, first, mask);
        if (cursor->query->reads_vias) {
            ki_via_gather(cursor, before, count);
        }
    }
    return count;
}

/* ---- Rows of several entities */

/* Moves on to the next entity that matches by itself; with `stay` only in the same table. */
static bool row_batch_enter(kith_cursor *cursor, bool stay)
{
    ki_row_batch *batch = cursor->row_batch;
    const ki_driver *driver = &cursor->scan.driver;
    while (batch->left == 0) {
        if (batch->word == KI_CHUNK_WORDS) {
            if (!ki_scan_next_chunk(&cursor->scan, stay, batch->masks)) {
                return false;
            }
            batch->word = 0;
        }
        batch->first = cursor->scan.row + batch->word * 64;
        batch->left = batch->masks[batch->word++];
    }
    batch->row = batch->first + ki_lowest_bit(batch->left);
    batch->left &= batch->left - 1;
    const kith_entity *entity = ki_driver_entities(driver, batch->row);
    ki_pair_walk_begin(&batch->walk, entity == NULL ? batch->row : entity->index1 - 1);
    batch->walking = true;
    return true;
}

/* Appends the rows of the entity at hand to `count` rows, as many as there is room for, and returns how
 * many there are then. */
static uint32_t row_batch_walk(kith_cursor *cursor, uint32_t count)
{
    ki_row_batch *batch = cursor->row_batch;
    const kith_query *query = cursor->query;
    const size_t others = row_batch_other_count(query);
    while (count < KI_CHUNK_ROWS) {
        batch->walking = ki_pair_walk_next(query, &batch->walk);
        if (!batch->walking) {
            break;
        }
        batch->rows[count] = batch->row;
        for (size_t i = 0; i < others; i++) {
            batch->others[i * KI_CHUNK_ROWS + count] =
                ki_entity_at(&query->store->entities, batch->walk.row[i + 1]);
        }
        count++;
    }
    return count;
}

/* The same as row_batch_select. */
static uint32_t row_batch_select_pairs(kith_cursor *cursor)
{
    uint32_t count = 0;
    while (count < KI_CHUNK_ROWS &&
           (cursor->row_batch->walking || row_batch_enter(cursor, count != 0))) {
        const uint32_t before = count;
        count = row_batch_walk(cursor, count);
        if (cursor->query->reads_vias) {
            ki_via_gather(cursor, before, count);
        }
    }
    return count;
}

/* ---- The batch */

/* Finds the slots of the batch's entities. */
static void row_batch_find_slots(kith_cursor *cursor, uint32_t count)
{
    ki_row_batch *batch = cursor->row_batch;
    const ki_driver *driver = &cursor->scan.driver;
    if (driver->kind == KI_DRIVE_SLOTS) {
        memcpy(batch->slots, batch->rows, count * sizeof *batch->slots);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        batch->slots[i] = ki_driver_entities(driver, batch->rows[i])->index1 - 1;
    }
}

const kith_entity *ki_row_batch_entities(kith_cursor *cursor, uint32_t count)
{
    ki_row_batch *batch = cursor->row_batch;
    for (uint32_t i = 0; !batch->has_entities && i < count; i++) {
        batch->entities[i] = ki_driver_entity(&cursor->scan.driver, batch->rows[i]);
    }
    batch->has_entities = true;
    return batch->entities;
}

/* ---- Where values are. With `write` their blocks are marked; false: no memory for that. */

/* The first place from `first` on, below `count`, of a row that is not below `end`; rows ascend. */
static uint32_t row_batch_find_end(const uint32_t *rows, uint32_t first, uint32_t count,
                                   uint64_t end)
{
    uint32_t high = count;
    while (first < high) {
        uint32_t middle = high == count ? count - 1 : first + (high - first) / 2;
        if (rows[middle] < end) {
            first = middle + 1;
        } else {
            high = middle;
        }
    }
    return first;
}

/* Values in the rows of a column that are listed, in ascending order: block by block. */
static bool row_batch_locate_rows(ki_column_context *context, ki_column *column,
                                  const uint32_t *rows, uint32_t count, bool write, void **pointers)
{
    for (uint32_t i = 0; i < count;) {
        if (write && !ki_column_mark(context, column, rows[i])) {
            return false;
        }
        uint64_t block_end = ki_column_block_end(column, rows[i]);
        uint32_t block_first = rows[i] & ~column->mask;
        uint8_t *data = column->blocks[rows[i] >> column->shift].data;
        uint32_t end = row_batch_find_end(rows, i, count, block_end);
        for (; i < end; i++) {
            pointers[i] = data + (size_t)(rows[i] - block_first) * column->size;
        }
    }
    return true;
}

/* Values of a component in another storage. */
static bool row_batch_look_up(kith_cursor *cursor, ki_component *component, uint32_t count,
                              bool write, void **pointers)
{
    ki_store *store = cursor->query->store;
    const uint32_t *slots = cursor->row_batch->slots;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row;
        const ki_record *record =
            component->layout == KITH_TABLE ? ki_record_at(&store->entities, slots[i]) : NULL;
        ki_column *column = ki_locate(store, component, slots[i], record, &row);
        if (column == NULL) {
            pointers[i] = NULL;
            continue;
        }
        if (write && !ki_column_mark_shared(&store->columns, column, row)) {
            return false;
        }
        pointers[i] = ki_column_at(column, row);
    }
    return true;
}

/* Finds the values of a term, and lets KITH_AT find them. */
static bool row_batch_locate(kith_cursor *cursor, uint32_t term, uint32_t count)
{
    const ki_term *asked = &cursor->query->terms[term];
    const ki_scan *scan = &cursor->scan;
    ki_row_batch *batch = cursor->row_batch;
    void **pointers = batch->pointers + (size_t)term * KI_CHUNK_ROWS;
    bool write = asked->access == KITH_ACCESS_WRITE;
    bool done = true;
    if (scan->driver.kind == KI_DRIVE_ONE || !ki_driver_is_aligned(&scan->driver, term)) {
        done = row_batch_look_up(cursor, asked->component, count, write, pointers);
    } else {
        ki_column *column = scan->driver.kind == KI_DRIVE_TABLES ? scan->match->columns[term]
                                                                 : cursor->columns[term];
        if (column == NULL) {
            memset(pointers, 0, count * sizeof *pointers);
        } else {
            done = row_batch_locate_rows(&cursor->query->store->columns, column, batch->rows, count,
                                         write, pointers);
        }
    }
    cursor->binds[term].base = pointers;
    cursor->binds[term].key = cursor->binds[term].stored_key;
    return done;
}

void ki_row_batch_mark(kith_cursor *cursor, uint32_t term)
{
    row_batch_locate(cursor, term, cursor->row_batch->count);
}

void *const *ki_row_batch_pointers(kith_cursor *cursor, uint32_t term, uint32_t count)
{
    if (cursor->binds[term].base == NULL) {
        row_batch_locate(cursor, term, count); /* it is read: that does not fail */
    }
    return cursor->binds[term].base;
}

bool ki_row_batch_next(kith_cursor *cursor, uint32_t *count)
{
    const kith_query *query = cursor->query;
    *count =
        ki_query_pairs(query) == NULL ? row_batch_select(cursor) : row_batch_select_pairs(cursor);
    cursor->row_batch->count = *count;
    if (*count == 0) {
        return true;
    }
    cursor->row_batch->has_entities = false;
    if (cursor->lookups || cursor->scan.driver.kind == KI_DRIVE_ONE) {
        row_batch_find_slots(cursor, *count);
    }
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        cursor->binds[i].base = NULL;
        ki_bind_clear(&cursor->binds[i]);
        if (term->valued && term->access == KITH_ACCESS_WRITE &&
            !row_batch_locate(cursor, i, *count)) {
            return false;
        }
    }
    return true;
}
