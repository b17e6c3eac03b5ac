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

/* Where a row is in a column of small values: how many bytes into the list of blocks, and how many rows
 * into the block. */
KI_INLINE size_t move_block(uint32_t row)
{
    return (size_t)(row >> KI_SMALL_SHIFT) * sizeof(ki_block);
}

KI_INLINE size_t move_offset(uint32_t row)
{
    return row % KI_BLOCK_ROWS_MAX;
}

KI_INLINE uint8_t *move_data(const ki_column *column, size_t block)
{
    const uint8_t *blocks = (const uint8_t *)column->blocks;
    return ((const ki_block *)(const void *)(blocks + block))->data;
}

/* Fills the hole that a value leaves with the last one of its column, which may be the same: for the
 * sizes of a simple table. */
KI_INLINE void move_fill(const ki_column *column, size_t hole_block, size_t hole, size_t last_block,
                         size_t last)
{
    uint32_t size = column->size;
    if (KI_UNLIKELY(size == 0)) {
        return; /* a tag */
    }
    KI_EACH_TIME(hole);
    KI_EACH_TIME(last);
    ki_copy_few(move_data(column, hole_block) + hole * size,
                move_data(column, last_block) + last * size, size);
}

/* Makes the copies of an edge from this one on: each value goes to its new row, and the last of its
 * column into the hole that it leaves. Here those of any size, whose blocks may have fewer rows. */
static KI_NOINLINE kith_result move_unsized(const ki_edge_copy *copy, size_t hole_block,
                                            size_t hole, size_t last_block, size_t last, size_t row)
{
    uint32_t hole_row = (uint32_t)(hole_block / sizeof(ki_block) * KI_BLOCK_ROWS_MAX + hole);
    uint32_t last_row = (uint32_t)(last_block / sizeof(ki_block) * KI_BLOCK_ROWS_MAX + last);
    for (; copy->size != 0; copy++) {
        void *left = ki_column_at(copy->from, hole_row);
        ki_copy_value(ki_column_at_tail(copy->to, (uint32_t)row), left, copy->size);
        ki_copy_value(left, ki_column_at(copy->from, last_row), copy->size);
    }
    return KITH_OK;
}

/* Not a function: what it takes is to stay in its registers from one copy to the next. */
#define MOVE_COPY(copy, size)                                                                      \
    do {                                                                                           \
        KI_EACH_TIME(hole);                                                                        \
        KI_EACH_TIME(last);                                                                        \
        KI_EACH_TIME(row);                                                                         \
        uint8_t *left = move_data((copy)->from, hole_block) + hole * (size);                       \
        ki_copy_few((uint8_t *)(copy)->to->tail + row * (size), left, (size));                     \
        ki_copy_few(left, move_data((copy)->from, last_block) + last * (size), (size));            \
    } while (0)

/* The copies of few bytes, then the others. What is passed on is all in registers, so each is one
 * argument. */
static KI_NOINLINE kith_result move_few(const ki_edge_copy *copy, size_t hole_block, size_t hole,
                                        size_t last_block, size_t last, size_t row)
{
    for (; ki_is_few(copy->size); copy++) {
        MOVE_COPY(copy, copy->size);
    }
    return copy->size == 0 ? KITH_OK : move_unsized(copy, hole_block, hole, last_block, last, row);
}

/* The copies of 8 bytes, the usual ones. */
static KI_NOINLINE kith_result move_8(const ki_edge_copy *copy, size_t hole_block, size_t hole,
                                      size_t last_block, size_t last, size_t row)
{
    do {
        MOVE_COPY(copy, 8);
        copy++;
    } while (copy->size == 8);
    return copy->size == 0 ? KITH_OK : move_few(copy, hole_block, hole, last_block, last, row);
}

/* Fills the hole with the last handle of a table, and tells its entity so. */
KI_INLINE void move_fill_entity(ki_store *store, const ki_table *table, uint32_t hole,
                                uint32_t last)
{
    kith_entity *to = (void *)move_data(&table->entities, move_block(hole));
    const kith_entity *from = (const void *)move_data(&table->entities, move_block(last));
    to += move_offset(hole);
    from += move_offset(last);
    ki_copy_few(to, from, sizeof *to);
    ki_record_at(&store->entities, to->index1 - 1)->row = hole;
}

