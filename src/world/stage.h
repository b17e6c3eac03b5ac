/* Stages: values with hooks that a call is about to put into the world. First they are made in
 * the stage, which may fail. Then the change moves them to their places, which cannot fail. */
#ifndef KI_WORLD_STAGE_H
#define KI_WORLD_STAGE_H

#include "world/plan.h"

typedef struct ki_stage_piece ki_stage_piece;

/* Starts as zeros, except the world and the name of the call for error messages. */
typedef struct ki_stage {
    kith_world *world;
    const char *call;
    ki_stage_piece *first; /* in the order of the calls that made them */
    ki_stage_piece *last;
} ki_stage;

/* Makes `count` values of a component with hooks: copies of `values`, or with `repeat` of the
 * one value there. Without a `copy` hook, the caller's values are taken over as they are. NULL:
 * new values, made by `init` if there is one. KITH_ERR_TYPE, KITH_ERR_MEMORY, or the error of
 * the hook. */
kith_result ki_stage_make(ki_stage *stage, const ki_component *component, const void *values,
                          uint32_t count, bool repeat, void **made);

/* Copies a list of values. Values with hooks are made in the stage; the others stay the caller's. */
kith_result ki_stage_values(ki_stage *stage, const ki_plan_entry *entries, uint32_t count,
                            const kith_value **values);

/* Makes a copy of a value in the world. KITH_ERR_TYPE if its hooks cannot copy. */
kith_result ki_stage_clone(ki_stage *stage, const ki_component *component, const void *value);

/* Memory that lives as long as the stage; NULL if it ran out. */
void *ki_stage_take(ki_stage *stage, size_t bytes, size_t align);

/* The next value that ki_stage_clone made, in the order of the calls. The caller moves it out. */
void *ki_stage_next(ki_stage *stage);

/* Ends the stage with the result of the call. KITH_OK: all values were moved out. An error: the stage
 * destroys them. */
void ki_stage_end(ki_stage *stage, kith_result result);

#endif
