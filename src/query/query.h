/* Queries: a plan made from terms, the tables that it matches, and the open cursors that walk it.
 * */
#ifndef KI_QUERY_QUERY_H
#define KI_QUERY_QUERY_H

#include <kith/query.h>

#include "store/ranks.h"
#include "store/store.h"

/* A term with its component found. */
typedef struct ki_term {
    ki_component *component;
    kith_access access;
    kith_role role;
    uint32_t group;
    bool changed; /* KITH_MUST, and must have changed since the query's look */
    bool column;  /* KITH_COLUMN may have it, whatever the world holds */
    bool valued;  /* has values, and wants them */
} ki_term;

/* A group of KITH_ONE_OF terms. */
typedef struct ki_group {
    uint32_t number;
    bool mixed; /* some of its terms are not KITH_TABLE: a table cannot tell */
} ki_group;

struct kith_query {
    ki_store *store;
    kith_query *next;
    kith_query *previous;
    kith_query **holder; /* becomes NULL with the query; NULL: nobody's */
    char *name;          /* NULL: none */
    uint32_t term_count;
    uint32_t group_count;
    uint32_t open_count;
    uint32_t pinned;  /* number of the term that drives, or KI_NO_TERM */
    bool needs_table; /* has a required KITH_TABLE term */
    bool by_row;      /* terms of other layouts have a say: rows must be looked at one by one */
    bool looks;       /* has terms that must have changed */
    bool columns;     /* all that must be there is to stand in a row */
    bool tables_only; /* tables drive, whatever the world holds */
    uint64_t looked;  /* what was written later than at this time of the write clock has changed */
    ki_ranks matches; /* the tables that the KITH_TABLE terms admit: ki_match */
    const uint8_t *first_match; /* their first run, */
    const uint8_t *first_end;   /* and its end */
    uint32_t seen;              /* of the store's created tables */
    uint32_t first_apart;       /* the first term that has a say and is not KITH_TABLE */
    uint64_t epoch;             /* of the store's tables; the matches are void in another */
    struct kith_cursor *spare;  /* closed cursors, to be used again */
    ki_group *groups;
    ki_term terms[];
};

/* A table that a query matches. */
typedef struct ki_match {
    ki_table *table;
    ki_column *columns[]; /* the values of each term; NULL if it has none here, or wants none */
} ki_match;

static inline size_t ki_match_bytes(const kith_query *query)
{
    return sizeof(ki_match) + query->term_count * sizeof(ki_column *);
}

static inline ki_match *ki_query_match(const kith_query *query, uint32_t number)
{
    return ki_ranks_at(&query->matches, number);
}

#define KI_NO_TERM UINT32_MAX
#define KI_NO_ROW UINT32_MAX

typedef enum ki_driver {
    KI_DRIVE_TABLES,
    KI_DRIVE_SPARSE,
    KI_DRIVE_SLOTS,
    KI_DRIVE_ONE /* a single entity */
} ki_driver;

/* A search for tables, by id; begins as zeros, but for the words. */
typedef struct ki_search {
    uint32_t next_page;  /* of the sets of tables */
    uint32_t words_left; /* of the page before that were not looked at */
    uint64_t bits;       /* what is left of the word before these */
    uint64_t words[KI_BITSET_PAGE_WORDS];
} ki_search;

