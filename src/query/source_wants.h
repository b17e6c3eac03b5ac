/* What a query wants of one component, as it is told to sources. */
#ifndef KI_QUERY_SOURCE_WANTS_H
#define KI_QUERY_SOURCE_WANTS_H

#include "query/condition.h"

#define KI_WANTS_MAX 8u

/* Conditions that an entity must satisfy, all of them, about one component, or about what one function
 * computes from it. Each is KI_CONDITION_NUMBER, KI_CONDITION_ENTITY, KI_CONDITION_STRING,
 * KI_CONDITION_PATH (of names), KI_CONDITION_WITHIN, which its numbers follow, or a KITH_OP_ANY of
 * equalities of one field: a list of values. The operands are known, and do not change while the wants
 * are in use. A source uses the wants that it can; the scan checks the others on what it finds. */
typedef struct ki_wants {
    const ki_condition_node *nodes[KI_WANTS_MAX];
    uint32_t count;
    const ki_texts *texts; /* the world's */
} ki_wants;

/* Whether a want is a list of values. */
static inline bool ki_want_is_list(const ki_condition_node *want)
{
    return want->form == KI_CONDITION_GROUP;
}

/* What a want's field is computed from, or {0}. */
static inline const ki_key_of *ki_want_key(const ki_condition_node *want)
{
    return ki_want_is_list(want) ? &want[1].key : &want->key;
}

/* The field that a want is about. */
static inline const ki_place_of_field *ki_want_field(const ki_condition_node *want)
{
    return ki_want_is_list(want) ? &want[1].field : &want->field;
}

/* How many values a list has: each is one of the nodes after it. */
static inline uint32_t ki_want_values(const ki_condition_node *list)
{
    return list->end - list[1].end + 1;
}

#endif
