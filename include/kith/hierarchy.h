/* Kith: hierarchies: parents and children.
 *
 *     kith_set_parent(world, turret, ship);
 *     for (kith_sources c = kith_children(world, ship); kith_sources_next(&c);) {
 *         ... c.entity is a child ...
 *     }
 *     kith_despawn(world, ship);                     the turret goes with it
 *
 * The parent is the target of the relation kith_child_of, which a world, and so a scene and a query in
 * text, knows as ChildOf: see <kith/relation.h>. Children are despawned with their parent, and nobody
 * can become an ancestor of itself. ChildOf cannot be transient (see kith_component_def). A command
 * buffer queues a parent as any other value:
 *     KITH_SET(it->commands, turret, kith_child_of, {ship});
 *
 * Threads: as kith_target. For a dead entity the result is KITH_NONE or 0. */
#ifndef KITH_HIERARCHY_H
#define KITH_HIERARCHY_H

#include <kith/relation.h>

/* The relation of children to their parent. */
typedef struct kith_child_of {
    kith_entity target; /* the parent */
} kith_child_of;

#ifdef __cplusplus
KITH_UNUSED_ static const kith_description_
    kith_child_of_type("ChildOf", (uint32_t)sizeof(kith_child_of), (uint32_t)alignof(kith_child_of),
                       0, {KITH_FIELD(kith_child_of, target)}, KITH_SLOT, false, false,
                       (uint32_t)KITH_CASCADE | (uint32_t)KITH_ACYCLIC);
KITH_TYPE_OF_(kith_child_of);
#else
KITH_UNUSED_ static const kith_field kith_child_of_fields[] = {KITH_FIELD(kith_child_of, target)};
KITH_UNUSED_ static uint32_t kith_child_of_number;
KITH_UNUSED_ static const kith_type kith_child_of_type = {"ChildOf",
                                                          (uint32_t)sizeof(kith_child_of),
                                                          (uint32_t) _Alignof(kith_child_of),
                                                          0,
                                                          1,
                                                          kith_child_of_fields,
                                                          &kith_child_of_number,
                                                          KITH_SLOT,
                                                          false,
                                                          false,
                                                          KITH_CASCADE | KITH_ACYCLIC};
#endif

/* The tag of what is switched off, with all below it: "Disabled" in scenes and queries in text. It is
 * added and removed like any tag:
 *     KITH_ADD(world, ship, kith_disabled);          the ship, its turrets and their barrels are off
 *     KITH_REMOVE(world, ship, kith_disabled);       they are on, except what has the tag itself
 *
 * Children inherit it where queries ask: there, and wherever else terms are, KITH_WITHOUT(kith_disabled)
 * is for entities that neither have it nor have an ancestor that does, KITH_WITH(kith_disabled) for all
 * others. This costs what a KITH_SLOT tag costs. Everything else is about the entity's own tag:
 * KITH_HAS, trackers, observers, commands, scenes and snapshots. Observers with a query do not have it
 * among their terms (a live query does: see <kith/live.h>). Its layout is KITH_SLOT.
 *
 * What is inherited is brought up to date when a query is opened or asked, and before each stage of
 * systems, at a cost that follows the tags and parents that changed since. It takes 1 bit for each
 * entity, which is there as soon as the tag is registered. */
#ifdef __cplusplus
struct kith_disabled;
KITH_UNUSED_ static const kith_tag_ kith_disabled_type("Disabled", KITH_SLOT);
KITH_TYPE_OF_(kith_disabled);
#else
typedef struct kith_disabled kith_disabled;
KITH_UNUSED_ static uint32_t kith_disabled_number;
KITH_UNUSED_ static const kith_type kith_disabled_type = {
    "Disabled", 0, 1, 0, 0, NULL, &kith_disabled_number, KITH_SLOT, false, false, 0};
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Makes `parent` the parent of `child`, which becomes its last child; KITH_NONE: the child has no parent
 * from now on. The same parent again changes nothing.
 * KITH_ERR_DEAD     one of them is not alive
 * KITH_ERR_CYCLE    the child is the parent, or one of its ancestors; kith_error names the circle
 * KITH_ERR_MEMORY
 * Misuse while a query is open. */
KITH_API kith_result kith_set_parent(kith_world *world, kith_entity child, kith_entity parent);

/* The parent; KITH_NONE: there is none. */
KITH_API kith_entity kith_parent(const kith_world *world, kith_entity child);

/* The children in order. The next one is to be asked for before the child at hand gets another parent or
 * is despawned. */
KITH_API kith_entity kith_child_first(const kith_world *world, kith_entity parent);
KITH_API kith_entity kith_child_last(const kith_world *world, kith_entity parent);
KITH_API kith_entity kith_child_next(const kith_world *world, kith_entity child);
KITH_API kith_entity kith_child_previous(const kith_world *world, kith_entity child);

