/* Random sequences of all operations, on three worlds and on the naive model (support/play.h).
 *
 * KITH_TEST_SEED=7 plays that seed alone, KITH_TEST_STEPS=500 so many steps of each. */
#include "play.h"

static void play_seeds(play_options options, uint64_t first, uint64_t count)
{
    uint64_t only = test_number("KITH_TEST_SEED", 0);
    options.steps = test_number("KITH_TEST_STEPS", options.steps);
    for (uint64_t seed = first; seed < first + count; seed++) {
        if (only == 0 || only == seed) {
            play_run(&options, (input){ .seed = seed });
        }
    }
    if (only != 0 && (only < first || only >= first + count)) {
        play_run(&options, (input){ .seed = only });
    }
}

/* Short seeds, so that there are many mixes of layouts; and in the long run long ones as well. */
TEST_WITHIN(30, a_world_does_what_the_model_does)
{
    play_seeds((play_options){ .steps = test_long() ? 10000 : 500 }, 1, test_long() ? 80 : 24);
}

TEST_WITHIN(10, a_world_does_what_the_model_does_without_failures)
{
    play_seeds((play_options){ .steps = test_long() ? 25000 : 500, .no_failures = true }, 1001, 4);
}

TEST_WITHIN(10, a_world_does_what_the_model_does_without_sharing)
{
    play_seeds((play_options){ .steps = test_long() ? 25000 : 500, .no_sharing = true }, 2001, 4);
}

TEST_WITHIN(10, commands_about_relations_do_what_the_model_does)
{
    play_seeds((play_options){ .steps = test_long() ? 10000 : 300, .commands = true }, 3001, 4);
}
