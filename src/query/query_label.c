/* What messages call a query. */
#include <stdio.h>

#include "base/text_out.h"
#include "query/query.h"

#define LABEL_TERMS 4u /* components that are named, at most */

ki_query_label ki_query_label_of(const kith_query *query)
{
    ki_query_label label;
    if (query->name != NULL) {
        snprintf(label.text, sizeof label.text, "\"%.127s\"", query->name);
        return label;
    }
    ki_text_out out = ki_text_start(label.text, sizeof label.text);
    uint32_t told = 0;
    for (uint32_t i = 0; i < query->term_count && told <= LABEL_TERMS; i++) {
        const ki_term *term = &query->terms[i];
        if (term->via != NULL) {
            continue; /* it is about another entity */
        }
        ki_text_add_string(&out, told == 0 ? "the query of " : ", ");
        if (told++ == LABEL_TERMS) {
            ki_text_add_string(&out, "...");
        } else {
            ki_text_add(&out, "%s%.40s",
                        term->role == KITH_MUST_NOT ? "!"
                        : term->role == KITH_MAY    ? "?"
                                                    : "",
                        term->component->type->name);
        }
    }
    if (told == 0) {
        ki_text_add_string(&out, query->conditions == NULL ? "the query without terms"
                                                           : "the query of groups of conditions");
    }
    return label;
}
