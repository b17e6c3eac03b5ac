// A program in C++ to be looked at in a debugger: see world.c.
#include <cstdio>
#include <kith/kith.hpp>
#include <utility>

namespace game {

struct Position {
    float x, y;
};
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

enum class Mood : std::int16_t { calm, angry = -2 };

struct Enemy {
    kith::entity hunts;
    Mood mood;
    std::uint16_t armour;
};
KITH_TYPE(Enemy, KITH_FIELD(Enemy, hunts), KITH_FIELD(Enemy, mood), KITH_FIELD(Enemy, armour));

}   // namespace game

static void stop(int state)
{
    std::printf("state %d\n", state);
}

static void look(kith::world &world, kith::entity player)
{
    const kith::entity enemies[] = {world.spawn(game::Enemy{player, game::Mood::angry, 3}),
                                    kith::none};
    const auto moving = world.query<kith::write<game::Position>, kith::optional<game::Enemy>>();
    const kith::query<> late(nullptr);
    stop(1);
    (void)enemies;
    (void)moving;
}

int main()
{
    kith::world world;
    world.register_type<game::Position>();
    world.register_type<game::Enemy>(KITH_SPARSE);
    kith::entity player = world.spawn(game::Position{1, -2.5f});
    look(world, player);
    stop(2);
    kith::world taken = std::move(world);
    const kith::world *pointer = &taken;
    stop(3);
    (void)pointer;
}
