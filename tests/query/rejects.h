/* Queries that cannot be made. */
#ifndef KITH_TEST_REJECTS_H
#define KITH_TEST_REJECTS_H

#include <kith/kith.h>

#include "test.h"

/* No query has this term, and the message has that part. */
static inline void rejects(fixture *f, kith_term term, const char *part)
{
    kith_query *query = NULL;
    const kith_term terms[] = {term, {0}};
    CHECK_RESULT(kith_query_new(f->world, &(kith_query_def){.terms = terms}, &query),
                 KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f->world), part);
    CHECK_PTR_NULL(query);
}

#endif
