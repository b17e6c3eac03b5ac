/* Copies of columns that share nothing with them: what a snapshot holds of small ones. */
#ifndef KI_STORE_CLONE_COLUMN_H
#define KI_STORE_CLONE_COLUMN_H

#include "store/column.h"

/* Makes `to` a column with copies of `count` rows from `first` on. It is not to be moved. On failure
 * there is none. KITH_ERR_MEMORY, or what the hook `copy` fails with; a type with hooks has it. */
kith_result ki_column_clone(ki_column_context *columns, const ki_column *from, uint32_t first,
                            uint32_t count, ki_column *to);

/* Exchanges what two columns of the same kind hold. */
void ki_columns_exchange(ki_column *a, ki_column *b);

#endif
