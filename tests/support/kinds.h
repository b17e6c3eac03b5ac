/* A type with a field of every kind, one value and an array. */
#ifndef KINDS_H
#define KINDS_H

#include <kith/kith.h>

typedef struct Kinds {
    int8_t i8;
    uint8_t u8;
    int16_t i16;
    uint16_t u16;
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    uint64_t u64;
    float f32;
    double f64;
    kith_entity entity;
    bool flag;
    char letter;
    unsigned char byte;
    char text[9];
    int16_t numbers[3];
    double reals[2];
    kith_entity entities[2];
    bool flags[3];
    unsigned char bytes[3];
} Kinds;
KITH_TYPE(Kinds, KITH_FIELD(Kinds, i8), KITH_FIELD(Kinds, u8), KITH_FIELD(Kinds, i16),
          KITH_FIELD(Kinds, u16), KITH_GAP, KITH_FIELD(Kinds, i32), KITH_FIELD(Kinds, u32),
          KITH_FIELD(Kinds, i64), KITH_FIELD(Kinds, u64), KITH_FIELD(Kinds, f32), KITH_GAP,
          KITH_FIELD(Kinds, f64), KITH_FIELD(Kinds, entity), KITH_FIELD(Kinds, flag),
          KITH_FIELD(Kinds, letter), KITH_FIELD(Kinds, byte, KITH_BYTES), KITH_FIELD(Kinds, text),
          KITH_FIELD(Kinds, numbers), KITH_GAP, KITH_FIELD(Kinds, reals),
          KITH_FIELD(Kinds, entities), KITH_FIELD(Kinds, flags),
          KITH_FIELD(Kinds, bytes, KITH_BYTES), KITH_GAP);

#endif
