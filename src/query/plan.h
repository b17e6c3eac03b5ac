/* A plan: how a query with conditions finds its rows: by asking all of them, or with the help of a
 * source. It is made each time that the query is opened or asked, from counts that are there anyway. */
#ifndef KI_QUERY_PLAN_H
#define KI_QUERY_PLAN_H

#include "query/driver.h"
#include "query/query_source.h"

/* Why a plan is as it is. */
typedef enum ki_plan_reason {
    KI_PLAN_NO_CONDITION, /* there is nothing that a source could tell */
    KI_PLAN_NO_SOURCE,    /* no source serves the conditions */
    KI_PLAN_FEW_ROWS,     /* there are too few rows to ask */
    KI_PLAN_MANY_MATCH,   /* the best source names too many of the rows */
    KI_PLAN_STALE,        /* bringing the best source up to date takes longer than the scan */
    KI_PLAN_FAILED,       /* the best source could not be brought up to date: memory ran out */
    KI_PLAN_CHOSEN        /* the source is used */
} ki_plan_reason;

typedef struct ki_plan {
    ki_source *source; /* that is used, or NULL */
    ki_wants wants;    /* of it */

    /* If `named`: the rows to ask, in ascending order: the number of the table in the upper half, 0
     * where anything else drives. Otherwise the source skips blocks, if there is one. */
    bool named;
    uint64_t *places;
    uint32_t place_count;
    uint32_t place_capacity;
    uint32_t at; /* the one that was asked for last */
    ki_slot_list list;

    /* Of a source that skips blocks: rows that it was found not to skip, from a place on. */
    uint64_t kept;
    uint32_t kept_count;

    /* What the choice was made of. */
    ki_plan_reason reason;
    ki_source *best; /* the source with the best offer; or NULL */
    ki_offer offer;  /* its offer */
    bool again;      /* it is only brought up to date, and then the choice is made again */
    uint32_t rows;   /* that a scan asks */
} ki_plan;

/* Decides how to find the rows of a query that is about to be scanned as `driver` says. Changes
 * nothing, and needs no memory. */
void ki_plan_choose(ki_plan *plan, const kith_query *query, const ki_driver *driver);

/* Decides, and readies the source that is taken. If there is none, or memory runs out, the plan is to
 * ask all rows. */
void ki_plan_make(ki_plan *plan, const kith_query *query, const ki_driver *driver);

/* Makes the plan of a query that is asked by its owner. NULL: all rows are asked. `*kept` is memory that
 * is used again. */
ki_plan *ki_plan_for(ki_plan **kept, const kith_query *query, const ki_driver *driver);

/* Loops that are open go on without a source, which is about to be freed. */
void ki_plans_drop_source(ki_store *store, const ki_source *source);

/* Frees a plan; NULL is fine. */
void ki_plan_free(ki_heap *heap, ki_plan *plan);

/* The first row from `row` on, at most `end`, that has to be asked. */
uint32_t ki_plan_next(ki_plan *plan, const ki_driver *driver, uint32_t row, uint32_t end);

/* Drops from masks of 64 rows each, from `row` on, the rows that need not be asked. */
void ki_plan_filter(ki_plan *plan, const ki_driver *driver, uint32_t row, uint64_t *masks,
                    uint32_t words);

#endif
