/* A function for other types than those of the terms. */
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

void look(kith::query<kith::read<Velocity>> &query);
void look(kith::query<kith::read<Velocity>> &query)
{
#ifdef WRONG
    query.each([](const Position &p) { (void)p; });
#else
    query.each([](const Velocity &v) { (void)v; });
#endif
}
