/* What systems use, and which of them use the same. */
#include "system/system.h"

static uint64_t use_key(ki_use_kind kind, uint32_t number)
{
    return (uint64_t)number << 2 | (uint64_t)kind;
}

ki_thing *ki_thing_make(ki_systems *systems, ki_use_kind kind, uint32_t number)
{
    ki_heap *heap = &systems->world->store.context.heap;
    ki_thing *thing = ki_map_find(&systems->things, use_key(kind, number));
    if (thing != NULL || ki_map_reserve(heap, &systems->things) != KITH_OK) {
        return thing;
    }
    thing = ki_heap_take_zeroed(heap, sizeof *thing, _Alignof(ki_thing));
    if (thing != NULL) {
        ki_map_insert(&systems->things, use_key(kind, number), thing);
    }
    return thing;
}

void ki_things_free(ki_systems *systems)
{
    ki_heap *heap = &systems->world->store.context.heap;
    for (uint32_t i = 0; i < systems->things.capacity; i++) {
        ki_heap_give(heap, systems->things.slots[i].item, sizeof(ki_thing), _Alignof(ki_thing));
    }
    ki_map_free(heap, &systems->things);
}

/* Links the uses of one system to those that came before in this round. */
static void use_link(ki_systems *systems, ki_system *system, int side)
{
    for (uint32_t i = 0; i <= system->use_count; i++) {
        ki_use *use = ki_use_at(system, i);
        ki_thing *thing = ki_thing_now(systems, use->thing);
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
            bool apart = last == NULL || last->phase != system->phase ||
                         (by_priority && last->priority != system->priority);
            systems->round += apart;
            use_link(systems, system, side);
            last = system;
        }
    }
}
