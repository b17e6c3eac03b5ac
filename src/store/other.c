/* One entity's components of other layouts come and go. */
#include "store/store.h"

kith_result ki_other_reserve_index(ki_store *store, ki_component *component, uint32_t index)
{
    ki_space *space = &store->space;
    KI_TRY(ki_column_reserve_row(space, &store->entities.lanes, index));
    return component->layout == KITH_SPARSE
               ? ki_sparse_reserve_index(space, &component->in.sparse, index)
               : ki_slots_reserve(space, &component->in.slots, index);
}

uint32_t ki_other_page_shift(const ki_store *store, const ki_component *component)
{
    const ki_slots *slots = &component->in.slots;
    uint32_t shift = component->layout == KITH_SPARSE ? component->in.sparse.rows.shift
                     : slots->values.size == 0        ? slots->bits.shift + 6u
                                                      : slots->values.shift;
    return ki_min_u32(shift, store->entities.lanes.shift);
}

kith_result ki_other_reserve_slots(ki_store *store, ki_component *component, uint32_t first,
                                   uint32_t count)
{
    uint32_t shift = ki_other_page_shift(store, component);
    while (count > 0) { /* from behind: page 0 is as large as its highest slot asks, if small */
        uint32_t last = first + count - 1;
        KI_TRY(ki_other_reserve_index(store, component, last));
        uint32_t page = last >> shift << shift;
        count = page > first ? page - first : 0;
    }
    return KITH_OK;
}

kith_result ki_other_reserve(ki_store *store, ki_component *component, uint32_t index)
{
    KI_TRY(ki_other_reserve_index(store, component, index));
    return ki_other_reserve_rows(store, component, 1);
}

static KI_NOINLINE kith_result other_reserve_track(ki_store *store, ki_component *component,
                                                   uint32_t count, bool lost)
{
    return ki_track_reserve(&store->context.heap, component->track, count, lost);
}

kith_result ki_other_reserve_rows(ki_store *store, ki_component *component, uint32_t count)
{
    if (KI_UNLIKELY(component->track != NULL)) {
        KI_TRY(other_reserve_track(store, component, count, false));
    }
    return component->layout == KITH_SPARSE
               ? ki_sparse_reserve_rows(&store->space, &component->in.sparse, count)
               : KITH_OK;
}

void ki_other_insert(ki_store *store, ki_component *component, kith_entity entity,
                     const void *value)
{
    uint32_t index = entity.index1 - 1;
    *KI_COLUMN_AT(uint64_t, &store->entities.lanes, index) |= component->lanes;
    ki_column *values = &component->in.slots.values;
    uint32_t row = index;
    if (component->layout == KITH_SPARSE) {
        values = &component->in.sparse.values;
        ki_sparse *set = &component->in.sparse;
        row = ki_sparse_append(set, KI_COLUMN_AT(uint32_t, &set->rows, index), entity);
    } else {
        ki_slots_mark(&component->in.slots, index);
    }
    if (KI_LIKELY(values->plain != 0)) {
        ki_copy_usual(ki_column_at(values, row), value, values->plain);
    } else if (values->hooks != NULL) {
        ki_column_put(values, row, (void *)(uintptr_t)value);
    }
    if (KI_UNLIKELY(component->track != NULL)) {
        ki_track_append(component->track, &entity, 1);
    }
}

/* Whether what ki_other_insert will write, all of which is there, needs no touch. */
static bool other_is_touched(const ki_store *store, const ki_component *component, uint32_t index)
{
    const ki_space *space = &store->space;
    if (!ki_column_is_touched(space, &store->entities.lanes, index)) {
        return false;
    }
    if (component->layout == KITH_SPARSE) {
        const ki_sparse *set = &component->in.sparse;
        return ki_column_is_touched(space, &set->rows, index) &&
               ki_column_is_touched(space, &set->entities, set->count) &&
               ki_column_is_touched(space, &set->values, set->count);
    }
    const ki_slots *slots = &component->in.slots;
    return ki_column_is_touched(space, &slots->bits, index / 64) &&
           (slots->values.size == 0 || ki_column_is_touched(space, &slots->values, index));
}

