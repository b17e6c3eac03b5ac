#include "system/use.h"

#include "store/kept_values.h"
#include "store/register.h"
#include "system/system_state.h"

const char *ki_use_kind_name(ki_use_kind kind)
{
    return kind == KI_USE_COMPONENT ? "component" : kind == KI_USE_RESOURCE ? "resource" : "event";
}

const ki_use *ki_use_find(const ki_system *system, ki_use_kind kind, const kith_type *type)
{
    uint32_t number = ki_type_number_found(type);
    for (uint32_t i = 0; i < system->use_count; i++) {
        if (system->uses[i].number == number && system->uses[i].kind == kind) {
            return &system->uses[i];
        }
    }
    return NULL;
}

kith_result ki_uses_keep(kith_world *world, ki_system *system)
{
    for (uint32_t i = 0; i < system->use_count; i++) {
        const ki_use *use = &system->uses[i];
        if (use->kept != NULL) {
            KI_TRY(ki_kept_values_take(&world->store, ki_world_component(world, use->type),
                                       use->kept));
        }
    }
    return KITH_OK;
}

void ki_uses_let_go(kith_world *world, ki_system *system)
{
    for (uint32_t i = 0; i < system->use_count; i++) {
        const ki_use *use = &system->uses[i];
        if (use->kept != NULL && use->kept->blocks != NULL) {
            ki_kept_values_release(&world->store, ki_world_component(world, use->type), use->kept);
        }
    }
}

void ki_uses_free(ki_heap *heap, ki_system *system)
{
    for (uint32_t i = 0; i < system->use_count; i++) {
        if (system->uses[i].kept != NULL) {
            ki_kept_values_free(heap, system->uses[i].kept);
            ki_heap_free(heap, system->uses[i].kept, sizeof(ki_kept_values),
                         _Alignof(ki_kept_values));
        }
    }
    ki_heap_free(heap, system->uses, system->use_count * sizeof *system->uses, _Alignof(ki_use));
}

static uint64_t thing_key(ki_use_kind kind, uint32_t number)
{
    return (uint64_t)number << 2 | (uint64_t)kind;
}

ki_thing *ki_thing_make(ki_heap *heap, ki_things *things, ki_use_kind kind, uint32_t number)
{
    ki_thing *thing = ki_map_find(&things->by_key, thing_key(kind, number));
    if (thing != NULL || ki_map_reserve(heap, &things->by_key) != KITH_OK) {
        return thing;
    }
    thing = ki_heap_alloc_zeroed(heap, sizeof *thing, _Alignof(ki_thing));
    if (thing != NULL) {
        ki_map_insert(&things->by_key, thing_key(kind, number), thing);
    }
    return thing;
}

void ki_things_free(ki_heap *heap, ki_things *things)
{
    for (uint32_t i = 0; i < things->by_key.capacity; i++) {
        ki_heap_free(heap, things->by_key.slots[i].item, sizeof(ki_thing), _Alignof(ki_thing));
    }
    ki_map_free(heap, &things->by_key);
}

/* Links the uses of one system to those that this pass has met. */
static void use_link(ki_things *things, ki_system *system, int side)
{
    for (uint32_t i = 0; i <= system->use_count; i++) {
        ki_use *use = ki_system_use_at(system, i);
        ki_thing *thing = ki_thing_now(things, use->thing);
        use->readers[side] = thing->reader;
        use->writers[side] = thing->writer;
        thing->reader = ki_use_reads(use) ? use : thing->reader;
        thing->writer = ki_use_writes(use) ? use : thing->writer;
    }
}

void ki_uses_link(ki_systems *systems, ki_system *const *order, bool by_priority)
{
    for (int side = KI_BEFORE; side <= KI_AFTER; side++) {
        const ki_system *last = NULL;
        for (uint32_t i = 0; i < systems->count; i++) {
            ki_system *system = order[side == KI_BEFORE ? i : systems->count - 1 - i];
            bool separate = last == NULL || last->phase != system->phase ||
                            (by_priority && last->priority != system->priority);
            systems->things.round += separate;
            use_link(&systems->things, system, side);
            last = system;
        }
    }
}
