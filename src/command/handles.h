/* Provisional handles in what is queued are replaced: by those of the buffer that theirs is joined
 * to, and by real ones when it is applied. */
#ifndef KI_COMMAND_HANDLES_H
#define KI_COMMAND_HANDLES_H

#include "command/buffer.h"

typedef struct ki_handle_change {
    const ki_spawn *spawned; /* by number - 1: the real handles of those with this tag; or NULL: */
    uint32_t tag;            /* provisional ones with this tag, */
    uint32_t base;           /* and numbers that are larger by this */
    uint32_t count;          /* of `spawned`. Others are the program's own, from a value in the world */
} ki_handle_change;

/* The change to the real handles of what a buffer makes. */
static inline ki_handle_change ki_handles_real(const kith_commands *commands)
{
    return (ki_handle_change){.spawned = commands->spawned,
                              .tag = commands->tag,
                              .count = commands->spawns + commands->tree_spawns};
}

/* Replaces the handles of entities and those in values, also in buffers that are joined to this
 * one. */
void ki_handles_replace(const kith_commands *commands, const ki_handle_change *change);

/* The same for a value of a type. */
void ki_handles_replace_in(const kith_type *type, uint8_t *value, const ki_handle_change *change);

#endif
