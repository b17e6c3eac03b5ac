/* Observers: read what trackers and looks tell, and pass it on in runs. */
#include <kith/observer.h>
#include <string.h>

#include "query/admission.h"
#include "query/iterator.h"
#include "system/system.h"

#define OBSERVER_RUN 1024u /* entities that are told of at once, at most */
#define OBSERVER_LONG 64u /* so many that stand side by side in a track are told of as they stand */

struct kith_observer {
    ki_systems *systems;
    kith_observer *next; /* in the order in which they were made */
    kith_observer *previous;
    kith_observer_def def;
    char *name;
    kith_query *query; /* of KITH_ON_SET: a look; of KITH_ON_ENTER and _LEAVE: what is matched */
    kith_tracker **trackers; /* of the types that have a say */
    uint32_t tracker_count;
    uint64_t until; /* of the others: what their only tracker reads at this delivery ends there */
    ki_column members; /* paged by slot: generation + 1 of who matched at the last delivery, or 0;
                          of KITH_ON_SET a scratch, all 0 */
    kith_entity *entities; /* of KITH_ON_SET, _ENTER and _LEAVE: who may have to be told of */
    uint32_t count;
    uint32_t left; /* of them, those from deliveries that failed */
    uint32_t capacity;
    bool misused; /* at this delivery */
};

static ki_heap *observer_heap(const kith_observer *observer)
{
    return &observer->systems->world->store.context.heap;
}

static bool observer_matches(const kith_observer *observer)
{
    return observer->def.kind >= KITH_ON_ENTER;
}

/* Whether it is told what its tracker tells, and nothing has to be found out first. */
static bool observer_follows(const kith_observer *observer)
{
    return observer->def.kind <= KITH_ON_DESPAWN;
}

/* ---- Coming and going ------------------------------------------------------------------------ */

static void observer_give(kith_observer *observer)
{
    ki_heap *heap = observer_heap(observer);
    for (uint32_t i = 0; i < observer->tracker_count; i++) {
        kith_tracker_free(observer->trackers[i]);
    }
    ki_heap_give(heap, observer->trackers, observer->tracker_count * sizeof *observer->trackers,
                 _Alignof(max_align_t));
    ki_column_free(&observer->systems->world->store.space, &observer->members);
    ki_heap_give(heap, observer->entities, observer->capacity * sizeof *observer->entities,
                 _Alignof(max_align_t));
    kith_query_free(observer->query);
    ki_heap_give_text(heap, observer->name);
    ki_heap_give(heap, observer, sizeof *observer, _Alignof(kith_observer));
}

void ki_observers_free(ki_systems *systems)
{
    while (systems->observers != NULL) {
        kith_observer *observer = systems->observers;
        systems->observers = observer->next;
        observer_give(observer);
    }
}

void kith_observer_free(kith_observer *observer)
{
    if (observer == NULL) {
        return;
    }
    ki_systems *systems = observer->systems;
    KI_REQUIRE_OWNER(systems->world, "kith_observer_free", );
    KITH_REQUIRE(&systems->world->store.context, !systems->world->observing, ,
                 "kith_observer_free: observers are being called; free it when they have returned");
    if (observer->previous != NULL) {
        observer->previous->next = observer->next;
    } else {
        systems->observers = observer->next;
    }
    if (observer->next != NULL) {
        observer->next->previous = observer->previous;
    } else {
        systems->last_observer = observer->previous;
    }
    observer_give(observer);
}

