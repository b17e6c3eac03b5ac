/* A command buffer: commands one behind another in chunks, in the order in which they were queued.
 *
 * Queueing appends (queue.c). Applying merges the commands of each entity (merge.c), plans what
 * that comes down to and reserves for it (arrange.c), and then makes the changes (apply.c). */
#ifndef KI_COMMAND_BUFFER_H
#define KI_COMMAND_BUFFER_H

#include <kith/commands.h>

#include "world/world.h"

typedef enum ki_command_kind {
    KI_COMMAND_SPAWN,
    KI_COMMAND_CLONE, /* its value is the source's handle */
    KI_COMMAND_DESPAWN,
    KI_COMMAND_CLEAR,
    KI_COMMAND_SET, /* from here on: about one component */
    KI_COMMAND_ADD,
    KI_COMMAND_REMOVE
} ki_command_kind;

#define KI_COMMAND_REFERS 1u /* the value has provisional handles in it */

/* The others are set anew by each merge. */
#define KI_COMMAND_LEADS 2u   /* the first command for its entity; what follows is about leaders */
#define KI_COMMAND_MADE 4u    /* the entity is to be made */
#define KI_COMMAND_BARE 8u    /* all that the entity had goes */
#define KI_COMMAND_GONE 16u   /* the entity is to be despawned, or never comes to be */
#define KI_COMMAND_VOID 32u   /* a leader whose own command counts no more */
#define KI_COMMAND_ALIAS 64u  /* the value is a pointer to the value */
#define KI_COMMAND_FRESH 128u /* adding starts from zero bytes, whatever is there */

typedef struct ki_command {
    uint8_t kind; /* ki_command_kind */
    uint8_t flags;
    uint16_t component; /* id */
    uint32_t size;      /* bytes of the value, which stands behind; its place is rounded up to 8 */
    kith_entity entity;
    struct ki_command *next; /* for the same entity; one that counts, about another component */
    uint32_t table;          /* of a leader: the id of the table that the entity is in */
    uint32_t row;            /* of a leader: the slot that the entity to be made will get */
} ki_command;

typedef struct ki_chunk {
    struct ki_chunk *next;
    uint32_t size; /* bytes of room behind this header */
    uint32_t used; /* of them; up to date in all but the one that is being filled */
} ki_chunk;

typedef struct ki_log {
    uint8_t *at; /* the next command's place, and the end of the room there */
    uint8_t *end;
    ki_chunk *first;
    ki_chunk *filling;
    const struct ki_log *more; /* that comes behind this one, while it is joined; or NULL */
} ki_log;

struct kith_commands {
    ki_log log;
    kith_world *world;
    uint32_t count;
    uint32_t tag;    /* the upper 8 bits of provisional handles' generations */
    uint32_t spawns; /* provisional handles given out: numbers 1 and up */
    uint32_t spawn_capacity;
    union ki_spawn *spawned; /* by number - 1 */
    bool refers;             /* any value has provisional handles in it */
    bool lent;               /* to systems, which will want it again */
    kith_result failed;      /* what a queue call failed with */
    uint32_t real_tag;       /* of the handles that kith_commands_real knows */
    uint32_t real_count;     /* 0: `spawned` is about what is queued now */
    uint64_t dead;
    ki_log aliases; /* of clones, while applying */
    ki_context context;
    struct kith_commands *next; /* in the world's list */
};

typedef union ki_spawn {
    ki_command *leader; /* while merging */
    kith_entity real;   /* once applied */
} ki_spawn;

#define KI_SPAWNS_MAX ((1u << 24) - 1)

static inline uint32_t ki_spawn_number(kith_entity provisional)
{
    return provisional.generation & KI_SPAWNS_MAX;
}

static inline bool ki_is_provisional(kith_entity entity)
{
    return entity.index1 == 0 && entity.generation != 0;
}

/* Room for `size` bytes at the end; NULL if memory ran out. */
void *ki_log_take_slow(ki_heap *heap, ki_log *log, size_t size);

static inline void *ki_log_take(ki_heap *heap, ki_log *log, size_t size)
{
    if (KI_LIKELY((size_t)(log->end - log->at) >= size)) {
        void *taken = log->at;
        log->at += size;
        return taken;
    }
    return ki_log_take_slow(heap, log, size);
}

/* Empties the log. Chunks that were in use are kept for the next time. */
void ki_log_rewind(ki_heap *heap, ki_log *log);
void ki_log_free(ki_heap *heap, ki_log *log);

/* A walk over the commands, in order. */
typedef struct ki_log_walk {
    uint8_t *at;
    const uint8_t *end; /* of this chunk's commands */
    const ki_log *log;
    ki_chunk *chunk;
} ki_log_walk;

