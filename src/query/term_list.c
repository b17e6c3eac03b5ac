#include "query/term_list.h"

uint32_t ki_terms_count(const kith_term *terms)
{
    uint32_t count = 0;
    while (terms != NULL && !ki_term_is_end(&terms[count])) {
        count++;
    }
    return count;
}

/* A list without an end has whatever is in memory after it. Most likely its access or its role makes no
 * sense, so this is looked at first. */
kith_result ki_terms_check(ki_context *context, const char *call, const char *name,
                           const kith_term *terms)
{
    uint32_t i = 0;
    for (; terms != NULL && i <= KI_LIST_MAX && !ki_term_is_end(&terms[i]); i++) {
        bool accesses = (uint32_t)terms[i].access <= KITH_ACCESS_WRITE;
        if (!accesses || (uint32_t)terms[i].role > KITH_AS_BEFORE) {
            return ki_fail(context, KITH_ERR_INPUT,
                           "%s: term %u of `%s`: %d is not %s; a list ends with a term of zeros,"
                           " which KITH_TERMS adds",
                           call, i, name, accesses ? (int)terms[i].role : (int)terms[i].access,
                           accesses ? "a role" : "an access");
        }
    }
    if (KI_CHECKED && i > KI_LIST_MAX) {
        return ki_misuse(context,
                         "%s: more than %u terms in `%s`; a list ends with a term of zeros, which"
                         " KITH_TERMS adds",
                         call, KI_LIST_MAX, name);
    }
    return KITH_OK;
}
