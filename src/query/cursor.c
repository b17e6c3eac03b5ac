#include "query/open_writes.h"
#include "query/row_batch.h"
#include "query/via_batch.h"

#include <stdio.h>

/* KITH_COLUMN looks at two binds without asking how many there are. */
static uint32_t cursor_bind_count(uint32_t term_count)
{
    return term_count < 2 ? 2 : term_count;
}

static size_t cursor_bytes(uint32_t term_count)
{
    return sizeof(kith_cursor) + cursor_bind_count(term_count) * sizeof(kith_bind) +
           term_count * (sizeof(ki_term_run) + sizeof(ki_column *));
}

void ki_cursor_unbind(kith_cursor *cursor)
{
    for (uint32_t i = 0, count = cursor->query->term_count; i < count; i++) {
        ki_bind_clear(&cursor->binds[i]);
    }
    for (uint32_t i = 0; cursor->query->reads_vias && i < cursor->query->term_count; i++) {
        cursor->binds[i].via_number = KITH_NO_NUMBER_;
    }
}

static kith_cursor *cursor_new(kith_query *query)
{
    kith_cursor *cursor = ki_heap_alloc_zeroed(
        &query->store->context.heap, cursor_bytes(query->term_count), _Alignof(kith_cursor));
    if (cursor != NULL) {
        cursor->query = query;
        cursor->token.clock = &query->store->columns.write_clock;
        cursor->prepared_term = query->term_count;
        for (uint32_t i = 0; i < cursor_bind_count(query->term_count); i++) {
            ki_bind_clear(&cursor->binds[i]);
            cursor->binds[i].via_number = KITH_NO_NUMBER_;
        }
        cursor->runs =
            (ki_term_run *)(void *)(cursor->binds + cursor_bind_count(query->term_count));
        cursor->columns = (ki_column **)(void *)(cursor->runs + query->term_count);
    }
    return cursor;
}

kith_cursor *ki_cursor_take(kith_query *query)
{
    kith_cursor *cursor = query->spare;
    if (cursor == NULL) {
        return cursor_new(query);
    }
    query->spare = cursor->outer;
    return cursor;
}

bool ki_cursor_enter(const kith_cursor *cursor)
{
    return cursor->lent ? ki_inside_enter(cursor->key) : ki_context_enter(cursor->key);
}

kith_result ki_reject_lent(const ki_context *context, const char *call)
{
    const ki_inside *inside = ki_context_inside(context);
    if (inside != NULL && inside->key == NULL) {
        return ki_reject_thread(context, call, "");
    }
    return ki_misuse(context,
                     "%s: the iterator is good for the call of the system that was given it, in"
                     " that call's thread",
                     call);
}

kith_result ki_cursor_reject(const kith_cursor *cursor, const char *call)
{
    const ki_context *context = &cursor->query->store->context;
    return cursor->lent ? ki_reject_lent(context, call) : ki_reject_thread(context, call, "");
}

void ki_cursor_tally(kith_cursor *cursor, uint64_t pending)
{
    if (cursor->offered != 0 && cursor->lent) {
        cursor->entities += ki_bit_count(cursor->offered) - ki_bit_count(pending);
    }
    cursor->offered = 0;
}

/* Voids all iterators of the cursor. A copy of one finds no values, nor does the next iterator
 * before its first batch. */
static void cursor_void(kith_cursor *cursor)
{
    if (cursor->token.serial != 0) {
        cursor->batches = (uint32_t)(cursor->token.serial - cursor->last_serial);
        cursor->last_serial = cursor->token.serial;
        cursor->token.serial = 0;
        ki_cursor_unbind(cursor);
    }
}

void ki_cursor_retire(kith_cursor *cursor, const kith_iter *it)
{
    ki_cursor_tally(cursor, it->pending);
    cursor_void(cursor);
}

