/* Selections that begin with `explain`: a row for each line of the explanation. */
#include "reflect/selection.h"

#define EXPLAIN_BYTES 2048u

kith_result ki_select_explain(kith_select *select)
{
    char text[EXPLAIN_BYTES];
    size_t length;
    KI_TRY(kith_query_explain(select->query, select->analyzes, text, sizeof text, &length));
    for (const char *line = text; line != NULL;) {
        const char *end = strchr(line, '\n');
        size_t bytes = end == NULL ? strlen(line) : (size_t)(end - line);
        char shown[KI_EXPLAIN_LINE] = "";
        uint8_t *row;
        memcpy(shown, line, bytes < sizeof shown ? bytes : sizeof shown);
        KI_TRY(ki_select_add_row(&select->world->store.context.heap, &select->read, &row));
        ki_select_put(&select->read, row, 0, shown);
        line = end == NULL ? NULL : end + 1;
    }
    return KITH_OK;
}
