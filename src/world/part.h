/* What a world knows of the parts above it. */
#ifndef KI_WORLD_PART_H
#define KI_WORLD_PART_H

#include <kith/world.h>

/* What the world calls of a part above it, for work that concerns the whole world. */
typedef struct ki_attachment_calls {
    /* Destroys values with hooks, before anything is freed; or NULL. */
    void (*end)(kith_world *world, void *data);
    void (*free)(kith_world *world, void *data);
    const char *(*busy)(const void *data);             /* ki_world_busy for the part; or NULL */
    uint64_t (*hash)(uint64_t hash, const void *data); /* adds its state to kith_world_hash */
    const char *(*check)(const kith_world *world,
                         const void *data); /* the first thing wrong, or NULL */
    /* Counts memory that is not from the world's heap; or NULL. */
    void (*count)(const void *data, kith_memory_stats *stats);
} ki_attachment_calls;

/* The parts. Each has its slot in a world's `parts`. A world that is freed ends them in this order. */
typedef enum ki_part { KI_PART_ATTACHED, KI_PART_COMMANDS, KI_PART_SYSTEMS, KI_PART_COUNT } ki_part;

typedef struct ki_attachment {
    const ki_attachment_calls *calls;
    void *data;
} ki_attachment;

#endif
