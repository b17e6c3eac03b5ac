/* Bytes that decide what a random test does: out of a fuzzer's buffer, or without end out of a seed. */
#ifndef KITH_TEST_INPUT_H
#define KITH_TEST_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "random.h"

typedef struct input {
    const uint8_t *data; /* NULL: endless, from `seed` */
    size_t size;
    size_t at;
    uint64_t seed;
} input;

static inline bool input_ended(const input *in)
{
    return in->data != NULL && in->at >= in->size;
}

/* 0 behind the end. */
static inline uint32_t input_byte(input *in)
{
    if (in->data == NULL) {
        return (uint32_t)(random_next(&in->seed) >> 56);
    }
    return in->at < in->size ? in->data[in->at++] : 0;
}

/* A number below `limit`, which is 1 to 65,536. */
static inline uint32_t input_below(input *in, uint32_t limit)
{
    if (limit <= 1) {
        return 0;
    }
    uint32_t number = input_byte(in);
    if (limit <= 256) {
        return number * limit >> 8;
    }
    return (number << 8 | input_byte(in)) * limit >> 16;
}

/* True about `percent` times out of a hundred. */
static inline bool input_chance(input *in, uint32_t percent)
{
    return input_byte(in) * 100 < percent * 256;
}

#endif
