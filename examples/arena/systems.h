/* The systems of the arena, and what they have in common. In the order of a step:
 *
 *     begin    again      a new game, when the last is over and the player wants one
 *              paths      where the player is, and the ways there
 *     early    steer      the player's Controller and Aim, from the Input
 *              think      the enemies' Controller and Aim
 *              track      turrets turn to the player
 *              flutter    moths change their minds
 *              shoot      Guns whose trigger is pulled
 *     update   control, gravity, movement, bounds      of the game kit
 *              walls      what is Solid stops at walls
 *              lead       where bosses are, for what they carry
 *              collision                               of the game kit
 *              hits       sparks, gifts, and who is Hurt, from collisions
 *              damage                                  of the game kit
 *              deaths     score, bursts and gifts, from deaths
 *              lifetime                                of the game kit
 *     late     transforms                              of the game kit
 *              carry      turrets are where their bosses are now
 *              burst      Bursts become sparks
 *              eat        the player eats moths
 *              heal       Hurt goes by
 *              waves      the next enemies
 *              moths      a thousand more
 */
#ifndef EXAMPLES_ARENA_SYSTEMS_H
#define EXAMPLES_ARENA_SYSTEMS_H

#include <kith/scene.h>
#include <kith/system.h>

#include "arena/components.h"

/* A game that is on. */
typedef struct arena_world {
    kith_world *world;
    kith_scene *things; /* prefabs of all that comes while it is played: things.kith */
    kith_scene *level;  /* what is there at the start */
    kith_grid *walls;   /* who stops what is Solid */
    uint32_t wave;      /* the one that a game begins with */
} arena_world;

kith_result add_again(arena_world *arena);
kith_result add_paths(const arena_world *arena);
kith_result add_player(const arena_world *arena);
kith_result add_enemies(const arena_world *arena);
kith_result add_bosses(const arena_world *arena);
kith_result add_moths(const arena_world *arena);
kith_result add_guns(const arena_world *arena);
kith_result add_walls(const arena_world *arena);
kith_result add_hits(const arena_world *arena);
kith_result add_deaths(arena_world *arena);
kith_result add_sparks(const arena_world *arena);
kith_result add_waves(const arena_world *arena);

/* A resource that the system declares to write. NULL, and the system fails, if that cannot be. */
#define RESOURCE_MUT(it, T) ((T *)resource_mut((it), &T##_type))

static inline void *resource_mut(kith_iter *it, const kith_type *type)
{
    void *value = NULL;
    kith_result result = kith_system_resource_mut(it, type, &value);
    if (result != KITH_OK) {
        it->result = result;
    }
    return value;
}

/* A random number from -1 to 1. */
static inline float random_around_0(kith_iter *it)
{
    return kith_system_random_float(it) * 2 - 1;
}

#endif
