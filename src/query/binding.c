#include "query/binding.h"

#include "query/lockstep.h"
#include "store/register.h"

static bool bind_mark_pages(ki_column_context *context, ki_column *column)
{
    for (uint32_t page = 0; page < column->block_count; page++) {
        if (column->blocks[page].data != NULL &&
            !ki_column_mark(context, column, page << column->shift)) {
            return false;
        }
    }
    return true;
}

/* Marks all values of a term written: which of them will be looked up is not known. */
static bool bind_mark_storage(const kith_query *query, const ki_term *term)
{
    ki_column_context *context = &query->store->columns;
    ki_component *component = term->component;
    if (component->layout == KITH_SPARSE) {
        return ki_column_mark_rows(context, &component->in.sparse.values, 0,
                                   component->in.sparse.rows.count);
    }
    if (component->layout == KITH_SLOT) {
        return bind_mark_pages(context, &component->in.slots.values);
    }
    ki_candidates candidates = {0};
    for (ki_table *table = ki_candidates_next(query, &candidates); table != NULL;
         table = ki_candidates_next(query, &candidates)) {
        ki_column *column = ki_table_column(table, component->id);
        if (column != NULL && !ki_column_mark_rows(context, column, 0, table->rows.count)) {
            return false;
        }
    }
    return true;
}

/* Binds a term to a value, or to none. */
static void bind_to(kith_bind *bind, void *base)
{
    bind->base = base;
    if (base == NULL) {
        ki_bind_clear(bind);
    } else {
        bind->key = bind->stored_key;
    }
}

/* Sets up one term for this driver: which accesses are right, and where its column is. */
static void bind_set_up_term(kith_cursor *cursor, uint32_t number)
{
    const ki_scan *scan = &cursor->scan;
    const ki_term *term = &cursor->query->terms[number];
    ki_component *component = term->component;
    bool aligned = scan->driver.kind == KI_DRIVE_ONE || ki_driver_is_aligned(&scan->driver, number);
    uint32_t type = ki_type_number(component->type);
    uint32_t readable = term->valued ? type : KITH_NO_NUMBER_;
    uint32_t writable = term->access == KITH_ACCESS_WRITE ? readable : KITH_NO_NUMBER_;
    cursor->columns[number] = NULL;
    kith_bind *bind = &cursor->binds[number];
    bind->stored_key = (kith_access_key){{readable, writable}, {readable, writable}};
    if (!term->column) {
        bind->stored_key.column[0] = bind->stored_key.column[1] = KITH_NO_NUMBER_;
    }
    bind_to(bind, NULL);
    if (!term->valued) {
        return;
    }
    uint32_t shift = ki_block_shift(component->type->size);
    cursor->block_shift = (uint8_t)ki_min_u32(cursor->block_shift, shift);
    if (!aligned) {
        cursor->writes_lookups = cursor->writes_lookups || term->access == KITH_ACCESS_WRITE;
        cursor->reads_lookups = cursor->reads_lookups || term->role == KITH_MUST;
    } else if (scan->driver.kind == KI_DRIVE_SPARSE) {
        cursor->columns[number] = &component->in.sparse.values;
    } else if (scan->driver.kind == KI_DRIVE_SLOTS) {
        cursor->columns[number] = &component->in.slots.values;
    }
}

/* Sets up what stays the same as long as this driver drives. */
static void bind_set_up(kith_cursor *cursor)
{
    cursor->prepared_kind = cursor->scan.driver.kind;
    cursor->prepared_term = cursor->scan.driver.term;
    cursor->block_shift = KI_SMALL_SHIFT;
    cursor->plain = cursor->prepared_kind == KI_DRIVE_TABLES && !cursor->query->by_row;
    cursor->writes_lookups = false;
    cursor->reads_lookups = false;
    for (uint32_t i = 0; i < cursor->query->term_count; i++) {
        bind_set_up_term(cursor, i);
    }
    cursor->steady = cursor->plain && cursor->query->tables_only && !cursor->writes_lookups;
}

/* Marks what is written by look-up. */
static bool bind_mark_lookups(kith_cursor *cursor)
{
    const kith_query *query = cursor->query;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (term->valued && term->access == KITH_ACCESS_WRITE &&
            !ki_driver_is_aligned(&cursor->scan.driver, i) && !bind_mark_storage(query, term)) {
            return false;
        }
    }
    return true;
}

