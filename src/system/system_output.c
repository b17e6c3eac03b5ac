#include "system/system_output.h"

#include "system/system_state.h"

/* An event in a log. Its value follows: for a type with hooks, a pointer to the ki_owned_value that has
 * it. */
typedef struct output_event {
    uint32_t use;  /* index of the system's use */
    uint32_t size; /* of what follows, a multiple of 8 */
} output_event;

/* Several threads fill outputs at once, but only one at a time may call the world's allocator. */
static void *output_allocate(void *context, size_t size, size_t align)
{
    ki_systems *systems = context;
    const kith_allocator *allocator = &systems->world->store.context.heap.allocator;
    ki_lock_acquire(&systems->memory);
    void *memory = allocator->allocate(allocator->context, size, align);
    ki_lock_release(&systems->memory);
    return memory;
}

static void output_release(void *context, void *memory, size_t size, size_t align)
{
    ki_systems *systems = context;
    const kith_allocator *allocator = &systems->world->store.context.heap.allocator;
    ki_lock_acquire(&systems->memory);
    allocator->release(allocator->context, memory, size, align);
    ki_lock_release(&systems->memory);
}

static ki_output *output_new(ki_systems *systems)
{
    kith_world *world = systems->world;
    ki_heap *heap = &world->store.context.heap;
    ki_output *output = ki_heap_alloc_zeroed(heap, sizeof *output, _Alignof(ki_output));
    if (output == NULL) {
        return NULL;
    }
    output->commands = kith_commands_new(world, NULL); /* freed with the world */
    if (output->commands == NULL) {
        ki_heap_free(heap, output, sizeof *output, _Alignof(ki_output));
        return NULL;
    }
    output->heap.allocator = (kith_allocator){output_allocate, output_release, systems};
    output->commands->context.heap.allocator = output->heap.allocator;
    output->commands->lent = "it->commands";
    return output;
}

kith_result ki_outputs_reserve(ki_systems *systems, uint32_t count)
{
    KI_TRY(ki_heap_grow(&systems->world->store.context.heap, &systems->outputs.list,
                        &systems->outputs.capacity, count, sizeof *systems->outputs.list, 4));
    while (systems->outputs.count < count) {
        ki_output *output = output_new(systems);
        if (output == NULL) {
            return KITH_ERR_MEMORY;
        }
        systems->outputs.list[systems->outputs.count++] = output;
    }
    return KITH_OK;
}

void ki_outputs_free(ki_systems *systems)
{
    ki_heap *heap = &systems->world->store.context.heap;
    for (uint32_t i = 0; i < systems->outputs.count; i++) {
        ki_output *output = systems->outputs.list[i];
        ki_log_free(&output->heap, &output->sent);
        ki_owned_values_free(&output->heap, &output->held);
        ki_heap_free(heap, output, sizeof *output, _Alignof(ki_output));
    }
    ki_heap_free(heap, systems->outputs.list,
                 systems->outputs.capacity * sizeof *systems->outputs.list, _Alignof(max_align_t));
}

