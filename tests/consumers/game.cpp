/* The game of game.c in C++17, with templates instead of macros. */
#include <cstdint>
#include <cstdio>
#include <kith/kith.hpp>

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

int main()
{
    kith::world world;
    world.register_type<Position>();
    world.register_type<Velocity>();
    world.register_type<Health>(KITH_SPARSE);
    world.register_type<Frozen>(KITH_SLOT);

    const kith::entity player = world.spawn(Position{1, 2}, Velocity{1, 0}, Health{100, 100});
    world.set<Position>(player, {40, 12});

    world.system<kith::write<Position>, kith::read<Velocity>, kith::without<Frozen>>(
        kith::named("movement").priority(200),
        [](float dt, Position &position, const Velocity &velocity) {
            position.x += velocity.dx * dt;
            position.y += velocity.dy * dt;
        });

    for (int frame = 0; frame < 60; frame++) {
        world.run(1.0f / 60.0f);
    }
    const Position *p = world.get<Position>(player);
    std::printf("(%.1f, %.1f)\n", double{p->x}, double{p->y});
}
