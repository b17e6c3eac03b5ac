#include "arena/level.h"

#include <stdio.h>

#include "arena/map.h"

enum { FIRST_WAVE_SECONDS = 2 };

static kith_result lacks(char *problem, const char *what)
{
    snprintf(problem, LEVEL_PROBLEM, "expected %s", what);
    return KITH_ERR_INPUT;
}

/* How many have all of these. */
static kith_result count(kith_world *world, kith_query_def def, uint32_t *found)
{
    kith_query *query;
    kith_result result = kith_query_new(world, &def, &query);
    if (result == KITH_OK) {
        *found = kith_query_count(query);
        kith_query_free(query);
    }
    return result;
}

static kith_result check_things(const arena_world *arena, char *problem)
{
    uint32_t nests = 0;
    uint32_t players = 0;
    kith_result result = count(
        arena->world, (kith_query_def){KITH_TERMS(KITH_READ(Position), KITH_WITH(Nest))}, &nests);
    if (result == KITH_OK) {
        result =
            count(arena->world, (kith_query_def){KITH_TERMS(KITH_WITH(Player))}, &players);
    }
    if (result != KITH_OK) {
        return result;
    }
    return nests == 0    ? lacks(problem, "a Nest with a Position, where enemies come from")
           : players > 0 ? lacks(problem, "no Player: that comes by itself, where the Start is")
                         : KITH_OK;
}

static kith_result make_terrain(const arena_world *arena, char *problem)
{
    float x = 0;
    float y = 0;
    kith_result result = map_make_terrain(arena->world, &x, &y);
    if (result == KITH_ERR_LIMIT) {
        snprintf(problem, LEVEL_PROBLEM,
                 "expected a map of up to %d columns and %d rows, found a wall at %g, %g",
                 MAP_COLUMNS, MAP_ROWS, (double)x, (double)y);
        return KITH_ERR_INPUT;
    }
    bool walls = result != KITH_OK || KITH_RESOURCE(arena->world, Terrain)->rows > 0;
    return walls ? result : lacks(problem, "a Wall with a Position");
}

static kith_result spawn_player(const arena_world *arena, char *problem)
{
    kith_entity start;
    kith_query *starts = KITH_QUERY(arena->world, KITH_READ(Position), KITH_WITH(Start));
    if (starts == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_result result = kith_query_single(starts, &start);
    kith_query_free(starts);
    if (result != KITH_OK) {
        return lacks(problem, "one Start with a Position, where the player is at first");
    }
    const Position at = *KITH_GET(arena->world, start, Position);
    if (map_is_wall(KITH_RESOURCE(arena->world, Terrain), map_cell(at.x), map_cell(at.y))) {
        return lacks(problem, "a Start on the map, and not in a wall");
    }
    const kith_prefab *player = kith_scene_prefab(arena->things, "player");
    result = KITH_PREFAB_SPAWN(player, NULL, {KITH_FROM(Position, &at)});
    return result != KITH_OK ? result
                             : KITH_RESOURCE_SET(arena->world, Target, {at.x, at.y, true});
}

static kith_result set_resources(kith_world *world)
{
    const Game *last = KITH_RESOURCE(world, Game);
    const Game game = {.best = last != NULL ? last->best : 0, .rest = FIRST_WAVE_SECONDS};
    const Terrain *terrain = KITH_RESOURCE(world, Terrain);
    const Space space = {-0.5f, -0.5f, (float)terrain->columns - 0.5f,
                         (float)terrain->rows - 0.5f};
    kith_result result = kith_resource_set(world, KITH_FROM(Game, &game));
    result = result != KITH_OK ? result : kith_resource_set(world, KITH_FROM(Space, &space));
    return result != KITH_OK ? result : KITH_RESOURCE_SET(world, Paths, {.column = -1});
}

kith_result level_begin(arena_world *arena, char problem[LEVEL_PROBLEM])
{
    kith_result result = kith_scene_spawn(arena->level);
    result = result != KITH_OK ? result : check_things(arena, problem);
    result = result != KITH_OK ? result : make_terrain(arena, problem);
    result = result != KITH_OK ? result : kith_grid_build(arena->walls, LAYER_WALL);
    result = result != KITH_OK ? result : spawn_player(arena, problem);
    return result != KITH_OK ? result : set_resources(arena->world);
}

/* ---- A new game ------------------------------------------------------------------------------ */

static bool wants_again(const kith_world *world, void *user)
{
    (void)user;
    return KITH_RESOURCE(world, Game)->over &&
           (KITH_RESOURCE(world, Input)->keys & INPUT_AGAIN) != 0;
}

static kith_result begin_again(kith_world *world, float dt, void *user)
{
    (void)dt;
    kith_entity entity = KITH_NONE;
    while (!kith_is_none(entity = kith_entity_next(world, entity))) {
        kith_result result = kith_despawn(world, entity);
        if (result != KITH_OK) {
            return result;
        }
    }
    char problem[LEVEL_PROBLEM];
    return level_begin(user, problem);
}

kith_result add_again(arena_world *arena)
{
    return kith_system_add(arena->world, &(kith_system_def){
        .name = "again", .update = begin_again, .when = wants_again, .user = arena,
        .phase = KITH_PHASE_BEGIN});
}
