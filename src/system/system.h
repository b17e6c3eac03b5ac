/* The systems of a world, the order in which they run, and the calls of their functions.
 *
 * Systems are kept in the order in which they run (order.c), which is cut into stages (schedule.c).
 * A tick (run.c) makes tasks of a stage's systems (task.c), has the crew do them (crew.c), and then
 * does what they queued and sent. */
#ifndef KI_SYSTEM_SYSTEM_H
#define KI_SYSTEM_SYSTEM_H

#include <kith/profile.h>
#include <kith/schedule.h>

#include "base/map.h"
#include "command/buffer.h"
#include "query/cursor.h"
#include "system/share.h"
#include "world/world.h"

#define KI_SYSTEM_NAME_MAX 127

typedef enum ki_use_kind { KI_USE_COMPONENT, KI_USE_RESOURCE, KI_USE_EVENT } ki_use_kind;

struct ki_system;
struct ki_use;

/* Something that systems use: a component, a resource, an event, or the world as a whole. */
typedef struct ki_thing {
    uint32_t defined; /* number of its use in the last defined system that uses it */
    /* Scratch of the schedule: what it has come by so far in this round. */
    uint64_t round;
    struct ki_use *reader; /* the last */
    struct ki_use *writer;
    uint32_t after_readers; /* the first stage after all of them; 0: there was none */
    uint32_t after_writers;
} ki_thing;

/* Of links between systems: to those before in the order, and to those after. */
enum { KI_BEFORE, KI_AFTER };

/* Something that a query system declares to touch. */
typedef struct ki_use {
    const kith_type *type; /* the register's */
    uint32_t number;
    uint8_t kind;   /* ki_use_kind */
    uint8_t access; /* kith_access: the most that is declared */
    bool reads;     /* declared by KITH_READ: of an event KITH_WRITE does not include it */
    bool reached; /* a component that may be had by handle: all but what a parallel system writes */
    uint32_t sent; /* scratch: events of a system's outboxes */
    struct ki_system *system;
    ki_thing *thing;
    struct ki_use *readers[2]; /* the nearest in the order, set by ki_uses_link; NULL: none */
    struct ki_use *writers[2];
} ki_use;

/* The name of another system in `before` or `after`. */
typedef struct ki_naming {
    const char *name;
    struct ki_system *owner;
    struct ki_system *named; /* NULL: there is none of that name */
    struct ki_naming *next;  /* that names the same one in the same way */
} ki_naming;

typedef struct ki_phase {
    char *name;
    uint32_t number; /* its place in their order */
    uint32_t first;  /* place of its first system, once ki_waits_link has set it */
} ki_phase;

/* Places of systems in the same phase, among all of them or among those that are not quiet; UINT32_MAX:
 * none. */
typedef struct ki_nearest {
    uint32_t next[2];  /* on both sides */
    uint32_t other[2]; /* that have another priority */
    uint32_t last; /* not after its own, nor on the far side of another priority: of one for whom no
                          one waits up to the next other priority */
} ki_nearest;

