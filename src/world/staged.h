/* Staged values: values with hooks that a call is about to put into the world. First they are made
 * aside, which may fail. Then the change moves them to their places, which cannot fail. */
#ifndef KI_WORLD_STAGED_H
#define KI_WORLD_STAGED_H

#include "world/bundle.h"

typedef struct ki_staged_chunk ki_staged_chunk;

/* Starts as zeros, except the world and the name of the call for error messages. */
typedef struct ki_staged {
    kith_world *world;
    const char *call;
    ki_staged_chunk *first; /* in the order of the calls that made them */
    ki_staged_chunk *last;
} ki_staged;

/* Makes `count` values of a component with hooks: copies of `values`, or with `repeat` of the
 * one value there. Without a `copy` hook, the caller's values are taken over as they are. NULL:
 * new values, made by `init` if there is one. KITH_ERR_TYPE, KITH_ERR_MEMORY, or the error of
 * the hook. */
kith_result ki_staged_make(ki_staged *staged, const ki_component *component, const void *values,
                           uint32_t count, bool repeat, void **made);

/* Copies a list of values. Values with hooks are staged; the others stay the caller's. */
kith_result ki_staged_copy(ki_staged *staged, const ki_bundle_entry *entries, uint32_t count,
                           const kith_value **values);

/* Makes a copy of a value in the world. KITH_ERR_TYPE if its hooks cannot copy. */
kith_result ki_staged_clone(ki_staged *staged, const ki_component *component, const void *value);

/* Memory that lives as long as the staged values; NULL if it ran out. */
void *ki_staged_alloc(ki_staged *staged, size_t bytes, size_t align);

/* The next value that ki_staged_clone made, in the order of the calls. The caller moves it out. */
void *ki_staged_next(ki_staged *staged);

/* Ends the staging with the result of the call. KITH_OK: all values were moved out. An error: they are
 * destroyed. */
void ki_staged_end(ki_staged *staged, kith_result result);

#endif
