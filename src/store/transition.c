/* KI_NOINLINE keeps the usual case of a change short: without it, the rows add-remove and tag of the
 * bench take 3 to 5 % more. The same goes for KI_LIKELY. */
#include "store/transition.h"

#include "store/change_set.h"
#include "store/storages.h"
#include "store/table_logs.h"

/* ---- Rows of tables --------------------------------------------------------------------------- */

/* A row that an entity leaves, and the last one, which fills the hole. */
typedef struct transition_hole {
    uint32_t row;
    uint32_t last;
    uint32_t filler; /* the slot of the entity in the last row */
} transition_hole;

static inline transition_hole transition_find_hole(const ki_table *table, uint32_t row)
{
    uint32_t last = table->rows.count - 1;
    return (transition_hole){row, last, ki_rows_entity(&table->rows, last).index1 - 1};
}

/* Whether the row of an entity can be left as things are, where rows are uniform: it, the last one and
 * both records are marked. */
static inline bool transition_is_marked(const ki_store *store, const ki_table *table,
                                        uint32_t index, transition_hole hole)
{
    const ki_column_context *columns = &store->columns;
    return ki_rows_is_marked(columns, &table->rows, hole.row) &&
           ki_rows_is_marked(columns, &table->rows, hole.last) &&
           ki_record_is_marked(columns, &store->entities, index) &&
           ki_record_is_marked(columns, &store->entities, hole.filler);
}

/* Makes it so. KITH_ERR_MEMORY. */
static kith_result transition_mark(ki_store *store, ki_table *table, uint32_t index,
                                   transition_hole hole)
{
    ki_column_context *columns = &store->columns;
    return ki_rows_mark(columns, &table->rows, hole.row) &&
                   ki_rows_mark(columns, &table->rows, hole.last) &&
                   ki_record_mark(columns, &store->entities, index) &&
                   ki_record_mark(columns, &store->entities, hole.filler)
               ? KITH_OK
               : KITH_ERR_MEMORY;
}

/* Takes a row out of a table. */
static inline void transition_remove_row(ki_store *store, ki_table *table, transition_hole hole)
{
    ki_rows_remove(&table->rows, hole.row, hole.last);
    if (hole.row != hole.last) {
        ki_record_at(&store->entities, hole.filler)->row = hole.row;
    }
}

/* ---- From one table to another ---------------------------------------------------------------- */

/* Appends a row to the new table and copies what both tables have. */
static inline uint32_t transition_copy_row(const ki_edge *edge, kith_entity entity, uint32_t from)
{
    bool simple = edge->simple;
    uint32_t row = ki_rows_append(&edge->to->rows, entity);
    const ki_edge_copy *copy = edge->copies;
    for (const ki_edge_copy *end = copy + edge->copy_count; copy < end; copy++) {
        if (simple) {
            ki_copy_small(ki_column_at_small(copy->to, row), ki_column_at_small(copy->from, from),
                          copy->to->size);
        } else {
            ki_column_copy(copy->to, row, copy->from, from);
        }
    }
    return row;
}

/* Takes the old row out and makes the record lead to the new one. */
static inline void transition_end_move(ki_store *store, const ki_edge *edge, ki_table *from,
                                       ki_record *record, uint32_t row, transition_hole hole)
{
    record->table = edge->to->id;
    record->row = row;
    transition_remove_row(store, from, hole);
}

kith_result ki_move_reserve(ki_store *store, const ki_edge *edge, uint32_t index)
{
    const ki_record *record = ki_record_at(&store->entities, index);
    ki_table *from = store->tables[record->table];
    KI_TRY(ki_table_logs_reserve(store, from, edge->to, 1));
    KI_TRY(ki_rows_reserve(&store->columns, &edge->to->rows, 1));
    return transition_mark(store, from, index, transition_find_hole(from, record->row));
}

uint32_t ki_move_begin(ki_store *store, const ki_edge *edge, uint32_t index)
{
    return transition_copy_row(edge, ki_entity_at(&store->entities, index),
                               ki_record_at(&store->entities, index)->row);
}

void ki_move_end(ki_store *store, const ki_edge *edge, uint32_t index, uint32_t row)
{
    ki_record *record = ki_record_at(&store->entities, index);
    ki_table *from = store->tables[record->table];
    kith_entity entity = ki_entity_at(&store->entities, index);
    ki_table_logs_append(store, from, edge->to, &entity, &record->row, 1);
    transition_end_move(store, edge, from, record, row, transition_find_hole(from, record->row));
}

/* Adds a KITH_TABLE component that the entity lacks, or removes one that it has, whatever it takes. */
static KI_NOINLINE kith_result transition_step(ki_store *store, kith_entity entity, uint32_t id,
                                               const void *value, bool adds)
{
    uint32_t index = entity.index1 - 1;
    ki_table *from = store->tables[ki_record_at(&store->entities, index)->table];
    if (!adds && !ki_table_has(from, id)) {
        return ki_without_message(&store->context.heap, KITH_ERR_ABSENT);
    }
    const ki_edge *edge;
    ki_columns_free_deferred(&store->columns);
    KI_TRY(ki_store_edge(store, from, id, &edge));
    KI_TRY(ki_move_reserve(store, edge, index));
    uint32_t row = ki_move_begin(store, edge, index);
    if (edge->added != NULL) {
        ki_column_write(edge->added, row, value);
    }
    ki_move_end(store, edge, index, row);
    return KITH_OK;
}

