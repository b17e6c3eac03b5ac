/* Levels: the rows of the storage that drives a query by the depth of their entities, for queries that
 * visit parents before children, or after them. They are gathered when the query is opened, and kept
 * until an entity came, went or moved in that storage, or a child got another parent.
 *
 * They have all rows of the driving storage, whether they match or not: which do is found out by the
 * scan, as always. */
#ifndef KI_QUERY_LEVELS_H
#define KI_QUERY_LEVELS_H

#include "query/driver.h"
#include "query/matches.h"

/* Rows that follow one another, whose entities have the same depth. */
typedef struct ki_level_run {
    const ki_match *match; /* where tables drive: in its table; else NULL */
    uint32_t row;
    uint32_t count;
} ki_level_run;

typedef struct ki_level {
    uint32_t end;  /* number after that of the last run; none is empty */
    uint32_t rows; /* in all of its runs */
} ki_level;

typedef struct ki_levels {
    bool children_first;
    ki_level_run *runs; /* level after level, and in the order of the scan within each */
    uint32_t run_count;
    uint32_t run_capacity;
    ki_level *list;
    uint32_t count;
    uint32_t capacity;

    /* What they were gathered from. */
    ki_driver_kind kind;
    uint32_t term;
    uint32_t rows; /* of the driving storage, or of all tables that drive */
    uint32_t match_count;
    uint64_t match_epoch;
    uint64_t time;  /* the write clock then; 0: they are not gathered */
    uint64_t round; /* of the depths */
} ki_levels;

/* Levels of a query with an order; NULL: no memory. */
ki_levels *ki_levels_new(ki_heap *heap, kith_order order);
void ki_levels_free(ki_heap *heap, ki_levels *levels);

/* Whether the levels of a query are up to date for a driver, if the depths and its matches are. */
bool ki_levels_are_right(const kith_query *query, const ki_driver *driver);

/* Brings the levels of a query up to date, whose matches are, for a driver that was picked.
 * KITH_ERR_MEMORY: they are to be gathered anew. */
kith_result ki_levels_refresh(const kith_query *query, const ki_driver *driver);

/* The number of the level that a run is in. */
uint32_t ki_level_of_run(const ki_levels *levels, uint32_t run);

#endif
