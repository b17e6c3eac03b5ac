/* Order keys: numbers that are ordered, and equal, as the values that they are made from. */
#ifndef KI_BASE_ORDER_KEYS_H
#define KI_BASE_ORDER_KEYS_H

#include <stdint.h>

#define KI_ORDER_SIGN_32 0x80000000u
#define KI_ORDER_SIGN_64 ((uint64_t)1 << 63)

static inline uint32_t ki_order_i32(int32_t value)
{
    return (uint32_t)value ^ KI_ORDER_SIGN_32;
}

static inline uint64_t ki_order_i64(int64_t value)
{
    return (uint64_t)value ^ KI_ORDER_SIGN_64;
}

/* Floats order as their bits do, once the negative ones are turned around. -0 is 0. A NaN of either
 * sign is UINT32_MAX, and nothing else is. */
static inline uint32_t ki_order_f32(uint32_t bits)
{
    uint32_t magnitude = bits & ~KI_ORDER_SIGN_32;
    if (magnitude > 0x7f800000u) {
        return UINT32_MAX;
    }
    return bits > KI_ORDER_SIGN_32 ? ~bits : magnitude | KI_ORDER_SIGN_32;
}

static inline uint64_t ki_order_f64(uint64_t bits)
{
    uint64_t magnitude = bits & ~KI_ORDER_SIGN_64;
    if (magnitude > 0x7ff0000000000000u) {
        return UINT64_MAX;
    }
    return bits > KI_ORDER_SIGN_64 ? ~bits : magnitude | KI_ORDER_SIGN_64;
}

#endif
