/* Moves of one entity's row between tables, and its components of other layouts. */
#include "store/store.h"

static kith_result move_reserve_watched(ki_store *store, const ki_edge *edge, uint32_t index)
{
    const ki_record *record = ki_record_at(&store->entities, index);
    const ki_table *from = store->tables[record->table];
    const ki_track *only = ki_tracks_only(store, from, edge->to);
    if (only == NULL || only->last->count == only->last->limit) {
        KI_TRY(ki_tracks_reserve(store, from, edge->to, 1));
    }
    return ki_space_is_unseen(&store->space) ||
                   (ki_row_touch_removal(store, index) &&
                    ki_record_touch(&store->space, &store->entities, index))
               ? KITH_OK
               : KITH_ERR_MEMORY;
}

kith_result ki_move_reserve(ki_store *store, const ki_edge *edge, uint32_t index)
{
    KI_TRY(ki_table_reserve(&store->space, edge->to, 1));
    return KI_LIKELY(ki_store_is_unwatched(store)) ? KITH_OK
                                                   : move_reserve_watched(store, edge, index);
}

bool ki_row_touch_removal(ki_store *store, uint32_t index)
{
    const ki_record *record = ki_record_at(&store->entities, index);
    ki_table *table = store->tables[record->table];
    kith_entity last = ki_table_entity(table, table->row_count - 1);
    return ki_table_touch_removal(&store->space, table, record->row) &&
           ki_record_touch(&store->space, &store->entities, last.index1 - 1);
}

/* Fills the row with the last one, which is dropped. */
KI_INLINE void move_remove(ki_store *store, ki_table *table, uint32_t row)
{
    if (KI_UNLIKELY(table->hooked)) {
        ki_table_drop_row(table, row);
    }
    uint32_t last = --table->row_count;
    if (row == last) {
        return;
    }
    for (uint32_t i = 0, count = table->column_count; i < count; i++) {
        ki_column_copy(&table->columns[i], row, &table->columns[i], last);
    }
    kith_entity moved = ki_table_entity(table, last);
    *KI_COLUMN_AT(kith_entity, &table->entities, row) = moved;
    ki_record_at(&store->entities, moved.index1 - 1)->row = row;
}

void ki_row_remove(ki_store *store, uint32_t index)
{
    const ki_record *record = ki_record_at(&store->entities, index);
    move_remove(store, store->tables[record->table], record->row);
}

KI_INLINE uint32_t move_begin(const ki_edge *edge, const ki_record *record, uint32_t index)
{
    uint32_t row = ki_table_append(edge->to, (kith_entity){index + 1, record->generation});
    for (uint32_t i = 0, count = edge->copy_count; i < count; i++) {
        ki_column *to = edge->copies[i].to;
        if (to->plain != 0) {
            ki_copy_value(ki_column_at_tail(to, row),
                          ki_column_at(edge->copies[i].from, record->row), to->plain);
        } else if (to->hooks != NULL) {
            ki_column_relocate(to, row, edge->copies[i].from, record->row);
        }
    }
    return row;
}

/* ki_tracks_note for one. */
KI_INLINE void move_note(ki_store *store, const ki_table *from, const ki_table *to,
                         kith_entity entity, const uint32_t *row)
{
    ki_track *only = ki_tracks_only(store, from, to);
    if (only != NULL) {
        ki_track_append(only, &entity, 1);
    } else {
        ki_tracks_note_slow(store, from, to, &entity, row, 1);
    }
}

KI_INLINE void move_end(ki_store *store, const ki_edge *edge, ki_record *record, uint32_t index,
                        uint32_t row)
{
    ki_table *from = store->tables[record->table];
    kith_entity entity = {index + 1, record->generation};
    if (KI_UNLIKELY(store->table_track_count != 0)) {
        move_note(store, from, edge->to, entity, &record->row);
    }
    move_remove(store, from, record->row);
    record->table = edge->to->id;
    record->row = row;
}

uint32_t ki_move_begin(ki_store *store, const ki_edge *edge, uint32_t index)
{
    return move_begin(edge, ki_record_at(&store->entities, index), index);
}

void ki_move_end(ki_store *store, const ki_edge *edge, uint32_t index, uint32_t row)
{
    move_end(store, edge, ki_record_at(&store->entities, index), index, row);
}

void ki_move(ki_store *store, const ki_edge *edge, uint32_t index, uint32_t added,
             const void *value)
{
    ki_record *record = ki_record_at(&store->entities, index);
    uint32_t row = move_begin(edge, record, index);
    uint32_t column = added == 0 ? KI_NO_COLUMN : ki_table_find(edge->to, added);
    if (column != KI_NO_COLUMN) {
        ki_column *to = &edge->to->columns[column];
        if (KI_LIKELY(to->plain != 0)) {
            ki_write_value(ki_column_at_tail(to, row), value, to->plain);
        } else {
            ki_column_write(to, row, value);
        }
    }
    move_end(store, edge, record, index, row);
}

static uint64_t move_lane_bit(const ki_component *component)
{
    return (uint64_t)1 << component->other % KI_LANES;
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
    *KI_COLUMN_AT(uint64_t, &store->entities.lanes, index) |= move_lane_bit(component);
    if (component->layout == KITH_SPARSE) {
        ki_sparse_insert(&component->in.sparse, entity, value);
    } else {
        ki_slots_insert(&component->in.slots, index, value);
    }
    if (KI_UNLIKELY(component->track != NULL)) {
        ki_track_append(component->track, &entity, 1);
    }
}

