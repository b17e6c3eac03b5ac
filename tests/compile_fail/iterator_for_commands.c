/* Changes of structure on an iterator: they are queued on its commands. */
#include "types.h"

#include <kith/kith.h>

kith_result freeze(kith_iter *it, kith_entity entity);
kith_result freeze(kith_iter *it, kith_entity entity)
{
#if WRONG == 1 /* says: an iterator queues changes in it->commands: write that instead */
    return KITH_SET(it, entity, Position, {1, 2});
#elif WRONG == 2 /* says: an iterator queues changes in it->commands: write that instead */
    return KITH_DESPAWN(it, entity);
#elif WRONG == 3 /* says: an iterator queues changes in it->commands: write that instead */
    return kith_is_none(KITH_SPAWN(it, KITH_VALUE(Position))) ? KITH_ERR_MEMORY : KITH_OK;
#elif WRONG == 4 /* says: an iterator queues changes in it->commands: write that instead */
    return KITH_SET_VALUES((const kith_iter *)it, entity, KITH_VALUE(Position));
#else
    return KITH_SET(it->commands, entity, Position, {1, 2});
#endif
}
