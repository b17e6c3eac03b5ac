#include "system/order.h"

#include <string.h>

#include <kith/reader.h>

#include "base/sort.h"
#include "base/text_out.h"
#include "system/name.h"

/* Finds the target of each constraint, and lists the constraints at their targets. */
static void order_link_constraints(ki_systems *systems)
{
    for (uint32_t i = 0; i < systems->count; i++) {
        systems->in_order[i]->constraints.in_before = NULL;
        systems->in_order[i]->constraints.in_after = NULL;
    }
    for (uint32_t i = 0; i < systems->count; i++) {
        ki_system *system = systems->in_order[i];
        ki_constraints *own = &system->constraints;
        for (uint32_t k = 0; k < own->before_count + own->after_count; k++) {
            ki_constraint *constraint = &own->list[k];
            ki_system *target = ki_system_find(systems, constraint->name);
            constraint->target = target;
            if (target != NULL) {
                ki_constraint **list = ki_constraint_is_after(system, constraint)
                                           ? &target->constraints.in_after
                                           : &target->constraints.in_before;
                constraint->next = *list;
                *list = constraint;
            }
        }
    }
}

/* ---- Sorting --------------------------------------------------------------------------------- */

/* Whether `a` comes first if no constraint says otherwise. */
static bool order_is_less(const ki_system *a, const ki_system *b)
{
    if (a->phase != b->phase) {
        return a->phase->number < b->phase->number;
    }
    return a->priority != b->priority ? a->priority < b->priority : a->added < b->added;
}

static bool order_number_is_less(const void *context, uint32_t a, uint32_t b)
{
    const ki_systems *systems = context;
    return order_is_less(systems->in_order[a], systems->in_order[b]);
}

/* Sorts as if there were no constraints. */
static void order_by_priority(ki_systems *systems)
{
    for (uint32_t i = 0; i < systems->count; i++) {
        systems->numbers[i] = i;
    }
    ki_sort(systems->numbers, systems->count, order_number_is_less, systems);
    for (uint32_t i = 0; i < systems->count; i++) {
        systems->found[i] = systems->in_order[systems->numbers[i]];
    }
    memcpy(systems->in_order, systems->found, systems->count * sizeof *systems->found);
}

/* A binary heap of places, with the least one first. */
typedef struct order_heap {
    uint32_t *places;
    uint32_t count;
} order_heap;

static void order_push(order_heap *heap, uint32_t place)
{
    uint32_t at = heap->count++;
    for (; at > 0 && heap->places[(at - 1) / 2] > place; at = (at - 1) / 2) {
        heap->places[at] = heap->places[(at - 1) / 2];
    }
    heap->places[at] = place;
}

static uint32_t order_pop(order_heap *heap)
{
    uint32_t top = heap->places[0];
    uint32_t last = heap->places[--heap->count];
    uint32_t at = 0;
    for (uint32_t child = 1; child < heap->count; child = 2 * at + 1) {
        child += child + 1 < heap->count && heap->places[child + 1] < heap->places[child];
        if (last <= heap->places[child]) {
            break;
        }
        heap->places[at] = heap->places[child];
        at = child;
    }
    heap->places[at] = last;
    return top;
}

/* Orders the systems of a phase, which have the places from `first` up to `end`. The next one is
 * always the first of those that wait for none of the rest. False: the rest waits in a circle, or
 * for a later phase. */
static bool order_phase(ki_systems *systems, uint32_t first, uint32_t end)
{
    order_heap ready = {.places = systems->numbers};
    for (uint32_t i = first; i < end; i++) {
        if (systems->in_order[i]->waits == 0) {
            order_push(&ready, i);
        }
    }
    while (ready.count > 0) {
        ki_system *system = systems->in_order[order_pop(&ready)];
        system->marked = true;
        systems->found[systems->placed++] = system;
        for (ki_constraint *constraint = ki_constraint_next(system, KI_AFTER, NULL);
             constraint != NULL; constraint = ki_constraint_next(system, KI_AFTER, constraint)) {
            ki_system *other = ki_constraint_other(constraint, system);
            if (--other->waits == 0 && other->place >= first && other->place < end) {
                order_push(&ready, other->place);
            }
        }
    }
    return systems->placed == end;
}

/* Applies the constraints to systems that are sorted by priority. Systems that wait in a circle,
 * and those that wait for them, come last, from `systems->placed` on. */
