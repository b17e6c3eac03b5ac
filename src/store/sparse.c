#include "store/sparse.h"

KI_RARE void ki_sparse_init(ki_sparse *set, uint32_t size, uint32_t align)
{
    *set = (ki_sparse){0};
    ki_column_init_paged(&set->rows, sizeof(uint32_t), _Alignof(uint32_t), KI_SPARSE_PAGE_SHIFT);
    ki_column_init(&set->entities, sizeof(kith_entity), _Alignof(kith_entity));
    ki_column_init(&set->values, size, align);
}

void ki_sparse_free(ki_space *space, ki_sparse *set)
{
    ki_column_free(space, &set->rows);
    ki_column_free(space, &set->entities);
    ki_column_free(space, &set->values);
    set->count = 0;
}

static kith_result sparse_reserve_dense(ki_space *space, ki_column *column, uint32_t first,
                                        uint32_t count)
{
    if (count > UINT32_MAX - 1 - first) {
        return KITH_ERR_LIMIT;
    }
    KI_TRY(ki_column_reserve(space, column, first + count));
    for (uint64_t row = first; row < (uint64_t)first + count;
         row = ki_column_block_end(column, (uint32_t)row)) {
        if (!ki_column_touch(space, column, (uint32_t)row)) {
            return KITH_ERR_MEMORY;
        }
    }
    return KITH_OK;
}

kith_result ki_sparse_reserve_rows(ki_space *space, ki_sparse *set, uint32_t count)
{
    KI_TRY(sparse_reserve_dense(space, &set->entities, set->count, count));
    return sparse_reserve_dense(space, &set->values, set->count, count);
}

kith_result ki_sparse_reserve_index(ki_space *space, ki_sparse *set, uint32_t index)
{
    KI_TRY(ki_column_reserve_page(space, &set->rows, index));
    return ki_column_touch(space, &set->rows, index) ? KITH_OK : KITH_ERR_MEMORY;
}

bool ki_sparse_touch_removal(ki_space *space, ki_sparse *set, uint32_t index)
{
    uint32_t row = ki_sparse_row1(set, index) - 1;
    uint32_t last = set->count - 1;
    const kith_entity *moved = ki_column_at(&set->entities, last);
    return ki_column_touch(space, &set->rows, index) &&
           ki_column_touch(space, &set->rows, moved->index1 - 1) &&
           ki_column_touch(space, &set->entities, row) &&
           ki_column_touch(space, &set->entities, last) &&
           ki_column_touch(space, &set->values, row) && ki_column_touch(space, &set->values, last);
}

void ki_sparse_remove(ki_sparse *set, uint32_t *row1)
{
    uint32_t row = *row1 - 1;
    uint32_t last = --set->count;
    if (KI_UNLIKELY(set->values.hooks != NULL)) {
        ki_column_drop(&set->values, row);
    }
    if (row != last) {
        ki_column_copy(&set->values, row, &set->values, last);
        ki_sparse_fill(set, row, last);
    }
    *row1 = 0;
}

void ki_sparse_trim(ki_space *space, ki_sparse *set)
{
    ki_column_trim_pages(space, &set->rows, ki_column_is_zero, NULL);
    ki_column_trim(space, &set->entities, set->count);
    ki_column_trim(space, &set->values, set->count);
}
