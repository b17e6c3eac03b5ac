/* What the private calls of snapshots share. */
#ifndef KI_PERSIST_SNAPSHOT_PARTS_H
#define KI_PERSIST_SNAPSHOT_PARTS_H

#include <kith/snapshot.h>

#include "store/store_view.h"
#include "world/world.h"
#include "world/world_state.h"

/* The numbers that a world has itself. */
typedef struct ki_snapshot_numbers {
    uint64_t tick;
    uint64_t run;
    kith_random random;
} ki_snapshot_numbers;

/* What a snapshot holds, in the order in which it is restored. */
typedef enum ki_snapshot_state {
    KI_SNAPSHOT_STORE, /* ki_store_view; first: see ki_state_calls */
    KI_SNAPSHOT_NUMBERS,
    KI_SNAPSHOT_WORLD, /* of ki_world_state_calls */
    KI_SNAPSHOT_OWN,   /* and then those of the parts above the world */
    KI_SNAPSHOT_STATES = KI_SNAPSHOT_OWN + KI_PART_COUNT
} ki_snapshot_state;

struct kith_snapshot {
    kith_world *world;
    kith_snapshot *next; /* of the world's: freed ones come first */
    kith_snapshot *previous;
    const char *visited; /* the call that visits it and calls the program back; NULL: none does */
    bool freed;          /* by the program; it ends when no view reads it any more */
    uint32_t views;      /* that read it; their threads count down when they end */
    void *states[KI_SNAPSHOT_STATES]; /* of the world itself, and of the parts above it */
};

/* What the world calls for a state; NULL: it keeps nothing in a snapshot. */
const ki_state_calls *ki_snapshot_calls(const kith_world *world, size_t state);

/* Whether a view reads it. */
bool ki_snapshot_is_viewed(const kith_snapshot *snapshot);

/* Begins a call: the structure may change, and no call is under way that calls the program back. Ends
 * freed snapshots that views read until then. */
kith_result ki_snapshot_begin(kith_world *world, const char *call);

/* Takes one, after ki_snapshot_begin. Errors as of kith_snapshot_take, in the name of `call`. */
kith_result ki_snapshot_take(kith_world *world, const char *call, kith_snapshot **snapshot);

/* Restores a snapshot that was taken just now, and whose entities and values were edited since. What
 * was written has write stamps of its own: queries find it. Observers are as if they were made now.
 * Errors as of kith_snapshot_restore. */
kith_result ki_snapshot_become(kith_snapshot *snapshot);

#endif
