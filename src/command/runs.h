/* Runs: groups one after another that make the same transition, from one table to another. They are
 * found, all that they need is reserved, and then they are made. */
#ifndef KI_COMMAND_RUNS_H
#define KI_COMMAND_RUNS_H

#include "command/group.h"

/* What a transition does about one component. */
typedef struct ki_transition_op {
    ki_component *component;
    ki_column *column; /* of KITH_TABLE: where a value is written; NULL: nothing is written */
    uint8_t kind;      /* KI_COMMAND_SET, KI_COMMAND_ADD or KI_COMMAND_REMOVE */
    bool keeps;        /* a value that is there stays; not for KITH_TABLE */
    bool owned;        /* it has owned values */
} ki_transition_op;

/* The transition of groups that are in the same table and get the same. */
typedef struct ki_transition {
    const ki_command_group *example; /* the first group that makes it */
    ki_table *from;                  /* NULL: the entities are made */
    ki_table *to;                    /* NULL: they end */
    const ki_edge *edge;             /* NULL: they stay in their table, are made, or end */
    uint32_t first_op;
    uint32_t op_count;
    bool leaves;   /* the entities go from one table into another, or end */
    bool loses;    /* they lose what they have in other layouts */
    bool storages; /* some op is about a component of another layout */
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
    ki_transition_op *ops;
    uint32_t op_count;
    uint32_t op_capacity;
    ki_run *runs;
    uint32_t run_count;
    uint32_t run_capacity;
    ki_map known;     /* hash of a transition's commands → its number plus one */
    uint32_t spawns;  /* entities to be made */
    uint32_t largest; /* run that leaves rows */
    uint32_t *rows;   /* as many; NULL for none */
} ki_runs;

static inline const ki_transition_op *ki_transition_ops(const ki_runs *runs,
                                                        const ki_transition *transition)
{
    return transition->op_count == 0 ? NULL : runs->ops + transition->first_op;
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
