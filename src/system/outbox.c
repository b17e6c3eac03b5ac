/* Outboxes: what calls of systems leave to be done when the stage has ended. */
#include "system/system.h"

/* Several threads fill outboxes at a time, but the world's allocator is called by one. */
static void *outbox_allocate(void *context, size_t size, size_t align)
{
    ki_systems *systems = context;
    const kith_allocator *allocator = &systems->world->store.context.heap.allocator;
    ki_lock_take(&systems->lock);
    void *memory = allocator->allocate(allocator->context, size, align);
    ki_lock_give(&systems->lock);
    return memory;
}

static void outbox_release(void *context, void *memory, size_t size, size_t align)
{
    ki_systems *systems = context;
    const kith_allocator *allocator = &systems->world->store.context.heap.allocator;
    ki_lock_take(&systems->lock);
    allocator->release(allocator->context, memory, size, align);
    ki_lock_give(&systems->lock);
}

static ki_outbox *outbox_new(ki_systems *systems)
{
    kith_world *world = systems->world;
    ki_heap *heap = &world->store.context.heap;
    ki_outbox *outbox = ki_heap_take_zeroed(heap, sizeof *outbox, _Alignof(ki_outbox));
    if (outbox == NULL) {
        return NULL;
    }
    outbox->commands = kith_commands_new(world, NULL); /* freed with the world */
    if (outbox->commands == NULL) {
        ki_heap_give(heap, outbox, sizeof *outbox, _Alignof(ki_outbox));
        return NULL;
    }
    outbox->heap.allocator = (kith_allocator){outbox_allocate, outbox_release, systems};
    outbox->commands->context.heap.allocator = outbox->heap.allocator;
    outbox->commands->lent = "it->commands";
    return outbox;
}

kith_result ki_outboxes_make(ki_systems *systems, uint32_t count)
{
    KI_TRY(ki_heap_grow(&systems->world->store.context.heap, &systems->outboxes,
                        &systems->outbox_capacity, count, sizeof *systems->outboxes, 4));
    while (systems->outbox_count < count) {
        ki_outbox *outbox = outbox_new(systems);
        if (outbox == NULL) {
            return KITH_ERR_MEMORY;
        }
        systems->outboxes[systems->outbox_count++] = outbox;
    }
    return KITH_OK;
}

void ki_outboxes_free(ki_systems *systems)
{
    ki_heap *heap = &systems->world->store.context.heap;
    for (uint32_t i = 0; i < systems->outbox_count; i++) {
        ki_outbox *outbox = systems->outboxes[i];
        ki_log_free(&outbox->heap, &outbox->sent);
        ki_holder_free(&outbox->heap, &outbox->held);
        ki_heap_give(heap, outbox, sizeof *outbox, _Alignof(ki_outbox));
    }
    ki_heap_give(heap, systems->outboxes, systems->outbox_capacity * sizeof *systems->outboxes,
                 _Alignof(max_align_t));
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* A walk over the events of an outbox. */
typedef struct outbox_walk {
    const ki_log *sent;
    const ki_chunk *chunk;
    const uint8_t *at;
    const uint8_t *end; /* of this chunk's events */
} outbox_walk;

static outbox_walk outbox_walk_start(const ki_outbox *outbox)
{
    return (outbox_walk){.sent = &outbox->sent};
}

/* NULL behind the last. */
static const ki_sent *outbox_next_event(outbox_walk *walk)
{
    while (walk->at == walk->end) {
        walk->chunk = ki_log_next_chunk(walk->sent, walk->chunk, &walk->end);
        if (walk->chunk == NULL) {
            return NULL;
        }
        walk->at = (const uint8_t *)(walk->chunk + 1);
    }
    const ki_sent *sent = (const ki_sent *)(const void *)walk->at;
    walk->at += sizeof *sent + sent->size;
    return sent;
}

/* Calls `visit` for each event that the system sent, in order. */
static void outboxes_each_event(ki_systems *systems, const ki_system *system,
                                void (*visit)(kith_world *world, const ki_use *use,
                                              const void *value))
{
    for (uint32_t i = 0; i < system->outbox_count; i++) {
        outbox_walk walk = outbox_walk_start(systems->outboxes[system->first_outbox + i]);
        const ki_sent *sent;
        while ((sent = outbox_next_event(&walk)) != NULL) {
            visit(systems->world, &system->uses[sent->use], sent + 1);
        }
    }
}

static void outbox_write_event(kith_world *world, const ki_use *use, const void *value)
{
    if (KI_LIKELY(ki_world_hooked(world, use->type) == NULL)) {
        ki_event_write(world, use->type, value);
        return;
    }
    ki_held *held = ki_held_at(value);
    ki_event_write(world, use->type, ki_held_value(held));
    held->component = NULL;
}

/* Makes writing all events certain. */
static kith_result outboxes_reserve_events(ki_systems *systems, const ki_system *system)
{
    for (uint32_t use = 0; use < system->use_count; use++) {
        system->uses[use].sent = 0;
    }
    for (uint32_t i = 0; i < system->outbox_count; i++) {
        outbox_walk walk = outbox_walk_start(systems->outboxes[system->first_outbox + i]);
        const ki_sent *sent;
        while ((sent = outbox_next_event(&walk)) != NULL) {
            system->uses[sent->use].sent++;
        }
    }
    for (uint32_t use = 0; use < system->use_count; use++) {
        if (system->uses[use].sent != 0) {
            KI_TRY(ki_event_reserve(systems->world, "kith_system_send", system->uses[use].type,
                                    system->uses[use].sent));
        }
    }
    return KITH_OK;
}

/* ---- All ------------------------------------------------------------------------------------- */

/* The buffers of a system, at most KI_RANGES_MAX; returns their number. */
static uint32_t outboxes_buffers(const ki_systems *systems, const ki_system *system,
                                 kith_commands **buffers)
{
    for (uint32_t i = 0; i < system->outbox_count; i++) {
        buffers[i] = systems->outboxes[system->first_outbox + i]->commands;
    }
    return system->outbox_count;
}

void ki_outboxes_count(const ki_systems *systems, const ki_system *system, uint32_t *commands,
                       uint32_t *events)
{
    for (uint32_t i = 0; i < system->outbox_count; i++) {
        const ki_outbox *outbox = systems->outboxes[system->first_outbox + i];
        *commands += ki_commands_count(outbox->commands);
        outbox_walk walk = outbox_walk_start(outbox);
        while (outbox_next_event(&walk) != NULL) {
            ++*events;
        }
    }
}

kith_result ki_outboxes_deliver(ki_systems *systems, const ki_system *system)
{
    kith_commands *buffers[KI_RANGES_MAX];
    systems->world->store.context.error[0] = '\0';
    KI_TRY(outboxes_reserve_events(systems, system));
    KI_TRY(ki_commands_join(buffers, outboxes_buffers(systems, system, buffers)));
    KI_TRY(kith_commands_apply(buffers[0], NULL));
    outboxes_each_event(systems, system, outbox_write_event);
    return KITH_OK;
}

void ki_outboxes_clear(ki_systems *systems, const ki_system *system)
{
    kith_commands *buffers[KI_RANGES_MAX];
    ki_commands_part(buffers, outboxes_buffers(systems, system, buffers));
    for (uint32_t i = 0; i < system->outbox_count; i++) {
        ki_outbox *outbox = systems->outboxes[system->first_outbox + i];
        if (outbox->sent.filling != NULL) {
            ki_log_rewind(&outbox->heap, &outbox->sent);
        }
        ki_holder_rewind(&outbox->heap, &outbox->held);
    }
}
