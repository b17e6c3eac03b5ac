/* What KITH_RELATION cannot declare: one error says why, and what to write. */
#include <kith/kith.h>

typedef struct Vector {
    float x, y;
} Vector;

#define FOUR(name) (int, name##1), (int, name##2), (int, name##3), (int, name##4)
#define TWELVE(name) FOUR(name##1), FOUR(name##2), FOUR(name##3)
#define THIRTY_ONE TWELVE(a), TWELVE(b), FOUR(c), (int, d1), (int, d2), (int, d3)

#if WRONG == 1 /* says: Docks.at: a field holds numbers, bools, chars, enums, a kith_entity */
KITH_RELATION(Docks, KITH_CLEAR, (Vector, at));
#elif WRONG == 2 /* says: Docks.next: a field holds numbers, bools, chars, enums, a kith_entity */
KITH_RELATION(Docks, KITH_CASCADE | KITH_ACYCLIC, KITH_SPARSE, (struct Docks *, next));
#elif WRONG == 3 /* says: Docks: KITH_COMPONENT takes up to 32 fields */
KITH_RELATION(Docks, KITH_REFUSE, THIRTY_ONE, (int, last));
#elif WRONG == 4 /* says: Docks: a field is (type, name), or an array of it (type, name, length) */
KITH_RELATION(Docks, KITH_CLEAR, (float));
#else
KITH_RELATION(Docks, KITH_REFUSE, KITH_SLOT, THIRTY_ONE);
KITH_RELATION(Plain, KITH_CLEAR);
#endif
