/* A bit-field has no address. */
#include <kith/kith.h>

typedef struct Flags {
#ifdef WRONG
    unsigned int burning : 1;
#else
    unsigned int burning;
#endif
} Flags;
KITH_TYPE(Flags, KITH_FIELD(Flags, burning));
