/* The filter. It keeps nothing of rows, and so cannot tell which value of a block is gone: a block that
 * was written is read anew. A value that was set by itself is only added, since reading up to 1,024 for
 * it would take longer. */
#include "index/filter_index.h"

#include "index/index_storage.h"

/* A block is read again once so many values, of those that it was read with, were set one by one: what
 * they were before is still told of it. */
#define FILTER_WORN(values) ((values) / 8 + 8)

/* A value that was set costs as much as so many rows. */
#define FILTER_SET_ROWS 8u

static ki_filter_index *filter_data(const kith_index *index)
{
    return index->data;
}

/* ---- The kind */

static kith_result filter_make(kith_index *index)
{
    ki_context *context = ki_world_context(index->askable.world);
    ki_filter_fields fields;
    uint32_t wrong;
    if (index->function.call != NULL) {
        return ki_fail(
            context, KITH_ERR_INPUT,
            "kith_index_new: only queries ask a filter, about fields of %s: it is not by a"
            " function",
            index->component->type->name);
    }
    if (!ki_filter_fields_init(&fields, index->fields, index->field_count, &wrong)) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_index_new: a filter takes single numbers, bools, enums, entities and"
                       " texts, and %s.%s is none",
                       index->type->name, index->fields[wrong].name);
    }
    ki_filter_index *filter =
        ki_heap_alloc(ki_index_heap(index), sizeof *filter, _Alignof(ki_filter_index));
    if (filter == NULL) {
        return KITH_ERR_MEMORY;
    }
    *filter = (ki_filter_index){.fields = fields};
    index->data = filter;
    return KITH_OK;
}

/* Forgets a storage. */
static void filter_drop(kith_index *index, uint32_t number)
{
    ki_heap *heap = ki_index_heap(index);
    ki_filter_index *filter = filter_data(index);
    ki_filter_blocks *blocks = filter->storages[number];
    ki_filter_blocks_free(heap, &filter->fields, blocks);
    ki_heap_free(heap, blocks, sizeof *blocks, _Alignof(ki_filter_blocks));
    filter->storages[number] = NULL;
}

static void filter_clear(kith_index *index)
{
    ki_filter_index *filter = filter_data(index);
    for (uint32_t number = 0; number < filter->capacity; number++) {
        if (filter->storages[number] != NULL) {
            filter_drop(index, number);
        }
    }
    ki_heap_free(ki_index_heap(index), filter->storages,
                 filter->capacity * sizeof *filter->storages, _Alignof(max_align_t));
    filter->storages = NULL;
    filter->capacity = 0;
}

static void filter_free(kith_index *index)
{
    filter_clear(index);
    ki_heap_free(ki_index_heap(index), index->data, sizeof(ki_filter_index),
                 _Alignof(ki_filter_index));
}

/* ---- Reading blocks */

/* What is known of a storage, made if need be; NULL if memory ran out. */
static ki_filter_blocks *filter_storage_at(kith_index *index, uint32_t number)
{
    ki_heap *heap = ki_index_heap(index);
    ki_filter_index *filter = filter_data(index);
    uint32_t before = filter->capacity;
    if (ki_heap_grow(heap, &filter->storages, &filter->capacity, number + 1,
                     sizeof *filter->storages, 1) != KITH_OK) {
        return NULL;
    }
    for (uint32_t i = before; i < filter->capacity; i++) {
        filter->storages[i] = NULL;
    }
    if (filter->storages[number] == NULL) {
        filter->storages[number] =
            ki_heap_alloc_zeroed(heap, sizeof(ki_filter_blocks), _Alignof(ki_filter_blocks));
    }
    return filter->storages[number];
}

/* The next run of rows that have values, from `row` on, before `end`. False: there is none left. */
static bool filter_next_run(const ki_index_storage *storage, uint32_t *row, uint32_t end,
                            uint32_t *count)
{
    if (storage->slots != NULL) {
        *row = ki_slots_next(storage->slots, *row, end);
    }
    if (*row >= end) {
        return false;
    }
    uint32_t run_end = storage->slots == NULL ? end : ki_slots_run_end(storage->slots, *row, end);
    *count = run_end - *row;
    return true;
}

