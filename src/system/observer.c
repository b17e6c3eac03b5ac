/* Observers: making and freeing them. delivery.c calls them. */
#include <string.h>

#include "query/iterator.h"
#include "query/term_list.h"
#include "system/name.h"
#include "system/system_state.h"
#include "world/first_use.h"
#include "world/queries.h"

ki_heap *ki_observer_heap(const kith_observer *observer)
{
    return &observer->systems->world->store.context.heap;
}

static void observer_end(kith_observer *observer)
{
    ki_heap *heap = ki_observer_heap(observer);
    for (uint32_t i = 0; i < observer->tracker_count; i++) {
        kith_tracker_free(observer->trackers[i]);
    }
    ki_heap_free(heap, observer->trackers, observer->tracker_count * sizeof *observer->trackers,
                 _Alignof(max_align_t));
    for (uint32_t i = 0; observer->also != NULL && i < observer->also_count; i++) {
        kith_tracker_free(observer->also[i].tracker);
        ki_map_free(heap, &observer->also[i].values);
    }
    ki_heap_free(heap, observer->also, observer->also_count * sizeof *observer->also,
                 _Alignof(max_align_t));
    ki_column_free(&observer->systems->world->store.columns, &observer->matched);
    ki_heap_free(heap, observer->entities, observer->capacity * sizeof *observer->entities,
                 _Alignof(max_align_t));
    kith_query_free(observer->query);
    ki_heap_free_text(heap, observer->name);
    ki_heap_free(heap, observer, sizeof *observer, _Alignof(kith_observer));
}

void ki_observers_free(ki_systems *systems)
{
    while (systems->observers.first != NULL) {
        kith_observer *observer = systems->observers.first;
        systems->observers.first = observer->next;
        observer_end(observer);
    }
}

void kith_observer_free(kith_observer *observer)
{
    if (observer == NULL) {
        return;
    }
    ki_systems *systems = observer->systems;
    if (ki_world_require_owner(systems->world, "kith_observer_free") != KITH_OK) {
        return;
    }
    if (KI_CHECKED && systems->observing) {
        ki_misuse(
            &systems->world->store.context,
            "kith_observer_free: observers are being called; free it when they have returned");
        return;
    }
    if (observer->previous != NULL) {
        observer->previous->next = observer->next;
    } else {
        systems->observers.first = observer->next;
    }
    if (observer->next != NULL) {
        observer->next->previous = observer->previous;
    } else {
        systems->observers.last = observer->previous;
    }
    observer_end(observer);
}

/* A tracker that a snapshot knows by its number. In a fork, those of the same observers have the
 * same. */
static kith_result observer_make_tracker(kith_observer *observer, ki_component *component,
                                         bool valued, kith_tracker **tracker)
{
    ki_systems *systems = observer->systems;
    KI_TRY(ki_tracker_new(&systems->world->store, component, valued, tracker));
    (*tracker)->rewound = true;
    (*tracker)->number = ++systems->observers.tracked;
    return KITH_OK;
}

/* Adds a tracker of a type. */
static kith_result observer_track(kith_observer *observer, const kith_type *type)
{
    ki_heap *heap = ki_observer_heap(observer);
    kith_world *world = observer->systems->world;
    ki_component *component;
    KI_TRY(ki_world_use(world, "kith_observer_new", type, &component));
    uint32_t count = observer->tracker_count;
    kith_tracker **trackers =
        ki_heap_alloc(heap, (count + 1) * sizeof *trackers, _Alignof(max_align_t));
    if (trackers == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_result result =
        observer_make_tracker(observer, component, observer->def.values, &trackers[count]);
    if (result != KITH_OK) {
        ki_heap_free(heap, trackers, (count + 1) * sizeof *trackers, _Alignof(max_align_t));
        return result;
    }
    if (count != 0) {
        memcpy(trackers, observer->trackers, count * sizeof *trackers);
    }
    ki_heap_free(heap, observer->trackers, count * sizeof *trackers, _Alignof(max_align_t));
    observer->trackers = trackers;
    observer->tracker_count = count + 1;
    return KITH_OK;
}

kith_result ki_observer_reserve_marks(kith_observer *observer, const kith_entity *entities,
                                      uint32_t count)
{
    ki_column_context *columns = &observer->systems->world->store.columns;
    for (uint32_t i = 0; i < count; i++) {
        KI_TRY(ki_column_reserve_row(columns, &observer->matched, entities[i].index1 - 1));
    }
    return KITH_OK;
}

/* Marks all entities that match now: they do not begin to match at the next delivery. */
static kith_result observer_mark_all(kith_observer *observer)
{
    kith_result result = KITH_OK;
    kith_iter it = kith_query_iter(observer->query);
    while (result == KITH_OK && kith_next(&it)) {
        result = ki_observer_reserve_marks(observer, kith_entities(&it), it.count);
        for (uint32_t i = 0; result == KITH_OK && i < it.count; i++) {
            ki_observer_mark(observer, kith_entities(&it)[i], true);
        }
    }
    kith_iter_close(&it);
    return result == KITH_OK ? it.result : result;
}

/* Whether a type of `also` is not the observer's own, nor one of the first `count`. */
static kith_result observer_check_new(const kith_observer *observer, const ki_component *component,
                                      uint32_t count)
{
    ki_context *context = &observer->systems->world->store.context;
    const char *name = component->type->name;
    if (observer->trackers[0]->component == component) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_observer_new: '%.127s' has its own type '%s' in `also`; set `values`"
                       " instead",
                       observer->name, name);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (observer->also[i].tracker->component == component) {
            return ki_fail(context, KITH_ERR_INPUT,
                           "kith_observer_new: '%.127s' has '%s' twice in `also`", observer->name,
                           name);
        }
    }
    return KITH_OK;
}

