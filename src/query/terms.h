/* What a query asks for: terms, and groups of them. */
#ifndef KI_QUERY_TERMS_H
#define KI_QUERY_TERMS_H

#include <kith/query.h>

#include "store/component.h"

#define KI_NO_TERM UINT32_MAX

/* A term with its component found. */
typedef struct ki_term {
    ki_component *component;
    kith_access access;
    kith_role role; /* never KITH_MUST_CHANGED: that is KITH_MUST and `changed` */
    uint32_t group;
    bool changed;             /* must have changed since the query's last look */
    bool valued;              /* the type has values, and the term accesses them */
    const struct ki_via *via; /* to the other entity that the term is about; NULL: it is about the
                                 entity itself. If not, it is KITH_MAY, and accesses nothing */
} ki_term;

/* A group of KITH_ONE_OF terms. */
typedef struct ki_group {
    uint32_t number;
    bool mixed; /* some terms are not KITH_TABLE, so a table alone cannot answer */
} ki_group;

#endif
