/* A selection: a query, what is read of the entities that match, and the rows that this gives. */
#ifndef KI_REFLECT_SELECTION_H
#define KI_REFLECT_SELECTION_H

#include <kith/select.h>

#include "query/sorted.h"
#include "reflect/query_text_compile.h"
#include "reflect/select_distance.h"
#include "reflect/select_number.h"
#include "reflect/select_table.h"
#include "reflect/select_way.h"

#define KI_EXPLAIN_LINE 240u /* bytes of a line of an explanation; the rest is cut off */
#define KI_SELECT_RUN "kith_select_run" /* the call, for messages */

struct kith_select {
    kith_world *world;
    kith_query *query;
    kith_select *next; /* of the world's selections */
    kith_select *previous;
    ki_compiler compiler; /* has the memory of names */
    ki_select_way *ways; /* to the components that are read, each once */
    uint32_t way_count;
    uint32_t way_capacity;
    ki_select_table read; /* what is read of each entity */
    ki_select_table
        groups;   /* with sums: the result, in which `key_count` columns of `read` are keys */
    bool grouped; /* has sums: the result is `groups`, else it is `read` */
    bool looks;   /* has changed(T) */
    bool explains; /* the rows of `read` are lines about how the query is run; */
    bool analyzes; /* which then is run */
    uint32_t key_count;
    uint32_t
        shown_count; /* columns of the result that are given out; the others are for its order */
    ki_select_order *orders;
    uint32_t order_count;
    uint32_t order_capacity;
    bool limited;
    ki_select_number limit;
    ki_select_distance distance; /* that rows come by */
    ki_sorted first; /* what the rows come by first, if they are entities and only some are given out */
    bool has_first;
    uint32_t *order;    /* the result's rows; NULL: none */
    size_t order_size;  /* in bytes */
    uint32_t row_count; /* of those that are given out */
};

static inline ki_select_table *ki_select_result(kith_select *select)
{
    return select->grouped ? &select->groups : &select->read;
}

/* Finds the columns of a compiled text. (select_plan.c) KITH_ERR_INPUT, KITH_ERR_MEMORY */
kith_result ki_select_plan(kith_select *select);

/* Reads the entities that match into `read`. (select_run.c) */
kith_result ki_select_read(kith_select *select);

/* Writes how the query is run into `read`. (select_explain.c) */
kith_result ki_select_explain(kith_select *select);

/* Makes the rows of `groups` of those of `read`. (select_groups.c) */
kith_result ki_select_sum_up(kith_select *select);

#endif
