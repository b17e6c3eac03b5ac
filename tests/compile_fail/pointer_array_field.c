/* Nor can an array of pointers, which is as large as an array of numbers. */
#include <kith/kith.h>

typedef struct Links {
#if WRONG == 1 /* says: a field holds numbers, bools, chars, enums, a kith_entity or a kith_text */
    struct Links *next[4];
#else
    uint64_t next[4];
#endif
} Links;
KITH_TYPE(Links, KITH_FIELD(Links, next));
