/* Misuse of random streams: each rule is broken once. They belong to no world, so the program ends. */
#include <kith/random.h>
#include <math.h>

#include "../world/trips.h"

TEST_WITHIN(10, calls_that_break_a_rule_end_the_program)
{
    kith_random random = {0};
    char bytes[2] = {0};
    CHECK_ENDS(kith_random_next(NULL), "%s: the stream is NULL");
    CHECK_ENDS(kith_random_uniform(&random, 3, 1), "kith_random_uniform: %g to %g is not a range");
    CHECK_ENDS(kith_random_int(&random, 3, 1), "kith_random_int: %d to %d is not a range");
    CHECK_ENDS(kith_random_index(&random, 0), "kith_random_index: none of 0 can be picked");
    CHECK_ENDS(kith_random_normal(&random, 0, -1),
               "kith_random_normal: the mean or the deviation is not finite, or the deviation is"
               " negative");
    CHECK_ENDS(kith_random_normal(&random, INFINITY, 1),
               "kith_random_normal: the mean or the deviation is not finite, or the deviation is"
               " negative");
    CHECK_ENDS(kith_random_shuffle(&random, NULL, 2, 4),
               "kith_random_shuffle: the array is NULL, or a value has 0 bytes");
    CHECK_ENDS(kith_random_shuffle(&random, bytes, 2, 0),
               "kith_random_shuffle: the array is NULL, or a value has 0 bytes");
}
