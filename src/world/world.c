#include <string.h>

#include "world/world.h"

#include "query/query.h"

/* Room for what the host expects. */
KI_RARE static bool world_make_room(kith_world *world, const kith_world_def *def)
{
    ki_store *store = &world->store;
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
                                        .may_change = ki_thread(),
                                        .on_misuse = def->on_misuse,
                                        .misuse_context = def->misuse_context};
    for (uint32_t i = 0; i < KI_PLAN_CACHE; i++) {
        world->plans[i].plan.epoch = KI_NO_EPOCH;
    }
    world->last_plan = &world->plans[0].plan;
    world->several.to.plan.epoch = KI_NO_EPOCH;
    world->seed = def->seed;
    world->conflicts = def->conflicts;
    world->on_warning = def->on_warning;
    world->warning_context = def->warning_context;
    if (ki_store_init(&world->store) != KITH_OK || !world_make_room(world, def)) {
        kith_world_free(world);
        return NULL;
    }
    return world;
}

KI_RARE void kith_world_free(kith_world *world)
{
    if (world == NULL) {
        return;
    }
    KI_REQUIRE_CHANGE(world, "kith_world_free", );
    KITH_REQUIRE(&world->store.context, !world->running, ,
                 "kith_world_free: kith_run is under way; call it when that has returned");
    KITH_REQUIRE(&world->store.context, !world->observing, ,
                 "kith_world_free: observers are being called; call it when they have returned");
    for (uint32_t part = 0; part < KI_PART_COUNT; part++) {
        if (world->parts[part].calls != NULL) {
            world->parts[part].calls->free(world, world->parts[part].data);
        }
    }
    ki_queries_free(&world->store);
    ki_events_free(world);
    ki_resources_free(world);
    ki_texts_free(&world->store.context.heap, &world->texts);
    ki_store_free(&world->store);
    ki_heap heap = world->store.context.heap;
    ki_heap_give(&heap, world->by_number, world->by_number_capacity * sizeof *world->by_number,
                 _Alignof(max_align_t));
    ki_heap_give(&heap, world->sorted_tables, world->sorted_capacity * sizeof *world->sorted_tables,
                 _Alignof(max_align_t));
    ki_heap_give(&heap, world, sizeof *world, _Alignof(kith_world));
}

KI_RARE void kith_world_yield(kith_world *world)
{
    KI_REQUIRE_CHANGE(world, "kith_world_yield", );
    KITH_REQUIRE(&world->store.context, !world->running, ,
                 "kith_world_yield: kith_run is under way; call it when that has returned");
    KITH_REQUIRE(&world->store.context, !world->observing, ,
                 "kith_world_yield: observers are being called; call it when they have returned");
    world->store.context.may_change = NULL;
    __atomic_store_n(&world->store.context.owner, NULL, __ATOMIC_RELAXED);
}

KI_RARE void kith_world_claim(kith_world *world)
{
    KI_REQUIRE_WORLD(world, "kith_world_claim", );
    ki_context *context = &world->store.context;
    if (context->owner == ki_thread()) {
        return;
    }
    if (context->owner != NULL && (context->closed || context->hook != NULL)) {
        ki_refuse_thread(context, "kith_world_claim");
        return;
    }
    KITH_REQUIRE(
        context, context->owner == NULL, ,
        "kith_world_claim: another thread owns the world; it has to call kith_world_yield first");
    __atomic_store_n(&context->owner, ki_thread(), __ATOMIC_RELAXED);
    context->may_change = ki_thread();
}

const char *kith_error(const kith_world *world)
{
    KI_REQUIRE_WORLD(world, "kith_error", "");
    return world->store.context.error;
}

KI_COLD kith_result kith_misuse(const kith_world *world, const char *message)
{
    return ki_misuse(world == NULL ? NULL : &world->store.context, "%s",
                     message == NULL ? "kith_misuse: the message is NULL" : message);
}

