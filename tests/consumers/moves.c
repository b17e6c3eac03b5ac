/* A game whose entities are moved by the game kit. */
#define KITH_GAME_NAMES
#include <kith/game.h>
#include <kith/kith.h>
#include <stdio.h>

int main(void)
{
    kith_world *world = kith_world_new(NULL);
    kith_result result = kith_game_add_systems(world, KITH_GAME_ALL);
    kith_entity player = KITH_SPAWN(world, KITH_VALUE(Position, {40, 12}),
                                    KITH_VALUE(Velocity, {2, 0}),
                                    KITH_VALUE(Collider, {.width = 1, .height = 1}));
    if (result == KITH_OK) {
        result = kith_run(world, 0.5f);
    }
    if (result == KITH_OK) {
        const Position *position = KITH_GET(world, player, Position);
        printf("(%.1f, %.1f)\n", (double)position->x, (double)position->y);
    }
    kith_world_free(world);
    return result == KITH_OK ? 0 : 1;
}
