/* The values that observers are told: those that were lost, and what else the entities had. */
#include "system/system_state.h"

/* ---- What despawned entities had --------------------------------------------------------------- */

static uint64_t observed_key(kith_entity entity)
{
    return (uint64_t)entity.generation << 32 | entity.index1;
}

/* Finds the values of one type in its log, before entry number `end`. On failure the next call goes on
 * where this one stopped. */
static kith_result observed_collect_type(ki_heap *heap, ki_observed_type *also, uint64_t end)
{
    const ki_change_log *change_log = also->tracker->component->change_log;
    for (;;) {
        KI_TRY(ki_map_reserve(heap, &also->values));
        kith_entity entity;
        const void *value = ki_change_log_next_despawned(change_log, &also->scan, end, &entity);
        if (value == NULL) {
            return KITH_OK;
        }
        ki_map_insert(&also->values, observed_key(entity), (void *)(uintptr_t)value);
    }
}

kith_result ki_observed_collect(kith_observer *observer)
{
    ki_heap *heap = ki_observer_heap(observer);
    bool tells = ki_change_log_place(observer->trackers[0]) < observer->end;
    for (uint32_t i = 0; i < observer->also_count; i++) {
        ki_observed_type *also = &observer->also[i];
        ki_map_free(heap, &also->values); /* of a delivery that failed */
        also->end = ki_change_log_written(also->tracker->component->change_log);
        also->scan = ki_change_log_scan_from(also->tracker);
        KI_TRY(tells ? observed_collect_type(heap, also, also->end) : KITH_OK);
    }
    return KITH_OK;
}

void ki_observed_begin(const kith_observer *observer)
{
    if (observer->def.values) {
        observer->trackers[0]->component->change_log->undelivered++;
    }
    for (uint32_t i = 0; i < observer->also_count; i++) {
        observer->also[i].tracker->component->change_log->undelivered++;
    }
}

/* One reader fewer that is to be told of values. After the last, values with hooks are destroyed. */
static void observed_settle(ki_change_log *change_log)
{
    if (--change_log->undelivered == 0) {
        ki_change_log_settle(change_log);
    }
}

/* Steps over what the map was made of. */
static void observed_pass(ki_heap *heap, ki_observed_type *also)
{
    ki_change_log *change_log = also->tracker->component->change_log;
    ki_map_free(heap, &also->values);
    while (ki_change_log_place(also->tracker) < also->end) {
        ki_change_log_run run = ki_change_log_look(heap, change_log, also->tracker);
        uint64_t left = also->end - ki_change_log_place(also->tracker);
        run.count = left < run.count ? (uint32_t)left : run.count;
        ki_change_log_step(also->tracker, &run);
    }
    observed_settle(change_log);
}

void ki_observed_end(const kith_observer *observer)
{
    if (observer->def.values) {
        observed_settle(observer->trackers[0]->component->change_log);
    }
    for (uint32_t i = 0; i < observer->also_count; i++) {
        observed_pass(ki_observer_heap(observer), &observer->also[i]);
    }
}

/* The value of an entity after the entries that the map is made of. */
static const void *observed_scan(const ki_observed_type *also, uint64_t end, kith_entity entity)
{
    const ki_change_log *change_log = also->tracker->component->change_log;
    ki_change_log_scan scan = also->scan;
    const void *value;
    kith_entity other = KITH_NONE;
    do {
        value = ki_change_log_next_despawned(change_log, &scan, end, &other);
    } while (value != NULL && !kith_entity_equal(other, entity));
    return value;
}

/* The value that an entity had when it was despawned; NULL if it had none. */
static const void *observed_find(ki_heap *heap, ki_observed_type *also, kith_entity entity)
{
    const void *value = ki_map_find(&also->values, observed_key(entity));
    uint64_t end = ki_change_log_written(also->tracker->component->change_log);
    if (value != NULL || ki_change_log_scan_is_at(&also->scan, end)) {
        return value;
    }
    /* An observer that was told before this one may have despawned it, without commands. */
    kith_result result = observed_collect_type(heap, also, end);
    value = ki_map_find(&also->values, observed_key(entity));
    return value == NULL && result != KITH_OK ? observed_scan(also, end, entity) : value;
}

