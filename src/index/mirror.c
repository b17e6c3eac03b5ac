#include "index/mirror.h"

void ki_mirrors_init(ki_mirrors *mirrors, ki_heap *heap, uint32_t value_size, uint32_t key_size)
{
    *mirrors = (ki_mirrors){.columns = {.heap = heap, .write_clock = KI_CLOCK_START},
                            .key_size = key_size,
                            .shift = ki_min_u32(ki_block_shift(value_size), KI_SMALL_SHIFT)};
    mirrors->shift = ki_min_u32(ki_block_shift(key_size), mirrors->shift);
}

ki_mirror *ki_mirrors_at(ki_mirrors *mirrors, uint32_t number)
{
    ki_heap *heap = mirrors->columns.heap;
    if (number >= mirrors->capacity) {
        uint32_t capacity = mirrors->capacity;
        if (ki_heap_grow(heap, &mirrors->list, &mirrors->capacity, number + 1,
                         sizeof *mirrors->list, 1) != KITH_OK) {
            return NULL;
        }
        memset(mirrors->list + capacity, 0, (mirrors->capacity - capacity) * sizeof *mirrors->list);
    }
    ki_mirror *mirror = mirrors->list[number];
    if (mirror == NULL) {
        mirror = ki_heap_alloc_zeroed(heap, sizeof *mirror, _Alignof(ki_mirror));
        if (mirror == NULL) {
            return NULL;
        }
        ki_column_init(&mirror->keys, mirrors->key_size, _Alignof(uint32_t));
        ki_column_init(&mirror->entities, sizeof(kith_entity), _Alignof(kith_entity));
        ki_column_init(&mirror->seen, sizeof(uint64_t), _Alignof(uint64_t));
        if (mirrors->copied != NULL) {
            ki_column_init(&mirror->copies, mirrors->copied->size, mirrors->copied->align);
        }
        mirrors->list[number] = mirror;
    }
    return mirror;
}

void ki_mirrors_drop(ki_mirrors *mirrors, uint32_t number)
{
    ki_mirror *mirror = mirrors->list[number];
    ki_column_free(&mirrors->columns, &mirror->keys);
    ki_column_free(&mirrors->columns, &mirror->entities);
    ki_column_free(&mirrors->columns, &mirror->seen);
    if (mirrors->copied != NULL) {
        ki_column_free(&mirrors->columns, &mirror->copies);
    }
    ki_heap_free(mirrors->columns.heap, mirror, sizeof *mirror, _Alignof(ki_mirror));
    mirrors->list[number] = NULL;
}

void ki_mirrors_clear(ki_mirrors *mirrors)
{
    for (uint32_t number = 0; number < mirrors->capacity; number++) {
        if (mirrors->list[number] != NULL) {
            ki_mirrors_drop(mirrors, number);
        }
    }
    ki_heap_free(mirrors->columns.heap, mirrors->list, mirrors->capacity * sizeof *mirrors->list,
                 _Alignof(max_align_t));
    mirrors->list = NULL;
    mirrors->capacity = 0;
    ki_columns_free_deferred(&mirrors->columns);
}

/* How many blocks so many rows are in. */
static uint32_t mirrors_blocks(const ki_mirrors *mirrors, uint32_t rows)
{
    return rows == 0 ? 0 : ((rows - 1) >> mirrors->shift) + 1;
}

kith_result ki_mirror_reserve(ki_mirrors *mirrors, ki_mirror *mirror, uint32_t count)
{
    if (count <= mirror->count) {
        return KITH_OK;
    }
    const uint32_t blocks = mirrors_blocks(mirrors, count);
    kith_result result = ki_column_reserve(&mirrors->columns, &mirror->keys, count);
    if (result == KITH_OK) {
        result = ki_column_reserve(&mirrors->columns, &mirror->entities, count);
    }
    if (result == KITH_OK && mirrors->copied != NULL) {
        result = ki_column_reserve(&mirrors->columns, &mirror->copies, count);
    }
    if (result == KITH_OK) {
        result = ki_column_reserve(&mirrors->columns, &mirror->seen, blocks);
    }
    ki_columns_free_deferred(&mirrors->columns);
    KI_TRY(result);
    for (uint32_t block = mirrors_blocks(mirrors, mirror->count); block < blocks; block++) {
        *KI_COLUMN_AT(uint64_t, &mirror->seen, block) = 0;
    }
    mirror->count = count;
    return KITH_OK;
}

kith_result ki_mirror_grow(ki_mirrors *mirrors, ki_mirror *mirror, uint32_t count)
{
    const uint32_t seen = mirror->count;
    KI_TRY(ki_mirror_reserve(mirrors, mirror, count));
    for (uint32_t row = seen, run; row < count; row += run) {
        run = ki_column_run(&mirror->entities, row, count - row);
        memset(ki_mirror_entity(mirror, row), 0, run * sizeof(kith_entity));
    }
    return KITH_OK;
}

void ki_mirror_shrink(ki_mirrors *mirrors, ki_mirror *mirror, uint32_t count)
{
    if (count < mirror->count) {
        mirror->count = count;
        ki_column_trim(&mirrors->columns, &mirror->keys, count);
        ki_column_trim(&mirrors->columns, &mirror->entities, count);
        ki_column_trim(&mirrors->columns, &mirror->seen, mirrors_blocks(mirrors, count));
        if (mirrors->copied != NULL) {
            ki_column_trim(&mirrors->columns, &mirror->copies, count);
        }
    }
}

bool ki_mirrors_next(const ki_mirrors *mirrors, ki_mirror_run *run)
{
    for (; run->mirror < mirrors->capacity; run->mirror++, run->row = 0) {
        const ki_mirror *mirror = mirrors->list[run->mirror];
        if (mirror != NULL && run->row < mirror->count) {
            run->count = ki_mirrors_run(mirrors, run->row, mirror->count - run->row);
            run->keys = ki_mirror_key(mirror, run->row);
            run->entities = ki_mirror_entity(mirror, run->row);
            run->row += run->count;
            return true;
        }
    }
    return false;
}

size_t ki_mirrors_bytes(const ki_mirrors *mirrors)
{
    size_t bytes = mirrors->capacity * sizeof *mirrors->list;
    for (uint32_t number = 0; number < mirrors->capacity; number++) {
        const ki_mirror *mirror = mirrors->list[number];
        if (mirror != NULL) {
            bytes += sizeof *mirror + ki_column_reserved(&mirror->keys) +
                     ki_column_reserved(&mirror->entities) + ki_column_reserved(&mirror->seen) +
                     (mirrors->copied == NULL ? 0 : ki_column_reserved(&mirror->copies));
        }
    }
    return bytes;
}
