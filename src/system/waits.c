/* Who waits for whom, without what goes without saying: a system waits for another one, but there
 * is one between them that waits for the first, and for which it waits.
 *
 * Whom a system may wait for so is found from what it uses, since of all that use a thing only the
 * last ones are left, from its priority and from its phase. Whether there is anyone between two
 * systems is then looked for from both sides at once: among those that wait for the first one, and
 * among those for whom the second one waits. The search ends with the side that has fewer. */
#include "base/sort.h"
#include "system/system.h"

/* ---- Links ----------------------------------------------------------------------------------- */

#define WAITS_NOWHERE UINT32_MAX

/* A place, or if the system there has a certain priority, the nearest where it is another one. */
static uint32_t waits_skip(const ki_systems *systems, uint32_t place, bool loud, int32_t priority,
                           int side)
{
    return place == WAITS_NOWHERE || systems->in_order[place]->priority != priority
               ? place
               : systems->in_order[place]->nearest[loud].other[side];
}

/* Sets the nearest places on one side of a system, if those of all systems there are set. */
static void waits_link_nearest(const ki_systems *systems, ki_system *system, int side)
{
    uint32_t place = side == KI_BEFORE ? system->place - 1 : system->place + 1; /* or UINT32_MAX */
    const ki_system *next = place < systems->count ? systems->in_order[place] : NULL;
    if (next == NULL || next->phase != system->phase) {
        place = WAITS_NOWHERE;
    }
    for (int loud = 0; loud < 2; loud++) {
        bool skipped = place != WAITS_NOWHERE && loud && next->quiet;
        ki_nearest *nearest = &system->nearest[loud];
        nearest->next[side] = skipped ? next->nearest[loud].next[side] : place;
        nearest->other[side] =
            waits_skip(systems, nearest->next[side], loud, system->priority, side);
    }
}

/* ---- Neighbours ------------------------------------------------------------------------------ */

/* A walk over those for whom a system waits (KI_BEFORE) or that wait for it, within its phase and
 * on this side of a place, or by name also beyond it: some of them more than once, in no order. */
typedef struct waits_walk {
    const ki_systems *systems;
    ki_system *system;
    int side;
    uint32_t limit; /* a place; WAITS_NOWHERE: there is none */
    ki_naming *naming;
    bool names_done;
    uint32_t use;      /* number of the use that is gone through, twice: */
    bool writers;      /* for those that write what it reads, */
    const ki_use *at;  /* and those that read what it writes */
    uint32_t priority; /* place of the next one of another priority */
} waits_walk;

static waits_walk waits_walk_start(const ki_systems *systems, ki_system *system, int side,
                                   uint32_t limit)
{
    return (waits_walk){.systems = systems,
                        .system = system,
                        .side = side,
                        .limit = limit,
                        .use = UINT32_MAX,
                        .priority = system->nearest[system->quiet].other[side]};
}

/* Whether a place is between the walk's system and its limit. */
static bool waits_is_within(const waits_walk *walk, uint32_t place)
{
    return walk->limit == WAITS_NOWHERE ||
           (walk->side == KI_BEFORE ? place > walk->limit : place < walk->limit);
}

static ki_system *waits_next_named(waits_walk *walk)
{
    while (!walk->names_done) {
        walk->naming = ki_naming_next(walk->system, walk->side, walk->naming);
        walk->names_done = walk->naming == NULL;
        ki_system *other = walk->names_done ? NULL : ki_naming_other(walk->naming, walk->system);
        if (other != NULL && other->phase == walk->system->phase) {
            return other;
        }
    }
    return NULL;
}

/* Goes on to the next of the lists that the walk's system has: two for each use, writers first. */
static bool waits_next_list(waits_walk *walk)
{
    if (walk->use != UINT32_MAX && walk->writers) {
        walk->writers = false;
    } else {
        walk->use++;
        walk->writers = true;
    }
    if (walk->use > walk->system->use_count) {
        walk->use--; /* stays at the end */
        walk->writers = false;
        return false;
    }
    const ki_use *use = ki_use_at(walk->system, walk->use);
    walk->at = walk->writers ? (ki_use_reads(use) ? use->writers[walk->side] : NULL)
                             : (ki_use_writes(use) ? use->readers[walk->side] : NULL);
    return true;
}

