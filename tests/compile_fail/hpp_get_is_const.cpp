/* Writing through a value that was looked up for reading. */
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

void halt(kith::world &world, kith::entity e);
void halt(kith::world &world, kith::entity e)
{
#ifdef WRONG
    world.get<Velocity>(e)->dx = 0;
#else
    world.get_mut<Velocity>(e)->dx = 0;
#endif
}
