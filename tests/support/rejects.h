/* Queries that cannot be made. */
#ifndef KITH_TEST_REJECTS_H
#define KITH_TEST_REJECTS_H

#include <kith/kith.h>

#include "test.h"

/* No query has these terms, and the message has that part. */
static inline void rejects_all(const fixture *f, const kith_term *terms, const char *part)
{
    kith_query *query = NULL;
    CHECK_RESULT(kith_query_new(f->world, &(kith_query_def){.terms = terms}, &query),
                 KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f->world), part);
    CHECK_PTR_NULL(query);
    CHECK_WORLD(f->world);
}

/* No query has this term. */
static inline void rejects(const fixture *f, kith_term term, const char *part)
{
    rejects_all(f, KITH_TERMS(term), part);
}

#endif