/* Whether all that ki_other_insert will write is there. */
static bool other_has_room(const ki_component *component, uint32_t index)
{
    if (component->layout == KITH_SPARSE) {
        const ki_sparse *set = &component->in.sparse;
        return ki_sparse_row1_at(set, index) != NULL && set->count < set->values.capacity &&
               set->count < set->entities.capacity;
    }
    const ki_slots *slots = &component->in.slots;
    return ki_slots_word_at(slots, index / 64) != NULL &&
           (slots->values.size == 0 || ki_column_has_page(&slots->values, index));
}

ki_column *ki_other_locate(const ki_component *component, uint32_t index, uint32_t *row)
{
    const ki_column *values = NULL;
    if (component->layout == KITH_SLOT) {
        *row = index;
        values = ki_slots_has(&component->in.slots, index) ? &component->in.slots.values : NULL;
    } else {
        *row = ki_sparse_row1(&component->in.sparse, index) - 1;
        values = *row != UINT32_MAX ? &component->in.sparse.values : NULL;
    }
    return (ki_column *)(uintptr_t)values;
}

bool ki_other_has(const ki_component *component, uint32_t index)
{
    uint32_t row;
    return ki_other_locate(component, index, &row) != NULL;
}

bool ki_other_is_ready(const ki_store *store, const ki_component *component, uint32_t index)
{
    if (KI_UNLIKELY(ki_lanes_place(&store->entities, index) == NULL || component->hooks != NULL ||
                    (component->track != NULL && !ki_track_has_room(component->track)))) {
        return false;
    }
    return other_has_room(component, index) && (KI_LIKELY(ki_space_is_unseen(&store->space)) ||
                                                other_is_touched(store, component, index));
}

kith_result ki_other_unset(ki_store *store, ki_component *component, uint32_t index)
{
    if (!ki_other_has(component, index)) {
        return ki_untold(&store->context.heap, KITH_ERR_ABSENT);
    }
    if (!ki_other_touch_removal(store, component, index)) {
        return KITH_ERR_MEMORY;
    }
    ki_other_remove(store, component, index);
    return KITH_OK;
}

bool ki_other_touch_value(ki_store *store, ki_component *component, uint32_t index)
{
    if (component->layout == KITH_SPARSE) {
        ki_sparse *set = &component->in.sparse;
        return ki_column_touch(&store->space, &set->values, ki_sparse_row1(set, index) - 1);
    }
    ki_slots *slots = &component->in.slots;
    return slots->values.size == 0 ? ki_column_touch(&store->space, &slots->bits, index / 64)
                                   : ki_column_touch(&store->space, &slots->values, index);
}

void ki_other_write(ki_component *component, uint32_t index, const void *value)
{
    if (component->layout == KITH_SPARSE) {
        ki_sparse *set = &component->in.sparse;
        ki_column_write(&set->values, ki_sparse_row1(set, index) - 1, value);
    } else {
        ki_column_write(&component->in.slots.values, index, value);
    }
}

bool ki_other_touch_removal(ki_store *store, ki_component *component, uint32_t index)
{
    ki_space *space = &store->space;
    if (KI_UNLIKELY(component->track != NULL) &&
        other_reserve_track(store, component, 1, true) != KITH_OK) {
        return false;
    }
    return component->layout == KITH_SPARSE
               ? ki_sparse_touch_removal(space, &component->in.sparse, index)
               : ki_slots_touch_removal(space, &component->in.slots, index);
}

/* Notes that an entity is about to lose the component. */
static void other_note_lost(const ki_store *store, ki_component *component, uint32_t index)
{
    kith_entity entity = ki_entity_at(&store->entities, index);
    uint32_t row;
    ki_column *values = ki_other_locate(component, index, &row);
    ki_track_append_lost(component->track, &entity, 1, values, &row);
}

void ki_other_remove(ki_store *store, ki_component *component, uint32_t index)
{
    if (KI_UNLIKELY(component->track != NULL)) {
        other_note_lost(store, component, index);
    }
    if (component->layout == KITH_SPARSE) {
        ki_sparse *set = &component->in.sparse;
        ki_sparse_remove(set, ki_sparse_row1_at(set, index));
    } else {
        ki_slots_remove(&component->in.slots, index);
    }
}

/* ki_lanes_next among the components that have two lanes. */
static uint32_t lanes_next_of_two(uint64_t lanes, uint32_t from, uint32_t count)
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

