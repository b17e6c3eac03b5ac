/* What KITH_COMPONENT cannot declare: one error says why, and what to write. */
#include <kith/kith.h>

typedef struct Vector {
    float x, y;
} Vector;

#define FOUR(name) (int, name##1), (int, name##2), (int, name##3), (int, name##4)
#define SIXTEEN(name) FOUR(name##1), FOUR(name##2), FOUR(name##3), FOUR(name##4)

#if WRONG == 1 /* says: Body.velocity: a field holds numbers, bools, chars, enums, a kith_entity */
KITH_COMPONENT(Body, (Vector, velocity));
#elif WRONG ==                                                                                     \
    2 /* says: of a struct name the parts: KITH_TYPE(Body, KITH_FIELD(Body, velocity.x)) */
KITH_COMPONENT(Body, (float, mass), (Vector, velocities, 2), (float, x));
#elif WRONG == 3 /* says: Body.next: a field holds numbers, bools, chars, enums, a kith_entity */
KITH_COMPONENT(Body, (float, mass), (struct Body *, next));
#elif WRONG == 4 /* says: Body.next: a field holds numbers, bools, chars, enums, a kith_entity */
KITH_COMPONENT(Body, KITH_SPARSE, (struct Body *, next, 4));
#elif WRONG == 5 /* says: Body.next: a field holds numbers, bools, chars, enums, a kith_entity */
KITH_COMPONENT(Body, (long double, next, 2, 2));
#elif WRONG == 6 /* says: Body: KITH_COMPONENT takes up to 32 fields */
KITH_COMPONENT(Body, SIXTEEN(a), SIXTEEN(b), (int, last));
#elif WRONG == 7 /* says: declare a larger struct by itself, and describe it with KITH_TYPE */
KITH_COMPONENT(Body, KITH_SLOT, SIXTEEN(a), SIXTEEN(b), SIXTEEN(c), SIXTEEN(d), SIXTEEN(e));
#elif WRONG == 8 /* says: Body: a field is (type, name), or an array of it (type, name, length) */
KITH_COMPONENT(Body, (float, x), (float));
#elif WRONG == 9 /* says: Body: a field is (type, name), or an array of it (type, name, length) */
KITH_COMPONENT(Body, (float, x), KITH_SPARSE);
#else
KITH_COMPONENT(Body, KITH_SPARSE, SIXTEEN(a), SIXTEEN(b));
#endif
