/* Worlds whose hashes are taken. */
#ifndef HASHES_H
#define HASHES_H

#include "components.h"
#include "test.h"

/* a, b and c have Position and Velocity; d Position, Frozen, Name and Padded; `empty` nothing. */
typedef struct scene {
    fixture f;
    kith_world *world;
    kith_layout layout;
    kith_entity a, b, c, d, empty;
} scene;

KITH_UNUSED_ static scene scene_new(kith_layout layout)
{
    scene s = {.f = fixture_with_all(layout), .layout = layout};
    s.world = s.f.world;
    s.a = KITH_SPAWN(s.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity, {0, 0}));
    s.b = KITH_SPAWN(s.world, KITH_VALUE(Position, {3, 4}), KITH_VALUE(Velocity, {7, 8}));
    s.c = KITH_SPAWN(s.world, KITH_VALUE(Position, {5, 6}), KITH_VALUE(Velocity, {7, 8}));
    s.d = KITH_SPAWN(s.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Frozen),
                     KITH_VALUE(Name, {"d"}), KITH_VALUE(Padded));
    s.empty = kith_spawn_empty(s.world);
    CHECK_RESULT(KITH_RESOURCE_SET(s.world, Health, {1, 2}), KITH_OK);
    CHECK_RESULT(KITH_SEND(s.world, Byte, {1}), KITH_OK);
    return s;
}

KITH_UNUSED_ static void ok(kith_result result)
{
    CHECK_RESULT(result, KITH_OK);
}

typedef struct hashes {
    uint64_t world;
    uint64_t content;
} hashes;

KITH_UNUSED_ static hashes hashes_of(const kith_world *world)
{
    return (hashes){kith_world_hash(world), kith_content_hash(world)};
}

#endif
