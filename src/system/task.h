/* Tasks: the calls of systems' functions in one stage. */
#ifndef KI_SYSTEM_TASK_H
#define KI_SYSTEM_TASK_H

#include <kith/random.h>

#include "system/partition.h"

struct ki_output;
struct ki_system;
struct ki_systems;

/* One call of a system's function. */
typedef struct kith_task {
    struct kith_grants_ grants; /* first: inline calls find them by the key */
    struct ki_system *system;
    kith_world *world;
    ki_range range;
    struct ki_output *output;
    uint32_t number; /* among the calls of its system in this tick */
    uint32_t loop_calls; /* of a plain system: those of its loops so far */
    bool seeded;     /* `random` is the state of its random stream; otherwise that has not begun */
    bool ended;      /* the iterator came to its end; false for a plain system */
    kith_random random;
    kith_cursor *opened; /* of further queries of the system, linked by `outer` */
    kith_result result;

    double began; /* from here on: while there is a profile */
    double done;
    uint64_t entities;
    uint32_t batches;
    uint32_t worker; /* that did it; 0: the thread that calls kith_run */
} ki_task;

/* The tasks of the stage that runs. */
typedef struct ki_tasks {
    ki_task *list;
    uint32_t count;
    uint32_t capacity;
    uint32_t next; /* the first one that no thread has taken; several threads count it up */
} ki_tasks;

void ki_tasks_free(ki_heap *heap, ki_tasks *tasks);

/* Makes the tasks of a system for this tick. KITH_ERR_MEMORY. */
kith_result ki_tasks_add(struct ki_systems *systems, struct ki_system *system);

/* Runs the tasks of the stage, with the help of the workers. */
void ki_tasks_run(struct ki_systems *systems);

/* The result of a system's tasks: the first failure, if there is one. If all of them came to the end of
 * their iterators, the system has looked for changes. */
kith_result ki_tasks_result(const struct ki_systems *systems, const struct ki_system *system);

/* Frees the cursors that a system's tasks use. */
void ki_task_cursors_free(ki_heap *heap, struct ki_system *system);

#endif
