/* Misuse of random streams: each rule is broken once. They belong to no world, so the program ends. */
#include <kith/random.h>
#include <math.h>

#include "../world/trips.h"

static kith_random random_of_tests;

static void draw_from_null(stage *s)
{
    (void)s;
    kith_random_next(NULL);
}

static void range_upside_down(stage *s)
{
    (void)s;
    kith_random_uniform(&random_of_tests, 3, 1);
}

static void whole_range_upside_down(stage *s)
{
    (void)s;
    kith_random_int(&random_of_tests, 3, 1);
}

static void index_of_none(stage *s)
{
    (void)s;
    kith_random_index(&random_of_tests, 0);
}

static void negative_deviation(stage *s)
{
    (void)s;
    kith_random_normal(&random_of_tests, 0, -1);
}

static void endless_mean(stage *s)
{
    (void)s;
    kith_random_normal(&random_of_tests, INFINITY, 1);
}

static void shuffle_null(stage *s)
{
    (void)s;
    kith_random_shuffle(&random_of_tests, NULL, 2, 4);
}

static void shuffle_nothing(stage *s)
{
    (void)s;
    kith_random_shuffle(&random_of_tests, s, 2, 0);
}

static const trip trips[] = {
    {"%s: the stream is NULL", draw_from_null, true},
    {"kith_random_uniform: %g to %g is not a range", range_upside_down, true},
    {"kith_random_int: %d to %d is not a range", whole_range_upside_down, true},
    {"kith_random_index: none of 0 can be picked", index_of_none, true},
    {"kith_random_normal: the mean or the deviation is not finite, or the deviation is negative",
     negative_deviation, true},
    {"kith_random_normal: the mean or the deviation is not finite, or the deviation is negative",
     endless_mean, true},
    {"kith_random_shuffle: the array is NULL, or a value has 0 bytes", shuffle_null, true},
    {"kith_random_shuffle: the array is NULL, or a value has 0 bytes", shuffle_nothing, true},
};

TEST_WITHIN(10, each_rule_is_told)
{
    take_trips(trips, sizeof trips / sizeof trips[0]);
}
