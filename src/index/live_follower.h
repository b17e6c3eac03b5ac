/* A follower: the kind of index that finds nothing, but notes which slots have other values than they
 * had. Its keys are the bytes of a value, of large ones a part: there are several followers then. */
#ifndef KI_INDEX_LIVE_FOLLOWER_H
#define KI_INDEX_LIVE_FOLLOWER_H

#include "index/frame.h"
#include "index/slot_marks.h"

/* What followers note. A slot that it has no room for was never seen, and is not in use. */
typedef struct ki_live_notes {
    ki_slot_marks touched; /* something about the entity may have changed */
    ki_slot_marks altered; /* and that is a value */
} ki_live_notes;

typedef struct ki_follower {
    kith_index index; /* its `data` is the follower */
    ki_live_notes *notes;
    const struct ki_relation *ends; /* what is noted are those that values lead to by it; NULL: those
                                       that have the values */
    uint32_t offset; /* of the part, in bytes */
    uint32_t size;
    bool padded; /* the type has bytes that do not count */
} ki_follower;

/* How many followers a component's values need. */
uint32_t ki_followers_count(const ki_component *component);

/* Begins to follow part number `part` of a component's values; the follower may not move until its end.
 * What was there before is not noted. With `ends`, a relation of the component whose target is in that
 * part, the targets before and after a change are noted, not the entities that have the values.
 * KITH_ERR_MEMORY. */
kith_result ki_follower_begin(ki_follower *follower, kith_world *world, ki_component *component,
                              uint32_t part, const struct ki_relation *ends, ki_live_notes *notes);
void ki_follower_end(ki_follower *follower);

/* Notes all that differs from what was there at the last call. KITH_ERR_MEMORY: a later call goes on
 * where this one ended. */
kith_result ki_follower_refresh(ki_follower *follower);

static inline void ki_live_note(ki_live_notes *notes, uint32_t slot, bool altered)
{
    if (slot / 64 >= notes->touched.words || slot / 64 >= notes->altered.words) {
        return;
    }
    ki_slot_marks_add(&notes->touched, slot);
    if (altered) {
        ki_slot_marks_add(&notes->altered, slot);
    }
}

#endif
