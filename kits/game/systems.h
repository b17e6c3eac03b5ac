/* The systems of the kit. Each adds itself to a world. */
#ifndef KI_GAME_SYSTEMS_H
#define KI_GAME_SYSTEMS_H

#include <kith/game.h>

#define KI_GAME_GROUP "game"

/* KITH_ERR_CONFLICT if the world has a resource of that name which is another struct. */
kith_result ki_game_require_resource(kith_world *world, const kith_type *type);

/* What kith_system_add returns, or KITH_ERR_CONFLICT if a name of an event or a resource is taken.
 * The components are registered. */
kith_result ki_game_add_control(kith_world *world);
kith_result ki_game_add_gravity(kith_world *world);
kith_result ki_game_add_movement(kith_world *world);
kith_result ki_game_add_bounds(kith_world *world);
kith_result ki_game_add_collision(kith_world *world);
kith_result ki_game_add_damage(kith_world *world);
kith_result ki_game_add_lifetime(kith_world *world);
kith_result ki_game_add_timer(kith_world *world);
kith_result ki_game_add_transforms(kith_world *world);

#endif
