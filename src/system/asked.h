/* The indexes that systems declare to ask. */
#ifndef KI_SYSTEM_ASKED_H
#define KI_SYSTEM_ASKED_H

#include <kith/system.h>

#include "base/heap.h"

struct ki_askable;
struct ki_system;
struct ki_systems;

/* Copies a definition's list of indexes, which are of this world. `call` is for messages.
 * KITH_ERR_MEMORY, KITH_ERR_MISUSE. */
kith_result ki_asked_make(kith_world *world, const char *call, const kith_system_def *def,
                          struct ki_system *system);
void ki_asked_free(ki_heap *heap, struct ki_system *system);

/* Brings what the active systems of a stage ask up to date side by side, if there are workers. What
 * memory ran out for is tried again by ki_asked_prepare. */
void ki_asked_refresh(struct ki_systems *systems, struct ki_system *const *stage, uint32_t count);

/* Brings up to date what is not, and readies it for the system's stage. KITH_ERR_MEMORY. */
kith_result ki_asked_prepare(struct ki_systems *systems, const struct ki_system *system);

/* Thread number `thread` runs what has this key from now on, which may ask them; NULL: no more. */
void ki_asked_lend(const struct ki_system *system, uint32_t thread, const void *key);

#endif
