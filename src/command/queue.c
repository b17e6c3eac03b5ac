/* Queueing: each call appends to the buffer. A buffer that failed has no room, so that the usual
 * case is one compare. */
#include "command/buffer.h"

/* At the start of each call. */
#define QUEUE_REQUIRE(commands, call, value)                                                       \
    KITH_REQUIRE(NULL, (commands) != NULL, value,                                                  \
                 "%s: the command buffer is NULL; only a system's own iterator has one", call)

/* Fails the buffer: from here on there is no room in it. */
#define QUEUE_FAIL(commands, result, ...)                                                          \
    ((commands)->failed != KITH_OK                                                                 \
         ? (commands)->failed                                                                      \
         : queue_fail((commands), ki_fail(&(commands)->context, (result), __VA_ARGS__)))

static kith_result queue_fail(kith_commands *commands, kith_result result)
{
    commands->failed = result;
    commands->log.end = commands->log.at;
    return result;
}

/* The same for a misuse, which the world's handler has been told of: what was meant to be queued is
 * not all there. */
#define QUEUE_MISUSE(commands, call, result)                                                       \
    ((void)(result), QUEUE_FAIL((commands), KITH_ERR_MISUSE, "%s: it was misused", (call)))

/* The part of queue_take that is not one compare. */
KI_COLD static ki_command *queue_take_slow(kith_commands *commands, const char *call, size_t size)
{
    if (commands->failed != KITH_OK) {
        return NULL;
    }
    ki_heap *heap = &commands->context.heap;
    ki_command *command = ki_log_take(heap, &commands->log, size);
    if (command == NULL) {
        QUEUE_FAIL(commands, KITH_ERR_MEMORY,
                   "%s: no memory for more than %u commands; the buffer holds %zu bytes, and its"
                   " limit is %zu (0: none)",
                   call, commands->count, heap->used, heap->limit);
    }
    return command;
}

/* Appends a command; its value is the caller's to write. NULL if the buffer has failed. */
static inline ki_command *queue_take(kith_commands *commands, const char *call,
                                     ki_command_kind kind, kith_entity entity, uint32_t component,
                                     uint32_t size)
{
    size_t bytes = ki_command_bytes(size);
    ki_command *command;
    if (KI_LIKELY((size_t)(commands->log.end - commands->log.at) >= bytes)) {
        command = (ki_command *)(void *)commands->log.at;
        commands->log.at += bytes;
    } else {
        command = queue_take_slow(commands, call, bytes);
        if (command == NULL) {
            return NULL;
        }
    }
    command->kind = (uint8_t)kind;
    command->flags = 0;
    command->component = (uint16_t)component;
    command->size = size;
    command->entity = entity;
    commands->count++;
    return command;
}

/* Whether a provisional handle is one of those that this buffer gave out since it was empty. */
static bool queue_knows(const kith_commands *commands, kith_entity provisional)
{
    uint32_t number = ki_spawn_number(provisional);
    return provisional.generation >> 24 == commands->tag && number != 0 &&
           number <= commands->spawns;
}

KI_COLD static bool queue_refuse_handle(kith_commands *commands, const char *call,
                                        kith_entity entity, const char *where)
{
    QUEUE_FAIL(commands, KITH_ERR_INPUT,
               "%s: %s%s is a provisional handle of another command buffer, or from before this"
               " one was last applied or cleared",
               call, where, kith_print(entity).text);
    return false;
}

static inline bool queue_accepts(kith_commands *commands, const char *call, kith_entity entity)
{
    return KI_LIKELY(!ki_is_provisional(entity)) || queue_knows(commands, entity) ||
           queue_refuse_handle(commands, call, entity, "");
}

static kith_result queue_simple(kith_commands *commands, const char *call, ki_command_kind kind,
                                kith_entity entity, uint32_t component)
{
    if (!queue_accepts(commands, call, entity) ||
        queue_take(commands, call, kind, entity, component, 0) == NULL) {
        return commands->failed;
    }
    return KITH_OK;
}

/* Looks at the handles in a value. */
static bool queue_check_handles(kith_commands *commands, const char *call, const kith_type *type,
                                const void *value, uint8_t *flags)
{
    KI_EACH_HANDLE (place, type) {
        kith_entity entity;
        memcpy(&entity, (const uint8_t *)value + place, sizeof entity);
        if (ki_is_provisional(entity)) {
            if (!queue_knows(commands, entity)) {
                return queue_refuse_handle(commands, call, entity, "the value's ");
            }
            *flags |= KI_COMMAND_REFERS;
            commands->refers = true;
        }
    }
    return true;
}

