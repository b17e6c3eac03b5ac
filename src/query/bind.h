/* A bind: where the values of a term are in the batch at hand, and which types find them there. */
#ifndef KI_QUERY_BIND_H
#define KI_QUERY_BIND_H

#include <kith/query.h>

/* Leaves a term without values: no type has its key. */
static inline void ki_bind_clear(kith_bind *bind)
{
    bind->key =
        (kith_access_key){{KITH_NO_NUMBER_, KITH_NO_NUMBER_, KITH_NO_NUMBER_, KITH_NO_NUMBER_}};
}

#endif
