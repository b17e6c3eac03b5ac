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

/* The same for a bind that may be of a term of another entity. */
static inline void ki_bind_void(kith_bind *bind)
{
    ki_bind_clear(bind);
    bind->via_number = KITH_NO_NUMBER_;
}

#endif
