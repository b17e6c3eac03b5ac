/* The systems that a system waits for directly. If b waits for a, and c waits for b, then "c waits
 * for a" says nothing new and is left out.
 *
 * Candidates come from what the system uses (of all systems that use a thing only the last ones
 * count), from its priority and from its phase. Then a candidate is dropped if there is a system
 * between the two: one that waits for the candidate, and that the system waits for. That search
 * goes from both sides at once, and ends with the side that has fewer systems.
 *
 * A system that is not quiet is called loud. */
#include "system/predecessors.h"

#include "base/sort.h"
#include "system/dependency.h"

/* ---- Links ----------------------------------------------------------------------------------- */

#define NO_PLACE UINT32_MAX

/* The place itself, or if its system has that priority, the nearest place of another priority. */
static uint32_t predecessors_skip(const ki_systems *systems, uint32_t place, bool loud,
                                  int32_t priority, int side)
{
    return place == NO_PLACE || systems->in_order[place]->priority != priority
               ? place
               : systems->in_order[place]->nearest[loud].other[side];
}

/* Sets the nearest places on one side of a system. Those of the systems on that side are set. */
static void predecessors_link_nearest(const ki_systems *systems, ki_system *system, int side)
{
    uint32_t place = side == KI_BEFORE ? system->place - 1 : system->place + 1; /* or UINT32_MAX */
    const ki_system *next = place < systems->count ? systems->in_order[place] : NULL;
    if (next == NULL || next->phase != system->phase) {
        place = NO_PLACE;
    }
    for (int loud = 0; loud < 2; loud++) {
        bool skipped = place != NO_PLACE && loud && next->no_commands;
        ki_nearest *nearest = &system->nearest[loud];
        nearest->next[side] = skipped ? next->nearest[loud].next[side] : place;
        nearest->other[side] =
            predecessors_skip(systems, nearest->next[side], loud, system->priority, side);
    }
}

/* ---- Neighbours ------------------------------------------------------------------------------ */

/* A scan over the systems of the same phase that a system waits for (KI_BEFORE) or that wait for it
 * (KI_AFTER), between it and a limit; by name also beyond the limit. Some come more than once, in
 * no order. */
typedef struct neighbours {
    const ki_systems *systems;
    ki_system *system;
    int side;
    uint32_t limit; /* a place; NO_PLACE: no limit */
    ki_constraint *constraint;
    bool names_done;
    uint32_t use; /* index of the current use */
    bool writers; /* first those that write what it reads; then those that read what it writes */
    const ki_use *at;  /* the next one of them */
    uint32_t priority; /* place of the next system of another priority */
} neighbours;

static neighbours neighbours_start(const ki_systems *systems, ki_system *system, int side,
                                   uint32_t limit)
{
    return (neighbours){.systems = systems,
                        .system = system,
                        .side = side,
                        .limit = limit,
                        .use = UINT32_MAX,
                        .priority = system->nearest[system->no_commands].other[side]};
}

/* Whether a place is between the system and the limit. */
static bool neighbours_is_within(const neighbours *scan, uint32_t place)
{
    return scan->limit == NO_PLACE ||
           (scan->side == KI_BEFORE ? place > scan->limit : place < scan->limit);
}

static ki_system *neighbours_next_named(neighbours *scan)
{
    while (!scan->names_done) {
        scan->constraint = ki_constraint_next(scan->system, scan->side, scan->constraint);
        scan->names_done = scan->constraint == NULL;
        ki_system *other =
            scan->names_done ? NULL : ki_constraint_other(scan->constraint, scan->system);
        if (other != NULL && other->phase == scan->system->phase) {
            return other;
        }
    }
    return NULL;
}

/* Goes on to the next list. There are two for each use: writers, then readers. */
static bool neighbours_next_list(neighbours *scan)
{
    if (scan->use != UINT32_MAX && scan->writers) {
        scan->writers = false;
    } else {
        scan->use++;
        scan->writers = true;
    }
    if (scan->use > scan->system->use_count) {
        scan->use--; /* stays at the end */
        scan->writers = false;
        return false;
    }
    const ki_use *use = ki_system_use_at(scan->system, scan->use);
    scan->at = scan->writers ? (ki_use_reads(use) ? use->writers[scan->side] : NULL)
                             : (ki_use_writes(use) ? use->readers[scan->side] : NULL);
    return true;
}

