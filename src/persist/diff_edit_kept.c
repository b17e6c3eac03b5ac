/* Writes what differs of resources and events into a snapshot. */
#include <stddef.h>
#include <string.h>

#include "persist/diff_edit.h"

/* A type whose values have no hooks here, since those would have to travel. */
static kith_result kept_require_plain(ki_diff_edit *edit, uint32_t at, const kith_type *type)
{
    if (ki_world_hooked(edit->world, type) != NULL) {
        ki_unpack_wrong(&edit->from, at, "no value of a type that has hooks here");
    }
    return ki_diff_edit_status(edit);
}

/* ---- Resources ----------------------------------------------------------------------------------- */

static void kept_free_resource(kith_world *world, ki_kept *resource)
{
    ki_column_free(&world->store.columns, &resource->values);
    ki_heap_free(&world->store.context.heap, resource, sizeof *resource, _Alignof(ki_kept));
}

/* Takes a resource out of the list, which stays in order. */
static void kept_remove_resource(ki_diff_edit *edit, ki_kept_list *list, ki_kept *resource)
{
    uint32_t place = 0;
    while (list->items[place] != resource) {
        place++;
    }
    list->count--;
    memmove(list->items + place, list->items + place + 1,
            (list->count - place) * sizeof *list->items);
    ki_map_remove(&list->numbers, resource->number, resource);
    kept_free_resource(edit->world, resource);
}

/* Adds a resource of zero bytes to the list, which is in order of names. */
static kith_result kept_add_resource(ki_diff_edit *edit, ki_kept_list *list, const kith_type *type,
                                     ki_kept **added)
{
    kith_world *world = edit->world;
    KI_TRY(ki_kept_list_reserve(world, list));
    ki_kept *resource =
        ki_heap_alloc(&world->store.context.heap, sizeof *resource, _Alignof(ki_kept));
    if (resource == NULL) {
        return KITH_ERR_MEMORY;
    }
    *resource = (ki_kept){.type = type, .number = ki_type_number(type)};
    ki_column_init(&resource->values, type->size, type->align);
    if (ki_column_reserve(&world->store.columns, &resource->values, 1) != KITH_OK) {
        kept_free_resource(world, resource);
        return KITH_ERR_MEMORY;
    }
    ki_column_write(&resource->values, 0, NULL);
    ki_kept_list_add(list, resource);
    uint32_t place = list->count - 1;
    for (; place > 0 && strcmp(list->items[place - 1]->type->name, type->name) > 0; place--) {
        list->items[place] = list->items[place - 1];
    }
    list->items[place] = resource;
    *added = resource;
    return KITH_OK;
}

static kith_result kept_edit_resource(ki_diff_edit *edit, uint32_t at, const kith_type *type)
{
    ki_kept_list *list = ki_world_state_resources(edit->taken->states[KI_SNAPSHOT_WORLD]);
    ki_kept *resource = ki_kept_find(&list->numbers, type);
    bool has = ki_unpack_number(&edit->from, 1, "0 or 1") != 0;
    edit->values.before = ki_hash_u64(edit->values.before, resource != NULL);
    if (type->size == 0 || (!has && resource == NULL)) {
        ki_unpack_wrong(&edit->from, at, "the type of a resource");
    }
    KI_TRY(ki_diff_edit_status(edit));
    if (!has) {
        kept_remove_resource(edit, list, resource);
        return KITH_OK;
    }
    KI_TRY(kept_require_plain(edit, at, type));
    if (resource == NULL) {
        KI_TRY(kept_add_resource(edit, list, type, &resource));
    }
    ki_unpack_value(&edit->values, type, ki_column_at(&resource->values, 0));
    return KITH_OK;
}

static kith_result kept_edit_resources(ki_diff_edit *edit)
{
    const kith_type *last = NULL;
    for (;;) {
        uint32_t at = edit->from.at;
        const kith_type *type = ki_diff_edit_type(edit);
        if (type != NULL && last != NULL && strcmp(last->name, type->name) >= 0) {
            ki_unpack_wrong(&edit->from, at, "resources in order of their names");
        }
        KI_TRY(ki_diff_edit_status(edit));
        if (type == NULL) {
            return KITH_OK;
        }
        last = type;
        KI_TRY(kept_edit_resource(edit, at, type));
    }
}

/* ---- Events -------------------------------------------------------------------------------------- */

/* The queue of a type in a list; it is added if it is not there. */
static kith_result kept_find_queue(ki_diff_edit *edit, ki_kept_list *list, const kith_type *type,
                                   uint32_t keep, ki_queue **found)
{
    kith_world *world = edit->world;
    ki_heap *heap = &world->store.context.heap;
    *found = (ki_queue *)ki_kept_find(&list->numbers, type);
    if (*found != NULL) {
        return (*found)->keep == keep
                   ? KITH_OK
                   : ki_fail(&world->store.context, KITH_ERR_CONFLICT,
                             "%s: events '%s' are kept for %u runs here, not %u", edit->call,
                             type->name, (*found)->keep, keep);
    }
    KI_TRY(ki_kept_list_reserve(world, list));
    ki_queue *queue = ki_heap_alloc(heap, sizeof *queue, _Alignof(ki_queue));
    if (queue == NULL) {
        return KITH_ERR_MEMORY;
    }
    *queue = (ki_queue){.kept = {.type = type, .number = ki_type_number(type)}, .keep = keep};
    queue->sent =
        ki_heap_alloc_zeroed(heap, ki_queue_ring(queue) * sizeof *queue->sent, _Alignof(uint32_t));
    if (queue->sent == NULL) {
        ki_heap_free(heap, queue, sizeof *queue, _Alignof(ki_queue));
        return KITH_ERR_MEMORY;
    }
    ki_column_init(&queue->kept.values, type->size, type->align);
    ki_kept_list_add(list, &queue->kept);
    *found = queue;
    return KITH_OK;
}

