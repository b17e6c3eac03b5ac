/* Worlds with unique keys, for the tests of them. */
#ifndef KITH_TEST_UNIQUE_KEYS_H
#define KITH_TEST_UNIQUE_KEYS_H

#include "components.h"

typedef struct Account {
    int32_t id;
    int32_t server;
    char name[12];
} Account;
KITH_TYPE(Account, KITH_FIELD(Account, id), KITH_FIELD(Account, server), KITH_FIELD(Account, name));

/* Small plain values: those that calls write in the shortest way. */
typedef struct Badge {
    uint32_t number;
} Badge;
KITH_TYPE(Badge, KITH_FIELD(Badge, number));

typedef struct Seat {
    kith_entity who;
} Seat;
KITH_TYPE(Seat, KITH_FIELD(Seat, who));

static inline fixture unique_world(kith_layout layout)
{
    fixture f = fixture_with_all(layout);
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(f.world, &Account_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Badge_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Seat_type, &def), KITH_OK);
    CHECK_RESULT(KITH_UNIQUE(f.world, Badge, number), KITH_OK);
    return f;
}

static inline void expect_badge(kith_world *world, uint32_t number, kith_entity entity)
{
    kith_entity found = KITH_FIND_UNIQUE(world, Badge, {number});
    CHECK_UINT(found.index1, entity.index1);
    CHECK_UINT(found.generation, entity.generation);
    CHECK_WORLD(world);
}

/* Whether a call failed as a double key does, and left the world as it was. */
#define CHECK_DOUBLE(world, call)                                                                  \
    do {                                                                                           \
        uint64_t hash_before = kith_content_hash(world);                                           \
        CHECK_RESULT((call), KITH_ERR_CONFLICT);                                                   \
        CHECK(kith_content_hash(world) == hash_before);                                            \
        CHECK_WORLD(world);                                                                        \
    } while (0)

#endif
