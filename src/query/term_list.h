/* Lists of terms, as definitions have them: the last term is all zero. */
#ifndef KI_QUERY_TERM_LIST_H
#define KI_QUERY_TERM_LIST_H

#include <kith/query.h>

#include "base/context.h"

/* Entries that a list of a definition may have: one that has no end is noticed. */
#define KI_LIST_MAX 4096u

static inline bool ki_term_is_end(const kith_term *term)
{
    return term->type == NULL && term->access == KITH_ACCESS_NONE && term->role == KITH_MUST &&
           term->group == 0 && term->condition == NULL;
}

/* Checks a list, which is called `name` in messages, before anything in it is followed. NULL is a list
 * without terms. KITH_ERR_INPUT; KITH_ERR_MISUSE: it has no end. */
kith_result ki_terms_check(ki_context *context, const char *call, const char *name,
                           const kith_term *terms);

/* How many terms a list has that was checked. */
uint32_t ki_terms_count(const kith_term *terms);

#endif
