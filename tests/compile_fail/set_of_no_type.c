/* A struct that no KITH_TYPE describes. */
#include "types.h"

typedef struct Health {
    int32_t current, max;
} Health;

#if WRONG != 1
KITH_TYPE(Health, KITH_FIELD(Health, current), KITH_FIELD(Health, max));
#endif

kith_result heal(kith_world *world, kith_entity entity);
kith_result heal(kith_world *world, kith_entity entity)
{
    return KITH_SET(world, entity, Health, {100, 100});
}
