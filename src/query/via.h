/* A via: how a term reaches another entity, along relations, and what it asks of it. */
#ifndef KI_QUERY_VIA_H
#define KI_QUERY_VIA_H

#include <kith/condition.h>

#include "query/driver.h"

#define KI_VIA_STEPS_MAX 4u

/* One step: to the entity whose handle is in a field. */
typedef struct ki_via_step {
    ki_component *component;
    uint32_t offset; /* of the handle in a value */
} ki_via_step;

typedef struct ki_via {
    ki_via_step steps[KI_VIA_STEPS_MAX]; /* from the entity on */
    uint32_t step_count;
    uint32_t entity; /* the number in the row of the one that it begins at; 0: it begins at the query's
                        entity, or at the one that is asked */
    bool nearest; /* it goes on along the last one, to the first entity with `component` */
    ki_component *component; /* what the other entity is to have; NULL: what its group of conditions
                                says */
    kith_role role;          /* KITH_MUST, KITH_MUST_NOT or KITH_MAY */
    bool conditional;        /* it is to satisfy conditions */
    uint32_t number;         /* among the vias of the query, */
    uint32_t term;           /* and among its terms; KI_NO_TERM: it is a condition */
    bool valued;             /* the type has values, and the term reads them */
} ki_via;

/* Whether a condition is about another entity. */
static inline bool ki_via_is_condition(const kith_condition *condition)
{
    return condition != NULL &&
           (condition->op == KITH_OP_TARGET || condition->op == KITH_OP_NEAREST ||
            condition->op == KITH_OP_OTHER);
}

/* What a term asks of the entity that it is about in the end; itself if that is the query's. */
static inline const kith_term *ki_via_innermost(const kith_term *term)
{
    while (ki_via_is_condition(term->condition)) {
        term = term->condition->terms;
    }
    return term;
}

/* Whether a term has a number: it is no condition, nor is what it asks of another entity. */
static inline bool ki_term_is_numbered(const kith_term *term)
{
    return ki_via_innermost(term)->condition == NULL;
}

/* The living entity that a via leads to from another one; KITH_NONE: there is none. It need not have the
 * component, unless it is the nearest that does. */
kith_entity ki_via_find(const ki_store *store, const ki_via *via, kith_entity entity);

/* Whether there is another entity, and it lacks the component; or, of the nearest, whether nothing that
 * it could be has that. */
bool ki_via_lacks(const ki_store *store, const ki_via *via, kith_entity entity);

/* The path of a via: the entity that comes after `entity`, which is number `step` of it, the one that it
 * starts from being number 0. KITH_NONE: it ends there. It may be dead; then it is the last one. */
kith_entity ki_via_next(const ki_via *via, kith_entity entity, uint32_t step);

/* Finds the values of the component that a via asks for, from the rows of the driving storage that
 * `asked` has a bit for, among 64 from `row` on. Their bits are left of those that have it; for a row
 * that is asked about, `values` gets the address or NULL. What tags get means nothing. */
uint64_t ki_via_values(const ki_via *via, const ki_driver *driver, uint32_t row, uint64_t asked,
                       const void **values);

/* The same from `count` entities, at most 64. */
uint64_t ki_via_values_from(const ki_via *via, const ki_store *store, const kith_entity *entities,
                            uint32_t count, const void **values);

#endif