/* How many rows have a value. */
static uint32_t filter_count_values(const ki_index_storage *storage, uint32_t row, uint32_t end)
{
    uint32_t values = 0;
    for (uint32_t count; filter_next_run(storage, &row, end, &count); row += count) {
        values += count;
    }
    return values;
}

static uint32_t filter_values_now(const ki_index_storage *storage, uint32_t number)
{
    const uint32_t row = number << storage->values->shift;
    return filter_count_values(storage, row,
                               row + ki_column_run(storage->values, row, storage->count - row));
}

/* Reads a block, whose group is ready for its values. */
static void filter_read_block(kith_index *index, const ki_index_storage *storage,
                              ki_filter_blocks *blocks, uint32_t number)
{
    ki_filter_index *filter = filter_data(index);
    const size_t stride = storage->values->size;
    const uint32_t row = number << storage->values->shift;
    const uint32_t end = row + ki_column_run(storage->values, row, storage->count - row);
    ki_filter_block_begin(&filter->fields, blocks, number, filter_count_values(storage, row, end));
    blocks->list[number].stamp = ki_index_storage_stamp(storage, row);
    for (uint32_t at = row, count; filter_next_run(storage, &at, end, &count); at += count) {
        ki_filter_block_add(&filter->fields, blocks, number, ki_column_at(storage->values, at),
                            stride, count);
    }
    index->counts.rows_compared += end - row;
}

/* ---- Bringing it up to date */

/* Whether the values of a block were written, by more than what the log tells. Whose they are does not
 * count, so that rows that come or go concern one block. */
static bool filter_is_written(const kith_index *index, const ki_index_storage *storage,
                              const ki_filter_blocks *blocks, uint32_t number)
{
    const ki_column *values = storage->values;
    const uint32_t row = number << values->shift;
    if (index->reader.looked == 0) {
        return ki_index_storage_stamp(storage, row) != blocks->list[number].stamp;
    }
    return row < values->capacity ? ki_column_is_written(values, row, index->reader.looked)
                                  : blocks->list[number].values != 0; /* its page was given back */
}

/* Whether a block is to be read: it was written, or has other rows than it had. */
static bool filter_is_stale(const kith_index *index, const ki_index_storage *storage,
                            const ki_filter_blocks *blocks, uint32_t number)
{
    const uint32_t row = number << storage->values->shift;
    const uint32_t seen = blocks == NULL || row >= blocks->rows
                              ? 0
                              : ki_column_run(storage->values, row, blocks->rows - row);
    return seen != ki_column_run(storage->values, row, storage->count - row) ||
           filter_is_written(index, storage, blocks, number);
}

static uint32_t filter_block_count(const ki_index_storage *storage)
{
    return (uint32_t)(((uint64_t)storage->count + storage->values->mask) >> storage->values->shift);
}

/* Reads the blocks of a group that were written; all, if it needs other room. KITH_ERR_MEMORY. */
static kith_result filter_look_at_group(kith_index *index, const ki_index_storage *storage,
                                        ki_filter_blocks *blocks, uint32_t group)
{
    ki_filter_index *filter = filter_data(index);
    const uint32_t first = group * KI_FILTER_GROUP;
    const uint32_t size = ki_filter_group_size(blocks, group);
    uint32_t stale = 0;
    uint32_t most = 0;
    for (uint32_t i = 0; i < size; i++) {
        bool is = !index->filled || filter_is_stale(index, storage, blocks, first + i);
        uint32_t values =
            is ? filter_values_now(storage, first + i) : blocks->list[first + i].values;
        stale |= is ? 1u << i : 0;
        most = values > most ? values : most;
    }
    bool emptied = false;
    if (stale != 0) {
        KI_TRY(ki_filter_group_fit(ki_index_heap(index), &filter->fields, blocks, group, most,
                                   &emptied));
    }
    for (uint32_t i = 0; i < size; i++) {
        if (emptied || (stale >> i & 1) != 0) {
            filter_read_block(index, storage, blocks, first + i);
        }
    }
    return KITH_OK;
}

