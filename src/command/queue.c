/* Queueing: each call appends to the log. Most often the command is the hot one: that of the open
 * batch, for another entity. Then only a handle and a value are written. A buffer that failed, or
 * is busy, has no hot command, so the short form need not ask for that. */
#include "command/entries.h"

static void queue_reject_null(const char *call)
{
    const ki_inside *inside = kith_thread_.inside;
    if (inside != NULL && inside->no_commands) {
        ki_misuse(
            inside->context,
            "%s: the command buffer is NULL: system \"%s\" is `no_commands`, and so its iterator"
            " has none; leave `no_commands` out of its definition",
            call, inside->name);
        return;
    }
    ki_misuse(NULL,
              "%s: the command buffer is NULL; make one with kith_commands_new (the iterator that a"
              " system is given has one, other iterators do not)",
              call);
}

/* At the start of each call. */
static inline kith_result queue_require(const kith_commands *commands, const char *call)
{
    if (KI_CHECKED && commands == NULL) {
        queue_reject_null(call);
        return KITH_ERR_MISUSE;
    }
    return KITH_OK;
}

/* Fails the buffer: from here on it takes nothing. */
#define QUEUE_FAIL(commands, result, ...)                                                          \
    ((commands)->failed != KITH_OK                                                                 \
         ? (commands)->failed                                                                      \
         : ki_commands_fail((commands), ki_fail(&(commands)->context, (result), __VA_ARGS__)))

/* The same for a misuse, which the world's handler has been told of: what was meant to be queued is
 * not all there. */
#define QUEUE_MISUSE(commands, call, result)                                                       \
    ((void)(result), QUEUE_FAIL((commands), KITH_ERR_MISUSE, "%s: it was misused", (call)))

/* Whether a provisional handle is one of those that this buffer gave out since it was empty. */
static bool queue_knows(const kith_commands *commands, kith_entity provisional)
{
    uint32_t number = ki_spawn_number(provisional);
    return provisional.generation >> 24 == commands->tag && number != 0 &&
           number <= commands->spawns;
}

static bool queue_reject_handle(kith_commands *commands, const char *call, kith_entity entity,
                                const char *where)
{
    QUEUE_FAIL(commands, KITH_ERR_INPUT,
               "%s: %s%s is a provisional handle of another command buffer, or from before this"
               " one was last applied or emptied",
               call, where, kith_entity_to_text(entity).text);
    return false;
}

static inline bool queue_accepts(kith_commands *commands, const char *call, kith_entity entity)
{
    return !ki_is_provisional(entity) || queue_knows(commands, entity) ||
           queue_reject_handle(commands, call, entity, "");
}

/* Looks at the handles in a value. */
static bool queue_check_handles(kith_commands *commands, const char *call, const kith_type *type,
                                const void *value)
{
    KI_EACH_HANDLE (place, type) {
        kith_entity entity;
        memcpy(&entity, (const uint8_t *)value + place, sizeof entity);
        if (ki_is_provisional(entity)) {
            if (!queue_knows(commands, entity)) {
                return queue_reject_handle(commands, call, entity, "the value's ");
            }
            commands->refers = true;
        }
    }
    return true;
}

static kith_result queue_tell(kith_commands *commands, const char *call, kith_result result)
{
    const ki_heap *heap = &commands->context.heap;
    return QUEUE_FAIL(commands, result,
                      "%s: no %s for more than %u commands; the buffer holds %zu bytes, and its"
                      " limit is %zu (0: none)",
                      call, result == KITH_ERR_MEMORY ? "memory" : "number",
                      ki_commands_count(commands), heap->used, heap->limit);
}

/* Appends a command; `*value` tells where its value is to be written. */
static kith_result queue_append(kith_commands *commands, const char *call, ki_command_kind kind,
                                kith_entity entity, const ki_component *component, uint8_t **value)
{
    if (commands->failed != KITH_OK ||
        (commands->busy && !ki_commands_reject_hook(commands, call))) {
        return commands->failed;
    }
    kith_result result = ki_log_append(commands, kind, entity, component, value);
    return result == KITH_OK ? KITH_OK : queue_tell(commands, call, result);
}

/* Undoes what a failing call has added to the owned values. */
static kith_result queue_undo(kith_commands *commands, ki_owned_value *last)
{
    ki_commands_occupy(commands);
    ki_owned_values_undo(&commands->owned, last);
    ki_commands_release(commands);
    return commands->failed;
}

