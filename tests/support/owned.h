/* A component type whose values own memory: a number that stands behind a pointer. Counts the values
 * that live, and makes its hooks fail when told to. What is moved from or destroyed is overwritten, so
 * that using it again shows; what is lost, LeakSanitizer tells. */
#ifndef KITH_TEST_OWNED_H
#define KITH_TEST_OWNED_H

#include <kith/kith.h>

typedef struct Owned {
    uint32_t *number;
    uint32_t tag; /* plain, beside it */
    uint32_t unused;
} Owned;
KITH_TYPE(Owned, KITH_FIELD(Owned, number, KITH_OPAQUE), KITH_FIELD(Owned, tag),
          KITH_FIELD(Owned, unused));

typedef struct owned_record {
    uint64_t live;
    uint64_t calls;   /* of init and copy, by the value */
    uint64_t fail_at; /* the number in `calls` that fails; 0: none */
    uint64_t moved;
    kith_allocator allocator;      /* of the numbers; without functions: malloc and free */
    kith_world *world;             /* which hooks call into, or NULL */
    kith_result inner;             /* what that returned */
    void (*inside)(void *context); /* what hooks do besides; or NULL */
    void *context;
} owned_record;

/* Its hooks: all of them, or without `copy`. */
kith_hooks owned_hooks(owned_record *record);
kith_hooks owned_hooks_without_copy(owned_record *record);

/* What `init` gives the number. */
#define OWNED_INITIAL 77u

/* A value of one's own, which counts as living; memory must not run out. */
Owned owned_new(owned_record *record, uint32_t number);
void owned_end(owned_record *record, Owned *value);

/* Lets the nth value that is made from now on fail; 0: none. */
void owned_fail(owned_record *record, uint64_t nth);

#endif
