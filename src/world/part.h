/* What a world knows of the parts above it. */
#ifndef KI_WORLD_PART_H
#define KI_WORLD_PART_H

#include <kith/world.h>

struct ki_store_view;

/* What decides when something with a name happens next: a system. */
typedef struct ki_state_clock {
    const char *name; /* may have no zero at its end */
    uint32_t length;
    double since; /* seconds, as the rest is */
    double due;
    uint32_t ticks;
    bool enabled;
} ki_state_clock;

/* What a snapshot calls for state that it keeps. `state` is what `take` made. */
typedef struct ki_state_calls {
    /* Copies the state; may fail, and changes nothing. KITH_ERR_MEMORY, KITH_ERR_TYPE. */
    kith_result (*take)(kith_world *world, void **state);
    /* All of a restore that may fail; changes nothing that can be seen. `store` is what entities and
     * components become. NULL `state`: the part was not there yet. KITH_ERR_MEMORY. */
    kith_result (*reserve)(kith_world *world, const void *state, const struct ki_store_view *store);
    /* The restore. Entities and components are those of the snapshot already. */
    void (*restore)(kith_world *world, const void *state);
    void (*free)(kith_world *world, void *state); /* NULL is fine */
    /* Adds the state to a hash as the part adds its own, in any thread; `seed` is the world's. NULL: the
     * part adds nothing. */
    uint64_t (*hash)(uint64_t hash, uint64_t seed, const void *state);
    /* For a state that is restored with entities other than those it was taken with: observers have to
     * be as if they were made then. NULL: nothing of them is in it. */
    void (*forget)(kith_world *world, void *state);
    /* The clock with number `i`; false: there are no more. */
    bool (*clock)(const void *state, uint32_t i, ki_state_clock *clock);
    /* Sets the clock of that name, if there is one. Of a part that has no clocks, both are NULL. */
    void (*set_clock)(void *state, const ki_state_clock *clock);
} ki_state_calls;

/* What the world calls of a part above it, for work that concerns the whole world. */
typedef struct ki_attachment_calls {
    /* Destroys values with hooks, before anything is freed; or NULL. */
    void (*end)(kith_world *world, void *data);
    void (*free)(kith_world *world, void *data);
    const char *(*busy)(const void *data); /* ki_world_busy for the part; or NULL */
    const char *(*used)(const void *data); /* why the world may not be freed yet; NULL: it may */
    void (*trim)(kith_world *world, void *data);       /* gives back what it can; or NULL */
    /* Adds its state to kith_world_hash; NULL: the part only saves work, and is no state. */
    uint64_t (*hash)(uint64_t hash, const void *data);
    const char *(*check)(const kith_world *world,
                         const void *data); /* the first thing wrong, or NULL */
    /* Counts memory that is not from the world's heap; or NULL. */
    void (*count)(const void *data, kith_memory_stats *stats);
    const ki_state_calls *state; /* what a snapshot keeps of the part; NULL: nothing */
} ki_attachment_calls;

/* The parts. Each has its slot in a world's `parts`. A world that is freed ends them in this order. */
typedef enum ki_part {
    KI_PART_ATTACHED,
    KI_PART_SNAPSHOTS,
    KI_PART_COMMANDS,
    KI_PART_SYSTEMS,
    KI_PART_INDEXES,
    KI_PART_LIVES,
    KI_PART_SELECTS,
    KI_PART_NAMES, /* of names: the source for queries */
    KI_PART_LINKS, /* of relations: the same */
    KI_PART_VIEW,  /* of a world that is one */
    KI_PART_COUNT
} ki_part;

typedef struct ki_attachment {
    const ki_attachment_calls *calls;
    void *data;
} ki_attachment;

#endif
