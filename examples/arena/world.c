#include "arena/world.h"

#include <kith/fork.h>
#include <kith/schedule.h>
#include <stdio.h>

#include "arena/level.h"
#include "support/load.h"
#include "support/must.h"

/* Where the files that come with it are found from anywhere; the build says it. */
#ifndef EXAMPLES_DIR
#define EXAMPLES_DIR "examples"
#endif

#define THINGS EXAMPLES_DIR "/arena/things.kith"

static void add_types(kith_world *world)
{
    static const kith_type *const types[] = {
        &Solid_type,   &Aim_type,  &Gun_type,  &Enemy_type,   &Boss_type,
        &Turret_type,  &Moth_type, &Gift_type, &Picture_type, &Burst_type,
        &Recruit_type, &Wall_type, &Nest_type, &Spark_type,   &Start_type,
    };
    must(world, kith_game_register(world, NULL));
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        must(world, kith_register(world, types[i], NULL));
    }
    /* It comes and goes all the time, which shall not move its entity from table to table. */
    must(world, kith_register(world, &Hurt_type, &(kith_component_def){.layout = KITH_SPARSE}));
    must(world, kith_event_register(world, &Quake_type, NULL));
    must(world, kith_event_register(world, &Notice_type, NULL));
}

static void add_systems(arena_world *arena)
{
    kith_world *world = arena->world;
    must(world, add_again(arena));
    must(world, add_paths(arena));
    must(world, add_player(arena));
    must(world, add_enemies(arena));
    must(world, add_moths(arena));
    must(world, add_guns(arena));
    must(world, kith_game_add_systems(world, KITH_GAME_ALL & ~KITH_GAME_TIMER));
    must(world, add_walls(arena));
    must(world, add_bosses(arena));
    must(world, add_hits(arena));
    must(world, add_deaths(arena));
    must(world, add_sparks(arena));
    must(world, add_waves(arena));
}

static kith_scene *read_scene(kith_world *world, const char *path)
{
    kith_scene *scene;
    kith_scene_error error;
    if (kith_scene_parse_file(world, path, &scene, &error) != KITH_OK) {
        refuse_scene(&error);
    }
    return scene;
}

static void begin(arena_world *arena, const char *path)
{
    kith_scene_error error;
    kith_result result = level_begin(arena, &error);
    if (result == KITH_ERR_INPUT) {
        snprintf(error.file, sizeof(error.file), "%s", path);
        refuse_scene(&error);
    }
    must(arena->world, result);
}

/* Instead of aborting: so the message comes after the terminal is given back. */
static void tell_misuse(const char *message, void *context)
{
    (void)context;
    fail("%s", message);
}

void arena_open(arena_world *arena, const arena_def *def)
{
    kith_world *world =
        kith_world_new(&(kith_world_def){.seed = def->seed, .on_misuse = tell_misuse});
    must(NULL, world != NULL ? KITH_OK : KITH_ERR_MEMORY);
    arena->world = world;
    arena->wave = def->wave > 0 ? def->wave : 1;
    add_types(world);
    arena->things = read_scene(world, THINGS);
    arena->level = read_scene(world, def->level);
    arena->walls = kith_grid_new(world);
    must(world, arena->walls != NULL ? KITH_OK : KITH_ERR_MEMORY);
    must(world, KITH_RESOURCE_SET(world, Input, {0}));
    must(world, KITH_RESOURCE_SET(world, DamageRules, {.keep_dead = true}));
    add_systems(arena);
    must(world, kith_workers_set(world, &(kith_workers_def){.threads = def->workers + 1}));
    begin(arena, def->level);
}

void arena_close(arena_world *arena)
{
    kith_grid_free(arena->walls);
    kith_scene_free(arena->level);
    kith_scene_free(arena->things);
    kith_world_free(arena->world);
}

/* ---- Forks ----------------------------------------------------------------------------------- */

/* Prefabs are of one world. Walls stay where they are, so the game's grid serves all its forks. */
static kith_result set_up_fork(kith_world *world, void *context)
{
    arena_world *fork = context;
    fork->world = world;
    fork->things = read_scene(world, THINGS);
    add_systems(fork);
    return KITH_OK;
}

void arena_fork(arena_world *fork, const arena_world *arena, const kith_snapshot *now)
{
    *fork = (arena_world){.walls = arena->walls};
    const kith_fork_def def = {
        .set_up = set_up_fork, .context = fork, .world.on_misuse = tell_misuse};
    must(arena->world, kith_fork_new(now, &def, &fork->world));
}

void arena_end_fork(arena_world *fork)
{
    kith_scene_free(fork->things);
    kith_world_free(fork->world);
}

void arena_step(const arena_world *arena, const Input *input)
{
    must(arena->world, KITH_RESOURCE_SET(arena->world, Input, *input));
    must(arena->world, kith_run(arena->world, 1.0f / STEPS_PER_SECOND));
}
