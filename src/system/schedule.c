#include "system/schedule.h"

#include "base/sort.h"
#include "system/conflicts.h"
#include "system/order.h"

static uint32_t schedule_later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The first stages after the systems of a phase, as far as they have their stage. */
typedef struct schedule_peak {
    uint32_t after;        /* after all of them */
    int32_t priority;      /* of one in the last stage */
    uint32_t after_others; /* after those of other priorities than that */
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

/* The first stage after all systems that a system waits for by uses and constraints. */
static uint32_t schedule_stage_after(const ki_systems *systems, ki_system *system)
{
    uint32_t stage = 0;
    for (uint32_t i = 0; i <= system->use_count; i++) {
        const ki_use *use = ki_system_use_at(system, i);
        const ki_thing *thing = ki_thing_now(&systems->things, use->thing);
        stage = ki_use_reads(use) ? schedule_later(stage, thing->after_writers) : stage;
        stage = ki_use_writes(use) ? schedule_later(stage, thing->after_readers) : stage;
    }
    for (ki_constraint *constraint = ki_constraint_next(system, KI_BEFORE, NULL);
         constraint != NULL; constraint = ki_constraint_next(system, KI_BEFORE, constraint)) {
        stage = schedule_later(stage, ki_constraint_other(constraint, system)->stage + 1);
    }
    return stage;
}

static void schedule_note_uses(const ki_systems *systems, ki_system *system)
{
    uint32_t after = system->stage + 1;
    for (uint32_t i = 0; i <= system->use_count; i++) {
        const ki_use *use = ki_system_use_at(system, i);
        ki_thing *thing = ki_thing_now(&systems->things, use->thing);
        if (ki_use_reads(use)) {
            thing->after_readers = schedule_later(thing->after_readers, after);
        }
        if (ki_use_writes(use)) {
            thing->after_writers = schedule_later(thing->after_writers, after);
        }
    }
}

/* Gives each system its stage, in order, so that those that it waits for have theirs. */
static void schedule_assign_stages(ki_systems *systems)
{
    schedule_peak all = {0};
    schedule_peak loud = {0}; /* of those that are not quiet */
    uint32_t first = 0;       /* of the phase */
    systems->stage_count = 0;
    for (uint32_t i = 0; i < systems->count; i++) {
        ki_system *system = systems->in_order[i];
        if (i == 0 || system->phase != systems->in_order[i - 1]->phase) {
            systems->things.round++;
            first = systems->stage_count;
            all = (schedule_peak){0};
            loud = (schedule_peak){0};
        }
        system->stage = schedule_later(first, schedule_stage_after(systems, system));
        system->stage =
            schedule_later(system->stage, schedule_after_others(system->no_commands ? &loud : &all,
                                                                system->priority));
        schedule_note_uses(systems, system);
        schedule_raise(&all, system);
        if (!system->no_commands) {
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
    schedule_assign_stages(systems);
    for (uint32_t i = 0; i < systems->count; i++) {
        systems->numbers[i] = i;
    }
    ki_sort(systems->numbers, systems->count, schedule_is_staged_before, systems);
    for (uint32_t i = 0; i < systems->count; i++) {
        systems->by_stage[i] = systems->in_order[systems->numbers[i]];
    }
}

kith_result ki_schedule_build(ki_systems *systems, const char *call)
{
    if (systems->built) {
        return KITH_OK;
    }
    ki_order_sort(systems);
    KI_TRY(ki_order_check(systems, call));
    if (systems->world->def.conflicts != KITH_CONFLICTS_OFF) {
        KI_TRY(ki_conflicts_check(systems, call));
    }
    schedule_make_stages(systems);
    systems->built = true;
    ki_log_message(&systems->world->store.context, KITH_LOG_DEBUG,
                   "%s: %u systems are in %u stages", call, systems->count, systems->stage_count);
    return KITH_OK;
}

kith_result kith_schedule_build(kith_world *world)
{
    KI_TRY(ki_world_require_owner(world, "kith_schedule_build"));
    if (KI_CHECKED && ki_systems_run(world)) {
        return ki_misuse(&world->store.context,
                         "kith_schedule_build: kith_run is under way, which has built it");
    }
    ki_systems *systems = ki_systems_of(world);
    return systems == NULL ? KITH_OK : ki_schedule_build(systems, "kith_schedule_build");
}

/* What is wrong with a system's stage if `right` is the one that it needs, or NULL. */
static const char *schedule_check_stage(uint32_t stage, uint32_t right, uint32_t stages)
{
    return stage >= stages ? "a system is in no stage"
           : stage < right ? "a system does not run after one that it waits for"
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
    schedule_assign_stages(systems);
    for (uint32_t i = 0; i < systems->count; i++) {
        ki_system *system = systems->in_order[i];
        const char *here = schedule_check_stage(systems->numbers[i], system->stage, stages);
        wrong = wrong == NULL ? here : wrong;
        system->stage = systems->numbers[i];
    }
    for (uint32_t i = 1; i < systems->count && wrong == NULL; i++) {
        const ki_system *last = systems->by_stage[i - 1];
        const ki_system *next = systems->by_stage[i];
        bool right =
            last->stage == next->stage ? last->place < next->place : last->stage < next->stage;
        wrong = right ? NULL : "the systems of the stages are out of order";
    }
    bool as_many = systems->stage_count == stages;
    systems->stage_count = stages;
    return wrong != NULL || as_many ? wrong : "there are more stages than systems need";
}
