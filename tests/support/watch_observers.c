/* The part of the watch that is about observers: what each has to be told, and what it was. */
#include <kith/kith.h>
#include <stdlib.h>
#include <string.h>

#include "watch.h"

/* Whether it is told each loss or gain, in their order. */
static bool follows(const watch_observer *o)
{
    return o->kind <= KITH_ON_DESPAWN;
}

static bool matches(const watch_observer *o, const watch_entity *entity)
{
    bool asks_one_of = false;
    bool has_one_of = false;
    for (uint32_t i = 0; i < o->term_count; i++) {
        bool has = entity->has[o->term_types[i]];
        kith_role role = o->terms[i].role;
        if ((role == KITH_MUST && !has) || (role == KITH_MUST_NOT && has)) {
            return false;
        }
        asks_one_of = asks_one_of || role == KITH_ONE_OF;
        has_one_of = has_one_of || (role == KITH_ONE_OF && has);
    }
    return entity->alive && (!asks_one_of || has_one_of);
}

/* Who in this slot is to be known: has the component, or matches. */
static kith_entity subject(const watch_observer *o, const watch_entity *entity)
{
    bool is =
        o->kind == KITH_ON_CHANGE ? entity->alive && entity->has[o->type] : matches(o, entity);
    return is ? entity->handle : KITH_NONE;
}

static bool is_changed(const watch_observer *o, const watch_entity *entity)
{
    const watch_known *known = &o->known[kith_entity_slot(entity->handle)];
    return !kith_entity_equal(known->entity, entity->handle) ||
           known->number != entity->numbers[o->type];
}

/* All that there is is known now. */
static void know_all(watch_observer *o)
{
    for (uint32_t slot = 0; !follows(o) && slot < WATCH_SLOTS; slot++) {
        const watch_entity *entity = &o->owner->entities[slot];
        o->known[slot] =
            (watch_known){.entity = subject(o, entity),
                          .number = o->kind == KITH_ON_CHANGE ? entity->numbers[o->type] : 0};
    }
}

/* There was a look at the values of a type, or half of one, after which nobody was told. What has
 * changed by then may be told later though it is again what it was: the library compares with what any
 * look has seen. */
static void blur(watch *w, uint32_t type)
{
    for (uint32_t i = 0; i < WATCH_OBSERVERS; i++) {
        watch_observer *o = &w->observers[i];
        if (o->made == NULL || o->kind != KITH_ON_CHANGE || o->type != type) {
            continue;
        }
        for (uint32_t slot = 0; slot < WATCH_SLOTS; slot++) {
            const watch_entity *entity = &w->entities[slot];
            if (entity->alive && entity->has[type] && is_changed(o, entity)) {
                o->known[slot].maybe = true;
            }
        }
    }
}

void watch_note_change(watch *w, kith_entity entity, uint32_t type, bool lost, uint32_t number)
{
    uint64_t call = w->unordered ? w->call : ++w->call;
    for (uint32_t i = 0; i < WATCH_OBSERVERS; i++) {
        watch_observer *o = &w->observers[i];
        if (o->made == NULL || o->kind >= KITH_ON_ENTER || o->type != type) {
            continue;
        }
        if (o->kind == KITH_ON_CHANGE) {
            /* What comes back is new, whatever its value; within one call it need not be. */
            watch_known *known = &o->known[kith_entity_slot(entity)];
            known->maybe = known->maybe || w->loose;
            known->entity = w->loose ? known->entity : KITH_NONE;
        } else if (lost == (o->kind != KITH_ON_ADD)) {
            watch_push(
                &o->expected,
                (watch_event){.call = call, .entity = entity, .number = o->values ? number : 0});
        }
    }
}

/* ---- Being told ---------------------------------------------------------------------------------- */

static void react(const watch_observer *o, const kith_observed *observed, kith_entity entity)
{
    watch *w = o->owner;
    if (!w->calm || !kith_alive(w->world, entity)) {
        return;
    }
    if (o->reaction == WATCH_QUEUES) {
        CHECK_RESULT(KITH_ADD(observed->commands, entity, Burning), KITH_OK);
        watch_push(&w->queued, (watch_event){.entity = entity});
    } else if (o->reaction == WATCH_ACTS) {
        CHECK_RESULT(KITH_ADD(w->world, entity, Burning), KITH_OK);
        watch_push(&w->acted, (watch_event){.entity = entity});
    }
}

