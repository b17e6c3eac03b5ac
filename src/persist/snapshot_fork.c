/* Forks: worlds that go on from a snapshot. Their columns borrow its blocks, as those of views do, and
 * copy a block when it is written. The small state beside them is copied, as a restore does. */
#include <kith/fork.h>

#include "persist/snapshot_parts.h"
#include "store/view.h"
#include "world/borrowed.h"

static void snapshot_fork_free(kith_world *fork, void *data)
{
    (void)fork;
    KI_FETCH_SUB_RELEASE(&((kith_snapshot *)data)->views, 1); /* it may be gone from here on */
}

static uint64_t snapshot_fork_hash(uint64_t hash, const void *data)
{
    (void)data;
    return hash;
}

static const char *snapshot_fork_check(const kith_world *fork, const void *data)
{
    return fork->store.columns.shared && ki_snapshot_is_viewed(data)
               ? NULL
               : "a fork takes its blocks for its own, or its snapshot does not know of it";
}

static const ki_attachment_calls snapshot_fork_part = {
    .free = snapshot_fork_free, .hash = snapshot_fork_hash, .check = snapshot_fork_check};

/* Makes a world without anything have the entities and components of the snapshot, which counts it from
 * then on. */
static kith_result snapshot_fork_begin(kith_world *fork, const kith_snapshot *snapshot)
{
    const kith_world *world = snapshot->world;
    kith_snapshot *counted = (kith_snapshot *)(uintptr_t)snapshot;
    KI_FETCH_ADD(&counted->views, 1);
    fork->parts[KI_PART_VIEW] = (ki_attachment){&snapshot_fork_part, counted};
    KI_TRY(ki_borrow_types(fork, world));
    KI_TRY(ki_borrow_exact_changes(fork, world));
    KI_TRY(ki_borrow_texts(fork, world));
    KI_TRY(ki_store_borrow(&fork->store, &world->store, snapshot->states[KI_SNAPSHOT_STORE]));
    ki_views_begin(&fork->store.columns);
    return KITH_OK;
}

/* Lets the program set it up. Its entities have to stay. */
static kith_result snapshot_fork_set_up(kith_world *fork, const kith_snapshot *snapshot,
                                        const kith_fork_def *def)
{
    ki_context *context = &snapshot->world->store.context;
    kith_result result = def->set_up(fork, def->context);
    if (result != KITH_OK) {
        return ki_fail(context, result, "kith_fork_new: `set_up` failed: %s", kith_error(fork));
    }
    const ki_store_view *view = snapshot->states[KI_SNAPSHOT_STORE];
    const ki_entities *entities = &fork->store.entities;
    if (KI_CHECKED && !ki_world_lets_change(fork)) {
        return ki_misuse(context,
                         "kith_fork_new: `set_up` left a query open, or gave the fork away");
    }
    if (KI_CHECKED && (entities->slots != view->slots || entities->empty != view->empty ||
                       entities->free_head != view->free_head)) {
        return ki_misuse(context, "kith_fork_new: `set_up` spawned or despawned");
    }
    return KITH_OK;
}

/* Gives it what the snapshot has besides entities and components. */
static kith_result snapshot_fork_enter(kith_world *fork, const kith_snapshot *snapshot)
{
    const ki_store_view *view = snapshot->states[KI_SNAPSHOT_STORE];
    const ki_snapshot_numbers *numbers = snapshot->states[KI_SNAPSHOT_NUMBERS];
    fork->tick = numbers->tick;
    fork->run = numbers->run;
    fork->random = numbers->random;
    KI_TRY(ki_world_state_enter(fork, snapshot->states[KI_SNAPSHOT_WORLD], view));
    const ki_attachment *systems = &fork->parts[KI_PART_SYSTEMS];
    if (systems->calls != NULL) {
        const void *state = snapshot->states[KI_SNAPSHOT_OWN + KI_PART_SYSTEMS];
        KI_TRY(systems->calls->state->reserve(fork, state, view));
        systems->calls->state->restore(fork, state);
    }
    return KITH_OK;
}

static kith_result snapshot_fork_fill(kith_world *fork, const kith_snapshot *snapshot,
                                      const kith_fork_def *def)
{
    KI_TRY(snapshot_fork_begin(fork, snapshot));
    KI_TRY(def->set_up == NULL ? KITH_OK : snapshot_fork_set_up(fork, snapshot, def));
    return snapshot_fork_enter(fork, snapshot);
}

static kith_result snapshot_fork_require(const kith_snapshot *snapshot, kith_world *const *fork)
{
    if (KI_CHECKED && snapshot == NULL) {
        return ki_misuse(NULL, "kith_fork_new: the snapshot is NULL");
    }
    KI_TRY(ki_snapshot_begin(snapshot->world, "kith_fork_new"));
    return !KI_CHECKED || fork != NULL ? KITH_OK
                                       : ki_misuse(&snapshot->world->store.context,
                                                   "kith_fork_new: the place for the fork is NULL");
}

kith_result kith_fork_new(const kith_snapshot *snapshot, const kith_fork_def *def,
                          kith_world **fork)
{
    static const kith_fork_def defaults;
    KI_TRY(snapshot_fork_require(snapshot, fork));
    def = def == NULL ? &defaults : def;
    ki_heap *heap = &snapshot->world->store.context.heap;
    kith_world_def own = def->world;
    own.seed = snapshot->world->def.seed;
    own.expected_entities = 0;
    own.expected_types = 0;
    kith_world *made = kith_world_new(&own);
    if (made == NULL) {
        return ki_without_message(heap, KITH_ERR_MEMORY);
    }
    kith_result result = snapshot_fork_fill(made, snapshot, def);
    if (result != KITH_OK) {
        kith_world_free(made);
        return result == KITH_ERR_MEMORY ? ki_without_message(heap, result) : result;
    }
    *fork = made;
    return KITH_OK;
}
