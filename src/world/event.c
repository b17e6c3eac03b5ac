/* Events: a queue per type. It drops old events when a tick begins. */
#include <string.h>

#include "world/staged.h"
#include "world/world_state.h"

#define EVENT_KEEP_MAX 1024u

static ki_queue *event_find(const kith_world *world, const kith_type *type)
{
    return (ki_queue *)ki_kept_find(&world->queue_numbers, type);
}

static bool event_is_known(const void *context, uint32_t number)
{
    const kith_world *world = context;
    return ki_map_find(&world->queue_numbers, number) != NULL;
}

/* Adds a queue to the world. Its place was reserved. */
static void event_insert(kith_world *world, ki_queue *queue)
{
    world->queues[world->queue_count++] = &queue->kept;
    ki_map_insert(&world->queue_numbers, queue->kept.number, queue);
}

bool ki_event_known(const kith_world *world, const kith_type *type)
{
    return event_find(world, type) != NULL;
}

/* Makes a queue, and reserves its place in the world, but does not add it. */
static kith_result event_make(kith_world *world, const char *call, const kith_type *type,
                              uint32_t keep, ki_queue **made)
{
    ki_context *context = &world->store.context;
    const kith_type *kept;
    bool alone;
    KI_TRY(ki_register_add(context, call, type, &kept, &alone));
    const ki_component *hooked;
    KI_TRY(ki_world_require_hooks(world, call, kept, &hooked));
    const kith_type *other = alone ? NULL : ki_register_find_namesake(kept, event_is_known, world);
    if (other != NULL) {
        return ki_fail(context, KITH_ERR_CONFLICT,
                       "%s: there are events '%s' of another type (%u bytes there, %u here)", call,
                       type->name, other->size, type->size);
    }
    KI_TRY(ki_map_reserve(&context->heap, &world->queue_numbers));
    KI_TRY(ki_heap_grow(&context->heap, &world->queues, &world->queue_capacity,
                        world->queue_count + 1, sizeof *world->queues, 4));
    ki_queue *queue = ki_heap_alloc(&context->heap, sizeof *queue, _Alignof(ki_queue));
    if (queue == NULL) {
        return KITH_ERR_MEMORY;
    }
    *queue = (ki_queue){.kept = {.type = kept, .number = ki_type_number(kept)}, .keep = keep};
    ki_column_init(&queue->kept.values, kept->size, kept->align);
    ki_column_set_hooks(&queue->kept.values, hooked == NULL ? NULL : hooked->hooks);
    queue->sent = ki_heap_alloc_zeroed(&context->heap, ki_queue_ring(queue) * sizeof *queue->sent,
                                       _Alignof(uint32_t));
    if (queue->sent == NULL) {
        ki_queue_free(world, queue);
        return KITH_ERR_MEMORY;
    }
    *made = queue;
    return KITH_OK;
}

kith_result kith_event_register(kith_world *world, const kith_type *type, const kith_event_def *def)
{
    KI_TRY(ki_world_require_writer(world, "kith_event_register"));
    ki_context *context = &world->store.context;
    if (KI_CHECKED && type == NULL) {
        return ki_misuse(context, "kith_event_register: the type is NULL");
    }
    uint32_t keep = def == NULL ? 0 : def->keep;
    if (keep > EVENT_KEEP_MAX) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_event_register: keeping for %u runs; at most %u", keep,
                       EVENT_KEEP_MAX);
    }
    ki_queue *queue = event_find(world, type);
    if (queue == NULL) {
        KI_TRY(event_make(world, "kith_event_register", type, keep, &queue));
        event_insert(world, queue);
        return KITH_OK;
    }
    return queue->keep == keep
               ? KITH_OK
               : ki_fail(context, KITH_ERR_CONFLICT,
                         "kith_event_register: events '%s' are kept for %u runs, not %u",
                         type->name, queue->keep, keep);
}

/* The count of the events in the queue that belong to a run. */
static uint32_t *event_sent(const ki_queue *queue, uint64_t run)
{
    return &queue->sent[run % ki_queue_ring(queue)];
}

/* Makes room for `count` events: event_write then cannot fail. */
static kith_result event_reserve(kith_world *world, ki_queue *queue, uint32_t count)
{
    return ki_column_reserve_rows(&world->store.columns, &queue->kept.values, queue->count, count);
}

/* NULL as `values`: values of zero bytes. Values with hooks are moved. */
static void event_write(kith_world *world, ki_queue *queue, const void *values, uint32_t count)
{
    ki_column_write_rows(&queue->kept.values, queue->count, count, values, queue->kept.values.size);
    queue->count += count;
    *event_sent(queue, world->run) += count;
}

