/* Trackers: readers of who got a component and who lost it. */
#include "world/world.h"

#define TRACKER_REQUIRE(tracker, call, value)                                                      \
    KITH_REQUIRE(NULL, (tracker) != NULL, value, "%s: the tracker is NULL", call);                 \
    KITH_REQUIRE(&(tracker)->store->context, (tracker)->store->context.owner == ki_thread(),       \
                 value, "%s: the world belongs to another thread", call)

/* Counts a track that comes or goes. */
static void tracker_count(ki_store *store, const ki_component *component, uint32_t step)
{
    store->track_count += step;
    store->table_track_count += component->layout == KITH_TABLE ? step : 0;
}

KI_RARE kith_result kith_tracker_new(kith_world *world, const kith_type *type,
                                     kith_tracker **tracker)
{
    KI_REQUIRE_OWNER(world, "kith_tracker_new", KITH_ERR_MISUSE);
    KI_REQUIRE_COMPONENT(component, world, "kith_tracker_new", type, KITH_ERR_MISUSE)
    KITH_REQUIRE(&world->store.context, tracker != NULL, KITH_ERR_MISUSE,
                 "kith_tracker_new: there is no place for the tracker");
    ki_store *store = &world->store;
    ki_heap *heap = &store->context.heap;
    kith_tracker *made = ki_heap_take_zeroed(heap, sizeof *made, _Alignof(kith_tracker));
    if (made == NULL) {
        return KITH_ERR_MEMORY;
    }
    if (component->track == NULL) {
        component->track = ki_track_new(heap);
        if (component->track == NULL) {
            ki_heap_give(heap, made, sizeof *made, _Alignof(kith_tracker));
            return KITH_ERR_MEMORY;
        }
        tracker_count(store, component, 1);
    }
    made->store = store;
    made->component = component;
    ki_track_enter(component->track, made);
    *tracker = made;
    return KITH_OK;
}

void kith_tracker_free(kith_tracker *tracker)
{
    if (tracker == NULL) {
        return;
    }
    TRACKER_REQUIRE(tracker, "kith_tracker_free", );
    ki_store *store = tracker->store;
    ki_heap *heap = &store->context.heap;
    ki_component *component = tracker->component;
    ki_track_leave(heap, component->track, tracker);
    ki_heap_give(heap, tracker, sizeof *tracker, _Alignof(kith_tracker));
    if (component->track->readers == NULL) {
        ki_track_free(heap, component->track);
        component->track = NULL;
        tracker_count(store, component, UINT32_MAX);
    }
}

bool kith_tracker_next(kith_tracker *tracker, kith_change *change)
{
    TRACKER_REQUIRE(tracker, "kith_tracker_next", false);
    KITH_REQUIRE(&tracker->store->context, change != NULL, false,
                 "kith_tracker_next: there is no place for the change");
    return ki_track_read(&tracker->store->context.heap, tracker->component->track, tracker, change);
}

uint64_t kith_tracker_pending(const kith_tracker *tracker)
{
    TRACKER_REQUIRE(tracker, "kith_tracker_pending", 0);
    return tracker->component->track->written - tracker->read;
}

void kith_tracker_skip(kith_tracker *tracker)
{
    TRACKER_REQUIRE(tracker, "kith_tracker_skip", );
    ki_heap *heap = &tracker->store->context.heap;
    ki_track *track = tracker->component->track;
    ki_track_leave(heap, track, tracker);
    ki_track_enter(track, tracker);
}
