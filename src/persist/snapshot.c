/* Takes, restores and frees snapshots: what each part of a world keeps in one, together. */
#include "persist/snapshot_parts.h"
#include "query/query.h"

/* ---- The parts: those of the world itself, in the order in which they are restored */

static kith_result snapshot_store_take(kith_world *world, void **state)
{
    ki_store_view *view;
    KI_TRY(ki_store_view_take(&world->store, &view));
    *state = view;
    return KITH_OK;
}

static kith_result snapshot_store_reserve(kith_world *world, const void *state,
                                          const ki_store_view *store)
{
    (void)state;
    return ki_store_view_reserve(&world->store, store);
}

static void snapshot_store_restore(kith_world *world, const void *state)
{
    ki_store_view_restore(&world->store, state);
}

static void snapshot_store_free(kith_world *world, void *state)
{
    ki_store_view_free(&world->store, state);
}

static kith_result snapshot_numbers_take(kith_world *world, void **state)
{
    ki_snapshot_numbers *numbers =
        ki_heap_alloc(&world->store.context.heap, sizeof *numbers, _Alignof(ki_snapshot_numbers));
    if (numbers == NULL) {
        return KITH_ERR_MEMORY;
    }
    *numbers = (ki_snapshot_numbers){world->tick, world->run, world->random};
    *state = numbers;
    return KITH_OK;
}

static kith_result snapshot_numbers_reserve(kith_world *world, const void *state,
                                            const ki_store_view *store)
{
    (void)world, (void)state, (void)store;
    return KITH_OK;
}

static void snapshot_numbers_restore(kith_world *world, const void *state)
{
    const ki_snapshot_numbers *numbers = state;
    world->tick = numbers->tick;
    world->run = numbers->run;
    world->random = numbers->random;
}

static void snapshot_numbers_free(kith_world *world, void *state)
{
    ki_heap_free(&world->store.context.heap, state, sizeof(ki_snapshot_numbers),
                 _Alignof(ki_snapshot_numbers));
}

static const ki_state_calls snapshot_store = {.take = snapshot_store_take,
                                              .reserve = snapshot_store_reserve,
                                              .restore = snapshot_store_restore,
                                              .free = snapshot_store_free};
static const ki_state_calls snapshot_numbers_state = {.take = snapshot_numbers_take,
                                                      .reserve = snapshot_numbers_reserve,
                                                      .restore = snapshot_numbers_restore,
                                                      .free = snapshot_numbers_free};

static const ki_state_calls *const snapshot_states[KI_SNAPSHOT_OWN] = {
    [KI_SNAPSHOT_STORE] = &snapshot_store,
    [KI_SNAPSHOT_NUMBERS] = &snapshot_numbers_state,
    [KI_SNAPSHOT_WORLD] = &ki_world_state_calls,
};

/* ---- Snapshots */

const ki_state_calls *ki_snapshot_calls(const kith_world *world, size_t state)
{
    if (state < KI_SNAPSHOT_OWN) {
        return snapshot_states[state];
    }
    const ki_attachment *part = &world->parts[state - KI_SNAPSHOT_OWN];
    return part->calls == NULL ? NULL : part->calls->state;
}

/* Lets go of what it holds, which may run hooks. */
static void snapshot_empty(kith_snapshot *snapshot)
{
    for (size_t i = 0; i < KI_SNAPSHOT_STATES; i++) {
        if (snapshot->states[i] != NULL) {
            ki_snapshot_calls(snapshot->world, i)->free(snapshot->world, snapshot->states[i]);
            snapshot->states[i] = NULL;
        }
    }
}

static void snapshot_end(kith_snapshot *snapshot)
{
    snapshot_empty(snapshot);
    ki_heap_free(&snapshot->world->store.context.heap, snapshot, sizeof *snapshot,
                 _Alignof(kith_snapshot));
}

static void snapshot_unlink(kith_snapshot *snapshot)
{
    if (snapshot->next != NULL) {
        snapshot->next->previous = snapshot->previous;
    }
    if (snapshot->previous != NULL) {
        snapshot->previous->next = snapshot->next;
    } else {
        snapshot->world->parts[KI_PART_SNAPSHOTS].data = snapshot->next;
    }
}

bool ki_snapshot_is_viewed(const kith_snapshot *snapshot)
{
    return KI_LOAD_ACQUIRE(&snapshot->views) != 0;
}

