/* The names of entities as a source for queries: a path is followed by names, from the top. */
#ifndef KI_WORLD_NAME_SOURCE_H
#define KI_WORLD_NAME_SOURCE_H

#include "world/world.h"

/* Adds the source to the component of names, once there are names. KITH_ERR_MEMORY. */
kith_result ki_name_source_offer(kith_world *world);

#endif
