#include <string.h>

#include "world/world.h"

#include "base/hash.h"
#include "query/cursor.h"
#include "world/plan.h"

/* Room for what kits will take, and for what the host expects. */
static bool world_make_room(kith_world *world, const kith_world_def *def)
{
    ki_store *store = &world->store;
    world->guest = ki_guest_new(&store->context.heap);
    if (world->guest == NULL) {
        return false;
    }
    store->expected_slots = ki_min_u32(def->expected_entities, KI_SLOTS_MAX);
    uint32_t types = ki_min_u32(def->expected_types, KI_COMPONENTS_MAX);
    return ki_column_reserve(&store->space, &store->entities.records, store->expected_slots) ==
               KITH_OK &&
           ki_heap_grow(&store->context.heap, &store->components, &store->component_capacity, types,
                        sizeof *store->components, 8) == KITH_OK;
}

kith_world *kith_world_new(const kith_world_def *def)
{
    static const kith_world_def defaults;
    def = def == NULL ? &defaults : def;
    ki_heap heap;
    if (!ki_heap_init(&heap, &def->allocator, def->memory_limit)) {
        return NULL;
    }
    kith_world *world = ki_heap_take_zeroed(&heap, sizeof *world, _Alignof(kith_world));
    if (world == NULL) {
        return NULL;
    }
    world->store.context = (ki_context){.heap = heap,
                                        .owner = ki_thread(),
                                        .on_misuse = def->on_misuse,
                                        .misuse_context = def->misuse_context};
    world->store.context.heap.told = world->store.context.error;
    world->last_plan = &ki_no_plan;
    world->several.to.plan.epoch = KI_NO_EPOCH;
    world->tables.item_size = sizeof(ki_table *);
    world->seed = def->seed;
    world->conflicts = def->conflicts;
    world->on_warning = def->on_warning;
    world->warning_context = def->warning_context;
    ki_store_init(&world->store);
    if (ki_store_make_root(&world->store) != KITH_OK || !world_make_room(world, def)) {
        kith_world_free(world);
        return NULL;
    }
    return world;
}

/* Closes what nobody can close any more, where that is told and the handler returns. */
static void world_close_queries(kith_world *world)
{
    if (world->store.open == NULL) {
        return;
    }
    char where[256];
    ki_query_print_open(&world->store, NULL, where, sizeof where);
    if (KI_CHECKED) {
        ki_misuse(&world->store.context,
                  "kith_world_free: a query is open (%s); call kith_iter_end when leaving a loop"
                  " early, or kith_queries_close. It is closed, and the world freed",
                  where);
    }
    ki_queries_close(&world->store);
}

static void world_end_column(ki_column *column, void *context)
{
    kith_world *world = context;
    if (column->hooks != NULL) {
        ki_column_free(&world->store.space, column);
    }
}

/* Ends all values with hooks, while there is still all that their hooks may try to call. */
static void world_end_values(kith_world *world)
{
    for (uint32_t part = 0; part < KI_PART_COUNT; part++) {
        if (world->parts[part].calls != NULL && world->parts[part].calls->end != NULL) {
            world->parts[part].calls->end(world->parts[part].data);
        }
    }
    ki_world_each_column(world, world_end_column, world);
    for (uint32_t i = 0; i < world->store.track_count; i++) {
        ki_track_end_values(world->store.tracked[i]->track);
    }
}

