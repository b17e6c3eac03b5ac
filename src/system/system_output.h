/* System output: the commands and events that calls of systems leave for the end of the stage. */
#ifndef KI_SYSTEM_SYSTEM_OUTPUT_H
#define KI_SYSTEM_SYSTEM_OUTPUT_H

#include "command/buffer.h"

struct ki_system;
struct ki_systems;
struct kith_task;
struct ki_use;

typedef struct ki_output {
    kith_commands *commands;
    ki_heap heap;         /* of the events */
    ki_log sent;          /* events, oldest first */
    ki_owned_values held; /* values of events with hooks */
} ki_output;

typedef struct ki_outputs {
    ki_output **list;
    uint32_t count; /* that were ever made */
    uint32_t used;  /* by the stage that runs */
    uint32_t capacity;
} ki_outputs;

/* Makes outputs until there are `count`. KITH_ERR_MEMORY. */
kith_result ki_outputs_reserve(struct ki_systems *systems, uint32_t count);

/* Sends an event from a task: kith_system_send with a declared use. */
kith_result ki_output_send(struct kith_task *task, const struct ki_use *use, const void *value);

/* Whether an output holds anything. */
static inline bool ki_output_is_used(const ki_output *output)
{
    return output->sent.filling != NULL || output->held.room.filling != NULL ||
           ki_commands_count(output->commands) != 0 || output->commands->failed != KITH_OK;
}

/* Adds the numbers of commands and events in a system's outputs. */
void ki_outputs_count(const struct ki_systems *systems, const struct ki_system *system,
                      uint32_t *commands, uint32_t *events);

/* Applies what a system queued and delivers what it sent: all or nothing. */
kith_result ki_outputs_apply(struct ki_systems *systems, const struct ki_system *system);

/* Empties a system's outputs. */
void ki_outputs_clear(struct ki_systems *systems, const struct ki_system *system);

void ki_outputs_free(struct ki_systems *systems);

#endif
