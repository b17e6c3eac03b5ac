#include "store/storages.h"

/* How many of the components of other layouts have an id up to this one. */
static uint32_t store_storages_up_to(const ki_store *store, uint32_t id)
{
    uint32_t low = 0;
    uint32_t high = store->storage_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (store->storages[middle]->id <= id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const ki_component *ki_store_next(const ki_store *store, uint32_t index, const ki_record *record,
                                  uint32_t id)
{
    const ki_component *storage = ki_storages_next(store, index, store_storages_up_to(store, id));
    const ki_table *table = store->tables[record->table];
    uint32_t column = ki_table_ids_up_to(table, id);
    return column < table->rows.column_count &&
                   (storage == NULL || table->ids[column] < storage->id)
               ? ki_store_component(store, table->ids[column])
               : storage;
}

uint32_t ki_summary_next_of_two(const ki_store *store, uint64_t summary, uint32_t from)
{
    uint64_t all_groups = summary >> KI_SUMMARY_GROUP;
    uint32_t places = (uint32_t)summary;
    uint32_t i = from < KI_LANES ? KI_LANES : from;
    while (i < store->storage_count && all_groups != 0 && places != 0) {
        uint32_t group = i / KI_SUMMARY_GROUP;
        uint64_t groups = all_groups >> group % KI_SUMMARY_GROUP;
        if (groups == 0) {
            i = (group / KI_SUMMARY_GROUP + 1) * KI_SUMMARY_GROUP *
                KI_SUMMARY_GROUP; /* the next round */
        } else if ((groups & 1) == 0) {
            i = (group + ki_lowest_bit(groups)) * KI_SUMMARY_GROUP;
        } else if (places >> i % KI_SUMMARY_GROUP == 0) {
            i = (group + 1) * KI_SUMMARY_GROUP;
        } else {
            i += ki_lowest_bit(places >> i % KI_SUMMARY_GROUP);
            return i < store->storage_count ? i : UINT32_MAX;
        }
    }
    return UINT32_MAX;
}

ki_component *ki_storages_next(const ki_store *store, uint32_t index, uint32_t from)
{
    uint64_t summary = ki_summary_at(&store->entities, index);
    for (uint32_t i = from; (i = ki_summary_next(store, summary, i)) != UINT32_MAX; i++) {
        if (ki_storage_has(store->storages[i], index)) {
            return store->storages[i];
        }
    }
    return NULL;
}

kith_result ki_storages_reserve_removal(ki_store *store, uint32_t index)
{
    uint64_t summary = ki_summary_at(&store->entities, index);
    for (uint32_t i = 0; (i = ki_summary_next(store, summary, i)) != UINT32_MAX; i++) {
        if (ki_storage_has(store->storages[i], index)) {
            KI_TRY(ki_storage_reserve_removal(&store->columns, store->storages[i], index));
        }
    }
    return ki_summary_mark(&store->columns, &store->entities, index) ? KITH_OK : KITH_ERR_MEMORY;
}

void ki_storages_remove(ki_store *store, kith_entity entity, uint64_t *place)
{
    uint64_t summary = place == NULL ? 0 : *place;
    kith_result result = KITH_OK;
    for (uint32_t i = 0; (i = ki_summary_next(store, summary, i)) != UINT32_MAX; i++) {
        result = ki_storage_take_one(&store->columns, store->storages[i], entity);
        KI_ASSERT(result != KITH_ERR_MEMORY);
    }
    (void)result;
    if (summary != 0) {
        *place = 0;
    }
}

uint32_t ki_storages_few(const ki_store *store, uint64_t summary, ki_component **few)
{
    uint32_t found = 0;
    for (uint32_t i = 0; (i = ki_summary_next(store, summary, i)) != UINT32_MAX; i++) {
        if (found == KI_STORAGES_FEW) {
            return found + 1;
        }
        few[found++] = store->storages[i];
    }
    return found;
}

void ki_storages_remove_many(ki_store *store, const kith_entity *entities, uint32_t count,
                             bool consecutive_slots)
{
    ki_component *few[KI_STORAGES_FEW];
    uint64_t lanes_of_all = 0;
    for (uint32_t i = 0; i < count; i++) {
        lanes_of_all |= ki_summary_at(&store->entities, entities[i].index1 - 1);
    }
    uint32_t found = ki_storages_few(store, lanes_of_all, few);
    if (found > KI_STORAGES_FEW) {
        for (uint32_t i = 0; i < count; i++) {
            ki_storages_remove(store, entities[i],
                               ki_summary_place(&store->entities, entities[i].index1 - 1));
        }
        return;
    }
    for (uint32_t i = 0; i < found; i++) {
        ki_storage_take(few[i], entities, count, consecutive_slots);
    }
    for (uint32_t i = 0; found != 0 && i < count; i++) {
        uint64_t *summary = ki_summary_place(&store->entities, entities[i].index1 - 1);
        if (summary != NULL) {
            *summary = 0;
        }
    }
}
