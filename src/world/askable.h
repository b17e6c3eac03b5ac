/* What systems may ask while they run: something that is made of a component's values, an index. */
#ifndef KI_WORLD_ASKABLE_H
#define KI_WORLD_ASKABLE_H

#include <kith/world.h>

/* What it begins with. */
typedef struct ki_askable {
    kith_world *world;
    const kith_type *type; /* of the component */
    bool compares; /* answers need the values themselves, so that nobody may write them meanwhile */
    uint32_t declared; /* systems that declare to ask it */
    /* Brings it up to date in three steps. `begin` tells whether it is not; `work` may run beside
     * that of others, on any thread; `end` takes over what it did, or that it ran out of memory. */
    bool (*begin)(struct ki_askable *askable);
    void (*work)(struct ki_askable *askable);
    kith_result (*end)(struct ki_askable *askable);
    struct ki_askable *next; /* of those that have begun */
    bool begun;
    /* Brings it up to date before a stage in which that many threads ask it. KITH_ERR_MEMORY. */
    kith_result (*prepare)(struct ki_askable *askable, uint32_t threads);
    /* Thread number `thread` runs what has this key from now on, which may ask it; NULL: no more. */
    void (*lend)(struct ki_askable *askable, uint32_t thread, const void *key);
} ki_askable;

#endif
