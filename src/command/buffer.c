#include "command/buffer.h"

kith_result ki_commands_fail(kith_commands *commands, kith_result result)
{
    commands->failed = result;
    commands->expected[commands->begun].key = 0;
    commands->hot.key = 0;
    return result;
}

void ki_commands_occupy(kith_commands *commands)
{
    for (kith_commands *part = commands; part != NULL; part = part->more) {
        part->busy = true;
        part->hot.key = 0;
        part->expected[part->begun].key = 0;
    }
}

void ki_commands_release(kith_commands *commands)
{
    for (kith_commands *part = commands; part != NULL; part = part->more) {
        part->busy = false;
    }
}

bool ki_commands_reject_hook(kith_commands *commands, const char *call)
{
    ki_misuse(&commands->world->store.context,
              "%s: hooks of the values in a command buffer must not use it", call);
    if (commands->failed == KITH_OK) {
        ki_commands_fail(commands,
                         ki_fail(&commands->context, KITH_ERR_MISUSE, "%s: it was misused", call));
    }
    return false;
}

static void buffer_free_new_types(ki_heap *heap, ki_new_types *types)
{
    ki_heap_free(heap, types->list, types->capacity * sizeof *types->list, _Alignof(max_align_t));
    ki_map_free(heap, &types->by_number);
    *types = (ki_new_types){0};
}

void ki_commands_empty(kith_commands *commands)
{
    buffer_free_new_types(&commands->context.heap, &commands->new_types);
    commands->batch = NULL;
    commands->begun = 0;
    commands->expected[0].key = 0;
    commands->hot.key = 0;
    commands->count = 0;
    commands->spawns = 0;
    commands->refers = false;
    commands->clones_trees = false;
    commands->failed = KITH_OK;
    commands->busy = false;
    commands->context.error[0] = '\0';
    commands->tag = ki_world_command_tag(commands->world);
}

void ki_commands_applied(kith_commands *commands)
{
    commands->real_tag = commands->tag;
    commands->real_count = commands->spawns;
    ki_commands_occupy(commands);
    ki_owned_values_rewind(&commands->context.heap, &commands->owned);
    ki_log_rewind(&commands->context.heap, &commands->log);
    ki_commands_empty(commands);
}

void ki_commands_free_contents(kith_commands *commands)
{
    ki_heap *heap = &commands->context.heap;
    ki_commands_occupy(commands);
    ki_owned_values_free(heap, &commands->owned);
    ki_owned_values_free(heap, &commands->cloned);
    ki_log_free(heap, &commands->log);
    buffer_free_new_types(heap, &commands->new_types);
    ki_log_free(heap, &commands->groups);
    ki_log_free(heap, &commands->copies);
    ki_heap_free(heap, commands->spawned, commands->spawn_capacity * sizeof *commands->spawned,
                 _Alignof(max_align_t));
    commands->spawned = NULL;
    commands->spawn_capacity = 0;
}
