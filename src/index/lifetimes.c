#include "index/lifetimes.h"

void ki_lifetimes_free(ki_heap *heap, ki_lifetimes *lifetimes)
{
    ki_heap_free(heap, lifetimes->seen, lifetimes->capacity * sizeof *lifetimes->seen,
                 _Alignof(max_align_t));
    *lifetimes = (ki_lifetimes){0};
}

kith_result ki_lifetimes_reserve(ki_lifetimes *lifetimes, const ki_store *store)
{
    return ki_heap_grow(store->columns.heap, &lifetimes->seen, &lifetimes->capacity,
                        store->entities.slots, sizeof *lifetimes->seen, 64);
}

/* What is to be seen of a slot. */
static uint64_t lifetime_in(const ki_entities *entities, uint32_t slot)
{
    if (slot >= entities->slots) { /* after a restore */
        return 0;
    }
    const ki_record *record = ki_record_at(entities, slot);
    return (uint64_t)record->generation * 2 + (record->table < KI_RETIRED_TABLE);
}

/* Notes a slot if that has changed, or without notes takes over what is to be seen of it now. */
static void lifetimes_look_at(ki_lifetimes *lifetimes, const ki_entities *entities, uint32_t slot,
                              ki_live_notes *notes)
{
    const uint64_t now = lifetime_in(entities, slot);
    const uint64_t before = slot < lifetimes->slots ? lifetimes->seen[slot] : 0;
    if (notes == NULL) {
        lifetimes->seen[slot] = now;
    } else if (now != before && ((now | before) & 1) != 0) {
        ki_live_note(notes, slot, false);
    }
}

/* Looks at all slots in blocks of records that were written since. */
static void lifetimes_scan(ki_lifetimes *lifetimes, const ki_store *store, ki_live_notes *notes)
{
    const ki_entities *entities = &store->entities;
    const bool all = lifetimes->looked <= store->moved;
    const uint32_t end =
        lifetimes->slots > entities->slots ? lifetimes->slots : entities->slots;
    for (uint32_t slot = 0; slot < end;) {
        const uint32_t block = slot >> KI_SMALL_SHIFT;
        const uint32_t block_end = ki_min_u32(end, (block + 1) << KI_SMALL_SHIFT);
        if (all || (entities->records.blocks[block].stamp & ~KI_STAMP_FLAGS) > lifetimes->looked) {
            for (; slot < block_end; slot++) {
                lifetimes_look_at(lifetimes, entities, slot, notes);
            }
        }
        slot = block_end;
    }
}

void ki_lifetimes_look(ki_lifetimes *lifetimes, const ki_store *store, ki_live_notes *notes)
{
    lifetimes_scan(lifetimes, store, notes);
}

bool ki_lifetimes_saw(const ki_lifetimes *lifetimes, kith_entity entity)
{
    const uint32_t slot = entity.index1 - 1;
    return slot < lifetimes->slots &&
           lifetimes->seen[slot] == (uint64_t)entity.generation * 2 + 1;
}

void ki_lifetimes_keep(ki_lifetimes *lifetimes, ki_store *store)
{
    lifetimes_scan(lifetimes, store, NULL);
    lifetimes->slots = store->entities.slots;
    lifetimes->looked = store->columns.write_clock++;
}
