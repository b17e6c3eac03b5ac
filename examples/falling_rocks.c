/* falling_rocks: plays a scene file: rocks fall on goats in a valley */

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
    "usage: falling_rocks [SCENE] [--frames N] [--dt SECONDS]\n"
    "                     [--layout table|sparse|slot]\n"
    "\n"
    "Plays a scene file frame by frame: gravity, movement, collision and damage\n"
    "over its entities. Without one, it plays examples/falling_rocks.kith, which\n"
    "explains the format.\n"
    "\n"
    "  --frames N      how many frames to play; 8 if not given\n"
    "  --dt SECONDS    how much time a frame simulates; 0.5 if not given\n"
    "  --layout L      where the components are kept; it changes no output\n";

typedef struct game_options {
    const char *scene;
    uint32_t frames;
    float dt;
    kith_layout layout;
} game_options;

static game_options read_options(char **argv)
{
    game_options options = {.frames = 8, .dt = 0.5f};
    arguments args = arguments_of(argv, "falling_rocks", help);
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
        options.scene = EXAMPLES_DIR "/falling_rocks.kith";
    }
    return options;
}

int main(int argc, char **argv)
{
    (void)argc;
    game_options options = read_options(argv);
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