/* Makes the trackers that keep the values of `also`. */
static kith_result observer_keep_also(kith_observer *observer)
{
    const kith_observer_def *def = &observer->def;
    uint32_t count = ki_terms_count(def->also);
    if (count == 0) {
        return KITH_OK;
    }
    kith_world *world = observer->systems->world;
    observer->also = ki_heap_alloc_zeroed(ki_observer_heap(observer),
                                          count * sizeof *observer->also, _Alignof(max_align_t));
    if (observer->also == NULL) {
        return KITH_ERR_MEMORY;
    }
    observer->also_count = count;
    for (uint32_t i = 0; i < count; i++) {
        ki_component *component;
        KI_TRY(ki_world_use(world, "kith_observer_new", def->also[i].type, &component));
        KI_TRY(observer_check_new(observer, component, i));
        KI_TRY(observer_make_tracker(observer, component, true, &observer->also[i].tracker));
    }
    return KITH_OK;
}

/* Makes the query and the trackers that the observer needs. */
static kith_result observer_fill(kith_observer *observer)
{
    kith_world *world = observer->systems->world;
    const kith_observer_def *def = &observer->def;
    if (def->kind == KITH_ON_CHANGE) {
        const kith_term terms[] = {{def->type, KITH_ACCESS_READ, KITH_MUST_CHANGED, 0, NULL}, {0}};
        const kith_query_def query = {.terms = terms, .name = observer->name};
        KI_TRY(ki_query_new(world, "kith_observer_new", &query, &observer->query));
        return ki_query_skip_changes(observer->query);
    }
    if (!ki_observer_compares(observer)) {
        KI_TRY(observer_track(observer, def->type));
        return observer_keep_also(observer);
    }
    KI_TRY(ki_query_new(world, "kith_observer_new", &def->query, &observer->query));
    if (observer->query->inherits) {
        return ki_fail(
            &world->store.context, KITH_ERR_INPUT,
            "kith_observer_new: '%.127s' has Disabled in its query, which children inherit;"
            " make a live query of it, or observe the type itself",
            observer->name);
    }
    for (uint32_t i = 0, count = ki_terms_count(def->query.terms); i < count; i++) {
        if (def->query.terms[i].role != KITH_MAY) {
            KI_TRY(observer_track(observer, def->query.terms[i].type));
        }
    }
    return observer_mark_all(observer);
}

/* What is wrong with the `also` of a def, or NULL. */
static const char *observer_check_also(const kith_observer_def *def)
{
    uint32_t count = ki_terms_count(def->also);
    if (count != 0 && def->kind != KITH_ON_DESPAWN) {
        return "`also`, but its kind is not KITH_ON_DESPAWN";
    }
    for (uint32_t i = 0; i < count; i++) {
        const kith_term *term = &def->also[i];
        if (term->access != KITH_ACCESS_READ || term->role != KITH_MUST) {
            return "a term in `also` that is not KITH_READ";
        }
    }
    return NULL;
}

