/* Relations: components whose values lead from an entity, the source, to another, the target. For each
 * relation a column by slot has the lists of sources that targets have.
 *
 * The lists are changed before anything else of a transition is, and put back if that fails. So checks
 * and cascades see links as they are going to be. */
#ifndef KI_STORE_RELATION_H
#define KI_STORE_RELATION_H

#include "store/store.h"

/* What a slot is as a source and as a target. Numbers of slots are plus one; 0: none. */
typedef struct ki_link {
    uint32_t target1;
    uint32_t first1;    /* the first of its sources */
    uint32_t next1;     /* the source after it, of the same target */
    uint32_t previous1; /* the one before it; of the first source: the last */
} ki_link;

typedef struct ki_relation {
    ki_component *component;
    struct ki_relation *previous; /* by name; NULL: it is the first */
    uint32_t number;              /* among the store's, in the order of registration */
    ki_column links;              /* paged: ki_link by slot */
} ki_relation;

/* Makes the lists for a component that is to be a relation, and room for ki_relations_add.
 * KITH_ERR_MEMORY. */
kith_result ki_relation_new(ki_store *store, ki_relation **relation);
void ki_relations_add(ki_store *store, ki_relation *relation);
void ki_relation_free(ki_store *store, ki_relation *relation);

/* What a slot is. */
static inline ki_link ki_relation_link(const ki_relation *relation, uint32_t index)
{
    const ki_link *link = KI_COLUMN_FIND(const ki_link, &relation->links, index, KI_SMALL_SHIFT);
    return link == NULL ? (ki_link){0} : *link;
}

/* Whether a slot is a source or a target of any relation. */
bool ki_relations_have(const ki_store *store, uint32_t index);

/* Whether an acyclic relation leads from `from1` to the slot `index`, or `from1` is it. */
bool ki_relation_leads(const ki_relation *relation, uint32_t from1, uint32_t index);

/* The slot after `at1` of those that lead to `root1` directly or not: depth first, each before its own
 * sources, these in order. `root1` starts; 0: there are no more, or `at1` is none of
 * them. The relation is acyclic. */
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

/* ---- Changes of links that can be taken back */

/* A link as it was. */
typedef struct ki_link_change {
    ki_relation *relation;
    uint32_t index;   /* of the source */
    uint32_t target1; /* what it led to, */
    uint32_t next1;   /* and the source that it came before */
} ki_link_change;

#define KI_LINK_CHANGES_OWN 4u

typedef struct ki_link_changes {
    ki_store *store;
    ki_heap *heap; /* of what is not in `own` */
    ki_link_change *list;
    uint32_t count;
    uint32_t capacity;
    ki_link_change own[KI_LINK_CHANGES_OWN]; /* written as they are needed */
} ki_link_changes;

/* An empty list; it must not be moved, and ends by ki_link_changes_end. */
void ki_link_changes_begin(ki_link_changes *changes, ki_store *store, ki_heap *heap);

/* ki_relation_set_link that can be taken back. */
kith_result ki_link_changes_add(ki_link_changes *changes, ki_relation *relation, uint32_t index,
                                uint32_t target1, uint32_t before1);

/* Has a slot lead nowhere in any relation. */
kith_result ki_link_changes_cut_all(ki_link_changes *changes, uint32_t index);

/* Takes the changes back. */
void ki_link_changes_undo(ki_link_changes *changes);

/* Keeps the changes, or takes them back if what they were made for failed. Returns `result`. */
kith_result ki_link_changes_end(ki_link_changes *changes, kith_result result);

#endif
