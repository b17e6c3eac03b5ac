/* Which thread may call, how misuse and errors are reported, and how much memory is in use. */
#include "world/world.h"

#include <string.h>

#include "query/cursor.h"

/* Reports a call that is not to be made while a query is open. */
static kith_result world_reject_open(const kith_world *world, const char *call)
{
    char where[256];
    ki_query_print_open(&world->store, NULL, where, sizeof where);
    return ki_misuse(&world->store.context,
                     "%s: the world is being iterated (%s); do it when the loop has ended"
                     " (kith_iter_close)",
                     call, where);
}

void kith_world_release(kith_world *world)
{
    if (ki_world_require_owner(world, "kith_world_release") != KITH_OK) {
        return;
    }
    if (KI_CHECKED && world->store.open != NULL) {
        world_reject_open(world, "kith_world_release");
        return;
    }
    const char *busy = ki_world_busy(world);
    if (KI_CHECKED && busy != NULL) {
        ki_misuse(&world->store.context,
                  "kith_world_release: %s is under way; call it when that has returned", busy);
        return;
    }
    ki_context_set_owner(&world->store.context, NULL);
}

void kith_world_claim(kith_world *world)
{
    if (KI_CHECKED && world == NULL) {
        ki_reject_world(world, "kith_world_claim");
        return;
    }
    ki_context *context = &world->store.context;
    const void *owner = ki_context_owner(context);
    if (owner == ki_thread()) {
        return;
    }
    if (ki_context_inside(context) != NULL) {
        ki_reject_thread(context, "kith_world_claim", "");
        return;
    }
    if (KI_CHECKED && owner != NULL) {
        ki_misuse(context, "kith_world_claim: another thread owns the world; it has to call"
                           " kith_world_release first");
        return;
    }
    ki_context_set_owner(context, ki_thread());
}

const char *kith_error(const kith_world *world)
{
    if (ki_world_require_reader(world, "kith_error") != KITH_OK) {
        return "";
    }
    return world->store.context.error;
}

