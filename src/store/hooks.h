/* Hooks of a type: what a world does with values that are more than their bytes. Every call of a
 * hook comes through here; meanwhile the structure of the world cannot be changed. */
#ifndef KI_STORE_HOOKS_H
#define KI_STORE_HOOKS_H

#include <kith/world.h>

#include "base/context.h"

typedef struct ki_hooks {
    kith_hooks calls;
    const kith_type *type;
    ki_context *context;
} ki_hooks;

/* Makes `count` values in a row of nothing: by `init`, or as zero bytes. On failure there are none.
 * What `init` fails with. */
kith_result ki_hooks_init(const ki_hooks *hooks, void *values, uint32_t count);

/* Makes copies, for a type with `copy`. Likewise. */
kith_result ki_hooks_copy(const ki_hooks *hooks, void *to, const void *from, uint32_t count);

/* Moves values to where there are none; `from` is dead afterwards. */
void ki_hooks_move(const ki_hooks *hooks, void *to, void *from, uint32_t count);

void ki_hooks_destroy(const ki_hooks *hooks, void *values, uint32_t count);

/* Ends the value in `to` and moves another there. */
void ki_hooks_replace(const ki_hooks *hooks, void *to, void *from);

/* What counts for the hash of a value, for a type with `hash`. */
uint64_t ki_hooks_hash(const ki_hooks *hooks, const void *value);

#endif
