/* The order of systems: by phase, by what they say about each other, by priority, by
 * registration. */
#include <stdio.h>
#include <string.h>

#include "base/sort.h"
#include "system/system.h"

/* ---- Names ----------------------------------------------------------------------------------- */

static bool order_is_after(const ki_system *system, const ki_naming *naming)
{
    return naming >= system->namings + system->before_count;
}

/* Finds whom the systems name, and has those know by whom they are named. */
static void order_link_names(ki_systems *systems)
{
    for (uint32_t i = 0; i < systems->count; i++) {
        systems->in_order[i]->in_before = NULL;
        systems->in_order[i]->in_after = NULL;
    }
    for (uint32_t i = 0; i < systems->count; i++) {
        ki_system *system = systems->in_order[i];
        for (uint32_t k = 0; k < system->before_count + system->after_count; k++) {
            ki_naming *naming = &system->namings[k];
            naming->named = ki_system_find(systems, naming->name);
            if (naming->named != NULL) {
                ki_naming **list = order_is_after(system, naming) ? &naming->named->in_after
                                                                  : &naming->named->in_before;
                naming->next = *list;
                *list = naming;
            }
        }
    }
}

/* Those of a system's own lists come first, then those of others that name it. */
ki_naming *ki_naming_next(const ki_system *system, int side, ki_naming *naming)
{
    ki_naming *begin = system->namings;
    ki_naming *end = begin;
    if (begin != NULL && side == KI_BEFORE) {
        begin += system->before_count;
        end = begin + system->after_count;
    } else if (begin != NULL) {
        end = begin + system->before_count;
    }
    bool own = naming == NULL || (naming->owner == system && naming >= begin && naming < end);
    if (!own) {
        return naming->next;
    }
    for (naming = naming == NULL ? begin : naming + 1; naming != end; naming++) {
        if (naming->named != NULL) {
            return naming;
        }
    }
    return side == KI_BEFORE ? system->in_before : system->in_after;
}

bool ki_order_is_named(const ki_system *a, const ki_system *b)
{
    for (uint32_t i = 0; a->namings != NULL && i < a->before_count; i++) {
        if (a->namings[i].named == b) {
            return true;
        }
    }
    for (uint32_t i = 0; b->namings != NULL && i < b->after_count; i++) {
        if (b->namings[b->before_count + i].named == a) {
            return true;
        }
    }
    return false;
}

/* ---- Sorting --------------------------------------------------------------------------------- */

/* Whether `a` comes first as long as neither names the other. */
static bool order_is_less(const ki_system *a, const ki_system *b)
{
    if (a->phase != b->phase) {
        return a->phase->number < b->phase->number;
    }
    return a->priority != b->priority ? a->priority < b->priority : a->born < b->born;
}

static bool order_number_is_less(const void *context, uint32_t a, uint32_t b)
{
    const ki_systems *systems = context;
    return order_is_less(systems->in_order[a], systems->in_order[b]);
}

/* Sorts as if nobody named anybody. */
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

/* A heap of places: the least on top, and each no greater than the two that it stands over. */
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

/* Places the systems of a phase, which are in places `first` up to `end`: each time the first of
 * those that wait for no one who is left. Those of later phases wait for all of them. False: there
 * is a circle, which they are in, or wait for. */
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
        for (ki_naming *naming = ki_naming_next(system, KI_AFTER, NULL); naming != NULL;
             naming = ki_naming_next(system, KI_AFTER, naming)) {
            ki_system *other = ki_naming_other(naming, system);
            if (--other->waits == 0 && other->place >= first && other->place < end) {
                order_push(&ready, other->place);
            }
        }
    }
    return systems->placed == end;
}

/* Each place is taken by the first of those that are left which none of the others must precede. What is
 * left at last is a circle, and what waits for it. */
static void order_by_names(ki_systems *systems)
{
    for (uint32_t i = 0; i < systems->count; i++) {
        ki_system *system = systems->in_order[i];
        system->place = i;
        system->marked = false;
        system->waits = 0;
        for (ki_naming *naming = ki_naming_next(system, KI_BEFORE, NULL); naming != NULL;
             naming = ki_naming_next(system, KI_BEFORE, naming)) {
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

void ki_systems_sort(ki_systems *systems)
{
    if (systems->sorted) {
        return;
    }
    systems->sorted = true;
    systems->placed = 0;
    if (systems->count == 0) {
        return;
    }
    order_link_names(systems);
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
        bool named = system->namings != NULL || before->namings != NULL;
        if ((!named && order_is_less(system, before)) || ki_order_is_named(system, before)) {
            return false;
        }
    }
    return true;
}

static kith_result order_check_names(ki_systems *systems, const char *call, const ki_system *system)
{
    for (uint32_t i = 0; i < system->before_count + system->after_count; i++) {
        const ki_naming *naming = &system->namings[i];
        if (naming->named == NULL) {
            return ki_fail(&systems->world->store.context, KITH_ERR_UNKNOWN,
                           "%s: system '%s' is to run %s '%.127s', which is not there", call,
                           system->name, order_is_after(system, naming) ? "after" : "before",
                           naming->name);
        }
    }
    return KITH_OK;
}

/* The first of the systems from `systems->placed` on that has to run before one of them. */
static const ki_system *order_blocker(const ki_systems *systems, const ki_system *system)
{
    const ki_system *blocker = systems->in_order[systems->placed];
    if (blocker->phase->number < system->phase->number) {
        return blocker;
    }
    blocker = NULL;
    for (ki_naming *naming = ki_naming_next(system, KI_BEFORE, NULL); naming != NULL;
         naming = ki_naming_next(system, KI_BEFORE, naming)) {
        const ki_system *other = ki_naming_other(naming, system);
        if (other->place >= systems->placed && (blocker == NULL || other->place < blocker->place)) {
            blocker = other;
        }
    }
    return blocker;
}

/* Goes from one system to one that it waits for, until one comes up again; from there the way leads
 * round the circle. */
static kith_result order_tell_circle(ki_systems *systems, const char *call)
{
    const ki_system *start = systems->in_order[systems->placed];
    for (uint32_t steps = systems->placed; steps < systems->count; steps++) {
        start = order_blocker(systems, start);
    }
    char text[400];
    size_t length = 0;
    const ki_system *system = start;
    do {
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "'%s' after ", system->name);
        system = order_blocker(systems, system);
    } while (system != start && length < sizeof text - (size_t)2 * KI_SYSTEM_NAME_MAX);
    return ki_fail(&systems->world->store.context, KITH_ERR_CONFLICT,
                   "%s: systems wait for each other: %s%s'%s'", call, text,
                   system == start ? "" : "... after ", start->name);
}

kith_result ki_order_check(ki_systems *systems, const char *call)
{
    for (uint32_t i = 0; i < systems->count; i++) {
        KI_TRY(order_check_names(systems, call, systems->in_order[i]));
    }
    return systems->placed == systems->count ? KITH_OK : order_tell_circle(systems, call);
}
