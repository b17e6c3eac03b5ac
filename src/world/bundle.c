#include "world/bundle.h"
#include "world/first_use.h"

const ki_bundle ki_no_bundle = {.epoch = KI_NO_EPOCH};

void ki_bundle_free(kith_world *world, ki_bundle *own)
{
    ki_heap_free(&world->store.context.heap, own->entries, own->count * sizeof *own->entries,
                 _Alignof(ki_bundle_entry));
}

kith_result ki_bundle_resolve(kith_world *world, const char *call, const kith_type *const *types,
                              size_t stride, uint32_t count, ki_bundle_entry *entries, bool *hooked)
{
    bool any = false;
    uint64_t naming = ki_store_begin_names(&world->store);
    for (uint32_t i = 0; i < count; i++) {
        const kith_type *type = ki_bundle_type(types, stride, i);
        ki_component *component = ki_world_known(world, type);
        if (component == NULL) {
            KI_TRY(ki_world_use_to_change(world, call, type, &component));
        }
        if (!ki_component_name(component, naming)) {
            return ki_fail(&world->store.context, KITH_ERR_CONFLICT, "%s: '%s' is named twice",
                           call, type->name);
        }
        entries[i] = (ki_bundle_entry){component, NULL, ki_type_number(component->type)};
        any |= component->hooks != NULL;
    }
    *hooked = any;
    return KITH_OK;
}

kith_result ki_bundle_target(ki_store *store, const ki_table *from, const ki_bundle_entry *entries,
                             uint32_t count, ki_table **to)
{
    uint32_t *changes = ki_store_ids(store, count);
    if (changes == NULL) {
        return KITH_ERR_MEMORY;
    }
    uint32_t added = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (entries[i].component->layout == KITH_TABLE) {
            changes[added++] = ki_id_added(entries[i].component->id);
        }
    }
    return ki_store_target(store, from, added, to);
}

void ki_bundle_place(ki_bundle *bundle)
{
    bundle->storage_count = 0;
    bundle->guarded = false;
    for (uint32_t i = 0; i < bundle->count; i++) {
        ki_bundle_entry *entry = &bundle->entries[i];
        bundle->guarded |= entry->component->guarded;
        if (entry->component->layout == KITH_TABLE) {
            entry->column = ki_table_column(bundle->table, entry->component->id);
        } else {
            bundle->storage_count++;
        }
    }
    bundle->simple = bundle->storage_count == 0 && !bundle->guarded && bundle->table->rows.simple;
}

static kith_result bundle_fill(kith_world *world, const char *call, const kith_type *const *types,
                               size_t stride, uint32_t count, ki_bundle *bundle)
{
    KI_TRY(ki_bundle_resolve(world, call, types, stride, count, bundle->entries, &bundle->hooked));
    KI_TRY(
        ki_bundle_target(&world->store, world->store.root, bundle->entries, count, &bundle->table));
    bundle->count = count;
    bundle->epoch = world->store.table_epoch;
    ki_bundle_place(bundle);
    return KITH_OK;
}

/* Makes the cache of bundles, when the first bundle needs it: many worlds have none. */
static kith_result bundle_make_places(kith_world *world)
{
    ki_cached_bundle *bundles = ki_heap_alloc_zeroed(
        &world->store.context.heap, KI_BUNDLE_CACHE * sizeof *bundles, _Alignof(ki_cached_bundle));
    if (bundles == NULL) {
        return KITH_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < KI_BUNDLE_CACHE; i++) {
        bundles[i].bundle.epoch = KI_NO_EPOCH;
    }
    world->bundles = bundles;
    return KITH_OK;
}

/* The place in the cache for the bundle of a list. */
static ki_cached_bundle *bundle_place(kith_world *world, const kith_type *const *types,
                                      size_t stride, uint32_t count)
{
    uint32_t key = count;
    if (count != 0) {
        key +=
            ki_bundle_number(types, stride, 0) * 3 + ki_bundle_number(types, stride, count - 1) * 5;
    }
    return &world->bundles[key % KI_BUNDLE_CACHE];
}

void ki_bundles_forget(kith_world *world)
{
    for (uint32_t i = 0; world->bundles != NULL && i < KI_BUNDLE_CACHE; i++) {
        world->bundles[i].bundle.epoch = KI_NO_EPOCH;
    }
    world->last_bundle = &ki_no_bundle;
    world->last_transition.to.bundle.epoch = KI_NO_EPOCH;
}

const ki_bundle *ki_bundle_search(kith_world *world, const kith_type *const *types, size_t stride,
                                  uint32_t count)
{
    if (world->bundles == NULL) {
        return NULL;
    }
    const ki_bundle *bundle = &bundle_place(world, types, stride, count)->bundle;
    if (!ki_bundle_fits(world, bundle, types, stride, count)) {
        return NULL;
    }
    world->last_bundle = bundle;
    return bundle;
}

kith_result ki_bundle_make(kith_world *world, const char *call, const kith_type *const *types,
                           size_t stride, uint32_t count, ki_bundle *own, const ki_bundle **bundle)
{
    if (count > KI_BUNDLE_INLINE) {
        own->entries = ki_heap_alloc(&world->store.context.heap, count * sizeof *own->entries,
                                     _Alignof(ki_bundle_entry));
        if (own->entries == NULL) {
            return KITH_ERR_MEMORY;
        }
        own->count = count;
        *bundle = own;
        return bundle_fill(world, call, types, stride, count, own);
    }
    if (world->bundles == NULL) {
        KI_TRY(bundle_make_places(world));
    }
    ki_cached_bundle *cached = bundle_place(world, types, stride, count);
    *bundle = &cached->bundle;
    cached->bundle = (ki_bundle){.epoch = KI_NO_EPOCH, .entries = cached->entries};
    return bundle_fill(world, call, types, stride, count, &cached->bundle);
}