/* Output number `index` of a system in this stage. */
static ki_output *output_of(const ki_systems *systems, const ki_system *system, uint32_t index)
{
    return systems->outputs.list[system->first_output + index];
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* A scan over the events of an output. */
typedef struct output_scan {
    const ki_log *sent;
    const ki_chunk *chunk;
    const uint8_t *at;
    const uint8_t *end; /* of the events in this chunk */
} output_scan;

static output_scan output_scan_start(const ki_output *output)
{
    return (output_scan){.sent = &output->sent};
}

/* NULL after the last. */
static const output_event *output_next_event(output_scan *scan)
{
    while (scan->at == scan->end) {
        scan->chunk = ki_log_next_chunk(scan->sent, scan->chunk, &scan->end);
        if (scan->chunk == NULL) {
            return NULL;
        }
        scan->at = (const uint8_t *)(scan->chunk + 1);
    }
    const output_event *event = (const output_event *)(const void *)scan->at;
    scan->at += sizeof *event + event->size;
    return event;
}

kith_result ki_output_send(ki_task *task, const ki_use *use, const void *value)
{
    const ki_component *hooked = ki_world_hooked(task->world, use->type);
    ki_output *output = task->output;
    ki_owned_value *last = output->held.last;
    ki_owned_value *held;
    if (hooked != NULL) {
        kith_result result =
            ki_owned_values_add(&output->heap, &output->held, hooked, value, &held);
        if (result != KITH_OK) {
            task->result = result;
            return result;
        }
        value = &held;
    }
    uint32_t size = hooked == NULL ? use->type->size : (uint32_t)sizeof held;
    uint32_t room = (uint32_t)ki_round_up(size, 8);
    output_event *event = ki_log_alloc(&output->heap, &output->sent, sizeof *event + room);
    if (event == NULL) {
        ki_owned_values_undo(&output->held, last);
        task->result = KITH_ERR_MEMORY;
        return KITH_ERR_MEMORY;
    }
    *event = (output_event){.use = (uint32_t)(use - task->system->uses), .size = room};
    if (value == NULL) {
        memset(event + 1, 0, size);
    } else if (size != 0) {
        memcpy(event + 1, value, size);
    }
    return KITH_OK;
}

/* Delivers an event; cannot fail after outputs_reserve_events. */
static void output_write_event(kith_world *world, const ki_use *use, const void *value)
{
    if (ki_world_hooked(world, use->type) == NULL) {
        ki_event_write(world, use->type, value);
        return;
    }
    ki_owned_value *held = ki_owned_value_at(value);
    ki_event_write(world, use->type, ki_owned_value_bytes(held));
    held->component = NULL;
}

/* Makes writing all events of a system certain. */
static kith_result outputs_reserve_events(ki_systems *systems, const ki_system *system)
{
    for (uint32_t use = 0; use < system->use_count; use++) {
        system->uses[use].sent = 0;
    }
    for (uint32_t i = 0; i < system->output_count; i++) {
        output_scan scan = output_scan_start(output_of(systems, system, i));
        const output_event *event;
        while ((event = output_next_event(&scan)) != NULL) {
            system->uses[event->use].sent++;
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

/* ---- All of a system
 * --------------------------------------------------------------------------------------- */

/* Fills in the buffers of a system, at most KI_RANGES_MAX, and returns how many there are. */
static uint32_t outputs_buffers(const ki_systems *systems, const ki_system *system,
                                kith_commands **buffers)
{
    for (uint32_t i = 0; i < system->output_count; i++) {
        buffers[i] = output_of(systems, system, i)->commands;
    }
    return system->output_count;
}

void ki_outputs_count(const ki_systems *systems, const ki_system *system, uint32_t *commands,
                      uint32_t *events)
{
    for (uint32_t i = 0; i < system->output_count; i++) {
        const ki_output *output = output_of(systems, system, i);
        *commands += ki_commands_count(output->commands);
        output_scan scan = output_scan_start(output);
        while (output_next_event(&scan) != NULL) {
            ++*events;
        }
    }
}

kith_result ki_outputs_apply(ki_systems *systems, const ki_system *system)
{
    kith_commands *buffers[KI_RANGES_MAX];
    systems->world->store.context.error[0] = '\0';
    KI_TRY(outputs_reserve_events(systems, system));
    KI_TRY(ki_commands_join(buffers, outputs_buffers(systems, system, buffers)));
    KI_TRY(kith_commands_apply(buffers[0], NULL));
    for (uint32_t i = 0; i < system->output_count; i++) {
        output_scan scan = output_scan_start(output_of(systems, system, i));
        const output_event *event;
        while ((event = output_next_event(&scan)) != NULL) {
            output_write_event(systems->world, &system->uses[event->use], event + 1);
        }
    }
    return KITH_OK;
}

void ki_outputs_clear(ki_systems *systems, const ki_system *system)
{
    kith_commands *buffers[KI_RANGES_MAX];
    ki_commands_part(buffers, outputs_buffers(systems, system, buffers));
    for (uint32_t i = 0; i < system->output_count; i++) {
        ki_output *output = output_of(systems, system, i);
        if (output->sent.filling != NULL) {
            ki_log_rewind(&output->heap, &output->sent);
        }
        ki_owned_values_rewind(&output->heap, &output->held);
    }
}
