/* Selections that begin with `explain`: a row for each line of the explanation. */
#include "reflect/selection.h"

#include <stdio.h>

#define EXPLAIN_BYTES 2048u

static kith_result explain_line(kith_select *select, const char *line, size_t bytes)
{
    char shown[KI_EXPLAIN_LINE] = "";
    uint8_t *row;
    memcpy(shown, line, bytes < sizeof shown ? bytes : sizeof shown);
    KI_TRY(ki_select_add_row(&select->world->store.context.heap, &select->read, &row));
    ki_select_put(&select->read, row, 0, shown);
    return KITH_OK;
}

/* Tells which index may find the rows that are given out. */
static kith_result explain_first(kith_select *select)
{
    uint32_t stale;
    const ki_source *source =
        select->has_first ? ki_sorted_source(select->query, &select->first, &stale) : NULL;
    if (source == NULL) {
        return KITH_OK;
    }
    char index[KI_EXPLAIN_LINE / 2];
    char line[KI_EXPLAIN_LINE];
    source->calls->print(source, index, sizeof index);
    int length = snprintf(line, sizeof line,
                          "first: %s, from the %s on until %llu match, if that is faster", index,
                          select->distance.count != 0       ? "nearest"
                          : select->first.order.descending ? "greatest"
                                                           : "least",
                          (unsigned long long)select->limit.value.as.u64);
    return explain_line(select, line, (size_t)length);
}

kith_result ki_select_explain(kith_select *select)
{
    char text[EXPLAIN_BYTES];
    size_t length;
    KI_TRY(kith_query_explain(select->query, select->analyzes, text, sizeof text, &length));
    for (const char *line = text; line != NULL;) {
        const char *end = strchr(line, '\n');
        KI_TRY(explain_line(select, line, end == NULL ? strlen(line) : (size_t)(end - line)));
        line = end == NULL ? NULL : end + 1;
    }
    return explain_first(select);
}
