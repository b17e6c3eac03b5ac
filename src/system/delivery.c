/* Deliveries: tell the observers what happened since the last one, in batches of entities. */
#include <string.h>

#include "query/admission.h"
#include "system/system_state.h"

#define DELIVERY_BATCH 1024u /* entities that one call tells at most */
#define DELIVERY_LONG 64u    /* runs of so many entries or more are not copied */

/* Makes room for so many more candidates. */
static kith_result delivery_reserve(kith_observer *observer, uint64_t count)
{
    if (count > UINT32_MAX - observer->count) {
        return KITH_ERR_LIMIT;
    }
    return ki_heap_grow(ki_observer_heap(observer), &observer->entities, &observer->capacity,
                        observer->count + (uint32_t)count, sizeof *observer->entities, 64);
}

/* Adds what a tracker has to say. Reading uses it up, so the room is made first. */
static kith_result delivery_read(kith_observer *observer, kith_tracker *tracker)
{
    uint64_t pending = kith_tracker_pending(tracker);
    KI_TRY(delivery_reserve(observer, pending));
    while (pending != 0) {
        ki_change_log_run run =
            ki_change_log_look(ki_observer_heap(observer), tracker->component->change_log, tracker);
        memcpy(observer->entities + observer->count, run.entities,
               run.count * sizeof *run.entities);
        observer->count += run.count;
        pending -= run.count;
        ki_change_log_step(tracker, &run);
    }
    return KITH_OK;
}

/* Adds the entities whose value was written. */
static kith_result delivery_look(kith_observer *observer)
{
    kith_result result = KITH_OK;
    uint32_t before = observer->count;
    kith_iter it = kith_query_iter(observer->query);
    while (result == KITH_OK && kith_next(&it)) {
        result = delivery_reserve(observer, it.count);
        if (result == KITH_OK) {
            memcpy(observer->entities + observer->count, kith_entities(&it),
                   it.count * sizeof(kith_entity));
            observer->count += it.count;
        }
    }
    kith_iter_close(&it);
    result = result == KITH_OK ? it.result : result;
    if (result != KITH_OK) {
        observer->count = before; /* the next delivery finds them again */
    }
    return result;
}

/* Collects the candidates of an observer, and makes the room that delivery_settle needs. If the
 * delivery fails, they stay for the next one. */
static kith_result delivery_collect(kith_observer *observer)
{
    if (ki_observer_only_tracks(observer)) {
        observer->end = ki_change_log_written(observer->trackers[0]->component->change_log);
        return ki_observed_collect(observer);
    }
    observer->leftover = observer->count;
    if (observer->def.kind == KITH_ON_CHANGE) {
        KI_TRY(delivery_look(observer));
        const uint32_t marks = observer->leftover == 0 ? 0 : observer->count;
        return ki_observer_reserve_marks(observer, observer->entities, marks);
    }
    for (uint32_t i = 0; i < observer->tracker_count; i++) {
        KI_TRY(delivery_read(observer, observer->trackers[i]));
    }
    return ki_observer_reserve_marks(observer, observer->entities, observer->count);
}

/* Drops candidates of failed deliveries that have lost the component, or that come again. Of
 * several entries of an entity the last one stays. */
static void delivery_settle_set(kith_observer *observer)
{
    kith_world *world = observer->systems->world;
    const ki_component *component = observer->query->terms[0].component;
    uint32_t kept = observer->count;
    for (uint32_t i = observer->count; i-- > 0;) {
        kith_entity entity = observer->entities[i];
        const ki_record *record = ki_record_of(&world->store.entities, entity);
        bool keep = record != NULL && !ki_observer_is_marked(observer, entity) &&
                    ki_store_has(&world->store, component, entity.index1 - 1, record);
        if (keep) {
            ki_observer_mark(observer, entity, true);
            observer->entities[--kept] = entity;
        }
    }
    observer->count -= kept;
    memmove(observer->entities, observer->entities + kept,
            observer->count * sizeof *observer->entities);
    for (uint32_t i = 0; i < observer->count; i++) {
        ki_observer_mark(observer, observer->entities[i], false);
    }
}

