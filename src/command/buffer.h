/* A command buffer: what was queued, packed, and how it is applied.
 *
 * Queueing appends to the log (queue.c, log.c); values with hooks are held beside it (held.c), and
 * the log has where. Applying merges the commands of each entity into
 * groups of entities with the same commands (group.c), writes down which transitions these make and
 * reserves for them (script.c), and then makes the changes (apply.c). */
#ifndef KI_COMMAND_BUFFER_H
#define KI_COMMAND_BUFFER_H

#include <kith/commands.h>

#include "world/world.h"

typedef enum ki_command_kind {
    KI_COMMAND_SPAWN = 1,
    KI_COMMAND_CLONE,
    KI_COMMAND_DESPAWN,
    KI_COMMAND_CLEAR,
    KI_COMMAND_SET, /* from here on: about one component */
    KI_COMMAND_ADD,
    KI_COMMAND_REMOVE
} ki_command_kind;

/* ---- The log
 *
 * Commands for one entity that are queued one behind another are an entry: the entity's handle, then
 * the values of what is set, each at its alignment up to 8, or where one with hooks is held, which the
 * log moves about as bytes. An entry that makes an entity needs no
 * handle, since those are numbered in order; that of a clone has the source's. Entries with the same
 * commands, one behind another, are a stretch: a header that says once what those commands are, and
 * the entries.
 *
 * So a loop that queues the same for each entity pays for handles and values alone. It is the open
 * stretch that makes this quick: the next command is expected to be the one that came at this place
 * in the entry before. If it is another, what is there of the entry gets a stretch of its own. */

typedef struct ki_op {
    uint8_t kind;       /* ki_command_kind */
    uint8_t more;       /* in a stretch's first: how many there are behind it */
    uint16_t component; /* id; 0 for kinds that are about none */
} ki_op;

/* Entries of more commands or bytes are not made; they begin anew. */
#define KI_ENTRY_OPS_MAX 16u
#define KI_ENTRY_BYTES_MAX 256u

typedef struct ki_stretch {
    uint32_t count; /* entries */
    ki_op ops[];    /* those of each entry */
} ki_stretch;

typedef struct ki_chunk {
    _Alignas(8) struct ki_chunk *next;
    uint32_t size; /* bytes of room behind this header */
    uint32_t used; /* of them; up to date in all but the one that is being filled */
} ki_chunk;
_Static_assert(sizeof(ki_chunk) == 16, "entries are aligned to 8, after pointers of 4 bytes too");
_Static_assert(_Alignof(max_align_t) >= 8, "chunks are aligned like that");
_Static_assert(sizeof(ki_op) == 4 && sizeof(ki_stretch) == 4, "entries come after a multiple of 8");

typedef struct ki_log {
    uint8_t *at; /* the next place, and the end of the room there */
    uint8_t *end;
    ki_chunk *first;
    ki_chunk *filling;
} ki_log;

/* ---- Values with hooks
 *
 * They wait, for a command to be applied or an event to be delivered, at an address that stays. Who
 * uses one moves it out. What is left when its time is over is destroyed. */

typedef struct ki_held {
    struct ki_held *next;          /* that came in after this one */
    const ki_component *component; /* NULL: the value has moved out, or was never made */
    bool taken_over;               /* not copied: the caller's again, if the call fails */
    bool of_the_world;             /* a copy for a clone: no handle in it is the buffer's */
} ki_held;

typedef struct ki_holder {
    ki_log room;
    ki_held *first;
    ki_held *last;
} ki_holder;

