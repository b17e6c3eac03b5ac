/* first_cpp: the first program in C++17, by templates, not macros */

#include <cstdio>
#include <kith/kith.hpp>

#include "support/arguments.h"
#include "support/must.h"

struct Position {
    float x, y;
};
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

struct Velocity {
    float dx, dy;
};
KITH_TYPE(Velocity, KITH_FIELD(Velocity, dx), KITH_FIELD(Velocity, dy));

struct Health {
    std::int32_t current, max;
};
KITH_TYPE(Health, KITH_FIELD(Health, current), KITH_FIELD(Health, max));

KITH_TAG(Frozen);

static const char help[] =
    "usage: first_cpp\n"
    "\n"
    "A player walks for a second, in sixty frames. A statue, which is frozen,\n"
    "does not.\n";

// What can fail goes through `must`, which ends the program with a message.
static void set_up(kith::world &world)
{
    must(world.c(), world.register_type<Position>());
    must(world.c(), world.register_type<Velocity>());
    must(world.c(), world.register_type<Health>(KITH_SPARSE));
    must(world.c(), world.register_type<Frozen>(KITH_SLOT));
    must(world.c(),
         world.add_system<kith::write<Position>, kith::read<Velocity>, kith::without<Frozen>>(
             "movement", 200, [](float dt, Position &p, const Velocity &v) {
                 p.x += v.dx * dt;
                 p.y += v.dy * dt;
             }));
}

int main(int, char **argv)
{
    arguments_none(argv, "first_cpp", help);
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

    const Position *p = world.get<Position>(player); // nullptr when dead or absent
    const Position *s = world.get<Position>(statue);
    if (p != nullptr && s != nullptr) {
        std::printf("player (%.1f, %.1f)\n", double{p->x}, double{p->y});
        std::printf("statue (%.1f, %.1f)\n", double{s->x}, double{s->y});
    }
    must_print();
}