/* A scan over the children: see kith_sources. */
KITH_API kith_sources kith_children(const kith_world *world, kith_entity parent);

/* How many children there are. Goes through them. */
KITH_API uint32_t kith_child_count(const kith_world *world, kith_entity parent);

/* Makes `before`'s parent the parent of `child`, and puts it before that one. Both may have the parent
 * already.
 * KITH_ERR_DEAD     one of them is not alive
 * KITH_ERR_ABSENT   `before` has no parent
 * KITH_ERR_INPUT    both are the same
 * KITH_ERR_CYCLE    the child is an ancestor of `before`
 * KITH_ERR_MEMORY
 * Misuse while a query is open. */
KITH_API kith_result kith_insert_child(kith_world *world, kith_entity child, kith_entity before);

/* Which of two children comes first: negative, 0 or positive, as for qsort. */
typedef int (*kith_child_compare_fn)(const kith_world *world, kith_entity a, kith_entity b,
                                     void *user);

/* Puts the children of an entity in order. Those that compare as equal keep their order. `compare` may
 * read the world.
 * KITH_ERR_DEAD     the parent is not alive
 * KITH_ERR_MEMORY   they are in the order that they were in
 * Misuse while a query is open. */
KITH_API kith_result kith_sort_children(kith_world *world, kith_entity parent,
                                        kith_child_compare_fn compare, void *user);

/* The ancestor without a parent; the entity itself if it has none. */
KITH_API kith_entity kith_root(const kith_world *world, kith_entity entity);

/* How many ancestors an entity has. */
KITH_API uint32_t kith_depth(const kith_world *world, kith_entity entity);

/* Whether `ancestor` is the parent of `entity`, or the parent of that, and so on. */
KITH_API bool kith_is_ancestor(const kith_world *world, kith_entity ancestor, kith_entity entity);

/* The nearest entity that is both or an ancestor of both, where an entity counts as its own; KITH_NONE:
 * they have no root in common. */
KITH_API kith_entity kith_common_ancestor(const kith_world *world, kith_entity a, kith_entity b);

/* Whether an entity is alive, and neither it nor an ancestor has kith_disabled. Asks one after the
 * other: for many entities, a query is faster. */
KITH_API bool kith_is_enabled(const kith_world *world, kith_entity entity);

/* Goes through all below `root`, depth first: each before its children, those in order. `previous` is
 * where to go on from; `root` itself starts; KITH_NONE ends. From an entity that is not below `root`, it
 * goes through the rest of that one's own tree.
 *     for (kith_entity e = kith_descendant_next(w, root, root); !kith_is_none(e);
 *          e = kith_descendant_next(w, root, e)) ... */
KITH_API kith_entity kith_descendant_next(const kith_world *world, kith_entity root,
                                          kith_entity previous);

/* The same level by level: first the children, then theirs, and so on. Takes longer: it finds the level
 * of `previous`, and may go through that. KITH_NONE also if `previous` is not below `root`. */
KITH_API kith_entity kith_descendant_next_by_level(const kith_world *world, kith_entity root,
                                                   kith_entity previous);

/* Makes an entity that has what `root` has, with all that is below it: its children, theirs, and so on,
 * each with its values, its name and its place. The clone of the root has the same parent as the
 * root, as the last child there, and so no name.
 *
 * What names an entity of the tree, the root included, names its clone in the clones: targets of
 * relations and other fields of kind KITH_ENTITY, in values with hooks after `copy`. What names any
 * other entity stays as it is. Clones are made and linked one after another, each before its
 * children: so of sources that have the same target of a relation, the one that comes first in the
 * tree comes first.
 *
 * Links of KITH_LINKS that lead from the tree are cloned too, after it, each with all that is below it
 * and the links from there. If it was not below the root, its clone has its parent, and no name. Links
 * that only lead into the tree are not cloned.
 *
 * All of it, or nothing:
 * KITH_ERR_DEAD       `root` is not alive
 * KITH_ERR_TYPE       one of them has a component with hooks but without `copy`; kith_error names both
 * KITH_ERR_CONFLICT   one of them has a unique key, other than its name, that the clone would have too
 * KITH_ERR_LIMIT      there are more than 2^24 - 1, or no slots for them
 * KITH_ERR_MEMORY, and what a hook returns
 * Misuse while a query is open: queue it (kith_commands_clone_tree). */
KITH_API kith_result kith_clone_tree(kith_world *world, kith_entity root, kith_entity *clone);

/* The same in one expression; KITH_NONE on failure. */
KITH_API kith_entity kith_clone_tree_or_none(kith_world *world, kith_entity root);

#ifdef __cplusplus
}
#endif
#endif