uint32_t ki_lanes_next(uint64_t lanes, uint32_t from, uint32_t count)
{
    if (from < KI_LANES && lanes >> from != 0) {
        return from + ki_lowest_bit(lanes >> from);
    }
    return KI_LIKELY(count <= KI_LANES)
               ? count
               : lanes_next_of_two(lanes, from < KI_LANES ? KI_LANES : from, count);
}

/* ki_others_next where some have two lanes. */
static KI_NOINLINE ki_component *others_next_of_many(const ki_store *store, uint32_t index,
                                                     uint32_t from)
{
    uint64_t lanes = ki_lanes_at(&store->entities, index);
    uint32_t i = ki_lanes_next(lanes, from, store->other_count);
    while (i < store->other_count && !ki_other_has(store->others[i], index)) {
        i = ki_lanes_next(lanes, i + 1, store->other_count);
    }
    return i < store->other_count ? store->others[i] : NULL;
}

ki_component *ki_others_next(const ki_store *store, uint32_t index, uint32_t from)
{
    if (KI_UNLIKELY(store->other_count > KI_LANES)) {
        return others_next_of_many(store, index, from);
    }
    uint64_t lanes = from < KI_LANES ? ki_lanes_at(&store->entities, index) >> from << from : 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        ki_component *other = store->others[ki_lowest_bit(lanes)];
        if (ki_other_has(other, index)) {
            return other;
        }
    }
    return NULL;
}

bool ki_lanes_touch(ki_store *store, uint32_t index)
{
    ki_column *lanes = &store->entities.lanes;
    return !ki_column_has_page(lanes, index) || ki_column_touch(&store->space, lanes, index);
}

bool ki_others_touch_removal(ki_store *store, uint32_t index)
{
    if (ki_space_is_unseen(&store->space) && store->track_count == 0) {
        return true;
    }
    for (ki_component *other = ki_others_next(store, index, 0); other != NULL;
         other = ki_others_next(store, index, other->other + 1)) {
        if (!ki_other_touch_removal(store, other, index)) {
            return false;
        }
    }
    return ki_lanes_touch(store, index);
}

void ki_others_remove(ki_store *store, uint32_t index)
{
    uint64_t *lanes = ki_lanes_place(&store->entities, index);
    if (lanes == NULL) {
        return;
    }
    for (ki_component *other = ki_others_next(store, index, 0); other != NULL;
         other = ki_others_next(store, index, other->other + 1)) {
        ki_other_remove(store, other, index);
    }
    *lanes = 0;
}

bool ki_other_touch_leaving(ki_store *store, ki_component *component, uint32_t index)
{
    if (!ki_other_touch_removal(store, component, index)) {
        return false;
    }
    ki_expect_lost(store, component, 1);
    if (component->layout != KITH_SPARSE) {
        return true;
    }
    ki_expect(store, component);
    ki_sparse *set = &component->in.sparse;
    if (set->leaving < set->count) {
        set->leaving++;
    }
    const kith_entity *end = ki_column_at(&set->entities, set->count - set->leaving);
    return ki_sparse_touch_removal(&store->space, set, end->index1 - 1);
}

/* ---- Many changes in one call ---------------------------------------------------------------- */

void ki_expect_arriving(ki_store *store, ki_component *component, uint32_t count)
{
    if (component->track != NULL) {
        component->track->pending += count;
    }
    if (component->layout == KITH_SPARSE) {
        component->in.sparse.arriving += count;
    }
    ki_expect(store, component);
}

kith_result ki_expected_reserve(ki_store *store)
{
    for (ki_component *next = store->expected; next != NULL; next = next->of.next_expected) {
        if (next->layout == KITH_SPARSE) {
            KI_TRY(ki_sparse_reserve_rows(&store->space, &next->in.sparse,
                                          next->in.sparse.arriving));
        }
        if (next->track != NULL) {
            KI_TRY(ki_track_reserve(&store->context.heap, next->track, next->track->pending,
                                    next->track->pending_lost != 0));
        }
    }
    return KITH_OK;
}

void ki_expected_forget(ki_store *store)
{
    while (store->expected != NULL) {
        ki_component *component = store->expected;
        store->expected = component->of.next_expected;
        component->expected = false;
        if (component->layout == KITH_SPARSE) {
            component->in.sparse.leaving = 0;
            component->in.sparse.arriving = 0;
        }
        if (component->track != NULL) {
            component->track->pending = 0;
            component->track->pending_lost = 0;
        }
    }
}