static ki_system *neighbours_next_user(neighbours *scan)
{
    do {
        while (scan->at != NULL && neighbours_is_within(scan, scan->at->system->place)) {
            ki_system *other = scan->at->system;
            scan->at =
                scan->writers ? scan->at->writers[scan->side] : scan->at->readers[scan->side];
            return other;
        }
    } while (neighbours_next_list(scan));
    return NULL;
}

static ki_system *neighbours_next_of_priority(neighbours *scan)
{
    if (scan->priority == NO_PLACE || !neighbours_is_within(scan, scan->priority)) {
        return NULL;
    }
    bool loud = scan->system->no_commands; /* priorities do not order two quiet systems */
    ki_system *other = scan->systems->in_order[scan->priority];
    scan->priority = predecessors_skip(scan->systems, other->nearest[loud].next[scan->side], loud,
                                       scan->system->priority, scan->side);
    return other;
}

/* NULL after the last. */
static ki_system *neighbours_next(neighbours *scan)
{
    ki_system *other = neighbours_next_named(scan);
    other = other != NULL ? other : neighbours_next_user(scan);
    return other != NULL ? other : neighbours_next_of_priority(scan);
}

static bool predecessors_are_in_order(const ki_system *first, const ki_system *second)
{
    return first->place < second->place && ki_dependency_of(first, second).kind != KI_DEPENDS_NOT;
}

/* Whether there is a system that waits for `first`, and that `second` waits for. */
static bool predecessors_is_between(const ki_systems *systems, ki_system *first, ki_system *second)
{
    neighbours after = neighbours_start(systems, first, KI_AFTER, second->place);
    neighbours before = neighbours_start(systems, second, KI_BEFORE, first->place);
    for (;;) {
        const ki_system *later = neighbours_next(&after);
        if (later == NULL || predecessors_are_in_order(later, second)) {
            return later != NULL;
        }
        const ki_system *earlier = neighbours_next(&before);
        if (earlier == NULL || predecessors_are_in_order(first, earlier)) {
            return earlier != NULL;
        }
    }
}

/* Whether a system waits for this one before the next other priority. With `loud`, only the first
 * one that is found counts, and only if it is loud. */
static bool predecessors_is_followed(const ki_systems *systems, ki_system *system, bool loud)
{
    neighbours scan =
        neighbours_start(systems, system, KI_AFTER, system->nearest[0].other[KI_AFTER]);
    const ki_system *other = neighbours_next(&scan);
    while (other != NULL && !neighbours_is_within(&scan, other->place)) {
        other = neighbours_next(&scan);
    }
    return other != NULL && !(loud && other->no_commands);
}

static void predecessors_link_last(const ki_systems *systems, ki_system *system, bool loud)
{
    ki_nearest *nearest = &system->nearest[loud];
    uint32_t before = nearest->next[KI_BEFORE];
    if (!predecessors_is_followed(systems, system, loud)) {
        nearest->last = system->place;
    } else if (before != nearest->other[KI_BEFORE]) {
        nearest->last = systems->in_order[before]->nearest[loud].last;
    } else {
        nearest->last = NO_PLACE;
    }
}

void ki_predecessors_link(ki_systems *systems)
{
    ki_system *const *in_order = systems->in_order;
    ki_uses_link(systems, in_order, false);
    for (uint32_t i = 0; i < systems->count; i++) {
        in_order[i]->marked = false;
        predecessors_link_nearest(systems, in_order[i], KI_BEFORE);
    }
    for (uint32_t i = systems->count; i-- > 0;) {
        predecessors_link_nearest(systems, in_order[i], KI_AFTER);
    }
    for (uint32_t i = 0; i < systems->count; i++) {
        bool first = i == 0 || in_order[i - 1]->phase != in_order[i]->phase;
        neighbours scan = neighbours_start(systems, in_order[i], KI_AFTER, NO_PLACE);
        in_order[i]->unfollowed = neighbours_next(&scan) == NULL ? i
                                  : first                        ? NO_PLACE
                                                                 : in_order[i - 1]->unfollowed;
        in_order[i]->phase->first = first ? i : in_order[i]->phase->first;
        predecessors_link_last(systems, in_order[i], false);
        predecessors_link_last(systems, in_order[i], true);
    }
}

/* ---- Candidates ------------------------------------------------------------------------------ */

typedef struct candidates {
    ki_systems *systems;
    uint32_t count; /* of places in systems->numbers */
} candidates;

static void predecessors_add(candidates *list, ki_system *system)
{
    if (!system->marked) {
        system->marked = true;
        list->systems->numbers[list->count++] = system->place;
    }
}