/* Walks the entities that match: finds runs of rows, each within the driving storage's blocks. */
typedef struct ki_walk {
    const kith_query *query;
    ki_driver driver;
    uint32_t driving_term; /* of KI_DRIVE_SPARSE and KI_DRIVE_SLOTS */
    ki_search *search;     /* finds tables by id; NULL: they come from the query's matches, */
    const uint8_t *next;   /* of which this is the next in a run, */
    const uint8_t *end;    /* and this after the last to walk in it ... */
    uint32_t last_end;     /* ... and where to end in that one; */
    uint32_t match_end;    /* the number after the last of all to walk ... */
    uint32_t walk_end;     /* ... and where to end in that one, if it is not UINT32_MAX */
    uint32_t next_run;     /* number of the run to come */
    uint8_t block_shift;   /* log2 of the rows that a run may not straddle */
    bool ask_tables;       /* sparse or slots drive, and tables have a say */
    bool ask_rows;         /* rows must be looked at one by one */
    bool ask_blocks;       /* blocks of the driving storage must have changed */
    uint32_t end_row;
    uint32_t
        filtered_row; /* the first of 64 rows of which `filtered` tells which match, or KI_NO_ROW */
    uint64_t filtered;
    const ki_table *judged; /* the last table that an entity was judged by, and the judgement */
    bool admitted;
    kith_entity one;    /* of KI_DRIVE_ONE */
    const ki_match *at; /* the match of `table`, unless that was searched for */
    ki_table *table;    /* the run: of KI_DRIVE_TABLES */
    uint32_t row;       /* row, dense row or slot; the next run is behind it */
    uint32_t count;
} ki_walk;

/* An open query: a walk, and where its terms' values are. Closed ones are kept for the next time. */
typedef struct kith_cursor {
    kith_pace pace; /* its serial tells an iterator that its query was moved on or closed */
    ki_walk walk;
    kith_query *query;
    struct kith_cursor
        *outer;       /* opened before and still open; among closed ones the next spare one */
    const char *file; /* where it was opened */
    int line;
    uint64_t last_serial; /* that this cursor had before it was closed */
    const void *key;      /* of its users: the world's context; of a lent one, the system's task */
    bool lent;            /* to a system: the query is not open for others, nor counted so */
    bool ended;           /* of a lent one: the iterator has come to the end */
    uint32_t batches;     /* of a lent one, that were handed out, and the entities in them */
    uint64_t entities;
    uint64_t given;             /* the iterator's `rest`, before kith_next took any of it */
    uint64_t look;              /* time of the look that this is; 0: it is none */
    kith_entity *slot_entities; /* room for the handles of a run; NULL until a slot array drives */
    uint32_t slot_row;          /* the first one's slot; KI_NO_ROW: there are none */
    ki_driver shaped;           /* what follows was set up for this driver, */
    uint32_t shaped_term;       /* and this driving term; another one than any: for none */
    uint8_t block_shift;        /* log2 of the rows that a run may not straddle */
    bool plain;                 /* nothing but tables has a say */
    bool touches;               /* terms are written by look-up */
    bool looks_up;              /* terms that must be there have their values elsewhere */
    bool steady;                /* a walk starts as the one before did */
    ki_column **columns;        /* the terms' columns in a driver other than tables */
    kith_bind binds[];
} kith_cursor;

_Static_assert(offsetof(kith_cursor, pace) == 0, "kith_next finds it there");

/* ---- Making (plan.c) */

/* A query from terms whose components were found. Errors as for kith_query_new. */
kith_result ki_query_make(ki_store *store, const kith_query_def *def,
                          ki_component *const *components, kith_query **query);
void ki_query_drop(kith_query *query);
void ki_queries_free(ki_store *store);

/* ---- Matching (match.c) */

/* Whether the KITH_TABLE terms admit a table. */
bool ki_query_admits(const kith_query *query, const ki_table *table);

/* Where a term's values are in a table; NULL if it has none there, or wants none. */
ki_column *ki_term_column(const ki_term *term, const ki_table *table);

/* The next table that is admitted, in order of ids; NULL behind the last. Needs no memory. */
ki_table *ki_search_next(const kith_query *query, ki_search *search);

/* Rows of all tables that are admitted, or `enough` if there are more. */
uint32_t ki_query_table_rows(const kith_query *query, uint32_t enough);

/* The part of ki_query_refresh that is not to see that nothing has changed. */
kith_result ki_query_refresh_slow(kith_query *query);

/* Brings the matches up to date and in order. KITH_ERR_MEMORY. */
static inline kith_result ki_query_refresh(kith_query *query)
{
    const ki_store *store = query->store;
    bool fresh = query->epoch == store->table_epoch && query->seen == store->created_count;
    return KI_LIKELY(fresh) ? KITH_OK : ki_query_refresh_slow(query);
}

