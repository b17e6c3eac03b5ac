/* episode57_demo: four systems in order, collisions as events */

/* After the last program of episode 57 of the "Learn Zig Series", a tutorial in which an ECS is
 * built. It prints the same. */

#include <kith/kith.h>
#include <stdio.h>

#include "support/arguments.h"
#include "support/must.h"
#include "support/simulation.h"

static const char help[] =
    "usage: episode57_demo [--layout table|sparse|slot]\n"
    "\n"
    "A player and an enemy meet, a particle falls: eight frames of half a\n"
    "second. The systems are in support/simulation.c.\n"
    "It is the last program of episode 57 of the \"Learn Zig Series\", a tutorial\n"
    "in which an ECS is built, and prints the same.\n"
    "The layout is where the components are kept; it changes no output.\n";

static void spawn_all(kith_world *world)
{
    /* The player moves right, the enemy left: they will meet. */
    must_spawn(KITH_SPAWN(world,
        KITH_VALUE(Position, { 5, 10 }),
        KITH_VALUE(Velocity, { 3, 0 }),
        KITH_VALUE(Health, { 100, 100 }),
        KITH_VALUE(Sprite, { '@', 2 }),
        KITH_VALUE(Collider, { 1, 1 })));
    must_spawn(KITH_SPAWN(world,
        KITH_VALUE(Position, { 15, 10 }),
        KITH_VALUE(Velocity, { -2, 0 }),
        KITH_VALUE(Health, { 20, 20 }),
        KITH_VALUE(Sprite, { 'E', 1 }),
        KITH_VALUE(Collider, { 1.5f, 1.5f })));
    /* A particle falls; nothing hits it, since it has no box. */
    must_spawn(KITH_SPAWN(world,
        KITH_VALUE(Position, { 10, 0 }),
        KITH_VALUE(Velocity, { 0.5f, 0 }),
        KITH_VALUE(Sprite, { '.', 3 }),
        KITH_VALUE(Gravity, { 5 })));
}

int main(int argc, char **argv)
{
    (void)argc;
    kith_layout layout = arguments_only_layout(argv, "episode57_demo", help);
    kith_world *world = must_make(kith_world_new(NULL));
    must(world, simulation_add(world, layout));
    spawn_all(world);

    printf("=== ECS Systems Demo ===\n");
    simulation_print_systems(world);
    printf("\n");
    for (uint32_t frame = 0; frame < 8; frame++) {
        must(world, kith_run(world, 0.5f));
        simulation_print_frame(world, frame);
    }
    must_print();
    kith_world_free(world);
    return 0;
}
