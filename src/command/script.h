/* A script: which transitions the groups make, in runs, and all that they need is reserved. */
#ifndef KI_COMMAND_SCRIPT_H
#define KI_COMMAND_SCRIPT_H

#include "command/group.h"
#include "store/change_set.h"

/* What a transition does about one component. */
typedef struct ki_script_op {
    ki_component *component;
    ki_column
        *column;  /* of KITH_TABLE: where a value is written; NULL: there is nothing to write */
    uint8_t kind; /* KI_COMMAND_SET, KI_COMMAND_ADD or KI_COMMAND_REMOVE */
    bool keeps;   /* a value that is there stays; not for KITH_TABLE */
    bool held;    /* its values are held; false where it has none */
} ki_script_op;

/* What groups of the same table that get the same go through. */
typedef struct ki_script_transition {
    const ki_command_group *pattern; /* the first group that makes it */
    ki_table *from;                  /* NULL: the entities are made */
    ki_table *to;                    /* NULL: they end */
    const ki_edge *edge;             /* NULL: they stay in their table, are made, or end */
    uint32_t first_op;
    uint32_t op_count;
} ki_script_transition;

/* Groups that follow one another and make the same transition. */
typedef struct ki_run {
    const ki_command_group *first;
    uint32_t group_count;
    uint32_t count; /* entities */
    uint32_t transition;
    bool in_place; /* no run before takes rows out of the table, which moves others */
} ki_run;

typedef struct ki_script {
    kith_commands *commands;
    ki_script_transition *transitions;
    uint32_t transition_count;
    uint32_t transition_capacity;
    ki_script_op *ops;
    uint32_t op_count;
    uint32_t op_capacity;
    ki_run *runs;
    uint32_t run_count;
    uint32_t run_capacity;
    ki_map known; /* what ki_script_key tells of a pattern → number of the transition plus one */
    uint32_t spawns;  /* entities to be made */
    uint32_t largest; /* run that leaves rows */
    uint32_t *rows;   /* as many; NULL for none */
} ki_script;

/* Whether the entities go from one table into another, or end. */
static inline bool ki_script_leaves(const ki_script_transition *transition)
{
    return transition->from != NULL && transition->from != transition->to;
}

/* Writes the script for groups, and reserves all that it needs. On failure too it is to be freed.
 * KITH_ERR_MEMORY, KITH_ERR_LIMIT. */
kith_result ki_script_make(ki_script *script, kith_commands *commands,
                           const ki_command_group *groups);
void ki_script_free(ki_script *script);

/* Makes the changes, which cannot fail. (apply.c) */
void ki_script_run(const ki_script *script, const ki_command_group *groups);

#endif
