/* Nor can an array of pointers, which is as large as an array of numbers. */
#include <kith/kith.h>

typedef struct Links {
#if WRONG == 1
    struct Links *next[4];
#else
    uint64_t next[4];
#endif
} Links;
KITH_TYPE(Links, KITH_FIELD(Links, next));