static kith_result filter_look_at(kith_index *index, uint32_t number)
{
    const ki_index_storage storage = ki_index_storage_of(index, number);
    ki_filter_blocks *blocks = filter_storage_at(index, number);
    if (blocks == NULL) {
        return KITH_ERR_MEMORY;
    }
    KI_TRY(ki_filter_blocks_resize(ki_index_heap(index), &filter_data(index)->fields, blocks,
                                   filter_block_count(&storage)));
    for (uint32_t group = 0; group < ki_filter_group_count(blocks); group++) {
        KI_TRY(filter_look_at_group(index, &storage, blocks, group));
    }
    blocks->rows = storage.count;
    blocks->shift = storage.values->shift;
    return KITH_OK;
}

/* Reads all blocks that were written, and forgets storages that are gone. */
static kith_result filter_look_at_all(kith_index *index)
{
    const ki_filter_index *filter = filter_data(index);
    for (uint32_t number = 0; number < filter->capacity; number++) {
        if (filter->storages[number] != NULL && ki_index_storage_next(index, number) != number) {
            filter_drop(index, number);
        }
    }
    for (uint32_t number = ki_index_storage_next(index, 0); number != UINT32_MAX;
         number = ki_index_storage_next(index, number + 1)) {
        KI_TRY(filter_look_at(index, number));
    }
    return KITH_OK;
}

/* Adds a value that was set by itself. In rows that are not known it is in a block that was read. */
static void filter_add_slot(kith_index *index, uint32_t slot)
{
    const ki_filter_index *filter = filter_data(index);
    uint32_t number;
    uint32_t row;
    const ki_column *values = ki_index_locate(index, slot, &number, &row);
    ki_filter_blocks *blocks =
        values == NULL || number >= filter->capacity ? NULL : filter->storages[number];
    if (blocks == NULL || row >= blocks->rows) {
        return;
    }
    ki_filter_block *block = &blocks->list[row >> values->shift];
    if (block->added >= FILTER_WORN(block->values)) {
        const ki_index_storage storage = ki_index_storage_of(index, number);
        filter_read_block(index, &storage, blocks, row >> values->shift);
        return;
    }
    block->added++;
    ki_filter_block_add(&filter->fields, blocks, row >> values->shift, ki_column_at(values, row),
                        values->size, 1);
    index->counts.rows_compared++;
}

static kith_result filter_look(kith_index *index)
{
    const ki_write_log *log = index->component->write_log;
    if (!index->filled) {
        return filter_look_at_all(index);
    }
    if (ki_index_store(index)->columns.marked > index->reader.looked) {
        KI_TRY(filter_look_at_all(index));
    }
    for (uint32_t i = index->reader.place; i < log->count; i++) {
        filter_add_slot(index, log->slots[i]);
    }
    return KITH_OK;
}

/* Rows in blocks of a storage that were written. */
static uint64_t filter_stale_in(const kith_index *index, uint32_t number)
{
    uint64_t rows = 0;
    const ki_index_storage storage = ki_index_storage_of(index, number);
    const ki_filter_blocks *blocks = ki_filter_blocks_at(index, number);
    for (uint32_t i = 0, count = filter_block_count(&storage); i < count; i++) {
        const uint32_t row = i << storage.values->shift;
        if (filter_is_stale(index, &storage, blocks, i)) {
            rows += ki_column_run(storage.values, row, storage.count - row);
        }
    }
    return rows;
}

uint32_t ki_filter_stale_rows(const kith_index *index)
{
    uint64_t rows = 0;
    if (!index->filled) {
        rows = ki_store_count(ki_index_store(index), index->component);
        return rows == 0 ? 1 : (uint32_t)rows;
    }
    if (ki_index_store(index)->columns.marked > index->reader.looked) {
        for (uint32_t number = ki_index_storage_next(index, 0); number != UINT32_MAX;
             number = ki_index_storage_next(index, number + 1)) {
            rows += filter_stale_in(index, number);
        }
    }
    rows += (uint64_t)(index->component->write_log->count - index->reader.place) * FILTER_SET_ROWS;
    return rows < UINT32_MAX ? (uint32_t)rows : UINT32_MAX;
}