void kith_world_free(kith_world *world)
{
    if (world == NULL) {
        return;
    }
    KI_REQUIRE_OWNER(world, "kith_world_free", );
    const char *holder = world->running ? "kith_run" : ki_query_holder(&world->store);
    KITH_REQUIRE(&world->store.context, holder == NULL, ,
                 "kith_world_free: %s is under way; call it when that has returned", holder);
    KITH_REQUIRE(&world->store.context, !world->observing, ,
                 "kith_world_free: observers are being called; call it when they have returned");
    world_close_queries(world);
    world_end_values(world);
    for (uint32_t part = 0; part < KI_PART_COUNT; part++) {
        if (world->parts[part].calls != NULL) {
            world->parts[part].calls->free(world, world->parts[part].data);
        }
    }
    ki_queries_free(&world->store);
    ki_events_free(world);
    ki_resources_free(world);
    ki_texts_free(&world->store.space, world->texts);
    ki_store_free(&world->store);
    ki_context_set_owner(&world->store.context, NULL);
    ki_guest_end(world->guest);
    ki_heap heap = world->store.context.heap;
    ki_heap_give(&heap, world->by_number, world->by_number_capacity * sizeof *world->by_number,
                 _Alignof(max_align_t));
    ki_heap_give(&heap, world->plans, KI_PLAN_CACHE * sizeof *world->plans,
                 _Alignof(ki_cached_plan));
    ki_ranks_free(&heap, &world->tables);
    ki_heap_give(&heap, world, sizeof *world, _Alignof(kith_world));
}

void kith_world_yield(kith_world *world)
{
    KI_REQUIRE_CHANGE(world, "kith_world_yield", );
    KITH_REQUIRE(&world->store.context, !world->running, ,
                 "kith_world_yield: kith_run is under way; call it when that has returned");
    KITH_REQUIRE(&world->store.context, !world->observing, ,
                 "kith_world_yield: observers are being called; call it when they have returned");
    ki_context_set_owner(&world->store.context, NULL);
}

void kith_world_claim(kith_world *world)
{
    if (KI_CHECKED && world == NULL) {
        ki_refuse_world(world, "kith_world_claim");
        return;
    }
    ki_context *context = &world->store.context;
    const void *owner = ki_context_owner(context);
    if (owner == ki_thread()) {
        return;
    }
    if (ki_context_inside(context) != NULL) {
        ki_refuse_thread(context, "kith_world_claim", "");
        return;
    }
    KITH_REQUIRE(
        context, owner == NULL, ,
        "kith_world_claim: another thread owns the world; it has to call kith_world_yield first");
    ki_context_set_owner(context, ki_thread());
}

const char *kith_error(const kith_world *world)
{
    KI_REQUIRE_READER(world, "kith_error", "");
    return world->store.context.error;
}

kith_result kith_fail(kith_world *world, kith_result result, const char *message)
{
    KI_REQUIRE_OWNER(world, "kith_fail", KITH_ERR_MISUSE);
    return ki_fail(&world->store.context, result, "%s", message == NULL ? "" : message);
}

kith_result kith_misuse(const kith_world *world, const char *message)
{
    return ki_misuse(world == NULL ? NULL : &world->store.context, "%s",
                     message == NULL ? "kith_misuse: the message is NULL" : message);
}

kith_result kith_require_owner(const kith_world *world, const char *call)
{
    KITH_REQUIRE(ki_world_judge(world), call != NULL, KITH_ERR_MISUSE,
                 "kith_require_owner: the name of the call is NULL");
    KI_REQUIRE_OWNER(world, call, KITH_ERR_MISUSE);
    return KITH_OK;
}

kith_result kith_require_change(kith_world *world, const char *call)
{
    KITH_REQUIRE(ki_world_judge(world), call != NULL, KITH_ERR_MISUSE,
                 "kith_require_change: the name of the call is NULL");
    KI_REQUIRE_CHANGE(world, call, KITH_ERR_MISUSE);
    return KITH_OK;
}

kith_allocator kith_world_allocator(const kith_world *world)
{
    KI_REQUIRE_OWNER(world, "kith_world_allocator", (kith_allocator){0});
    return ki_guest_allocator(world->guest);
}

kith_memory_stats kith_memory(const kith_world *world)
{
    kith_memory_stats none = {0};
    KI_REQUIRE_OWNER(world, "kith_memory", none);
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
            ki_this_thread.inside->task != NULL);
}

kith_result ki_refuse_world(const kith_world *world, const char *call)
{
    return world == NULL ? ki_misuse(NULL, "%s: the world is NULL", call)
                         : ki_refuse_thread(&world->store.context, call, "");
}

