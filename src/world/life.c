/* Makes and frees worlds, and visits all of their columns. */
#include <string.h>

#include "base/hash.h"
#include "query/cursor.h"
#include "store/unique_map.h"
#include "world/bundle.h"
#include "world/world.h"

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

/* Makes room for the entities and types that the definition expects, and the guest for kits. */
static bool world_make_room(kith_world *world, const kith_world_def *def)
{
    ki_store *store = &world->store;
    world->guest = ki_guest_new(&store->context.heap);
    if (world->guest == NULL) {
        return false;
    }
    store->expected_slots = ki_min_u32(def->expected_entities, KI_SLOTS_MAX);
    uint32_t types = ki_min_u32(def->expected_types, KI_COMPONENTS_MAX);
    return ki_column_reserve(&store->columns, &store->entities.records, store->expected_slots) ==
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
    kith_world *world = ki_heap_alloc_zeroed(&heap, sizeof *world, _Alignof(kith_world));
    if (world == NULL) {
        return NULL;
    }
    world->store.context = (ki_context){
        .heap = heap,
        .owner = ki_thread(),
        .on_misuse = def->on_misuse,
        .misuse_context = def->misuse_context,
        .on_log = def->on_log,
        .log_context = def->log_context,
        .log_level = def->log_level == KITH_LOG_DEFAULT ? KITH_LOG_WARNING : def->log_level};
    world->store.context.heap.message = world->store.context.error;
    world->last_bundle = &ki_no_bundle;
    world->last_transition.to.bundle.epoch = KI_NO_EPOCH;
    world->tables.item_size = sizeof(ki_table *);
    world->run = 1;
    world->def = *def;
    world->random.state = ki_hash_u64(KI_HASH_SEED, def->seed);
    ki_store_init(&world->store);
    if (ki_store_make_root(&world->store) != KITH_OK || !world_make_room(world, def)) {
        kith_world_free(world);
        return NULL;
    }
    return world;
}

/* Reports that queries are still open, and closes them if the handler returns. */
static void world_close_queries(kith_world *world)
{
    if (world->store.open == NULL) {
        return;
    }
    char where[256];
    ki_query_print_open(&world->store, NULL, where, sizeof where);
    if (KI_CHECKED) {
        ki_misuse(&world->store.context,
                  "kith_world_free: a query is open (%s); call kith_iter_close when leaving a loop"
                  " early, or kith_queries_close. It is closed, and the world freed",
                  where);
    }
    ki_queries_close(&world->store);
}

static void world_end_column(ki_column *column, void *context)
{
    kith_world *world = context;
    if (column->hooks != NULL) {
        ki_column_free(&world->store.columns, column);
    }
}

/* Destroys all values with hooks, while everything that a hook may try to call is still there. */
static void world_end_values(kith_world *world)
{
    for (uint32_t part = 0; part < KI_PART_COUNT; part++) {
        if (world->parts[part].calls != NULL && world->parts[part].calls->end != NULL) {
            world->parts[part].calls->end(world, world->parts[part].data);
        }
    }
    ki_world_each_column(world, world_end_column, world);
    for (uint32_t i = 0; i < world->store.log_count; i++) {
        ki_change_log_end_values(world->store.logged[i]->change_log);
    }
}

/* Why the world may not be freed yet; NULL: it may. */
static const char *world_used(const kith_world *world)
{
    const char *used = NULL;
    for (uint32_t part = 0; part < KI_PART_COUNT && used == NULL; part++) {
        const ki_attachment *at = &world->parts[part];
        used = at->calls != NULL && at->calls->used != NULL ? at->calls->used(at->data) : NULL;
    }
    return used;
}

void kith_world_free(kith_world *world)
{
    if (world == NULL) {
        return;
    }
    if (ki_world_require_owner(world, "kith_world_free") != KITH_OK) {
        return;
    }
    const char *busy = ki_world_busy(world);
    const char *holder = busy != NULL ? busy : ki_query_holder(&world->store);
    if (KI_CHECKED && holder != NULL) {
        ki_misuse(&world->store.context,
                  "kith_world_free: %s is under way; call it when that has returned", holder);
        return;
    }
    const char *used = world_used(world);
    if (KI_CHECKED && used != NULL) {
        ki_misuse(&world->store.context, "kith_world_free: %s", used);
        return;
    }
    world_close_queries(world);
    world_end_values(world);
    ki_namers_release(world);
    for (uint32_t part = 0; part < KI_PART_COUNT; part++) {
        if (world->parts[part].calls != NULL) {
            world->parts[part].calls->free(world, world->parts[part].data);
        }
    }
    ki_queries_free(&world->store);
    ki_uniques_end(&world->store);
    ki_events_free(world);
    ki_resources_free(world);
    ki_texts_free(&world->store.columns, world->texts);
    ki_store_free(&world->store);
    ki_context_set_owner(&world->store.context, NULL);
    ki_guest_end(world->guest);
    ki_heap heap = world->store.context.heap;
    const struct kith_known_ known = world->store.context.known;
    ki_heap_free(&heap, known.places, known.count * sizeof *known.places, _Alignof(max_align_t));
    ki_heap_free(&heap, world->bundles, KI_BUNDLE_CACHE * sizeof *world->bundles,
                 _Alignof(ki_cached_bundle));
    ki_ranks_free(&heap, &world->tables);
    ki_heap_free(&heap, world, sizeof *world, _Alignof(kith_world));
}
