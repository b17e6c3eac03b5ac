/* The schedule: which systems wait for which, and the stages that come of it. */
#include <string.h>

#include "base/sort.h"
#include "system/system.h"

const char *ki_use_kind_name(const ki_use *use)
{
    return use->kind == KI_USE_COMPONENT  ? "component"
           : use->kind == KI_USE_RESOURCE ? "resource"
                                          : "event";
}

static bool schedule_uses_conflict(const ki_use *a, const ki_use *b)
{
    return a->thing == b->thing &&
           ((ki_use_writes(a) && ki_use_reads(b)) || (ki_use_reads(a) && ki_use_writes(b)));
}

ki_wait ki_schedule_wait(const ki_system *a, const ki_system *b)
{
    ki_wait wait = {.kind = KI_WAIT_NOT};
    if (a->phase != b->phase) {
        wait.kind = KI_WAIT_PHASE;
    } else if (ki_order_is_named(a, b)) {
        wait.kind = KI_WAIT_NAME;
    } else if (schedule_uses_conflict(&a->whole, &b->whole)) {
        wait.kind = KI_WAIT_PLAIN;
    }
    for (uint32_t i = 0; i < a->use_count && wait.kind == KI_WAIT_NOT; i++) {
        for (uint32_t k = 0; k < b->use_count && wait.kind == KI_WAIT_NOT; k++) {
            if (schedule_uses_conflict(&a->uses[i], &b->uses[k])) {
                wait = (ki_wait){KI_WAIT_USE, &a->uses[i]};
            }
        }
    }
    if (wait.kind == KI_WAIT_NOT && a->priority != b->priority && !(a->quiet && b->quiet)) {
        wait.kind = KI_WAIT_PRIORITY;
    }
    return wait;
}

/* ---- Stages ---------------------------------------------------------------------------------- */

static uint32_t schedule_later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The first stages after systems of a phase: after all of them, and after those that are of another
 * priority than one that comes so late. */
typedef struct schedule_peak {
    uint32_t after;
    int32_t priority;
    uint32_t after_others;
} schedule_peak;

static uint32_t schedule_after_others(const schedule_peak *peak, int32_t priority)
{
    return peak->priority != priority ? peak->after : peak->after_others;
}

static void schedule_raise(schedule_peak *peak, const ki_system *system)
{
    uint32_t after = system->stage + 1;
    if (system->priority == peak->priority) {
        peak->after = schedule_later(peak->after, after);
    } else if (after > peak->after) {
        *peak = (schedule_peak){after, system->priority, peak->after};
    } else {
        peak->after_others = schedule_later(peak->after_others, after);
    }
}

/* The first stage in which a system waits for none, by what it uses and by names. */
static uint32_t schedule_stage_by_uses(const ki_systems *systems, ki_system *system)
{
    uint32_t stage = 0;
    for (uint32_t i = 0; i <= system->use_count; i++) {
        const ki_use *use = ki_use_at(system, i);
        const ki_thing *thing = ki_thing_now(systems, use->thing);
        stage = ki_use_reads(use) ? schedule_later(stage, thing->after_writers) : stage;
        stage = ki_use_writes(use) ? schedule_later(stage, thing->after_readers) : stage;
    }
    for (ki_naming *naming = ki_naming_next(system, KI_BEFORE, NULL); naming != NULL;
         naming = ki_naming_next(system, KI_BEFORE, naming)) {
        stage = schedule_later(stage, ki_naming_other(naming, system)->stage + 1);
    }
    return stage;
}

static void schedule_note_uses(const ki_systems *systems, ki_system *system)
{
    uint32_t after = system->stage + 1;
    for (uint32_t i = 0; i <= system->use_count; i++) {
        const ki_use *use = ki_use_at(system, i);
        ki_thing *thing = ki_thing_now(systems, use->thing);
        if (ki_use_reads(use)) {
            thing->after_readers = schedule_later(thing->after_readers, after);
        }
        if (ki_use_writes(use)) {
            thing->after_writers = schedule_later(thing->after_writers, after);
        }
    }
}