/* ---- The buffer */

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
    uint32_t begun;     /* commands of an entry behind it that is not whole; 0 if there is none */
    kith_entity entity; /* that the begun entry is for */
    kith_world *world;
    uint32_t count;  /* commands: see ki_commands_count */
    uint32_t tag;    /* the upper 8 bits of provisional handles' generations */
    uint32_t spawns; /* provisional handles given out: numbers 1 and up */
    uint32_t spawn_capacity;
    ki_spawn *spawned;   /* by number - 1 */
    bool refers;         /* any value has provisional handles in it */
    bool tangled;        /* what is to be made is despawned, named again or copied */
    const char *lent;    /* what the program knows it as, if it is the world's own; NULL: it is not */
    bool busy;           /* hooks of its values may be running, which must not use it */
    kith_result failed;  /* what a queue call failed with */
    uint32_t real_tag;   /* of the handles that kith_commands_real knows */
    uint32_t real_count; /* 0: `spawned` is about what is queued now */
    uint64_t dead;
    ki_log groups;    /* ki_command_group and ki_pending, while applying */
    ki_log copies;    /* values of what is cloned, while applying */
    ki_holder held;   /* values with hooks that are queued */
    ki_holder cloned; /* and of what is cloned, while applying */
    ki_context context;
    struct kith_commands *more; /* whose commands come behind these, while joined; or NULL */
    struct kith_commands *next; /* in the world's list, the last made first */
    struct kith_commands *previous;
    struct kith_commands **holder; /* becomes NULL with the buffer; NULL: nobody's */
    ki_usual usual_then;        /* while it is busy: what waits to be usual again, */
    uint32_t key_then;          /* and to be expected */
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

/* One number for what tells commands apart. */
static inline uint32_t ki_op_key(ki_command_kind kind, uint32_t component)
{
    return (uint32_t)kind << 16 | component;
}

/* The same with the number of the component's type, which is 0 for what is about none. */
static inline uint64_t ki_usual_key(ki_command_kind kind, uint32_t number)
{
    return (uint64_t)number << 3 | (uint32_t)kind;
}

/* Keeps hooks of a buffer's values from using it, and of those that are joined to it; lets its user in
 * again, unless it was emptied meanwhile. */
void ki_commands_occupy(kith_commands *commands);
void ki_commands_release(kith_commands *commands);

/* Tells a hook that the buffer is busy; false. */
bool ki_commands_refuse_hook(kith_commands *commands, const char *call);

/* Gives back all memory but the buffer's own struct, and ends the values in it; leaves it busy. */
void ki_commands_give(kith_commands *commands);

/* Empties the buffer, whose entities' real handles stand in `spawned`. */
void ki_commands_applied(kith_commands *commands);

/* ---- held.c */

static inline void *ki_held_value(const ki_held *held)
{
    uintptr_t behind = (uintptr_t)(held + 1);
    return (void *)ki_round_up(behind, held->component->type->align);
}

/* What stands in an entry, or wherever `place` is, in place of a value. */
static inline ki_held *ki_held_at(const uint8_t *place)
{
    ki_held *held;
    memcpy(&held, place, sizeof held);
    return held;
}

/* Takes a value of a component with hooks in: a copy of `*value`, `*value` itself where there is no hook
 * for that, or what a new one starts as for NULL. KITH_ERR_MEMORY, and what a hook fails with. */
kith_result ki_holder_take(ki_heap *heap, ki_holder *holder, const ki_component *component,
                           const void *value, ki_held **taken);

/* Lets go of what came in behind `last` (NULL: of all) by a call that fails: what was taken over is the
 * caller's again, the rest is destroyed. */
void ki_holder_undo(ki_holder *holder, ki_held *last);

/* Destroys all values that are left, in the order in which they came; like ki_log_rewind and
 * ki_log_free. */
void ki_holder_rewind(ki_heap *heap, ki_holder *holder);
void ki_holder_free(ki_heap *heap, ki_holder *holder);

/* ---- log.c */

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

/* Appends a command for `entity`, and tells where its value goes. For a clone, `entity` is the source.
 * KITH_ERR_MEMORY, KITH_ERR_LIMIT; the log is then as it was. */
kith_result ki_log_append(kith_commands *commands, ki_command_kind kind, kith_entity entity,
                          const ki_component *component, uint8_t **value);

/* Entries that have the same commands, one behind another in memory. */
typedef struct ki_entries {
    const ki_op *ops;
    uint32_t op_count;
    uint32_t count;
    uint32_t stride;
    uint32_t number; /* of the entity that the first of them makes; see ki_entries_make */
    uint8_t *first;
} ki_entries;

