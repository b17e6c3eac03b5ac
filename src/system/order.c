/* The order of systems: by phase, by what they say about each other, by priority, by
 * registration. */
#include <stdio.h>
#include <string.h>

#include "system/system.h"

static bool order_names(ki_names names, const char *name)
{
    for (const char *next = ki_names_next(names, NULL); next != NULL;
         next = ki_names_next(names, next)) {
        if (strcmp(next, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool order_is_named(const ki_system *a, const ki_system *b)
{
    return order_names(a->before, b->name) || order_names(b->after, a->name);
}

bool ki_order_is_told(const ki_systems *systems, const ki_system *a, const ki_system *b)
{
    return (a->phase != b->phase &&
            ki_phase_find(systems, a->phase) < ki_phase_find(systems, b->phase)) ||
           order_is_named(a, b);
}

/* Whether `a` comes first as long as neither names the other. */
static bool order_is_less(const ki_systems *systems, const ki_system *a, const ki_system *b)
{
    if (a->phase != b->phase) {
        return ki_phase_find(systems, a->phase) < ki_phase_find(systems, b->phase);
    }
    return a->priority != b->priority ? a->priority < b->priority : a->born < b->born;
}

static void order_move(ki_systems *systems, uint32_t from, uint32_t to)
{
    ki_system *moved = systems->in_order[from];
    memmove(systems->in_order + to + 1, systems->in_order + to,
            (from - to) * sizeof *systems->in_order);
    systems->in_order[to] = moved;
}

/* A system at or behind `from` that has to run before the one at `place`; NULL if there is none. */
static const ki_system *order_blocker(const ki_systems *systems, uint32_t from, uint32_t place)
{
    for (uint32_t i = from; i < systems->count; i++) {
        if (ki_order_is_told(systems, systems->in_order[i], systems->in_order[place])) {
            return systems->in_order[i];
        }
    }
    return NULL;
}

/* Each place is taken by the first of those that are left which none of the others must precede.
 * Returns how many places could be filled: what is left then is a circle, and what waits for it. */
static uint32_t order_by_names(ki_systems *systems)
{
    for (uint32_t place = 0; place < systems->count; place++) {
        uint32_t next = place;
        while (next < systems->count && order_blocker(systems, place, next) != NULL) {
            next++;
        }
        if (next == systems->count) {
            return place;
        }
        order_move(systems, next, place);
    }
    return systems->count;
}

KI_RARE void ki_systems_sort(ki_systems *systems)
{
    if (systems->sorted) {
        return;
    }
    bool named = false;
    for (uint32_t i = 0; i < systems->count; i++) {
        ki_system *system = systems->in_order[i];
        uint32_t place = i;
        while (place > 0 && order_is_less(systems, system, systems->in_order[place - 1])) {
            place--;
        }
        order_move(systems, i, place);
        named = named || system->before != NULL || system->after != NULL;
    }
    if (named) {
        order_by_names(systems);
    }
    systems->sorted = true;
}

KI_RARE bool ki_order_is_right(const ki_systems *systems)
{
    for (uint32_t i = 1; i < systems->count; i++) {
        const ki_system *system = systems->in_order[i];
        const ki_system *before = systems->in_order[i - 1];
        bool named = system->before != NULL || system->after != NULL || before->before != NULL ||
                     before->after != NULL;
        if ((!named && order_is_less(systems, system, before)) || order_is_named(system, before)) {
            return false;
        }
    }
    return true;
}

KI_RARE static kith_result order_check_names(ki_systems *systems, const char *call,
                                             const ki_system *system, ki_names names,
                                             const char *word)
{
    for (const char *name = ki_names_next(names, NULL); name != NULL;
         name = ki_names_next(names, name)) {
        if (ki_systems_find(systems, name) == systems->count) {
            return ki_fail(&systems->world->store.context, KITH_ERR_UNKNOWN,
                           "%s: system '%s' is to run %s '%.127s', which is not there", call,
                           system->name, word, name);
        }
    }
    return KITH_OK;
}

/* Goes from one system to one that it waits for, until one comes up again; from there the way leads
 * round the circle. */
KI_RARE static kith_result order_tell_circle(ki_systems *systems, const char *call, uint32_t from)
{
    uint32_t place = from;
    for (uint32_t steps = from; steps < systems->count; steps++) {
        place = ki_systems_find(systems, order_blocker(systems, from, place)->name);
    }
    char text[400];
    size_t length = 0;
    const ki_system *start = systems->in_order[place];
    const ki_system *system = start;
    do {
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "'%s' after ", system->name);
        system = order_blocker(systems, from, place);
        place = ki_systems_find(systems, system->name);
    } while (system != start && length < sizeof text - (size_t)2 * KI_SYSTEM_NAME_MAX);
    return ki_fail(&systems->world->store.context, KITH_ERR_CONFLICT,
                   "%s: systems wait for each other: %s%s'%s'", call, text,
                   system == start ? "" : "... after ", start->name);
}

KI_RARE kith_result ki_order_check(ki_systems *systems, const char *call)
{
    for (uint32_t i = 0; i < systems->count; i++) {
        const ki_system *system = systems->in_order[i];
        KI_TRY(order_check_names(systems, call, system, system->before, "before"));
        KI_TRY(order_check_names(systems, call, system, system->after, "after"));
    }
    uint32_t placed = order_by_names(systems);
    return placed == systems->count ? KITH_OK : order_tell_circle(systems, call, placed);
}
