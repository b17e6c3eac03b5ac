/* One entity's components of other layouts come and go. */
#include "store/store.h"

static uint64_t other_lane_bit(const ki_component *component)
{
    return (uint64_t)1 << component->other % KI_LANES;
}

/* The lanes of a slot; NULL if there is no page for them. */
KI_INLINE uint64_t *other_lanes(const ki_store *store, uint32_t index)
{
    const ki_column *lanes = &store->entities.lanes;
    uint8_t *page =
        KI_LIKELY(index < lanes->capacity) ? lanes->blocks[index >> KI_SMALL_SHIFT].data : NULL;
    uint64_t *words = (uint64_t *)(void *)page;
    return KI_LIKELY(page != NULL) ? words + index % KI_BLOCK_ROWS_MAX : NULL;
}

kith_result ki_other_reserve_index(ki_store *store, ki_component *component, uint32_t index)
{
    ki_space *space = &store->space;
    ki_column *lanes = &store->entities.lanes;
    KI_TRY(ki_column_reserve_page(space, lanes, index));
    if (!ki_column_touch(space, lanes, index)) {
        return KITH_ERR_MEMORY;
    }
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

kith_result ki_other_reserve_rows(ki_store *store, ki_component *component, uint32_t count)
{
    if (KI_UNLIKELY(component->track != NULL)) {
        KI_TRY(ki_track_reserve(&store->context.heap, component->track, count, false));
    }
    return component->layout == KITH_SPARSE
               ? ki_sparse_reserve_rows(&store->space, &component->in.sparse, count)
               : KITH_OK;
}

void ki_other_insert(ki_store *store, ki_component *component, kith_entity entity,
                     const void *value)
{
    uint32_t index = entity.index1 - 1;
    *KI_COLUMN_AT(uint64_t, &store->entities.lanes, index) |= other_lane_bit(component);
    ki_column *values = &component->in.slots.values;
    uint32_t row = index;
    if (component->layout == KITH_SPARSE) {
        values = &component->in.sparse.values;
        row = ki_sparse_append(&component->in.sparse, entity);
    } else {
        ki_slots_mark(&component->in.slots, index);
    }
    if (KI_LIKELY(values->plain != 0)) {
        ki_put_value(ki_column_at(values, row), value, values->plain);
    } else if (values->hooks != NULL) {
        ki_column_put(values, row, (void *)(uintptr_t)value);
    }
    if (KI_UNLIKELY(component->track != NULL)) {
        ki_track_append(component->track, &entity, 1);
    }
}

/* Overwrites a value, which is there in this row of the column. */
static KI_NOINLINE kith_result other_overwrite(ki_store *store, ki_component *component,
                                               kith_entity entity, const void *value, uint32_t row)
{
    const ki_column *values = component->layout == KITH_SPARSE ? &component->in.sparse.values
                                                               : &component->in.slots.values;
    if (KI_LIKELY(values->size != 0 && ki_column_is_touched(&store->space, values, row))) {
        return ki_put_value(ki_column_at(values, row), value, values->size);
    }
    uint32_t index = entity.index1 - 1;
    const ki_record *record = ki_record_at(&store->entities, index);
    void *to;
    KI_TRY(ki_store_touch_value(store, component, index, record, &to));
    return ki_put_value(to, value, component->type->size);
}

/* Whether values have no hooks and nobody looks at the world, so that what has a place is ready to be
 * written. */
KI_INLINE bool other_is_unseen(const ki_store *store, const ki_component *component)
{
    return component->hooks == NULL && ki_space_is_unseen(&store->space);
}

/* And nobody follows the component. */
KI_INLINE bool other_is_plain(const ki_store *store, const ki_component *component)
{
    return component->track == NULL && other_is_unseen(store, component);
}

static KI_NOINLINE kith_result other_add_slow(ki_store *store, ki_component *component,
                                              kith_entity entity, const void *value)
{
    if (!ki_other_is_ready(store, component, entity.index1 - 1)) {
        KI_TRY(ki_other_reserve(store, component, entity.index1 - 1));
    }
    ki_other_insert(store, component, entity, value);
    return KITH_OK;
}

/* Takes the component's place in the slot, which is ready. */
KI_INLINE void other_enter_slot(uint64_t *word, uint64_t bit, uint64_t *lanes,
                                ki_component *component)
{
    *word |= bit;
    *lanes |= other_lane_bit(component);
    component->in.slots.count++;
}

static KI_NOINLINE kith_result other_set_sparse(ki_store *store, ki_component *component,
                                                kith_entity entity, const void *value, bool keep)
{
    uint32_t index = entity.index1 - 1;
    ki_sparse *set = &component->in.sparse;
    ki_column *values = &set->values;
    uint32_t *row1 = ki_sparse_row1_at(set, index);
    uint64_t *lanes = other_lanes(store, index);
    uint32_t row = set->count;
    if (KI_UNLIKELY(row1 == NULL || lanes == NULL)) {
        return other_add_slow(store, component, entity, value);
    }
    if (*row1 != 0) {
        return keep ? KITH_OK : other_overwrite(store, component, entity, value, *row1 - 1);
    }
    if (KI_UNLIKELY(row >= values->capacity || row >= set->entities.capacity ||
                    !other_is_plain(store, component))) {
        return other_add_slow(store, component, entity, value);
    }
    ki_sparse_append(set, entity);
    *lanes |= other_lane_bit(component);
    return values->size == 0 ? KITH_OK
                             : ki_put_value(ki_column_at(values, row), value, values->size);
}

kith_result ki_other_set(ki_store *store, ki_component *component, kith_entity entity,
                         const void *value, bool keep)
{
    if (component->layout == KITH_SPARSE) {
        return other_set_sparse(store, component, entity, value, keep);
    }
    uint32_t index = entity.index1 - 1;
    const ki_column *values = &component->in.slots.values;
    uint64_t *word = ki_slots_word_at(&component->in.slots, index / 64);
    uint64_t *lanes = other_lanes(store, index);
    uint64_t bit = (uint64_t)1 << index % 64;
    if (KI_UNLIKELY(word == NULL || lanes == NULL)) {
        return other_add_slow(store, component, entity, value);
    }
    if ((*word & bit) != 0) {
        return keep ? KITH_OK : other_overwrite(store, component, entity, value, index);
    }
    if (KI_UNLIKELY(!other_is_plain(store, component))) {
        return other_add_slow(store, component, entity, value);
    }
    if (values->size == 0) {
        other_enter_slot(word, bit, lanes, component);
        return KITH_OK;
    }
    void *to = ki_column_find(values, index);
    if (KI_UNLIKELY(to == NULL)) {
        return other_add_slow(store, component, entity, value);
    }
    other_enter_slot(word, bit, lanes, component);
    return ki_put_value(to, value, values->size);
}

bool ki_other_is_ready(const ki_store *store, const ki_component *component, uint32_t index)
{
    if (KI_UNLIKELY(other_lanes(store, index) == NULL || !other_is_unseen(store, component) ||
                    (component->track != NULL && !ki_track_has_room(component->track)))) {
        return false;
    }
    if (component->layout == KITH_SPARSE) {
        const ki_sparse *set = &component->in.sparse;
        return ki_sparse_row1_at(set, index) != NULL && set->count < set->values.capacity &&
               set->count < set->entities.capacity;
    }
    const ki_slots *slots = &component->in.slots;
    return ki_slots_word_at(slots, index / 64) != NULL &&
           (slots->values.size == 0 || ki_column_has_page(&slots->values, index));
}

static KI_NOINLINE kith_result other_take_slow(ki_store *store, ki_component *component,
                                               uint32_t index)
{
    if (!ki_other_touch_removal(store, component, index)) {
        return KITH_ERR_MEMORY;
    }
    ki_other_remove(store, component, index);
    return KITH_OK;
}

static KI_NOINLINE kith_result other_unset_sparse(ki_store *store, ki_component *component,
                                                  uint32_t index)
{
    uint32_t *row1 = ki_sparse_row1_at(&component->in.sparse, index);
    if (row1 == NULL || *row1 == 0) {
        return KITH_ERR_ABSENT;
    }
    if (KI_UNLIKELY(!other_is_plain(store, component) || store->other_count > KI_LANES)) {
        return other_take_slow(store, component, index);
    }
    *KI_COLUMN_AT(uint64_t, &store->entities.lanes, index) &= ~other_lane_bit(component);
    ki_sparse_remove(&component->in.sparse, row1);
    return KITH_OK;
}

kith_result ki_other_unset(ki_store *store, ki_component *component, uint32_t index)
{
    if (component->layout == KITH_SPARSE) {
        return other_unset_sparse(store, component, index);
    }
    uint64_t *word = ki_slots_word_at(&component->in.slots, index / 64);
    uint64_t bit = (uint64_t)1 << index % 64;
    if (word == NULL || (*word & bit) == 0) {
        return KITH_ERR_ABSENT;
    }
    if (KI_UNLIKELY(!other_is_plain(store, component) || store->other_count > KI_LANES)) {
        return other_take_slow(store, component, index);
    }
    *word &= ~bit;
    component->in.slots.count--;
    *KI_COLUMN_AT(uint64_t, &store->entities.lanes, index) &= ~other_lane_bit(component);
    return KITH_OK;
}

bool ki_other_touch_value(ki_store *store, ki_component *component, uint32_t index)
{
    if (component->layout == KITH_SPARSE) {
        ki_sparse *set = &component->in.sparse;
        return ki_column_touch(&store->space, &set->values, ki_sparse_row1(set, index) - 1);
    }
    ki_column *values = &component->in.slots.values;
    return values->size == 0 || ki_column_touch(&store->space, values, index);
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
        ki_track_reserve(&store->context.heap, component->track, 1, true) != KITH_OK) {
        return false;
    }
    return ki_column_touch(space, &store->entities.lanes, index) &&
           (component->layout == KITH_SPARSE
                ? ki_sparse_touch_removal(space, &component->in.sparse, index)
                : ki_slots_touch_removal(space, &component->in.slots, index));
}