KI_RARE kith_result kith_require_change(kith_world *world, const char *call)
{
    KITH_REQUIRE(ki_world_judge(world), call != NULL, KITH_ERR_MISUSE,
                 "kith_require_change: the name of the call is NULL");
    KI_REQUIRE_CHANGE(world, call, KITH_ERR_MISUSE);
    return KITH_OK;
}

KI_RARE kith_allocator kith_world_allocator(const kith_world *world)
{
    KI_REQUIRE_WORLD(world, "kith_world_allocator", (kith_allocator){0});
    return world->store.context.heap.allocator;
}

KI_RARE kith_memory_stats kith_memory(const kith_world *world)
{
    kith_memory_stats none = {0};
    KI_REQUIRE_OPEN(world, "kith_memory", none);
    const ki_store *store = &world->store;
    const ki_heap *heap = &store->context.heap;
    kith_memory_stats stats = {.used = heap->used,
                               .peak = heap->peak,
                               .limit = heap->limit,
                               .texts = ki_texts_reserved(&world->texts),
                               .allocations = heap->allocations,
                               .entities = ki_entities_alive(&store->entities),
                               .slots = store->entities.slots,
                               .retired = store->entities.retired,
                               .tables = store->table_count,
                               .types = store->component_count,
                               .text_count = world->texts.count};
    for (uint32_t part = 0; part < KI_PART_COUNT; part++) {
        const ki_attachment_calls *calls = world->parts[part].calls;
        if (calls != NULL && calls->count != NULL) {
            calls->count(world->parts[part].data, &stats);
        }
    }
    return stats;
}

kith_result ki_refuse_world(const kith_world *world, const char *call)
{
    return world == NULL ? ki_misuse(NULL, "%s: the world is NULL", call)
                         : ki_refuse_thread(&world->store.context, call);
}

/* Whether there is a kith_queue_... for a call. */
KI_RARE static bool world_queues(const char *call)
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

KI_RARE kith_result ki_refuse_change(const kith_world *world, const char *call)
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
    return ki_misuse(&world->store.context,
                     "%s: '%s' is not registered in this world; call kith_register first", call,
                     name);
}

ki_component *ki_world_require_component_slow(const kith_world *world, const char *call,
                                              const kith_type *type)
{
    bool closed = world->store.context.closed;
    ki_component *component = type == NULL || closed ? NULL : ki_world_component_slow(world, type);
    if (component == NULL && closed && type != NULL) {
        ki_refuse_thread(&world->store.context, call);
    } else if (component == NULL) {
        ki_refuse_type(world, call, type);
    }
    return component;
}

kith_result ki_world_bytes_of(const kith_world *world, const char *call, const kith_type *type,
                              const void *bytes, size_t size, ki_component **component)
{
    ki_component *found = type == NULL ? NULL : ki_world_component(world, type);
    if (found == NULL) {
        return KITH_ERR_UNKNOWN;
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

KI_RARE void kith_reclaim(kith_world *world)
{
    KI_BEGIN_CHANGE(world, "kith_reclaim", );
    ki_store_reclaim(&world->store);
    ki_heap_give(&world->store.context.heap, world->sorted_tables,
                 world->sorted_capacity * sizeof *world->sorted_tables, _Alignof(max_align_t));
    world->sorted_tables = NULL;
    world->sorted_capacity = 0;
    world->sorted_count = 0;
}

ki_kept *ki_kept_find(ki_kept *const *list, uint32_t count, const kith_type *type)
{
    uint32_t number = ki_type_number_found(type);
    for (uint32_t i = 0; number != 0 && i < count; i++) {
        if (list[i]->number == number) {
            return list[i];
        }
    }
    return NULL;
}

KI_RARE void ki_world_each_column(kith_world *world,
                                  void (*visit)(ki_column *column, void *context), void *context)
{
    ki_store_each_column(&world->store, visit, context);
    for (uint32_t i = 0; i < world->resource_count; i++) {
        visit(&world->resources[i]->values, context);
    }
    for (uint32_t i = 0; i < world->queue_count; i++) {
        visit(&world->queues[i]->values, context);
    }
}
