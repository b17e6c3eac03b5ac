/* A struct within: its parts are to be named, or its kind to be said. */
#include <kith/kith.h>

typedef struct Vector {
    float x, y;
} Vector;

typedef struct Body {
    Vector velocity;
} Body;

#if WRONG == 1 /* says: a field holds numbers, bools, chars, enums, a kith_entity or a kith_text */
KITH_TYPE(Body, KITH_FIELD(Body, velocity));
#else
KITH_TYPE(Body, KITH_FIELD(Body, velocity.x), KITH_FIELD(Body, velocity.y));
#endif