/* Ends snapshots that were freed while views read them, once none does: the first of the list. */
static void snapshots_sweep(kith_world *world, void *data)
{
    (void)world;
    for (kith_snapshot *snapshot = data; snapshot != NULL && snapshot->freed;) {
        kith_snapshot *next = snapshot->next;
        if (!ki_snapshot_is_viewed(snapshot)) {
            snapshot_unlink(snapshot);
            snapshot_end(snapshot);
        }
        snapshot = next;
    }
}

static const char *snapshots_used(const void *data)
{
    const kith_snapshot *snapshot = data;
    while (snapshot != NULL && !ki_snapshot_is_viewed(snapshot)) {
        snapshot = snapshot->next;
    }
    return snapshot == NULL
               ? NULL
               : "there are views of its snapshots; free them first, each in its thread";
}

/* Called first: a hook may still try to use one. */
static void snapshots_empty(kith_world *world, void *data)
{
    (void)world;
    for (kith_snapshot *snapshot = data; snapshot != NULL; snapshot = snapshot->next) {
        snapshot_empty(snapshot);
    }
}

static void snapshots_free(kith_world *world, void *data)
{
    for (kith_snapshot *snapshot = data; snapshot != NULL;) {
        kith_snapshot *next = snapshot->next;
        snapshot_end(snapshot);
        snapshot = next;
    }
    world->parts[KI_PART_SNAPSHOTS].data = NULL;
}

static uint64_t snapshots_hash(uint64_t hash, const void *data)
{
    (void)data;
    return hash;
}

static const char *snapshots_check(const kith_world *world, const void *data)
{
    int64_t others = 0; /* views, less snapshots */
    for (const ki_store_view *view = world->store.views; view != NULL; view = view->next) {
        others++;
    }
    const kith_snapshot *previous = NULL;
    for (const kith_snapshot *snapshot = data; snapshot != NULL; snapshot = snapshot->next) {
        if (snapshot->world != world || snapshot->previous != previous) {
            return "a world's list of snapshots is not in order";
        }
        previous = snapshot;
        others--;
    }
    return others == 0 ? NULL : "a snapshot has no view of its world, or a view no snapshot";
}

static const char *snapshots_busy(const void *data)
{
    const kith_snapshot *snapshot = data;
    while (snapshot != NULL && snapshot->visited == NULL) {
        snapshot = snapshot->next;
    }
    return snapshot == NULL ? NULL : snapshot->visited;
}

static const ki_attachment_calls snapshots_calls = {.end = snapshots_empty,
                                                    .free = snapshots_free,
                                                    .busy = snapshots_busy,
                                                    .used = snapshots_used,
                                                    .trim = snapshots_sweep,
                                                    .hash = snapshots_hash,
                                                    .check = snapshots_check};

/* Adds a snapshot to the list, after those that are freed. */
static void snapshot_link(kith_world *world, kith_snapshot *snapshot)
{
    ki_attachment *part = &world->parts[KI_PART_SNAPSHOTS];
    part->calls = &snapshots_calls;
    snapshot->next = part->data;
    snapshot->previous = NULL;
    while (!snapshot->freed && snapshot->next != NULL && snapshot->next->freed) {
        snapshot->previous = snapshot->next;
        snapshot->next = snapshot->next->next;
    }
    if (snapshot->next != NULL) {
        snapshot->next->previous = snapshot;
    }
    if (snapshot->previous != NULL) {
        snapshot->previous->next = snapshot;
    } else {
        part->data = snapshot;
    }
}

kith_result ki_snapshot_begin(kith_world *world, const char *call)
{
    KI_TRY(ki_world_begin_change(world, call));
    const char *busy = ki_world_busy(world);
    if (KI_CHECKED && busy != NULL) {
        return ki_misuse(&world->store.context,
                         "%s: %s is under way; call it when that has returned", call, busy);
    }
    snapshots_sweep(world, world->parts[KI_PART_SNAPSHOTS].data);
    return KITH_OK;
}

/* Whether all values can be copied; tells which type's can't. */
static kith_result snapshot_require_copies(kith_world *world, const char *call)
{
    for (uint32_t i = 0; world->store.hooked && i < world->store.component_count; i++) {
        const ki_component *component = world->store.components[i];
        bool elsewhere = component->change_log != NULL ||
                         ki_resource_known(world, component->type) ||
                         ki_event_known(world, component->type);
        if (component->hooks != NULL && component->hooks->calls.copy == NULL &&
            (!component->transient || elsewhere)) {
            return ki_fail(&world->store.context, KITH_ERR_TYPE,
                           "%s: '%s' has hooks, but no `copy`", call, component->type->name);
        }
    }
    return KITH_OK;
}