/* ---- Calls ------------------------------------------------------------------------------------- */

/* At the start of each call. */
static kith_result observed_require(const kith_observed *observed, const char *call)
{
    if (KI_CHECKED && observed == NULL) {
        return ki_misuse(NULL, "%s: `observed` is NULL", call);
    }
    return ki_world_require_owner(observed->world, call);
}

/* Whether a type is the observer's own. */
static bool observed_is_of(const kith_observed *observed, const kith_type *type)
{
    return type != NULL && observed->type != NULL &&
           ki_type_number_found(type) == ki_type_number_found(observed->type);
}

const void *kith_observed_values(const kith_observed *observed, const kith_type *type)
{
    if (observed_require(observed, "kith_observed_values") != KITH_OK) {
        return NULL;
    }
    const ki_context *context = &observed->world->store.context;
    if (KI_CHECKED && observed->values == NULL) {
        ki_misuse(context,
                  "kith_observed_values: the observer was made without `values`, so none are kept");
        return NULL;
    }
    if (KI_CHECKED && !observed_is_of(observed, type)) {
        ki_misuse(context, "kith_observed_values: the observer is of '%s', not of '%s'",
                  observed->type->name, type == NULL ? "(NULL)" : type->name);
        return NULL;
    }
    return observed->values;
}

/* What the observer keeps of a type; NULL: nothing. */
static ki_observed_type *observed_also(const kith_observer *observer, const kith_type *type)
{
    uint32_t number = type == NULL ? 0 : ki_type_number_found(type);
    for (uint32_t i = 0; number != 0 && observer != NULL && i < observer->also_count; i++) {
        if (ki_type_number(observer->also[i].tracker->component->type) == number) {
            return &observer->also[i];
        }
    }
    return NULL;
}

static void observed_reject_type(const kith_observed *observed, const kith_type *type)
{
    const ki_context *context = &observed->world->store.context;
    if (observed_is_of(observed, type)) {
        ki_misuse(context,
                  "kith_observed_value: no values of '%s' are kept for the observer; set `values`"
                  " when it is made",
                  type->name);
        return;
    }
    ki_misuse(context,
              "kith_observed_value: no values of '%s' are kept for the observer; name the type in"
              " `also` when it is made",
              type == NULL ? "(NULL)" : type->name);
}

const void *kith_observed_value(const kith_observed *observed, uint32_t i, const kith_type *type)
{
    if (observed_require(observed, "kith_observed_value") != KITH_OK) {
        return NULL;
    }
    const ki_context *context = &observed->world->store.context;
    if (KI_CHECKED && i >= observed->count) {
        ki_misuse(context, "kith_observed_value: number %u of %u entities", i, observed->count);
        return NULL;
    }
    if (observed->values != NULL && observed_is_of(observed, type)) {
        return (const uint8_t *)observed->values + (size_t)i * type->size;
    }
    ki_observed_type *also = observed_also(observed->observer, type);
    if (KI_CHECKED && also == NULL) {
        observed_reject_type(observed, type);
        return NULL;
    }
    return observed_find(ki_observer_heap(observed->observer), also, observed->entities[i]);
}

void *kith_observed_column_(const kith_observed *observed, const kith_type *type,
                            kith_access access)
{
    (void)access;
    return (void *)(uintptr_t)kith_observed_values(observed, type);
}

void *kith_observed_at_(const kith_observed *observed, uint32_t i, const kith_type *type,
                        size_t size, kith_access access)
{
    (void)size;
    (void)access;
    return (void *)(uintptr_t)kith_observed_value(observed, i, type);
}
