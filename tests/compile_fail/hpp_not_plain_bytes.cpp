/* A struct that cannot be copied as plain bytes. */
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

struct Counted {
    int count;
#ifdef WRONG
    Counted(const Counted &other) : count(other.count + 1) {}
#else
    Counted(const Counted &other) = default;
#endif
};
KITH_TYPE(Counted, KITH_FIELD(Counted, count));

const Counted *look(kith::world &world, kith::entity e);
const Counted *look(kith::world &world, kith::entity e)
{
    return world.get<Counted>(e);
}
