/* Worlds with names, for the tests of them. */
#ifndef KITH_TEST_NAMES_H
#define KITH_TEST_NAMES_H

#include "components.h"
#include "test.h"

static inline kith_name name_value(kith_world *world, const char *text)
{
    kith_name name;
    CHECK_RESULT(kith_text_intern(world, text, &name.text), KITH_OK);
    return name;
}

/* An entity with a name and a parent; KITH_NONE: without one. */
static inline kith_entity named(kith_world *world, const char *name, kith_entity parent)
{
    kith_entity made = kith_spawn_empty(world);
    CHECK_RESULT(kith_set_parent(world, made, parent), KITH_OK);
    CHECK_RESULT(kith_set_name(world, made, name), KITH_OK);
    return made;
}

/* Whether a call fails, and leaves the world as it was. */
#define CHECK_REFUSED(world, call, expected)                                                       \
    do {                                                                                           \
        uint64_t hash_before = kith_world_hash(world);                                             \
        CHECK_RESULT((call), (expected));                                                          \
        CHECK(kith_world_hash(world) == hash_before);                                              \
        CHECK_WORLD(world);                                                                        \
    } while (0)

#define CHECK_CLASH(world, call) CHECK_REFUSED(world, call, KITH_ERR_CONFLICT)

#endif
