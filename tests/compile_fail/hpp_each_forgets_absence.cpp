/* A reference to what may be absent. */
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

void look(kith::query<kith::may_read<Velocity>> &query);
void look(kith::query<kith::may_read<Velocity>> &query)
{
#ifdef WRONG
    query.each([](const Velocity &v) { (void)v; });
#else
    query.each([](const Velocity *v) { (void)v; });
#endif
}
