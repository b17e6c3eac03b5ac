/* The buffers of a world: they come and go, and what they hold can be asked for. */
#include "command/entries.h"

static void buffer_free(kith_commands *commands)
{
    ki_commands_free_contents(commands);
    if (commands->holder != NULL) {
        *commands->holder = NULL;
    }
    ki_heap heap = commands->context.heap;
    ki_heap_free(&heap, commands, sizeof *commands, _Alignof(kith_commands));
}

static void buffers_end(kith_world *world, void *data)
{
    (void)world;
    for (kith_commands *commands = data; commands != NULL; commands = commands->next) {
        ki_commands_free_contents(commands);
    }
}

static void buffers_free(kith_world *world, void *data)
{
    (void)world;
    for (kith_commands *commands = data; commands != NULL;) {
        kith_commands *next = commands->next;
        buffer_free(commands);
        commands = next;
    }
}

/* What is queued is the caller's, not yet the world's. */
static uint64_t buffers_hash(uint64_t hash, const void *data)
{
    (void)data;
    return hash;
}

/* Whether the values with hooks that entries name are there. */
static bool buffer_check_owned(const kith_commands *commands, const ki_entries *entries)
{
    ki_value_scan scan = ki_value_scan_start(entries->ops, entries->op_count);
    const ki_component *component;
    while ((component = ki_value_scan_next(commands, &scan)) != NULL) {
        const uint8_t *place = entries->first + scan.place;
        for (uint32_t i = component->hooks == NULL ? entries->count : 0; i < entries->count; i++) {
            if (ki_owned_value_at(place + (size_t)i * entries->stride)->component != component) {
                return false;
            }
        }
    }
    return true;
}

static const char *buffer_check(const kith_commands *commands)
{
    uint32_t found = 0;
    uint32_t spawns = 0;
    ki_log_scan scan = ki_log_scan_start(commands);
    for (ki_entries entries; ki_log_scan_next(&scan, &entries);) {
        found += entries.op_count * entries.count;
        spawns += ki_entries_make(&entries) ? entries.count : 0;
        for (uint32_t i = 0; i < entries.op_count; i++) {
            const ki_op *op = &entries.ops[i];
            if (op->is_new ? op->component >= commands->new_types.count
                : op->kind >= KI_COMMAND_SET
                    ? op->component == 0 || op->component > commands->world->store.component_count
                    : op->component != 0 || op->kind == 0) {
                return "a command is about a component that is none";
            }
            if (i != 0 && ki_command_makes(op->kind)) {
                return "a command makes an entity that another one has made";
            }
        }
        if (commands->failed == KITH_OK && !buffer_check_owned(commands, &entries)) {
            return "a command's value with hooks is not there";
        }
    }
    if (found != ki_commands_count(commands)) {
        return "a command buffer's count is not that of its commands";
    }
    return spawns == commands->spawns
               ? NULL
               : "a command buffer gave out other handles than it has entities to make";
}

static const char *buffers_check(const kith_world *world, const void *data)
{
    (void)world;
    const char *wrong = NULL;
    const kith_commands *previous = NULL;
    for (const kith_commands *commands = data; commands != NULL && wrong == NULL;
         commands = commands->next) {
        wrong = commands->previous == previous ? buffer_check(commands)
                                               : "the list of command buffers is broken";
        previous = commands;
    }
    return wrong;
}

static void buffers_count(const void *data, kith_memory_stats *stats)
{
    for (const kith_commands *commands = data; commands != NULL; commands = commands->next) {
        stats->commands += commands->context.heap.used;
        stats->allocations += commands->context.heap.allocations;
    }
}

static const ki_attachment_calls buffers_calls = {.end = buffers_end,
                                                  .free = buffers_free,
                                                  .hash = buffers_hash,
                                                  .check = buffers_check,
                                                  .count = buffers_count};

kith_commands *kith_commands_new(kith_world *world, const kith_commands_def *def)
{
    if (ki_world_require_owner(world, "kith_commands_new") != KITH_OK) {
        return NULL;
    }
    ki_heap heap = {.allocator = world->store.context.heap.allocator,
                    .limit = def == NULL ? 0 : def->memory_limit};
    kith_commands *commands =
        ki_heap_alloc_zeroed(&heap, sizeof *commands, _Alignof(kith_commands));
    if (commands == NULL) {
        ki_without_message(&world->store.context.heap, KITH_ERR_MEMORY);
        return NULL;
    }
    commands->context = (ki_context){.heap = heap};
    commands->world = world;
    commands->tag = ki_world_command_tag(world);
    ki_attachment *part = &world->parts[KI_PART_COMMANDS];
    part->calls = &buffers_calls;
    commands->next = part->data;
    if (commands->next != NULL) {
        commands->next->previous = commands;
    }
    part->data = commands;
    return commands;
}

void kith_commands_set_holder(kith_commands *commands, kith_commands **holder)
{
    if (KI_CHECKED && commands == NULL) {
        ki_misuse(NULL, "kith_commands_set_holder: the command buffer is NULL");
        return;
    }
    commands->holder = holder;
}

kith_world *kith_commands_world(const kith_commands *commands)
{
    if (KI_CHECKED && commands == NULL) {
        ki_misuse(NULL, "kith_commands_world: the command buffer is NULL");
        return NULL;
    }
    return commands->world;
}

void kith_commands_free(kith_commands *commands)
{
    if (commands == NULL) {
        return;
    }
    kith_world *world = commands->world;
    if (KI_CHECKED && commands->lent != NULL) {
        ki_misuse(
            &world->store.context,
            "kith_commands_free: %s belongs to the world, which frees it; kith_commands_discard"
            " forgets what is queued there",
            commands->lent);
        return;
    }
    if (commands->busy) {
        ki_commands_reject_hook(commands, "kith_commands_free");
        return;
    }
    if (ki_world_require_owner(world, "kith_commands_free") != KITH_OK) {
        return;
    }
    if (commands->previous != NULL) {
        commands->previous->next = commands->next;
    } else {
        world->parts[KI_PART_COMMANDS].data = commands->next;
    }
    if (commands->next != NULL) {
        commands->next->previous = commands->previous;
    }
    buffer_free(commands);
}

kith_commands_stats kith_commands_memory(const kith_commands *commands)
{
    if (KI_CHECKED && commands == NULL) {
        ki_misuse(NULL, "kith_commands_memory: the command buffer is NULL");
        return (kith_commands_stats){0};
    }
    const ki_heap *heap = &commands->context.heap;
    return (kith_commands_stats){.commands = ki_commands_count(commands),
                                 .spawned = commands->spawns,
                                 .dead = commands->dead,
                                 .used = heap->used,
                                 .peak = heap->peak,
                                 .limit = heap->limit};
}

const char *kith_commands_error(const kith_commands *commands)
{
    if (KI_CHECKED && commands == NULL) {
        ki_misuse(NULL, "kith_commands_error: the command buffer is NULL");
        return "";
    }
    return commands->context.error;
}
