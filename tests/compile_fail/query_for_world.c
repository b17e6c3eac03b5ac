/* A query where a world is asked for. */
#include "types.h"

uint32_t number(kith_world *world, kith_query *query);
uint32_t number(kith_world *world, kith_query *query)
{
    (void)world;
    (void)query;
#if WRONG == 1
    return kith_entity_count(query);
#else
    return kith_entity_count(world);
#endif
}