static kith_result snapshot_fill(kith_snapshot *snapshot)
{
    for (size_t i = 0; i < KI_SNAPSHOT_STATES; i++) {
        const ki_state_calls *calls = ki_snapshot_calls(snapshot->world, i);
        if (calls != NULL) {
            KI_TRY(calls->take(snapshot->world, &snapshot->states[i]));
        }
    }
    return KITH_OK;
}

kith_result ki_snapshot_take(kith_world *world, const char *call, kith_snapshot **snapshot)
{
    KI_TRY(snapshot_require_copies(world, call));
    kith_snapshot *taken =
        ki_heap_alloc_zeroed(&world->store.context.heap, sizeof *taken, _Alignof(kith_snapshot));
    if (taken == NULL) {
        return KITH_ERR_MEMORY;
    }
    taken->world = world;
    kith_result result = snapshot_fill(taken);
    if (result != KITH_OK) {
        snapshot_end(taken);
        return result;
    }
    snapshot_link(world, taken);
    *snapshot = taken;
    return KITH_OK;
}

kith_result kith_snapshot_take(kith_world *world, kith_snapshot **snapshot)
{
    static const char call[] = "kith_snapshot_take";
    KI_TRY(ki_snapshot_begin(world, call));
    if (KI_CHECKED && snapshot == NULL) {
        return ki_misuse(&world->store.context,
                         "kith_snapshot_take: the place for the snapshot is NULL");
    }
    return ki_snapshot_take(world, call, snapshot);
}

/* All of a restore that may fail. */
static kith_result snapshot_reserve(const kith_snapshot *snapshot)
{
    kith_world *world = snapshot->world;
    for (size_t i = 0; i < KI_SNAPSHOT_STATES; i++) {
        const ki_state_calls *calls = ki_snapshot_calls(world, i);
        if (calls != NULL) {
            KI_TRY(calls->reserve(world, snapshot->states[i], snapshot->states[KI_SNAPSHOT_STORE]));
        }
    }
    return KITH_OK;
}

static void snapshot_restore(const kith_snapshot *snapshot)
{
    kith_world *world = snapshot->world;
    for (size_t i = 0; i < KI_SNAPSHOT_STATES; i++) {
        const ki_state_calls *calls = ki_snapshot_calls(world, i);
        if (calls != NULL) {
            calls->restore(world, snapshot->states[i]);
        }
    }
}

kith_result kith_snapshot_restore(kith_world *world, const kith_snapshot *snapshot)
{
    KI_TRY(ki_snapshot_begin(world, "kith_snapshot_restore"));
    if (KI_CHECKED && (snapshot == NULL || snapshot->world != world)) {
        return ki_misuse(&world->store.context, "kith_snapshot_restore: the snapshot is %s",
                         snapshot == NULL ? "NULL" : "of another world");
    }
    KI_TRY(snapshot_reserve(snapshot));
    ki_queries_look_anew(&world->store); /* stamps are older then than what queries saw */
    snapshot_restore(snapshot);
    return KITH_OK;
}

kith_result ki_snapshot_become(kith_snapshot *snapshot)
{
    kith_world *world = snapshot->world;
    for (size_t i = 0; i < KI_SNAPSHOT_STATES; i++) {
        const ki_state_calls *calls = ki_snapshot_calls(world, i);
        if (calls != NULL && calls->forget != NULL && snapshot->states[i] != NULL) {
            calls->forget(world, snapshot->states[i]);
        }
    }
    KI_TRY(snapshot_reserve(snapshot));
    snapshot_restore(snapshot);
    return KITH_OK;
}

void kith_snapshot_free(kith_snapshot *snapshot)
{
    if (snapshot == NULL || ki_snapshot_begin(snapshot->world, "kith_snapshot_free") != KITH_OK) {
        return;
    }
    snapshot_unlink(snapshot);
    if (ki_snapshot_is_viewed(snapshot)) {
        snapshot->freed = true;
        snapshot_link(snapshot->world, snapshot);
    } else {
        snapshot_end(snapshot);
    }
}