/* Whether the entity in a row of an admitted table satisfies the terms that the table cannot
 * answer. */
bool ki_query_row_passes(const kith_query *query, const ki_table *table, uint32_t index);

/* Whether a table leaves anything for ki_query_row_passes to say; about changes of its own values
 * only with `changes`. */
bool ki_query_asks_rows(const kith_query *query, const ki_table *table, bool changes);

/* ---- Walking (walk.c) */

/* Starts a walk over all that matches; tables come by a new search, which stays the caller's, or with
 * NULL from the matches, which are up to date. Needs no memory. */
void ki_walk_start(ki_walk *walk, const kith_query *query, ki_search *search);

/* Starts over, where nothing but tables has a say and had the time before. */
void ki_walk_restart(ki_walk *walk);

/* Has a walk over matches begin with number `match`, and end in row `walk_end` of the one before number
 * `match_end`. */
void ki_walk_cut(ki_walk *walk, uint32_t match, uint32_t match_end, uint32_t walk_end);

/* Enters the next run of matches; false if there is none. */
bool ki_walk_next_run(ki_walk *walk);

/* The next match of the run, which has one; `walk->end_row` is where to end in it. */
static inline const ki_match *ki_walk_next_match(ki_walk *walk, uint32_t term_count)
{
    const ki_match *match = (const ki_match *)(const void *)walk->next;
    walk->next += sizeof *match + term_count * sizeof(ki_column *);
    return match;
}

/* Whether a term's values are those of the driving storage; not for KI_DRIVE_ONE. */
static inline bool ki_walk_is_driving(const ki_walk *walk, uint32_t term)
{
    return walk->driver == KI_DRIVE_TABLES
               ? walk->query->terms[term].component->layout == KITH_TABLE
               : term == walk->driving_term;
}

/* Whether a term's values stand in the driving storage's order: in it, or in another slot array. */
bool ki_walk_is_alike(const ki_walk *walk, uint32_t term);

/* Starts a walk over one entity. */
void ki_walk_start_one(ki_walk *walk, const kith_query *query, kith_entity entity);

/* Finds the next run behind `row` and `count`: sets these, and `table` if tables drive. */
bool ki_walk_next(ki_walk *walk);

/* Which of the rows behind the run match, the lowest bit being the next one's: those that are sure
 * to be whole runs, in the same blocks. */
uint64_t ki_walk_rest(const ki_walk *walk);

/* The same of the 64 rows behind those of which it is known, once all of these were visited; the walk
 * moves on to them. 0: there are none, or it takes ki_walk_next to tell. */
uint64_t ki_walk_step(ki_walk *walk);

/* The handles of the driving storage from `row` on, as far as they stand in a row; NULL where slots
 * drive, which have none. */
const kith_entity *ki_walk_entities(const ki_walk *walk, uint32_t row);

/* Which of the rows from `row` on, a multiple of 64, are there and match: the lowest bit is the first
 * row's. (filter.c) */
uint64_t ki_walk_filter(ki_walk *walk, uint32_t row);

/* How many of the `count` entities from `row` on have a component in a row, from row `*first` on of
 * `*values`, as far as that can be told at once. (follow.c) */
uint32_t ki_walk_follow(const ki_walk *walk, const ki_component *component, uint32_t row,
                        uint32_t count, const ki_column **values, uint32_t *first);

/* Whether a living entity matches. */
bool ki_query_has(const kith_query *query, kith_entity entity);

/* The entity in a row of the run's storage. */
kith_entity ki_walk_entity(const ki_walk *walk, uint32_t row);

/* ---- Binding terms to addresses (bind.c) */

/* A term without a base, or of an iterator that is void, has nothing to give. As bytes it is one store,
 * where compilers make more of four numbers. */
static inline void ki_bind_refuse(kith_bind *bind)
{
    _Static_assert(KITH_NO_NUMBER_ == UINT32_MAX, "all bits are set");
    memset(&bind->grant, 0xff, sizeof bind->grant);
}

