/* The entries in a buffer: commands are appended to them, and read again in the same order. */
#ifndef KI_COMMAND_ENTRIES_H
#define KI_COMMAND_ENTRIES_H

#include "command/buffer.h"

/* Appends a command for `entity`, and tells where its value goes. For a clone, `entity` is the
 * source. KITH_ERR_MEMORY, KITH_ERR_LIMIT; the log is then as it was. */
kith_result ki_log_append(kith_commands *commands, ki_command_kind kind, kith_entity entity,
                          const ki_component *component, uint8_t **value);

/* Entries that have the same commands, one after another in memory. */
typedef struct ki_entries {
    ki_op *ops;
    uint32_t op_count;
    uint32_t count;
    uint32_t stride;
    uint32_t number; /* of the entity that the first of them makes; see ki_entries_make */
    uint8_t *first;
} ki_entries;

/* A scan over the log, in order, and over those that are joined to it. */
typedef struct ki_log_scan {
    const kith_commands *commands; /* the buffer with the log */
    ki_chunk *chunk;
    uint8_t *at;
    const uint8_t *end; /* of this chunk's batches */
    uint32_t made;      /* entities that entries before make */
    bool past_begun;
} ki_log_scan;

static inline ki_log_scan ki_log_scan_start(const kith_commands *commands)
{
    return (ki_log_scan){.commands = commands};
}

/* Goes on to the next entries; false after the last. */
bool ki_log_scan_next(ki_log_scan *scan, ki_entries *entries);

static inline bool ki_entries_make(const ki_entries *entries)
{
    return ki_command_makes(entries->ops[0].kind);
}

/* A scan over the commands of entries that have values there. */
typedef struct ki_value_scan {
    const ki_op *op;
    const ki_op *end;
    uint32_t place; /* of the value in each entry */
    uint32_t size;  /* bytes of an entry up to the end of this value */
    uint32_t align;
} ki_value_scan;

static inline ki_value_scan ki_value_scan_start(const ki_op *ops, uint32_t op_count)
{
    return (ki_value_scan){.op = ops,
                           .end = ops + op_count,
                           .size = ki_entry_head(ops),
                           .align = _Alignof(kith_entity)};
}

/* Goes on to the next command that has a value, and returns its component; NULL after the last. */
static inline const ki_component *ki_value_scan_next(const kith_commands *commands,
                                                     ki_value_scan *scan)
{
    while (scan->op < scan->end) {
        const ki_component *component = ki_op_component(commands, scan->op++);
        if (component != NULL) {
            scan->place = ki_value_place(component, &scan->size);
            scan->align = ki_value_align(component) == 8 ? 8 : scan->align;
            return component;
        }
    }
    return NULL;
}

/* Appends a command to the open batch, which has room for it. Returns where its value goes. */
static inline uint8_t *ki_log_go_on(kith_commands *commands, kith_entity entity)
{
    uint8_t *entry = commands->log.at;
    uint32_t place = commands->expected[commands->begun].place;
    commands->entity = entity;
    if (++commands->begun == commands->op_count) {
        commands->begun = 0;
        commands->log.at = entry + commands->stride;
    }
    return entry + place;
}

/* Whether the command is the one that is expected, which needs no second look. */
static inline bool ki_log_expects(const kith_commands *commands, uint32_t key, kith_entity entity)
{
    return key == commands->expected[commands->begun].key &&
           (commands->begun == 0
                ? (size_t)(commands->log.end - commands->log.at) >= commands->stride
                : kith_entity_equal(entity, commands->entity));
}

#endif
