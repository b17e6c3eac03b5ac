/* What Globals have to come to. */
#ifndef TEST_GAME_NAIVE_H
#define TEST_GAME_NAIVE_H

#include <kith/hierarchy.h>
#include <string.h>

#include "worlds.h"

static inline Global2 naive2(const kith_world *world, kith_entity e)
{
    const Local2 *local = KITH_GET(world, e, Local2);
    const kith_entity parent = kith_parent(world, e);
    return !KITH_HAS(world, parent, Local2)
               ? kith_transform2_from_local(*local)
               : kith_transform2_compose(naive2(world, parent), *local);
}

static inline Global3 naive3(const kith_world *world, kith_entity e)
{
    const Local3 *local = KITH_GET(world, e, Local3);
    const kith_entity parent = kith_parent(world, e);
    return !KITH_HAS(world, parent, Local3)
               ? kith_transform3_from_local(*local)
               : kith_transform3_compose(naive3(world, parent), *local);
}

/* Whether an entity has the Globals that it should. */
static inline bool is_right(const kith_world *world, kith_entity e)
{
    bool right = true;
    if (KITH_HAS(world, e, Local2)) {
        const Global2 expected = naive2(world, e);
        const Global2 *global = KITH_GET(world, e, Global2);
        right = global != NULL && memcmp(global, &expected, sizeof expected) == 0;
    }
    if (right && KITH_HAS(world, e, Local3)) {
        const Global3 expected = naive3(world, e);
        const Global3 *global = KITH_GET(world, e, Global3);
        right = global != NULL && memcmp(global, &expected, sizeof expected) == 0;
    }
    return right;
}

static inline void check_all(const kith_world *world)
{
    for (kith_entity e = kith_entity_next(world, KITH_NONE); !kith_is_none(e);
         e = kith_entity_next(world, e)) {
        CHECK(is_right(world, e));
    }
}

#endif