typedef struct ki_system {
    /* What a tick looks at, side by side. */
    void (*run)(kith_iter *it);
    kith_query *query;   /* NULL for a plain system */
    kith_cursor *cursor; /* of the thread that runs the tick */
    char *name;
    void *user;
    bool (*when)(const kith_world *world, void *user);
    float interval;
    uint32_t every;
    uint32_t stage;
    bool enabled;
    bool parallel;
    bool quiet;
    bool runs; /* in this tick, as all up to `result` */
    float dt;
    uint32_t first_task; /* among the tasks of the stage */
    uint32_t task_count;
    uint32_t first_outbox; /* and theirs: one each, or one for all if they are done one by one */
    uint32_t outbox_count;
    kith_result result;

    kith_result (*update)(kith_world *world, float dt, void *user);
    double since;   /* seconds since it ran */
    double due;     /* seconds since it was due */
    uint32_t ticks; /* since it ran */
    int32_t priority;
    uint64_t born; /* order of registration */
    char *group;   /* NULL: none */
    struct ki_system *next_in_group;
    struct ki_system *previous_in_group;
    ki_phase *phase;
    ki_naming *namings; /* those of `before`, then those of `after`, then their texts */
    uint32_t before_count;
    uint32_t after_count;
    size_t naming_bytes;
    ki_naming *in_before; /* of other systems, that name this one, once the order is made */
    ki_naming *in_after;
    ki_use *uses;
    uint32_t use_count;
    ki_use whole;          /* the world: a plain system writes it, a query system reads it */
    uint32_t place;        /* in the order */
    uint32_t waits;        /* scratch of the order: namings that it waits for */
    bool marked;           /* scratch of the schedule */
    ki_nearest nearest[2]; /* set by ki_waits_link: among all, and among the loud */
    uint32_t unfollowed; /* the nearest place of one in its phase, maybe its own, for whom no one of
                            it waits; not after its own; UINT32_MAX: none */

    ki_scan scan;          /* of a parallel system's tick, before its begin */
    kith_cursor **cursors; /* of helpers */
    uint32_t cursor_count;

    uint32_t profile_name;   /* number of its name in the profile, from 1; 0: it has none */
    kith_system_stats stats; /* while there is a profile */
} ki_system;

/* One call of a query system's function. */
typedef struct kith_task {
    ki_system *system;
    kith_world *world;
    ki_range range;
    struct ki_outbox *outbox;
    uint32_t number; /* among those of its system */
    bool drawn;      /* `random` is the state of its stream; else that was not begun */
    bool ended;      /* the iterator came to its end */
    uint64_t random;
    kith_result result;

    double began; /* these while there is a profile */
    double done;
    uint64_t entities;
    uint32_t batches;
    uint32_t member; /* of the crew, that did it */
} ki_task;

/* What tasks leave behind: commands, and events in order. */
typedef struct ki_outbox {
    kith_commands *commands;
    ki_heap heap; /* of the events */
    ki_log sent;
    ki_holder held; /* their values with hooks */
} ki_outbox;

/* An event in a log; the value stands behind, or where it is held. */
typedef struct ki_sent {
    uint32_t use;  /* number of the system's use */
    uint32_t size; /* of the value, rounded up to 8 */
} ki_sent;

typedef struct ki_crew ki_crew;
typedef struct ki_profile ki_profile;

typedef struct ki_systems {
    kith_world *world;
    ki_system **in_order;
    ki_system **staged; /* sorted by stage, then in order; as many */
    ki_system **found;  /* scratch, and */
    uint32_t *numbers;  /* more of it; as many, too */
    uint32_t count;
    uint32_t capacity;
    uint64_t born;
    bool sorted;     /* `in_order` is in order, */
    uint32_t placed; /* up to the first system that waits in a circle */
    bool built;      /* and `staged` is up to date */
    uint32_t stage_count;
    ki_phase **phases; /* the program's and the built-in ones, in order */
    uint32_t phase_count;
    uint32_t phase_capacity;
    ki_map names;  /* of systems: ki_system */
    ki_map groups; /* the last system that came into each */
    ki_map phase_names;
    ki_map things; /* by kind and number: see ki_thing_make */
    ki_thing whole;
    uint64_t round; /* of things' scratch */

    ki_task *tasks; /* of the stage that runs */
    uint32_t task_count;
    uint32_t task_capacity;
    uint32_t next_task; /* not taken by anyone; several threads count it up */
    ki_outbox **outboxes;
    uint32_t outbox_count; /* that there are, and that this stage uses */
    uint32_t outbox_used;
    uint32_t outbox_capacity;
    struct kith_observer *observers; /* in the order in which they were made */
    struct kith_observer *last_observer;
    kith_commands *observed; /* that they queue on; NULL: there never was one */
    ki_profile *profile;     /* NULL: nothing is measured */
    ki_crew *crew;           /* NULL: no helpers */
    ki_lock lock;            /* of the world's allocator, while there are helpers */
} ki_systems;

