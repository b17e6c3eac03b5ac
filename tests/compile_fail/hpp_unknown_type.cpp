/* A struct that no KITH_TYPE describes. */
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

struct Health {
    int current, max;
};
#ifndef WRONG
KITH_TYPE(Health, KITH_FIELD(Health, current), KITH_FIELD(Health, max));
#endif

kith_result heal(kith::world &world, kith::entity e);
kith_result heal(kith::world &world, kith::entity e)
{
    return world.set(e, Health{100, 100});
}
