/* The tracks of KITH_TABLE components: what an entity gets and loses is what one table has and the
 * other has not. What that is, is remembered for the pairs of tables that were asked about last. */
#include "store/store.h"

/* ---- Who is tracked -------------------------------------------------------------------------- */

void ki_tracks_forget_tables(ki_store *store)
{
    for (uint32_t i = 0; i < KI_PASSAGES; i++) {
        store->passages[i].from = NULL;
        store->passages[i].to = NULL;
        store->passages[i].step_count = 0;
        store->passages[i].only = NULL;
    }
}

/* Room for one more tracked component, in the list and in each passage. */
static kith_result tracks_grow(ki_store *store)
{
    ki_heap *heap = &store->context.heap;
    if (store->track_count < store->track_capacity) {
        return KITH_OK;
    }
    uint32_t old = store->track_capacity;
    uint32_t grown = old == 0 ? 2 : old * 2;
    ki_passage_step *steps =
        ki_heap_take(heap, (size_t)grown * KI_PASSAGES * sizeof *steps, _Alignof(max_align_t));
    if (steps == NULL || ki_heap_grow(heap, &store->tracked, &store->track_capacity, grown,
                                      sizeof(ki_component *), grown) != KITH_OK) {
        ki_heap_give(heap, steps, (size_t)grown * KI_PASSAGES * sizeof *steps,
                     _Alignof(max_align_t));
        return KITH_ERR_MEMORY;
    }
    ki_heap_give(heap, store->passages[0].steps, (size_t)old * KI_PASSAGES * sizeof *steps,
                 _Alignof(max_align_t));
    for (uint32_t i = 0; i < KI_PASSAGES; i++) {
        store->passages[i].steps = steps + (size_t)i * grown;
    }
    ki_tracks_forget_tables(store);
    return KITH_OK;
}

KI_RARE kith_result ki_tracks_begin(ki_store *store, ki_component *component)
{
    ki_heap *heap = &store->context.heap;
    KI_TRY(tracks_grow(store));
    component->track =
        ki_track_new(heap, component->type->size, component->type->align, component->hooks);
    if (component->track == NULL) {
        return KITH_ERR_MEMORY;
    }
    uint32_t place = store->track_count++;
    if (component->layout == KITH_TABLE) {
        store->tracked[place] = store->tracked[store->table_track_count];
        place = store->table_track_count++;
    }
    store->tracked[place] = component;
    ki_tracks_forget_tables(store); /* who passes from now on may get what is tracked */
    return KITH_OK;
}

KI_RARE void ki_tracks_end_unread(ki_store *store, ki_component *component)
{
    if (component->track->readers != NULL || component->track->exact != NULL) {
        return;
    }
    uint32_t place = 0;
    while (store->tracked[place] != component) {
        place++;
    }
    if (component->layout == KITH_TABLE) {
        store->tracked[place] = store->tracked[--store->table_track_count];
        place = store->table_track_count;
    }
    store->tracked[place] = store->tracked[--store->track_count];
    ki_track_free(&store->context.heap, component->track);
    component->track = NULL;
    ki_tracks_forget_tables(store);
}

/* ---- From one table to another --------------------------------------------------------------- */

KI_RARE static void tracks_fill(const ki_store *store, ki_passage *passage, const ki_table *from,
                                const ki_table *to)
{
    passage->from = from;
    passage->to = to;
    passage->step_count = 0;
    for (uint32_t i = 0; i < store->table_track_count; i++) {
        const ki_component *component = store->tracked[i];
        uint32_t column = from == NULL ? KI_NO_COLUMN : ki_table_find(from, component->id);
        bool has = to != NULL && ki_table_find(to, component->id) != KI_NO_COLUMN;
        if (has != (column != KI_NO_COLUMN)) {
            passage->steps[passage->step_count++] = (ki_passage_step){component->track, column};
        }
    }
    bool only = passage->step_count == 1 && passage->steps[0].column == KI_NO_COLUMN;
    passage->only = only ? passage->steps[0].track : NULL;
}

KI_INLINE const ki_passage *tracks_passage(ki_store *store, const ki_table *from,
                                           const ki_table *to)
{
    ki_passage *passage = ki_tracks_place(store, from, to);
    if (KI_UNLIKELY(passage->from != from || passage->to != to)) {
        tracks_fill(store, passage, from, to);
    }
    return passage;
}

kith_result ki_tracks_reserve_slow(ki_store *store, const ki_table *from, const ki_table *to,
                                   uint32_t count)
{
    const ki_passage *passage = tracks_passage(store, from, to);
    for (uint32_t i = 0; i < passage->step_count; i++) {
        bool lost = passage->steps[i].column != KI_NO_COLUMN;
        KI_TRY(ki_track_reserve(&store->context.heap, passage->steps[i].track, count, lost));
    }
    return KITH_OK;
}

void ki_tracks_note_slow(ki_store *store, const ki_table *from, const ki_table *to,
                         const kith_entity *entities, const uint32_t *rows, uint32_t count)
{
    const ki_passage *passage = tracks_passage(store, from, to);
    for (uint32_t i = 0; i < passage->step_count; i++) {
        const ki_passage_step *step = &passage->steps[i];
        if (step->column == KI_NO_COLUMN) {
            ki_track_append(step->track, entities, count);
        } else {
            ki_track_append_lost(step->track, entities, count, &from->columns[step->column], rows);
        }
    }
}

void ki_tracks_expect_slow(ki_store *store, const ki_table *from, const ki_table *to,
                           uint32_t count)
{
    const ki_passage *passage = tracks_passage(store, from, to);
    for (uint32_t i = 0; i < passage->step_count; i++) {
        passage->steps[i].track->pending += count;
        passage->steps[i].track->pending_lost +=
            passage->steps[i].column != KI_NO_COLUMN ? count : 0;
    }
}

/* ---- Many changes in one call ---------------------------------------------------------------- */

kith_result ki_tracks_reserve_expected(ki_store *store)
{
    for (uint32_t i = 0; i < store->track_count; i++) {
        ki_track *track = store->tracked[i]->track;
        bool lost = track->pending_lost != 0;
        KI_TRY(ki_track_reserve(&store->context.heap, track, track->pending, lost));
    }
    return KITH_OK;
}

void ki_tracks_expect_nothing(ki_store *store)
{
    for (uint32_t i = 0; i < store->track_count; i++) {
        store->tracked[i]->track->pending = 0;
        store->tracked[i]->track->pending_lost = 0;
    }
}
