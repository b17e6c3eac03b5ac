/* A Velocity where Position is named. */
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

void place(kith::world &world, kith::entity e);
void place(kith::world &world, kith::entity e)
{
#ifdef WRONG
    world.set<Position>(e, Velocity{1, 2});
#else
    world.set<Position>(e, Position{1, 2});
#endif
}