/* ---- Looking at the whole */

/* Whether a block was written after the last look, also one value by itself. */
static bool filter_is_behind(const kith_index *index, const ki_index_storage *storage,
                             const ki_filter_blocks *blocks, uint32_t number)
{
    const uint32_t row = number << storage->values->shift;
    return filter_is_stale(index, storage, blocks, number) ||
           (index->reader.looked != 0 && row < storage->values->capacity &&
            ki_column_stamp(storage->values, row) > index->reader.looked);
}

/* Whether what is known of a block that is up to date tells of all its values. */
static bool filter_block_is_right(const kith_index *index, const ki_index_storage *storage,
                                  const ki_filter_blocks *blocks, uint32_t number)
{
    const ki_filter_fields *fields = &ki_filter_of(index)->fields;
    const uint32_t row = number << storage->values->shift;
    const uint32_t end = row + ki_column_run(storage->values, row, storage->count - row);
    if (filter_count_values(storage, row, end) != blocks->list[number].values) {
        return false;
    }
    for (uint32_t at = row, count; filter_next_run(storage, &at, end, &count); at += count) {
        if (!ki_filter_block_covers(fields, blocks, number, ki_column_at(storage->values, at),
                                    storage->values->size, count)) {
            return false;
        }
    }
    return true;
}

static bool filter_storage_is_right(const kith_index *index, uint32_t number)
{
    const ki_index_storage storage = ki_index_storage_of(index, number);
    const ki_filter_blocks *blocks = ki_filter_blocks_at(index, number);
    const uint32_t count =
        blocks == NULL ? 0 : ki_min_u32(blocks->count, filter_block_count(&storage));
    for (uint32_t i = 0; i < count; i++) {
        if (!filter_is_behind(index, &storage, blocks, i) &&
            !filter_block_is_right(index, &storage, blocks, i)) {
            return false;
        }
    }
    return true;
}

static uint32_t filter_count(const kith_index *index)
{
    const ki_filter_index *filter = filter_data(index);
    uint32_t values = 0;
    for (uint32_t number = 0; number < filter->capacity; number++) {
        const ki_filter_blocks *blocks = filter->storages[number];
        for (uint32_t i = 0; blocks != NULL && i < blocks->count; i++) {
            values += blocks->list[i].values;
        }
    }
    return values;
}

/* What a loop has handed out for writing may be written at any time: then nothing can be told. */
static const char *filter_check(const kith_index *index, uint32_t *entries)
{
    *entries = filter_count(index);
    bool still = index->filled && ki_index_store(index)->open == NULL;
    for (uint32_t number = still ? ki_index_storage_next(index, 0) : UINT32_MAX;
         number != UINT32_MAX; number = ki_index_storage_next(index, number + 1)) {
        if (!filter_storage_is_right(index, number)) {
            return "a filter does not tell of a value in a block that was not written since";
        }
    }
    return NULL;
}

static size_t filter_bytes(const kith_index *index)
{
    const ki_filter_index *filter = filter_data(index);
    size_t bytes = sizeof *filter + filter->capacity * sizeof *filter->storages;
    for (uint32_t number = 0; number < filter->capacity; number++) {
        const ki_filter_blocks *blocks = filter->storages[number];
        bytes +=
            blocks == NULL ? 0 : sizeof *blocks + ki_filter_blocks_bytes(&filter->fields, blocks);
    }
    return bytes;
}

const ki_index_calls ki_filter_index_calls = {.make = filter_make,
                                              .free = filter_free,
                                              .look = filter_look,
                                              .clear = filter_clear,
                                              .check = filter_check,
                                              .count = filter_count,
                                              .bytes = filter_bytes};
