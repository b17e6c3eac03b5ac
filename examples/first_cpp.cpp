/* first_cpp: the first program in C++17, with templates instead of macros */

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

static kith_result set_up(kith::world &world)
{
    const kith_result results[] = {
        world.register_type<Position>(),
        world.register_type<Velocity>(),
        world.register_type<Health>(KITH_SPARSE),
        world.register_type<Frozen>(KITH_SLOT),
        world.add_system<kith::write<Position>, kith::read<Velocity>, kith::without<Frozen>>(
            "movement", 200,
            [](float dt, Position &p, const Velocity &v) {
                p.x += v.dx * dt;
                p.y += v.dy * dt;
            }),
    };
    for (kith_result result : results) {
        if (result != KITH_OK) {
            return result;
        }
    }
    return KITH_OK;
}

int main()
{
    kith::world world;
    if (!world || set_up(world) != KITH_OK) {
        std::fprintf(stderr, "%s\n", world ? world.error() : "out of memory");
        return 1;
    }

    kith::entity player = world.spawn(Position{40, 12}, Velocity{1, 0}, Health{100, 100});
    kith::entity statue = world.spawn(Position{10, 5}, Velocity{1, 0}, kith::zero<Frozen>);

    for (int frame = 0; frame < 60; frame++) {
        world.run(1.0f / 60.0f);
    }

    const Position *p = world.get<Position>(player); // nullptr when dead or absent
    const Position *s = world.get<Position>(statue);
    if (p != nullptr && s != nullptr) {
        std::printf("player (%.1f, %.1f)\n", double{p->x}, double{p->y});
        std::printf("statue (%.1f, %.1f)\n", double{s->x}, double{s->y});
    }
}