/* Whether there is a kith_queue_... for a call. */
static bool world_queues(const char *call)
{
    static const char *const queued[] = {
        "kith_spawn",   "kith_spawn_empty",  "kith_spawn_many", "kith_clone",
        "kith_despawn", "kith_despawn_many", "kith_set",        "kith_set_several",
        "kith_add",     "kith_set_bytes",    "kith_remove",     "kith_clear",
    };
    uint32_t i = 0;
    while (i < sizeof queued / sizeof queued[0] && strcmp(queued[i], call) != 0) {
        i++;
    }
    return i < sizeof queued / sizeof queued[0];
}

kith_result ki_refuse_change(const kith_world *world, const char *call)
{
    KI_REQUIRE_OWNER(world, call, KITH_ERR_MISUSE);
    char where[256];
    ki_query_print_open(&world->store, NULL, where, sizeof where);
    if (world_queues(call)) {
        return ki_misuse(
            &world->store.context,
            "%s: the world is being iterated (%s); queue it on a kith_commands (in a system"
            " it->commands), or do it when the loop has ended (kith_iter_end)",
            call, where);
    }
    return ki_misuse(&world->store.context,
                     "%s: the world is being iterated (%s); do it when the loop has ended"
                     " (kith_iter_end)",
                     call, where);
}

kith_result ki_refuse_type(const kith_world *world, const char *call, const kith_type *type)
{
    if (type == NULL) {
        return ki_misuse(&world->store.context, "%s: the type is NULL", call);
    }
    const char *name = type->name == NULL ? "(null)" : type->name;
    const kith_type *other = kith_type_find(world, name);
    if (other != NULL) {
        char difference[256];
        ki_type_difference(other, type, difference, sizeof difference);
        return ki_misuse(&world->store.context,
                         "%s: this world's '%s' is another type than the one that was passed: %s",
                         call, name, difference);
    }
    if (world->refused.why[0] != '\0' &&
        world->refused.name == ki_hash_text(KI_HASH_SEED, name)) {
        return ki_misuse(&world->store.context,
                         "%s: '%s' is not registered in this world, since that failed; look at what"
                         " kith_register returns. It told: %s",
                         call, name, world->refused.why);
    }
    return ki_misuse(&world->store.context,
                     "%s: '%s' is not registered in this world; call kith_register first", call,
                     name);
}

ki_component *ki_world_require_component_slow(const kith_world *world, const char *call,
                                              const kith_type *type)
{
    ki_component *component = type == NULL ? NULL : ki_world_component(world, type);
    if (KI_UNLIKELY(component == NULL)) {
        ki_refuse_type(world, call, type);
    }
    return component;
}

kith_result ki_world_bytes_of(const kith_world *world, const char *call, const kith_type *type,
                              const void *bytes, size_t size, ki_component **component)
{
    ki_component *found = type == NULL ? NULL : ki_world_component(world, type);
    if (found == NULL) {
        return ki_untold(&world->store.context.heap, KITH_ERR_UNKNOWN);
    }
    if (size != found->type->size || (bytes == NULL && size != 0)) {
        return ki_fail(ki_world_context(world), KITH_ERR_TYPE, "%s: %s has %u bytes, not %zu%s",
                       call, type->name, found->type->size, size, bytes == NULL ? " at NULL" : "");
    }
    if (found->hooks != NULL) {
        return ki_fail(ki_world_context(world), KITH_ERR_TYPE,
                       "%s: '%s' has hooks: its values are more than their bytes", call,
                       type->name);
    }
    *component = found;
    return KITH_OK;
}

void kith_reclaim(kith_world *world)
{
    KI_BEGIN_CHANGE(world, "kith_reclaim", );
    ki_store_reclaim(&world->store);
    ki_ranks_free(&world->store.context.heap, &world->tables);
}

void ki_world_each_column(kith_world *world, void (*visit)(ki_column *column, void *context),
                          void *context)
{
    ki_store_each_column(&world->store, visit, context);
    for (uint32_t i = 0; i < world->resource_count; i++) {
        visit(&world->resources[i]->values, context);
    }
    for (uint32_t i = 0; i < world->queue_count; i++) {
        visit(&world->queues[i]->values, context);
    }
}
