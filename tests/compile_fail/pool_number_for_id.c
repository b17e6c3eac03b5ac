/* A bare number where a plain id is asked for. */
#include "pools.h"

bool ask(const rat_pool *pool, uint32_t other_system);
bool ask(const rat_pool *pool, uint32_t other_system)
{
#ifdef WRONG
    return rat_pool_alive(pool, other_system);
#else
    return rat_pool_alive(pool, (rat_pool_id){other_system});
#endif
}
