/* Owned values: values with hooks that wait until a command is applied or an event is delivered.
 * Their addresses do not change. A use moves the value out. What is left in the end is
 * destroyed. */
#ifndef KI_COMMAND_OWNED_VALUES_H
#define KI_COMMAND_OWNED_VALUES_H

#include "base/bits.h"
#include "command/log.h"
#include "store/component.h"

typedef struct ki_owned_value {
    struct ki_owned_value *next;   /* that came in after this one */
    const ki_component *component; /* NULL: the value has moved out, or was never made */
    bool taken_over;               /* not a copy: if the call fails, it is the caller's again */
    bool of_the_world;             /* a copy for a clone: no handle in it is the buffer's */
} ki_owned_value;

typedef struct ki_owned_values {
    ki_log room;
    ki_owned_value *first;
    ki_owned_value *last;
} ki_owned_values;

static inline void *ki_owned_value_bytes(const ki_owned_value *owned)
{
    uintptr_t after = (uintptr_t)(owned + 1);
    return (void *)ki_round_up(after, owned->component->type->align);
}

/* The owned value that is noted at `place`, in an entry or elsewhere. */
static inline ki_owned_value *ki_owned_value_at(const uint8_t *place)
{
    ki_owned_value *owned;
    memcpy(&owned, place, sizeof owned);
    return owned;
}

/* Adds a value of a component with hooks: a copy of `*value`; `*value` itself if there is no `copy`
 * hook; what `init` makes if `value` is NULL. KITH_ERR_MEMORY, and what a hook fails with. */
kith_result ki_owned_values_add(ki_heap *heap, ki_owned_values *values,
                                const ki_component *component, const void *value,
                                ki_owned_value **added);

/* Undoes what a failing call has added after `last` (NULL: all). What was taken over is the
 * caller's again, the rest is destroyed. */
void ki_owned_values_undo(ki_owned_values *values, ki_owned_value *last);

/* Destroys all values that are left, in the order in which they came; like ki_log_rewind and
 * ki_log_free. */
void ki_owned_values_rewind(ki_heap *heap, ki_owned_values *values);
void ki_owned_values_free(ki_heap *heap, ki_owned_values *values);

#endif
