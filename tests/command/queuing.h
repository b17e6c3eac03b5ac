/* A world whose values have hooks, and a buffer to queue them in. */
#ifndef COMMAND_QUEUING_H
#define COMMAND_QUEUING_H

#include <kith/kith.h>

#include "components.h"
#include "owners.h"

typedef struct queuing {
    owners o;
    kith_world *world;
    kith_commands *commands;
    kith_entity bare;
    kith_entity owner; /* Owned of 5 */
    kith_entity gone;
} queuing;

static inline void queuing_ready(queuing *q)
{
    q->world = q->o.world;
    q->commands = kith_commands_new(q->world, NULL);
    CHECK_PTR_NOT_NULL(q->commands);
    q->bare = kith_spawn_empty(q->world);
    q->owner = kith_spawn_empty(q->world);
    q->gone = kith_spawn_empty(q->world);
    CHECK_RESULT(kith_despawn(q->world, q->gone), KITH_OK);
}

static inline void queuing_new(queuing *q, kith_layout layout)
{
    owners_new(&q->o, layout);
    queuing_ready(q);
    CHECK_RESULT(set_number(&q->o, q->owner, 5), KITH_OK);
}

/* Owned cannot be copied. */
static inline void queuing_new_without_copy(queuing *q, kith_layout layout)
{
    owners_new_without_copy(&q->o, layout);
    queuing_ready(q);
    Owned value = owned_new(&q->o.record, 5);
    CHECK_RESULT(kith_set(q->world, q->owner, &Owned_type, &value), KITH_OK);
}

static inline kith_result queue_number(queuing *q, kith_entity entity, uint32_t number)
{
    Owned value = owned_new(&q->o.record, number);
    kith_result result = kith_commands_set(q->commands, entity, &Owned_type, &value);
    owned_end(&q->o.record, &value);
    return result;
}

static inline kith_result queue_bond(queuing *q, kith_entity entity, kith_entity to)
{
    uint32_t number = 1;
    const Bond value = {&number, to};
    return kith_commands_set(q->commands, entity, &Bond_type, &value);
}

static inline void apply(queuing *q, uint32_t expected_dead)
{
    uint32_t dead = 77;
    CHECK_RESULT(kith_commands_apply(q->commands, &dead), KITH_OK);
    CHECK_UINT(dead, expected_dead);
    CHECK_WORLD(q->world);
}

#endif