static kith_result event_append(kith_world *world, ki_queue *queue, const void *values,
                                uint32_t count)
{
    KI_TRY(event_reserve(world, queue, count));
    event_write(world, queue, values, count);
    return KITH_OK;
}

/* Sends events with hooks: makes the values first, then moves them into the queue. */
static kith_result event_append_hooked(kith_world *world, const char *call, ki_queue *queue,
                                       const void *values, uint32_t count)
{
    ki_staged staged = {.world = world, .call = call};
    void *made;
    kith_result result = ki_staged_make(&staged, ki_world_component(world, queue->kept.type),
                                        values, count, false, &made);
    if (result == KITH_OK) {
        result = event_append(world, queue, made, count);
    }
    ki_staged_end(&staged, result);
    return result;
}

/* Sends events with hooks, or the first of their type: `queue` is then NULL. */
static kith_result event_send_slow(kith_world *world, const char *call, ki_queue *queue,
                                   const kith_type *type, const void *values, uint32_t count)
{
    bool is_new = queue == NULL;
    if (is_new) {
        KI_TRY(event_make(world, call, type, 0, &queue));
    }
    kith_result result = count > 0 && queue->kept.values.hooks != NULL
                             ? event_append_hooked(world, call, queue, values, count)
                             : event_append(world, queue, values, count);
    if (is_new && result == KITH_OK) {
        event_insert(world, queue);
    } else if (is_new) {
        ki_queue_free(world, queue);
    }
    return result;
}

static kith_result event_send(kith_world *world, const char *call, const kith_type *type,
                              const void *values, uint32_t count)
{
    ki_queue *queue = event_find(world, type);
    return queue == NULL || queue->kept.values.hooks != NULL
               ? event_send_slow(world, call, queue, type, values, count)
               : event_append(world, queue, values, count);
}

kith_result ki_event_reserve(kith_world *world, const char *call, const kith_type *type,
                             uint32_t count)
{
    ki_queue *queue = event_find(world, type);
    if (queue != NULL) {
        return event_reserve(world, queue, count);
    }
    KI_TRY(event_make(world, call, type, 0, &queue));
    kith_result result = event_reserve(world, queue, count);
    if (result == KITH_OK && count > 0) {
        event_insert(world, queue);
    } else {
        ki_queue_free(world, queue);
    }
    return result;
}

void ki_event_write(kith_world *world, const kith_type *type, const void *value)
{
    event_write(world, event_find(world, type), value, 1);
}

kith_result kith_event_send(kith_world *world, const kith_type *type, const void *value)
{
    KI_TRY(ki_world_require_writer(world, "kith_event_send"));
    if (KI_CHECKED && type == NULL) {
        return ki_misuse(&world->store.context, "kith_event_send: the type is NULL");
    }
    return event_send(world, "kith_event_send", type, value, 1);
}

kith_result kith_event_send_many(kith_world *world, const kith_type *type, const void *values,
                                 uint32_t count)
{
    KI_TRY(ki_world_require_writer(world, "kith_event_send_many"));
    if (KI_CHECKED && type == NULL) {
        return ki_misuse(&world->store.context, "kith_event_send_many: the type is NULL");
    }
    return event_send(world, "kith_event_send_many", type, values, count);
}

kith_result kith_event_reserve(kith_world *world, const kith_type *type, uint32_t count)
{
    KI_TRY(ki_world_require_writer(world, "kith_event_reserve"));
    if (KI_CHECKED && type == NULL) {
        return ki_misuse(&world->store.context, "kith_event_reserve: the type is NULL");
    }
    return ki_event_reserve(world, "kith_event_reserve", type, count);
}

uint32_t ki_event_count(const kith_world *world, const kith_type *type)
{
    const ki_queue *queue = event_find(world, type);
    return queue == NULL ? 0 : queue->count - queue->head;
}

uint32_t kith_event_count(const kith_world *world, const kith_type *type)
{
    if (ki_world_require_owner(world, "kith_event_count") != KITH_OK) {
        return 0;
    }
    if (KI_CHECKED && type == NULL) {
        ki_misuse(ki_world_error_context(world), "kith_event_count: the type is NULL");
        return 0;
    }
    return ki_event_count(world, type);
}

static const void *event_value(const ki_queue *queue, uint32_t row)
{
    static const char tag;
    return queue->kept.values.size == 0 ? &tag : ki_column_at(&queue->kept.values, row);
}

const void *ki_event_at(const kith_world *world, const kith_type *type, uint32_t index)
{
    const ki_queue *queue = event_find(world, type);
    return queue == NULL || index >= queue->count - queue->head
               ? NULL
               : event_value(queue, queue->head + index);
}