kith_result ki_bind_prepare(kith_cursor *cursor)
{
    ki_scan *scan = &cursor->scan;
    if (scan->driver.kind == KI_DRIVE_SLOTS && cursor->slot_entities == NULL) {
        cursor->slot_entities =
            ki_heap_alloc(&cursor->query->store->context.heap,
                          KI_BLOCK_ROWS_MAX * sizeof(kith_entity), _Alignof(kith_entity));
        if (cursor->slot_entities == NULL) {
            return KITH_ERR_MEMORY;
        }
    }
    if (cursor->prepared_term != scan->driver.term || cursor->prepared_kind != scan->driver.kind) {
        bind_set_up(cursor);
    }
    scan->block_shift = (uint8_t)ki_min_u32(scan->block_shift, cursor->block_shift);
    return !cursor->writes_lookups || bind_mark_lookups(cursor) ? KITH_OK : KITH_ERR_MEMORY;
}

const kith_entity *ki_bind_entities(kith_cursor *cursor, uint32_t row, uint32_t count)
{
    const kith_entity *entities = ki_driver_entities(&cursor->scan.driver, row);
    if (entities != NULL) {
        return entities;
    }
    if (cursor->slot_row != row) {
        for (uint32_t i = 0; i < count; i++) {
            cursor->slot_entities[i] = ki_entity_at(&cursor->query->store->entities, row + i);
        }
        cursor->slot_row = row;
    }
    return cursor->slot_entities;
}

/* The columns of the terms that are aligned with the driver. */
static ki_column *const *bind_columns(const kith_cursor *cursor)
{
    const ki_scan *scan = &cursor->scan;
    return scan->driver.kind == KI_DRIVE_TABLES ? scan->match->columns : cursor->columns;
}

bool ki_bind_rows(kith_cursor *cursor, ki_column *const *columns, uint32_t row)
{
    ki_column_context *context = &cursor->query->store->columns;
    const ki_term *terms = cursor->query->terms;
    for (uint32_t i = 0, count = cursor->query->term_count; i < count; i++) {
        ki_column *column = columns[i];
        if (column != NULL && terms[i].access == KITH_ACCESS_WRITE &&
            !ki_column_mark(context, column, row)) {
            return false;
        }
        bind_to(&cursor->binds[i], column == NULL ? NULL : ki_column_at(column, row));
    }
    return true;
}

bool ki_bind_is_shared(const kith_cursor *cursor)
{
    ki_column *const *columns = bind_columns(cursor);
    uint32_t row = cursor->scan.row;
    bool shared = false;
    for (uint32_t i = 0; i < cursor->query->term_count; i++) {
        const ki_column *column = columns[i];
        shared = shared ||
                 (column != NULL && (column->blocks[row >> column->shift].stamp & KI_SHARED) != 0);
    }
    return shared;
}

static bool bind_one(kith_cursor *cursor)
{
    const kith_query *query = cursor->query;
    ki_store *store = query->store;
    uint32_t index = cursor->scan.driver.one.index1 - 1;
    const ki_record *record = ki_record_at(&store->entities, index);
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        void *value = NULL;
        if (!term->valued) {
            continue;
        }
        if (term->access == KITH_ACCESS_WRITE) {
            if (ki_store_mark_value(store, term->component, index, record, &value) ==
                KITH_ERR_MEMORY) {
                return false;
            }
        } else {
            value = (void *)(uintptr_t)ki_store_value(store, term->component, index, record);
        }
        bind_to(&cursor->binds[i], value);
    }
    return true;
}

/* Binds the required terms that are not aligned with the driver: those whose values are
 * consecutive. In a query with `columns`, the run is shortened until all are. */
static void bind_lookups(kith_cursor *cursor)
{
    ki_scan *scan = &cursor->scan;
    const kith_query *query = cursor->query;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (!term->valued || term->role != KITH_MUST || ki_driver_is_aligned(&scan->driver, i)) {
            continue;
        }
        const ki_column *values;
        uint32_t first;
        uint32_t count = ki_lockstep_count(&scan->driver, term->component, scan->row, scan->count,
                                           &values, &first);
        if (count != 0) {
            uint64_t end = ki_column_block_end(values, first);
            count = end - first < count ? (uint32_t)(end - first) : count;
        }
        if (query->columns) {
            KI_ASSERT(count != 0);
            scan->count = count;
        }
        bind_to(&cursor->binds[i], count == scan->count ? ki_column_at(values, first) : NULL);
    }
}

bool ki_bind_run(kith_cursor *cursor)
{
    cursor->slot_row = KI_NO_ROW;
    if (cursor->scan.driver.kind == KI_DRIVE_ONE) {
        return bind_one(cursor);
    }
    if (!ki_bind_rows(cursor, bind_columns(cursor), cursor->scan.row)) {
        return false;
    }
    if (cursor->reads_lookups) {
        bind_lookups(cursor);
    }
    return true;
}
