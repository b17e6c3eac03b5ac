/* A conflict without order: two systems of one priority use the same thing, at least one of them
 * writes it, and no constraint leads from one to the other, directly or through others.
 *
 * If all systems before one that conflict over a thing are ordered among each other, only the last
 * few of them have to be compared with it. Once a pair without order is found, all pairs of that
 * system and of those after it are compared. */
#include "system/conflicts.h"

#include <stdio.h>
#include <string.h>

#include "base/sort.h"
#include "system/dependency.h"

typedef struct conflicts {
    ki_systems *systems;
    const char *call;
    ki_system *system;    /* the later one of the pairs that are compared */
    uint32_t count;       /* of the earlier ones; their places are in systems->numbers */
    uint32_t least_place; /* of the earlier ones */
    bool all;             /* compare all pairs */
} conflicts;

/* Orders the systems by phase, priority and place: ki_uses_link links them within priorities. */
static bool conflicts_comes_before(const void *context, uint32_t a, uint32_t b)
{
    const ki_systems *systems = context;
    const ki_system *first = systems->in_order[a];
    const ki_system *second = systems->in_order[b];
    if (first->phase != second->phase) {
        return first->phase->number < second->phase->number;
    }
    return first->priority != second->priority ? first->priority < second->priority : a < b;
}

static void conflicts_link(ki_systems *systems)
{
    for (uint32_t i = 0; i < systems->count; i++) {
        systems->numbers[i] = i;
        systems->in_order[i]->marked = false;
    }
    ki_sort(systems->numbers, systems->count, conflicts_comes_before, systems);
    for (uint32_t i = 0; i < systems->count; i++) {
        systems->found[i] = systems->in_order[systems->numbers[i]];
    }
    ki_uses_link(systems, systems->found, true);
}

static void conflicts_add(conflicts *c, ki_system *system)
{
    if (!system->marked) {
        system->marked = true;
        c->systems->numbers[c->count++] = system->place;
        c->least_place = ki_min_u32(c->least_place, system->place);
    }
}

/* Adds the systems before that write what the use reads. It stops at the last reader that is not
 * after the nearest writer (and may be that writer): that reader was compared with the writers
 * before it. */
static void conflicts_add_writers(conflicts *c, const ki_use *use)
{
    const ki_use *writer = use->writers[KI_BEFORE];
    if (writer == NULL) {
        return;
    }
    const ki_use *reader = ki_use_reads(writer) ? writer : writer->readers[KI_BEFORE];
    uint32_t end = c->all || reader == NULL ? 0 : reader->system->place;
    for (; writer != NULL && writer->system->place >= end; writer = writer->writers[KI_BEFORE]) {
        conflicts_add(c, writer->system);
    }
}

/* Adds the systems before that read what the use writes. It stops at the last writer that is not
 * after the nearest reader (and may be that reader): that writer was compared with the readers
 * before it. */
static void conflicts_add_readers(conflicts *c, const ki_use *use)
{
    const ki_use *reader = use->readers[KI_BEFORE];
    if (reader == NULL) {
        return;
    }
    const ki_use *writer = ki_use_writes(reader) ? reader : reader->writers[KI_BEFORE];
    uint32_t end = c->all || writer == NULL ? 0 : writer->system->place;
    for (; reader != NULL && reader->system->place >= end; reader = reader->readers[KI_BEFORE]) {
        conflicts_add(c, reader->system);
    }
}

static void conflicts_collect(conflicts *c)
{
    c->count = 0;
    c->least_place = UINT32_MAX;
    for (uint32_t i = 0; i <= c->system->use_count; i++) {
        const ki_use *use = ki_system_use_at(c->system, i);
        if (ki_use_reads(use)) {
            conflicts_add_writers(c, use);
        }
        if (ki_use_writes(use)) {
            conflicts_add_readers(c, use);
        }
    }
    ki_sort_ascending(c->systems->numbers, c->count);
    for (uint32_t i = 0; i < c->count; i++) {
        c->systems->in_order[c->systems->numbers[i]]->marked = false;
    }
}

/* Marks the systems that constraints put before the system, directly or through others, back to
 * `least_place`. Returns how many there are, in `found`. */
static uint32_t conflicts_mark_ordered(conflicts *c)
{
    ki_system **found = c->systems->found;
    uint32_t count = 0;
    ki_system *system = c->system;
    for (uint32_t next = 0;; system = found[next++]) {
        for (ki_constraint *constraint = ki_constraint_next(system, KI_BEFORE, NULL);
             constraint != NULL; constraint = ki_constraint_next(system, KI_BEFORE, constraint)) {
            ki_system *other = ki_constraint_other(constraint, system);
            if (!other->marked && other->place >= c->least_place) {
                other->marked = true;
                found[count++] = other;
            }
        }
        if (next == count) {
            return count;
        }
    }
}

static kith_result conflicts_report(const conflicts *c, const ki_system *before)
{
    kith_world *world = c->systems->world;
    ki_dependency dependency = ki_dependency_of(before, c->system);
    char why[300] = "one of them may do anything";
    if (dependency.kind == KI_DEPENDS_USE) {
        snprintf(why, sizeof why, "%s %s", ki_use_kind_name(dependency.use->kind),
                 dependency.use->type->name);
    }
    if (world->def.conflicts == KITH_CONFLICTS_ERROR) {
        return ki_fail(&world->store.context, KITH_ERR_CONFLICT,
                       "%s: systems '%s' and '%s' conflict (%s), and have no order: use `after`,"
                       " `before` or priorities",
                       c->call, before->name, c->system->name, why);
    }
    ki_log_message(
        &world->store.context, KITH_LOG_WARNING,
        "systems '%s' and '%s' conflict (%s), and only the order in which they were added tells"
        " which comes first",
        before->name, c->system->name, why);
    return KITH_OK;
}

/* Compares the pairs of a system. `*any`: one of them has no order. */
static kith_result conflicts_compare(conflicts *c, bool *any)
{
    conflicts_collect(c);
    uint32_t ordered = c->count == 0 ? 0 : conflicts_mark_ordered(c);
    kith_result result = KITH_OK;
    *any = false;
    for (uint32_t i = 0; i < c->count && result == KITH_OK; i++) {
        const ki_system *before = c->systems->in_order[c->systems->numbers[i]];
        if (!before->marked) {
            *any = true;
            result = c->all ? conflicts_report(c, before) : KITH_OK;
        }
    }
    for (uint32_t i = 0; i < ordered; i++) {
        c->systems->found[i]->marked = false;
    }
    return result;
}

kith_result ki_conflicts_check(ki_systems *systems, const char *call)
{
    conflicts c = {.systems = systems, .call = call};
    conflicts_link(systems);
    for (uint32_t i = 0; i < systems->count; i++) {
        bool any;
        c.system = systems->in_order[i];
        KI_TRY(conflicts_compare(&c, &any));
        if (any && !c.all) {
            c.all = true;
            KI_TRY(conflicts_compare(&c, &any));
        }
    }
    return KITH_OK;
}
