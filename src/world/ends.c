#include "world/ends.h"

#include "store/transition.h"

/* ---- What relations lead to -------------------------------------------------------------------- */

static kith_result ends_unlink(ki_ends *e)
{
    for (uint32_t i = 0; i < e->cascade.end_count; i++) {
        KI_TRY(ki_link_changes_cut_all(&e->world->store, e->cascade.ends[i]));
    }
    for (uint32_t i = 0; i < e->cascade.cleared_count; i++) {
        const ki_cleared *cleared = &e->cascade.cleared[i];
        KI_TRY(ki_link_changes_add(&e->world->store, cleared->relation, cleared->index, 0, 0));
    }
    return KITH_OK;
}

/* The table that an entity is in once what is cleared before number `i` is. An entity that loses several
 * relations is there several times, one after the other, and moves as often. */
static ki_table *ends_table(const ki_ends *e, uint32_t i)
{
    const ki_store *store = &e->world->store;
    const ki_cleared *cleared = e->cascade.cleared;
    const uint32_t index = cleared[i].index;
    for (; i > 0 && cleared[i - 1].index == index; i--) {
        if (e->edges[i - 1] != NULL) {
            return e->edges[i - 1]->to;
        }
    }
    return store->tables[ki_record_at(&store->entities, index)->table];
}

static kith_result ends_expect_cleared(ki_ends *e, uint32_t i)
{
    ki_store *store = &e->world->store;
    const ki_cleared *cleared = &e->cascade.cleared[i];
    const ki_component *component = cleared->relation->component;
    e->edges[i] = NULL;
    if (component->layout != KITH_TABLE) {
        return ki_change_set_lose(&e->set, cleared->relation->component, &cleared->index, 1, false);
    }
    const ki_record *record = ki_record_at(&store->entities, cleared->index);
    ki_table *from = ends_table(e, i);
    KI_TRY(ki_store_edge(store, from, component->id, &e->edges[i]));
    if (!ki_rows_mark(&store->columns, &store->tables[record->table]->rows, record->row) ||
        !ki_record_mark(&store->columns, &store->entities, cleared->index)) {
        return KITH_ERR_MEMORY;
    }
    return ki_change_set_move(&e->set, from, e->edges[i]->to, 1);
}

static kith_result ends_expect(ki_ends *e)
{
    const ki_store *store = &e->world->store;
    for (uint32_t i = 0; i < e->cascade.cleared_count; i++) {
        KI_TRY(ends_expect_cleared(e, i));
    }
    for (uint32_t i = 0; i < e->cascade.end_count; i++) {
        e->ends[i] = ki_entity_at(&store->entities, e->cascade.ends[i]);
    }
    e->entities = e->ends;
    e->count = e->cascade.end_count;
    return KITH_OK;
}

/* Finds all that is to end, and unlinks it. */
static kith_result ends_find(ki_ends *e)
{
    for (uint32_t i = 0; i < e->count; i++) {
        if (ki_record_of(&e->world->store.entities, e->entities[i]) != NULL) {
            KI_TRY(ki_cascade_add(&e->cascade, e->entities[i].index1 - 1));
        }
    }
    KI_TRY(ki_cascade_finish(&e->cascade));
    size_t bytes = e->cascade.end_count * sizeof *e->ends;
    e->bytes = bytes + e->cascade.cleared_count * sizeof *e->edges;
    e->ends = ki_heap_alloc(&e->world->store.context.heap, e->bytes, _Alignof(max_align_t));
    if (e->ends == NULL) {
        return e->bytes == 0 ? KITH_OK : KITH_ERR_MEMORY;
    }
    e->edges = (const ki_edge **)(void *)((char *)e->ends + bytes);
    KI_TRY(ends_unlink(e));
    return ends_expect(e);
}

/* ---- The whole --------------------------------------------------------------------------------- */

static void ends_free(ki_ends *e, kith_result result)
{
    ki_change_set_free(&e->set);
    if (e->linked) {
        ki_link_changes_end(&e->world->store, e->links, result);
        ki_cascade_free(&e->cascade);
        ki_heap_free(&e->world->store.context.heap, e->ends, e->bytes, _Alignof(max_align_t));
    }
}

kith_result ki_ends_reserve(ki_ends *ends, kith_world *world, const char *call,
                            const kith_entity *entities, uint32_t count)
{
    ki_store *store = &world->store;
    ki_heap *heap = &store->context.heap;
    ends->world = world;
    ends->entities = entities;
    ends->count = count;
    ends->linked = store->relation_count != 0;
    ki_change_set_init(&ends->set, store, heap);
    kith_result result = KITH_OK;
    if (ends->linked) {
        ends->bytes = 0;
        ends->ends = NULL;
        ki_cascade_begin(&ends->cascade, world, call, &store->context);
        ends->links = ki_link_changes_begin(store);
        result = ends_find(ends);
    }
    if (result == KITH_OK) {
        result = ki_change_set_end(&ends->set, ends->entities, ends->count);
    }
    result = result == KITH_OK ? ki_change_set_reserve(&ends->set) : result;
    if (result != KITH_OK) {
        ends_free(ends, result);
    }
    return result;
}

void ki_ends_commit(ki_ends *ends)
{
    ki_store *store = &ends->world->store;
    const uint32_t cleared_count = ends->linked ? ends->cascade.cleared_count : 0;
    for (uint32_t i = 0; i < cleared_count; i++) {
        const ki_cleared *cleared = &ends->cascade.cleared[i];
        if (ends->edges[i] == NULL) {
            ki_storage_remove(cleared->relation->component,
                              ki_entity_at(&store->entities, cleared->index));
        } else {
            uint32_t row = ki_move_begin(store, ends->edges[i], cleared->index);
            ki_move_end(store, ends->edges[i], cleared->index, row);
        }
    }
    ki_transition_end_reserved(store, ends->entities, ends->count);
    ends_free(ends, KITH_OK);
}

void ki_ends_cancel(ki_ends *ends)
{
    ends_free(ends, KITH_ERR_CONFLICT); /* any result that is not KITH_OK takes the links back */
}