static kith_result observer_track(kith_observer *observer, const kith_type *type)
{
    ki_heap *heap = observer_heap(observer);
    kith_world *world = observer->systems->world;
    KI_REQUIRE_COMPONENT(component, world, "kith_observer_new", type, KITH_ERR_MISUSE)
    uint32_t count = observer->tracker_count;
    kith_tracker **trackers =
        ki_heap_take(heap, (count + 1) * sizeof *trackers, _Alignof(max_align_t));
    if (trackers == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_result result =
        ki_tracker_new(&world->store, component, observer->def.values, &trackers[count]);
    if (result != KITH_OK) {
        ki_heap_give(heap, trackers, (count + 1) * sizeof *trackers, _Alignof(max_align_t));
        return result;
    }
    if (count != 0) {
        memcpy(trackers, observer->trackers, count * sizeof *trackers);
    }
    ki_heap_give(heap, observer->trackers, count * sizeof *trackers, _Alignof(max_align_t));
    observer->trackers = trackers;
    observer->tracker_count = count + 1;
    return KITH_OK;
}

/* Makes observer_mark certain for all slots that there are. */
static kith_result observer_reserve_marks(kith_observer *observer)
{
    ki_store *store = &observer->systems->world->store;
    for (uint64_t index = 0; index < store->entities.slots;
         index += ki_column_block_rows(&observer->members)) {
        KI_TRY(ki_column_reserve_page(&store->space, &observer->members, (uint32_t)index));
    }
    return store->entities.slots == 0 ? KITH_OK
                                      : ki_column_reserve_page(&store->space, &observer->members,
                                                               store->entities.slots - 1);
}

/* Notes whether an entity matches. */
static void observer_mark(kith_observer *observer, kith_entity entity, bool member)
{
    *(uint64_t *)ki_column_at(&observer->members, entity.index1 - 1) =
        member ? (uint64_t)entity.generation + 1 : 0;
}

/* Whether an entity was marked last. */
static bool observer_is_marked(const kith_observer *observer, kith_entity entity)
{
    return *(const uint64_t *)ki_column_at(&observer->members, entity.index1 - 1) ==
           (uint64_t)entity.generation + 1;
}

/* Whoever matches now has always done so. */
static kith_result observer_mark_all(kith_observer *observer)
{
    KI_TRY(observer_reserve_marks(observer));
    kith_iter it = kith_query_iter(observer->query);
    while (kith_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            observer_mark(observer, kith_entities(&it)[i], true);
        }
    }
    return it.result;
}

static kith_result observer_fill(kith_observer *observer)
{
    kith_world *world = observer->systems->world;
    const kith_observer_def *def = &observer->def;
    if (def->kind == KITH_ON_SET) {
        const kith_term term = {def->type, KITH_ACCESS_READ, KITH_MUST_CHANGED, 0};
        KI_TRY(kith_query_new(
            world, &(kith_query_def){.terms = &term, .term_count = 1, .name = observer->name},
            &observer->query));
        return ki_query_mark_seen(observer->query);
    }
    if (!observer_matches(observer)) {
        KI_TRY(observer_track(observer, def->type));
        return KITH_OK;
    }
    KI_TRY(kith_query_new(world, &def->query, &observer->query));
    for (uint32_t i = 0; i < def->query.term_count; i++) {
        if (def->query.terms[i].role != KITH_MAY) {
            KI_TRY(observer_track(observer, def->query.terms[i].type));
        }
    }
    return observer_mark_all(observer);
}

static kith_result observer_check(kith_world *world, const kith_observer_def *def)
{
    ki_context *context = &world->store.context;
    const char *name = def->name == NULL ? "(unnamed)" : def->name;
    const char *wrong = NULL;
    bool matches = def->kind == KITH_ON_ENTER || def->kind == KITH_ON_LEAVE;
    bool must = false;
    bool changed = false;
    for (uint32_t i = 0; matches && def->query.terms != NULL && i < def->query.term_count; i++) {
        must = must || def->query.terms[i].role == KITH_MUST;
        changed = changed || def->query.terms[i].role == KITH_MUST_CHANGED;
    }
    if ((uint32_t)def->kind > KITH_ON_LEAVE) {
        wrong = "a kind that is none";
    } else if (def->run == NULL) {
        wrong = "no function";
    } else if (strlen(name) > KI_SYSTEM_NAME_MAX) {
        wrong = "a name of more than 127 bytes";
    } else if (matches ? def->type != NULL : def->query.term_count != 0) {
        wrong = matches ? "a type beside its query" : "a query beside its type";
    } else if (changed) {
        wrong = "a term that must have changed";
    } else if (matches && !must) {
        wrong = "no term that must be there";
    } else if (def->kind == KITH_ON_SET && def->type != NULL && def->type->size == 0) {
        wrong = "a tag, which has no value to be set";
    } else if (def->values && def->kind != KITH_ON_REMOVE && def->kind != KITH_ON_DESPAWN) {
        wrong = "values, but nothing is lost that could have one";
    } else if (def->values && def->type != NULL && def->type->size == 0) {
        wrong = "a tag, which has no values to be kept";
    }
    return wrong == NULL ? KITH_OK
                         : ki_fail(context, KITH_ERR_INPUT, "kith_observer_new: '%.127s' has %s",
                                   name, wrong);
}

