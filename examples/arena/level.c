#include <kith/floats.h>

#include "arena/level.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "arena/map.h"

enum { FIRST_WAVE_SECONDS = 2 };

/* What is to be found in a level, by the numbers of the scene's entities. NOWHERE: it is not there. */
#define NOWHERE UINT32_MAX

typedef struct level_plan {
    uint32_t wall, nest, start;
} level_plan;

static kith_result refuse(const arena_world *arena, uint32_t number, kith_scene_error *error,
                          const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* Number kith_scene_count is the end of the file: where what is missing might stand. */
static kith_result refuse(const arena_world *arena, uint32_t number, kith_scene_error *error,
                          const char *format, ...)
{
    const kith_scene_place place = kith_scene_place_at(arena->level, number);
    *error = (kith_scene_error){.line = place.line, .column = place.column};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof(error->message), format, arguments);
    va_end(arguments);
    return KITH_ERR_INPUT;
}

/* Notes the entity of that number in the plan, if it is of use there. */
static kith_result plan_entity(const arena_world *arena, uint32_t number, level_plan *plan,
                               kith_scene_error *error)
{
    const kith_world *world = arena->world;
    const kith_entity entity = kith_scene_at(arena->level, number);
    const Position *at = KITH_GET(world, entity, Position);
    const bool wall = KITH_HAS(world, entity, Wall);
    const bool nest = KITH_HAS(world, entity, Nest);
    const bool start = KITH_HAS(world, entity, Start);
    if (KITH_HAS(world, entity, Player)) {
        return refuse(arena, number, error,
                      "expected no Player: that comes by itself, where the Start is");
    }
    if ((wall || nest || start) && at == NULL) {
        return refuse(arena, number, error, "expected a Position for the %s, found none",
                      wall   ? "Wall"
                      : nest ? "Nest"
                             : "Start");
    }
    if (wall && !map_has(at)) {
        return refuse(arena, number, error,
                      "expected a map of up to %d columns and %d rows, found a wall at %g, %g",
                      MAP_COLUMNS, MAP_ROWS, (double)at->x, (double)at->y);
    }
    if (start && plan->start != NOWHERE) {
        const kith_scene_place first = kith_scene_place_at(arena->level, plan->start);
        return refuse(arena, number, error,
                      "expected one Start, found another one in line %" PRIu32, first.line);
    }
    plan->wall = wall ? number : plan->wall;
    plan->nest = nest ? number : plan->nest;
    plan->start = start ? number : plan->start;
    return KITH_OK;
}

static kith_result make_plan(const arena_world *arena, level_plan *plan, kith_scene_error *error)
{
    const uint32_t count = kith_scene_count(arena->level);
    *plan = (level_plan){NOWHERE, NOWHERE, NOWHERE};
    for (uint32_t i = 0; i < count; i++) {
        kith_result result = plan_entity(arena, i, plan, error);
        if (result != KITH_OK) {
            return result;
        }
    }
    const char *missing = plan->nest == NOWHERE    ? "a Nest, where enemies come from"
                          : plan->wall == NOWHERE  ? "a Wall"
                          : plan->start == NOWHERE ? "a Start, where the player is at first"
                                                   : NULL;
    return missing == NULL
               ? KITH_OK
               : refuse(arena, count, error, "expected %s, found the end of the level", missing);
}

static kith_result spawn_player(const arena_world *arena, uint32_t start, kith_scene_error *error)
{
    const Position at = *KITH_GET(arena->world, kith_scene_at(arena->level, start), Position);
    if (map_is_wall(KITH_RESOURCE(arena->world, Terrain), map_cell(at.x), map_cell(at.y))) {
        return refuse(arena, start, error,
                      "expected a Start on the map, and not in a wall, found it at %g, %g",
                      (double)at.x, (double)at.y);
    }
    const kith_prefab *player = kith_scene_prefab(arena->things, "player");
    const kith_value value = KITH_VALUE(Position, at);
    kith_result result = kith_prefab_spawn(player, &value, 1, NULL);
    return result != KITH_OK ? result : KITH_RESOURCE_SET(arena->world, Target, {at.x, at.y, true});
}

static kith_result set_resources(const arena_world *arena)
{
    kith_world *world = arena->world;
    const Game *last = KITH_RESOURCE(world, Game);
    const Game game = {.best = last != NULL ? last->best : 0,
                       .wave = arena->wave - 1,
                       .rest = FIRST_WAVE_SECONDS};
    const Terrain *terrain = KITH_RESOURCE(world, Terrain);
    const Space space = {-0.5f, -0.5f, (float)terrain->columns - 0.5f, (float)terrain->rows - 0.5f};
    kith_result result = KITH_RESOURCE_SET(world, Game, game);
    result = result != KITH_OK ? result : KITH_RESOURCE_SET(world, Space, space);
    return result != KITH_OK ? result : KITH_RESOURCE_SET(world, Paths, {.column = -1});
}

kith_result level_begin(arena_world *arena, kith_scene_error *error)
{
    level_plan plan;
    kith_result result = kith_scene_spawn(arena->level);
    result = result != KITH_OK ? result : make_plan(arena, &plan, error);
    result = result != KITH_OK ? result : map_make_terrain(arena->world);
    result = result != KITH_OK ? result : kith_grid_build(arena->walls, LAYER_WALL);
    result = result != KITH_OK ? result : spawn_player(arena, plan.start, error);
    return result != KITH_OK ? result : set_resources(arena);
}

/* ---- A new game ------------------------------------------------------------------------------ */

static bool wants_again(const kith_world *world, void *user)
{
    (void)user;
    return KITH_RESOURCE(world, Game)->over &&
           (KITH_RESOURCE(world, Input)->keys & INPUT_AGAIN) != 0;
}

static kith_result begin_again(kith_world *world, kith_iter *it)
{
    kith_entity entity = KITH_NONE;
    while (!kith_is_none(entity = kith_entity_next(world, entity))) {
        kith_result result = kith_despawn(world, entity);
        if (result != KITH_OK) {
            return result;
        }
    }
    kith_scene_error error; /* there is none: it was played before */
    return level_begin(it->user, &error);
}

kith_result add_again(arena_world *arena)
{
    return kith_system_add(arena->world, &(kith_system_def){.name = "again",
                                                            .update = begin_again,
                                                            .run_if = wants_again,
                                                            .user = arena,
                                                            .phase = KITH_PHASE_BEGIN});
}
