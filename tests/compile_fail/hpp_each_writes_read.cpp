/* A function that writes what the query declares as read. */
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

void halt(kith::query<kith::read<Velocity>, kith::write<Position>> &query);
void halt(kith::query<kith::read<Velocity>, kith::write<Position>> &query)
{
#ifdef WRONG
    query.each([](Velocity &v, Position &p) { p.x = v.dx; });
#else
    query.each([](const Velocity &v, Position &p) { p.x = v.dx; });
#endif
}