/* The buffer that observers queue on. */
static kith_result observer_ready_commands(ki_systems *systems)
{
    if (systems->observed == NULL) {
        systems->observed = kith_commands_new(systems->world, NULL); /* freed with the world */
        if (systems->observed == NULL) {
            return KITH_ERR_MEMORY;
        }
        systems->observed->lent = "observed->commands";
    }
    return KITH_OK;
}

kith_result kith_observer_new(kith_world *world, const kith_observer_def *def, kith_observer **made)
{
    KI_BEGIN_CHANGE(world, "kith_observer_new", KITH_ERR_MISUSE);
    ki_context *context = &world->store.context;
    KITH_REQUIRE(context, def != NULL, KITH_ERR_MISUSE,
                 "kith_observer_new: the definition is NULL");
    KI_TRY(observer_check(world, def));
    ki_systems *systems = ki_systems_make(world);
    if (systems == NULL) {
        return KITH_ERR_MEMORY;
    }
    KITH_REQUIRE(context, !world->observing, KITH_ERR_MISUSE,
                 "kith_observer_new: observers are being called; make it when they have returned");
    KI_TRY(observer_ready_commands(systems));
    ki_heap *heap = &context->heap;
    kith_observer *observer = ki_heap_take_zeroed(heap, sizeof *observer, _Alignof(kith_observer));
    if (observer == NULL) {
        return KITH_ERR_MEMORY;
    }
    observer->systems = systems;
    observer->def = *def;
    ki_column_init_paged(&observer->members, sizeof(uint64_t), _Alignof(uint64_t), 10);
    observer->name = ki_heap_copy_text(heap, def->name == NULL ? "(unnamed)" : def->name);
    kith_result result = observer->name == NULL ? KITH_ERR_MEMORY : observer_fill(observer);
    if (result != KITH_OK) {
        observer_give(observer);
        return result;
    }
    observer->def.query = (kith_query_def){0}; /* the caller's */
    observer->previous = systems->last_observer;
    if (observer->previous != NULL) {
        observer->previous->next = observer;
    } else {
        systems->observers = observer;
    }
    systems->last_observer = observer;
    if (made != NULL) {
        *made = observer;
    }
    return KITH_OK;
}

/* ---- Delivering ------------------------------------------------------------------------------ */

/* Room for so many more entities to be told of. */
static kith_result observer_reserve(kith_observer *observer, uint64_t count)
{
    if (count > UINT32_MAX - observer->count) {
        return KITH_ERR_LIMIT;
    }
    return ki_heap_grow(observer_heap(observer), &observer->entities, &observer->capacity,
                        observer->count + (uint32_t)count, sizeof *observer->entities, 64);
}

/* Reads on; what is read is gone, so there is room for it first. */
static kith_result observer_read(kith_observer *observer, kith_tracker *tracker)
{
    uint64_t pending = kith_tracker_pending(tracker);
    KI_TRY(observer_reserve(observer, pending));
    while (pending != 0) {
        ki_track_run run =
            ki_track_look(observer_heap(observer), tracker->component->track, tracker);
        memcpy(observer->entities + observer->count, run.entities,
               run.count * sizeof *run.entities);
        observer->count += run.count;
        pending -= run.count;
        ki_track_step(tracker, &run);
    }
    return KITH_OK;
}

static kith_result observer_look(kith_observer *observer)
{
    kith_result result = KITH_OK;
    uint32_t before = observer->count;
    kith_iter it = kith_query_iter(observer->query);
    while (result == KITH_OK && kith_next(&it)) {
        result = observer_reserve(observer, it.count);
        if (result == KITH_OK) {
            memcpy(observer->entities + observer->count, kith_entities(&it),
                   it.count * sizeof(kith_entity));
            observer->count += it.count;
        }
    }
    kith_iter_end(&it);
    result = result == KITH_OK ? it.result : result;
    observer->count = result == KITH_OK ? observer->count : before; /* to be seen again */
    return result;
}

/* Finds out who may have to be told of, and makes room to settle that. What is found stays if others
 * then fail, and is settled with what is found next. */
static kith_result observer_collect(kith_observer *observer)
{
    if (observer_follows(observer)) {
        observer->until = ki_track_written(observer->trackers[0]->component->track);
        return KITH_OK;
    }
    observer->left = observer->count;
    if (observer->def.kind == KITH_ON_SET) {
        KI_TRY(observer->left == 0 ? KITH_OK : observer_reserve_marks(observer));
        return observer_look(observer);
    }
    for (uint32_t i = 0; i < observer->tracker_count; i++) {
        KI_TRY(observer_read(observer, observer->trackers[i]));
    }
    return observer->count == 0 ? KITH_OK : observer_reserve_marks(observer);
}

