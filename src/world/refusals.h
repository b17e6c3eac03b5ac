/* Types that kith_register refused. */
#ifndef KI_WORLD_REFUSALS_H
#define KI_WORLD_REFUSALS_H

#include "world/world.h"

/* Remembers why a type was refused, or that it was not; the last call has left its message. */
void ki_world_remember_registration(kith_world *world, const kith_type *type, kith_result result);

/* The error that kith_register gave for a type of this name, if it failed; KITH_OK otherwise. */
kith_result ki_world_require_accepted(kith_world *world, const char *call, const kith_type *type);

#endif
