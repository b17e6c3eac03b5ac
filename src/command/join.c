/* Joining: buffers that several threads have filled become one, in an order that no thread has a
 * say in. Nothing is copied: the logs are linked, and provisional handles numbered on. */
#include "command/entries.h"

/* Makes a handle of a joined buffer one of the first. */
static void join_handle(void *place, uint32_t tag, uint32_t base)
{
    kith_entity entity;
    memcpy(&entity, place, sizeof entity);
    if (ki_is_provisional(entity)) {
        entity.generation = tag << 24 | (ki_spawn_number(entity) + base);
        memcpy(place, &entity, sizeof entity);
    }
}

static void join_value(const kith_type *type, uint8_t *value, uint32_t tag, uint32_t base)
{
    KI_EACH_HANDLE (place, type) {
        join_handle(value + place, tag, base);
    }
}

static void join_entry(const ki_store *store, const ki_entries *entries, uint8_t *entry,
                       uint32_t tag, uint32_t base)
{
    uint32_t end = ki_entry_head(entries->ops);
    if (end != 0) {
        join_handle(entry, tag, base);
    }
    for (uint32_t i = 0; i < entries->op_count; i++) {
        const ki_component *component = ki_op_component(store, &entries->ops[i]);
        if (component != NULL) {
            uint32_t place = ki_value_place(component, &end);
            if (component->hooks == NULL) {
                join_value(component->type, entry + place, tag, base);
            }
        }
    }
}

/* Makes the handles of a buffer follow those of the `base` entities before. */
static void join_handles(kith_commands *buffer, uint32_t tag, uint32_t base)
{
    ki_log_walk walk = ki_log_walk_start(buffer);
    for (ki_entries entries; ki_log_walk_next(&walk, &entries);) {
        uint8_t *entry = entries.first;
        for (uint32_t i = 0; i < entries.count; i++, entry += entries.stride) {
            join_entry(&buffer->world->store, &entries, entry, tag, base);
        }
    }
    for (ki_held *held = buffer->held.first; held != NULL; held = held->next) {
        if (held->component != NULL) {
            join_value(held->component->type, ki_held_value(held), tag, base);
        }
    }
}

/* The first of the buffers fails as another one did. */
static kith_result join_failed(kith_commands *first, const kith_commands *failed)
{
    first->failed = failed->failed;
    if (first != failed) {
        memcpy(first->context.error, failed->context.error, sizeof first->context.error);
    }
    return KITH_OK;
}

kith_result ki_commands_join(kith_commands *const *buffers, uint32_t count)
{
    kith_commands *first = buffers[0];
    uint64_t spawns = 0;
    uint64_t commands = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (buffers[i]->failed != KITH_OK) {
            return join_failed(first, buffers[i]);
        }
        spawns += buffers[i]->spawns;
        commands += ki_commands_count(buffers[i]);
    }
    if (spawns > KI_SPAWNS_MAX || commands > KI_COMMANDS_MAX) {
        return KITH_ERR_LIMIT;
    }
    KI_TRY(ki_heap_grow(&first->context.heap, &first->spawned, &first->spawn_capacity,
                        (uint32_t)spawns, sizeof *first->spawned, 16));
    kith_commands *last = first;
    for (uint32_t i = 1; i < count; i++) {
        kith_commands *buffer = buffers[i];
        if (ki_commands_count(buffer) == 0) {
            continue;
        }
        if (buffer->spawns != 0) {
            join_handles(buffer, first->tag, first->spawns);
        }
        first->spawns += buffer->spawns;
        first->count += ki_commands_count(buffer);
        first->refers = first->refers || buffer->refers;
        last->more = buffer;
        last = buffer;
    }
    return KITH_OK;
}

void ki_commands_part(kith_commands *const *buffers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        kith_commands *buffer = buffers[i];
        buffer->more = NULL;
        if (ki_commands_count(buffer) != 0 || buffer->failed != KITH_OK) {
            buffer->spawns = 0;
            ki_commands_applied(buffer);
        }
    }
}