/* Of those who were left over from deliveries that failed, leaves out who has the component no more, or
 * was seen again since. */
static void observer_settle_set(kith_observer *observer)
{
    kith_world *world = observer->systems->world;
    const ki_component *component = observer->query->terms[0].component;
    uint32_t kept = observer->count;
    for (uint32_t i = observer->count; i-- > 0;) { /* so the later ones of an entity stay */
        kith_entity entity = observer->entities[i];
        const ki_record *record = ki_record_of(&world->store.entities, entity);
        bool keep = record != NULL && !observer_is_marked(observer, entity) &&
                    ki_store_has(&world->store, component, entity.index1 - 1, record);
        if (keep) {
            observer_mark(observer, entity, true);
            observer->entities[--kept] = entity;
        }
    }
    observer->count -= kept;
    memmove(observer->entities, observer->entities + kept,
            observer->count * sizeof *observer->entities);
    for (uint32_t i = 0; i < observer->count; i++) {
        observer_mark(observer, observer->entities[i], false);
    }
}

/* Whether there is to be told that an entity ceased or began to match; `*entity` is then of whom.
 * Someone else may have lived in its slot meanwhile. */
static bool observer_compare(kith_observer *observer, kith_entity *entity)
{
    uint64_t was = *(const uint64_t *)ki_column_at(&observer->members, entity->index1 - 1);
    bool leaves = observer->def.kind == KITH_ON_LEAVE;
    bool member = was == (uint64_t)entity->generation + 1;
    bool matches = ki_query_has(observer->query, *entity);
    bool told = member != matches && member == leaves;
    if (member != matches) {
        observer_mark(observer, *entity, matches);
    }
    if (was != 0 && !member && matches && leaves) {
        entity->generation = (uint32_t)(was - 1);
        told = true;
    }
    return told;
}

/* Makes of those who were found out those who are told of. */
static void observer_settle(kith_observer *observer)
{
    if (!observer_matches(observer)) {
        if (observer->left != 0) {
            observer_settle_set(observer);
        }
        return;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < observer->count; i++) {
        kith_entity entity = observer->entities[i];
        if (observer_compare(observer, &entity)) {
            observer->entities[kept++] = entity;
        }
    }
    observer->count = kept;
}

static void observer_close_queries(kith_observer *observer)
{
    ki_context *context = &observer->systems->world->store.context;
    char where[256];
    ki_query_print_open(&observer->systems->world->store, NULL, where, sizeof where);
    ki_queries_close(&observer->systems->world->store);
    ki_misuse(context,
              "kith_observe: observer '%s' returned with a query open (%s); call kith_iter_end when"
              " leaving a loop early",
              observer->name, where);
    observer->misused = true;
}

static void observer_call(kith_observer *observer, const kith_entity *entities, uint32_t count,
                          const void *values)
{
    ki_systems *systems = observer->systems;
    const kith_observed observed = {
        .world = systems->world,
        .entities = entities,
        .count = count,
        .kind = observer->def.kind,
        .user = observer->def.user,
        .commands = systems->observed,
        .type = observer->def.type,
        .values = values,
    };
    observer->def.run(&observed);
    if (KI_UNLIKELY(systems->world->store.open != NULL)) {
        observer_close_queries(observer);
    }
}

/* How many entries of a run the observer is told of; or, with `*skip`, how many it is not. */
static uint32_t observer_pick(const kith_observer *observer, const ki_track_run *run, uint32_t most,
                              bool *skip)
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

/* What its tracker tells next, OBSERVER_RUN entities at most; none at the end. Short runs are gathered
 * in `room`. Values have to stand in a row, and live as long as their chunk is not left; what is
 * handed over as it stands in the chunk, likewise. */