/* The usual case of ki_other_add, or false. */
KI_INLINE bool move_add_to_slots(ki_store *store, ki_component *component, uint32_t index,
                                 const void *value)
{
    const ki_space *space = &store->space;
    ki_slots *slots = &component->in.slots;
    ki_column *values = &slots->values;
    if (!ki_column_is_ready(space, &slots->bits, index / 64, KI_SLOTS_PAGE_SHIFT) ||
        (values->size != 0 && !ki_column_is_ready(space, values, index, values->shift))) {
        return false;
    }
    ki_slots_insert(slots, index, value);
    return true;
}

KI_INLINE bool move_add_to_sparse(ki_store *store, ki_component *component, kith_entity entity,
                                  const void *value)
{
    const ki_space *space = &store->space;
    ki_sparse *set = &component->in.sparse;
    ki_column *values = &set->values;
    if (!ki_column_is_ready(space, &set->rows, entity.index1 - 1, KI_SPARSE_PAGE_SHIFT) ||
        !ki_column_is_ready(space, &set->entities, set->count, KI_SMALL_SHIFT) ||
        !ki_column_is_ready(space, values, set->count, values->shift)) {
        return false;
    }
    ki_sparse_insert(set, entity, value);
    return true;
}

kith_result ki_other_add(ki_store *store, ki_component *component, kith_entity entity,
                         const void *value)
{
    uint32_t index = entity.index1 - 1;
    ki_column *lanes = &store->entities.lanes;
    ki_track *track = component->track;
    if (KI_UNLIKELY(track != NULL)) {
        KI_TRY(ki_track_reserve(&store->context.heap, track, 1, false));
    }
    if (KI_LIKELY(ki_column_is_ready(&store->space, lanes, index, KI_SMALL_SHIFT)) &&
        (component->layout == KITH_SPARSE ? move_add_to_sparse(store, component, entity, value)
                                          : move_add_to_slots(store, component, index, value))) {
        *KI_COLUMN_AT(uint64_t, lanes, index) |= move_lane_bit(component);
        if (KI_UNLIKELY(track != NULL)) {
            ki_track_append(track, &entity, 1);
        }
        return KITH_OK;
    }
    KI_TRY(ki_other_reserve(store, component, index));
    ki_other_insert(store, component, entity, value);
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

/* Notes that an entity is about to lose a component of another layout. */
static void move_note_lost(const ki_store *store, ki_component *component, uint32_t index)
{
    kith_entity entity = ki_entity_at(&store->entities, index);
    bool sparse = component->layout == KITH_SPARSE;
    uint32_t row = sparse ? ki_sparse_row1(&component->in.sparse, index) - 1 : index;
    ki_column *values = sparse ? &component->in.sparse.values : &component->in.slots.values;
    ki_track_append_lost(component->track, &entity, 1, values, &row);
}

void ki_other_remove(ki_store *store, ki_component *component, uint32_t index)
{
    if (KI_UNLIKELY(component->track != NULL)) {
        move_note_lost(store, component, index);
    }
    if (component->layout == KITH_SPARSE) {
        ki_sparse_remove(&component->in.sparse, index);
    } else {
        ki_slots_remove(&component->in.slots, index);
    }
    for (uint32_t i = component->other % KI_LANES;
         store->other_count > KI_LANES && i < store->other_count; i += KI_LANES) {
        if (ki_other_has(store->others[i], index)) {
            return;
        }
    }
    *KI_COLUMN_AT(uint64_t, &store->entities.lanes, index) &= ~move_lane_bit(component);
}

ki_component *ki_others_next(const ki_store *store, uint32_t index, uint32_t from)
{
    uint64_t lanes = ki_lanes_at(&store->entities, index);
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
    for (ki_component *other = ki_others_next(store, index, 0); other != NULL;
         other = ki_others_next(store, index, other->other + 1)) {
        ki_other_remove(store, other, index);
    }
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

/* Touches what the removal of one entity may write, given how many others leave its table and its
 * sparse sets before it: whoever moves into a hole comes from among the last rows. */
KI_RARE static bool move_touch_leaving(ki_store *store, uint32_t index)
{
    ki_space *space = &store->space;
    const ki_record *record = ki_record_at(&store->entities, index);
    ki_table *table = store->tables[record->table];
    ki_tracks_expect(store, table, NULL, 1);
    if (table->leaving < table->row_count) {
        table->leaving++;
    }
    uint32_t last = table->row_count - table->leaving;
    uint32_t moved = ki_table_entity(table, last).index1 - 1;
    bool ready = ki_record_touch(space, &store->entities, index) &&
                 ki_record_touch(space, &store->entities, moved) &&
                 ki_table_touch_removal(space, table, record->row) &&
                 ki_table_touch_removal(space, table, last);
    for (ki_component *other = ki_others_next(store, index, 0); other != NULL && ready;
         other = ki_others_next(store, index, other->other + 1)) {
        ready = ki_other_touch_leaving(store, other, index);
    }
    return ready;
}

KI_RARE bool ki_touch_removals(ki_store *store, const kith_entity *entities, uint32_t count)
{
    bool ready = true;
    for (uint32_t i = 0; i < count && ready; i++) {
        if (ki_record_of(&store->entities, entities[i]) != NULL) {
            ready = move_touch_leaving(store, entities[i].index1 - 1);
        }
    }
    ready = ready && ki_tracks_reserve_expected(store) == KITH_OK;
    ki_tracks_expect_nothing(store);
    for (uint32_t i = 0; i < count; i++) {
        const ki_record *record = ki_record_of(&store->entities, entities[i]);
        if (record != NULL) {
            store->tables[record->table]->leaving = 0;
        }
    }
    for (uint32_t i = 0; i < store->other_count; i++) {
        if (store->others[i]->layout == KITH_SPARSE) {
            store->others[i]->in.sparse.leaving = 0;
        }
    }
    return ready;
}
