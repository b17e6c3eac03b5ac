#include "store/clone_column.h"

#include "store/hooks.h"

/* Copies values with hooks: they are made in `room`, and moved to their rows. */
static kith_result clone_hooked(const ki_column *from, uint32_t first, uint32_t count,
                                ki_column *to, void *room)
{
    uint32_t run;
    for (uint32_t row = 0; row < count; row += run) {
        run = ki_column_run(from, first + row, count - row);
        KI_TRY(ki_hooks_copy(from->hooks, room, ki_column_at(from, first + row), run));
        ki_column_write_rows(to, row, run, room, to->size);
    }
    return KITH_OK;
}

static kith_result clone_rows(ki_column_context *columns, const ki_column *from, uint32_t first,
                              uint32_t count, ki_column *to)
{
    KI_TRY(ki_column_reserve_rows(columns, to, 0, count));
    if (from->hooks == NULL) {
        ki_column_copy_rows(to, 0, from, first, count);
        return KITH_OK;
    }
    size_t bytes = (size_t)ki_min_u32(count, ki_column_block_rows(from)) * from->size;
    void *room =
        ki_heap_alloc(columns->heap, bytes,
                      _Alignof(max_align_t) < from->align ? from->align : _Alignof(max_align_t));
    if (room == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_result result = clone_hooked(from, first, count, to, room);
    ki_heap_free(columns->heap, room, bytes,
                 _Alignof(max_align_t) < from->align ? from->align : _Alignof(max_align_t));
    return result;
}

kith_result ki_column_clone(ki_column_context *columns, const ki_column *from, uint32_t first,
                            uint32_t count, ki_column *to)
{
    ki_column_init(to, from->size, from->align);
    ki_column_set_hooks(to, from->hooks);
    kith_result result = count == 0 ? KITH_OK : clone_rows(columns, from, first, count, to);
    if (result != KITH_OK) {
        ki_column_free(columns, to);
    }
    return result;
}

void ki_columns_exchange(ki_column *a, ki_column *b)
{
    ki_column was = *a;
    *a = *b;
    *b = was;
    a->blocks = a->blocks == &b->first ? &a->first : a->blocks;
    b->blocks = b->blocks == &a->first ? &b->first : b->blocks;
}