/* Gives each system its stage, from the first on: those that a system waits for have theirs. */
static void schedule_give_stages(ki_systems *systems)
{
    schedule_peak all = {0};
    schedule_peak loud = {0}; /* those that are not quiet */
    uint32_t first = 0;       /* stage of the phase */
    systems->stage_count = 0;
    for (uint32_t i = 0; i < systems->count; i++) {
        ki_system *system = systems->in_order[i];
        if (i == 0 || system->phase != systems->in_order[i - 1]->phase) {
            systems->round++;
            first = systems->stage_count;
            all = (schedule_peak){0};
            loud = (schedule_peak){0};
        }
        system->stage = schedule_later(first, schedule_stage_by_uses(systems, system));
        system->stage = schedule_later(
            system->stage, schedule_after_others(system->quiet ? &loud : &all, system->priority));
        schedule_note_uses(systems, system);
        schedule_raise(&all, system);
        if (!system->quiet) {
            schedule_raise(&loud, system);
        }
        systems->stage_count = schedule_later(systems->stage_count, system->stage + 1);
    }
}

static bool schedule_is_staged_before(const void *context, uint32_t a, uint32_t b)
{
    ki_system *const *in_order = ((const ki_systems *)context)->in_order;
    return in_order[a]->stage != in_order[b]->stage ? in_order[a]->stage < in_order[b]->stage
                                                    : a < b;
}

static void schedule_make_stages(ki_systems *systems)
{
    schedule_give_stages(systems);
    for (uint32_t i = 0; i < systems->count; i++) {
        systems->numbers[i] = i;
    }
    ki_sort(systems->numbers, systems->count, schedule_is_staged_before, systems);
    for (uint32_t i = 0; i < systems->count; i++) {
        systems->staged[i] = systems->in_order[systems->numbers[i]];
    }
}

kith_result ki_schedule_build(ki_systems *systems, const char *call)
{
    if (systems->built) {
        return KITH_OK;
    }
    ki_systems_sort(systems);
    KI_TRY(ki_order_check(systems, call));
    if (systems->world->conflicts != KITH_CONFLICTS_OFF) {
        KI_TRY(ki_conflicts_check(systems, call));
    }
    schedule_make_stages(systems);
    systems->built = true;
    return KITH_OK;
}

kith_result kith_schedule_build(kith_world *world)
{
    KI_REQUIRE_OWNER(world, "kith_schedule_build", KITH_ERR_MISUSE);
    KITH_REQUIRE(&world->store.context, !world->running, KITH_ERR_MISUSE,
                 "kith_schedule_build: kith_run is under way, which has built it");
    ki_systems *systems = ki_systems_of(world);
    return systems == NULL ? KITH_OK : ki_schedule_build(systems, "kith_schedule_build");
}

/* What is wrong with the stage of a system for which the schedule has found another, or NULL. */
static const char *schedule_check_stage(uint32_t stage, uint32_t right, uint32_t stages)
{
    return stage >= stages ? "a system is in no stage"
           : stage < right ? "a system does not run behind one that it waits for"
           : stage > right ? "a system runs later than it needs to"
                           : NULL;
}

const char *ki_schedule_check(ki_systems *systems)
{
    const char *wrong = NULL;
    uint32_t stages = systems->stage_count;
    for (uint32_t i = 0; i < systems->count; i++) {
        systems->numbers[i] = systems->in_order[i]->stage;
    }
    schedule_give_stages(systems);
    for (uint32_t i = 0; i < systems->count; i++) {
        ki_system *system = systems->in_order[i];
        const char *here = schedule_check_stage(systems->numbers[i], system->stage, stages);
        wrong = wrong == NULL ? here : wrong;
        system->stage = systems->numbers[i];
    }
    for (uint32_t i = 1; i < systems->count && wrong == NULL; i++) {
        const ki_system *last = systems->staged[i - 1];
        const ki_system *next = systems->staged[i];
        bool right =
            last->stage == next->stage ? last->place < next->place : last->stage < next->stage;
        wrong = right ? NULL : "the systems of the stages are out of order";
    }
    bool as_many = systems->stage_count == stages;
    systems->stage_count = stages;
    return wrong != NULL || as_many ? wrong : "there are more stages than systems need";
}
