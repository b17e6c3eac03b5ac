/* Visits what differs between two snapshots. */
#include <string.h>

#include "persist/diff_kept.h"
#include "persist/diff_slots.h"

/* A visit that is under way. */
typedef struct diff_visit {
    const ki_diff *diff;
    kith_diff_fn visit;
    void *context;
    bool stopped;
} diff_visit;

static void diff_tell(diff_visit *to, const kith_difference *difference)
{
    to->stopped = to->stopped || !to->visit(to->context, difference);
}

/* Tells of the fields of a value that differ. `told` has the rest. */
static void diff_tell_fields(diff_visit *to, kith_difference *told)
{
    const kith_type *type = told->type;
    const ki_component *hashed = ki_diff_hasher(to->diff->world, type);
    if (told->before == told->after) {
        return; /* in a block that both have */
    }
    if (hashed != NULL) {
        if (ki_diff_differs(hashed, NULL, told->before, told->after)) {
            diff_tell(to, told);
        }
        return;
    }
    for (uint32_t i = 0; i < type->field_count; i++) {
        told->field = &type->fields[i];
        if (ki_diff_differs(NULL, told->field, told->before, told->after)) {
            diff_tell(to, told);
        }
    }
}

/* Tells of a component of an entity, where `was` and `is` are its values or NULL. */
static void diff_tell_component(diff_visit *to, const ki_component *component, kith_entity entity,
                                const void *was, const void *is)
{
    bool tag = component->type->size == 0;
    kith_difference told = {.entity = entity,
                            .type = component->type,
                            .before = tag ? NULL : was,
                            .after = tag ? NULL : is};
    if (was != NULL && is != NULL) {
        told.kind = KITH_DIFF_CHANGED;
        diff_tell_fields(to, &told);
    } else if (was != NULL || is != NULL) {
        told.kind = was != NULL ? KITH_DIFF_REMOVED : KITH_DIFF_ADDED;
        diff_tell(to, &told);
    }
}

/* Tells of all components of an entity in one of the views, or NULL, and in the other. */
static void diff_tell_components(diff_visit *to, kith_entity entity, const ki_store_view *a,
                                 const ki_store_view *b)
{
    const ki_diff *diff = to->diff;
    const ki_store *store = &diff->world->store;
    uint32_t index = entity.index1 - 1;
    for (uint32_t i = 0; i < diff->component_count && !to->stopped; i++) {
        const ki_component *component = diff->components[i];
        diff_tell_component(to, component, entity,
                            a == NULL ? NULL : ki_store_view_value(store, a, component, index),
                            b == NULL ? NULL : ki_store_view_value(store, b, component, index));
    }
}

static void diff_tell_slot(diff_visit *to, uint32_t index)
{
    const ki_store_view *a = to->diff->a;
    const ki_store_view *b = to->diff->b;
    kith_entity was = ki_diff_entity(a, index);
    kith_entity is = ki_diff_entity(b, index);
    if (kith_entity_equal(was, is)) {
        diff_tell_components(to, is, a, b);
        return;
    }
    if (!kith_is_none(was)) {
        diff_tell(to, &(kith_difference){.kind = KITH_DIFF_DESPAWNED, .entity = was});
        diff_tell_components(to, was, a, NULL);
    }
    if (!kith_is_none(is)) {
        diff_tell(to, &(kith_difference){.kind = KITH_DIFF_SPAWNED, .entity = is});
        diff_tell_components(to, is, NULL, b);
    }
}

static void diff_tell_resources(diff_visit *to)
{
    ki_kept_pair pair = ki_kept_pair_resources(to->diff);
    while (!to->stopped && ki_kept_pair_next(&pair)) {
        kith_difference told = {.type = pair.type,
                                .before = pair.a == NULL ? NULL : ki_column_at(&pair.a->values, 0),
                                .after = pair.b == NULL ? NULL : ki_column_at(&pair.b->values, 0)};
        if (pair.a != NULL && pair.b != NULL) {
            told.kind = KITH_DIFF_RESOURCE_CHANGED;
            diff_tell_fields(to, &told);
        } else {
            told.kind = pair.b == NULL ? KITH_DIFF_RESOURCE_REMOVED : KITH_DIFF_RESOURCE_ADDED;
            diff_tell(to, &told);
        }
    }
}

static void diff_tell_events(diff_visit *to)
{
    ki_kept_pair pair = ki_kept_pair_queues(to->diff);
    while (!to->stopped && ki_kept_pair_next(&pair)) {
        if (ki_kept_pair_events_differ(to->diff, &pair)) {
            diff_tell(to, &(kith_difference){.kind = KITH_DIFF_EVENTS, .type = pair.type});
        }
    }
}

static void diff_tell_number(diff_visit *to, kith_difference_kind kind, uint64_t was, uint64_t is)
{
    static const kith_field ticks = {.name = "ticks", .size = sizeof(uint64_t), .kind = KITH_U64};
    static const kith_field random = {.name = "random", .size = sizeof(uint64_t), .kind = KITH_U64};
    if (was != is) {
        const kith_field *field = kind == KITH_DIFF_TICKS ? &ticks : &random;
        diff_tell(to,
                  &(kith_difference){.kind = kind, .field = field, .before = &was, .after = &is});
    }
}

static void diff_tell_all(diff_visit *to)
{
    const ki_slots *slots = &to->diff->slots;
    for (uint32_t index = ki_slots_next(slots, 0, UINT32_MAX); index != UINT32_MAX && !to->stopped;
         index = ki_slots_next(slots, index + 1, UINT32_MAX)) {
        diff_tell_slot(to, index);
    }
    diff_tell_resources(to);
    diff_tell_events(to);
    const ki_snapshot_numbers *was = to->diff->before->states[KI_SNAPSHOT_NUMBERS];
    const ki_snapshot_numbers *is = to->diff->after->states[KI_SNAPSHOT_NUMBERS];
    diff_tell_number(to, KITH_DIFF_TICKS, was->tick, is->tick);
    diff_tell_number(to, KITH_DIFF_RANDOM, was->random.state, is->random.state);
}

static kith_result diff_require(const kith_snapshot *before, const kith_snapshot *after,
                                kith_diff_fn visit)
{
    if (KI_CHECKED && (before == NULL || after == NULL)) {
        return ki_misuse(before == NULL && after == NULL
                             ? NULL
                             : &(before == NULL ? after : before)->world->store.context,
                         "kith_snapshot_diff: a snapshot is NULL");
    }
    KI_TRY(ki_snapshot_begin(before->world, "kith_snapshot_diff"));
    if (KI_CHECKED && before->world != after->world) {
        return ki_misuse(&before->world->store.context,
                         "kith_snapshot_diff: the snapshots are of two worlds");
    }
    if (KI_CHECKED && visit == NULL) {
        return ki_misuse(&before->world->store.context,
                         "kith_snapshot_diff: the function to visit with is NULL");
    }
    return KITH_OK;
}

kith_result kith_snapshot_diff(const kith_snapshot *before, const kith_snapshot *after,
                               kith_diff_fn visit, void *context)
{
    KI_TRY(diff_require(before, after, visit));
    ki_diff diff;
    kith_result result = ki_diff_begin(&diff, before, after);
    result = result == KITH_OK ? ki_diff_find_slots(&diff) : result;
    if (result == KITH_OK) {
        kith_snapshot *visited = (kith_snapshot *)(uintptr_t)before;
        visited->visited = "kith_snapshot_diff";
        diff_tell_all(&(diff_visit){.diff = &diff, .visit = visit, .context = context});
        visited->visited = NULL;
    }
    ki_diff_end(&diff);
    return result;
}
