/* movement_cpp: movement in C++17, with templates instead of macros */

#include <cstdio>
#include <kith/kith.hpp>

#include "support/arguments.h"
#include "support/must.h"

KITH_COMPONENT(Position, (float, x), (float, y));
KITH_COMPONENT(Velocity, (float, dx), (float, dy));
KITH_COMPONENT(Health, KITH_SPARSE, (std::int32_t, current), (std::int32_t, max));
KITH_TAG(Frozen, KITH_SLOT);

static const char help[] =
    "usage: movement_cpp\n"
    "\n"
    "A player walks for a second, in sixty frames. A statue, which is frozen,\n"
    "does not.\n";

// What can fail goes through `must`, which ends the program with a message.
static void set_up(kith::world &world)
{
    must(world.c(), world.system("movement", [](Position &p, const Velocity &v, float dt,
                                                kith::without<Frozen>) {
        p.x += v.dx * dt;
        p.y += v.dy * dt;
    }));
}

int main(int, char **argv)
{
    arguments_none(argv, "movement_cpp", help);
    kith::world world;
    must(nullptr, world ? KITH_OK : KITH_ERR_MEMORY);
    set_up(world);

    kith::entity player =
        must_spawn(world.spawn(Position{40, 12}, Velocity{1, 0}, Health{100, 100}));
    kith::entity statue =
        must_spawn(world.spawn(Position{10, 5}, Velocity{1, 0}, kith::zero<Frozen>));

    for (int frame = 0; frame < 60; frame++) {
        must(world.c(), world.run(1.0f / 60.0f));
    }

    const Position *p = world.get<Position>(player);   // nullptr when dead or absent
    const Position *s = world.get<Position>(statue);
    if (p != nullptr && s != nullptr) {
        std::printf("player (%.1f, %.1f)\n", double{p->x}, double{p->y});
        std::printf("statue (%.1f, %.1f)\n", double{s->x}, double{s->y});
    }
    must_print();
}
