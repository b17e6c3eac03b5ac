/* Room for the terms, conditions and operands that a random query is made of. It must not move while
 * they are in use. */
#ifndef KITH_TEST_NAIVE_TERMS_H
#define KITH_TEST_NAIVE_TERMS_H

#include <kith/kith.h>

#define NAIVE_NODES 128u
#define NAIVE_LIST 12u /* terms of a query, and the end */
#define NAIVE_NO_LINK KITH_ROW_ENTITIES

typedef struct naive_terms {
    kith_term list[NAIVE_LIST]; /* of the query */
    uint32_t count;
    uint32_t numbers; /* of entities in its rows */
    kith_term terms[NAIVE_NODES]; /* a list is a part of it that ends with a term of zeros */
    kith_condition conditions[NAIVE_NODES];
    kith_operand operands[NAIVE_NODES];
    uint32_t term_count, condition_count, operand_count;
} naive_terms;

/* Forgets all terms. */
void naive_begin(naive_terms *t);

/* Adds a term to the query. */
void naive_add(naive_terms *t, kith_term term);

/* A list of terms, which are zeros; a condition of this kind; operands. */
kith_term *naive_list(naive_terms *t, uint32_t count);
kith_condition *naive_condition(naive_terms *t, kith_op op);
kith_operand *naive_operands(naive_terms *t, uint32_t count);

/* KITH_PAIR, KITH_PAIR_BY unless `link` is NAIVE_NO_LINK, and KITH_IF_SAME without a type. */
kith_term naive_pair(naive_terms *t, const kith_type *type, uint32_t source, uint32_t target,
                     uint32_t link);

/* KITH_OTHER; KITH_VIA or KITH_VIA_FIELD, of KITH_UP too; KITH_IF_ANY and the like of two terms. */
kith_term naive_other(naive_terms *t, uint32_t number, kith_term asked);
kith_term naive_via(naive_terms *t, kith_op op, const kith_type *type, const char *field,
                    kith_term asked);
kith_term naive_group(naive_terms *t, kith_op op, kith_term first, kith_term second);

/* KITH_IF_NOT of one term. */
kith_term naive_not(naive_terms *t, kith_term term);

#endif
