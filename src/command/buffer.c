/* Buffers come and go, and the memory in them. */
#include "command/buffer.h"

#define CHUNK_FIRST 1024u
#define CHUNK_LARGEST 65536u

static size_t chunk_bytes(const ki_chunk *chunk)
{
    return sizeof *chunk + chunk->size;
}

void *ki_log_take_slow(ki_heap *heap, ki_log *log, size_t size)
{
    ki_chunk *filling = log->filling;
    ki_chunk *next = filling == NULL ? log->first : filling->next;
    if (next == NULL || next->size < size) {
        size_t room = filling == NULL ? CHUNK_FIRST : (size_t)filling->size * 2;
        room = room > CHUNK_LARGEST ? CHUNK_LARGEST : room;
        room = (room < size + sizeof *next ? size + sizeof *next : room) - sizeof *next;
        ki_chunk *chunk = ki_heap_take(heap, sizeof *next + room, _Alignof(max_align_t));
        if (chunk == NULL) {
            return NULL;
        }
        *chunk = (ki_chunk){.next = next, .size = (uint32_t)room};
        next = chunk;
        if (filling == NULL) {
            log->first = chunk;
        } else {
            filling->next = chunk;
        }
    }
    if (filling != NULL) {
        filling->used = (uint32_t)(log->at - (uint8_t *)(filling + 1));
    }
    log->filling = next;
    log->at = (uint8_t *)(next + 1) + size;
    log->end = (uint8_t *)(next + 1) + next->size;
    return next + 1;
}

static void log_free_chunks(ki_heap *heap, ki_chunk *chunk)
{
    while (chunk != NULL) {
        ki_chunk *next = chunk->next;
        ki_heap_give(heap, chunk, chunk_bytes(chunk), _Alignof(max_align_t));
        chunk = next;
    }
}

bool ki_log_walk_chunk(ki_log_walk *walk)
{
    const ki_log *log = walk->log;
    do {
        while (log->filling == NULL || walk->chunk == log->filling) {
            if (log->more == NULL) {
                return false;
            }
            walk->log = log = log->more;
            walk->chunk = NULL;
        }
        walk->chunk = walk->chunk == NULL ? log->first : walk->chunk->next;
        walk->at = (uint8_t *)(walk->chunk + 1);
        walk->end = walk->chunk == log->filling ? log->at : walk->at + walk->chunk->used;
    } while (walk->at == walk->end);
    return true;
}

void ki_log_rewind(ki_heap *heap, ki_log *log)
{
    if (heap->limit != 0) {
        ki_log_free(heap, log); /* what is kept would be missed */
        return;
    }
    if (log->filling != NULL) {
        log_free_chunks(heap, log->filling->next);
        log->filling->next = NULL;
    }
    log->filling = NULL;
    log->at = NULL;
    log->end = NULL;
}

void ki_log_free(ki_heap *heap, ki_log *log)
{
    log_free_chunks(heap, log->first);
    *log = (ki_log){0};
}

/* ---- The buffers of a world ------------------------------------------------------------------ */

static void buffer_free(kith_commands *commands)
{
    ki_heap heap = commands->context.heap;
    ki_log_free(&heap, &commands->log);
    ki_log_free(&heap, &commands->aliases);
    ki_heap_give(&heap, commands->spawned, commands->spawn_capacity * sizeof *commands->spawned,
                 _Alignof(max_align_t));
    ki_heap_give(&heap, commands, sizeof *commands, _Alignof(kith_commands));
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

KI_RARE static const char *buffers_check(const kith_world *world, const void *data)
{
    for (const kith_commands *commands = data; commands != NULL; commands = commands->next) {
        uint32_t found = 0;
        uint32_t spawns = 0;
        ki_log_walk walk = ki_log_walk_start(&commands->log);
        for (const ki_command *command = ki_log_walk_next(&walk); command != NULL;
             command = ki_log_walk_next(&walk)) {
            found++;
            spawns += command->kind <= KI_COMMAND_CLONE;
            if (command->kind >= KI_COMMAND_SET &&
                (command->component == 0 || command->component > world->store.component_count)) {
                return "a command is about a component that is none";
            }
        }
        if (found != commands->count) {
            return "a command buffer's count is not that of its commands";
        }
        if (spawns != commands->spawns) {
            return "a command buffer gave out other handles than it has entities to make";
        }
    }
    return NULL;
}

KI_RARE static void buffers_count(const void *data, kith_memory_stats *stats)
{
    for (const kith_commands *commands = data; commands != NULL; commands = commands->next) {
        stats->commands += commands->context.heap.used;
        stats->allocations += commands->context.heap.allocations;
    }
}

static const ki_attachment_calls buffers_calls = {buffers_free, buffers_hash, buffers_check,
                                                  buffers_count};

kith_commands *kith_commands_new(kith_world *world, const kith_commands_def *def)
{
    KI_REQUIRE_OWNER(world, "kith_commands_new", NULL);
    ki_heap heap = {.allocator = world->store.context.heap.allocator,
                    .limit = def == NULL ? 0 : def->memory_limit};
    kith_commands *commands = ki_heap_take_zeroed(&heap, sizeof *commands, _Alignof(kith_commands));
    if (commands == NULL) {
        return NULL;
    }
    commands->context = (ki_context){.heap = heap};
    commands->world = world;
    commands->tag = ki_world_command_tag(world);
    ki_attachment *part = &world->parts[KI_PART_COMMANDS];
    part->calls = &buffers_calls;
    commands->next = part->data;
    part->data = commands;
    return commands;
}

void kith_commands_free(kith_commands *commands)
{
    if (commands == NULL) {
        return;
    }
    kith_world *world = commands->world;
    KITH_REQUIRE(&world->store.context, !commands->lent, ,
                 "kith_commands_free: the buffer is that of the world's systems");
    KI_REQUIRE_OWNER(world, "kith_commands_free", );
    ki_attachment *part = &world->parts[KI_PART_COMMANDS];
    if (part->data == commands) {
        part->data = commands->next;
    } else {
        kith_commands *before = part->data;
        while (before->next != commands) {
            before = before->next;
        }
        before->next = commands->next;
    }
    buffer_free(commands);
}

kith_commands_stats kith_commands_memory(const kith_commands *commands)
{
    KITH_REQUIRE(NULL, commands != NULL, (kith_commands_stats){0},
                 "kith_commands_memory: the command buffer is NULL");
    const ki_heap *heap = &commands->context.heap;
    return (kith_commands_stats){.commands = commands->count,
                                 .spawned = commands->spawns,
                                 .dead = commands->dead,
                                 .used = heap->used,
                                 .peak = heap->peak,
                                 .limit = heap->limit};
}

const char *kith_commands_error(const kith_commands *commands)
{
    KITH_REQUIRE(NULL, commands != NULL, "", "kith_commands_error: the command buffer is NULL");
    return commands->context.error;
}
