/* The systems of the kit, each of which adds itself to a world. */
#ifndef KI_GAME_SYSTEMS_H
#define KI_GAME_SYSTEMS_H

#include <kith/game.h>

#define KI_GAME_GROUP "game"

/* What kith_system_add returns. The components are registered. */
kith_result ki_game_add_control(kith_world *world);
kith_result ki_game_add_gravity(kith_world *world);
kith_result ki_game_add_movement(kith_world *world);
kith_result ki_game_add_bounds(kith_world *world);
kith_result ki_game_add_collision(kith_world *world);
kith_result ki_game_add_damage(kith_world *world);
kith_result ki_game_add_lifetime(kith_world *world);

#endif
