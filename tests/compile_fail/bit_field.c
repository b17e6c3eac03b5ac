/* A bit-field has no address. */
#include <kith/kith.h>

typedef struct Flags {
#if WRONG == 1
    unsigned int burning : 1;
#else
    unsigned int burning;
#endif
} Flags;
KITH_TYPE(Flags, KITH_FIELD(Flags, burning));
