/* Moves of one entity's row between tables. */
#include "store/store.h"

static kith_result move_reserve_watched(ki_store *store, const ki_edge *edge, uint32_t index)
{
    const ki_record *record = ki_record_at(&store->entities, index);
    const ki_table *from = store->tables[record->table];
    KI_TRY(ki_tracks_reserve(store, from, edge->to, 1));
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

/* Copies a value that may be copied onto itself. Inlined, with a size that is 4, 8, 12 or 16. */
KI_INLINE void move_value(uint8_t *to, const uint8_t *from, uint32_t size)
{
    uint32_t words[4];
    memcpy(words, from, size);
    memcpy(to, words, size);
}

KI_INLINE uint8_t *move_at(const ki_block *blocks, uint32_t row, uint32_t size)
{
    return blocks[row >> KI_SMALL_SHIFT].data + (size_t)(row % KI_BLOCK_ROWS_MAX) * size;
}

/* Makes the copies for values of one size, and fills the holes that they leave. */
KI_INLINE const ki_edge_copy *move_sized(const ki_edge_copy *copy, uint32_t hole, uint32_t last,
                                         uint32_t row, uint32_t size)
{
    for (; copy->size == size; copy++) {
        const ki_block *blocks = copy->from->blocks;
        uint8_t *left = move_at(blocks, hole, size);
        const uint8_t *end = move_at(blocks, last, size);
        memcpy((uint8_t *)copy->to->tail + (size_t)row * size, left, size);
        move_value(left, end, size);
    }
    return copy;
}

/* The same for the sizes that are left. */
static void move_unsized(const ki_edge_copy *copy, uint32_t hole, uint32_t last, uint32_t row)
{
    for (; copy->size != 0; copy++) {
        ki_copy_value(ki_column_at_tail(copy->to, row), ki_column_at(copy->from, hole), copy->size);
        ki_copy_value(ki_column_at(copy->from, hole), ki_column_at(copy->from, last), copy->size);
    }
}

/* Copies one row of a column onto another, which may be the same: for the sizes of a simple table. */
KI_INLINE void move_fill(const ki_column *column, uint32_t hole, uint32_t last)
{
    uint32_t size = column->size;
    if (KI_UNLIKELY(size == 0)) {
        return; /* a tag */
    }
    uint8_t *to = move_at(column->blocks, hole, size);
    const uint8_t *from = move_at(column->blocks, last, size);
    if (KI_LIKELY(size == 8)) {
        move_value(to, from, 8);
    } else if (size == 12) {
        move_value(to, from, 12);
    } else if (size == 4) {
        move_value(to, from, 4);
    } else if (size == 16) {
        move_value(to, from, 16);
    }
}

/* A move along a step, to a table that has room. The value comes first: it may stand in the old row,
 * or in the one that fills the hole. */
KI_INLINE void move_along(ki_store *store, ki_table *from, const ki_edge *edge, ki_record *record,
                          kith_entity entity, const void *value)
{
    ki_table *to = edge->to;
    uint32_t hole = record->row;
    uint32_t last = --from->row_count;
    uint32_t row = to->row_count++;
    if (edge->added != NULL) {
        ki_write_value(ki_column_at_tail(edge->added, row), value, edge->added->size);
    } else if (KI_LIKELY(from->simple)) {
        move_fill(edge->dropped, hole, last);
    } else if (hole != last) {
        ki_column_copy(edge->dropped, hole, edge->dropped, last);
    }
    const ki_edge_copy *copy = edge->copies;
    copy = move_sized(copy, hole, last, row, 4);
    copy = move_sized(copy, hole, last, row, 8);
    copy = move_sized(copy, hole, last, row, 12);
    copy = move_sized(copy, hole, last, row, 16);
    if (KI_UNLIKELY(copy->size != 0)) {
        move_unsized(copy, hole, last, row);
    }
    ((kith_entity *)to->entities.tail)[row] = entity;
    kith_entity moved = ki_table_entity(from, last);
    *KI_COLUMN_AT(kith_entity, &from->entities, hole) = moved;
    ki_record_at(&store->entities, moved.index1 - 1)->row = hole;
    record->table = to->id;
    record->row = row;
}

static KI_NOINLINE void move_fill_any(ki_table *table, uint32_t row, uint32_t last)
{
    if (KI_UNLIKELY(table->hooked)) {
        ki_table_drop_row(table, row);
    }
    for (uint32_t i = 0; row != last && i < table->column_count; i++) {
        ki_column_copy(&table->columns[i], row, &table->columns[i], last);
    }
}

/* Fills the row with the last one, which is dropped, and may be the same. */
KI_INLINE void move_remove(ki_store *store, ki_table *table, uint32_t row)
{
    uint32_t last = --table->row_count;
    if (KI_LIKELY(table->simple)) {
        const ki_column *end = table->columns + table->column_count;
        for (const ki_column *column = table->columns; column < end; column++) {
            move_fill(column, row, last);
        }
    } else {
        move_fill_any(table, row, last);
    }
    kith_entity moved = *KI_COLUMN_AT(kith_entity, &table->entities, last);
    *KI_COLUMN_AT(kith_entity, &table->entities, row) = moved;
    ki_record_at(&store->entities, moved.index1 - 1)->row = row;
}

kith_result ki_entity_end(ki_store *store, uint32_t index)
{
    ki_record *record = ki_record_at(&store->entities, index);
    move_remove(store, store->tables[record->table], record->row);
    ki_entities_release(&store->entities, record, index);
    return KITH_OK;
}

uint32_t ki_move_begin(ki_store *store, const ki_edge *edge, uint32_t index)
{
    const ki_record *record = ki_record_at(&store->entities, index);
    uint32_t row = ki_table_append(edge->to, (kith_entity){index + 1, record->generation});
    for (uint32_t i = 0, count = edge->copy_count; i < count; i++) {
        ki_column_copy(edge->copies[i].to, row, edge->copies[i].from, record->row);
    }
    return row;
}

void ki_move_end(ki_store *store, const ki_edge *edge, uint32_t index, uint32_t row)
{
    ki_record *record = ki_record_at(&store->entities, index);
    ki_table *from = store->tables[record->table];
    kith_entity entity = {index + 1, record->generation};
    ki_tracks_note(store, from, edge->to, &entity, &record->row, 1);
    move_remove(store, from, record->row);
    record->table = edge->to->id;
    record->row = row;
}

void ki_move(ki_store *store, const ki_edge *edge, uint32_t index, const void *value)
{
    uint32_t row = ki_move_begin(store, edge, index);
    if (edge->added != NULL) {
        ki_column_write(edge->added, row, value);
    }
    ki_move_end(store, edge, index, row);
}

/* ki_move_step where more is to be done than to copy. */
static KI_NOINLINE kith_result move_step_slow(ki_store *store, uint32_t index, uint32_t id,
                                              const void *value)
{
    ki_table *from = store->tables[ki_record_at(&store->entities, index)->table];
    const ki_edge *edge;
    KI_TRY(ki_store_step(store, from, id, &edge));
    KI_TRY(ki_move_reserve(store, edge, index));
    ki_move(store, edge, index, value);
    return KITH_OK;
}

/* Notes what a step does to its component, if that is tracked. False: that takes more than to append,
 * and nothing was done. */
KI_INLINE bool move_note_step(const ki_store *store, const ki_edge *edge, uint32_t id,
                              kith_entity entity)
{
    if (KI_LIKELY(store->table_track_count == 0)) {
        return true;
    }
    ki_track *track = ki_store_component(store, id)->track;
    return track == NULL || ki_track_append_ready(track, entity, edge->added == NULL);
}

kith_result ki_move_step(ki_store *store, ki_table *from, ki_record *record, kith_entity entity,
                         uint32_t id, const void *value)
{
    const ki_edge *edge = ki_table_step(from, id);
    if (KI_UNLIKELY(edge == NULL || !edge->is_step || !ki_table_has_room(edge->to) ||
                    !ki_space_is_unseen(&store->space) ||
                    !move_note_step(store, edge, id, entity))) {
        return move_step_slow(store, entity.index1 - 1, id, value);
    }
    move_along(store, from, edge, record, entity, value);
    return KITH_OK;
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
