/* Many rows of one table at once: what a block of equal moves comes down to. */
#ifndef KI_COMMAND_ROWS_H
#define KI_COMMAND_ROWS_H

#include "store/store.h"

/* Copies `count` rows of the table that the edge starts from to rows `first` and up of the one that it
 * leads to: what both have. If they are in a row, `rows` tells the first alone. */
void ki_rows_copy(const uint32_t *rows, uint32_t count, bool in_a_row, const ki_edge *edge,
                  uint32_t first);

/* Takes rows out of their table, whose entities' records lead elsewhere by now. The holes are filled
 * with the last rows that stay: the first hole with the last of them. */
void ki_rows_remove(ki_store *store, ki_table *table, const uint32_t *rows, uint32_t count);

/* The same for rows that follow one another. */
void ki_rows_remove_span(ki_store *store, ki_table *table, uint32_t first, uint32_t count);

/* Makes the last `leaving` rows ready to move into holes. */
bool ki_rows_touch_end(ki_store *store, ki_table *table, uint32_t leaving);

#endif
