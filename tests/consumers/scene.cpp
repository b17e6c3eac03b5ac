/* A game in C++ that uses two kits. */
#include <kith/game.hpp>
#include <kith/scene.hpp>

#include <cstdio>

int main()
{
    kith::world world;
    kith::scene scene;
    if (kith::add_game_systems(world, KITH_GAME_MOVEMENT) != KITH_OK ||
        scene.load(world, "entity player\n    Position { x = 1, y = 12 }\n"
                          "    Velocity { dx = 40 }\n") != KITH_OK) {
        std::puts(scene.error_text().c_str());
        return 1;
    }
    world.run(1);
    const kith_position *position = world.get<kith_position>(scene.find("player"));
    std::printf("(%.1f, %.1f)\n", double{position->x}, double{position->y});
    return 0;
}
