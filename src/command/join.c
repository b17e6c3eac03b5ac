/* Joining: buffers that several threads have filled become one, in an order that does not depend on
 * the threads. Nothing is copied: the logs are linked, and provisional handles get higher
 * numbers. */
#include "command/handles.h"

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
            ki_handles_replace(buffer,
                               &(ki_handle_change){.tag = first->tag, .base = first->spawns});
        }
        first->spawns += buffer->spawns;
        first->count += ki_commands_count(buffer);
        first->refers = first->refers || buffer->refers;
        first->clones_trees = first->clones_trees || buffer->clones_trees;
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