static void be_told(const kith_observed *observed)
{
    watch_observer *o = observed->user;
    CHECK(observed->count > 0 && observed->count <= 1024);
    CHECK(observed->world == o->owner->world && observed->kind == o->kind);
    if (o->kind < KITH_ON_ENTER) {
        CHECK_STR(observed->type->name, watch_types[o->type]->name);
    } else {
        CHECK_PTR_NULL(observed->type);
    }
    CHECK_INT(observed->values != NULL, o->values);
    const unsigned char *values =
        o->values ? kith_observed_values(observed, watch_types[o->type]) : NULL;
    for (uint32_t i = 0; i < observed->count; i++) {
        watch_event event = {.entity = observed->entities[i]};
        if (o->values) {
            const unsigned char *value = values + (size_t)i * watch_types[o->type]->size;
            event.number = watch_value_read(o->type, value);
            CHECK(kith_observed_value(observed, i, watch_types[o->type]) == (const void *)value);
        }
        for (uint32_t k = 0; k < o->also_count; k++) {
            const void *value = kith_observed_value(observed, i, watch_types[o->also[k]]);
            event.also[k] = value == NULL ? 0 : watch_value_read(o->also[k], value) + 1;
        }
        watch_push(&o->told, event);
    }
    for (uint32_t i = 0; i < observed->count; i++) {
        react(o, observed, observed->entities[i]);
    }
}

/* ---- Comparing ----------------------------------------------------------------------------------- */

static int compare_events(const void *left, const void *right)
{
    const watch_event *a = left;
    const watch_event *b = right;
    if (a->entity.index1 != b->entity.index1) {
        return a->entity.index1 < b->entity.index1 ? -1 : 1;
    }
    if (a->entity.generation != b->entity.generation) {
        return a->entity.generation < b->entity.generation ? -1 : 1;
    }
    return a->number < b->number ? -1 : a->number > b->number;
}

static void sort_events(watch_event *events, uint32_t count)
{
    if (count > 1) {
        qsort(events, count, sizeof(*events), compare_events);
    }
}

/* What was told is some of what might be. Of values that were set and lost within one call, either is as
 * good as the one before. */
static void compare_loosely(watch_observer *o)
{
    sort_events(o->expected.list, o->expected.count);
    sort_events(o->told.list, o->told.count);
    uint32_t found = 0;
    for (uint32_t i = 0; i < o->expected.count && found < o->told.count; i++) {
        found += kith_entity_equal(o->told.list[found].entity, o->expected.list[i].entity);
    }
    CHECK_UINT(found, o->told.count);
}

/* What was told is what was to be told, call by call. */
static void compare(watch_observer *o)
{
    CHECK_UINT(o->told.count, o->expected.count);
    const watch_event *expected = o->expected.list;
    for (uint32_t first = 0, end; first < o->expected.count; first = end) {
        for (end = first + 1;
             end < o->expected.count && expected[end].call == expected[first].call;) {
            end++;
        }
        sort_events(o->expected.list + first, end - first);
        sort_events(o->told.list + first, end - first);
        for (uint32_t i = first; i < end; i++) {
            CHECK_SAME(o->told.list[i].entity, expected[i].entity);
            CHECK_UINT(o->told.list[i].number, expected[i].number);
            for (uint32_t k = 0; k < o->also_count; k++) {
                CHECK_UINT(o->told.list[i].also[k], expected[i].also[k]);
            }
        }
    }
}

static int compare_ended(const void *left, const void *right)
{
    kith_entity a = ((const watch_entity *)left)->handle;
    kith_entity b = ((const watch_entity *)right)->handle;
    if (a.index1 != b.index1) {
        return a.index1 < b.index1 ? -1 : 1;
    }
    return a.generation < b.generation ? -1 : a.generation > b.generation;
}

/* What else the entity of an event had when it was despawned. `ended` is sorted. */
static void expect_also(const watch_observer *o, watch_event *event)
{
    const watch *w = o->owner;
    const watch_entity key = {.handle = event->entity};
    const watch_entity *ended = bsearch(&key, w->ended, w->ended_count, sizeof(key), compare_ended);
    CHECK_PTR_NOT_NULL(ended);
    for (uint32_t k = 0; k < o->also_count; k++) {
        event->also[k] = ended->has[o->also[k]] ? ended->numbers[o->also[k]] + 1 : 0;
    }
}

/* Of what was lost, what those lost that are dead. */
static void leave_out_the_living(watch_observer *o)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < o->expected.count; i++) {
        if (watch_find(o->owner, o->expected.list[i].entity) == NULL) {
            expect_also(o, &o->expected.list[i]);
            o->expected.list[kept++] = o->expected.list[i];
        }
    }
    o->expected.count = kept;
}

/* Who began or ceased to match; in no order. */
static void expect_matches(watch_observer *o)
{
    for (uint32_t slot = 0; slot < WATCH_SLOTS; slot++) {
        kith_entity was = o->known[slot].entity;
        kith_entity is = subject(o, &o->owner->entities[slot]);
        kith_entity whom = o->kind == KITH_ON_ENTER ? is : was;
        if (!kith_entity_equal(was, is) && !kith_is_none(whom)) {
            watch_push(&o->expected, (watch_event){.entity = whom});
        }
    }
}

/* Told in the order of a query, as long as no observer has moved anyone since; but that what deliveries
 * that failed had found out comes first. */