/* Notes that an entity is about to lose the component. */
static void other_note_lost(const ki_store *store, ki_component *component, uint32_t index)
{
    kith_entity entity = ki_entity_at(&store->entities, index);
    bool sparse = component->layout == KITH_SPARSE;
    uint32_t row = sparse ? ki_sparse_row1(&component->in.sparse, index) - 1 : index;
    ki_column *values = sparse ? &component->in.sparse.values : &component->in.slots.values;
    ki_track_append_lost(component->track, &entity, 1, values, &row);
}

/* Takes a component; the lane is the caller's to leave. */
static KI_NOINLINE void other_take(ki_store *store, ki_component *component, uint32_t index)
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

void ki_other_remove(ki_store *store, ki_component *component, uint32_t index)
{
    other_take(store, component, index);
    for (uint32_t i = component->other % KI_LANES;
         store->other_count > KI_LANES && i < store->other_count; i += KI_LANES) {
        if (ki_other_has(store->others[i], index)) {
            return;
        }
    }
    *other_lanes(store, index) &= ~other_lane_bit(component);
}

ki_component *ki_others_next(const ki_store *store, uint32_t index, uint32_t from)
{
    uint64_t lanes = ki_lanes_at(&store->entities, index);
    if (KI_LIKELY(store->other_count <= KI_LANES)) {
        lanes = from < KI_LANES ? lanes >> from : 0;
        return lanes == 0 ? NULL : store->others[from + ki_lowest_bit(lanes)];
    }
    for (uint32_t i = from; lanes != 0 && i < store->other_count; i++) {
        uint64_t rest = lanes >> i % KI_LANES;
        if (rest == 0) {
            i |= KI_LANES - 1; /* nothing more in this round of lanes */
        } else {
            i += ki_lowest_bit(rest);
            if (i < store->other_count && ki_other_has(store->others[i], index)) {
                return store->others[i];
            }
        }
    }
    return NULL;
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
    return true;
}

void ki_others_remove(ki_store *store, uint32_t index)
{
    uint64_t rest = ki_lanes_at(&store->entities, index);
    if (rest == 0) {
        return;
    }
    if (KI_UNLIKELY(store->other_count > KI_LANES)) {
        for (ki_component *other = ki_others_next(store, index, 0); other != NULL;
             other = ki_others_next(store, index, other->other + 1)) {
            ki_other_remove(store, other, index);
        }
        return;
    }
    for (; rest != 0; rest &= rest - 1) {
        other_take(store, store->others[ki_lowest_bit(rest)], index);
    }
    *other_lanes(store, index) = 0;
}

bool ki_other_touch_leaving(ki_store *store, ki_component *component, uint32_t index)
{
    if (!ki_other_touch_removal(store, component, index)) {
        return false;
    }
    ki_track_expect_lost(component, 1);
    if (component->layout != KITH_SPARSE) {
        return true;
    }
    ki_sparse *set = &component->in.sparse;
    if (set->leaving < set->count) {
        set->leaving++;
    }
    const kith_entity *end = ki_column_at(&set->entities, set->count - set->leaving);
    return ki_sparse_touch_removal(&store->space, set, end->index1 - 1);
}