static ki_track_run observer_gather(const kith_observer *observer, kith_entity *room)
{
    kith_tracker *tracker = observer->trackers[0];
    ki_track *track = tracker->component->track;
    ki_track_run told = {.entities = room};
    while (told.count < OBSERVER_RUN && ki_track_place(tracker) < observer->until) {
        if (tracker->valued && told.count != 0 && tracker->place == tracker->chunk->count) {
            break;
        }
        ki_track_run run = ki_track_look(observer_heap(observer), track, tracker);
        uint64_t left = observer->until - ki_track_place(tracker);
        uint32_t most = OBSERVER_RUN - told.count;
        bool skip;
        run.count = observer_pick(observer, &run, left < most ? (uint32_t)left : most, &skip);
        if (!skip && told.count == 0 && run.count >= OBSERVER_LONG) {
            ki_track_step(tracker, &run);
            return run;
        }
        if (!skip) {
            if (told.count != 0 &&
                (run.count >= OBSERVER_LONG ||
                 (tracker->valued &&
                  run.values != told.values + (size_t)told.count * track->size))) {
                break;
            }
            memcpy(room + told.count, run.entities, run.count * sizeof *room);
            told.values = told.count == 0 ? run.values : told.values;
            told.count += run.count;
        }
        ki_track_step(tracker, &run);
    }
    return told;
}

static void observer_tell(kith_observer *observer)
{
    if (!observer_follows(observer)) {
        for (uint32_t first = 0; first < observer->count; first += OBSERVER_RUN) {
            observer_call(observer, observer->entities + first,
                          ki_min_u32(observer->count - first, OBSERVER_RUN), NULL);
        }
        observer->count = 0;
        return;
    }
    kith_entity room[OBSERVER_RUN];
    for (ki_track_run run = observer_gather(observer, room); run.count != 0;
         run = observer_gather(observer, room)) {
        observer_call(observer, run.entities, run.count, run.values);
    }
    ki_track *track = observer->trackers[0]->component->track;
    if (observer->def.values && --track->untold == 0) {
        ki_track_settle(track);
    }
}

const void *kith_observed_values(const kith_observed *observed, const kith_type *type)
{
    KITH_REQUIRE(NULL, observed != NULL, NULL, "kith_observed_values: nothing was observed: NULL");
    KI_REQUIRE_OWNER(observed->world, "kith_observed_values", NULL);
    const ki_context *context = &observed->world->store.context;
    KITH_REQUIRE(context, observed->values != NULL, NULL,
                 "kith_observed_values: the observer was made without `values`, so none are kept");
    KITH_REQUIRE(context,
                 type != NULL && ki_type_number_found(type) == ki_type_number(observed->type), NULL,
                 "kith_observed_values: the observer is of '%s', not of '%s'", observed->type->name,
                 type == NULL ? "(NULL)" : type->name);
    return observed->values;
}

/* Whether an observer broke a rule, of which the handler was told. */
static kith_result observers_judge(ki_systems *systems, const char *call)
{
    kith_result result = KITH_OK;
    for (kith_observer *o = systems->observers; o != NULL; o = o->next) {
        if (KI_UNLIKELY(o->misused)) {
            result = ki_fail(&systems->world->store.context, KITH_ERR_MISUSE,
                             "%s: observer '%s' was misused: it left a query open", call, o->name);
        }
    }
    return result;
}

kith_result ki_observers_deliver(ki_systems *systems, const char *call)
{
    ki_context *context = &systems->world->store.context;
    for (kith_observer *o = systems->observers; o != NULL; o = o->next) {
        kith_result result = observer_collect(o);
        if (result != KITH_OK) {
            return ki_fail(context, result, "%s: observer '%s' cannot be told: %s", call, o->name,
                           kith_result_name(result));
        }
    }
    for (kith_observer *o = systems->observers; o != NULL; o = o->next) {
        observer_settle(o);
        o->misused = false;
        if (o->def.values) {
            o->trackers[0]->component->track->untold++;
        }
    }
    systems->world->observing = true;
    for (kith_observer *o = systems->observers; o != NULL; o = o->next) {
        observer_tell(o);
    }
    systems->world->observing = false;
    kith_result result = kith_commands_apply(systems->observed, NULL);
    if (result != KITH_OK) {
        char why[sizeof context->error];
        memcpy(why, context->error, sizeof why);
        ki_fail(context, result, "%s: what observers queued was not applied: %s", call, why);
    }
    if (systems->observed->failed != KITH_OK) {
        kith_commands_clear(systems->observed);
    }
    return result != KITH_OK ? result : observers_judge(systems, call);
}

kith_result kith_observe(kith_world *world)
{
    KI_BEGIN_CHANGE(world, "kith_observe", KITH_ERR_MISUSE);
    ki_systems *systems = ki_systems_of(world);
    if (systems == NULL || systems->observers == NULL) {
        return KITH_OK;
    }
    KITH_REQUIRE(&world->store.context, !world->observing, KITH_ERR_MISUSE,
                 "kith_observe: observers are being called; what they change is told next time");
    return ki_observers_deliver(systems, "kith_observe");
}