/* A walk over the log, in order, and over those that are joined to it. */
typedef struct ki_log_walk {
    const kith_commands *commands; /* whose log it is in */
    ki_chunk *chunk;
    uint8_t *at;
    const uint8_t *end; /* of this chunk's stretches */
    uint32_t made;      /* entities that entries before make */
    bool past_begun;
} ki_log_walk;

static inline ki_log_walk ki_log_walk_start(const kith_commands *commands)
{
    return (ki_log_walk){.commands = commands};
}

/* The next entries; false behind the last. */
bool ki_log_walk_next(ki_log_walk *walk, ki_entries *entries);

/* Goes on to the next chunk of a log; NULL behind the last. `*end` is that of what it holds. */
ki_chunk *ki_log_next_chunk(const ki_log *log, const ki_chunk *chunk, const uint8_t **end);

static inline bool ki_entries_make(const ki_entries *entries)
{
    return entries->ops[0].kind <= KI_COMMAND_CLONE;
}

/* How a value is aligned in an entry. */
static inline uint32_t ki_value_align(const ki_component *component)
{
    return component->hooks == NULL && component->type->align < 8 ? component->type->align : 8;
}

/* Where the value of a command goes in an entry that has `*end` bytes so far, and then as many as are
 * before and in it. */
static inline uint32_t ki_value_place(const ki_component *component, uint32_t *end)
{
    uint32_t place = (uint32_t)ki_round_up(*end, ki_value_align(component));
    *end = place + (component->hooks == NULL ? component->type->size : (uint32_t)sizeof(ki_held *));
    return place;
}

/* Takes in the next command of the open stretch's entries, for which there is room, and returns where
 * its value goes. */
static inline uint8_t *ki_log_go_on(kith_commands *commands, kith_entity entity)
{
    uint8_t *entry = commands->log.at;
    uint32_t place = commands->steps[commands->begun].place;
    commands->entity = entity;
    if (++commands->begun == commands->step_count) {
        commands->begun = 0;
        commands->stretch->count++;
        commands->log.at = entry + commands->stride;
        commands->counted += commands->stride;
    }
    return entry + place;
}

/* Whether the command is the one that is expected, which needs no second look. */
static inline bool ki_log_expects(const kith_commands *commands, uint32_t key, kith_entity entity)
{
    return key == commands->steps[commands->begun].key &&
           (commands->begun == 0
                ? (size_t)(commands->log.end - commands->log.at) >= commands->stride
                : kith_same(entity, commands->entity));
}

/* The component that a command puts a value into its entry for; NULL if it does not. */
static inline const ki_component *ki_op_component(const ki_store *store, const ki_op *op)
{
    if (op->kind != KI_COMMAND_SET && op->kind != KI_COMMAND_ADD) {
        return NULL;
    }
    const ki_component *component = ki_store_component(store, op->component);
    return op->kind == KI_COMMAND_SET || component->hooks != NULL ? component : NULL;
}

/* Bytes of an entry of which no value is there yet. */
static inline uint32_t ki_entry_head(const ki_op *ops)
{
    return ops[0].kind == KI_COMMAND_SPAWN ? 0 : (uint32_t)sizeof(kith_entity);
}

/* Loops over the handles in a value of a type: `place` is the offset of each. */
#define KI_EACH_HANDLE(place, type)                                                                \
    for (const kith_field *ki_field = (type)->fields,                                              \
                          *ki_fields_end = ki_field + (type)->field_count;                         \
         ki_field < ki_fields_end; ki_field++)                                                     \
        if (ki_field->kind == KITH_ENTITY)                                                         \
            for (uint32_t place = ki_field->offset, ki_end = place + ki_field->size;               \
                 place < ki_end; place += (uint32_t)sizeof(kith_entity))

/* Makes the commands of several buffers those of the first, as if all had been queued there, one buffer
 * after another; to be undone by ki_commands_part when they were applied, or not. The first fails where
 * one of them has failed. KITH_ERR_MEMORY, KITH_ERR_LIMIT: nothing was joined. (join.c) */
kith_result ki_commands_join(kith_commands *const *buffers, uint32_t count);

/* Empties all buffers. */
void ki_commands_part(kith_commands *const *buffers, uint32_t count);

#endif
