#include "store/seen.h"

ki_exact *ki_exact_new(ki_heap *heap, uint32_t size)
{
    ki_exact *exact = ki_heap_take_zeroed(heap, sizeof *exact, _Alignof(ki_exact));
    if (exact != NULL) {
        uint32_t bytes = (uint32_t)(sizeof(ki_seen) + ki_round_up(size, 8));
        ki_column_init_paged(&exact->seen, bytes, _Alignof(ki_seen), ki_block_shift(bytes));
    }
    return exact;
}

void ki_exact_free(ki_space *space, ki_exact *exact)
{
    if (exact != NULL) {
        ki_column_free(space, &exact->seen);
        ki_heap_give(space->heap, exact, sizeof *exact, _Alignof(ki_exact));
    }
}

void ki_exact_forget(ki_exact *exact, const kith_entity *entities, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = entities[i].index1 - 1;
        if (ki_column_has_page(&exact->seen, index)) {
            ((ki_seen *)ki_column_at(&exact->seen, index))->changed = 0;
        }
    }
}