/* Sets up what does not change from run to run: which terms are looked up, and how far a run may
 * reach. Makes what is written by look-up ready for that. KITH_ERR_MEMORY. */
kith_result ki_bind_prepare(kith_cursor *cursor);

/* Binds the terms to the rows from `row` on, of the storage with these columns; writes touch what they
 * are about to write to. False: no memory for that. */
bool ki_bind_rows(kith_cursor *cursor, ki_column *const *columns, uint32_t row);

/* Binds the run that the walk has come to, or, of a query with `columns`, as much of it as stands in a
 * row. False: no memory to make its values ready for writing. */
bool ki_bind_run(kith_cursor *cursor);

/* Whether a block that is bound to be read is shared: it is copied when someone else writes to it. */
bool ki_bind_is_shared(const kith_cursor *cursor);

/* The handles of `count` rows from `row` on, which are within the run or behind it in its block. */
const kith_entity *ki_bind_entities(kith_cursor *cursor, uint32_t row, uint32_t count);

/* ---- Open queries (cursor.c) */

/* An open cursor, from the spare ones if there is one; NULL if memory ran out. Line 0 says that
 * `file` is the name of a call, which closes it before it returns. */
kith_cursor *ki_cursor_open(kith_query *query, const char *file, int line);
void ki_cursor_close(kith_cursor *cursor);

/* Leaves all terms without values, until a batch is bound. */
void ki_cursor_unbind(kith_cursor *cursor);

/* Whether the calling thread may use an open cursor: it owns the world, or is in the call of the system
 * that it was lent to. ki_cursor_lets finds out what is not known; ki_cursor_refuse tells. */
static inline bool ki_cursor_is_mine(const kith_cursor *cursor)
{
    return !KI_CHECKED || ki_this_thread.key == cursor->key;
}

bool ki_cursor_lets(const kith_cursor *cursor);
kith_result ki_cursor_refuse(const kith_cursor *cursor, const char *call);

#define KI_REQUIRE_CURSOR(cursor, call, value)                                                     \
    do {                                                                                           \
        if (KI_UNLIKELY(!ki_cursor_is_mine(cursor)) && !ki_cursor_lets(cursor)) {                  \
            ki_cursor_refuse((cursor), (call));                                                    \
            return value;                                                                          \
        }                                                                                          \
    } while (0)

/* Counts the batches that kith_next took by itself; `rest` is the iterator's. */
void ki_cursor_tally(kith_cursor *cursor, uint64_t rest);
void ki_cursor_free_spare(kith_query *query);

/* ---- Cursors of systems: several threads may walk one query, each a part of it with a cursor
 * of its own. Structure stands still meanwhile; what the query writes is nobody else's. */

/* A cursor that is in no list; NULL if memory ran out. */
kith_cursor *ki_cursor_take(kith_query *query);
void ki_cursor_give(kith_cursor *cursor);

/* Makes a taken cursor ready for a walk over all: what opening the query does. KITH_ERR_MEMORY. */
kith_result ki_cursor_prepare(kith_cursor *cursor);

/* Ends an iterator on a cursor that was taken, whether or not it has come to its end. */
void ki_cursor_retire(kith_cursor *cursor, const kith_iter *it);

/* Makes what is there now seen. KITH_ERR_MEMORY: of types with exact changes, the next look may see
 * more than what changed since. */
kith_result ki_query_mark_seen(kith_query *query);

/* The look of a prepared cursor is over. */
void ki_cursor_looked(const kith_cursor *cursor);

/* The call that has a query open while it calls the program back; NULL: none does. */
const char *ki_query_holder(const ki_store *store);

/* Prints where `query` was opened last, or with NULL any query; for messages. */
void ki_query_print_open(const ki_store *store, const kith_query *query, char *text, size_t size);

/* Closes all that is open, and returns how much that was. */
uint32_t ki_queries_close(ki_store *store);

/* The name of the query for messages. */
const char *ki_query_name(const kith_query *query);

#endif
