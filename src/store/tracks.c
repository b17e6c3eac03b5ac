#include "store/tracks.h"

/* ---- Who is tracked -------------------------------------------------------------------------- */

static uint64_t tracks_bit(uint32_t column)
{
    return (uint64_t)1 << ki_min_u32(column, KI_TRACKED_MANY);
}

/* The first column at or after `column` whose component is tracked; KI_NO_COLUMN if there is none. */
static uint32_t tracks_find(const ki_store *store, const ki_table *table, uint32_t column)
{
    if (column < KI_TRACKED_MANY) {
        uint64_t rest = table->tracked >> column;
        if (rest == 0) {
            return KI_NO_COLUMN;
        }
        column += ki_lowest_bit(rest);
        if (column < KI_TRACKED_MANY) {
            return column;
        }
    }
    while (column < table->rows.column_count &&
           ki_store_component(store, table->ids[column])->track == NULL) {
        column++;
    }
    return column < table->rows.column_count ? column : KI_NO_COLUMN;
}

void ki_tracks_mark(const ki_store *store, ki_table *table)
{
    table->tracked = 0;
    for (uint32_t i = 0; i < table->rows.column_count; i++) {
        if (ki_store_component(store, table->ids[i])->track != NULL) {
            table->tracked |= tracks_bit(i);
        }
    }
}

/* Has all tables of a component know whether it is tracked. */
static void tracks_mark_all(const ki_store *store, const ki_component *component)
{
    const ki_bitset *tables = &component->in.tables;
    for (uint32_t id = ki_bitset_next(tables, 0); id != UINT32_MAX;
         id = ki_bitset_next(tables, id + 1)) {
        ki_tracks_mark(store, store->tables[id]);
    }
}

kith_result ki_tracks_begin(ki_store *store, ki_component *component)
{
    ki_heap *heap = &store->context.heap;
    KI_TRY(ki_heap_grow(heap, &store->tracked, &store->track_capacity, store->track_count + 1,
                        sizeof(ki_component *), 2));
    component->track =
        ki_track_new(heap, component->type->size, component->type->align, component->hooks);
    if (component->track == NULL) {
        return KITH_ERR_MEMORY;
    }
    component->track->place = store->track_count;
    store->tracked[store->track_count++] = component;
    if (component->layout == KITH_TABLE) {
        store->table_track_count++;
        tracks_mark_all(store, component);
    }
    return KITH_OK;
}

void ki_tracks_end_unread(ki_store *store, ki_component *component)
{
    if (component->track->readers != NULL || component->track->exact != NULL) {
        return;
    }
    ki_component *last = store->tracked[--store->track_count];
    last->track->place = component->track->place;
    store->tracked[last->track->place] = last;
    ki_track_free(&store->context.heap, component->track);
    component->track = NULL;
    if (component->layout == KITH_TABLE) {
        store->table_track_count--;
        tracks_mark_all(store, component);
    }
}

const char *ki_tracks_check(const ki_store *store, const ki_table *table)
{
    uint64_t tracked = 0;
    for (uint32_t i = 0; i < table->rows.column_count; i++) {
        bool is_tracked = ki_store_component(store, table->ids[i])->track != NULL;
        tracked |= is_tracked ? tracks_bit(i) : 0;
    }
    return tracked == table->tracked ? NULL : "a table does not know which components are tracked";
}

/* ---- From one table to another --------------------------------------------------------------- */

uint32_t ki_tracks_next(const ki_store *store, const ki_table *table, const ki_table *other,
                        uint32_t column)
{
    column = table == NULL ? KI_NO_COLUMN : tracks_find(store, table, column);
    while (other != NULL && column != KI_NO_COLUMN && ki_table_has(other, table->ids[column])) {
        column = tracks_find(store, table, column + 1);
    }
    return column;
}

static ki_track *tracks_of(const ki_store *store, const ki_table *table, uint32_t column)
{
    return ki_store_component(store, table->ids[column])->track;
}

static kith_result tracks_reserve_side(ki_store *store, const ki_table *table,
                                       const ki_table *other, uint32_t count, bool lost)
{
    for (uint32_t i = 0; (i = ki_tracks_next(store, table, other, i)) != KI_NO_COLUMN; i++) {
        KI_TRY(ki_track_reserve(&store->context.heap, tracks_of(store, table, i), count, lost));
    }
    return KITH_OK;
}

kith_result ki_tracks_reserve_slow(ki_store *store, const ki_table *from, const ki_table *to,
                                   uint32_t count)
{
    KI_TRY(tracks_reserve_side(store, from, to, count, true));
    return tracks_reserve_side(store, to, from, count, false);
}

void ki_tracks_note_slow(ki_store *store, const ki_table *from, const ki_table *to,
                         const kith_entity *entities, const uint32_t *rows, uint32_t count)
{
    for (uint32_t i = 0; (i = ki_tracks_next(store, from, to, i)) != KI_NO_COLUMN; i++) {
        ki_track_append_lost(tracks_of(store, from, i), entities, count, &from->rows.columns[i],
                             rows);
    }
    for (uint32_t i = 0; (i = ki_tracks_next(store, to, from, i)) != KI_NO_COLUMN; i++) {
        ki_track_append(tracks_of(store, to, i), entities, count);
    }
}
