#include "store/transition.h"

#include "store/tracks.h"

/* ---- Rows of tables --------------------------------------------------------------------------- */

/* The slot of the entity in the last row of a table, which fills the hole that another one leaves. */
static inline uint32_t transition_last(const ki_table *table)
{
    return ki_rows_entity(&table->rows, table->rows.count - 1).index1 - 1;
}

/* Makes the row of an entity ready to be left, and the last one, and both records. */
static bool transition_mark_slow(ki_store *store, ki_table *table, uint32_t index, uint32_t row)
{
    return ki_rows_mark_removal(&store->space, &table->rows, row) &&
           ki_record_touch(&store->space, &store->entities, index) &&
           ki_record_touch(&store->space, &store->entities, transition_last(table));
}

/* The same, where most often all is ready. */
static inline bool transition_mark(ki_store *store, ki_table *table, uint32_t index, uint32_t row)
{
    const ki_space *space = &store->space;
    bool marked = ki_rows_is_marked(space, &table->rows, row) &&
                  ki_rows_is_marked(space, &table->rows, table->rows.count - 1) &&
                  ki_record_is_marked(space, &store->entities, index) &&
                  ki_record_is_marked(space, &store->entities, transition_last(table));
    return KI_LIKELY(marked) || transition_mark_slow(store, table, index, row);
}

/* Takes a row out of a table. */
static inline void transition_remove_row(ki_store *store, ki_table *table, uint32_t row)
{
    uint32_t last = transition_last(table);
    if (ki_rows_remove(&table->rows, row)) {
        ki_record_at(&store->entities, last)->row = row;
    }
}

/* ---- From one table to another ---------------------------------------------------------------- */

static inline kith_result transition_reserve_move(ki_store *store, const ki_edge *edge,
                                                  ki_table *from, uint32_t index, uint32_t row)
{
    KI_TRY(ki_rows_reserve(&store->space, &edge->to->rows, 1));
    KI_TRY(ki_tracks_reserve(store, from, edge->to, 1));
    return transition_mark(store, from, index, row) ? KITH_OK : KITH_ERR_MEMORY;
}

/* transition_copy_row for values of any size and with hooks. */
static uint32_t transition_copy_row_slow(const ki_edge *edge, uint32_t row, uint32_t from)
{
    for (uint32_t i = 0; i < edge->copy_count; i++) {
        ki_column_copy(edge->copies[i].to, row, edge->copies[i].from, from);
    }
    return row;
}

/* Appends a row to the new table and copies what both tables have. */
static inline uint32_t transition_copy_row(const ki_edge *edge, kith_entity entity, uint32_t from)
{
    uint32_t row = ki_rows_append(&edge->to->rows, entity);
    if (KI_UNLIKELY(!edge->simple)) {
        return transition_copy_row_slow(edge, row, from);
    }
    const ki_edge_copy *copy = edge->copies;
    for (const ki_edge_copy *end = copy + edge->copy_count; copy < end; copy++) {
        ki_copy_small(ki_column_at_small(copy->to, row), ki_column_at_small(copy->from, from),
                      copy->to->size);
    }
    return row;
}

static inline void transition_end_move(ki_store *store, const ki_edge *edge, ki_table *from,
                                       kith_entity entity, uint32_t row)
{
    ki_record *record = ki_record_at(&store->entities, entity.index1 - 1);
    if (KI_UNLIKELY(ki_tables_are_tracked(from, edge->to))) {
        ki_tracks_note_slow(store, from, edge->to, &(kith_entity){entity.index1, entity.generation},
                            &record->row, 1);
    }
    transition_remove_row(store, from, record->row);
    record->table = edge->to->id;
    record->row = row;
}

kith_result ki_move_reserve(ki_store *store, const ki_edge *edge, uint32_t index)
{
    const ki_record *record = ki_record_at(&store->entities, index);
    return transition_reserve_move(store, edge, store->tables[record->table], index, record->row);
}

uint32_t ki_move_begin(ki_store *store, const ki_edge *edge, uint32_t index)
{
    return transition_copy_row(edge, ki_entity_at(&store->entities, index),
                               ki_record_at(&store->entities, index)->row);
}

