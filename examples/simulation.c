/* simulation: plays a scene file: gravity, movement, collisions */

#include <inttypes.h>
#include <kith/kith.h>
#include <stdio.h>
#include <string.h>

#include "support/arguments.h"
#include "support/load.h"
#include "support/must.h"
#include "support/simulation.h"

/* Where the scene that comes with it is found from anywhere; the build says it. */
#ifndef EXAMPLES_DIR
#define EXAMPLES_DIR "examples"
#endif

static const char help[] =
    "usage: simulation [SCENE] [--frames N] [--dt SECONDS]\n"
    "                  [--layout table|sparse|slot]\n"
    "\n"
    "Plays a scene file frame by frame: gravity, movement, collision and damage\n"
    "over its entities. Without one, it plays examples/simulation.kith, which\n"
    "explains the format.\n"
    "\n"
    "  --frames N      how many frames to play; 8 if not given\n"
    "  --dt SECONDS    how much time a frame simulates; 0.5 if not given\n"
    "  --layout L      where the components are kept; it changes no output\n";

typedef struct simulation_options {
    const char *scene;
    uint32_t frames;
    float dt;
    kith_layout layout;
} simulation_options;

static simulation_options read_options(char **argv)
{
    simulation_options options = {.frames = 8, .dt = 0.5f};
    arguments args = arguments_of(argv, "simulation", help);
    for (const char *arg; (arg = arguments_next(&args)) != NULL;) {
        if (strcmp(arg, "--frames") == 0) {
            options.frames = arguments_count(&args);
        } else if (strcmp(arg, "--dt") == 0) {
            options.dt = arguments_number(&args);
        } else if (strcmp(arg, "--layout") == 0) {
            options.layout = arguments_layout(&args);
        } else if (arg[0] == '-' || options.scene != NULL) {
            arguments_unknown(&args);
        } else {
            options.scene = arg;
        }
    }
    if (options.scene == NULL) {
        options.scene = EXAMPLES_DIR "/simulation.kith";
    }
    return options;
}

int main(int argc, char **argv)
{
    (void)argc;
    simulation_options options = read_options(argv);
    kith_world *world = must_make(kith_world_new(NULL));
    must(world, simulation_add(world, options.layout));
    load_scene(world, options.scene);

    printf("Entities: %" PRIu32 "\n", kith_entity_count(world));
    simulation_print_systems(world);
    printf("\n");
    for (uint32_t frame = 0; frame < options.frames; frame++) {
        must(world, kith_run(world, options.dt));
        simulation_print_frame(world, frame);
    }
    must_print();
    kith_world_free(world);
    return 0;
}