/* Adds the writers of what a use reads, back to one that also reads it and so waits for all before
 * it. Then the readers of what it writes, back to one that also writes it. */
static void predecessors_add_users(candidates *list, const ki_use *use)
{
    bool more = ki_use_reads(use);
    for (const ki_use *at = use->writers[KI_BEFORE]; more && at != NULL;
         at = at->writers[KI_BEFORE]) {
        predecessors_add(list, at->system);
        more = !ki_use_reads(at);
    }
    more = ki_use_writes(use);
    for (const ki_use *at = use->readers[KI_BEFORE]; more && at != NULL;
         at = at->readers[KI_BEFORE]) {
        predecessors_add(list, at->system);
        more = !ki_use_writes(at);
    }
}

/* The nearest loud system at or before a place, up to the next other priority; NULL: none. */
static const ki_system *predecessors_loud_at(const ki_systems *systems, uint32_t place)
{
    const ki_system *system = systems->in_order[place];
    uint32_t other = system->nearest[false].other[KI_BEFORE];
    uint32_t loud = system->no_commands ? system->nearest[true].next[KI_BEFORE] : place;
    bool met = loud != NO_PLACE && (other == NO_PLACE || loud > other);
    return met ? systems->in_order[loud] : NULL;
}

/* Adds the systems of one priority, back from a place, except those that others of them wait for. */
static void predecessors_add_same_priority(candidates *list, uint32_t place, bool loud)
{
    ki_system *const *in_order = list->systems->in_order;
    uint32_t other = in_order[place]->nearest[loud].other[KI_BEFORE];
    while (place != other) {
        place = in_order[place]->nearest[loud].last;
        if (place == NO_PLACE) {
            return;
        }
        predecessors_add(list, in_order[place]);
        place = in_order[place]->nearest[loud].next[KI_BEFORE];
    }
}

/* Adds the systems of other priorities. A loud system waits for all systems before it that have
 * another priority than its own. So before a loud one only those of its own priority can be new,
 * and before loud ones of two priorities none. */
static void predecessors_add_priorities(candidates *list, ki_system *system)
{
    const ki_systems *systems = list->systems;
    bool loud = system->no_commands; /* a quiet system waits only for those */
    const ki_system *met = NULL;
    uint32_t place = system->nearest[loud].other[KI_BEFORE];
    while (place != NO_PLACE) {
        const ki_system *end = systems->in_order[place];
        const ki_system *other = predecessors_loud_at(systems, place);
        if (met == NULL || met->priority == end->priority) {
            predecessors_add_same_priority(list, place, loud);
        } else if (other != NULL) {
            return;
        }
        met = other == NULL ? met : other;
        place = predecessors_skip(systems, end->nearest[loud].other[KI_BEFORE], loud,
                                  system->priority, KI_BEFORE);
    }
}

/* Adds the systems of the phase before that no system of that phase waits for. This is for a system
 * that waits for none of its own phase. */
static void predecessors_add_phase(candidates *list, const ki_system *system)
{
    ki_system *const *in_order = list->systems->in_order;
    uint32_t first = system->phase->first;
    uint32_t place = first == 0 ? NO_PLACE : in_order[first - 1]->unfollowed;
    while (place != NO_PLACE) {
        predecessors_add(list, in_order[place]);
        uint32_t next = in_order[place]->nearest[false].next[KI_BEFORE];
        place = next == NO_PLACE ? NO_PLACE : in_order[next]->unfollowed;
    }
}

uint32_t ki_predecessors_find(ki_systems *systems, ki_system *system)
{
    candidates list = {.systems = systems};
    for (ki_constraint *constraint = ki_constraint_next(system, KI_BEFORE, NULL);
         constraint != NULL; constraint = ki_constraint_next(system, KI_BEFORE, constraint)) {
        ki_system *other = ki_constraint_other(constraint, system);
        if (other->phase == system->phase) {
            predecessors_add(&list, other);
        }
    }
    for (uint32_t i = 0; i <= system->use_count; i++) {
        predecessors_add_users(&list, ki_system_use_at(system, i));
    }
    predecessors_add_priorities(&list, system);
    if (list.count == 0) {
        predecessors_add_phase(&list, system);
    }
    ki_sort_ascending(systems->numbers, list.count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < list.count; i++) {
        ki_system *other = systems->in_order[systems->numbers[i]];
        other->marked = false;
        if (!predecessors_is_between(systems, other, system)) {
            systems->found[count++] = other;
        }
    }
    return count;
}
