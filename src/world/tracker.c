/* Trackers: they list the entities that got a component and those that lost it. */
#include "store/table_logs.h"
#include "world/first_use.h"

/* At the start of each call. */
static kith_result tracker_require(const kith_tracker *tracker, const char *call)
{
    if (KI_CHECKED && tracker == NULL) {
        return ki_misuse(NULL, "%s: the tracker is NULL", call);
    }
    return ki_context_require_thread(&tracker->store->context, call);
}

kith_result ki_tracker_new(ki_store *store, ki_component *component, bool valued,
                           kith_tracker **tracker)
{
    ki_heap *heap = &store->context.heap;
    kith_tracker *made = ki_heap_alloc_zeroed(heap, sizeof *made, _Alignof(kith_tracker));
    if (made == NULL) {
        return KITH_ERR_MEMORY;
    }
    made->store = store;
    made->component = component;
    made->valued = valued;
    kith_result result =
        component->change_log == NULL ? ki_table_logs_begin(store, component) : KITH_OK;
    if (result == KITH_OK) {
        result = ki_change_log_enter(heap, component->change_log, made);
        if (result != KITH_OK) {
            ki_table_logs_end_unread(store, component);
        }
    }
    if (result != KITH_OK) {
        ki_heap_free(heap, made, sizeof *made, _Alignof(kith_tracker));
        return result;
    }
    *tracker = made;
    return KITH_OK;
}

kith_result kith_tracker_new(kith_world *world, const kith_type *type, kith_tracker **tracker)
{
    KI_TRY(ki_world_require_owner(world, "kith_tracker_new"));
    if (KI_CHECKED && tracker == NULL) {
        return ki_misuse(&world->store.context,
                         "kith_tracker_new: there is no place for the tracker");
    }
    ki_component *component;
    KI_TRY(ki_world_use(world, "kith_tracker_new", type, &component));
    return ki_tracker_new(&world->store, component, false, tracker);
}

void kith_tracker_free(kith_tracker *tracker)
{
    if (tracker == NULL) {
        return;
    }
    if (tracker_require(tracker, "kith_tracker_free") != KITH_OK) {
        return;
    }
    ki_store *store = tracker->store;
    ki_heap *heap = &store->context.heap;
    ki_component *component = tracker->component;
    ki_change_log_leave(heap, component->change_log, tracker);
    ki_tracker_free(heap, tracker);
    ki_table_logs_end_unread(store, component);
}

void kith_tracker_set_holder(kith_tracker *tracker, kith_tracker **holder)
{
    if (KI_CHECKED && tracker == NULL) {
        ki_misuse(NULL, "%s: the tracker is NULL", "kith_tracker_set_holder");
        return;
    }
    tracker->holder = holder;
}

bool kith_tracker_next(kith_tracker *tracker, kith_change *change)
{
    if (tracker_require(tracker, "kith_tracker_next") != KITH_OK) {
        return false;
    }
    if (KI_CHECKED && change == NULL) {
        ki_misuse(&tracker->store->context, "kith_tracker_next: there is no place for the change");
        return false;
    }
    return ki_change_log_read(&tracker->store->context.heap, tracker->component->change_log,
                              tracker, change);
}

uint64_t kith_tracker_pending(const kith_tracker *tracker)
{
    if (tracker_require(tracker, "kith_tracker_pending") != KITH_OK) {
        return 0;
    }
    return ki_change_log_pending(tracker->component->change_log, tracker);
}

void kith_tracker_skip_changes(kith_tracker *tracker)
{
    if (tracker_require(tracker, "kith_tracker_skip_changes") != KITH_OK) {
        return;
    }
    ki_change_log_pass(&tracker->store->context.heap, tracker->component->change_log, tracker);
}
