/* Stages: values with hooks that a call is about to put into the world. They are made first, apart,
 * which may fail; the change then moves them to their places, which cannot. */
#ifndef KI_WORLD_STAGE_H
#define KI_WORLD_STAGE_H

#include "world/plan.h"

typedef struct ki_stage_piece ki_stage_piece;

/* Starts as zeros but for the world and the call, which errors are told as. */
typedef struct ki_stage {
    kith_world *world;
    const char *call;
    ki_stage_piece *first; /* in the order in which they were made */
    ki_stage_piece *last;
} ki_stage;

/* Makes `count` values of a component with hooks: copies of `values` (with `repeat` of the only one),
 * or of nothing where that is NULL. KITH_ERR_TYPE, KITH_ERR_MEMORY, what the hook fails with. */
kith_result ki_stage_make(ki_stage *stage, const ki_component *component, const void *values,
                          uint32_t count, bool repeat, void **made);

/* A list of values with those that have hooks made; the others are the caller's, as they were. */
kith_result ki_stage_values(ki_stage *stage, const ki_plan_entry *entries, uint32_t count,
                            const kith_value **values);

/* A copy of a value of the world's. KITH_ERR_TYPE if there is no hook for that. */
kith_result ki_stage_clone(ki_stage *stage, const ki_component *component, const void *value);

/* `count` bytes of memory that live as long as the stage; NULL if memory ran out. */
void *ki_stage_take(ki_stage *stage, size_t bytes, size_t align);

/* The first value that was not taken yet, and all of its piece. */
void *ki_stage_next(ki_stage *stage);

/* Ends the stage after a call that succeeded, and has moved all values out, or that failed: then they
 * are destroyed. */
void ki_stage_end(ki_stage *stage, kith_result result);

#endif
