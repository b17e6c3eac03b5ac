/* A struct within: its parts are to be named, or its kind to be said. */
#include <kith/kith.h>

typedef struct Vector {
    float x, y;
} Vector;

typedef struct Body {
    Vector velocity;
} Body;

#if WRONG == 1
KITH_TYPE(Body, KITH_FIELD(Body, velocity));
#else
KITH_TYPE(Body, KITH_FIELD(Body, velocity.x), KITH_FIELD(Body, velocity.y));
#endif
