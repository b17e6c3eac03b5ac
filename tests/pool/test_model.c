/* Random calls on a pool beside a model: see play_pool.h. The same decoder drives a fuzz target. */
#include <stdio.h>

#include "play_pool.h"

TEST_WITHIN(20, a_pool_does_as_its_model)
{
    static char note[32];
    test_note(note);
    uint64_t seeds = test_long() ? 100000 : 30;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        snprintf(note, sizeof(note), "seed %llu", (unsigned long long)seed);
        input in = {.seed = seed};
        play_pool(&in, seed % 2 == 1, 3000);
    }
    test_note(NULL);
}
