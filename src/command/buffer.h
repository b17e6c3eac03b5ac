/* A command buffer: what was queued, packed, until it is applied.
 *
 * Queueing (queue.c) appends entries to the log (entries.h); values with hooks are held beside it
 * (held.h), and the log has where. Applying merges the commands of each entity into groups of entities
 * with the same commands (group.h), writes down which transitions these make and reserves for them
 * (script.h), and then makes the changes (apply.c). */
#ifndef KI_COMMAND_BUFFER_H
#define KI_COMMAND_BUFFER_H

#include <kith/commands.h>

#include "command/held.h"
#include "command/log.h"
#include "command/op.h"

typedef struct ki_command_group ki_command_group;

typedef union ki_spawn {
    ki_command_group *group; /* while merging */
    kith_entity real;        /* once applied */
} ki_spawn;

/* The open stretch's only command, for queueing it once more. */
typedef struct ki_usual {
    uint64_t key;  /* ki_usual_key; 0: there are others, or it needs a second look */
    uint32_t size; /* of the value */
    uint32_t stride;
    const uint8_t *last; /* where the last entry goes for which the chunk has room */
} ki_usual;

/* A command of the open stretch's entries. */
typedef struct ki_step {
    uint32_t key;   /* ki_op_key; 0 if it needs a second look */
    uint32_t place; /* of its value in the entry */
} ki_step;

struct kith_commands {
    ki_log log; /* up to the end of the last entry that is whole */
    ki_usual usual;
    ki_stretch *stretch;    /* the open one: the last; NULL if there is none */
    const uint8_t *counted; /* its entries from here on are in no count yet */
    uint32_t stride;        /* bytes from one of its entries to the next */
    uint32_t step_count;    /* commands of each */
    uint32_t begun;     /* commands of an entry after it that is not whole; 0 if there is none */
    kith_entity entity; /* that the begun entry is for */
    kith_world *world;
    uint32_t count;  /* commands: see ki_commands_count */
    uint32_t tag;    /* the upper 8 bits of provisional handles' generations */
    uint32_t spawns; /* provisional handles given out: numbers 1 and up */
    uint32_t spawn_capacity;
    ki_spawn *spawned; /* by number - 1 */
    bool refers;       /* any value has provisional handles in it */
    const char *lent;  /* what the program knows it as, if it is the world's own; NULL: it is not */
    bool busy;         /* hooks of its values may be running, which must not use it */
    kith_result failed;  /* what a queue call failed with */
    uint32_t real_tag;   /* of the handles that kith_commands_real knows */
    uint32_t real_count; /* 0: `spawned` is about what is queued now */
    uint64_t dead;
    ki_log groups;    /* ki_command_group and ki_pending, while applying */
    ki_log copies;    /* values of what is cloned, while applying */
    ki_holder held;   /* values with hooks that are queued */
    ki_holder cloned; /* and of what is cloned, while applying */
    ki_context context;
    struct kith_commands *more; /* whose commands come after these, while joined; or NULL */
    struct kith_commands *next; /* in the world's list, the last made first */
    struct kith_commands *previous;
    struct kith_commands **holder; /* becomes NULL with the buffer; NULL: nobody's */
    ki_step steps[KI_ENTRY_OPS_MAX];
};

#define KI_SPAWNS_MAX ((1u << 24) - 1)

/* Beyond this many commands the log takes no chunk. What fits into the last one, and 2^24 entities to
 * be made of KI_ENTRY_OPS_MAX commands, which may take no room, do not make the count wrap. */
#define KI_COMMANDS_MAX (UINT32_MAX - (1u << 29))

static inline uint32_t ki_spawn_number(kith_entity provisional)
{
    return provisional.generation & KI_SPAWNS_MAX;
}

static inline bool ki_is_provisional(kith_entity entity)
{
    return entity.index1 == 0 && entity.generation != 0;
}

/* Entries of the open stretch that are not counted. Those of one command, queued once more, are not,
 * which saves two writes each. */
static inline uint32_t ki_commands_uncounted(const kith_commands *commands)
{
    size_t bytes = (size_t)(commands->log.at - commands->counted);
    return bytes == 0 ? 0 : (uint32_t)bytes / commands->stride;
}

/* Commands that are queued. */
static inline uint32_t ki_commands_count(const kith_commands *commands)
{
    return commands->count + ki_commands_uncounted(commands);
}

/* Keeps hooks of a buffer's values from using it, and those that are joined to it; and ends that. Until the
 * next entries are opened, each command gets a second look. */
void ki_commands_occupy(kith_commands *commands);
void ki_commands_release(kith_commands *commands);

/* Tells a hook that the buffer is busy; false. */
bool ki_commands_reject_hook(kith_commands *commands, const char *call);

/* Gives back all memory but the buffer's own struct, and ends the values in it; leaves it busy. */
void ki_commands_give(kith_commands *commands);

/* Fails the buffer, which has not failed: from here on it takes nothing. Returns `result`. */
kith_result ki_commands_fail(kith_commands *commands, kith_result result);

/* Empties the buffer, whose log is empty by now. */
void ki_commands_empty(kith_commands *commands);

/* Empties the buffer, whose entities' real handles are in `spawned`. */
void ki_commands_applied(kith_commands *commands);

/* Makes the commands of several buffers those of the first, as if all had been queued there, one buffer
 * after another; to be undone by ki_commands_part when they were applied, or not. The first fails where
 * one of them has failed. KITH_ERR_MEMORY, KITH_ERR_LIMIT: nothing was joined. (join.c) */
kith_result ki_commands_join(kith_commands *const *buffers, uint32_t count);

/* Empties all buffers. */
void ki_commands_part(kith_commands *const *buffers, uint32_t count);

#endif
