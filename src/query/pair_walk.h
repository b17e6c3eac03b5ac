/* Pairs: how a query finds the other entities of its rows, step by step along links. What is found is
 * asked at once, so that no step is taken for a row that does not match. */
#ifndef KI_QUERY_PAIR_WALK_H
#define KI_QUERY_PAIR_WALK_H

#include <kith/pair.h>

#include "query/query.h"

/* Numbers of entities in a row: those that the program gave, and after these the links that have
 * none. */
#define KI_ROW_ROOM (KITH_ROW_ENTITIES + KITH_ROW_PAIRS)
#define KI_PAIR_STEPS_MAX (2 * KITH_ROW_PAIRS)
#define KI_NOT_FOUND UINT32_MAX
#define KI_NO_STEP UINT32_MAX

typedef enum ki_pair_way {
    KI_PAIR_SOURCES, /* `to` is each source of `from` */
    KI_PAIR_FOLLOW,  /* `to` is the target of `from` */
    KI_PAIR_CHECK    /* the target of `from` is `to` */
} ki_pair_way;

typedef struct ki_pair_step {
    ki_pair_way way;
    const struct ki_relation *relation;
    uint32_t from; /* numbers in the row */
    uint32_t to;
    uint32_t retry; /* the last step up to this one that may find several; KI_NO_STEP: none */
} ki_pair_step;

/* A pair, as it was given. */
typedef struct ki_pair {
    ki_component *component;
    uint32_t source;
    uint32_t target;
    uint32_t link; /* of KITH_LINKS: below KITH_ROW_ENTITIES if it was given a number */
    bool knows_source; /* before the pair is followed; so do the next two */
    bool knows_target;
    bool knows_link;
} ki_pair;

typedef struct ki_pairs {
    uint32_t entity_count; /* of a row, without links that have no number */
    uint32_t count;
    ki_pair list[KITH_ROW_PAIRS];
    uint32_t step_count;
    ki_pair_step steps[KI_PAIR_STEPS_MAX];
    uint32_t found[KI_ROW_ROOM]; /* after how many steps; KI_NOT_FOUND: never */
    uint64_t asked; /* bit i: there are conditions to ask after step i; 0 are those of number 0 alone */
} ki_pairs;

/* Pairs without any; NULL: no memory. */
ki_pairs *ki_pairs_new(ki_heap *heap);
void ki_pairs_free(ki_heap *heap, ki_pairs *pairs);

/* Adds a pair; `link` is KI_NOT_FOUND if it has no number. KITH_ERR_INPUT. */
kith_result ki_pairs_add(ki_context *context, const char *call, ki_pairs *pairs,
                         ki_component *component, uint32_t source, uint32_t target, uint32_t link);

/* Whether all numbers up to the highest are found. KITH_ERR_INPUT. */
kith_result ki_pairs_check(ki_context *context, const char *call, const ki_pairs *pairs);

/* The rows of one entity. It starts as zeros, with `row[0]`, the slot of the entity. */
typedef struct ki_pair_walk {
    bool found;                        /* there was a row */
    uint32_t row[KI_ROW_ROOM];         /* slots, by number */
    uint32_t next1[KI_PAIR_STEPS_MAX]; /* of KI_PAIR_SOURCES: the slot of the next one, plus one */
} ki_pair_walk;

/* The pairs of a query; NULL: its rows have one entity. */
const ki_pairs *ki_query_pairs(const kith_query *query);

/* Starts with the entity in a slot, which matches by itself. */
void ki_pair_walk_begin(ki_pair_walk *walk, uint32_t index);

/* Moves on to the next row; false: there are no more. */
bool ki_pair_walk_next(const kith_query *query, ki_pair_walk *walk);

/* Counts the rows of the entity in a slot, until they are `enough`. */
uint64_t ki_pair_count(const kith_query *query, uint32_t index, uint64_t enough);

#endif
