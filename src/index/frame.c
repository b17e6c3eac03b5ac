/* What every index has, whatever its kind. */
#include "index/frame.h"

#include <stdarg.h>

#include "base/sort.h"

kith_result ki_derived_take(kith_world *world, void **state)
{
    (void)world, (void)state;
    return KITH_OK;
}

kith_result ki_derived_reserve(kith_world *world, const void *state,
                               const struct ki_store_view *store)
{
    (void)world, (void)state, (void)store;
    return KITH_OK;
}

void ki_derived_free(kith_world *world, void *state)
{
    (void)world, (void)state;
}

kith_result ki_index_require(const kith_index *index, const char *call)
{
    if (KI_CHECKED && index == NULL) {
        return ki_misuse(NULL, "%s: the index is NULL", call);
    }
    return ki_context_require_thread(&index->askable.world->store.context, call);
}

kith_result ki_index_begin(kith_index *index)
{
    ki_heap *heap = ki_index_heap(index);
    ki_mirrors_init(&index->mirrors, heap, index->component->type->size, index->key_size);
    index->mirrors.copied = index->function.copied;
    return ki_write_log_enter(heap, &index->component->write_log, &index->reader);
}

void ki_index_end(kith_index *index)
{
    ki_heap *heap = ki_index_heap(index);
    ki_mirrors_clear(&index->mirrors);
    ki_moves_free(heap, &index->moves);
    ki_write_log_leave(heap, &index->component->write_log, &index->reader);
    ki_heap_free(heap, index->found, index->found_capacity * sizeof *index->found,
                 _Alignof(max_align_t));
}

void ki_index_clear(kith_index *index)
{
    index->calls->clear(index);
    ki_mirrors_clear(&index->mirrors);
    ki_moves_free(ki_index_heap(index), &index->moves);
    index->reader.looked = 0;
    index->filled = false;
}

kith_result ki_index_fail(const kith_index *index, kith_result result, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    ki_format(text, sizeof text, format, arguments);
    va_end(arguments);
    ki_context *context = ki_world_context(index->askable.world);
    ki_heap_lock(&context->heap);
    ki_fail(context, result, "%s", text);
    ki_heap_unlock(&context->heap);
    return result;
}

kith_result ki_index_reserve_found(kith_index *index, uint32_t count)
{
    if (count <= index->found_capacity) {
        return KITH_OK;
    }
    return ki_heap_grow(ki_index_heap(index), &index->found, &index->found_capacity, count,
                        sizeof *index->found, 64);
}

/* What the places of entities are compared with. */
typedef struct index_order {
    const kith_index *index;
    const kith_entity *found;
} index_order;

/* Whether an entity comes before another in a loop over the component. */
static bool index_is_before(const void *context, uint32_t a, uint32_t b)
{
    const index_order *order = context;
    const ki_store *store = ki_index_store(order->index);
    const ki_component *component = order->index->component;
    uint32_t left = order->found[a].index1 - 1;
    uint32_t right = order->found[b].index1 - 1;
    if (component->layout == KITH_SLOT) {
        return left < right;
    }
    if (component->layout == KITH_SPARSE) {
        return ki_sparse_row1(&component->in.sparse, left) <
               ki_sparse_row1(&component->in.sparse, right);
    }
    const ki_record *one = ki_record_at(&store->entities, left);
    const ki_record *two = ki_record_at(&store->entities, right);
    if (one->table == two->table) {
        return one->row < two->row;
    }
    return ki_table_compare(store->tables[one->table], store->tables[two->table]) < 0;
}

kith_result ki_index_sort_found(kith_index *index, uint32_t count)
{
    if (count < 2) {
        return KITH_OK;
    }
    KI_TRY(ki_index_reserve_found(index, 3 * count));
    kith_entity *unsorted = index->found + count; /* and after them twice as many numbers */
    uint32_t *numbers = (uint32_t *)(void *)(unsorted + count);
    memcpy(unsorted, index->found, count * sizeof *unsorted);
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = i;
    }
    index_order order = {index, unsorted};
    ki_sort_stable(numbers, numbers + count, count, index_is_before, &order);
    for (uint32_t i = 0; i < count; i++) {
        index->found[i] = unsorted[numbers[i]];
    }
    return KITH_OK;
}