/* What waits in a buffer is plain bytes. */
KI_COLD static kith_result queue_refuse_hooks(kith_commands *commands, const char *call,
                                              const ki_component *component)
{
    return QUEUE_FAIL(commands, KITH_ERR_TYPE,
                      "%s: '%s' has hooks, and its values cannot be queued; set them when the loop"
                      " is over",
                      call, component->type->name);
}

static kith_result queue_set(kith_commands *commands, const char *call, kith_entity entity,
                             const ki_component *component, const void *value)
{
    if (KI_UNLIKELY(component->hooks != NULL)) {
        return queue_refuse_hooks(commands, call, component);
    }
    const kith_type *type = component->type;
    uint8_t flags = 0;
    if (!queue_accepts(commands, call, entity) ||
        (component->has_handles && value != NULL &&
         !queue_check_handles(commands, call, type, value, &flags))) {
        return commands->failed;
    }
    ki_command *command =
        queue_take(commands, call, KI_COMMAND_SET, entity, component->id, type->size);
    if (command == NULL) {
        return commands->failed;
    }
    command->flags = flags;
    if (value == NULL) {
        memset(command + 1, 0, type->size);
    } else {
        ki_copy_value(command + 1, value, type->size);
    }
    return KITH_OK;
}

#define QUEUE_REQUIRE_COMPONENT(component, commands, call, type)                                   \
    const ki_component *component =                                                                \
        (type) == NULL ? NULL : ki_world_component((commands)->world, (type));                     \
    if (KI_UNLIKELY(component == NULL)) {                                                          \
        return QUEUE_MISUSE((commands), (call),                                                    \
                            ki_refuse_type((commands)->world, (call), (type)));                    \
    }

kith_result kith_queue_set(kith_commands *commands, kith_entity entity, const kith_type *type,
                           const void *value)
{
    QUEUE_REQUIRE(commands, "kith_queue_set", KITH_ERR_MISUSE);
    QUEUE_REQUIRE_COMPONENT(component, commands, "kith_queue_set", type)
    return queue_set(commands, "kith_queue_set", entity, component, value);
}

kith_result kith_queue_set_bytes(kith_commands *commands, kith_entity entity, const kith_type *type,
                                 const void *bytes, size_t size)
{
    QUEUE_REQUIRE(commands, "kith_queue_set_bytes", KITH_ERR_MISUSE);
    const ki_component *component = type == NULL ? NULL : ki_world_component(commands->world, type);
    if (component == NULL) {
        return QUEUE_FAIL(commands, KITH_ERR_UNKNOWN,
                          "kith_queue_set_bytes: the type is not registered");
    }
    if (size != type->size || (bytes == NULL && size != 0)) {
        return QUEUE_FAIL(commands, KITH_ERR_TYPE,
                          "kith_queue_set_bytes: %s has %u bytes, not %zu%s", type->name,
                          type->size, size, bytes == NULL ? " at NULL" : "");
    }
    return queue_set(commands, "kith_queue_set_bytes", entity, component, bytes);
}

static kith_result queue_several(kith_commands *commands, const char *call, kith_entity entity,
                                 const kith_value *values, uint32_t count)
{
    if (values == NULL && count != 0) {
        return QUEUE_MISUSE(commands, call,
                            ki_misuse(&commands->world->store.context,
                                      "%s: %u values, but their address is NULL", call, count));
    }
    for (uint32_t i = 0; i < count; i++) {
        QUEUE_REQUIRE_COMPONENT(component, commands, call, values[i].type)
        KI_TRY(queue_set(commands, call, entity, component, values[i].data));
    }
    return commands->failed;
}

kith_result kith_queue_set_several(kith_commands *commands, kith_entity entity,
                                   const kith_value *values, uint32_t value_count)
{
    QUEUE_REQUIRE(commands, "kith_queue_set_several", KITH_ERR_MISUSE);
    return queue_several(commands, "kith_queue_set_several", entity, values, value_count);
}

kith_result kith_queue_add(kith_commands *commands, kith_entity entity, const kith_type *type)
{
    QUEUE_REQUIRE(commands, "kith_queue_add", KITH_ERR_MISUSE);
    QUEUE_REQUIRE_COMPONENT(component, commands, "kith_queue_add", type)
    if (KI_UNLIKELY(component->hooks != NULL)) {
        return queue_refuse_hooks(commands, "kith_queue_add", component);
    }
    return queue_simple(commands, "kith_queue_add", KI_COMMAND_ADD, entity, component->id);
}

kith_result kith_queue_remove(kith_commands *commands, kith_entity entity, const kith_type *type)
{
    QUEUE_REQUIRE(commands, "kith_queue_remove", KITH_ERR_MISUSE);
    QUEUE_REQUIRE_COMPONENT(component, commands, "kith_queue_remove", type)
    return queue_simple(commands, "kith_queue_remove", KI_COMMAND_REMOVE, entity, component->id);
}