void kith_log(const kith_world *world, kith_log_level level, const char *format, ...)
{
    if (KI_CHECKED && world == NULL) {
        ki_reject_world(world, "kith_log");
        return;
    }
    const ki_context *context = &world->store.context;
    if (KI_CHECKED && (level < KITH_LOG_ERROR || level > KITH_LOG_DEBUG || format == NULL)) {
        ki_misuse(context, "kith_log: the message is NULL, or %d is not a level", (int)level);
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    ki_log_message_list(context, level, format, arguments);
    va_end(arguments);
}

kith_result kith_fail(kith_world *world, kith_result result, const char *message)
{
    KI_TRY(ki_world_require_owner(world, "kith_fail"));
    return ki_fail(&world->store.context, result, "%s", message == NULL ? "" : message);
}

kith_result kith_misuse(const kith_world *world, const char *message)
{
    return ki_misuse(world == NULL ? NULL : &world->store.context, "%s",
                     message == NULL ? "kith_misuse: the message is NULL" : message);
}

kith_result kith_require_owner(const kith_world *world, const char *call)
{
    if (KI_CHECKED && call == NULL) {
        return ki_misuse(ki_world_error_context(world),
                         "kith_require_owner: the name of the call is NULL");
    }
    KI_TRY(ki_world_require_owner(world, call));
    return KITH_OK;
}

kith_result kith_require_change(kith_world *world, const char *call)
{
    if (KI_CHECKED && call == NULL) {
        return ki_misuse(ki_world_error_context(world),
                         "kith_require_change: the name of the call is NULL");
    }
    KI_TRY(ki_world_require_change(world, call));
    return KITH_OK;
}

kith_allocator kith_world_allocator(const kith_world *world)
{
    if (ki_world_require_owner(world, "kith_world_allocator") != KITH_OK) {
        return (kith_allocator){0};
    }
    return ki_guest_allocator(world->guest);
}

kith_random *kith_world_random(kith_world *world)
{
    return ki_world_require_writer(world, "kith_world_random") == KITH_OK ? &world->random : NULL;
}

kith_memory_stats kith_memory(const kith_world *world)
{
    kith_memory_stats none = {0};
    if (ki_world_require_owner(world, "kith_memory") != KITH_OK) {
        return none;
    }
    const ki_store *store = &world->store;
    const ki_heap *heap = &store->context.heap;
    kith_memory_stats stats = {.used = heap->used,
                               .peak = heap->peak,
                               .limit = heap->limit,
                               .texts = ki_texts_reserved(world->texts),
                               .allocations = heap->allocations,
                               .entities = ki_entities_alive(&store->entities),
                               .slots = store->entities.slots,
                               .retired = store->entities.retired,
                               .tables = store->table_count,
                               .types = store->component_count,
                               .text_count = world->texts == NULL ? 0 : world->texts->count};
    for (uint32_t part = 0; part < KI_PART_COUNT; part++) {
        const ki_attachment_calls *calls = world->parts[part].calls;
        if (calls != NULL && calls->count != NULL) {
            calls->count(world->parts[part].data, &stats);
        }
    }
    return stats;
}

bool ki_world_lets_call(const kith_world *world)
{
    return world != NULL && ki_context_enter(&world->store.context);
}

bool ki_world_lets_change(const kith_world *world)
{
    return ki_world_lets_call(world) && ki_world_is_unlocked(world);
}

bool ki_world_lets_read(const kith_world *world)
{
    return ki_world_lets_call(world) ||
           (world != NULL && ki_context_inside(&world->store.context) != NULL &&
            kith_thread_.inside->key != NULL);
}

const char *ki_world_busy(const kith_world *world)
{
    const char *busy = NULL;
    for (uint32_t part = 0; part < KI_PART_COUNT && busy == NULL; part++) {
        const ki_attachment *at = &world->parts[part];
        busy = at->calls != NULL && at->calls->busy != NULL ? at->calls->busy(at->data) : NULL;
    }
    return busy;
}

kith_result ki_reject_world(const kith_world *world, const char *call)
{
    return world == NULL ? ki_misuse(NULL, "%s: the world is NULL", call)
                         : ki_reject_thread(&world->store.context, call, "");
}

/* Whether commands can do the same as a call. */
static bool world_queues(const char *call)
{
    static const char *const queued[] = {
        "kith_spawn",        "kith_spawn_empty", "kith_spawn_many", "kith_clone", "kith_despawn",
        "kith_despawn_many", "kith_set",         "kith_set_values", "kith_add",   "kith_set_bytes",
        "kith_remove",       "kith_remove_all",  "kith_set_parent",
    };
    uint32_t i = 0;
    while (i < sizeof queued / sizeof queued[0] && strcmp(queued[i], call) != 0) {
        i++;
    }
    return i < sizeof queued / sizeof queued[0];
}

kith_result ki_reject_change(const kith_world *world, const char *call)
{
    KI_TRY(ki_world_require_writer(world, call));
    if (world_queues(call)) {
        char where[256];
        ki_query_print_open(&world->store, NULL, where, sizeof where);
        return ki_misuse(
            &world->store.context,
            "%s: the world is being iterated (%s); queue it on a kith_commands (in a system"
            " it->commands), or do it when the loop has ended (kith_iter_close)",
            call, where);
    }
    return world_reject_open(world, call);
}

kith_result ki_reject_view(const kith_world *world, const char *call)
{
    return ki_misuse(&world->store.context,
                     "%s: the world is a view of a snapshot, which is only read; change the world"
                     " that the snapshot is of",
                     call);
}

bool ki_world_knows(const void *context, uint32_t number)
{
    return ki_world_numbered(context, number) != NULL;
}

ki_component *ki_world_component_slow(const kith_world *world, const kith_type *type)
{
    uint32_t number = ki_register_number_slow(type);
    return ki_world_numbered(world, number); /* nothing has number 0 */
}

kith_result ki_reject_type(const kith_world *world, const char *call, const kith_type *type)
{
    if (type == NULL) {
        return ki_misuse(&world->store.context, "%s: the type is NULL", call);
    }
    const char *name = type->name == NULL ? "(null)" : type->name;
    const kith_type *other = ki_register_find_name(name, ki_world_knows, world);
    if (other != NULL) {
        char difference[256];
        ki_type_difference(other, type, difference, sizeof difference);
        return ki_misuse(&world->store.context,
                         "%s: this world's '%s' is another type than the one that was passed: %s",
                         call, name, difference);
    }
    return ki_misuse(&world->store.context,
                     "%s: '%s' is not registered in this world; register it first, by "
                     "kith_register or KITH_TYPES, in C++ register_types",
                     call, name);
}

kith_result ki_world_check_bytes(const kith_world *world, const char *call,
                                 const ki_component *component, const void *bytes, size_t size)
{
    const kith_type *type = component->type;
    if (size != type->size || (bytes == NULL && size != 0)) {
        return ki_fail(ki_world_context(world), KITH_ERR_TYPE, "%s: %s has %u bytes, not %zu%s",
                       call, type->name, type->size, size, bytes == NULL ? " at NULL" : "");
    }
    return component->hooks == NULL
               ? KITH_OK
               : ki_fail(ki_world_context(world), KITH_ERR_TYPE,
                         "%s: '%s' has hooks: its values are more than their bytes", call,
                         type->name);
}

void kith_world_trim(kith_world *world)
{
    if (ki_world_begin_change(world, "kith_world_trim") != KITH_OK) {
        return;
    }
    for (uint32_t part = 0; part < KI_PART_COUNT; part++) {
        if (world->parts[part].calls != NULL && world->parts[part].calls->trim != NULL) {
            world->parts[part].calls->trim(world, world->parts[part].data);
        }
    }
    ki_store_reclaim(&world->store);
    ki_ranks_free(&world->store.context.heap, &world->tables);
}
