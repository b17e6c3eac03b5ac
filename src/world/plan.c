#include "world/plan.h"

const ki_plan ki_no_plan = {.epoch = KI_NO_EPOCH};

void ki_plan_free(kith_world *world, ki_plan *own)
{
    ki_heap_give(&world->store.context.heap, own->entries, own->count * sizeof *own->entries,
                 _Alignof(ki_plan_entry));
}

kith_result ki_plan_resolve(kith_world *world, const char *call, const kith_type *const *types,
                            size_t stride, uint32_t count, ki_plan_entry *entries, bool *hooked)
{
    bool any = false;
    uint64_t naming = ki_store_begin_names(&world->store);
    for (uint32_t i = 0; i < count; i++) {
        const kith_type *type = ki_plan_type(types, stride, i);
        ki_component *component = ki_world_require_component(world, call, type);
        if (component == NULL) {
            return KITH_ERR_MISUSE;
        }
        if (!ki_component_name(component, naming)) {
            return ki_fail(&world->store.context, KITH_ERR_CONFLICT, "%s: '%s' is named twice",
                           call, type->name);
        }
        entries[i] = (ki_plan_entry){component, NULL, ki_type_number(component->type)};
        any |= component->hooks != NULL;
    }
    *hooked = any;
    return KITH_OK;
}

kith_result ki_plan_target(ki_store *store, const ki_table *from, const ki_plan_entry *entries,
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

void ki_plan_place(ki_plan *plan)
{
    plan->other_count = 0;
    for (uint32_t i = 0; i < plan->count; i++) {
        ki_plan_entry *entry = &plan->entries[i];
        if (entry->component->layout == KITH_TABLE) {
            entry->column = ki_table_column(plan->table, entry->component->id);
        } else {
            plan->other_count++;
        }
    }
    plan->simple = plan->other_count == 0 && plan->table->rows.simple;
}

static kith_result plan_fill(kith_world *world, const char *call, const kith_type *const *types,
                             size_t stride, uint32_t count, ki_plan *plan)
{
    KI_TRY(ki_plan_resolve(world, call, types, stride, count, plan->entries, &plan->hooked));
    KI_TRY(ki_plan_target(&world->store, world->store.root, plan->entries, count, &plan->table));
    plan->count = count;
    plan->epoch = world->store.table_epoch;
    ki_plan_place(plan);
    return KITH_OK;
}

/* Makes the cache of plans, when the first plan needs it: many worlds have none. */
KI_RARE static kith_result plan_make_places(kith_world *world)
{
    ki_cached_plan *plans = ki_heap_take_zeroed(
        &world->store.context.heap, KI_PLAN_CACHE * sizeof *plans, _Alignof(ki_cached_plan));
    if (plans == NULL) {
        return KITH_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < KI_PLAN_CACHE; i++) {
        plans[i].plan.epoch = KI_NO_EPOCH;
    }
    world->plans = plans;
    return KITH_OK;
}

/* The place in the cache for the plan of a list. */
static ki_cached_plan *plan_place(kith_world *world, const kith_type *const *types, size_t stride,
                                  uint32_t count)
{
    uint32_t key = count;
    if (count != 0) {
        key += ki_plan_number(types, stride, 0) * 3 + ki_plan_number(types, stride, count - 1) * 5;
    }
    return &world->plans[key % KI_PLAN_CACHE];
}

const ki_plan *ki_plan_search(kith_world *world, const kith_type *const *types, size_t stride,
                              uint32_t count)
{
    if (world->plans == NULL) {
        return NULL;
    }
    const ki_plan *plan = &plan_place(world, types, stride, count)->plan;
    if (!ki_plan_fits(world, plan, types, stride, count)) {
        return NULL;
    }
    world->last_plan = plan;
    return plan;
}

kith_result ki_plan_make(kith_world *world, const char *call, const kith_type *const *types,
                         size_t stride, uint32_t count, ki_plan *own, const ki_plan **plan)
{
    if (count > KI_PLAN_INLINE) {
        own->entries = ki_heap_take(&world->store.context.heap, count * sizeof *own->entries,
                                    _Alignof(ki_plan_entry));
        if (own->entries == NULL) {
            return KITH_ERR_MEMORY;
        }
        own->count = count;
        *plan = own;
        return plan_fill(world, call, types, stride, count, own);
    }
    if (world->plans == NULL) {
        KI_TRY(plan_make_places(world));
    }
    ki_cached_plan *cached = plan_place(world, types, stride, count);
    *plan = &cached->plan;
    cached->plan = (ki_plan){.epoch = KI_NO_EPOCH, .entries = cached->entries};
    return plan_fill(world, call, types, stride, count, &cached->plan);
}