static ki_system *waits_next_user(waits_walk *walk)
{
    do {
        while (walk->at != NULL && waits_is_within(walk, walk->at->system->place)) {
            ki_system *other = walk->at->system;
            walk->at =
                walk->writers ? walk->at->writers[walk->side] : walk->at->readers[walk->side];
            return other;
        }
    } while (waits_next_list(walk));
    return NULL;
}

static ki_system *waits_next_of_priority(waits_walk *walk)
{
    if (walk->priority == WAITS_NOWHERE || !waits_is_within(walk, walk->priority)) {
        return NULL;
    }
    bool loud = walk->system->quiet; /* then of those others alone */
    ki_system *other = walk->systems->in_order[walk->priority];
    walk->priority = waits_skip(walk->systems, other->nearest[loud].next[walk->side], loud,
                                walk->system->priority, walk->side);
    return other;
}

/* NULL after the last. */
static ki_system *waits_walk_next(waits_walk *walk)
{
    ki_system *other = waits_next_named(walk);
    other = other != NULL ? other : waits_next_user(walk);
    return other != NULL ? other : waits_next_of_priority(walk);
}

static bool waits_are_in_order(const ki_system *first, const ki_system *second)
{
    return first->place < second->place && ki_schedule_wait(first, second).kind != KI_WAIT_NOT;
}

/* Whether there is a system between two others that waits for the first, and for which the second
 * waits. */
static bool waits_is_between(const ki_systems *systems, ki_system *first, ki_system *second)
{
    waits_walk after = waits_walk_start(systems, first, KI_AFTER, second->place);
    waits_walk before = waits_walk_start(systems, second, KI_BEFORE, first->place);
    for (;;) {
        const ki_system *later = waits_walk_next(&after);
        if (later == NULL || waits_are_in_order(later, second)) {
            return later != NULL;
        }
        const ki_system *earlier = waits_walk_next(&before);
        if (earlier == NULL || waits_are_in_order(first, earlier)) {
            return earlier != NULL;
        }
    }
}

/* Whether anyone waits for a system up to the next other priority, and of them who is found first
 * is loud. */
static bool waits_is_followed(const ki_systems *systems, ki_system *system, bool loud)
{
    waits_walk walk =
        waits_walk_start(systems, system, KI_AFTER, system->nearest[0].other[KI_AFTER]);
    const ki_system *other = waits_walk_next(&walk);
    while (other != NULL && !waits_is_within(&walk, other->place)) {
        other = waits_walk_next(&walk);
    }
    return other != NULL && !(loud && other->quiet);
}

static void waits_link_last(const ki_systems *systems, ki_system *system, bool loud)
{
    ki_nearest *nearest = &system->nearest[loud];
    uint32_t before = nearest->next[KI_BEFORE];
    if (!waits_is_followed(systems, system, loud)) {
        nearest->last = system->place;
    } else if (before != nearest->other[KI_BEFORE]) {
        nearest->last = systems->in_order[before]->nearest[loud].last;
    } else {
        nearest->last = WAITS_NOWHERE;
    }
}

void ki_waits_link(ki_systems *systems)
{
    ki_system *const *in_order = systems->in_order;
    ki_uses_link(systems, in_order, false);
    for (uint32_t i = 0; i < systems->count; i++) {
        in_order[i]->marked = false;
        waits_link_nearest(systems, in_order[i], KI_BEFORE);
    }
    for (uint32_t i = systems->count; i-- > 0;) {
        waits_link_nearest(systems, in_order[i], KI_AFTER);
    }
    for (uint32_t i = 0; i < systems->count; i++) {
        bool first = i == 0 || in_order[i - 1]->phase != in_order[i]->phase;
        waits_walk walk = waits_walk_start(systems, in_order[i], KI_AFTER, WAITS_NOWHERE);
        in_order[i]->unfollowed = waits_walk_next(&walk) == NULL ? i
                                  : first                        ? WAITS_NOWHERE
                                                                 : in_order[i - 1]->unfollowed;
        in_order[i]->phase->first = first ? i : in_order[i]->phase->first;
        waits_link_last(systems, in_order[i], false);
        waits_link_last(systems, in_order[i], true);
    }
}

/* ---- Whom a system may wait for -------------------------------------------------------------- */

typedef struct waits_found {
    ki_systems *systems;
    uint32_t count; /* in systems->numbers: their places */
} waits_found;

static void waits_add(waits_found *found, ki_system *system)
{
    if (!system->marked) {
        system->marked = true;
        found->systems->numbers[found->count++] = system->place;
    }
}

