/* kith_set for other calls, which its messages name. */
#ifndef KI_WORLD_CHANGE_H
#define KI_WORLD_CHANGE_H

#include "world/first_use.h"

/* Of a component with hooks or a guarded one, where the thread is known to own the world. */
kith_result ki_world_set_checked(kith_world *world, const char *call, kith_entity entity,
                                 ki_component *component, const void *value);

/* In all cases. */
kith_result ki_world_set_slow(kith_world *world, const char *call, kith_entity entity,
                              const kith_type *type, const void *value);

static inline kith_result ki_world_set(kith_world *world, const char *call, kith_entity entity,
                                       const kith_type *type, const void *value)
{
    ki_component *component = ki_world_known(world, type);
    return component != NULL && component->checked
               ? ki_world_set_checked(world, call, entity, component, value)
               : ki_world_set_slow(world, call, entity, type, value);
}

#endif
