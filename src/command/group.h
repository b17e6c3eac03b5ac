/* Groups: what is queued, merged for each entity. A group is of entities that were first named one
 * after another, that are in one table, and that get the same. */
#ifndef KI_COMMAND_GROUP_H
#define KI_COMMAND_GROUP_H

#include "command/entries.h"

/* What is to be done about one component. */
typedef struct ki_pending {
    struct ki_pending *next;
    const uint8_t *value; /* for the group's first entity; NULL: zero bytes */
    uint32_t order;       /* of the command among all */
    uint16_t component;   /* id */
    uint8_t kind;         /* KI_COMMAND_SET, KI_COMMAND_ADD or KI_COMMAND_REMOVE */
    bool fresh : 1;       /* adding starts from zero bytes, whatever the entity has */
    bool in_world : 1;    /* while a clone is made: the value is its source's own, and has hooks */
} ki_pending;

#define KI_GROUP_MADE 1u /* the entities are to be made */
#define KI_GROUP_BARE 2u /* all that they had goes */
#define KI_GROUP_GONE 4u /* they are to be despawned, or never come to be */

struct ki_command_group {
    ki_command_group *next;
    ki_pending *list; /* each component once, in the order of the last commands about them */
    ki_pending **end; /* of the list */
    const uint8_t
        *entry; /* of the first entity; the others' are `stride` apart, and so their values */
    uint32_t stride;
    uint32_t count;
    uint32_t table;     /* id of the table that the entities are in */
    uint32_t number;    /* or of the first, if they are to be made */
    uint32_t long_list; /* the list's number among those that are in the index; 0: it is not */
    uint8_t length;     /* of the list; not if that is in the index */
    uint8_t state;
    bool consecutive_rows;  /* the entities' rows follow one another, and */
    bool consecutive_slots; /* their slots: then blocks of them are taken at once */
    bool refers;            /* copies of values have provisional handles in them */
};

/* Whether the entities are to be made, and then despawned again. */
static inline bool ki_group_is_void(const ki_command_group *group)
{
    return (group->state & (KI_GROUP_MADE | KI_GROUP_GONE)) == (KI_GROUP_MADE | KI_GROUP_GONE);
}

/* An entity of the group. Those to be made have their handles by then. */
static inline kith_entity ki_group_entity(const kith_commands *commands,
                                          const ki_command_group *group, uint32_t i)
{
    if ((group->state & KI_GROUP_MADE) != 0) {
        return commands->spawned[group->number - 1 + i].real;
    }
    kith_entity entity;
    memcpy(&entity, group->entry + (size_t)i * group->stride, sizeof entity);
    return entity;
}

/* The value of a command for an entity of the group; NULL: zero bytes. */
static inline const uint8_t *ki_group_value(const ki_command_group *group,
                                            const ki_pending *pending, uint32_t i)
{
    return pending->value == NULL ? NULL : pending->value + (size_t)i * group->stride;
}

/* Merges what is queued into groups, in the order in which entities were first named, and counts
 * commands for the dead. Nothing of the world is changed. KITH_ERR_MEMORY. */
kith_result ki_groups_make(kith_commands *commands, ki_command_group **groups, uint32_t *dead);

#endif
