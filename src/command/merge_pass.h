/* Merging: what is being done while groups are made. (merge.c, clone.c, clone_tree.c,
 * merge_pass.c) */
#ifndef KI_COMMAND_MERGE_PASS_H
#define KI_COMMAND_MERGE_PASS_H

#include "command/group.h"

typedef struct ki_merge {
    kith_commands *commands;
    ki_command_group *first;
    ki_command_group **last;
    uint32_t dead;  /* commands for dead entities */
    uint32_t order; /* of the next command about a component */
    bool each;     /* each entity gets a group of its own */
    bool again;    /* it turns out that each must: the merge is to be made again */
    ki_map named;  /* without `each`: table and row / MERGE_ROWS → bits of rows that were named */
    uint64_t page; /* the key of the bits used last, */
    uint64_t *bits;      /* and themselves; NULL: there are none yet */
    ki_map groups;       /* with `each`: index1 → group */
    uint32_t long_lists; /* that were given numbers */
    ki_map index;        /* number of a long list and component id → the command there */
    ki_map sources;      /* handle of an entity → what is queued to be its child, or a link from it */
} ki_merge;

/* Memory that lasts until the buffer is applied. NULL if memory ran out. */
static inline void *ki_merge_alloc(ki_merge *merge, size_t size)
{
    return ki_log_alloc(&merge->commands->context.heap, &merge->commands->groups,
                        ki_round_up(size, 8));
}

/* The group so far of a handle's entity, where each entity has one; NULL if there is none. */
ki_command_group *ki_merge_find(const ki_merge *merge, kith_entity entity);

/* Begins a group of one entity, whose entry that is. NULL if memory ran out. */
ki_command_group *ki_merge_begin(ki_merge *merge, const uint8_t *entry, uint32_t stride);

/* The last command about a component in a group's list; NULL: there is none. */
const ki_pending *ki_merge_pending(const ki_merge *merge, ki_command_group *group,
                                   uint32_t component);

/* Merges a command about a component into a group's list: the last one about each counts.
 * KITH_ERR_MEMORY. */
kith_result ki_merge_component(ki_merge *merge, ki_command_group *group, const ki_pending *command);

/* Gives a clone, which nothing is queued for yet, what its source has by now; its name only if it is
 * `named`. KITH_ERR_MEMORY, KITH_ERR_TYPE (a value cannot be copied), and what a hook fails with. */
kith_result ki_merge_clone(ki_merge *merge, ki_command_group *clone, bool named);

/* The same for a tree: all that is below the source by now is cloned too. KITH_ERR_LIMIT. */
kith_result ki_merge_clone_tree(ki_merge *merge, ki_command_group *clone);

/* Notes what a command made an entity a child of, or a link from, for clones of trees that come after.
 * KITH_ERR_MEMORY. */
kith_result ki_merge_note_source(ki_merge *merge, ki_command_group *group,
                                 const ki_pending *pending);

/* The same for all commands of a group. */
kith_result ki_merge_note_sources(ki_merge *merge, ki_command_group *group);

#endif