kith_result ki_transition_step(ki_store *store, kith_entity entity, ki_record *record,
                               const ki_component *component, const void *value, uint32_t change)
{
    ki_table *from = store->tables[record->table];
    const ki_edge *edge = ki_table_recent_edge(from, change);
    bool adds = (change & 1) == 0;
    transition_hole hole = transition_find_hole(from, record->row);
    if (KI_UNLIKELY(edge == NULL || !ki_rows_has_room(&store->columns, &edge->to->rows) ||
                    !transition_is_marked(store, from, entity.index1 - 1, hole) ||
                    !ki_change_log_note_ready(component->change_log, entity, !adds))) {
        return transition_step(store, entity, component->id, value, adds);
    }
    uint32_t row = transition_copy_row(edge, entity, hole.row);
    if (adds && edge->added->size != 0) {
        ki_write_small(ki_column_at_small(edge->added, row), value, edge->added->size);
    }
    transition_end_move(store, edge, from, record, row, hole);
    return KITH_OK;
}

/* ---- Other layouts ---------------------------------------------------------------------------- */

static KI_NOINLINE kith_result transition_enter(ki_store *store, kith_entity entity,
                                                ki_component *component, const void *value)
{
    ki_columns_free_deferred(&store->columns);
    KI_TRY(ki_storage_reserve(&store->columns, &store->entities, component, entity.index1 - 1));
    ki_storage_insert(&store->entities, component, entity, value);
    return KITH_OK;
}

kith_result ki_transition_enter(ki_store *store, kith_entity entity, ki_component *component,
                                const void *value)
{
    if (KI_UNLIKELY(
            !ki_storage_is_ready(&store->columns, &store->entities, component, entity.index1 - 1) ||
            !ki_change_log_note_ready(component->change_log, entity, false))) {
        return transition_enter(store, entity, component, value);
    }
    ki_storage_insert_unlogged(&store->entities, component, entity, value);
    return KITH_OK;
}

/* ---- Whole transitions ------------------------------------------------------------------------ */

kith_result ki_transition_clear(ki_store *store, kith_entity entity, const ki_record *record)
{
    uint32_t index = entity.index1 - 1;
    ki_table *from = store->tables[record->table];
    const ki_edge *edge = NULL;
    if (from != store->root) {
        edge = ki_table_edge(&store->columns, from, store->root);
        if (edge == NULL) {
            return KITH_ERR_MEMORY;
        }
        KI_TRY(ki_move_reserve(store, edge, index));
    }
    KI_TRY(ki_storages_take_all(store, entity));
    if (edge != NULL) {
        ki_move_end(store, edge, index, ki_move_begin(store, edge, index));
    }
    return KITH_OK;
}

/* Notes what an entity loses with its row. The usual case takes no addresses: it needs no stack. */
static inline void transition_note_end(ki_store *store, ki_table *table, kith_entity entity,
                                       uint32_t row)
{
    if (KI_UNLIKELY(table->logged != 0)) {
        const kith_entity ended = entity;
        const uint32_t left = row;
        ki_table_logs_append(store, table, NULL, &ended, &left, 1);
    }
}

/* Ends the entity, whatever it takes. */
static kith_result transition_end(ki_store *store, kith_entity entity)
{
    uint32_t index = entity.index1 - 1;
    const ki_record *record = ki_record_at(&store->entities, index);
    ki_table *table = store->tables[record->table];
    transition_hole hole = transition_find_hole(table, record->row);
    KI_TRY(ki_table_logs_reserve(store, table, NULL, 1));
    KI_TRY(transition_mark(store, table, index, hole));
    store->despawning = true;
    kith_result taken = ki_storages_take_all(store, entity);
    if (taken == KITH_OK) {
        transition_note_end(store, table, entity, hole.row);
    }
    store->despawning = false;
    KI_TRY(taken);
    transition_remove_row(store, table, hole);
    ki_entities_release(&store->entities, ki_record_at(&store->entities, index), index);
    return KITH_OK;
}

/* Ends an entity that has nothing in other layouts any more. */
static void transition_end_reserved(ki_store *store, kith_entity entity, ki_record *record)
{
    ki_table *table = store->tables[record->table];
    transition_hole hole = transition_find_hole(table, record->row);
    transition_note_end(store, table, entity, hole.row);
    transition_remove_row(store, table, hole);
    ki_entities_release(&store->entities, record, entity.index1 - 1);
}

uint32_t ki_transition_end_reserved(ki_store *store, const kith_entity *entities, uint32_t count)
{
    kith_entity living[KI_SLICE];
    uint32_t ended = 0;
    store->despawning = true;
    for (uint32_t i = 0; i < count;) {
        uint32_t found = 0;
        for (; i < count && found < KI_SLICE; i++) {
            living[found] = entities[i];
            found += ki_record_of(&store->entities, entities[i]) != NULL;
        }
        ki_storages_remove_many(store, living, found, false);
        for (uint32_t k = 0; k < found; k++) {
            ki_record *record = ki_record_of(&store->entities, living[k]);
            if (record != NULL) { /* else it is named twice */
                transition_end_reserved(store, living[k], record);
                ended++;
            }
        }
    }
    store->despawning = false;
    return ended;
}

kith_result ki_transition_end(ki_store *store, kith_entity entity, ki_record *record)
{
    uint32_t index = entity.index1 - 1;
    if (ki_summary_at(&store->entities, index) != 0) {
        return transition_end(store, entity);
    }
    ki_table *table = store->tables[record->table];
    transition_hole hole = transition_find_hole(table, record->row);
    if (KI_UNLIKELY(!table->rows.simple || table->logged != 0 ||
                    !transition_is_marked(store, table, index, hole))) {
        return transition_end(store, entity);
    }
    ki_entities_release(&store->entities, record, index);
    transition_remove_row(store, table, hole);
    return KITH_OK;
}
