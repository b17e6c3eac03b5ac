/* The ways of a component: how one value is set, and taken, where nothing stands in the way. They know
 * its layout and, for the usual ones, its size, and go on to what knows the rest. */
#ifndef KI_WORLD_WAY_H
#define KI_WORLD_WAY_H

#include "world/world.h"

/* For a component's `set`: zero bytes, unless there is a value, which stays. */
extern const uint32_t ki_way_keep[4];

/* Gives a new component its ways. */
void ki_way_choose(ki_component *component);

/* Sets a component of an entity, or with `keep` only adds it where it is missing: whatever it is, and
 * whatever state the world is in. */
kith_result ki_change_set(kith_world *world, const char *call, kith_entity entity,
                          ki_component *component, const void *value, bool keep);

/* Takes a component from an entity, likewise. */
kith_result ki_change_remove(kith_world *world, kith_entity entity, ki_component *component);

#endif
