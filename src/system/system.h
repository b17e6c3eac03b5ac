/* A system: what its def says, its place in the order, and its part of the current tick. */
#ifndef KI_SYSTEM_SYSTEM_H
#define KI_SYSTEM_SYSTEM_H

#include <kith/profile.h>

#include "query/cursor.h"
#include "system/constraint.h"
#include "system/phase.h"
#include "system/system_query.h"
#include "system/use.h"

/* Places of systems in the same phase: of all of them, or only of those that are not quiet.
 * UINT32_MAX: there is none. See predecessors.c. */
typedef struct ki_nearest {
    uint32_t next[2];  /* the nearest in both directions, by KI_BEFORE and KI_AFTER */
    uint32_t other[2]; /* the nearest of another priority */
    uint32_t last; /* the last one up to this system, within its priority, that no system waits for
                      before the next other priority */
} ki_nearest;

typedef struct ki_system {
    /* What every tick reads, side by side. */
    void (*run)(kith_iter *it);
    kith_query *query;        /* NULL for a plain system */
    kith_cursor *cursor;      /* of the thread that calls kith_run */
    ki_system_query *queries; /* besides `query` */
    uint32_t query_count;
    char *name;
    void *user;
    bool (*run_if)(const kith_world *world, void *user);
    float interval;
    uint32_t every_ticks;
    uint32_t stage;
    bool enabled;
    bool parallel;
    bool no_commands;
    bool is_loop;       /* of a plain system: see parallel_loop.h. Queues and sends nothing */
    bool reads_parents; /* of what it writes, while other calls write: see ki_scan_unshare */
    bool active; /* runs in this tick; so are the fields from here to `result` about this tick */
    float dt;
    uint32_t first_task; /* index among the tasks of the stage */
    uint32_t task_count;
    uint32_t ended; /* of these; counted where levels come one after the other */
    uint32_t first_output; /* index among the outputs of the stage */
    uint32_t output_count; /* one for each task, or one for all if they run one after another; 0 for a
                              plain system without commands */
    kith_result result;

    kith_result (*update)(kith_world *world, kith_iter *it);
    double since;   /* seconds since it ran */
    double due;     /* seconds since it was due */
    uint32_t ticks; /* since it ran */
    int32_t priority;
    uint64_t added; /* number in the order of registration */
    char *group;    /* NULL: none */
    struct ki_system *next_in_group;
    struct ki_system *previous_in_group;
    ki_phase *phase;
    ki_constraints constraints;
    ki_use *uses;
    uint32_t use_count;
    bool keeps; /* some uses have values as they were before the stage */
    struct ki_askable **asked; /* indexes that it may ask */
    uint32_t asked_count;
    ki_use whole;          /* use of the world: a plain system writes it, a query system reads it */
    uint32_t place;        /* index in the order */
    uint32_t waits;        /* scratch of the order: constraints that are not met yet */
    bool marked;           /* scratch of passes over the systems */
    ki_nearest nearest[2]; /* among all systems, and among those that are not quiet */
    uint32_t unfollowed;   /* the last place in its phase, up to its own, of a system that no other
                              one of the phase waits for; UINT32_MAX: there is none */

    ki_scan scan;          /* of a parallel system in this tick, before it begins */
    kith_cursor **cursors; /* of workers */
    uint32_t cursor_count;

    uint32_t profile_name;   /* 1 + index of its name in the profile; 0: it has none */
    kith_system_stats stats; /* while there is a profile */
} ki_system;

/* A use of a system by its index; index 0 is the world as a whole. */
static inline ki_use *ki_system_use_at(ki_system *system, uint32_t index)
{
    return index == 0 ? &system->whole : &system->uses[index - 1];
}

#endif
