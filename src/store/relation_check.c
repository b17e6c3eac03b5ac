/* Whether the lists of a relation say what its values say. */
#include "store/relation.h"

bool ki_relation_link_is_right(const ki_store *store, const ki_relation *relation, uint32_t index)
{
    const ki_link link = ki_relation_link(relation, index);
    const ki_record *record =
        index < store->entities.slots ? ki_record_at(&store->entities, index) : NULL;
    if (record == NULL || record->table >= KI_RETIRED_TABLE) {
        return link.target1 == 0 && link.first1 == 0;
    }
    const void *value = ki_store_value(store, relation->component, index, record);
    if (value == NULL) {
        return link.target1 == 0;
    }
    const kith_entity target = ki_relation_target(relation, value);
    return link.target1 == target.index1 && ki_record_of(&store->entities, target) != NULL;
}

/* Checks the list of one target, and counts its sources. A list that comes back to a source that it had
 * has another one before that: so each is looked at once. */
static const char *relation_check_list(const ki_relation *relation, uint32_t target1,
                                       uint32_t first1, uint64_t *sources)
{
    uint32_t previous1 = 0;
    for (uint32_t at1 = first1; at1 != 0;) {
        ki_link link = ki_relation_link(relation, at1 - 1);
        if (link.target1 != target1) {
            return "a relation's list has the source of another target";
        }
        if (previous1 != 0 && (link.previous1 != previous1 || at1 == first1)) {
            return "a relation's list is not the same backwards";
        }
        ++*sources;
        previous1 = at1;
        at1 = link.next1;
    }
    return ki_relation_link(relation, first1 - 1).previous1 == previous1
               ? NULL
               : "a relation's list does not know its last source";
}

/* Whether all sources, which are in lists, come after a target that is no source itself. */
static bool relation_has_circle(const ki_relation *relation, uint32_t slots, uint64_t sources)
{
    uint64_t reached = 0;
    for (uint32_t root = 0; root < slots; root++) {
        ki_link link = ki_relation_link(relation, root);
        uint32_t at1 = link.target1 == 0 ? link.first1 : 0;
        for (; at1 != 0; at1 = ki_relation_next_below(relation, root + 1, at1)) {
            reached++;
        }
    }
    return reached != sources;
}

const char *ki_relation_check(const ki_store *store, const ki_relation *relation)
{
    uint64_t linked = 0;
    uint64_t listed = 0;
    const uint32_t slots = store->entities.slots > relation->links.capacity
                               ? store->entities.slots
                               : relation->links.capacity;
    const char *wrong = ki_column_check(&store->columns, &relation->links);
    for (uint32_t index = 0; index < slots && wrong == NULL; index++) {
        ki_link link = ki_relation_link(relation, index);
        if (!ki_relation_link_is_right(store, relation, index)) {
            wrong = "a relation's link is not what the value says, or leads to the dead";
        } else if (link.target1 == 0 && (link.next1 != 0 || link.previous1 != 0)) {
            wrong = "a relation's list goes on from what is no source";
        } else if (link.first1 != 0) {
            wrong = relation_check_list(relation, index + 1, link.first1, &listed);
        }
        linked += link.target1 != 0;
    }
    if (wrong == NULL && linked != listed) {
        wrong = "a relation's source is in no list";
    }
    if (wrong == NULL && (relation->rules & KITH_ACYCLIC) != 0 &&
        relation_has_circle(relation, slots, linked)) {
        wrong = "a relation's targets lead in a circle";
    }
    return wrong;
}