/* The world's systems; NULL if there never was anything to keep. */
static inline ki_systems *ki_systems_of(const kith_world *world)
{
    return world->parts[KI_PART_SYSTEMS].data;
}

/* ---- Registry (registry.c) */

/* The world's systems, made if need be; NULL if memory ran out. */
ki_systems *ki_systems_make(kith_world *world);

/* The system of that name; NULL if there is none. */
ki_system *ki_system_find(const ki_systems *systems, const char *name);

/* The phase of that name; NULL if there is none. */
ki_phase *ki_phase_find(const ki_systems *systems, const char *name);

/* ---- Definitions (define.c) */

/* A system from a def, in no list. Errors as for kith_system_add, told as those of `call`. */
kith_result ki_system_make(kith_world *world, const char *call, const kith_system_def *def,
                           ki_system **made);
void ki_system_free(kith_world *world, ki_system *system);

/* What a system declares about a type; NULL: nothing. */
const ki_use *ki_system_use(const ki_system *system, ki_use_kind kind, const kith_type *type);

/* ---- Uses (use.c) */

/* Whether a use reads what it is of, and writes it. Writing a component or a resource includes
 * reading. A system waits for another if one of them writes what the other reads. */
static inline bool ki_use_reads(const ki_use *use)
{
    return use->kind == KI_USE_EVENT ? use->reads : use->access != KITH_ACCESS_NONE;
}

static inline bool ki_use_writes(const ki_use *use)
{
    return use->access == KITH_ACCESS_WRITE;
}

/* The uses of a system, the world as a whole being number 0. */
static inline ki_use *ki_use_at(ki_system *system, uint32_t number)
{
    return number == 0 ? &system->whole : &system->uses[number - 1];
}

/* What systems use, made if need be; NULL if memory ran out. */
ki_thing *ki_thing_make(ki_systems *systems, ki_use_kind kind, uint32_t number);
void ki_things_free(ki_systems *systems);

/* A thing whose scratch is of this round. */
static inline ki_thing *ki_thing_now(const ki_systems *systems, ki_thing *thing)
{
    if (thing->round != systems->round) {
        *thing = (ki_thing){.round = systems->round};
    }
    return thing;
}

/* Links the uses of systems in some order to the nearest ones of the same things: within a phase,
 * or within a priority of it. */
void ki_uses_link(ki_systems *systems, ki_system *const *order, bool by_priority);

/* ---- Order (order.c) */

/* Puts the systems in order. Needs no memory. */
void ki_systems_sort(ki_systems *systems);

/* Whether one of two systems names the other so that `a` is to run before `b`. */
bool ki_order_is_named(const ki_system *a, const ki_system *b);

/* Whether a schedule that was built is in order, as far as neighbours can tell. */
bool ki_order_is_right(const ki_systems *systems);

/* What is wrong with what the systems say about their order, told as an error of `call`. */
kith_result ki_order_check(ki_systems *systems, const char *call);

/* Goes through the systems that are to run before a system by name (KI_BEFORE), or after it: the naming
 * after `naming`, or the first for NULL; NULL after the last. Namings of nobody are left out. */
ki_naming *ki_naming_next(const ki_system *system, int side, ki_naming *naming);

/* The other system that a naming of such a walk leads to. */
static inline ki_system *ki_naming_other(const ki_naming *naming, const ki_system *system)
{
    return naming->owner == system ? naming->named : naming->owner;
}

/* ---- Schedule (schedule.c) */

typedef enum ki_wait_kind {
    KI_WAIT_NOT,
    KI_WAIT_PHASE,
    KI_WAIT_NAME,
    KI_WAIT_PLAIN,
    KI_WAIT_USE,
    KI_WAIT_PRIORITY
} ki_wait_kind;

/* Why a system waits for another one. */
typedef struct ki_wait {
    ki_wait_kind kind;
    const ki_use *use; /* of KI_WAIT_USE: what the one before declares */
} ki_wait;