static void check_order(const watch_observer *o)
{
    const kith_term term = {watch_types[o->type], KITH_ACCESS_READ, KITH_MUST, 0, NULL};
    kith_query *query = NULL;
    CHECK_RESULT(
        kith_query_new(o->owner->world, &(kith_query_def){.terms = KITH_TERMS(term)}, &query),
        KITH_OK);
    uint32_t found = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count && found < o->told.count; i++) {
            found += kith_entity_equal(kith_entities(&it)[i], o->told.list[found].entity);
        }
    }
    CHECK_UINT(found, o->told.count);
    kith_query_free(query);
}

/* Whoever has another value than when it was told last, or is new, is told of, once. Nobody else is, if
 * changes are told exactly. */
static void compare_values(watch_observer *o)
{
    watch *w = o->owner;
    for (uint32_t i = 0; i < o->told.count; i++) {
        const watch_entity *entity = watch_find(w, o->told.list[i].entity);
        CHECK(entity != NULL && entity->has[o->type]);
        watch_known *known = &o->known[kith_entity_slot(entity->handle)];
        CHECK(!known->told);
        known->told = true;
    }
    for (uint32_t slot = 0; slot < WATCH_SLOTS; slot++) {
        const watch_entity *entity = &w->entities[slot];
        if (!entity->alive || !entity->has[o->type]) {
            continue;
        }
        const watch_known *known = &o->known[slot];
        bool changed = is_changed(o, entity);
        CHECK(!changed || known->told);
        CHECK(changed || !known->told || known->maybe || !w->exact[o->type]);
    }
    if (w->acted.count + w->queued.count == 0 && !w->left) {
        check_order(o);
    }
}

static void check_told(watch_observer *o)
{
    if (o->kind == KITH_ON_CHANGE) {
        compare_values(o);
    } else {
        if (o->kind == KITH_ON_DESPAWN) {
            leave_out_the_living(o);
        } else if (!follows(o)) {
            expect_matches(o);
        }
        if (o->owner->loose && follows(o)) {
            compare_loosely(o);
        } else {
            compare(o);
        }
    }
    know_all(o);
    o->expected.count = 0;
    o->told.count = 0;
}

/* ---- Calls --------------------------------------------------------------------------------------- */

kith_result watch_observer_make(watch_observer *o)
{
    kith_term also[WATCH_ALSO + 1] = {{0}};
    for (uint32_t i = 0; i < o->also_count; i++) {
        also[i] = (kith_term){watch_types[o->also[i]], KITH_ACCESS_READ, KITH_MUST, 0, NULL};
    }
    const kith_observer_def def = {
        .name = "watch",
        .kind = o->kind,
        .type = o->kind < KITH_ON_ENTER ? watch_types[o->type] : NULL,
        .query = {.terms = o->term_count == 0 ? NULL : o->terms},
        .values = o->values,
        .also = also,
        .run = be_told,
        .user = o,
    };
    kith_result result = kith_observer_new(o->owner->world, &def, &o->made);
    if (o->kind == KITH_ON_CHANGE) {
        blur(o->owner, o->type);
    }
    if (result == KITH_OK) {
        know_all(o);
        CHECK_UINT(o->told.count, 0);
    } else {
        CHECK_PTR_NULL(o->made);
    }
    return result;
}

void watch_observer_end(watch_observer *o)
{
    kith_observer_free(o->made);
    free(o->expected.list);
    free(o->told.list);
    watch *owner = o->owner;
    memset(o, 0, sizeof(*o));
    o->owner = owner;
}

/* Nobody was told, and nobody may forget; but for values, who is to be told was found out already. */
static void check_failed(watch *w)
{
    for (uint32_t i = 0; i < WATCH_OBSERVERS; i++) {
        CHECK_UINT(w->observers[i].told.count, 0);
    }
    w->left = true;
    for (uint32_t type = 0; type < WATCH_TYPES; type++) {
        blur(w, type);
    }
}

/* What observers did while they were told, which is told next time. */
static void take_over_reactions(watch *w)
{
    for (uint32_t i = 0; i < w->acted.count; i++) {
        watch_gained(w, watch_find(w, w->acted.list[i].entity), WATCH_BURNING, 0);
    }
    w->call++;
    w->unordered = true;
    for (uint32_t i = 0; i < w->queued.count; i++) {
        watch_gained(w, watch_find(w, w->queued.list[i].entity), WATCH_BURNING, 0);
    }
    w->unordered = false;
    w->acted.count = 0;
    w->queued.count = 0;
}

kith_result watch_deliver(watch *w, bool run)
{
    kith_result result = run ? kith_run(w->world, 1) : kith_observers_flush(w->world);
    if (result != KITH_OK) {
        check_failed(w);
    }
    return result;
}

void watch_delivered(watch *w)
{
    if (w->ended_count > 1) {
        qsort(w->ended, w->ended_count, sizeof(*w->ended), compare_ended);
    }
    for (uint32_t i = 0; i < WATCH_OBSERVERS; i++) {
        if (w->observers[i].made != NULL) {
            check_told(&w->observers[i]);
        }
    }
    w->ended_count = 0;
    w->loose = false;
    w->left = false;
    take_over_reactions(w);
}
