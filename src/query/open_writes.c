#include "query/open_writes.h"

#include "query/binding.h"
#include "query/row_batch.h"

/* Marks what one term of the batch at hand may write. That cannot fail: it was marked when it was
 * handed out, and is not shared unless its pointers died. */
static void open_writes_mark_term(kith_cursor *cursor, uint32_t term)
{
    ki_store *store = cursor->query->store;
    const ki_scan *scan = &cursor->scan;
    if (cursor->kind == KI_BATCH_ROWS) {
        ki_row_batch_mark(cursor, term);
        return;
    }
    if (scan->driver.kind == KI_DRIVE_ONE) {
        uint32_t index = scan->driver.one.index1 - 1;
        void *value;
        ki_store_mark_value(store, cursor->query->terms[term].component, index,
                            ki_record_at(&store->entities, index), &value);
        return;
    }
    uint32_t row;
    ki_column *column = ki_bind_column(cursor, term, &row);
    if (column != NULL) {
        ki_column_mark(&store->columns, column, row);
    }
}

void ki_open_writes_mark(ki_store *store, const ki_component *component)
{
    for (kith_cursor *cursor = store->open; cursor != NULL; cursor = cursor->outer) {
        for (uint32_t i = 0; cursor->kind != KI_BATCH_NONE && i < cursor->query->term_count; i++) {
            const ki_term *term = &cursor->query->terms[i];
            if (term->component == component && term->access == KITH_ACCESS_WRITE) {
                open_writes_mark_term(cursor, i);
                cursor->ready = KI_BATCH_NONE;
            }
        }
    }
}

void ki_open_writes_end(kith_cursor *cursor)
{
    cursor->ready = cursor->kind;
    for (uint32_t i = 0; i < cursor->query->term_count; i++) {
        if (cursor->query->terms[i].access == KITH_ACCESS_WRITE) {
            open_writes_mark_term(cursor, i);
        }
    }
}
