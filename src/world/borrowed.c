#include "world/borrowed.h"

#include <string.h>

#include "store/unique_map.h"
#include "store/view.h"
#include "world/world_state.h"

static kith_result borrow_type(kith_world *view, const ki_component *from)
{
    ki_component *component;
    KI_TRY(ki_store_add_component(&view->store, from->type, from->layout,
                                  from->hooks == NULL ? NULL : &from->hooks->calls, &component));
    component->by_use = from->by_use;
    component->transient = from->transient;
    view->store.context.known.places[ki_type_number(from->type)] = &component->place;
    return KITH_OK;
}

kith_result ki_borrow_types(kith_world *view, const kith_world *from)
{
    KI_ASSERT(view->store.component_count == 0);
    uint32_t numbers = from->store.context.known.count;
    KI_TRY(numbers == 0 ? KITH_OK : ki_world_reserve_number(view, numbers - 1));
    for (uint32_t i = 0; i < from->store.component_count; i++) {
        KI_TRY(borrow_type(view, from->store.components[i]));
    }
    return ki_uniques_copy(&view->store, &from->store);
}

kith_result ki_borrow_exact_changes(kith_world *fork, const kith_world *from)
{
    for (uint32_t i = 0; i < from->store.exact_count; i++) {
        const ki_component *exact = from->store.exact[i];
        KI_TRY(
            ki_value_diff_fork(&fork->store, ki_store_component(&fork->store, exact->id), exact));
    }
    return KITH_OK;
}

kith_result ki_borrow_texts(kith_world *view, const kith_world *from)
{
    KI_ASSERT(view->texts == NULL);
    view->texts = from->texts == NULL ? NULL : ki_texts_borrow(&view->store.columns, from->texts);
    return view->texts == NULL && from->texts != NULL ? KITH_ERR_MEMORY : KITH_OK;
}

/* Makes `kept`, which is empty, one of the same type that reads the values of another. */
static kith_result borrow_kept(kith_world *view, const ki_kept *from, ki_kept *kept)
{
    const ki_component *hooked = ki_world_hooked(view, from->type);
    *kept = (ki_kept){.type = from->type, .number = from->number};
    ki_column_init(&kept->values, from->type->size, from->type->align);
    ki_column_set_hooks(&kept->values, hooked == NULL ? NULL : hooked->hooks);
    return ki_column_borrow_all(&view->store.columns, &kept->values, &from->values);
}

static kith_result borrow_resource(kith_world *view, const ki_kept *from, ki_kept_list *to)
{
    ki_heap *heap = &view->store.context.heap;
    KI_TRY(ki_kept_list_reserve(view, to));
    ki_kept *resource = ki_heap_alloc(heap, sizeof *resource, _Alignof(ki_kept));
    if (resource == NULL || borrow_kept(view, from, resource) != KITH_OK) {
        ki_heap_free(heap, resource, sizeof *resource, _Alignof(ki_kept));
        return KITH_ERR_MEMORY;
    }
    ki_kept_list_add(to, resource);
    return KITH_OK;
}

kith_result ki_borrow_resources(kith_world *view, const ki_kept_list *from)
{
    ki_kept_list resources = {0};
    kith_result result = KITH_OK;
    for (uint32_t i = 0; i < from->count && result == KITH_OK; i++) {
        result = borrow_resource(view, from->items[i], &resources);
    }
    ki_resources_restore(view, &resources); /* a part too, so that it ends with the view */
    return result;
}

/* A queue without values, but with its counts. NULL: no memory. */
static ki_queue *borrow_counts(ki_heap *heap, const ki_queue *from)
{
    ki_queue *queue = ki_heap_alloc(heap, sizeof *queue, _Alignof(ki_queue));
    uint32_t *sent = ki_heap_alloc(heap, ki_queue_ring(from) * sizeof *sent, _Alignof(uint32_t));
    if (queue == NULL || sent == NULL) {
        ki_heap_free(heap, sent, ki_queue_ring(from) * sizeof *sent, _Alignof(uint32_t));
        ki_heap_free(heap, queue, sizeof *queue, _Alignof(ki_queue));
        return NULL;
    }
    memcpy(sent, from->sent, ki_queue_ring(from) * sizeof *sent);
    *queue = *from;
    queue->kept = (ki_kept){0};
    queue->sent = sent;
    return queue;
}

static kith_result borrow_queue(kith_world *view, const ki_queue *from, ki_kept_list *to)
{
    ki_heap *heap = &view->store.context.heap;
    KI_TRY(ki_kept_list_reserve(view, to));
    ki_queue *queue = borrow_counts(heap, from);
    if (queue == NULL) {
        return KITH_ERR_MEMORY;
    }
    if (borrow_kept(view, &from->kept, &queue->kept) != KITH_OK) {
        ki_queue_free(view, queue);
        return KITH_ERR_MEMORY;
    }
    ki_kept_list_add(to, &queue->kept);
    return KITH_OK;
}

kith_result ki_borrow_queues(kith_world *view, const ki_kept_list *from)
{
    ki_kept_list queues = {0};
    kith_result result = KITH_OK;
    for (uint32_t i = 0; i < from->count && result == KITH_OK; i++) {
        result = borrow_queue(view, (const ki_queue *)from->items[i], &queues);
    }
    ki_events_restore(view, &queues); /* a part too, so that it ends with the view */
    return result;
}
