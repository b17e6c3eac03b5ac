/* A world has one owner. */
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

kith::world pass(kith::world &world);
kith::world pass(kith::world &world)
{
#ifdef WRONG
    return world;
#else
    return static_cast<kith::world &&>(world);
#endif
}
