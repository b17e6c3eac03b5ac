/* Component types that tests use, of all shapes. */
#ifndef KITH_TEST_COMPONENTS_H
#define KITH_TEST_COMPONENTS_H

#include <kith/kith.h>

#include "test.h"

typedef struct Position {
    float x, y;
} Position;
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

typedef struct Velocity {
    float dx, dy;
} Velocity;
KITH_TYPE(Velocity, KITH_FIELD(Velocity, dx), KITH_FIELD(Velocity, dy));

typedef struct Health {
    int32_t current, max;
} Health;
KITH_TYPE(Health, KITH_FIELD(Health, current), KITH_FIELD(Health, max));

/* Of a size that is no power of two. */
typedef struct Extra {
    float a, b, c;
} Extra;
KITH_TYPE(Extra, KITH_FIELD(Extra, a), KITH_FIELD(Extra, b), KITH_FIELD(Extra, c));

typedef struct Name {
    char text[16];
} Name;
KITH_TYPE(Name, KITH_FIELD(Name, text));

/* Larger than a block: a row a block. */
typedef struct Big {
    uint32_t words[5000];
} Big;
KITH_TYPE(Big, KITH_FIELD(Big, words));

typedef struct Byte {
    uint8_t value;
} Byte;
KITH_TYPE(Byte, KITH_FIELD(Byte, value));

/* Of the alignment of a cache line. */
typedef struct Aligned {
    _Alignas(64) uint64_t words[8];
} Aligned;
KITH_TYPE(Aligned, KITH_FIELD(Aligned, words));

typedef struct Target {
    kith_entity entity;
} Target;
KITH_TYPE(Target, KITH_FIELD(Target, entity));

/* With bytes that mean nothing, inside and at the end. */
typedef struct Padded {
    uint8_t small;
    uint32_t large;
    uint8_t last;
} Padded;
KITH_TYPE(Padded, KITH_FIELD(Padded, small), KITH_GAP, KITH_FIELD(Padded, large),
          KITH_FIELD(Padded, last), KITH_GAP);

KITH_TAG(Frozen);
KITH_TAG(Burning);

/* All of the above, in this order. */
#define COMPONENT_COUNT 12
extern const kith_type *const component_types[COMPONENT_COUNT];

/* Registers them all with one layout. */
void register_all(kith_world *world, kith_layout layout);

/* A fixture whose world has them all with one layout. */
fixture fixture_with_all(kith_layout layout);

/* Registers them all, each with a layout that depends on the seed. */
void register_mixed(kith_world *world, uint64_t seed);

#endif