/* Whether to tell that an entity ceased or began to match. Another entity may have had its slot at
 * the last delivery: if that is the one to tell, `*entity` becomes it. */
static bool delivery_compare(kith_observer *observer, kith_entity *entity)
{
    uint64_t was = *ki_observer_mark_of(observer, *entity);
    bool leaves = observer->def.kind == KITH_ON_LEAVE;
    bool matched = was == (uint64_t)entity->generation + 1;
    bool matches = ki_query_has(observer->query, *entity);
    bool message = matched != matches && matched == leaves;
    if (matched != matches) {
        ki_observer_mark(observer, *entity, matches);
    }
    if (was != 0 && !matched && matches && leaves) {
        entity->generation = (uint32_t)(was - 1);
        message = true;
    }
    return message;
}

/* Reduces the candidates to the entities that are told. */
static void delivery_settle(kith_observer *observer)
{
    if (!ki_observer_compares(observer)) {
        if (observer->leftover != 0) {
            delivery_settle_set(observer);
        }
        return;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < observer->count; i++) {
        kith_entity entity = observer->entities[i];
        if (delivery_compare(observer, &entity)) {
            observer->entities[kept++] = entity;
        }
    }
    observer->count = kept;
}

/* Closes the queries that an observer left open, and reports the misuse. */
static void delivery_close_queries(kith_observer *observer)
{
    ki_context *context = &observer->systems->world->store.context;
    char where[256];
    ki_query_print_open(&observer->systems->world->store, NULL, where, sizeof where);
    ki_queries_close(&observer->systems->world->store);
    ki_misuse(context,
              "kith_observers_flush: observer '%s' returned with a query open (%s); call "
              "kith_iter_close when"
              " leaving a loop early",
              observer->name, where);
    observer->misused = true;
}

static void delivery_call(kith_observer *observer, const kith_entity *entities, uint32_t count,
                          const void *values)
{
    ki_systems *systems = observer->systems;
    const kith_observed observed = {
        .world = systems->world,
        .entities = entities,
        .count = count,
        .kind = observer->def.kind,
        .user = observer->def.user,
        .commands = systems->observers.commands,
        .type = observer->def.type,
        .values = values,
        .observer = observer,
    };
    observer->def.run(&observed);
    if (systems->world->store.open != NULL) {
        delivery_close_queries(observer);
    }
}

/* How many of the first entries of a run the observer is told; or with `*skip`, how many it is not
 * told. */
static uint32_t delivery_pick(const kith_observer *observer, const ki_change_log_run *run,
                              uint32_t most, bool *skip)
{
    most = ki_min_u32(most, run->count);
    *skip = run->lost == (observer->def.kind == KITH_ON_ADD);
    if (*skip || observer->def.kind != KITH_ON_DESPAWN) {
        return most;
    }
    const ki_entities *entities = &observer->systems->world->store.entities;
    *skip = ki_record_of(entities, run->entities[0]) != NULL;
    uint32_t count = 1;
    while (count < most && (ki_record_of(entities, run->entities[count]) != NULL) == *skip) {
        count++;
    }
    return count;
}

/* The next batch of what the observer's tracker says, at most DELIVERY_BATCH entities; none at the
 * end. Short runs are copied to `room`. A long run is handed out where it is in the log. Values are
 * never copied: those of a batch are next to each other, and live until the tracker leaves their
 * chunk. */
