/* A source is an index, as queries see it. It tells where entities that satisfy a query's conditions may
 * be, so that the query need not check all of them. A component has a list of its sources; rooms above
 * this one add to it.
 *
 * The planner (plan.h) asks each source of the components that conditions are about for an offer, takes
 * the best one, or none, and brings that up to date. The scan then visits only rows that the source
 * names or does not skip, in its own order, and asks all conditions and terms of these as it always
 * does. So a source may name too many entities, never too few, and no result depends on one.
 *
 * All calls are by the thread of the world's owner; but while a stage of systems runs, several threads
 * may call `skip` side by side, and no other one is called. */
#ifndef KI_QUERY_QUERY_SOURCE_H
#define KI_QUERY_QUERY_SOURCE_H

#include "query/slot_list.h"
#include "query/source_wants.h"
#include "store/component.h"

typedef struct ki_source ki_source;

typedef enum ki_source_kind {
    KI_SOURCE_SLOTS, /* names entities by their slots: `list` */
    KI_SOURCE_BLOCKS /* tells which rows of the component's storages need not be asked: `skip` */
} ki_source_kind;

/* What a source could do, as of what it saw last. */
typedef struct ki_offer {
    uint32_t rows;  /* entities that it would name, or rows that it would not skip: `kept`; about */
    uint32_t stale; /* rows that it has to look at to be up to date; about. 0: it is */
    uint32_t fields; /* that it looks at in each of these */
    uint32_t asked;  /* of KI_SOURCE_BLOCKS: storages; each is asked what to skip in it */
} ki_offer;

/* What entities come by: the value of a field, or how far a point of two or three fields is from a
 * place, and then by slot. */
typedef struct ki_source_order {
    ki_place_of_field fields[3]; /* without their component */
    uint32_t field_count;        /* 1: the value */
    double point[3];             /* the place */
    bool descending;             /* the greatest value first */
} ki_source_order;

/* How far the entities of a source were listed in their order. All zero: not at all. */
typedef struct ki_source_place {
    uint32_t at[2]; /* the source's */
    bool begun;
} ki_source_place;

typedef struct ki_source_calls {
    ki_source_kind kind;
    /* What it could do for some wants. It may stop counting at `enough` entities. False: nothing. */
    bool (*offer)(ki_source *source, const ki_wants *wants, uint32_t enough, ki_offer *offer);
    /* Brings it up to date. KITH_ERR_MEMORY: it cannot be used now; without a message. */
    kith_result (*refresh)(ki_source *source);
    /* Of KI_SOURCE_SLOTS that is up to date: appends the slots of all that may satisfy the wants, by
     * ki_slot_list_reserve; at most `limit`. KITH_ERR_LIMIT: they are more; KITH_ERR_MEMORY. Both
     * without a message. */
    kith_result (*list)(ki_source *source, const ki_wants *wants, uint32_t limit,
                        ki_slot_list *list);
    /* Of KI_SOURCE_BLOCKS: about how many of the first `end` rows of a storage it would not skip,
     * as of what it saw last. The storage is the table with the number `table`, or the component's
     * sparse set or slot array. */
    uint32_t (*kept)(ki_source *source, const ki_wants *wants, uint32_t table, uint32_t end);
    /* Of KI_SOURCE_BLOCKS that is up to date: the first row from `row` on, at most `end`, that may
     * satisfy the wants. So may those after it, up to before `*until`, which is at most `end`. It
     * was brought up to date before the loop began; blocks that were written since may be skipped
     * as what they were. */
    uint32_t (*skip)(ki_source *source, const ki_wants *wants, uint32_t table, uint32_t row,
                     uint32_t end, uint32_t *until);
    /* Whether it finds entities in an order, as selections sort them; `*stale` as in an offer. NULL: it
     * has no order. The place of the order is not asked for. */
    bool (*orders)(const ki_source *source, const ki_source_order *order, uint32_t *stale);
    /* Of one that does, and is up to date: appends the slots of all entities with the next value, or of
     * the next ones by distance; none at the end. KITH_ERR_LIMIT: they are more than `limit`, or it
     * does not have all entities of the component; KITH_ERR_MEMORY. Both without a message. */
    kith_result (*next)(ki_source *source, const ki_source_order *order, ki_source_place *place,
                        uint32_t limit, ki_slot_list *list);
    /* "hash index of Team.number", for people, like snprintf. */
    size_t (*print)(const ki_source *source, char *text, size_t size);
    /* "x from 10 to 20": what it is asked for wants that it made an offer for. NULL: it does not say. */
    size_t (*print_asked)(const ki_source *source, const ki_wants *wants, char *text, size_t size);
} ki_source_calls;

/* The first member of what is one. */
struct ki_source {
    const ki_source_calls *calls;
    ki_component *component; /* whose values it knows; set before it is added */
    ki_key_of key;           /* what it knows is computed from them by this; or {0} */
    ki_source *next;         /* of the component's; made later */
    uint64_t debt;           /* the planner's: what scans cost because it was not up to date */
    bool used;               /* it was brought up to date for a query before */
};

/* Adds a source to its component, which plans of queries find from now on. */
void ki_source_add(ki_source *source);

/* Takes it out again. Open loops may still use it: see ki_plans_drop_source. */
void ki_source_remove(ki_source *source);

#endif
