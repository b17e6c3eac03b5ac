/* The systems of a world, sorted by priority and then by registration. */
#ifndef KI_SYSTEM_SYSTEM_H
#define KI_SYSTEM_SYSTEM_H

#include <kith/system.h>

#include "command/buffer.h"
#include "query/query.h"
#include "world/world.h"

typedef struct ki_system {
    char *name;
    int32_t priority;
    bool enabled;
    void (*run)(kith_iter *it);
    kith_result (*update)(kith_world *world, float dt, void *user);
    void *user;
    kith_query *query; /* NULL for a plain system */
} ki_system;

typedef struct ki_systems {
    kith_commands *commands; /* of the query system that runs; empty between systems */
    ki_system **in_order;
    uint32_t count;
    uint32_t capacity;
} ki_systems;

/* The world's systems; NULL if none was ever added. */
static inline ki_systems *ki_systems_of(const kith_world *world)
{
    return world->parts[KI_PART_SYSTEMS].data;
}

#endif
