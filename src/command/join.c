/* Joining: buffers that several threads have filled become one, in an order that no thread has a
 * say in. Nothing is copied: the logs are linked, and provisional handles numbered on. */
#include "command/buffer.h"

/* The same handle, of a joined buffer, in the first. */
static kith_entity join_renumber(kith_entity entity, uint32_t tag, uint32_t base)
{
    return ki_is_provisional(entity)
               ? (kith_entity){0, tag << 24 | (ki_spawn_number(entity) + base)}
               : entity;
}

static void join_handle(void *place, uint32_t tag, uint32_t base)
{
    kith_entity entity;
    memcpy(&entity, place, sizeof entity);
    entity = join_renumber(entity, tag, base);
    memcpy(place, &entity, sizeof entity);
}

/* Makes the handles of a buffer follow those of the `base` entities before. */
static void join_handles(kith_commands *buffer, uint32_t tag, uint32_t base)
{
    const ki_store *store = &buffer->world->store;
    ki_log_walk walk = ki_log_walk_start(&buffer->log);
    for (ki_command *command = ki_log_walk_next(&walk); command != NULL;
         command = ki_log_walk_next(&walk)) {
        uint8_t *value = (uint8_t *)(command + 1);
        command->entity = join_renumber(command->entity, tag, base);
        if (command->kind == KI_COMMAND_CLONE) {
            join_handle(value, tag, base);
        } else if ((command->flags & KI_COMMAND_REFERS) != 0) {
            KI_EACH_HANDLE (place, ki_store_component(store, command->component)->type) {
                join_handle(value + place, tag, base);
            }
        }
    }
}

/* The first of the buffers fails as another one did. */
KI_COLD static kith_result join_failed(kith_commands *first, const kith_commands *failed)
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
    for (uint32_t i = 0; i < count; i++) {
        if (buffers[i]->failed != KITH_OK) {
            return join_failed(first, buffers[i]);
        }
        spawns += buffers[i]->spawns;
    }
    if (spawns > KI_SPAWNS_MAX) {
        return KITH_ERR_LIMIT;
    }
    KI_TRY(ki_heap_grow(&first->context.heap, &first->spawned, &first->spawn_capacity,
                        (uint32_t)spawns, sizeof *first->spawned, 16));
    ki_log *last = &first->log;
    for (uint32_t i = 1; i < count; i++) {
        kith_commands *buffer = buffers[i];
        if (buffer->count == 0) {
            continue;
        }
        if (buffer->spawns != 0) {
            join_handles(buffer, first->tag, first->spawns);
        }
        first->spawns += buffer->spawns;
        first->count += buffer->count;
        first->refers = first->refers || buffer->refers;
        last->more = &buffer->log;
        last = &buffer->log;
    }
    return KITH_OK;
}

void ki_commands_part(kith_commands *const *buffers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        kith_commands *buffer = buffers[i];
        buffer->log.more = NULL;
        if (buffer->count != 0 || buffer->failed != KITH_OK) {
            buffer->spawns = 0;
            ki_commands_applied(buffer);
        }
    }
}
