/* A tag has no value. */
#include <kith/kith.hpp>

struct Position {
    float x, y;
};
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

struct Velocity {
    float dx, dy;
};
KITH_TYPE(Velocity, KITH_FIELD(Velocity, dx), KITH_FIELD(Velocity, dy));

KITH_TAG(Frozen);

kith_result freeze(kith::world &world, kith::entity e);
kith_result freeze(kith::world &world, kith::entity e)
{
#ifdef WRONG
    return world.set(e, Frozen{});
#else
    return world.add<Frozen>(e);
#endif
}
