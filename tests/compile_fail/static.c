/* What worlds that are fixed at compile time forbid: WRONG says which of the forbidden lines is in. */
#include <kith/static.h>

#include "types.h"

#define GAME_COMPONENTS(X, W)                                                                      \
    X(W, Position, position)                                                                       \
    X(W, Velocity, velocity)
KITH_STATIC_WORLD(game, GAME_COMPONENTS, 100);

/* A Velocity for a position. */
kith_result place(game *world, kith_entity entity);
kith_result place(game *world, kith_entity entity)
{
#if WRONG == 1
    return game_set_position(world, entity, (Velocity){1, 2});
#else
    return game_set_position(world, entity, (Position){1, 2});
#endif
}

/* The same without checks of the entity. */
void place_unchecked(game *world, uint32_t slot);
void place_unchecked(game *world, uint32_t slot)
{
#if WRONG == 2
    game_set_position_unchecked(world, slot, (Velocity){1, 2});
#else
    game_set_position_unchecked(world, slot, (Position){1, 2});
#endif
}

/* A velocity that is read as a Position. */
const Position *where(const game *world, kith_entity entity);
const Position *where(const game *world, kith_entity entity)
{
#if WRONG == 3
    return game_get_velocity(world, entity);
#else
    return game_get_position(world, entity);
#endif
}

/* Writing through what was got to be read. */
void stop(game *world, kith_entity entity);
void stop(game *world, kith_entity entity)
{
#if WRONG == 4
    game_get_velocity(world, entity)->dx = 0;
#else
    game_get_mut_velocity(world, entity)->dx = 0;
#endif
}

/* A query for what is not in the list. */
uint32_t count(const game *world);
uint32_t count(const game *world)
{
#if WRONG == 5
    return game_query_count(world, (game_query){.with = {.speed = true}});
#else
    return game_query_count(world, (game_query){.with = {.velocity = true}});
#endif
}

/* A world with another list. */
#define OTHER_COMPONENTS(X, W) X(W, Position, position)
KITH_STATIC_WORLD(other, OTHER_COMPONENTS, 100);

bool alive(const game *world, kith_entity entity);
bool alive(const game *world, kith_entity entity)
{
#if WRONG == 6
    return other_alive(world, entity);
#else
    return game_alive(world, entity);
#endif
}

/* Changing a world that is there to be read. */
void end(const game *world, kith_entity entity);
void end(const game *world, kith_entity entity)
{
#if WRONG == 7
    (void)game_despawn(world, entity);
#else
    (void)game_has_position(world, entity);
#endif
}

/* Room for nobody. */
#if WRONG == 8
#define ROOM 0
#else
#define ROOM 1
#endif
KITH_STATIC_WORLD(tiny, OTHER_COMPONENTS, ROOM);
