#include "store/sparse.h"

void ki_sparse_init(ki_sparse *set, uint32_t size, uint32_t align, const struct ki_hooks *hooks)
{
    *set = (ki_sparse){0};
    ki_column_init_paged(&set->index, sizeof(uint32_t), _Alignof(uint32_t), KI_SPARSE_PAGE_SHIFT);
    ki_column_init(&set->values, size, align);
    ki_column_set_hooks(&set->values, hooks);
    ki_rows_init(&set->rows, &set->values, 1);
}

void ki_sparse_free(ki_space *space, ki_sparse *set)
{
    ki_column_free(space, &set->index);
    ki_rows_free(space, &set->rows);
}

void ki_sparse_trim(ki_space *space, ki_sparse *set)
{
    ki_column_trim_pages(space, &set->index, ki_column_is_zero, NULL);
    ki_rows_trim(space, &set->rows);
}
