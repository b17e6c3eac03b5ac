/* What the snippets of this directory talk about. */
#ifndef TYPES_H
#define TYPES_H

#include <kith/kith.h>

typedef struct Position {
    float x, y;
} Position;
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

typedef struct Velocity {
    float dx, dy;
} Velocity;
KITH_TYPE(Velocity, KITH_FIELD(Velocity, dx), KITH_FIELD(Velocity, dy));

KITH_TAG(Frozen);

#endif
