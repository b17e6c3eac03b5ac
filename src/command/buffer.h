/* A command buffer: what was queued, packed, until it is applied.
 *
 * Queueing (queue.c) appends entries to the log (entries.h). Values with hooks are kept beside the
 * log (owned_values.h). Applying merges the commands of each entity into groups of entities with
 * the same commands (group.h), finds the transitions that the groups make, reserves for them
 * (runs.h), and makes the changes (apply.c). */
#ifndef KI_COMMAND_BUFFER_H
#define KI_COMMAND_BUFFER_H

#include <kith/commands.h>

#include "command/log.h"
#include "command/new_types.h"
#include "command/op.h"
#include "command/owned_values.h"

typedef struct ki_command_group ki_command_group;

typedef union ki_spawn {
    ki_command_group *group; /* while merging */
    kith_entity real;        /* once applied */
} ki_spawn;

/* The only command of the open batch's entries, to be queued once more for another entity. */
typedef struct ki_hot_op {
    uint64_t key;  /* ki_hot_key; 0: there is none, or it needs a second look */
    uint32_t size; /* of the value */
    uint32_t stride;
    const uint8_t *last; /* the last place in the chunk where an entry has room */
} ki_hot_op;

/* A command that is expected, as the open batch's entries have it. */
typedef struct ki_expected_op {
    uint32_t key;   /* ki_op_key; 0 if it needs a second look */
    uint32_t place; /* of its value in the entry */
} ki_expected_op;

struct kith_commands {
    ki_log log; /* up to the end of the last entry that is whole */
    ki_hot_op hot;
    ki_batch *batch;      /* the open one: the last; NULL if there is none */
    const uint8_t *first; /* its first entry; its last one ends where the log does */
    uint32_t stride;      /* bytes from one of its entries to the next */
    uint32_t op_count;    /* commands of each */
    uint32_t begun;       /* commands of an entry after it that is not whole; 0 if there is none */
    kith_entity entity;   /* that the begun entry is for */
    kith_world *world;
    uint32_t count;  /* commands before the open batch: see ki_commands_count */
    uint32_t tag;    /* the upper 8 bits of provisional handles' generations */
    uint32_t spawns; /* provisional handles given out: numbers 1 and up */
    uint32_t spawn_capacity;
    ki_spawn *spawned; /* by number - 1 */
    uint32_t tree_spawns; /* entities below clones of trees, while applying: their numbers come after */
    bool refers;          /* any value has provisional handles in it, or may get some */
    bool clones_trees;    /* so that children that are queued are noted: see clone_tree.c */
    const char *lent;  /* what the program knows it as, if it is the world's own; NULL: it is not */
    bool busy;         /* hooks of its values may be running, which must not use it */
    kith_result failed;  /* what a queue call failed with */
    uint32_t real_tag;   /* of the handles that kith_commands_real knows */
    uint32_t real_count; /* 0: `spawned` is about what is queued now */
    uint64_t dead;
    ki_log groups; /* ki_command_group and ki_pending, while applying */
    ki_log copies; /* values of what is cloned, while applying */
    ki_new_types new_types;
    ki_owned_values owned;  /* values with hooks that are queued */
    ki_owned_values cloned; /* and of what is cloned, while applying */
    ki_context context;
    struct kith_commands *more; /* while joined: the buffer with the next commands; or NULL */
    struct kith_commands *next; /* in the world's list, the last made first */
    struct kith_commands *previous;
    struct kith_commands **holder; /* becomes NULL when the buffer is freed; may be NULL */
    ki_expected_op expected[KI_ENTRY_OPS_MAX];
};

#define KI_SPAWNS_MAX ((1u << 24) - 1)

/* Beyond this many commands the log takes no chunk. What fits into the last one does not make the count
 * wrap. */
#define KI_COMMANDS_MAX (UINT32_MAX - (1u << 29))

static inline uint32_t ki_spawn_number(kith_entity provisional)
{
    return provisional.generation & KI_SPAWNS_MAX;
}

static inline bool ki_is_provisional(kith_entity entity)
{
    return entity.index1 == 0 && entity.generation != 0;
}

/* Entries of the open batch that are whole. They are counted by their bytes, so that queueing counts
 * nothing. */
static inline uint32_t ki_commands_open_count(const kith_commands *commands)
{
    return commands->batch == NULL
               ? 0
               : (uint32_t)(commands->log.at - commands->first) / commands->stride;
}

/* Commands that are queued. */
static inline uint32_t ki_commands_count(const kith_commands *commands)
{
    return commands->count + ki_commands_open_count(commands) * commands->op_count +
           commands->begun;
}

/* What a command needs to know of a new type. */
static inline const ki_component *ki_new_type_of(const kith_commands *commands, const ki_op *op)
{
    return &commands->new_types.list[op->component].component;
}

/* The component of a command that has a value in its entry; NULL if it has none. */
static inline const ki_component *ki_op_component(const kith_commands *commands, const ki_op *op)
{
    if (op->kind != KI_COMMAND_SET && op->kind != KI_COMMAND_ADD) {
        return NULL;
    }
    const ki_component *component =
        op->is_new ? ki_new_type_of(commands, op)
                   : ki_store_component(&commands->world->store, op->component);
    return op->kind == KI_COMMAND_SET || component->hooks != NULL ? component : NULL;
}

/* Between these two, hooks of a buffer's values cannot use it, nor the buffers that are joined to
 * it. After that, each command gets a second look until a batch is opened. */
void ki_commands_occupy(kith_commands *commands);
void ki_commands_release(kith_commands *commands);

/* Reports that a hook used the buffer while it is busy. Returns false. */
bool ki_commands_reject_hook(kith_commands *commands, const char *call);

/* Destroys the owned values, and frees all memory except the struct itself. The buffer stays
 * busy. */
void ki_commands_free_contents(kith_commands *commands);

/* Fails the buffer, which has not failed yet: it takes nothing more. Returns `result`. */
kith_result ki_commands_fail(kith_commands *commands, kith_result result);

/* Empties the buffer after its log was emptied. */
void ki_commands_empty(kith_commands *commands);

/* Empties the buffer after it was applied: the real handles are in `spawned`. */
void ki_commands_applied(kith_commands *commands);

/* Joins buffers: the first has all commands, as if they had been queued there, one buffer after
 * another. ki_commands_part ends that, applied or not. If one of them has failed, the first fails.
 * KITH_ERR_MEMORY, KITH_ERR_LIMIT: nothing was joined. (join.c) */
kith_result ki_commands_join(kith_commands *const *buffers, uint32_t count);

/* Empties all buffers. */
void ki_commands_part(kith_commands *const *buffers, uint32_t count);

#endif
