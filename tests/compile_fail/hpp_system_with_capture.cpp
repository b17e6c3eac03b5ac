/* A system that keeps a reference to a local. */
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

kith_result add(kith::world &world, float &wind);
kith_result add(kith::world &world, float &wind)
{
#ifdef WRONG
    return world.add_system<kith::write<Velocity>>("wind", 0,
                                                   [&](Velocity &v) { v.dx += wind; });
#else
    return world.add_system<kith::write<Velocity>>(
        "wind", 0,
        [](kith::batches &it) {
            while (it.next()) {
                it.column_mut<Velocity>(0)->dx += *static_cast<float *>(it.user());
            }
        },
        &wind);
#endif
}
