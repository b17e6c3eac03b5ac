/* Kith: transfer: entities move from one world to another with all that they have: for levels that
 * are loaded in a world of their own, and for parts of a map that come and go.
 *
 *     kith_transfer(level, entities, count, world, moved); */
#ifndef KITH_TRANSFER_H
#define KITH_TRANSFER_H

#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Moves `count` entities from one world to another: all of them, or none. In `from` they end, as by
 * kith_despawn_many. In `to` they are new entities, in the same order: `moved[i]` is the new handle
 * of `entities[i]`. `moved` may be NULL, or `entities` itself.
 *
 * Fields of kind KITH_ENTITY that name one of the entities that move get its new handle. All others
 * get KITH_NONE: what they name does not move. What does not move and names one that moves keeps the old
 * handle, which is dead. Texts (kith_text) are interned in `to`; one that is not of `from` becomes the
 * empty text.
 *
 * Links of relations (<kith/relation.h>) among those that move come along, and sources are in the same
 * order. One that moves without its target loses the relation, and so does a link of KITH_LINKS without
 * one of its ends; links are in the order in which they are named. One that stays, while its target
 * moves, follows the rule of the relation, as the target ends in `from`: with KITH_CASCADE it is
 * despawned, with all that hangs on it; with KITH_CLEAR it loses the relation; KITH_REFUSE refuses the
 * transfer. So a tree moves as a whole if all of it is named: see kith_descendant_next.
 *
 * Components get the layout that they have in `to`. A type that `to` does not know is registered as in
 * `from`, hooks and their `user` included. A value with hooks is copied by the `copy` of `to`, and then
 * destroyed by `from`: so each may keep memory of its own in `user`. Fields that are KITH_OPAQUE are up
 * to the hooks.
 *
 * Resources, events, and what trackers, observers and queries have seen do not move: those of `from`
 * see losses, and those of `to` see new entities.
 *
 * KITH_ERR_DEAD       an entity is not alive
 * KITH_ERR_TYPE       an entity has a component with hooks but without `copy`
 * KITH_ERR_CONFLICT   an entity is named twice; or `to` has another type of the name, or the same type
 *                     with other hooks; or a source that stays refuses
 * KITH_ERR_LIMIT      more than 2^24 - 1 entities; or of entities, tables or types in `to`
 * KITH_ERR_INPUT      a value with hooks has a provisional handle in it
 * KITH_ERR_MEMORY, and what `copy` fails with
 * kith_error of `from` tells more. On failure both worlds are as they were, except that types may be
 * registered, and texts interned, in `to`.
 *
 * The calling thread must own both worlds. Misuse while a query of either is open, and if both are the
 * same. */
KITH_API kith_result kith_transfer(kith_world *from, const kith_entity *entities, uint32_t count,
                                   kith_world *to, kith_entity *moved);

#ifdef __cplusplus
}
#endif
#endif
