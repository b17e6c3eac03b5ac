/* What relations lead to, and from where, for calls that read them. `relation` may be NULL: the world
 * does not know it. Of an entity that is dead, or in no list, the answer is KITH_NONE. */
#ifndef KI_WORLD_LINKS_H
#define KI_WORLD_LINKS_H

#include <kith/relation.h>

#include "store/relation.h"
#include "world/world.h"

/* The link of a living entity; of a dead one, zeros. */
static inline ki_link ki_links_of(const kith_world *world, const ki_relation *relation,
                                  kith_entity entity)
{
    return relation == NULL || ki_record_of(&world->store.entities, entity) == NULL
               ? (ki_link){0}
               : ki_relation_link(relation, entity.index1 - 1);
}

/* The entity in a slot; of 0, KITH_NONE. */
static inline kith_entity ki_links_entity(const kith_world *world, uint32_t index1)
{
    return index1 == 0 ? KITH_NONE : ki_entity_at(&world->store.entities, index1 - 1);
}

static inline kith_entity ki_links_target(const kith_world *world, const ki_relation *relation,
                                          kith_entity source)
{
    return ki_links_entity(world, ki_links_of(world, relation, source).target1);
}

static inline kith_entity ki_links_first(const kith_world *world, const ki_relation *relation,
                                         kith_entity target)
{
    return ki_links_entity(world, ki_links_of(world, relation, target).first1);
}

static inline kith_entity ki_links_next(const kith_world *world, const ki_relation *relation,
                                        kith_entity source)
{
    return ki_links_entity(world, ki_links_of(world, relation, source).next1);
}

/* A scan over the sources that have an entity as their target. */
kith_sources ki_links_scan(const kith_world *world, const ki_relation *relation,
                           kith_entity target);

kith_entity ki_links_last(const kith_world *world, const ki_relation *relation, kith_entity target);
kith_entity ki_links_previous(const kith_world *world, const ki_relation *relation,
                              kith_entity source);
uint32_t ki_links_count(const kith_world *world, const ki_relation *relation, kith_entity target);

#endif