kith_result kith_queue_clear(kith_commands *commands, kith_entity entity)
{
    QUEUE_REQUIRE(commands, "kith_queue_clear", KITH_ERR_MISUSE);
    return queue_simple(commands, "kith_queue_clear", KI_COMMAND_CLEAR, entity, 0);
}

kith_result kith_queue_despawn(kith_commands *commands, kith_entity entity)
{
    QUEUE_REQUIRE(commands, "kith_queue_despawn", KITH_ERR_MISUSE);
    return queue_simple(commands, "kith_queue_despawn", KI_COMMAND_DESPAWN, entity, 0);
}

/* Appends a command that makes an entity; NULL if the buffer has failed. */
static ki_command *queue_make(kith_commands *commands, const char *call, ki_command_kind kind,
                              uint32_t size)
{
    if (commands->failed != KITH_OK) {
        return NULL;
    }
    commands->real_count = 0; /* `spawned` is about new ones from here on */
    if (commands->spawns == KI_SPAWNS_MAX) {
        QUEUE_FAIL(commands, KITH_ERR_LIMIT, "%s: %u entities are queued already, which is all",
                   call, KI_SPAWNS_MAX);
        return NULL;
    }
    if (ki_heap_grow(&commands->context.heap, &commands->spawned, &commands->spawn_capacity,
                     commands->spawns + 1, sizeof *commands->spawned, 16) != KITH_OK) {
        QUEUE_FAIL(commands, KITH_ERR_MEMORY, "%s: no memory for more than %u entities", call,
                   commands->spawns);
        return NULL;
    }
    kith_entity provisional = {0, commands->tag << 24 | (commands->spawns + 1)};
    ki_command *command = queue_take(commands, call, kind, provisional, 0, size);
    if (command != NULL) {
        commands->spawns++;
    }
    return command;
}

kith_entity kith_queue_spawn(kith_commands *commands)
{
    QUEUE_REQUIRE(commands, "kith_queue_spawn", KITH_NONE);
    const ki_command *command = queue_make(commands, "kith_queue_spawn", KI_COMMAND_SPAWN, 0);
    return command == NULL ? KITH_NONE : command->entity;
}

kith_entity kith_queue_spawn_values(kith_commands *commands, const kith_value *values,
                                    uint32_t value_count)
{
    QUEUE_REQUIRE(commands, "kith_queue_spawn_values", KITH_NONE);
    const ki_command *command =
        queue_make(commands, "kith_queue_spawn_values", KI_COMMAND_SPAWN, 0);
    if (command == NULL) {
        return KITH_NONE;
    }
    kith_entity entity = command->entity;
    return queue_several(commands, "kith_queue_spawn_values", entity, values, value_count) ==
                   KITH_OK
               ? entity
               : KITH_NONE;
}

kith_entity kith_queue_clone(kith_commands *commands, kith_entity entity)
{
    QUEUE_REQUIRE(commands, "kith_queue_clone", KITH_NONE);
    if (!queue_accepts(commands, "kith_queue_clone", entity)) {
        return KITH_NONE;
    }
    ki_command *command = queue_make(commands, "kith_queue_clone", KI_COMMAND_CLONE, sizeof entity);
    if (command == NULL) {
        return KITH_NONE;
    }
    memcpy(command + 1, &entity, sizeof entity);
    return command->entity;
}

/* Empties the buffer, whose log is empty by now. */
static void queue_empty(kith_commands *commands)
{
    commands->count = 0;
    commands->spawns = 0;
    commands->refers = false;
    commands->failed = KITH_OK;
    commands->context.error[0] = '\0';
    commands->tag = ki_world_command_tag(commands->world);
}

void ki_commands_applied(kith_commands *commands)
{
    commands->real_tag = commands->tag;
    commands->real_count = commands->spawns;
    ki_log_rewind(&commands->context.heap, &commands->log);
    queue_empty(commands);
}

void kith_commands_clear(kith_commands *commands)
{
    QUEUE_REQUIRE(commands, "kith_commands_clear", );
    commands->real_count = 0;
    ki_log_free(&commands->context.heap, &commands->log);
    queue_empty(commands);
}

kith_entity kith_commands_real(const kith_commands *commands, kith_entity provisional)
{
    QUEUE_REQUIRE(commands, "kith_commands_real", KITH_NONE);
    uint32_t number = ki_spawn_number(provisional);
    return ki_is_provisional(provisional) && provisional.generation >> 24 == commands->real_tag &&
                   number != 0 && number <= commands->real_count
               ? commands->spawned[number - 1].real
               : KITH_NONE;
}
