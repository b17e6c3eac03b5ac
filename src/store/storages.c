#include "store/storages.h"

/* So many components that come next in order of names are asked first. An entity with many components
 * of other layouts has one of them; of one with few, all are looked at then. */
#define STORAGES_NEIGHBOURS 16u

/* Of the entity's components of other layouts, the first by name that is not before `from`. */
static const ki_component *storages_first_by_name(const ki_store *store, uint32_t index,
                                                  const ki_component *from)
{
    const ki_component *first = NULL;
    uint64_t summary = ki_summary_at(&store->entities, index);
    for (uint32_t i = 0; (i = ki_summary_next(store, summary, i)) != UINT32_MAX; i++) {
        const ki_component *next = store->storages[i];
        bool between = strcmp(next->type->name, from->type->name) >= 0 &&
                       (first == NULL || strcmp(next->type->name, first->type->name) < 0);
        first = between && ki_storage_has(next, index) ? next : first;
    }
    return first;
}

static const ki_component *storages_next_by_name(const ki_store *store, uint32_t index,
                                                 const ki_component *previous)
{
    if (ki_summary_at(&store->entities, index) == 0) {
        return NULL;
    }
    const ki_component *next = previous == NULL ? ki_names_at(store->names, 0)
                                                : previous->by_name.next;
    for (uint32_t i = 0; i < STORAGES_NEIGHBOURS && next != NULL; i++) {
        if (next->layout != KITH_TABLE && ki_storage_has(next, index)) {
            return next;
        }
        next = next->by_name.next;
    }
    return next == NULL ? NULL : storages_first_by_name(store, index, next);
}

const kith_type *ki_store_next(const ki_store *store, uint32_t index, const ki_record *record,
                               const ki_component *previous)
{
    const ki_component *storage = storages_next_by_name(store, index, previous);
    const kith_type *type = ki_table_next_type(store->tables[record->table],
                                               previous == NULL ? NULL : previous->type->name);
    return storage == NULL || (type != NULL && strcmp(type->name, storage->type->name) < 0)
               ? type
               : storage->type;
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

/* Removes all components of an entity. Everything that this needs is reserved. */
static void storages_remove(ki_store *store, kith_entity entity)
{
    uint32_t index = entity.index1 - 1;
    uint64_t *summary = ki_summary_place(&store->entities, index);
    if (summary == NULL) {
        return;
    }
    for (uint32_t i = 0; (i = ki_summary_next(store, *summary, i)) != UINT32_MAX; i++) {
        if (ki_storage_has(store->storages[i], index)) {
            ki_storage_remove(store->storages[i], entity);
        }
    }
    *summary = 0;
}

/* First all is reserved, which finds what the entity has; then it is taken. */
kith_result ki_storages_take_all(ki_store *store, kith_entity entity)
{
    ki_component *few[KI_STORAGES_FEW];
    uint32_t found = 0;
    uint32_t index = entity.index1 - 1;
    uint64_t summary = ki_summary_at(&store->entities, index);
    if (summary == 0) {
        return KITH_OK;
    }
    for (uint32_t i = 0; (i = ki_summary_next(store, summary, i)) != UINT32_MAX; i++) {
        ki_component *component = store->storages[i];
        if (!ki_storage_has(component, index)) {
            continue;
        }
        if (!ki_storage_is_ready_removal(&store->columns, component, index) &&
            !ki_storage_mark_removal(&store->columns, component, index)) {
            return KITH_ERR_MEMORY;
        }
        few[found % KI_STORAGES_FEW] = component;
        found++;
    }
    if (!ki_column_is_marked_by(&store->columns, &store->entities.summary, index, KI_SMALL_SHIFT) &&
        !ki_summary_mark(&store->columns, &store->entities, index)) {
        return KITH_ERR_MEMORY;
    }
    if (found > KI_STORAGES_FEW) {
        storages_remove(store, entity);
        return KITH_OK;
    }
    for (uint32_t i = 0; i < found; i++) {
        ki_storage_remove(few[i], entity);
    }
    *KI_COLUMN_AT(uint64_t, &store->entities.summary, index) = 0;
    return KITH_OK;
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
            storages_remove(store, entities[i]);
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
