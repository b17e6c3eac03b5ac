/* Views: worlds that read a snapshot. A view has directories of its own, which lead to blocks of the
 * snapshot. Who holds these is not changed by it: the snapshot counts its views, and ends with the last
 * one, in the thread of its world. */
#include <kith/view.h>

#include "persist/snapshot_parts.h"
#include "world/borrowed.h"

/* The data of KI_PART_VIEW. */
typedef struct snapshot_view {
    kith_snapshot *snapshot;
    uint64_t seed;                              /* of its world */
    const ki_state_calls *calls[KI_PART_COUNT]; /* of what the snapshot has of the parts */
} snapshot_view;

static void snapshot_view_give_back(ki_column *column, void *context)
{
    kith_world *view = context;
    ki_column_give_back(&view->store.columns, column);
}

/* Nothing that the snapshot has is destroyed by a view. */
static void snapshot_view_end(kith_world *view, void *data)
{
    (void)data;
    ki_world_each_column(view, snapshot_view_give_back, view);
}

static void snapshot_view_free(kith_world *view, void *data)
{
    snapshot_view *own = data;
    KI_FETCH_SUB_RELEASE(&own->snapshot->views, 1); /* it may be gone from here on */
    ki_heap_free(&view->store.context.heap, own, sizeof *own, _Alignof(snapshot_view));
}

/* Adds what the parts of the world added: a view has none of them. */
static uint64_t snapshot_view_hash(uint64_t hash, const void *data)
{
    const snapshot_view *own = data;
    for (size_t part = 0; part < KI_PART_COUNT; part++) {
        if (own->calls[part] != NULL) {
            const void *state = own->snapshot->states[KI_SNAPSHOT_OWN + part];
            hash = own->calls[part]->hash(hash, own->seed, state);
        }
    }
    return hash;
}

static const char *snapshot_view_check(const kith_world *view, const void *data)
{
    const snapshot_view *own = data;
    bool marked = view->store.columns.borrowed && view->store.locks != 0;
    return marked && ki_snapshot_is_viewed(own->snapshot)
               ? NULL
               : "a view may be written, or its snapshot does not know of it";
}

static const ki_attachment_calls snapshot_view_part = {.end = snapshot_view_end,
                                                       .free = snapshot_view_free,
                                                       .hash = snapshot_view_hash,
                                                       .check = snapshot_view_check};

/* Makes a world without anything a view, which the snapshot counts from then on. */
static kith_result snapshot_view_begin(kith_world *view, const kith_snapshot *snapshot)
{
    snapshot_view *own =
        ki_heap_alloc_zeroed(&view->store.context.heap, sizeof *own, _Alignof(snapshot_view));
    if (own == NULL) {
        return KITH_ERR_MEMORY;
    }
    own->snapshot = (kith_snapshot *)(uintptr_t)snapshot;
    own->seed = snapshot->world->def.seed;
    for (size_t part = 0; part < KI_PART_COUNT; part++) {
        if (snapshot->states[KI_SNAPSHOT_OWN + part] != NULL) {
            const ki_state_calls *calls =
                ki_snapshot_calls(snapshot->world, KI_SNAPSHOT_OWN + part);
            own->calls[part] = calls->hash == NULL ? NULL : calls;
        }
    }
    KI_FETCH_ADD(&own->snapshot->views, 1);
    view->parts[KI_PART_VIEW] = (ki_attachment){&snapshot_view_part, own};
    view->store.columns.borrowed = true;
    view->store.locks++;
    return KITH_OK;
}

static kith_result snapshot_view_fill(kith_world *view, const kith_snapshot *snapshot)
{
    const kith_world *world = snapshot->world;
    void *state = snapshot->states[KI_SNAPSHOT_WORLD];
    const ki_snapshot_numbers *numbers = snapshot->states[KI_SNAPSHOT_NUMBERS];
    KI_TRY(snapshot_view_begin(view, snapshot));
    KI_TRY(ki_borrow_types(view, world));
    KI_TRY(ki_borrow_texts(view, world));
    KI_TRY(ki_store_borrow(&view->store, &world->store, snapshot->states[KI_SNAPSHOT_STORE]));
    KI_TRY(ki_borrow_resources(view, ki_world_state_resources(state)));
    KI_TRY(ki_borrow_queues(view, ki_world_state_queues(state)));
    view->tick = numbers->tick;
    view->run = numbers->run;
    view->random = numbers->random;
    return KITH_OK;
}

static kith_result snapshot_view_require(const kith_snapshot *snapshot, kith_world *const *view)
{
    if (KI_CHECKED && snapshot == NULL) {
        return ki_misuse(NULL, "kith_view_new: the snapshot is NULL");
    }
    KI_TRY(ki_snapshot_begin(snapshot->world, "kith_view_new"));
    return !KI_CHECKED || view != NULL ? KITH_OK
                                       : ki_misuse(&snapshot->world->store.context,
                                                   "kith_view_new: the place for the view is NULL");
}

kith_result kith_view_new(const kith_snapshot *snapshot, const kith_world_def *def,
                          kith_world **view)
{
    KI_TRY(snapshot_view_require(snapshot, view));
    kith_world_def own = def == NULL ? (kith_world_def){0} : *def;
    own.expected_entities = 0;
    own.expected_types = 0;
    kith_world *made = kith_world_new(&own);
    if (made == NULL) {
        return ki_without_message(&snapshot->world->store.context.heap, KITH_ERR_MEMORY);
    }
    kith_result result = snapshot_view_fill(made, snapshot);
    if (result != KITH_OK) {
        kith_world_free(made);
        return ki_without_message(&snapshot->world->store.context.heap, result);
    }
    *view = made;
    return KITH_OK;
}
