#include "query/binding.h"

#include "query/lockstep.h"
#include "query/via_batch.h"
#include "store/register.h"

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
    bind->stored_key = (kith_access_key){{readable, writable, readable, writable}};
    bind_to(bind, NULL);
    if (!term->valued) {
        return;
    }
    uint32_t shift = ki_block_shift(component->type->size);
    cursor->block_shift = (uint8_t)ki_min_u32(cursor->block_shift, shift);
    if (!aligned) {
        cursor->lookups = true;
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
    cursor->keyed = KI_BATCH_ARRAYS;
    cursor->lookups = false;
    for (uint32_t i = 0; i < cursor->query->term_count; i++) {
        bind_set_up_term(cursor, i);
    }
    cursor->indirect = cursor->lookups || cursor->query->reads_vias;
    cursor->plain = cursor->prepared_kind == KI_DRIVE_TABLES && !cursor->query->by_row &&
                    !cursor->lookups && cursor->query->levels == NULL;
    cursor->steady = cursor->plain && cursor->query->tables_only;
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
    return KITH_OK;
}

void ki_bind_set_kind(kith_cursor *cursor, ki_batch_kind kind)
{
    cursor->kind = kind;
    cursor->ready = kind;
    if (cursor->keyed == kind) {
        return;
    }
    cursor->keyed = kind;
    for (uint32_t i = 0; i < cursor->query->term_count; i++) {
        uint32_t *number = cursor->binds[i].stored_key.number;
        for (uint32_t write = 0; write < 2; write++) {
            number[KITH_COLUMN_KEY_ + write] =
                kind == KI_BATCH_ARRAYS ? number[KITH_AT_KEY_ + write] : KITH_NO_NUMBER_;
        }
    }
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

/* Whether a term's values are found by look-up. */
static bool bind_looks_up(const kith_cursor *cursor, uint32_t number)
{
    return cursor->query->terms[number].valued &&
           !ki_driver_is_aligned(&cursor->scan.driver, number);
}

/* The run of a term's values that starts in the scan's row. */
static void bind_find_run(kith_cursor *cursor, uint32_t number)
{
    const ki_scan *scan = &cursor->scan;
    const ki_component *component = cursor->query->terms[number].component;
    ki_term_run *run = &cursor->runs[number];
    run->row = scan->row;
    uint32_t count = ki_lockstep_count(&scan->driver, component, scan->row, scan->count,
                                       &run->values, &run->first);
    if (count == 0) {
        run->values = NULL;
        count = ki_lockstep_absent(&scan->driver, component, scan->row, scan->count);
    } else {
        uint64_t left = ki_column_block_end(run->values, run->first) - run->first;
        count = left < count ? (uint32_t)left : count;
    }
    KI_ASSERT(count != 0);
    run->end = scan->row + count;
}

ki_column *ki_bind_column(const kith_cursor *cursor, uint32_t term, uint32_t *row)
{
    *row = cursor->scan.row;
    if (!bind_looks_up(cursor, term)) {
        return bind_columns(cursor)[term];
    }
    const ki_term_run *run = &cursor->runs[term];
    *row = run->first + (cursor->scan.row - run->row);
    return (ki_column *)(uintptr_t)run->values;
}

/* Binds the terms that are found by look-up to arrays. The scan's run is shortened until the values of
 * each are consecutive, or absent. False: no memory to mark what is written. */
static bool bind_arrays(kith_cursor *cursor)
{
    ki_scan *scan = &cursor->scan;
    const kith_query *query = cursor->query;
    for (uint32_t i = 0; i < query->term_count; i++) {
        ki_term_run *run = &cursor->runs[i];
        if (bind_looks_up(cursor, i)) {
            if (scan->row >= run->end) {
                bind_find_run(cursor, i);
            }
            scan->count = ki_min_u32(scan->count, run->end - scan->row);
        }
    }
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term_run *run = &cursor->runs[i];
        if (!bind_looks_up(cursor, i)) {
            continue;
        }
        if (run->values == NULL) {
            bind_to(&cursor->binds[i], NULL);
            continue;
        }
        uint32_t row = run->first + (scan->row - run->row);
        if (query->terms[i].access == KITH_ACCESS_WRITE &&
            !ki_column_mark_shared(&query->store->columns, (ki_column *)(uintptr_t)run->values,
                                   row)) {
            return false;
        }
        bind_to(&cursor->binds[i], ki_column_at(run->values, row));
    }
    return true;
}

/* Binds the terms about the entities themselves. */
static bool bind_own(kith_cursor *cursor)
{
    if (cursor->scan.driver.kind == KI_DRIVE_ONE) {
        return bind_one(cursor);
    }
    if (!ki_bind_rows(cursor, bind_columns(cursor), cursor->scan.row)) {
        return false;
    }
    return !cursor->lookups || bind_arrays(cursor);
}

bool ki_bind_run(kith_cursor *cursor)
{
    cursor->slot_row = KI_NO_ROW;
    if (!bind_own(cursor)) {
        return false;
    }
    if (cursor->query->reads_vias) {
        ki_via_bind(cursor);
    }
    return true;
}
