/* Another parent, and the same place in the world. */
#include <kith/floats.h>

#include <kith/hierarchy.h>
#include <kith/kith.h>

#include "game/transforms.h"

/* ---- Where an entity is ----------------------------------------------------------------------- */

/* By Locals alone: Globals may be of the tick before. An entity without a Local has the identity, which
 * is what its children go by. */
static kith_global2 place2(const kith_world *world, kith_entity entity)
{
    const kith_local2 *local = KITH_GET(world, entity, kith_local2);
    kith_global2 place = ki_game_from_local2(local != NULL ? local : &(kith_local2){.x = 0});
    while (local != NULL) {
        entity = kith_parent(world, entity);
        local = KITH_GET(world, entity, kith_local2);
        if (local != NULL) {
            const kith_global2 outer = ki_game_from_local2(local);
            place = ki_game_multiply2(&outer, &place);
        }
    }
    return place;
}

static kith_global3 place3(const kith_world *world, kith_entity entity)
{
    const kith_local3 *local = KITH_GET(world, entity, kith_local3);
    kith_global3 place =
        ki_game_from_local3(local != NULL ? local : &(kith_local3){.position = {0}});
    while (local != NULL) {
        entity = kith_parent(world, entity);
        local = KITH_GET(world, entity, kith_local3);
        if (local != NULL) {
            const kith_global3 outer = ki_game_from_local3(local);
            place = ki_game_multiply3(&outer, &place);
        }
    }
    return place;
}

/* The Local of an entity as a child of `parent`. False: the parent's place has no inverse. */
static bool local2_below(const kith_world *world, kith_entity entity, kith_entity parent,
                         kith_local2 *local, bool *exact)
{
    kith_global2 inverse;
    if (!kith_transform2_invert(place2(world, parent), &inverse)) {
        return false;
    }
    const kith_global2 own = place2(world, entity);
    const bool fits = kith_transform2_to_local(ki_game_multiply2(&inverse, &own), local);
    *exact = *exact && fits;
    return true;
}

static bool local3_below(const kith_world *world, kith_entity entity, kith_entity parent,
                         kith_local3 *local, bool *exact)
{
    kith_global3 inverse;
    if (!kith_transform3_invert(place3(world, parent), &inverse)) {
        return false;
    }
    const kith_global3 own = place3(world, entity);
    const bool fits = kith_transform3_to_local(ki_game_multiply3(&inverse, &own), local);
    *exact = *exact && fits;
    return true;
}

/* ---- The call --------------------------------------------------------------------------------- */

/* Locals are written before the parent is set, and put back if it cannot be. */
static kith_result move_in_place(kith_world *world, kith_entity child, kith_entity parent,
                                 bool *exact)
{
    const kith_local2 *local2 = KITH_GET(world, child, kith_local2);
    const kith_local3 *local3 = KITH_GET(world, child, kith_local3);
    const kith_local2 before2 = local2 != NULL ? *local2 : (kith_local2){.x = 0};
    const kith_local3 before3 = local3 != NULL ? *local3 : (kith_local3){.position = {0}};
    kith_local2 after2 = before2;
    kith_local3 after3 = before3;
    if ((local2 != NULL && !local2_below(world, child, parent, &after2, exact)) ||
        (local3 != NULL && !local3_below(world, child, parent, &after3, exact))) {
        return kith_fail(world, KITH_ERR_INPUT,
                         "kith_set_parent_in_place: the new parent's place in the world has no "
                         "inverse: it is too large, too small or not finite");
    }
    void *to2 = NULL, *to3 = NULL;
    kith_result result =
        local2 != NULL ? kith_get_mut(world, child, &kith_local2_type, &to2) : KITH_OK;
    if (result == KITH_OK && local3 != NULL) {
        result = kith_get_mut(world, child, &kith_local3_type, &to3);
    }
    if (result != KITH_OK) {
        return result;
    }
    if (to2 != NULL) {
        *(kith_local2 *)to2 = after2;
    }
    if (to3 != NULL) {
        *(kith_local3 *)to3 = after3;
    }
    result = kith_set_parent(world, child, parent);
    if (result != KITH_OK && to2 != NULL) {
        *(kith_local2 *)to2 = before2;
    }
    if (result != KITH_OK && to3 != NULL) {
        *(kith_local3 *)to3 = before3;
    }
    return result;
}

kith_result kith_set_parent_in_place(kith_world *world, kith_entity child, kith_entity parent,
                                     bool *exact)
{
    bool same = true;
    kith_result result = kith_require_change(world, "kith_set_parent_in_place");
    if (result == KITH_OK) {
        result = kith_entity_equal(kith_parent(world, child), parent)
                     ? kith_set_parent(world, child, parent)
                     : move_in_place(world, child, parent, &same);
    }
    if (result == KITH_OK && exact != NULL) {
        *exact = same;
    }
    return result;
}
