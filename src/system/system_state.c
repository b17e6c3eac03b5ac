#include "system/system_state.h"

#include <kith/floats.h>

#include "base/hash.h"
#include "system/name.h"

ki_systems *ki_systems_make(kith_world *world)
{
    ki_attachment *part = &world->parts[KI_PART_SYSTEMS];
    if (part->data != NULL) {
        return part->data;
    }
    ki_heap *heap = &world->store.context.heap;
    ki_systems *systems = ki_heap_alloc_zeroed(heap, sizeof *systems, _Alignof(ki_systems));
    if (systems == NULL) {
        return NULL;
    }
    if (ki_phases_init(heap, &systems->phases) != KITH_OK) {
        ki_phases_free(heap, &systems->phases);
        ki_heap_free(heap, systems, sizeof *systems, _Alignof(ki_systems));
        return NULL;
    }
    systems->world = world;
    ki_lock_init(&systems->memory);
    ki_lock_init(&systems->lock);
    ki_condition_init(&systems->ended);
    part->calls = &ki_systems_part;
    part->data = systems;
    return systems;
}

ki_system *ki_system_find(const ki_systems *systems, const char *name)
{
    uint32_t at;
    uint64_t key = ki_name_key(name);
    ki_system *system = systems == NULL ? NULL : ki_map_first(&systems->names, key, &at);
    while (system != NULL && strcmp(system->name, name) != 0) {
        system = ki_map_next(&systems->names, key, &at);
    }
    return system;
}

uint64_t ki_system_times_hash(uint64_t hash, const ki_system_times *times)
{
    hash = ki_hash_text(hash, times->name);
    hash = ki_hash_u64(hash, (uint64_t)(uint32_t)times->priority << 1 | times->enabled);
    hash = ki_hash_f64(hash, times->since);
    hash = ki_hash_f64(hash, times->due);
    return ki_hash_u64(hash, times->ticks);
}
