/* What is queued: commands, packed into entries. */
#ifndef KI_COMMAND_OP_H
#define KI_COMMAND_OP_H

#include "command/owned_values.h"
#include "world/world.h"

typedef enum ki_command_kind {
    KI_COMMAND_SPAWN = 1,
    KI_COMMAND_CLONE,
    KI_COMMAND_CLONE_TREE, /* up to here: makes an entity */
    KI_COMMAND_DESPAWN,
    KI_COMMAND_CLEAR,
    KI_COMMAND_SET, /* from here on: about one component */
    KI_COMMAND_ADD,
    KI_COMMAND_REMOVE
} ki_command_kind;

/* Commands for one entity, queued one after another, are an entry: the entity's handle, then the
 * values. Each value is at its alignment, up to 8. In place of a value with hooks there is the
 * address of its ki_owned_value. An entry that makes an entity has no handle: those entities are
 * numbered in order. The entry of a clone, or of a clone of a tree, has the source's handle.
 *
 * Entries with the same commands, one after another, are a batch: a header with the commands, then
 * the entries. So a loop that queues the same for each entity writes handles and values alone. The
 * last batch is open: the next command is expected to be the one that the entry before has at this
 * place. If it is another, the entry that is begun gets a batch of its own. */

typedef struct ki_op {
    uint8_t kind;       /* ki_command_kind */
    uint8_t more : 7;   /* in a batch's first: how many there are after it */
    uint8_t is_new : 1; /* the world did not know the component's type: see new_types.h */
    uint16_t
        component; /* its id, or its place among the new types; 0 for kinds that are about none */
} ki_op;

/* A command for an entry that has as many commands, or more bytes, begins another entry. */
#define KI_ENTRY_OPS_MAX 16u
#define KI_ENTRY_BYTES_MAX 256u

typedef struct ki_batch {
    uint32_t count; /* entries; written when the next batch is opened */
    ki_op ops[];    /* those of each entry */
} ki_batch;

_Static_assert(sizeof(ki_op) == 4 && sizeof(ki_batch) == 4, "entries come after a multiple of 8");

/* One number for what tells commands apart. `component` is the id of one, also of a new type. */
static inline uint32_t ki_op_key(ki_command_kind kind, uint32_t component)
{
    return (uint32_t)kind << 24 | component;
}

/* The same with the number of the component's type; 0 if the command is about none. */
static inline uint64_t ki_hot_key(ki_command_kind kind, uint32_t number)
{
    return (uint64_t)number << 4 | (uint32_t)kind;
}

static inline bool ki_command_makes(ki_command_kind kind)
{
    return kind <= KI_COMMAND_CLONE_TREE;
}

/* How a value is aligned in an entry. */
static inline uint32_t ki_value_align(const ki_component *component)
{
    return component->hooks == NULL && component->type->align < 8 ? component->type->align : 8;
}

/* Where the value of a command goes in an entry that has `*end` bytes so far. `*end` becomes the
 * end of the value. */
static inline uint32_t ki_value_place(const ki_component *component, uint32_t *end)
{
    uint32_t place = (uint32_t)ki_round_up(*end, ki_value_align(component));
    *end = place +
           (component->hooks == NULL ? component->type->size : (uint32_t)sizeof(ki_owned_value *));
    return place;
}

/* Bytes of an entry before its first value. */
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

#endif