/* Queues a command that has a value with hooks. */
static kith_result queue_hooked(kith_commands *commands, const char *call, ki_command_kind kind,
                                kith_entity entity, const ki_component *component,
                                const void *value)
{
    if (commands->failed != KITH_OK ||
        (commands->busy && !ki_commands_reject_hook(commands, call)) ||
        !queue_accepts(commands, call, entity)) {
        return commands->failed;
    }
    ki_owned_value *last = commands->owned.last;
    ki_owned_value *owned;
    ki_commands_occupy(commands);
    kith_result result =
        ki_owned_values_add(&commands->context.heap, &commands->owned, component, value, &owned);
    ki_commands_release(commands);
    if (result != KITH_OK) {
        return QUEUE_FAIL(commands, result, "%s: no value of '%s' was made: %s", call,
                          component->type->name, kith_result_name(result));
    }
    uint8_t *to;
    if (!queue_check_handles(commands, call, component->type, ki_owned_value_bytes(owned)) ||
        queue_append(commands, call, kind, entity, component, &to) != KITH_OK) {
        return queue_undo(commands, last);
    }
    memcpy(to, &owned, sizeof owned);
    return KITH_OK;
}

/* Queues a command that is not expected; `component` is NULL if it is about none. */
static kith_result queue_one(kith_commands *commands, const char *call, ki_command_kind kind,
                             kith_entity entity, const ki_component *component, const void *value)
{
    bool sets = kind == KI_COMMAND_SET;
    if ((sets || kind == KI_COMMAND_ADD) && component->hooks != NULL) {
        return queue_hooked(commands, call, kind, entity, component, value);
    }
    if (!queue_accepts(commands, call, entity) ||
        (sets && component->has_handles && value != NULL &&
         !queue_check_handles(commands, call, component->type, value))) {
        return commands->failed;
    }
    uint8_t *to;
    KI_TRY(queue_append(commands, call, kind, entity, component, &to));
    if (sets) {
        ki_write_value(to, value, component->type->size);
    }
    return KITH_OK;
}

/* The same for one that may be expected, and is about a component. */
static inline kith_result queue_component(kith_commands *commands, const char *call,
                                          ki_command_kind kind, kith_entity entity,
                                          const ki_component *component, const void *value)
{
    bool first = commands->begun == 0;
    if (!ki_log_expects(commands, ki_op_key(kind, component->id), entity) ||
        (first && entity.index1 == 0)) {
        return queue_one(commands, call, kind, entity, component, value);
    }
    if (first) {
        memcpy(commands->log.at, &entity, sizeof entity);
    }
    uint8_t *to = ki_log_go_on(commands, entity);
    if (kind == KI_COMMAND_SET) {
        ki_write_value(to, value, component->type->size);
    }
    return KITH_OK;
}

/* Whether the command is the hot one. Each condition is said to be likely, so that the short form
 * has no jumps. */
static inline bool queue_is_hot(const kith_commands *commands, ki_command_kind kind,
                                kith_entity entity, const kith_type *type)
{
    bool typed = kind >= KI_COMMAND_SET;
    return (!typed || type != NULL) &&
           commands->hot.key == ki_hot_key(kind, typed ? ki_type_number(type) : 0) &&
           entity.index1 != 0 && commands->log.at <= commands->hot.last;
}

/* Does so; returns where its value goes. */
static inline uint8_t *queue_hot(kith_commands *commands, kith_entity entity)
{
    uint8_t *at = commands->log.at;
    commands->log.at = at + commands->hot.stride;
    memcpy(at, &entity, sizeof entity);
    return at + sizeof entity;
}

/* The component of a type. NULL: the buffer has failed. */
static const ki_component *queue_find_component(kith_commands *commands, const char *call,
                                                const kith_type *type, bool adds)
{
    if (type == NULL) {
        QUEUE_MISUSE(commands, call, ki_reject_type(commands->world, call, type));
        return NULL;
    }
    const ki_component *component = ki_world_component(commands->world, type);
    return component != NULL ? component : ki_new_type_use(commands, call, type, adds);
}

/* Queues a command about a component that is not the hot one. The parameters are in the order of
 * the public calls, so that those move none about. KI_NOINLINE keeps the usual case of a call without a
 * stack frame: 14% on the bench's rows queue-set and queue-remove. */
static KI_NOINLINE kith_result queue_typed(kith_commands *commands, kith_entity entity,
                                           const kith_type *type, const void *value,
                                           ki_command_kind kind, const char *call)
{
    const ki_component *component =
        queue_find_component(commands, call, type, kind != KI_COMMAND_REMOVE);
    if (component == NULL) {
        return commands->failed;
    }
    return queue_component(commands, call, kind, entity, component, value);
}