static void kept_empty_queue(ki_diff_edit *edit, ki_queue *queue)
{
    ki_column_free(&edit->world->store.columns, &queue->kept.values);
    queue->head = queue->ended = queue->count = 0;
}

/* Reads how many events are of each run: `*count` together. */
static kith_result kept_edit_sent(ki_diff_edit *edit, ki_queue *queue, uint32_t *count)
{
    const ki_snapshot_numbers *numbers = edit->taken->states[KI_SNAPSHOT_NUMBERS];
    uint64_t sum = 0;
    uint32_t at = edit->from.at;
    for (uint64_t age = 0; age < ki_queue_ring(queue); age++) {
        uint64_t sent = ki_unpack_number(&edit->from, KI_COLUMN_ROWS_MAX, "a number of events");
        queue->sent[(numbers->tick + age) % ki_queue_ring(queue)] = (uint32_t)sent;
        sum += sent;
    }
    bool tag = queue->kept.type->size == 0;
    if (sum > KI_COLUMN_ROWS_MAX || (!tag && sum > ki_unpack_rest(&edit->from))) {
        ki_unpack_wrong(&edit->from, at, "no more events than follow");
    }
    *count = (uint32_t)sum;
    return ki_diff_edit_status(edit);
}

/* Reads the events of a queue, which replace those in it. */
static kith_result kept_edit_values(ki_diff_edit *edit, uint32_t at, ki_queue *queue,
                                    uint32_t count)
{
    ki_column_context *columns = &edit->world->store.columns;
    const kith_type *type = queue->kept.type;
    KI_TRY(count == 0 ? KITH_OK : kept_require_plain(edit, at, type));
    kept_empty_queue(edit, queue);
    KI_TRY(ki_column_reserve_rows(columns, &queue->kept.values, 0, count));
    for (uint32_t row = 0; row < count && type->size != 0; row++) {
        ki_column_write(&queue->kept.values, row, NULL);
        ki_unpack_value(&edit->values, type, ki_column_at(&queue->kept.values, row));
    }
    queue->count = count;
    return ki_diff_edit_status(edit);
}

static kith_result kept_edit_queue(ki_diff_edit *edit, uint32_t at, const kith_type *type)
{
    ki_kept_list *list = ki_world_state_queues(edit->taken->states[KI_SNAPSHOT_WORLD]);
    uint32_t keep = (uint32_t)ki_unpack_number(&edit->from, UINT32_MAX - 2, "a number of runs");
    uint64_t dropped = ki_unpack_number(&edit->from, UINT64_MAX, "a number of events");
    if (ki_unpack_rest(&edit->from) < (uint64_t)keep + 2) {
        ki_unpack_wrong(&edit->from, at, "a count of events for each run");
    }
    KI_TRY(ki_diff_edit_status(edit));
    ki_queue *queue;
    KI_TRY(kept_find_queue(edit, list, type, keep, &queue));
    uint64_t *before = &edit->values.before;
    uint64_t old_count = queue->count - queue->head;
    uint64_t old_dropped = queue->dropped;
    uint32_t count;
    KI_TRY(kept_edit_sent(edit, queue, &count));
    KI_TRY(kept_edit_values(edit, at, queue, count));
    *before = ki_hash_u64(ki_hash_u64(*before, old_count), old_dropped);
    queue->dropped = dropped;
    return KITH_OK;
}

static kith_result kept_edit_events(ki_diff_edit *edit)
{
    const kith_type *last = NULL;
    for (;;) {
        uint32_t at = edit->from.at;
        const kith_type *type = ki_diff_edit_type(edit);
        if (type != NULL && last != NULL && strcmp(last->name, type->name) >= 0) {
            ki_unpack_wrong(&edit->from, at, "events in order of their names");
        }
        KI_TRY(ki_diff_edit_status(edit));
        if (type == NULL) {
            return KITH_OK;
        }
        last = type;
        KI_TRY(kept_edit_queue(edit, at, type));
    }
}

void ki_diff_empty_kept(ki_diff_edit *edit)
{
    void *state = edit->taken->states[KI_SNAPSHOT_WORLD];
    ki_kept_list *resources = ki_world_state_resources(state);
    while (resources->count != 0) {
        kept_remove_resource(edit, resources, resources->items[resources->count - 1]);
    }
    const ki_kept_list *queues = ki_world_state_queues(state);
    for (uint32_t i = 0; i < queues->count; i++) {
        ki_queue *queue = (ki_queue *)queues->items[i];
        kept_empty_queue(edit, queue);
        memset(queue->sent, 0, ki_queue_ring(queue) * sizeof *queue->sent);
        queue->dropped = 0;
    }
}

kith_result ki_diff_edit_kept(ki_diff_edit *edit)
{
    KI_TRY(kept_edit_resources(edit));
    return kept_edit_events(edit);
}
