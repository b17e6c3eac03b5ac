/* Random streams. Nothing here calls the C library's mathematics, whose last bit differs between
 * platforms. */
#include <kith/floats.h>

#include <kith/random.h>
#include <math.h>
#include <string.h>

#include "base/context.h"

static bool random_is_missing(const kith_random *random, const char *call)
{
    if (KI_CHECKED && random == NULL) {
        ki_misuse(NULL, "%s: the stream is NULL", call);
        return true;
    }
    return false;
}

static uint64_t random_step(kith_random *random)
{
    uint64_t mixed = random->state += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return mixed ^ mixed >> 31;
}

/* From 0 up to, but not including, 1, in steps of 2^-53. */
static double random_unit(kith_random *random)
{
    return (double)(random_step(random) >> 11) * (1.0 / 9007199254740992.0);
}

/* A number below `count`, which is not 0, by Daniel Lemire, "Fast Random Integer Generation in an
 * Interval" (2019): of the 2^32 products, those that would make some numbers more likely are drawn
 * again. */
static uint32_t random_below(kith_random *random, uint32_t count)
{
    uint64_t product = (random_step(random) >> 32) * count;
    if ((uint32_t)product < count) {
        const uint32_t excess = (0u - count) % count; /* 2^32 modulo count */
        while ((uint32_t)product < excess) {
            product = (random_step(random) >> 32) * count;
        }
    }
    return (uint32_t)(product >> 32);
}

uint64_t kith_random_next(kith_random *random)
{
    return random_is_missing(random, "kith_random_next") ? 0 : random_step(random);
}

float kith_random_float(kith_random *random)
{
    return random_is_missing(random, "kith_random_float")
               ? 0
               : (float)(random_step(random) >> 40) * (1.0f / 16777216.0f);
}

float kith_random_uniform(kith_random *random, float low, float high)
{
    if (random_is_missing(random, "kith_random_uniform")) {
        return 0;
    }
    if (KI_CHECKED && !(isfinite(low) && isfinite(high) && low <= high)) {
        ki_misuse(NULL, "kith_random_uniform: %g to %g is not a range", (double)low, (double)high);
        return 0;
    }
    float drawn;
    do { /* as a float, a number just below `high` may be `high` */
        double part = kith_mul_f64((double)high - (double)low, random_unit(random));
        drawn = (float)((double)low + part);
    } while (drawn >= high && low < high);
    return drawn;
}

int32_t kith_random_int(kith_random *random, int32_t low, int32_t high)
{
    if (random_is_missing(random, "kith_random_int")) {
        return 0;
    }
    if (KI_CHECKED && low > high) {
        ki_misuse(NULL, "kith_random_int: %d to %d is not a range", low, high);
        return 0;
    }
    const uint32_t count = (uint32_t)high - (uint32_t)low + 1; /* 0: all of the 2^32 */
    const uint32_t part =
        count == 0 ? (uint32_t)(random_step(random) >> 32) : random_below(random, count);
    return (int32_t)((int64_t)low + part);
}

uint32_t kith_random_index(kith_random *random, uint32_t count)
{
    if (random_is_missing(random, "kith_random_index")) {
        return 0;
    }
    if (KI_CHECKED && count == 0) {
        ki_misuse(NULL, "kith_random_index: none of 0 can be picked");
        return 0;
    }
    return random_below(random, count);
}

bool kith_random_chance(kith_random *random, double probability)
{
    return !random_is_missing(random, "kith_random_chance") && random_unit(random) < probability;
}

/* true with probability e^(-1/2): how often numbers fall, each below the one before and the first
 * below 1/2, is an even number that often. By John von Neumann, "Various Techniques Used in
 * Connection with Random Digits" (1951). */
static bool random_half_exponential(kith_random *random)
{
    bool even = true;
    double last = 0.5;
    for (;;) {
        double next = random_unit(random);
        if (next >= last) {
            return even;
        }
        last = next;
        even = !even;
    }
}

/* true with probability e^(-x (2k + x) / (2k + 2)). */
static bool random_accepts(kith_random *random, double k, double x)
{
    bool even = true;
    double last = x;
    for (;;) {
        double next = random_unit(random);
        if (next >= last || random_unit(random) >= (k + k + x) / (k + k + 2)) {
            return even;
        }
        last = next;
        even = !even;
    }
}

/* Tries one: the whole part k with probability e^(-k^2 / 2), and a fraction that fits it. */
static bool random_try_normal(kith_random *random, double *number)
{
    uint32_t k = 0;
    while (random_half_exponential(random)) {
        k++;
    }
    for (uint32_t i = k * (k - 1); k > 1 && i > 0; i--) {
        if (!random_half_exponential(random)) {
            return false;
        }
    }
    const double x = random_unit(random);
    for (uint32_t i = 0; i <= k; i++) {
        if (!random_accepts(random, k, x)) {
            return false;
        }
    }
    *number = k + x;
    return true;
}

/* By Charles F. F. Karney, "Sampling Exactly from the Normal Distribution" (2016), algorithm N: it
 * compares random numbers, and needs neither logarithm nor root. */
float kith_random_normal(kith_random *random, float mean, float deviation)
{
    if (random_is_missing(random, "kith_random_normal")) {
        return 0;
    }
    if (KI_CHECKED && !(isfinite(mean) && isfinite(deviation) && deviation >= 0)) {
        ki_misuse(NULL, "kith_random_normal: the mean or the deviation is not finite, or the"
                        " deviation is negative");
        return 0;
    }
    double number;
    while (!random_try_normal(random, &number)) {
    }
    if (random_step(random) >> 63 != 0) {
        number = -number;
    }
    return (float)((double)mean + kith_mul_f64(deviation, number));
}

static void random_swap(char *a, char *b, size_t size)
{
    char kept[64];
    for (size_t done = 0; done < size; done += sizeof kept) {
        const size_t part = size - done < sizeof kept ? size - done : sizeof kept;
        memcpy(kept, a + done, part);
        memcpy(a + done, b + done, part);
        memcpy(b + done, kept, part);
    }
}

/* From the last value down, each changes places with one that is not after it (Fisher and Yates). */
void kith_random_shuffle(kith_random *random, void *array, uint32_t count, size_t size)
{
    if (random_is_missing(random, "kith_random_shuffle")) {
        return;
    }
    if (KI_CHECKED && ((array == NULL && count != 0) || size == 0)) {
        ki_misuse(NULL, "kith_random_shuffle: the array is NULL, or a value has 0 bytes");
        return;
    }
    for (uint32_t left = count; left > 1; left--) {
        const uint32_t other = random_below(random, left);
        if (other != left - 1) {
            random_swap((char *)array + (size_t)(left - 1) * size,
                        (char *)array + (size_t)other * size, size);
        }
    }
}