static inline ki_log_walk ki_log_walk_start(const ki_log *log)
{
    return (ki_log_walk){.log = log};
}

/* Goes on to the next chunk that has commands; false behind the last. */
bool ki_log_walk_chunk(ki_log_walk *walk);

static inline size_t ki_command_bytes(uint32_t size)
{
    return sizeof(ki_command) + ki_round_up(size, 8);
}

/* The next command; NULL behind the last. */
static inline ki_command *ki_log_walk_next(ki_log_walk *walk)
{
    if (KI_UNLIKELY(walk->at == walk->end) && !ki_log_walk_chunk(walk)) {
        return NULL;
    }
    ki_command *command = (ki_command *)(void *)walk->at;
    walk->at += ki_command_bytes(command->size);
    return command;
}

/* The value of a command to set or add; NULL: zero bytes. */
static inline const void *ki_command_value(const ki_command *command)
{
    if ((command->flags & KI_COMMAND_ALIAS) != 0) {
        return *(const void *const *)(const void *)(command + 1);
    }
    return command->size == 0 ? NULL : command + 1;
}

/* The first command about a component that counts for the leader's entity. Its `next` and so on are
 * the others. */
static inline ki_command *ki_leader_first(ki_command *leader)
{
    return leader->kind >= KI_COMMAND_SET && (leader->flags & KI_COMMAND_VOID) == 0 ? leader
                                                                                    : leader->next;
}

/* Loops over the handles in a value of a type: `place` is the offset of each. */
#define KI_EACH_HANDLE(place, type)                                                                \
    for (const kith_field *ki_field = (type)->fields,                                              \
                          *ki_fields_end = ki_field + (type)->field_count;                         \
         ki_field < ki_fields_end; ki_field++)                                                     \
        if (ki_field->kind == KITH_ENTITY)                                                         \
            for (uint32_t place = ki_field->offset, ki_end = place + ki_field->size;               \
                 place < ki_end; place += (uint32_t)sizeof(kith_entity))

/* Empties the buffer, whose entities' real handles stand in `spawned`. */
void ki_commands_applied(kith_commands *commands);

/* Makes the commands of several buffers those of the first, as if all had been queued there, one buffer
 * after another; to be undone by ki_commands_part when they were applied, or not. The first fails where
 * one of them has failed. KITH_ERR_MEMORY, KITH_ERR_LIMIT: nothing was joined. (join.c) */
kith_result ki_commands_join(kith_commands *const *buffers, uint32_t count);

/* Empties all buffers. */
void ki_commands_part(kith_commands *const *buffers, uint32_t count);

/* ---- Applying, step by step */

/* Merges the commands of each entity: makes leaders and their lists, counts commands for the dead.
 * KITH_ERR_MEMORY. */
kith_result ki_commands_merge(kith_commands *commands, uint32_t *dead);

/* What one run of leaders, one behind another, has in common. */
typedef struct ki_run {
    uint32_t count;
    uint8_t state;       /* KI_COMMAND_MADE, _BARE and _GONE of its leaders */
    bool only_tables;    /* no command is about a component of another layout */
    ki_table *from;      /* where the entities are; for those to be made the empty one */
    ki_table *to;        /* NULL if they are despawned */
    const ki_edge *edge; /* NULL if they stay, and for those to be made */
    uint32_t first_op;
    uint32_t op_count;
} ki_run;

/* One of the commands that all leaders of a run have. */
typedef struct ki_run_op {
    ki_component *component;
    uint32_t column; /* in `to`; KI_NO_COLUMN where nothing is to be written to one */
    uint8_t kind;
    bool keeps; /* a value that is there stays; not for KITH_TABLE */
} ki_run_op;

typedef struct ki_arrangement {
    kith_commands *commands;
    ki_run *runs;
    uint32_t run_count;
    uint32_t run_capacity;
    ki_run_op *ops;
    uint32_t op_count;
    uint32_t op_capacity;
    uint32_t spawns;  /* entities to be made */
    uint32_t largest; /* run */
    uint32_t *rows;   /* as many */
} ki_arrangement;

/* The run's `op_count` commands; NULL if there are none. */
static inline const ki_run_op *ki_run_ops(const ki_arrangement *arrangement, const ki_run *run)
{
    return run->op_count == 0 ? NULL : arrangement->ops + run->first_op;
}

/* Plans the runs of what was merged, and reserves all that making the changes needs. On failure too
 * the arrangement is to be freed. KITH_ERR_MEMORY, KITH_ERR_LIMIT. */
kith_result ki_commands_arrange(kith_commands *commands, ki_arrangement *arrangement);
void ki_arrangement_free(ki_arrangement *arrangement);

#endif
