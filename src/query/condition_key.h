/* Keys: what functions compute from values of a component, for conditions and indexes. */
#ifndef KI_QUERY_CONDITION_KEY_H
#define KI_QUERY_CONDITION_KEY_H

#include <kith/index.h>

#include "store/component.h"

typedef struct ki_key_of {
    const ki_component *component; /* NULL: nothing is computed */
    kith_index_key_fn call;
    void *user;
    const kith_type *type; /* of what it computes */
} ki_key_of;

static inline bool ki_key_of_is_same(const ki_key_of *a, const ki_key_of *b)
{
    return a->component == b->component && a->call == b->call && a->user == b->user &&
           a->type == b->type;
}

/* What is wrong with a key of values of `component`, which has the type of `computed`; NULL: nothing. */
const char *ki_key_of_wrong(const ki_component *component, const ki_component *computed);

#endif
