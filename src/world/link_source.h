/* The lists of sources that targets have, as sources for queries: who has this target? */
#ifndef KI_WORLD_LINK_SOURCE_H
#define KI_WORLD_LINK_SOURCE_H

#include "query/condition.h"
#include "world/world.h"

/* Adds one to the component of each relation whose targets some conditions ask for. KITH_ERR_MEMORY. */
kith_result ki_link_sources_offer(kith_world *world, const ki_conditions *conditions);

#endif