const void *kith_event_at(const kith_world *world, const kith_type *type, uint32_t index)
{
    if (ki_world_require_owner(world, "kith_event_at") != KITH_OK) {
        return NULL;
    }
    if (KI_CHECKED && type == NULL) {
        ki_misuse(ki_world_error_context(world), "kith_event_at: the type is NULL");
        return NULL;
    }
    return ki_event_at(world, type, index);
}

const void *kith_event_next(const kith_world *world, const kith_type *type, uint64_t *reader,
                            uint64_t *missed)
{
    if (ki_world_require_owner(world, "kith_event_next") != KITH_OK) {
        return NULL;
    }
    if (KI_CHECKED && (type == NULL || reader == NULL)) {
        ki_misuse(ki_world_error_context(world),
                  "kith_event_next: the type, or the reader, is NULL");
        return NULL;
    }
    const ki_queue *queue = event_find(world, type);
    if (queue == NULL) {
        return NULL;
    }
    if (*reader < queue->dropped) {
        if (missed != NULL) {
            *missed += queue->dropped - *reader;
        }
        *reader = queue->dropped;
    }
    uint64_t index = *reader - queue->dropped;
    if (index >= queue->count - queue->head) {
        return NULL;
    }
    ++*reader;
    return event_value(queue, queue->head + (uint32_t)index);
}

/* Moves the events that are left to the column's start, once they are at most half of it. Where blocks
 * are shared, memory may run out: a later tick then does it. */
static void event_compact(ki_column_context *columns, ki_queue *queue)
{
    if (queue->head == queue->count) {
        queue->head = 0;
        queue->ended = 0;
        queue->count = 0;
        return;
    }
    uint32_t left = queue->count - queue->head;
    if (left > queue->head) {
        return;
    }
    /* Values with hooks move, and so the blocks that they leave change too. */
    uint32_t written = queue->kept.values.hooks == NULL ? left : queue->count;
    if (!ki_column_mark_rows(columns, &queue->kept.values, 0, written)) {
        return;
    }
    for (uint32_t row = 0; row < left; row++) {
        ki_column_copy(&queue->kept.values, row, &queue->kept.values, queue->head + row);
    }
    queue->head = 0;
    queue->ended = 0;
    queue->count = left;
}

/* Destroys the values of dropped events. If memory runs out, a later tick does the rest. */
static void event_end_values(ki_column_context *columns, ki_queue *queue)
{
    while (queue->ended < queue->head &&
           ki_column_mark(columns, &queue->kept.values, queue->ended)) {
        ki_column_drop(&queue->kept.values, queue->ended++);
    }
}

/* Frees the room of the events before `head`. */
static void event_settle(ki_column_context *columns, ki_queue *queue)
{
    if (queue->kept.values.hooks == NULL) {
        queue->ended = queue->head;
    } else {
        event_end_values(columns, queue);
    }
    if (queue->ended == queue->head) {
        event_compact(columns, queue);
    }
}

static void event_drop(ki_column_context *columns, ki_queue *queue, uint32_t count)
{
    queue->head += count;
    queue->dropped += count;
    event_settle(columns, queue);
}

void kith_event_clear(kith_world *world, const kith_type *type)
{
    if (ki_world_require_writer(world, "kith_event_clear") != KITH_OK) {
        return;
    }
    if (KI_CHECKED && type == NULL) {
        ki_misuse(&world->store.context, "kith_event_clear: the type is NULL");
        return;
    }
    ki_queue *queue = event_find(world, type);
    if (queue == NULL) {
        return;
    }
    event_drop(&world->store.columns, queue, queue->count - queue->head);
    memset(queue->sent, 0, ki_queue_ring(queue) * sizeof *queue->sent);
}

void ki_events_begin_tick(kith_world *world)
{
    world->run = world->tick;
    for (uint32_t i = 0; i < world->queue_count; i++) {
        ki_queue *queue = (ki_queue *)world->queues[i];
        if (world->tick > (uint64_t)queue->keep + 1) {
            uint32_t *old = event_sent(queue, world->tick - 1 - queue->keep);
            event_drop(&world->store.columns, queue, *old);
            *old = 0;
        } else if (queue->ended != queue->head) {
            event_settle(&world->store.columns, queue);
        }
    }
}

void ki_events_end_tick(kith_world *world)
{
    world->run = world->tick + 1;
}

void ki_events_free(kith_world *world)
{
    ki_kept_list queues = ki_world_queues(world);
    world->queue_count = 0;
    ki_events_release(world, &queues);
}