void ki_cursor_give(kith_cursor *cursor)
{
    kith_query *query = cursor->query;
    cursor->outer = query->spare;
    cursor_void(cursor);
    cursor->lent = false;
    query->spare = cursor;
}

kith_cursor *ki_cursor_open(kith_query *query, const char *file, int line)
{
    ki_store *store = query->store;
    kith_cursor *cursor = ki_cursor_take(query);
    if (cursor == NULL) {
        return NULL;
    }
    cursor->file = file == NULL ? "(no file)" : file;
    cursor->line = line;
    cursor->key = &store->context;
    cursor->token.serial = ++cursor->last_serial;
    cursor->slot_row = KI_NO_ROW;
    cursor->offered = 0;
    cursor->kind = KI_BATCH_NONE;
    cursor->ready = KI_BATCH_NONE;
    cursor->outer = store->open;
    store->open = cursor;
    store->locks++;
    query->open_count++;
    return cursor;
}

void ki_cursor_close(kith_cursor *cursor)
{
    kith_query *query = cursor->query;
    ki_store *store = query->store;
    kith_cursor **link = &store->open;
    while (*link != cursor) {
        link = &(*link)->outer;
    }
    *link = cursor->outer;
    store->locks--;
    if (cursor->ready != cursor->kind) {
        ki_open_writes_end(cursor);
    }
    ki_cursor_give(cursor);
    query->open_count--;
}

void ki_cursor_free_spare(kith_query *query)
{
    ki_heap *heap = &query->store->context.heap;
    while (query->spare != NULL) {
        kith_cursor *cursor = query->spare;
        query->spare = cursor->outer;
        ki_heap_free(heap, cursor->slot_entities, KI_BLOCK_ROWS_MAX * sizeof(kith_entity),
                     _Alignof(kith_entity));
        ki_row_batch_free(cursor);
        ki_via_room_free(cursor);
        ki_plan_free(heap, cursor->plan);
        ki_heap_free(heap, cursor, cursor_bytes(query->term_count), _Alignof(kith_cursor));
    }
}

const char *ki_query_holder(const ki_store *store)
{
    const kith_cursor *cursor = store->open;
    while (cursor != NULL && cursor->line != 0) {
        cursor = cursor->outer;
    }
    return cursor == NULL ? NULL : cursor->file;
}

ki_cursor_label ki_cursor_label_of(const kith_cursor *cursor)
{
    ki_cursor_label label;
    const char *name = cursor->query->name;
    if (cursor->line == 0 && name == NULL) { /* by a call */
        snprintf(label.text, sizeof label.text, "%s",
                 ki_query_label_of(cursor->query).text);
    } else if (cursor->line == 0) { /* or by kith_run for a system */
        snprintf(label.text, sizeof label.text, "\"%.127s\"", name);
    } else if (name == NULL) {
        snprintf(label.text, sizeof label.text, "the query opened at %.200s:%d", cursor->file,
                 cursor->line);
    } else {
        snprintf(label.text, sizeof label.text, "\"%.60s\" (opened at %.160s:%d)", name,
                 cursor->file, cursor->line);
    }
    return label;
}

void ki_query_print_open(const ki_store *store, const kith_query *query, char *text, size_t size)
{
    const kith_cursor *cursor = store->open;
    while (cursor != NULL && query != NULL && cursor->query != query) {
        cursor = cursor->outer;
    }
    if (cursor == NULL) {
        snprintf(text, size, "not open");
    } else if (cursor->line == 0) {
        snprintf(text, size, "opened by %s", cursor->file);
    } else {
        snprintf(text, size, "opened at %s:%d", cursor->file, cursor->line);
    }
}

uint32_t ki_queries_close(ki_store *store)
{
    uint32_t count = 0;
    for (; store->open != NULL; count++) {
        ki_cursor_close(store->open);
    }
    return count;
}

void ki_cursor_looked(const kith_cursor *cursor)
{
    if (cursor->look > cursor->query->looked) {
        cursor->query->looked = cursor->look;
    }
}
