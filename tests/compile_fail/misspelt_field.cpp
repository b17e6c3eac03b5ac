/* A field that the struct does not have. */
#include <kith/kith.h>

typedef struct Position {
    float x, y;
} Position;

#if WRONG == 1 /* says: Position has no public field z */
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, z));
#else
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));
#endif
