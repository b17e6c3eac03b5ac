/* A query: a plan made from terms. What it matches is in matches.h, its open iterations in cursor.h. */
#ifndef KI_QUERY_QUERY_H
#define KI_QUERY_QUERY_H

#include "query/terms.h"
#include "store/disabled.h"
#include "store/ranks.h"
#include "store/store.h"

struct kith_query {
    ki_store *store;
    kith_query *next;
    kith_query *previous;
    kith_query **holder; /* set to NULL when the query is freed; may be NULL */
    kith_query **live; /* that of the live query it belongs to: set to NULL as well; may be NULL */
    char *name;        /* NULL: unnamed */
    uint32_t term_count;
    uint32_t
        given_count; /* of the definition, without conditions; the others are what conditions ask
                             for */
    uint32_t group_count;
    uint32_t open_count;
    uint32_t pinned;  /* number of the term that drives, or KI_NO_TERM */
    bool needs_table; /* has a required KITH_TABLE term */
    bool by_row;      /* tables alone cannot answer: rows are filtered one by one */
    bool looks;       /* has terms that must have changed */
    bool tables_only; /* tables drive, whatever the world holds */
    bool reads_vias;  /* terms of other entities read values */
    bool inherits;    /* it asks what is disabled: see store/disabled.h */
    bool paths;       /* it asks for paths of names: see query/path_memo.h */
    uint64_t looked;  /* write clock at the last look; what was written later has changed */
    ki_ranks matches; /* ki_match: the tables that the KITH_TABLE terms admit */
    const uint8_t *first_match; /* start and end of the first run of matches */
    const uint8_t *first_end;
    uint32_t seen;             /* how many of the store's created tables were matched */
    uint32_t first_filter;     /* the first term that filters and is not KITH_TABLE */
    uint64_t epoch;            /* of the store's tables when `matches` was built */
    struct kith_cursor *spare; /* closed cursors, kept for reuse */
    ki_group *groups;
    struct ki_conditions *conditions; /* about values; or NULL */
    struct ki_plan *plan;             /* kept for calls that answer at once; or NULL */
    struct ki_levels *levels;         /* of a query that goes by depth; NULL: it does not */
    ki_term terms[];                  /* those that are given first */
};

/* What a query is made of. */
typedef struct ki_query_parts {
    const char *call; /* that makes it, for messages */
    const char *name;
    const kith_type *driver;
    kith_order order;
    const kith_term
        *terms; /* without conditions; those of other entities name their components, and
                               ask for nothing */
    ki_component *const *components;
    uint32_t term_count;
    uint32_t
        given_count; /* terms of the definition; those after them are what conditions ask for */
    struct ki_conditions *conditions; /* or NULL; the query's, once it is made */
    bool inherits;                    /* it asks what is disabled */
} ki_query_parts;

/* A query from terms whose components were found. Errors as for kith_query_new. */
kith_result ki_query_make(ki_store *store, const ki_query_parts *parts, kith_query **query);
void ki_query_drop(kith_query *query);
void ki_queries_free(ki_store *store);

/* Lets all queries take everything for changed at their next look, after a restore. */
void ki_queries_look_anew(ki_store *store);

void ki_query_refresh_derived_slow(const kith_query *query);

/* Brings what the query asks, and is derived from others, up to date; by the thread of the owner. It
 * does not fail: what takes memory, a query can do without. */
static inline void ki_query_refresh_derived(const kith_query *query)
{
    if (query->inherits || query->paths) {
        ki_query_refresh_derived_slow(query);
    }
}

/* A query for messages: its name in quotes, or the components that it is about: the query of Position,
 * !Frozen. (query_label.c) */
typedef struct ki_query_label {
    char text[256];
} ki_query_label;

ki_query_label ki_query_label_of(const kith_query *query);

#endif