/* Queues a command that has no value if it is the hot one. */
static inline bool queue_plain(kith_commands *commands, kith_entity entity, const kith_type *type,
                               ki_command_kind kind)
{
    if (!queue_is_hot(commands, kind, entity, type)) {
        return false;
    }
    queue_hot(commands, entity);
    return true;
}

kith_result kith_commands_set(kith_commands *commands, kith_entity entity, const kith_type *type,
                              const void *value)
{
    KI_TRY(queue_require(commands, "kith_commands_set"));
    if (value == NULL || !queue_is_hot(commands, KI_COMMAND_SET, entity, type)) {
        return queue_typed(commands, entity, type, value, KI_COMMAND_SET, "kith_commands_set");
    }
    uint8_t *to = queue_hot(commands, entity);
    switch (commands->hot.size) { /* 20% less on the bench's row queue-set than without */
    case 4: memcpy(to, value, 4); return KITH_OK;
    case 8: memcpy(to, value, 8); return KITH_OK;
    case 12: memcpy(to, value, 12); return KITH_OK;
    case 16: memcpy(to, value, 16); return KITH_OK;
    default: ki_copy_value(to, value, commands->hot.size); return KITH_OK;
    }
}

kith_result kith_commands_set_bytes(kith_commands *commands, kith_entity entity,
                                    const kith_type *type, const void *bytes, size_t size)
{
    KI_TRY(queue_require(commands, "kith_commands_set_bytes"));
    if (type == NULL) {
        return QUEUE_FAIL(commands, KITH_ERR_UNKNOWN, "kith_commands_set_bytes: the type is NULL");
    }
    const ki_component *component =
        queue_find_component(commands, "kith_commands_set_bytes", type, true);
    if (component == NULL) {
        return commands->failed;
    }
    if (size != type->size || (bytes == NULL && size != 0)) {
        return QUEUE_FAIL(commands, KITH_ERR_TYPE,
                          "kith_commands_set_bytes: %s has %u bytes, not %zu%s", type->name,
                          type->size, size, bytes == NULL ? " at NULL" : "");
    }
    if (component->hooks != NULL) {
        return QUEUE_FAIL(commands, KITH_ERR_TYPE,
                          "kith_commands_set_bytes: '%s' has hooks: its values are more than their"
                          " bytes",
                          type->name);
    }
    return queue_one(commands, "kith_commands_set_bytes", KI_COMMAND_SET, entity, component, bytes);
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
        const ki_component *component = queue_find_component(commands, call, values[i].type, true);
        if (component == NULL) {
            return commands->failed;
        }
        KI_TRY(queue_component(commands, call, KI_COMMAND_SET, entity, component, values[i].data));
    }
    return commands->failed;
}

/* The same, with the values taken over given back where a later one makes the call fail. */
static kith_result queue_all(kith_commands *commands, const char *call, kith_entity entity,
                             const kith_value *values, uint32_t count)
{
    ki_owned_value *last = commands->owned.last;
    kith_result result = queue_several(commands, call, entity, values, count);
    return result != KITH_OK && commands->owned.last != last ? queue_undo(commands, last) : result;
}

kith_result kith_commands_set_values(kith_commands *commands, kith_entity entity,
                                     const kith_value *values, uint32_t value_count)
{
    KI_TRY(queue_require(commands, "kith_commands_set_values"));
    return queue_all(commands, "kith_commands_set_values", entity, values, value_count);
}

kith_result kith_commands_add(kith_commands *commands, kith_entity entity, const kith_type *type)
{
    KI_TRY(queue_require(commands, "kith_commands_add"));
    return queue_plain(commands, entity, type, KI_COMMAND_ADD)
               ? KITH_OK
               : queue_typed(commands, entity, type, NULL, KI_COMMAND_ADD, "kith_commands_add");
}

kith_result kith_commands_remove(kith_commands *commands, kith_entity entity, const kith_type *type)
{
    KI_TRY(queue_require(commands, "kith_commands_remove"));
    return queue_plain(commands, entity, type, KI_COMMAND_REMOVE)
               ? KITH_OK
               : queue_typed(commands, entity, type, NULL, KI_COMMAND_REMOVE,
                             "kith_commands_remove");
}

kith_result kith_commands_remove_all(kith_commands *commands, kith_entity entity)
{
    KI_TRY(queue_require(commands, "kith_commands_remove_all"));
    return queue_plain(commands, entity, NULL, KI_COMMAND_CLEAR)
               ? KITH_OK
               : queue_one(commands, "kith_commands_remove_all", KI_COMMAND_CLEAR, entity, NULL,
                           NULL);
}