/* Those that write what a use reads, back to one that reads it as well, who waits for all before;
 * and the reverse. */
static void waits_add_users(waits_found *found, const ki_use *use)
{
    bool more = ki_use_reads(use);
    for (const ki_use *at = use->writers[KI_BEFORE]; more && at != NULL;
         at = at->writers[KI_BEFORE]) {
        waits_add(found, at->system);
        more = !ki_use_reads(at);
    }
    more = ki_use_writes(use);
    for (const ki_use *at = use->readers[KI_BEFORE]; more && at != NULL;
         at = at->readers[KI_BEFORE]) {
        waits_add(found, at->system);
        more = !ki_use_writes(at);
    }
}

/* The nearest loud one at or before a place, on this side of any other priority; NULL: none. */
static const ki_system *waits_loud_at(const ki_systems *systems, uint32_t place)
{
    const ki_system *system = systems->in_order[place];
    uint32_t other = system->nearest[false].other[KI_BEFORE];
    uint32_t loud = system->quiet ? system->nearest[true].next[KI_BEFORE] : place;
    bool met = loud != WAITS_NOWHERE && (other == WAITS_NOWHERE || loud > other);
    return met ? systems->in_order[loud] : NULL;
}

/* Those of one priority from a place on, except those for whom others of them wait. */
static void waits_add_run(waits_found *found, uint32_t place, bool loud)
{
    ki_system *const *in_order = found->systems->in_order;
    uint32_t other = in_order[place]->nearest[loud].other[KI_BEFORE];
    while (place != other) {
        place = in_order[place]->nearest[loud].last;
        if (place == WAITS_NOWHERE) {
            return;
        }
        waits_add(found, in_order[place]);
        place = in_order[place]->nearest[loud].next[KI_BEFORE];
    }
}

/* Those of other priorities. Once there is a loud one, whoever is before it has its priority, or it
 * waits for them. Once there are two that differ, one of them waits for whoever is before both. */
static void waits_add_priorities(waits_found *found, ki_system *system)
{
    const ki_systems *systems = found->systems;
    bool loud = system->quiet; /* it waits for those alone */
    const ki_system *met = NULL;
    uint32_t place = system->nearest[loud].other[KI_BEFORE];
    while (place != WAITS_NOWHERE) {
        const ki_system *end = systems->in_order[place];
        const ki_system *other = waits_loud_at(systems, place);
        if (met == NULL || met->priority == end->priority) {
            waits_add_run(found, place, loud);
        } else if (other != NULL) {
            return;
        }
        met = other == NULL ? met : other;
        place = waits_skip(systems, end->nearest[loud].other[KI_BEFORE], loud, system->priority,
                           KI_BEFORE);
    }
}

/* Those of the phase before for whom no one of it waits, if the system waits for no one of its own. */
static void waits_add_phase(waits_found *found, const ki_system *system)
{
    ki_system *const *in_order = found->systems->in_order;
    uint32_t first = system->phase->first;
    uint32_t place = first == 0 ? WAITS_NOWHERE : in_order[first - 1]->unfollowed;
    while (place != WAITS_NOWHERE) {
        waits_add(found, in_order[place]);
        uint32_t next = in_order[place]->nearest[false].next[KI_BEFORE];
        place = next == WAITS_NOWHERE ? WAITS_NOWHERE : in_order[next]->unfollowed;
    }
}

uint32_t ki_waits_find(ki_systems *systems, ki_system *system)
{
    waits_found found = {.systems = systems};
    for (ki_naming *naming = ki_naming_next(system, KI_BEFORE, NULL); naming != NULL;
         naming = ki_naming_next(system, KI_BEFORE, naming)) {
        ki_system *other = ki_naming_other(naming, system);
        if (other->phase == system->phase) {
            waits_add(&found, other);
        }
    }
    for (uint32_t i = 0; i <= system->use_count; i++) {
        waits_add_users(&found, ki_use_at(system, i));
    }
    waits_add_priorities(&found, system);
    if (found.count == 0) {
        waits_add_phase(&found, system);
    }
    ki_sort_ascending(systems->numbers, found.count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < found.count; i++) {
        ki_system *other = systems->in_order[systems->numbers[i]];
        other->marked = false;
        if (!waits_is_between(systems, other, system)) {
            systems->found[count++] = other;
        }
    }
    return count;
}
