/* Relations: components whose values lead from an entity, the source, to another, the target. For each
 * relation a column by slot has the lists of sources that targets have.
 *
 * A component that KITH_LINKS declares is two relations: the entity that has it is the source of both,
 * and leads to what the program calls the source and the target of the link.
 *
 * The lists are changed before anything else of a transition is, and put back if that fails. So checks
 * and cascades see links as they are going to be. */
#ifndef KI_STORE_RELATION_H
#define KI_STORE_RELATION_H

#include "store/store.h"

typedef struct kith_link_ ki_link;

typedef struct ki_relation {
    ki_component *component;
    uint32_t offset; /* of the target in a value */
    uint32_t
        rules;  /* kith_relation_rule; of KITH_LINKS what they come down to for the entity that is a
                        link: KITH_CASCADE or KITH_REFUSE */
    bool pulls; /* what the link leads to by the other end goes too */
    struct ki_relation *other;    /* of a link: the end after this one; or NULL */
    struct ki_relation *previous; /* by name; NULL: it is the first */
    uint32_t number;              /* among the store's, in the order of registration */
    ki_column links;              /* paged: ki_link by slot */
} ki_relation;

/* Makes the relations of a type that is one, and room for ki_relations_add. KITH_ERR_MEMORY. */
kith_result ki_relations_new(ki_store *store, const kith_type *type, ki_relation **relations);

/* Adds them for a component. */
void ki_relations_add(ki_store *store, ki_component *component, ki_relation *relations);

void ki_relations_free(ki_store *store, ki_relation *relations);

/* The target that a value names; NULL is zero bytes. */
static inline kith_entity ki_relation_target(const ki_relation *relation, const void *value)
{
    kith_entity target = KITH_NONE;
    if (value != NULL) {
        memcpy(&target, (const uint8_t *)value + relation->offset, sizeof target);
    }
    return target;
}

/* What a slot is. */
static inline ki_link ki_relation_link(const ki_relation *relation, uint32_t index)
{
    const ki_link *link = KI_COLUMN_FIND(const ki_link, &relation->links, index, KI_SMALL_SHIFT);
    return link == NULL ? (ki_link){0} : *link;
}

/* How many links an acyclic relation has from a slot on. */
static inline uint32_t ki_relation_depth(const ki_relation *relation, uint32_t index)
{
    uint32_t depth = 0;
    uint32_t at1 = index + 1;
    while ((at1 = ki_relation_link(relation, at1 - 1).target1) != 0) {
        depth++;
    }
    return depth;
}

/* The slot of the parent of what is in a slot, plus one; 0: there is none. */
static inline uint32_t ki_entity_parent1(const ki_store *store, uint32_t index)
{
    return store->child_of == NULL ? 0 : ki_relation_link(store->child_of, index).target1;
}

/* Whether a slot has a link in the relation of a component, or in the first one of KITH_LINKS: one that
 * leads from it or, unless `from`, to it. */
static inline bool ki_relation_is_linked(const ki_relation *relation, uint32_t index, bool from)
{
    if (relation->other == NULL && from) {
        return ki_relation_link(relation, index).target1 != 0;
    }
    const ki_relation *end = relation->other != NULL && !from ? relation->other : relation;
    return ki_relation_link(end, index).first1 != 0;
}

/* Whether a slot leads to another one or, of KITH_LINKS, whose first end is given, there is a link from
 * one to the other. */
bool ki_relation_links(const ki_relation *relation, uint32_t source, uint32_t target);

/* Whether an acyclic relation leads from `from1` to the slot `index`, or `from1` is it. */
bool ki_relation_leads(const ki_relation *relation, uint32_t from1, uint32_t index);

/* The slot after `at1` of those that lead to `root1` directly or not: depth first, each before its own
 * sources, these in order. `root1` starts; 0: there are no more. From a slot that is none of them it
 * goes through the rest of its own tree. The relation is acyclic. */
uint32_t ki_relation_next_below(const ki_relation *relation, uint32_t root1, uint32_t at1);

/* The last source of a target; 0: there is none. */
static inline uint32_t ki_relation_last(const ki_relation *relation, ki_link target)
{
    return target.first1 == 0 ? 0 : ki_relation_link(relation, target.first1 - 1).previous1;
}

/* Whether what a slot leads to is what its value says, and lives: without a value it leads nowhere, and
 * where nobody lives nothing leads to either. */
bool ki_relation_link_is_right(const ki_store *store, const ki_relation *relation, uint32_t index);

/* Compares the lists with the values of the component, whatever they hold, in time that goes with the
 * number of slots. NULL: all is well. */
const char *ki_relation_check(const ki_store *store, const ki_relation *relation);

/* Has a source lead to a target, before the source `before1` of that, which is another one; 0: after
 * all. With `target1` 0 it leads nowhere. KITH_ERR_MEMORY: nothing changed. */
kith_result ki_relation_set_link(ki_store *store, ki_relation *relation, uint32_t index,
                                 uint32_t target1, uint32_t before1);

/* ---- Changes of links that can be taken back
 *
 * A call that changes links notes where it begins, and ends with ki_link_changes_end. Calls within it do
 * the same. */

/* An empty list. */
static inline void ki_link_changes_init(ki_link_changes *changes)
{
    changes->list = changes->own;
    changes->count = 0;
    changes->capacity = KI_LINK_CHANGES_OWN;
}

/* What a call begins with, for the others. */
static inline uint32_t ki_link_changes_begin(const ki_store *store)
{
    return store->link_changes.count;
}

/* ki_relation_set_link that can be taken back. */
kith_result ki_link_changes_add(ki_store *store, ki_relation *relation, uint32_t index,
                                uint32_t target1, uint32_t before1);

/* The same with an entity as the target, and after all of its sources; if the slot leads there already,
 * it keeps its place. KITH_ERR_DEAD and KITH_ERR_CYCLE, without a message: it cannot be the target. */
kith_result ki_link_changes_lead(ki_store *store, ki_relation *relation, uint32_t index,
                                 kith_entity target);

/* Has a slot lead nowhere in the relations of a component. */
kith_result ki_link_changes_cut(ki_store *store, const ki_component *component, uint32_t index);

/* Has a slot lead nowhere in any relation. */
kith_result ki_link_changes_cut_all(ki_store *store, uint32_t index);

/* Takes back the changes since `begin`. */
void ki_link_changes_undo(ki_store *store, uint32_t begin);

/* Frees the memory of the list, which is empty. */
void ki_link_changes_free(ki_store *store);

/* Keeps the changes since `begin`, or takes them back if what they were made for failed. Returns
 * `result`. */
static inline kith_result ki_link_changes_end(ki_store *store, uint32_t begin, kith_result result)
{
    if (result != KITH_OK) {
        ki_link_changes_undo(store, begin);
    }
    store->link_changes.count = begin;
    if (store->link_changes.capacity != KI_LINK_CHANGES_OWN && begin == 0) {
        ki_link_changes_free(store);
    }
    return result;
}

#endif
