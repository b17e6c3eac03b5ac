/* Kith: relations: links from one entity to another, which are never left dangling.
 *
 *     KITH_RELATION(Targets, KITH_CLEAR);
 *     KITH_RELATION(DockedAt, KITH_REFUSE, (float, since));
 *
 *     KITH_SET(world, turret, Targets, {enemy});
 *     kith_entity aim = kith_target(world, turret, &Targets_type);
 *     for (kith_sources s = kith_sources_of(world, enemy, &Targets_type); kith_sources_next(&s);) {
 *         ... s.entity targets the enemy ...
 *     }
 *
 * A relation is a component of an entity, the source, in any layout. Its first field is the target; the
 * others are data. So what works for components works for relations: KITH_SET links, KITH_REMOVE
 * unlinks, queries read them, commands queue them, scenes and snapshots keep them. An entity has at most
 * one target of each relation, and any number of sources.
 *
 * The target is always alive. A call that would link to a dead entity returns KITH_ERR_DEAD. When a
 * target is despawned, the rule of the relation says what becomes of its sources:
 *     KITH_CASCADE  they are despawned too, with what hangs on them: depth first, sources in their order
 *     KITH_CLEAR    they lose the relation
 *     KITH_REFUSE   it is not despawned: KITH_ERR_CONFLICT, unless the source goes in the same call
 * With KITH_ACYCLIC, a link that would close a circle of targets fails with KITH_ERR_CYCLE, and
 * kith_error names the circle. Each call is done as a whole or not at all.
 *
 * A target knows its sources, in the order in which they were linked to it; setting the same target
 * again keeps the place. The type is guarded: its values are not written through pointers and arrays.
 * KITH_GET_MUT, and queries with KITH_WRITE of the type, are misuse.
 *
 * In a command buffer, links are made in the order in which they were queued, and before all despawns. A
 * source whose target is the same after the buffer as before keeps its place. If the target is dead by
 * then, or if the same buffer spawns and despawns it, a KITH_CASCADE source is despawned, and another
 * source loses the relation. A source with the target KITH_NONE loses the relation, whatever the rule.
 *
 * Where an entity may have many targets, each link is an entity with a component that has both ends and
 * the data of the link:
 *
 *     KITH_LINKS(Likes, KITH_CLEAR, (float, strength));
 *
 *     kith_entity link = KITH_SPAWN(world, KITH_VALUE(Likes, {a, b, .strength = 3}));
 *     for (kith_sources s = kith_links_from(world, a, &Likes_type); kith_sources_next(&s);) {
 *         const Likes *likes = KITH_GET(world, s.entity, Likes);
 *     }
 *     kith_despawn(world, link);
 *
 * A link is despawned with either of its ends. With KITH_CASCADE the source is despawned with the
 * target, and with KITH_REFUSE a target of links is not despawned. If an end is dead or KITH_NONE when a
 * command buffer is applied, the entity that was to be the link is despawned. An entity may like another
 * twice: KITH_UNIQUE(world, Likes, source, target) forbids that, and finds links at once. */
#ifndef KITH_RELATION_H
#define KITH_RELATION_H

#include <kith/inline.h>
#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The target that an entity has; KITH_NONE: it has none, is dead, or the type is not registered. The
 * world's owner may call, and so may systems, without declaring the type: no system writes it.
 * Misuse: the type is not a relation. */
KITH_API kith_entity kith_target(const kith_world *world, kith_entity source,
                                 const kith_type *relation);

/* The sources that have an entity as their target, in order: the first and the last, and those next to a
 * source; KITH_NONE: there is none. Each call takes constant time. The next source is to be asked for
 * before the source at hand is unlinked or despawned. Threads: as kith_target. */
KITH_API kith_entity kith_source_first(const kith_world *world, kith_entity target,
                                       const kith_type *relation);
KITH_API kith_entity kith_source_last(const kith_world *world, kith_entity target,
                                      const kith_type *relation);
KITH_API kith_entity kith_source_next(const kith_world *world, kith_entity source,
                                      const kith_type *relation);
KITH_API kith_entity kith_source_previous(const kith_world *world, kith_entity source,
                                          const kith_type *relation);

/* A scan over the sources of a target, in order. During the scan, the current source may be unlinked,
 * linked elsewhere or despawned, and new sources are visited. If that happens to the source after it,
 * the scan ends. */
typedef struct kith_sources {
    kith_entity entity; /* the source at hand */

    /* The rest is Kith's. */
    uint32_t target1_;
    uint32_t next1_;
    struct kith_block_ *const *links_; /* NULL: there are none */
    struct kith_block_ *const *records_;
} kith_sources;

/* Begins one. It is not freed. Threads: as kith_target. Faster than kith_source_next. */
KITH_API kith_sources kith_sources_of(const kith_world *world, kith_entity target,
                                      const kith_type *relation);

/* Goes on to the next source; false after the last. */
static inline bool kith_sources_next(kith_sources *sources);

/* The links of a KITH_LINKS relation that lead from an entity, and to it, in the order in which they
 * were made: scans as by kith_sources_of, in which `entity` is a link. Threads: as kith_target.
 * Misuse: the type is not one of KITH_LINKS. */
KITH_API kith_sources kith_links_from(const kith_world *world, kith_entity source,
                                      const kith_type *relation);
KITH_API kith_sources kith_links_to(const kith_world *world, kith_entity target,
                                    const kith_type *relation);

/* A link from one entity to another; if there are several, any of them. KITH_NONE: there is none. Goes
 * through the links from the one or those to the other, whichever are fewer. */
KITH_API kith_entity kith_link_find(const kith_world *world, kith_entity source, kith_entity target,
                                    const kith_type *relation);

/* How many sources have an entity as their target. Goes through them. */
KITH_API uint32_t kith_source_count(const kith_world *world, kith_entity target,
                                    const kith_type *relation);

/* Puts a source before another one of the same target; KITH_NONE: after all of them. Its value stays.
 * KITH_ERR_DEAD     one of them is not alive
 * KITH_ERR_ABSENT   the source has no target
 * KITH_ERR_INPUT    `before` has another target, or is the source itself
 * KITH_ERR_MEMORY   while there are snapshots
 * Misuse while a query is open. */
KITH_API kith_result kith_source_place(kith_world *world, kith_entity source,
                                       const kith_type *relation, kith_entity before);

static inline bool kith_sources_next(kith_sources *sources)
{
    const uint32_t slot = sources->next1_ - 1;
    if (sources->next1_ == 0 ||
        slot >= *(const uint32_t *)(const void *)(sources->links_ + 1)) { /* so many there are */
        return false;
    }
    const void *links = (*sources->links_)[slot >> KITH_RECORD_SHIFT_].data;
    const void *records = (*sources->records_)[slot >> KITH_RECORD_SHIFT_].data;
    const uint32_t row = slot % (1u << KITH_RECORD_SHIFT_);
    const struct kith_link_ *link = (const struct kith_link_ *)links + row;
    if (links == NULL || link->target1 != sources->target1_) {
        return false;
    }
    sources->entity.index1 = sources->next1_;
    sources->entity.generation = ((const struct kith_record_ *)records + row)->generation;
    sources->next1_ = link->next1;
    return true;
}

#ifdef __cplusplus
}
#endif
#endif