kith_result kith_commands_despawn(kith_commands *commands, kith_entity entity)
{
    KI_TRY(queue_require(commands, "kith_commands_despawn"));
    return queue_plain(commands, entity, NULL, KI_COMMAND_DESPAWN)
               ? KITH_OK
               : queue_one(commands, "kith_commands_despawn", KI_COMMAND_DESPAWN, entity, NULL,
                           NULL);
}

/* Whether one more entity may be made. */
static bool queue_may_make(kith_commands *commands, const char *call)
{
    if (commands->failed != KITH_OK ||
        (commands->busy && !ki_commands_reject_hook(commands, call))) {
        return false;
    }
    commands->real_count = 0; /* `spawned` is about new ones from here on */
    if (commands->spawns == KI_SPAWNS_MAX) {
        QUEUE_FAIL(commands, KITH_ERR_LIMIT, "%s: %u entities are queued already, which is all",
                   call, KI_SPAWNS_MAX);
        return false;
    }
    if (ki_heap_grow(&commands->context.heap, &commands->spawned, &commands->spawn_capacity,
                     commands->spawns + 1, sizeof *commands->spawned, 16) != KITH_OK) {
        QUEUE_FAIL(commands, KITH_ERR_MEMORY, "%s: no memory for more than %u entities", call,
                   commands->spawns);
        return false;
    }
    return true;
}

/* Appends a command that makes an entity, the first or a clone of `source`. Returns its provisional
 * handle; KITH_NONE if the buffer has failed. */
static kith_entity queue_make(kith_commands *commands, const char *call, ki_command_kind kind,
                              kith_entity source)
{
    kith_entity made = {0, commands->tag << 24 | (commands->spawns + 1)};
    uint8_t *value;
    if (commands->spawns < commands->spawn_capacity && commands->spawns < KI_SPAWNS_MAX &&
        kind == KI_COMMAND_SPAWN && ki_log_expects(commands, ki_op_key(kind, 0), made)) {
        ki_log_go_on(commands, made);
    } else if (!queue_may_make(commands, call) ||
               queue_append(commands, call, kind, source, NULL, &value) != KITH_OK) {
        return KITH_NONE;
    }
    commands->spawns++;
    return made;
}

kith_entity kith_commands_spawn(kith_commands *commands)
{
    if (queue_require(commands, "kith_commands_spawn") != KITH_OK) {
        return KITH_NONE;
    }
    return queue_make(commands, "kith_commands_spawn", KI_COMMAND_SPAWN, KITH_NONE);
}

kith_entity kith_commands_spawn_values(kith_commands *commands, const kith_value *values,
                                       uint32_t value_count)
{
    if (queue_require(commands, "kith_commands_spawn_values") != KITH_OK) {
        return KITH_NONE;
    }
    kith_entity entity =
        queue_make(commands, "kith_commands_spawn_values", KI_COMMAND_SPAWN, KITH_NONE);
    return !kith_is_none(entity) && queue_all(commands, "kith_commands_spawn_values", entity,
                                              values, value_count) == KITH_OK
               ? entity
               : KITH_NONE;
}

kith_entity kith_commands_clone(kith_commands *commands, kith_entity entity)
{
    if (queue_require(commands, "kith_commands_clone") != KITH_OK) {
        return KITH_NONE;
    }
    return queue_accepts(commands, "kith_commands_clone", entity)
               ? queue_make(commands, "kith_commands_clone", KI_COMMAND_CLONE, entity)
               : KITH_NONE;
}

kith_entity kith_commands_clone_tree(kith_commands *commands, kith_entity root)
{
    if (queue_require(commands, "kith_commands_clone_tree") != KITH_OK ||
        !queue_accepts(commands, "kith_commands_clone_tree", root)) {
        return KITH_NONE;
    }
    commands->refers = true;
    commands->clones_trees = true;
    return queue_make(commands, "kith_commands_clone_tree", KI_COMMAND_CLONE_TREE, root);
}

void kith_commands_discard(kith_commands *commands)
{
    if (queue_require(commands, "kith_commands_discard") != KITH_OK) {
        return;
    }
    if (commands->busy) {
        ki_commands_reject_hook(commands, "kith_commands_discard");
        return;
    }
    commands->real_count = 0;
    ki_commands_free_contents(commands);
    ki_commands_empty(commands);
}

kith_entity kith_commands_real(const kith_commands *commands, kith_entity provisional)
{
    if (queue_require(commands, "kith_commands_real") != KITH_OK) {
        return KITH_NONE;
    }
    uint32_t number = ki_spawn_number(provisional);
    return ki_is_provisional(provisional) && provisional.generation >> 24 == commands->real_tag &&
                   number != 0 && number <= commands->real_count
               ? commands->spawned[number - 1].real
               : KITH_NONE;
}