static void order_by_names(ki_systems *systems)
{
    for (uint32_t i = 0; i < systems->count; i++) {
        ki_system *system = systems->in_order[i];
        system->place = i;
        system->marked = false;
        system->waits = 0;
        for (ki_constraint *constraint = ki_constraint_next(system, KI_BEFORE, NULL);
             constraint != NULL; constraint = ki_constraint_next(system, KI_BEFORE, constraint)) {
            system->waits++;
        }
    }
    for (uint32_t end = 0, first = 0; first < systems->count; first = end) {
        while (end < systems->count &&
               systems->in_order[end]->phase == systems->in_order[first]->phase) {
            end++;
        }
        if (!order_phase(systems, first, end)) {
            break;
        }
    }
    for (uint32_t i = 0, place = systems->placed; i < systems->count; i++) {
        if (!systems->in_order[i]->marked) {
            systems->found[place++] = systems->in_order[i];
        }
    }
    memcpy(systems->in_order, systems->found, systems->count * sizeof *systems->found);
}

void ki_order_sort(ki_systems *systems)
{
    if (systems->sorted) {
        return;
    }
    systems->sorted = true;
    systems->placed = 0;
    if (systems->count == 0) {
        return;
    }
    order_link_constraints(systems);
    order_by_priority(systems);
    order_by_names(systems);
    for (uint32_t i = 0; i < systems->count; i++) {
        systems->in_order[i]->place = i;
    }
}

/* ---- Checks ---------------------------------------------------------------------------------- */

bool ki_order_is_right(const ki_systems *systems)
{
    for (uint32_t i = 1; i < systems->count; i++) {
        const ki_system *system = systems->in_order[i];
        const ki_system *before = systems->in_order[i - 1];
        bool constrained = system->constraints.list != NULL || before->constraints.list != NULL;
        if ((!constrained && order_is_less(system, before)) ||
            ki_constraint_orders(system, before)) {
            return false;
        }
    }
    return true;
}

/* Which system was meant by a name that none has, or which there are. */
static kith_hint_line order_hint(const ki_systems *systems, const char *name)
{
    kith_hint hint = {.word = name, .length = strlen(name)};
    for (uint32_t i = 0; i < systems->count; i++) {
        kith_hint_offer(&hint, systems->in_order[i]->name);
    }
    return kith_hint_text(&hint);
}

static kith_result order_check_targets(ki_systems *systems, const char *call,
                                       const ki_system *system)
{
    const ki_constraints *own = &system->constraints;
    for (uint32_t i = 0; i < own->before_count + own->after_count; i++) {
        const ki_constraint *constraint = &own->list[i];
        if (constraint->target == NULL) {
            return ki_fail(&systems->world->store.context, KITH_ERR_UNKNOWN,
                           "%s: system '%s' is to run %s '%.127s', which is not there%s", call,
                           system->name,
                           ki_constraint_is_after(system, constraint) ? "after" : "before",
                           constraint->name, order_hint(systems, constraint->name).text);
        }
    }
    return KITH_OK;
}

/* The first system from `systems->placed` on that has to run before `system`, which is one of them. */
static const ki_system *order_blocker(const ki_systems *systems, const ki_system *system)
{
    const ki_system *blocker = systems->in_order[systems->placed];
    if (blocker->phase->number < system->phase->number) {
        return blocker;
    }
    blocker = NULL;
    for (ki_constraint *constraint = ki_constraint_next(system, KI_BEFORE, NULL);
         constraint != NULL; constraint = ki_constraint_next(system, KI_BEFORE, constraint)) {
        const ki_system *other = ki_constraint_other(constraint, system);
        if (other->place >= systems->placed && (blocker == NULL || other->place < blocker->place)) {
            blocker = other;
        }
    }
    return blocker;
}

/* Fails with the names of a circle. Going from each system to one that it waits for, as often as
 * there are systems, leads into it. */
static kith_result order_fail_circle(ki_systems *systems, const char *call)
{
    const ki_system *start = systems->in_order[systems->placed];
    for (uint32_t steps = systems->placed; steps < systems->count; steps++) {
        start = order_blocker(systems, start);
    }
    char text[400];
    ki_text_out out = ki_text_start(text, sizeof text);
    const ki_system *system = start;
    do {
        ki_text_add(&out, "'%s' after ", system->name);
        system = order_blocker(systems, system);
    } while (system != start && out.length < sizeof text - (size_t)2 * KI_SYSTEM_NAME_MAX);
    return ki_fail(&systems->world->store.context, KITH_ERR_CONFLICT,
                   "%s: systems wait for each other: %s%s'%s'", call, text,
                   system == start ? "" : "... after ", start->name);
}

kith_result ki_order_check(ki_systems *systems, const char *call)
{
    for (uint32_t i = 0; i < systems->count; i++) {
        KI_TRY(order_check_targets(systems, call, systems->in_order[i]));
    }
    return systems->placed == systems->count ? KITH_OK : order_fail_circle(systems, call);
}
