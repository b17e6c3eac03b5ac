#include "store/sparse.h"

KI_RARE void ki_sparse_init(ki_sparse *set, uint32_t size, uint32_t align)
{
    *set = (ki_sparse){0};
    ki_column_init_paged(&set->rows, sizeof(uint32_t), _Alignof(uint32_t), KI_SPARSE_PAGE_SHIFT);
    ki_column_init(&set->entities, sizeof(kith_entity), _Alignof(kith_entity));
    ki_column_init(&set->values, size, align);
}

KI_RARE void ki_sparse_free(ki_space *space, ki_sparse *set)
{
    ki_column_free(space, &set->rows);
    ki_column_free(space, &set->entities);
    ki_column_free(space, &set->values);
    set->count = 0;
}

kith_result ki_sparse_reserve_rows(ki_space *space, ki_sparse *set, uint32_t count)
{
    KI_TRY(ki_column_reserve_rows(space, &set->entities, set->count, count));
    return ki_column_reserve_rows(space, &set->values, set->count, count);
}

kith_result ki_sparse_reserve_index(ki_space *space, ki_sparse *set, uint32_t index)
{
    return ki_column_reserve_row(space, &set->rows, index);
}

bool ki_sparse_touch_removal(ki_space *space, ki_sparse *set, uint32_t index)
{
    uint32_t row = ki_sparse_row1(set, index) - 1;
    uint32_t last = set->count - 1;
    const kith_entity *moved = ki_column_at(&set->entities, last);
    return ki_column_touch_both(space, &set->rows, index, moved->index1 - 1) &&
           ki_column_touch_both(space, &set->entities, row, last) &&
           ki_column_touch_both(space, &set->values, row, last);
}

void ki_sparse_remove(ki_sparse *set, uint32_t *row1)
{
    uint32_t row = *row1 - 1;
    uint32_t last = --set->count;
    if (set->values.hooks != NULL) {
        ki_column_drop(&set->values, row);
    }
    if (row != last) {
        ki_column_copy(&set->values, row, &set->values, last);
        ki_sparse_fill(set, row, last);
    }
    *row1 = 0;
}

KI_RARE void ki_sparse_trim(ki_space *space, ki_sparse *set)
{
    ki_column_trim_pages(space, &set->rows, ki_column_is_zero, NULL);
    ki_column_trim(space, &set->entities, set->count);
    ki_column_trim(space, &set->values, set->count);
}
