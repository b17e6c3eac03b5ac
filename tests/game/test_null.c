/* Every call of the kit stands in the tests of this folder: none is left out of the sweeps here. */
#include <kith/game.h>
#include <string.h>

#include "headers.h"
#include "test.h"

/* What test_sweep.c and test_locals.c let run out of memory, and what needs none. */
static const char *const tried[] = {
    "kith_game_register", "kith_game_add_systems", "kith_grid_new",
    "kith_grid_build",    "kith_grid_free",        "kith_grid_count",
    "kith_grid_box",      "kith_grid_point",       "kith_grid_nearest",
    "kith_sincos_f32",    "kith_sin_f32",          "kith_cos_f32",
    "kith_atan2_f32",

    "kith_transform2_from_local", "kith_transform2_multiply",  "kith_transform2_compose",
    "kith_transform2_point",      "kith_transform2_direction", "kith_transform2_invert",
    "kith_transform3_from_local", "kith_transform3_multiply",  "kith_transform3_compose",
    "kith_transform3_point",      "kith_transform3_direction", "kith_transform3_invert",
    "kith_transform2_to_local",   "kith_transform2_interpolate",
    "kith_transform3_to_local",   "kith_transform3_interpolate",
    "kith_set_parent_in_place",   "kith_turn_f32",

    "kith_quat_about",       "kith_quat_from_angles", "kith_quat_between",
    "kith_quat_look",        "kith_quat_multiply",    "kith_quat_invert",
    "kith_quat_normalize",   "kith_quat_slerp",       "kith_quat_nlerp",
    "kith_quat_rotate",      "kith_quat_angle",       "kith_quat_to_angles",
};

static void is_tried(const char *name, void *context)
{
    (void)context;
    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        if (strcmp(name, tried[i]) == 0) {
            return;
        }
    }
    test_fail(__FILE__, __LINE__, "%s is in no test of the game kit", name);
}

TEST(every_call_of_the_header_is_tried)
{
    CHECK_UINT(headers_each_call_of("game", is_tried, NULL), sizeof tried / sizeof tried[0]);
    kith_grid_free(NULL);
}
