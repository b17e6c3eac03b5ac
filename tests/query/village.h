/* People who like each other and aim at each other, for the tests of pairs. */
#ifndef KITH_TEST_VILLAGE_H
#define KITH_TEST_VILLAGE_H

#include <kith/kith.h>

#include "test.h"

KITH_LINKS(Likes, KITH_CLEAR, (float, strength));
KITH_RELATION(Targets, KITH_CLEAR);
KITH_COMPONENT(Person, (int32_t, age), (int32_t, met));

typedef struct village {
    fixture f;
    kith_entity e[5]; /* people: number `i` is 20 + i years old */
    kith_entity link[6];
} village;

/* So many people, and a link for each of `ends`, which are numbers of people: the first one likes the
 * second. A link is as strong as its number. */
static inline village village_of(uint32_t people, const uint32_t (*ends)[2], uint32_t links,
                                 kith_layout layout_of_links, kith_layout layout_of_people)
{
    village v = {.f = fixture_new()};
    kith_world *world = v.f.world;
    const kith_component_def of_links = {.layout = layout_of_links};
    const kith_component_def of_people = {.layout = layout_of_people};
    CHECK_RESULT(kith_register(world, &Likes_type, &of_links), KITH_OK);
    CHECK_RESULT(kith_register(world, &Targets_type, &of_links), KITH_OK);
    CHECK_RESULT(kith_register(world, &kith_child_of_type, &of_links), KITH_OK);
    CHECK_RESULT(kith_register(world, &Person_type, &of_people), KITH_OK);
    for (uint32_t i = 0; i < people; i++) {
        v.e[i] = KITH_SPAWN(world, KITH_VALUE(Person, {20 + (int32_t)i, 0}));
    }
    for (uint32_t i = 0; i < links; i++) {
        v.link[i] =
            KITH_SPAWN(world, KITH_VALUE(Likes, {v.e[ends[i][0]], v.e[ends[i][1]], (float)i}));
    }
    return v;
}

#endif
