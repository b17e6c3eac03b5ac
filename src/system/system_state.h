/* All that a world keeps about its systems. */
#ifndef KI_SYSTEM_SYSTEM_STATE_H
#define KI_SYSTEM_SYSTEM_STATE_H

#include "base/map.h"
#include "base/threads.h"
#include "system/observers.h"
#include "system/phase.h"
#include "system/system.h"
#include "system/system_output.h"
#include "system/task.h"
#include "system/use.h"
#include "world/world.h"

struct ki_profile;
struct ki_workers;

typedef struct ki_systems {
    kith_world *world;
    ki_system **in_order;
    ki_system **by_stage; /* the same systems, sorted by stage, then by place */
    ki_system **found;    /* scratch of the same length */
    uint32_t *numbers;    /* scratch of the same length */
    uint32_t count;
    uint32_t capacity;
    uint64_t added;  /* systems that were ever added */
    bool sorted;     /* `in_order` is up to date */
    uint32_t placed; /* systems before the first one that waits in a circle */
    bool built;      /* `by_stage` is up to date */
    uint32_t stage_count;
    ki_map names;  /* of systems: ki_system */
    ki_map groups; /* the system that joined each group last */
    ki_phases phases;
    ki_things things;

    ki_tasks tasks;
    ki_tasks loop_tasks; /* room for those of a loop of a plain system, meanwhile */
    ki_outputs outputs;
    ki_observers observers;
    ki_observers_state ready;   /* for a restore that is under way */
    struct ki_profile *profile; /* NULL: nothing is measured */
    struct ki_workers *workers; /* NULL: there are none */
    ki_lock memory;             /* of the world's heap, while workers run */
    ki_lock lock;               /* of marks of blocks and of cursors, while workers run, */
    ki_condition ended;         /* and of how many tasks of a system with levels have ended */
    bool running;               /* kith_run is under way */
    bool observing;             /* observers are being called */
} ki_systems;

/* How the systems take part in what concerns the whole world (system_part.c). */
extern const ki_attachment_calls ki_systems_part;

/* What a snapshot holds of systems and observers (rewind.c). */
extern const ki_state_calls ki_systems_state_calls;

/* What of a system decides about later ticks, besides its function. */
typedef struct ki_system_times {
    const char *name;
    double since;
    double due;
    uint32_t ticks;
    int32_t priority;
    bool enabled;
} ki_system_times;

static inline ki_system_times ki_system_times_of(const ki_system *system)
{
    return (ki_system_times){.name = system->name,
                             .since = system->since,
                             .due = system->due,
                             .ticks = system->ticks,
                             .priority = system->priority,
                             .enabled = system->enabled};
}

/* Adds that to a hash. */
uint64_t ki_system_times_hash(uint64_t hash, const ki_system_times *times);

/* Bytes of both orders and the scratch, which are one allocation. */
static inline size_t ki_systems_bytes(uint32_t capacity)
{
    return (size_t)capacity * (3 * sizeof(ki_system *) + sizeof(uint32_t));
}

/* The world's systems; NULL if there was never anything to keep. */
static inline ki_systems *ki_systems_of(const kith_world *world)
{
    return world->parts[KI_PART_SYSTEMS].data;
}

/* Whether kith_run is under way. */
static inline bool ki_systems_run(const kith_world *world)
{
    const ki_systems *systems = ki_systems_of(world);
    return systems != NULL && systems->running;
}

/* The world's systems, made if they are missing; NULL: out of memory. */
ki_systems *ki_systems_make(kith_world *world);

/* The system of that name; NULL if there is none, or if `systems` is NULL. */
ki_system *ki_system_find(const ki_systems *systems, const char *name);

/* The same; KITH_ERR_UNKNOWN: there is none, and the message tells which there are. */
kith_result ki_system_require(kith_world *world, const char *call, const char *name,
                              ki_system **system);

#endif
