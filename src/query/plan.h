/* A plan: how a query with conditions finds its rows: by asking all of them, or with the help of a
 * source. It is made each time that the query is opened or asked, from counts that are there anyway. */
#ifndef KI_QUERY_PLAN_H
#define KI_QUERY_PLAN_H

#include "query/driver.h"
#include "query/query_source.h"

/* Costs, in rows that are asked by masks, the cheapest way: about a quarter of a nanosecond each. They
 * are rough on purpose: what counts is that a source is not taken where it could be much slower than the
 * scan. */
#define KI_PLAN_ROWS_MIN 256u /* fewer rows are asked faster than a source */
#define KI_PLAN_NAMED 768u /* cost of a row that a source names: it is located, sorted and asked */
#define KI_PLAN_LOOKED 16u /* cost of a field that a source has to look at to be up to date */
/* A source that searches looks at up to so many entries for each row that it may name. */
#define KI_PLAN_SEARCHED 6u
/* A source that is not up to date is brought there once scans have cost so many times what that takes.
 * So they are slower by a fifth at most where values are written again and again. */
#define KI_PLAN_DEBTS 5u

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
    ki_slot_list list;

    /* What the choice was made of. */
    ki_plan_reason reason;
    ki_source *best; /* the source with the best offer; or NULL */
    ki_offer offer;  /* its offer */
    bool again;      /* it is only brought up to date, and then the choice is made again */
    uint32_t rows;   /* that a scan asks, */
    uint32_t row_cost; /* what it costs to ask one of them, */
    uint32_t threads;  /* and how many threads do so side by side */
} ki_plan;

/* How far a scan by a plan has come. Several scans may go by one plan, each with a progress of its own:
 * so the plan may be used by several threads. All zero: it has not begun. */
typedef struct ki_plan_progress {
    uint32_t at; /* of the rows that are named: the one that was asked for last */
    /* Of a source that skips blocks: rows that it was found not to skip, from a place on. */
    uint64_t kept;
    uint32_t kept_count;
} ki_plan_progress;

/* No plan of a query goes by this component from now on: it may be written for any entity while the
 * query is open. */
void ki_plan_avoid(kith_query *query, const ki_component *component);

/* Decides how to find the rows of a query that is about to be scanned as `driver` says, by so many
 * threads side by side. Changes nothing, and needs no memory. */
void ki_plan_choose(ki_plan *plan, const kith_query *query, const ki_driver *driver,
                    uint32_t threads);

/* Makes the plan of a query that its owner is about to ask: decides, and readies the source that is
 * taken. NULL: all rows are asked, since there is none, or since memory ran out. `*kept` is memory that
 * is used again. */
const ki_plan *ki_plan_for(ki_plan **kept, const kith_query *query, const ki_driver *driver,
                           uint32_t threads);

/* Room for a plan. KITH_ERR_MEMORY, without a message. */
kith_result ki_plan_reserve(ki_plan **kept, const kith_query *query);

/* Lets a plan name the entities whose slots are in its list. KITH_ERR_MEMORY. */
kith_result ki_plan_name(ki_plan *plan, const kith_query *query, const ki_driver *driver);

/* Loops that are open go on without a source, which is about to be freed. */
void ki_plans_drop_source(ki_store *store, const ki_source *source);

/* Frees a plan; NULL is fine. */
void ki_plan_free(ki_heap *heap, ki_plan *plan);

/* The first row from `row` on, at most `end`, that has to be asked. */
uint32_t ki_plan_next(const ki_plan *plan, ki_plan_progress *progress, const ki_driver *driver,
                      uint32_t row, uint32_t end);

/* Drops from masks of 64 rows each, from `row` on, the rows that need not be asked. */
void ki_plan_filter(const ki_plan *plan, ki_plan_progress *progress, const ki_driver *driver,
                    uint32_t row, uint64_t *masks, uint32_t words);

#endif
