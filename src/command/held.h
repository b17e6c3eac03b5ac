/* Values with hooks wait, for a command to be applied or an event to be delivered, at an address that
 * stays. Whatever uses one moves it out. What is left when its time is over is destroyed. */
#ifndef KI_COMMAND_HELD_H
#define KI_COMMAND_HELD_H

#include "base/bits.h"
#include "command/log.h"
#include "store/component.h"

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

/* Lets go of what came in after `last` (NULL: of all) by a call that fails: what was taken over is the
 * caller's again, the rest is destroyed. */
void ki_holder_undo(ki_holder *holder, ki_held *last);

/* Destroys all values that are left, in the order in which they came; like ki_log_rewind and
 * ki_log_free. */
void ki_holder_rewind(ki_heap *heap, ki_holder *holder);
void ki_holder_free(ki_heap *heap, ki_holder *holder);

#endif
