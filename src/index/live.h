/* A live query: a set of entities, and what tells which of them to look at again. */
#ifndef KI_INDEX_LIVE_H
#define KI_INDEX_LIVE_H

#include <kith/live.h>

#include "index/lifetimes.h"
#include "index/live_follower.h"

/* How many there is room for. */
typedef struct ki_live_room {
    uint32_t followers;
    uint32_t trackers;
    uint32_t others;
} ki_live_room;

/* What is noted of entities that others reach by relations. */
typedef struct ki_live_other {
    const ki_component *component; /* whose values are altered; NULL: it is about no values */
    ki_live_notes notes;
} ki_live_other;

struct kith_live {
    kith_world *world;
    kith_query *query; /* its own */
    kith_live *next;   /* of the world's live queries */
    ki_live_notes notes;
    ki_live_other *others; /* what reaches these entities is to be tested, too. The first one is about
                              no values; of each component that counts there is one */
    uint32_t other_count;
    bool by_field; /* others are named by fields, which may name what is dead */
    bool mortal;   /* such may end, or come, without anything that is followed */
    ki_lifetimes lifetimes; /* of all entities, if any are named by fields */
    ki_slot_marks disabled; /* slots whose entities were disabled, if the query asks that */
    uint64_t turned;        /* how often that had changed then */
    ki_follower *followers; /* of the components whose values count */
    uint32_t follower_count;
    kith_tracker **trackers; /* of the other components: first those whose entities are noted */
    uint32_t tracker_count;
    uint32_t own_tracker_count; /* the trackers after these are of what others reach */
    ki_live_room room;
    uint32_t bindings; /* of the query, when all entities were tested last */
    bool complete;     /* all that was there before is tested; if not, all have to be */
    uint64_t tested;

    ki_slot_marks members;
    uint32_t *generations; /* of the members, by slot */
    uint32_t generation_capacity;
    uint32_t count;

    kith_entity *told; /* three lists of as many: entered, left, changed */
    uint32_t told_capacity;
};

/* ---- live_refresh.c */

/* Brings notes up to date. KITH_ERR_MEMORY: a later call goes on. */
kith_result ki_live_refresh(kith_live *live);

/* Tests the entities that are noted, and changes the set. KITH_ERR_MEMORY: nothing happened. */
kith_result ki_live_settle(kith_live *live, kith_live_changes *changes);

/* Begins to follow all that the query asks for. KITH_ERR_MEMORY: what was begun is to be ended. */
kith_result ki_live_begin(kith_live *live);
void ki_live_end(kith_live *live);

#endif