kith_result ki_move_along(ki_store *store, kith_entity entity, const ki_edge *edge,
                          ki_record *record, ki_table *from)
{
    ki_table *to = edge->to;
    uint32_t row = to->row_count++;
    ((kith_entity *)to->entities.tail)[row] = entity;
    record->table = to->id;
    uint32_t hole = record->row;
    uint32_t last = --from->row_count;
    record->row = row;
    if (hole != last) {
        move_fill_entity(store, from, hole, last);
    }
    return edge->copies->size == 8 ? move_8(edge->copies, move_block(hole), move_offset(hole),
                                            move_block(last), move_offset(last), row)
                                   : move_few(edge->copies, move_block(hole), move_offset(hole),
                                              move_block(last), move_offset(last), row);
}

/* Fills the hole in columns of a simple table, from one on: likewise all in registers. */
static KI_NOINLINE kith_result move_fill_rest(const ki_column *column, const ki_column *end,
                                              size_t hole_block, size_t hole, size_t last_block,
                                              size_t last)
{
    for (; column < end; column++) {
        move_fill(column, hole_block, hole, last_block, last);
    }
    return KITH_OK;
}

/* Fills the hole in a simple table with its last row. */
static KI_NOINLINE kith_result move_fill_row(ki_store *store, const ki_table *table, uint32_t hole,
                                             uint32_t last)
{
    move_fill_entity(store, table, hole, last);
    size_t hole_block = move_block(hole);
    size_t last_block = move_block(last);
    size_t to = move_offset(hole);
    size_t from = move_offset(last);
    const ki_column *column = table->columns;
    for (const ki_column *end = column + table->column_count; column < end; column++) {
        if (column->size != 8) {
            return move_fill_rest(column, end, hole_block, to, last_block, from);
        }
        KI_EACH_TIME(to);
        KI_EACH_TIME(from);
        ki_copy_few(move_data(column, hole_block) + to * 8,
                    move_data(column, last_block) + from * 8, 8);
    }
    return KITH_OK;
}

/* Fills the row with the last one, which is dropped, and may be the same. */
static KI_NOINLINE void move_remove(ki_store *store, ki_table *table, uint32_t row)
{
    uint32_t last = --table->row_count;
    if (table->hooked) {
        ki_table_drop_row(table, row);
    }
    if (row == last) {
        return;
    }
    if (KI_LIKELY(table->simple)) {
        move_fill_row(store, table, row, last);
        return;
    }
    move_fill_entity(store, table, row, last);
    for (uint32_t i = 0; i < table->column_count; i++) {
        ki_column_copy(&table->columns[i], row, &table->columns[i], last);
    }
}

static KI_NOINLINE kith_result move_end_slow(ki_store *store, ki_record *record, uint32_t index)
{
    move_remove(store, store->tables[record->table], record->row);
    ki_entities_release(&store->entities, record, index);
    return KITH_OK;
}

/* The life ends first, where no hook could see it: nothing of it has to be kept while values move. */
kith_result ki_entity_end(ki_store *store, ki_record *record, uint32_t index)
{
    ki_table *table = store->tables[record->table];
    if (!table->simple) {
        return move_end_slow(store, record, index);
    }
    uint32_t hole = record->row;
    ki_entities_release(&store->entities, record, index);
    uint32_t last = --table->row_count;
    return hole == last ? KITH_OK : move_fill_row(store, table, hole, last);
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

kith_result ki_move_step(ki_store *store, kith_entity entity, uint32_t id, const void *value)
{
    uint32_t index = entity.index1 - 1;
    ki_table *from = store->tables[ki_record_at(&store->entities, index)->table];
    const ki_edge *edge;
    KI_TRY(ki_store_step(store, from, id, &edge));
    KI_TRY(ki_move_reserve(store, edge, index));
    if (KI_UNLIKELY(!edge->is_step)) {
        ki_move(store, edge, index, value);
        return KITH_OK;
    }
    /* The value comes first: it may stand in the old row, or in the one that fills the hole. */
    ki_record *record = ki_record_at(&store->entities, index);
    if (edge->added != NULL) {
        ki_copy_usual(ki_column_at_tail(edge->added, edge->to->row_count), value,
                      edge->added->size);
    }
    ki_tracks_note(store, from, edge->to, &entity, &record->row, 1);
    uint32_t last = from->row_count - 1;
    if (edge->dropped != NULL && record->row != last) {
        ki_column_copy(edge->dropped, record->row, edge->dropped, last);
    }
    return ki_move_along(store, entity, edge, record, from);
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
                 ki_record_touch(space, &store->entities, moved) && ki_lanes_touch(store, index) &&
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
    ready = ready && ki_expected_reserve(store) == KITH_OK;
    ki_expected_forget(store);
    for (uint32_t i = 0; i < count; i++) {
        const ki_record *record = ki_record_of(&store->entities, entities[i]);
        if (record != NULL) {
            store->tables[record->table]->leaving = 0;
        }
    }
    return ready;
}
