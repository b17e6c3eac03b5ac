/* A long double, which is another thing on each machine. */
#include <kith/kith.h>

typedef struct Mass {
#if WRONG == 1 /* says: a field holds numbers, bools, chars, enums, a kith_entity or a kith_text */
    long double grams;
#else
    double grams;
#endif
} Mass;
KITH_TYPE(Mass, KITH_FIELD(Mass, grams));