/* Why system `b` waits for `a`, which comes before it in the order. */
ki_wait ki_schedule_wait(const ki_system *a, const ki_system *b);

/* "component", "resource" or "event". */
const char *ki_use_kind_name(const ki_use *use);

/* Brings order and stages up to date. Errors as for kith_schedule_build, told as those of
 * `call`. */
kith_result ki_schedule_build(ki_systems *systems, const char *call);

/* What is wrong with the stages of a schedule that was built, or NULL. */
const char *ki_schedule_check(ki_systems *systems);

/* ---- Conflicts (conflicts.c) */

/* Looks for systems that conflict, but have no order other than that in which they were added: tells of
 * each pair, or fails at the first. */
kith_result ki_conflicts_check(ki_systems *systems, const char *call);

/* ---- Waits (waits.c) */

/* Prepares ki_waits_find for a schedule that was built. */
void ki_waits_link(ki_systems *systems);

/* Finds whom a system waits for, except those for whom another one waits that it waits for: in order, in
 * `found`. Returns how many there are. */
uint32_t ki_waits_find(ki_systems *systems, ki_system *system);

/* ---- Tasks (task.c) */

/* Makes the tasks of a query system for this tick. KITH_ERR_MEMORY. */
kith_result ki_tasks_add(ki_systems *systems, ki_system *system);

/* Does the tasks of the stage, with the crew's help. */
void ki_tasks_run(ki_systems *systems);

/* How several calls of a system fared. */
kith_result ki_tasks_result(const ki_systems *systems, const ki_system *system);

/* ---- Outboxes (outbox.c) */

/* Makes outboxes up to number `count`. KITH_ERR_MEMORY. */
kith_result ki_outboxes_make(ki_systems *systems, uint32_t count);

/* Whether there is anything in a system's outboxes. */
static inline bool ki_outboxes_used(const ki_systems *systems, const ki_system *system)
{
    for (uint32_t i = 0; i < system->outbox_count; i++) {
        const ki_outbox *outbox = systems->outboxes[system->first_outbox + i];
        if (outbox->sent.filling != NULL || outbox->held.room.filling != NULL ||
            ki_commands_count(outbox->commands) != 0 || outbox->commands->failed != KITH_OK) {
            return true;
        }
    }
    return false;
}

/* How many commands and events are in a system's outboxes. */
void ki_outboxes_count(const ki_systems *systems, const ki_system *system, uint32_t *commands,
                       uint32_t *events);

/* Does what a system queued and sent: all or nothing. */
kith_result ki_outboxes_deliver(ki_systems *systems, const ki_system *system);

/* Empties its outboxes. */
void ki_outboxes_clear(ki_systems *systems, const ki_system *system);

void ki_outboxes_free(ki_systems *systems);

/* ---- Observers (observer.c) */

/* Errors as for kith_observe, told as those of `call`. */
kith_result ki_observers_deliver(ki_systems *systems, const char *call);
void ki_observers_free(ki_systems *systems);

/* ---- Profiles (profile.c); each is called while there is one */

/* A stage begins. */
void ki_profile_stage(ki_profile *profile);

/* A plain system has returned, which began with its stage; or all tasks of a query system. */
void ki_profile_plain(ki_systems *systems, ki_system *system);
void ki_profile_tasks(ki_systems *systems, ki_system *system);

/* What a system queued was done, since `began`. */
void ki_profile_applied(ki_systems *systems, ki_system *system, double began);

void ki_profile_free(ki_systems *systems);

/* ---- Crew (crew.c) */

/* How many help; NULL: none. */
uint32_t ki_crew_count(const ki_crew *crew);

/* Has `work` called by this thread with 0, and by up to `helpers` others with 1 and up, and returns
 * when all calls have returned. */
void ki_crew_run(ki_crew *crew, uint32_t helpers, void (*work)(void *context, uint32_t member),
                 void *context);

void ki_crew_free(kith_world *world, ki_crew *crew);

#endif
