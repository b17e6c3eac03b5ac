/* A world of one layout with Owned, for tests of what becomes of its values. */
#ifndef KITH_TEST_OWNERS_H
#define KITH_TEST_OWNERS_H

#include "owned.h"
#include "test.h"

/* An Owned with a handle beside the number: the same bytes, by other names, for the same hooks. */
typedef struct Bond {
    uint32_t *number;
    kith_entity to;
} Bond;
KITH_TYPE(Bond, KITH_FIELD(Bond, number, KITH_OPAQUE), KITH_FIELD(Bond, to));

typedef struct owners {
    fixture f;
    kith_world *world;
    owned_record record;
} owners;

/* Knows Owned, Bond and Position by the layout; Velocity and Frozen in a table always, so that rows move
 * for them. */
void owners_new(owners *o, kith_layout layout);

/* The same but that Owned and Bond have no hook to copy. */
void owners_new_without_copy(owners *o, kith_layout layout);

/* Frees the world, with which all values end. */
void owners_free(owners *o);

/* Sets a value of that number. */
kith_result set_number(owners *o, kith_entity entity, uint32_t number);
kith_entity spawn_number(owners *o, uint32_t number);
uint32_t number_of(const owners *o, kith_entity entity);

/* As many values live as the world shall have. */
void check_live(owners *o, uint64_t count);

#endif
