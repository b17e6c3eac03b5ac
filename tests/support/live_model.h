/* What a live query has to tell: the difference of two full looks at all entities. */
#ifndef KITH_TEST_LIVE_MODEL_H
#define KITH_TEST_LIVE_MODEL_H

#include <kith/kith.h>

#include "test.h"

#define LIVE_MODEL_TYPES 6u

typedef struct live_model {
    kith_world *world;
    kith_query *query;
    kith_live *live;
    const kith_type *types[LIVE_MODEL_TYPES]; /* whose values count; NULL: no more */
    struct live_seen *seen;                   /* by slot, at the last look */
    uint32_t slots;
} live_model;

/* Makes a live query of a query, and follows it. */
live_model live_model_new(kith_world *world, kith_query *query, const kith_type *const *types);
void live_model_free(live_model *model); /* and the live query */

/* Forgets what was seen; the live query is gone with its world. */
void live_model_forget(live_model *model);

/* Asks the live query, and compares all that it tells with a full look. */
#define live_model_check(model) live_model_check_at(__FILE__, __LINE__, (model))
void live_model_check_at(const char *file, int line, live_model *model);

/* Compares what it told just now. */
#define live_model_compare(model, changes)                                                         \
    live_model_compare_at(__FILE__, __LINE__, (model), (changes))
void live_model_compare_at(const char *file, int line, live_model *model,
                           const kith_live_changes *changes);

#endif