void ki_move_end(ki_store *store, const ki_edge *edge, uint32_t index, uint32_t row)
{
    ki_table *from = store->tables[ki_record_at(&store->entities, index)->table];
    transition_end_move(store, edge, from, ki_entity_at(&store->entities, index), row);
}

/* Makes the edge that adds a component to a table, or removes one that it has. */
static kith_result transition_make_edge(ki_store *store, ki_table *from, uint32_t id)
{
    const ki_edge *edge;
    return ki_store_step(store, from, id, &edge);
}

/* Adds a KITH_TABLE component that the entity lacks, or removes one that it has. */
static kith_result transition_step(ki_store *store, kith_entity entity, const ki_record *record,
                                   uint32_t id, const void *value)
{
    ki_table *from = store->tables[record->table];
    const ki_edge *edge = ki_table_step(from, id);
    if (KI_UNLIKELY(edge == NULL)) {
        KI_TRY(transition_make_edge(store, from, id));
        edge = ki_table_step(from, id);
    }
    KI_TRY(transition_reserve_move(store, edge, from, entity.index1 - 1, record->row));
    record = ki_record_at(&store->entities, entity.index1 - 1);
    uint32_t row = transition_copy_row(edge, entity, record->row);
    if (edge->added != NULL) {
        ki_column_write(edge->added, row, value);
    }
    transition_end_move(store, edge, from, entity, row);
    return KITH_OK;
}

/* ---- Whole transitions ------------------------------------------------------------------------ */

kith_result ki_transition_add(ki_store *store, kith_entity entity, const ki_record *record,
                              ki_component *component, const void *value)
{
    if (component->layout == KITH_TABLE) {
        return transition_step(store, entity, record, component->id, value);
    }
    KI_TRY(ki_other_reserve(&store->space, &store->entities, component, entity.index1 - 1));
    ki_other_insert(&store->entities, component, entity, value);
    return KITH_OK;
}

kith_result ki_transition_remove(ki_store *store, kith_entity entity, const ki_record *record,
                                 ki_component *component)
{
    if (component->layout == KITH_TABLE) {
        return ki_table_has(store->tables[record->table], component->id)
                   ? transition_step(store, entity, record, component->id, NULL)
                   : ki_untold(&store->context.heap, KITH_ERR_ABSENT);
    }
    if (!ki_other_has(component, entity.index1 - 1)) {
        return ki_untold(&store->context.heap, KITH_ERR_ABSENT);
    }
    KI_TRY(ki_other_reserve_removal(&store->space, component, entity.index1 - 1));
    ki_other_remove(component, entity);
    return KITH_OK;
}

kith_result ki_transition_clear(ki_store *store, kith_entity entity, const ki_record *record)
{
    uint32_t index = entity.index1 - 1;
    ki_table *from = store->tables[record->table];
    const ki_edge *edge = NULL;
    if (from != store->root) {
        edge = ki_table_edge(&store->space, from, store->root);
        if (edge == NULL) {
            return KITH_ERR_MEMORY;
        }
        KI_TRY(ki_move_reserve(store, edge, index));
    }
    KI_TRY(ki_others_reserve_removal(store, index));
    ki_others_remove(store, entity);
    if (edge != NULL) {
        ki_move_end(store, edge, index, ki_move_begin(store, edge, index));
    }
    return KITH_OK;
}

kith_result ki_transition_end(ki_store *store, kith_entity entity, const ki_record *record)
{
    uint32_t index = entity.index1 - 1;
    ki_table *table = store->tables[record->table];
    KI_TRY(ki_tracks_reserve(store, table, NULL, 1));
    KI_TRY(transition_mark(store, table, index, record->row) ? KITH_OK : KITH_ERR_MEMORY);
    KI_TRY(ki_others_reserve_removal(store, index));
    ki_others_remove(store, entity);
    ki_record *ended = ki_record_at(&store->entities, index);
    if (KI_UNLIKELY(ki_tables_are_tracked(table, NULL))) {
        ki_tracks_note_slow(store, table, NULL, &(kith_entity){entity.index1, entity.generation},
                            &ended->row, 1);
    }
    transition_remove_row(store, table, ended->row);
    ki_entities_release(&store->entities, ended, index);
    return KITH_OK;
}
