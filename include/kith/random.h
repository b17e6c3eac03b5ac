/* Kith: random numbers: streams that give the same bits on every machine, and what games draw from
 * them.
 *
 *     float x = kith_random_uniform(KITH_RANDOM(it), 0, 80);  in a system
 *     float y = kith_random_uniform(KITH_RANDOM(world), 0, 50);
 *     if (kith_random_chance(KITH_RANDOM(it), 0.25)) ...
 *     Loot loot = table[kith_random_index(KITH_RANDOM(it), count)];
 *
 *     kith_random mine = {42};                                a stream of your own, with seed 42
 *     int32_t pips = kith_random_int(&mine, 1, 6);
 *
 * A stream is a plain value: as a component or a resource (kith_random_type) it is saved and hashed
 * with the world. Each call changes the stream. Any thread may call, one at a time for each stream.
 *
 * Misuse ends the program: a stream belongs to no world, so there is no handler to ask. */
#ifndef KITH_RANDOM_H
#define KITH_RANDOM_H

#include <kith/type.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A random stream. Any number is a good seed; 0 too. Two streams with the same state give the same
 * numbers. */
typedef struct kith_random {
    uint64_t state; /* at first the seed */
} kith_random;
KITH_TYPE_NAMED(kith_random, "Random", KITH_FIELD(kith_random, state));

/* The next 64 random bits. The method is SplitMix64, from Guy L. Steele Jr., Doug Lea and Christine
 * H. Flood, "Fast Splittable Pseudorandom Number Generators" (2014). Not for secrets. */
KITH_API uint64_t kith_random_next(kith_random *random);

/* From 0 up to, but not including, 1: a multiple of 2^-24, each as likely as any other. */
KITH_API float kith_random_float(kith_random *random);

/* From `low` up to, but not including, `high`, evenly; `low` if both are the same.
 * Misuse: one of them is not finite, or `low` is above `high`. */
KITH_API float kith_random_uniform(kith_random *random, float low, float high);

/* A whole number from `low` to `high`, both included, each as likely as any other.
 * Misuse: `low` is above `high`. */
KITH_API int32_t kith_random_int(kith_random *random, int32_t low, int32_t high);

/* A number below `count`, each as likely as any other: picks one of an array.
 * Misuse: `count` is 0. */
KITH_API uint32_t kith_random_index(kith_random *random, uint32_t count);

/* true with this probability: never from 0 down and for not-a-number, always from 1 up. */
KITH_API bool kith_random_chance(kith_random *random, double probability);

/* Normally distributed, with this mean and this standard deviation. It takes about 30 times as long
 * as the others. Misuse: one of the two is not finite, or the deviation is negative. */
KITH_API float kith_random_normal(kith_random *random, float mean, float deviation);

/* Puts `count` values of `size` bytes into a random order, each order as likely as any other.
 * `array` may be NULL if `count` is 0.
 * Misuse: `array` is NULL otherwise, or `size` is 0. */
KITH_API void kith_random_shuffle(kith_random *random, void *array, uint32_t count, size_t size);

#ifdef __cplusplus
}
#endif
#endif