/* What is wrong with a def, if anything: KITH_ERR_INPUT. */
static kith_result observer_check(kith_world *world, const kith_observer_def *def)
{
    ki_context *context = &world->store.context;
    const char *name = def->name == NULL ? "(unnamed)" : def->name;
    const char *wrong = NULL;
    bool matches = def->kind == KITH_ON_ENTER || def->kind == KITH_ON_LEAVE;
    bool must = false;
    bool changed = false;
    bool values = false;
    KI_TRY(ki_terms_check(context, "kith_observer_new", "query", def->query.terms));
    KI_TRY(ki_terms_check(context, "kith_observer_new", "also", def->also));
    uint32_t count = ki_terms_count(def->query.terms);
    for (uint32_t i = 0; matches && i < count; i++) {
        must = must || def->query.terms[i].role == KITH_MUST;
        changed = changed || def->query.terms[i].role == KITH_MUST_CHANGED;
        values = values || def->query.terms[i].condition != NULL;
    }
    if ((uint32_t)def->kind > KITH_ON_LEAVE) {
        wrong = "a kind that does not exist";
    } else if (def->run == NULL) {
        wrong = "no function; set `run`";
    } else if (strlen(name) > KI_SYSTEM_NAME_MAX) {
        wrong = "a name of more than 127 bytes";
    } else if (matches ? def->type != NULL : count != 0) {
        wrong = matches ? "a `type`, but its kind takes a `query`"
                        : "a `query`, but its kind takes a `type`; KITH_ON_ENTER and KITH_ON_LEAVE"
                          " take a query";
    } else if (changed) {
        wrong = "a term that must have changed";
    } else if (values) {
        wrong = "a condition on values in its query; it is told only of components";
    } else if (matches && !must) {
        wrong = "no required term";
    } else if (matches && def->query.order != KITH_SCAN_ORDER) {
        wrong = "an `order` in its query; it is told in the order of slots";
    } else if (def->kind == KITH_ON_CHANGE && def->type != NULL && def->type->size == 0) {
        wrong = "a tag, which has no value to be set";
    } else if (def->values && def->kind != KITH_ON_REMOVE && def->kind != KITH_ON_DESPAWN) {
        wrong = "`values`, but its kind loses no values";
    } else if (def->values && def->type != NULL && def->type->size == 0) {
        wrong = "`values` of a tag, which has none";
    } else {
        wrong = observer_check_also(def);
    }
    return wrong == NULL ? KITH_OK
                         : ki_fail(context, KITH_ERR_INPUT, "kith_observer_new: '%.127s' has %s",
                                   name, wrong);
}

/* Makes the buffer that observers queue on, if it is missing. */
static kith_result observer_make_commands(ki_systems *systems)
{
    if (systems->observers.commands == NULL) {
        kith_commands *commands =
            kith_commands_new(systems->world, NULL); /* freed with the world */
        if (commands == NULL) {
            return KITH_ERR_MEMORY;
        }
        commands->lent = "observed->commands";
        systems->observers.commands = commands;
    }
    return KITH_OK;
}

kith_result kith_observer_new(kith_world *world, const kith_observer_def *def, kith_observer **made)
{
    KI_TRY(ki_world_begin_change(world, "kith_observer_new"));
    ki_context *context = &world->store.context;
    if (KI_CHECKED && def == NULL) {
        return ki_misuse(context, "kith_observer_new: the definition is NULL");
    }
    KI_TRY(observer_check(world, def));
    if (KI_CHECKED && def->type == NULL && def->kind <= KITH_ON_CHANGE) {
        return ki_misuse(context, "kith_observer_new: '%s' has no type; set `type`",
                         def->name == NULL ? "(unnamed)" : def->name);
    }
    ki_systems *systems = ki_systems_make(world);
    if (systems == NULL) {
        return KITH_ERR_MEMORY;
    }
    if (KI_CHECKED && systems->observing) {
        return ki_misuse(
            context,
            "kith_observer_new: observers are being called; make it when they have returned");
    }
    KI_TRY(observer_make_commands(systems));
    ki_heap *heap = &context->heap;
    kith_observer *observer = ki_heap_alloc_zeroed(heap, sizeof *observer, _Alignof(kith_observer));
    if (observer == NULL) {
        return KITH_ERR_MEMORY;
    }
    observer->systems = systems;
    observer->number = ++systems->observers.made;
    observer->def = *def;
    ki_column_init_paged(&observer->matched, sizeof(uint64_t), _Alignof(uint64_t), 10);
    observer->name = ki_heap_copy_text(heap, def->name == NULL ? "(unnamed)" : def->name);
    kith_result result = observer->name == NULL ? KITH_ERR_MEMORY : observer_fill(observer);
    if (result != KITH_OK) {
        observer_end(observer);
        return result;
    }
    observer->def.query = (kith_query_def){0}; /* its arrays are the caller's */
    observer->def.also = NULL;
    observer->previous = systems->observers.last;
    if (observer->previous != NULL) {
        observer->previous->next = observer;
    } else {
        systems->observers.first = observer;
    }
    systems->observers.last = observer;
    if (made != NULL) {
        *made = observer;
    }
    return KITH_OK;
}
