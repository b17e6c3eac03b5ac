/* Runs: groups one after another that make the same transition, from one table to another. They are
 * found, all that they need is reserved, and then they are made. */
#ifndef KI_COMMAND_RUNS_H
#define KI_COMMAND_RUNS_H

#include "command/group.h"

/* The transition of groups that are in the same table and get the same. */
typedef struct ki_transition {
    const ki_command_group *example; /* the first group that makes it */
    ki_table *from;                  /* NULL: the entities are made */
    ki_table *to;                    /* NULL: they end */
    const ki_edge *edge;             /* NULL: they stay in their table, are made, or end */
    bool leaves;                     /* the entities go from one table into another, or end */
    bool loses;                      /* they lose what they have in other layouts */
    bool storages;                   /* some command is about a component of another layout */
} ki_transition;

typedef struct ki_run {
    ki_command_group *first;
    uint32_t group_count;
    uint32_t count; /* entities */
    uint32_t transition;
    bool in_place; /* no run before takes rows out of the table, which moves others */
} ki_run;

typedef struct ki_runs {
    kith_commands *commands;
    ki_command_group *groups;
    ki_transition *transitions;
    uint32_t transition_count;
    uint32_t transition_capacity;
    ki_run *runs;
    uint32_t run_count;
    uint32_t run_capacity;
    ki_map known;     /* hash of a transition's commands → its number plus one */
    uint32_t spawns;  /* entities to be made */
    uint32_t largest; /* run that leaves rows */
    uint32_t *rows;   /* as many; NULL for none */
} ki_runs;

/* Whether a value of another layout stays if it is there. */
static inline bool ki_pending_keeps(const ki_pending *pending)
{
    return pending->kind == KI_COMMAND_ADD && !pending->fresh;
}

/* The column of a table where the value of a command is written; NULL if none is. */
static inline ki_column *ki_pending_column(const ki_transition *transition,
                                           const ki_pending *pending)
{
    if (pending->kind == KI_COMMAND_REMOVE ||
        (ki_pending_keeps(pending) && transition->from != NULL &&
         ki_table_has(transition->from, pending->component))) {
        return NULL;
    }
    return ki_table_column(transition->to, pending->component);
}

/* Finds the runs of groups. On failure too they are to be freed. KITH_ERR_MEMORY,
 * KITH_ERR_LIMIT. */
kith_result ki_runs_make(ki_runs *runs, kith_commands *commands, ki_command_group *groups);
void ki_runs_free(ki_runs *runs);

/* Reserves all that the runs need, and finds the handles of the entities to be made.
 * KITH_ERR_MEMORY, KITH_ERR_LIMIT. (reserve.c) */
kith_result ki_runs_reserve(ki_runs *runs);

/* Makes the changes, which cannot fail. (apply.c) */
void ki_runs_apply(const ki_runs *runs);

#endif