static ki_change_log_run delivery_gather(const kith_observer *observer, kith_entity *room)
{
    kith_tracker *tracker = observer->trackers[0];
    ki_change_log *change_log = tracker->component->change_log;
    ki_change_log_run batch = {.entities = room};
    while (batch.count < DELIVERY_BATCH && ki_change_log_place(tracker) < observer->end) {
        if (tracker->valued && batch.count != 0 && tracker->place == tracker->chunk->count) {
            break;
        }
        ki_change_log_run run = ki_change_log_look(ki_observer_heap(observer), change_log, tracker);
        uint64_t left = observer->end - ki_change_log_place(tracker);
        uint32_t most = DELIVERY_BATCH - batch.count;
        bool skip;
        run.count = delivery_pick(observer, &run, left < most ? (uint32_t)left : most, &skip);
        if (!skip && batch.count == 0 && run.count >= DELIVERY_LONG) {
            ki_change_log_step(tracker, &run);
            return run;
        }
        if (!skip) {
            if (batch.count != 0 &&
                (run.count >= DELIVERY_LONG ||
                 (tracker->valued &&
                  run.values != batch.values + (size_t)batch.count * change_log->size))) {
                break;
            }
            memcpy(room + batch.count, run.entities, run.count * sizeof *room);
            batch.values = batch.count == 0 ? run.values : batch.values;
            batch.count += run.count;
        }
        ki_change_log_step(tracker, &run);
    }
    return batch;
}

/* Calls an observer with all that it is told. */
static void delivery_tell(kith_observer *observer)
{
    if (!ki_observer_only_tracks(observer)) {
        for (uint32_t first = 0; first < observer->count; first += DELIVERY_BATCH) {
            delivery_call(observer, observer->entities + first,
                          ki_min_u32(observer->count - first, DELIVERY_BATCH), NULL);
        }
        observer->count = 0;
        return;
    }
    kith_entity room[DELIVERY_BATCH];
    for (ki_change_log_run run = delivery_gather(observer, room); run.count != 0;
         run = delivery_gather(observer, room)) {
        delivery_call(observer, run.entities, run.count, run.values);
    }
    ki_observed_end(observer);
}

/* Fails if an observer returned with a query open. The misuse was reported when it did. */
static kith_result delivery_check(ki_systems *systems, const char *call)
{
    kith_result result = KITH_OK;
    for (kith_observer *o = systems->observers.first; o != NULL; o = o->next) {
        if (o->misused) {
            result = ki_fail(&systems->world->store.context, KITH_ERR_MISUSE,
                             "%s: observer '%s' was misused: it left a query open", call, o->name);
        }
    }
    return result;
}

kith_result ki_observers_deliver(ki_systems *systems, const char *call)
{
    ki_context *context = &systems->world->store.context;
    for (kith_observer *o = systems->observers.first; o != NULL; o = o->next) {
        kith_result result = delivery_collect(o);
        if (result != KITH_OK) {
            return ki_fail(context, result, "%s: observer '%s' cannot be told: %s", call, o->name,
                           kith_result_name(result));
        }
    }
    for (kith_observer *o = systems->observers.first; o != NULL; o = o->next) {
        delivery_settle(o);
        o->misused = false;
        ki_observed_begin(o);
    }
    systems->observing = true;
    for (kith_observer *o = systems->observers.first; o != NULL; o = o->next) {
        delivery_tell(o);
    }
    systems->observing = false;
    kith_result result = kith_commands_apply(systems->observers.commands, NULL);
    if (result != KITH_OK) {
        char why[sizeof context->error];
        memcpy(why, context->error, sizeof why);
        ki_fail(context, result, "%s: what observers queued was not applied: %s", call, why);
    }
    if (systems->observers.commands->failed != KITH_OK) {
        kith_commands_discard(systems->observers.commands);
    }
    return result != KITH_OK ? result : delivery_check(systems, call);
}

kith_result kith_observers_flush(kith_world *world)
{
    KI_TRY(ki_world_begin_change(world, "kith_observers_flush"));
    ki_systems *systems = ki_systems_of(world);
    if (systems == NULL || systems->observers.first == NULL) {
        return KITH_OK;
    }
    if (KI_CHECKED && systems->observing) {
        return ki_misuse(
            &world->store.context,
            "kith_observers_flush: observers are being called; what they change is told next time");
    }
    return ki_observers_deliver(systems, "kith_observers_flush");
}
