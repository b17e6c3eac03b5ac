/* Lookups, for calls that have checked that one may be made. */
#ifndef KI_WORLD_LOOKUP_H
#define KI_WORLD_LOOKUP_H

#include <kith/lookup.h>

#include "world/world.h"

/* A lookup of a component, by where its values are and by the program's own descriptor; one with another
 * result than KITH_OK finds nothing. */
kith_lookup ki_lookup_make(const kith_world *world, const struct kith_place_ *place,
                           const kith_type *type, kith_result result);

#endif
