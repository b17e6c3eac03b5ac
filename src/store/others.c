#include "store/others.h"

/* How many of the components of other layouts have an id up to this one. */
static uint32_t store_others_up_to(const ki_store *store, uint32_t id)
{
    uint32_t low = 0;
    uint32_t high = store->other_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (store->others[middle]->id <= id) {
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
    const ki_component *other = ki_others_next(store, index, store_others_up_to(store, id));
    const ki_table *table = store->tables[record->table];
    uint32_t column = ki_table_ids_up_to(table, id);
    return column < table->rows.column_count && (other == NULL || table->ids[column] < other->id)
               ? ki_store_component(store, table->ids[column])
               : other;
}

uint32_t ki_lanes_next_of_two(uint64_t lanes, uint32_t from, uint32_t count)
{
    uint64_t all_groups = lanes >> KI_LANE_GROUP;
    uint32_t places = (uint32_t)lanes;
    uint32_t i = from;
    while (i < count && all_groups != 0 && places != 0) {
        uint32_t group = i / KI_LANE_GROUP;
        uint64_t groups = all_groups >> group % KI_LANE_GROUP;
        if (groups == 0) {
            i = (group / KI_LANE_GROUP + 1) * KI_LANE_GROUP * KI_LANE_GROUP; /* the next round */
        } else if ((groups & 1) == 0) {
            i = (group + ki_lowest_bit(groups)) * KI_LANE_GROUP;
        } else if (places >> i % KI_LANE_GROUP == 0) {
            i = (group + 1) * KI_LANE_GROUP;
        } else {
            return i + ki_lowest_bit(places >> i % KI_LANE_GROUP);
        }
    }
    return count;
}

ki_component *ki_others_next(const ki_store *store, uint32_t index, uint32_t from)
{
    ki_lanes_walk walk = {ki_lanes_at(&store->entities, index), from};
    ki_component *other;
    do {
        other = ki_lanes_walk_next(store, &walk);
    } while (other != NULL && !ki_other_has(other, index));
    return other;
}

kith_result ki_others_reserve_removal_slow(ki_store *store, uint32_t index)
{
    ki_lanes_walk walk = ki_lanes_walk_start(ki_lanes_at(&store->entities, index));
    for (ki_component *other; (other = ki_lanes_walk_next(store, &walk)) != NULL;) {
        if (ki_other_has(other, index)) {
            KI_TRY(ki_other_reserve_removal(&store->space, other, index));
        }
    }
    return ki_lanes_mark(&store->space, &store->entities, index) ? KITH_OK : KITH_ERR_MEMORY;
}

void ki_others_remove_slow(ki_store *store, kith_entity entity)
{
    uint64_t *lanes = ki_lanes_place(&store->entities, entity.index1 - 1);
    ki_lanes_walk walk = ki_lanes_walk_start(*lanes);
    for (ki_component *other; (other = ki_lanes_walk_next(store, &walk)) != NULL;) {
        if (ki_other_has(other, entity.index1 - 1)) {
            ki_other_remove(other, entity);
        }
    }
    *lanes = 0;
}

bool ki_others_remove_at_once(ki_store *store, uint32_t index, uint64_t *lanes)
{
    const ki_space *space = &store->space;
    ki_component *few[KI_OTHERS_FEW];
    uint32_t count = 0;
    if (!ki_column_is_ready(space, &store->entities.lanes, index, KI_SMALL_SHIFT)) {
        return false;
    }
    ki_lanes_walk walk = ki_lanes_walk_start(*lanes);
    for (ki_component *other; (other = ki_lanes_walk_next(store, &walk)) != NULL;) {
        if (!ki_other_has(other, index)) {
            continue;
        }
        if (count == KI_OTHERS_FEW || !other->simple || other->track != NULL ||
            !ki_other_is_ready_removal(space, other, index)) {
            return false;
        }
        few[count++] = other;
    }
    for (uint32_t i = 0; i < count; i++) {
        ki_other_remove_simple(few[i], index);
    }
    *lanes = 0;
    return true;
}

uint32_t ki_others_few(const ki_store *store, uint64_t lanes, ki_component **few)
{
    uint32_t found = 0;
    ki_lanes_walk walk = ki_lanes_walk_start(lanes);
    for (ki_component *other; (other = ki_lanes_walk_next(store, &walk)) != NULL;) {
        if (found == KI_OTHERS_FEW) {
            return found + 1;
        }
        few[found++] = other;
    }
    return found;
}

void ki_others_remove_many(ki_store *store, const kith_entity *entities, uint32_t count,
                           bool slots_follow)
{
    ki_component *few[KI_OTHERS_FEW];
    uint64_t lanes_of_all = 0;
    for (uint32_t i = 0; i < count; i++) {
        lanes_of_all |= ki_lanes_at(&store->entities, entities[i].index1 - 1);
    }
    uint32_t found = ki_others_few(store, lanes_of_all, few);
    if (found > KI_OTHERS_FEW) {
        for (uint32_t i = 0; i < count; i++) {
            ki_others_remove(store, entities[i]);
        }
        return;
    }
    for (uint32_t i = 0; i < found; i++) {
        ki_other_take(few[i], entities, count, slots_follow);
    }
    for (uint32_t i = 0; found != 0 && i < count; i++) {
        uint64_t *lanes = ki_lanes_place(&store->entities, entities[i].index1 - 1);
        if (lanes != NULL) {
            *lanes = 0;
        }
    }
}
