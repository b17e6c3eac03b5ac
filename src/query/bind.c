/* Binds a query's terms to addresses, run by run. */
#include "query/query.h"
#include "store/register.h"

static bool bind_touch_rows(ki_space *space, ki_column *column, uint32_t rows)
{
    for (uint64_t row = 0; row < rows; row = ki_column_block_end(column, (uint32_t)row)) {
        if (!ki_column_touch(space, column, (uint32_t)row)) {
            return false;
        }
    }
    return true;
}

static bool bind_touch_pages(ki_space *space, ki_column *column)
{
    for (uint32_t page = 0; page < column->block_count; page++) {
        if (column->blocks[page].data != NULL &&
            !ki_column_touch(space, column, page << column->shift)) {
            return false;
        }
    }
    return true;
}

/* Makes all values of a term that is written by look-up ready for that. */
static bool bind_touch_storage(const kith_query *query, const ki_term *term)
{
    ki_space *space = &query->store->space;
    ki_component *component = term->component;
    if (component->layout == KITH_SPARSE) {
        return bind_touch_rows(space, &component->in.sparse.values, component->in.sparse.count);
    }
    if (component->layout == KITH_SLOT) {
        return bind_touch_pages(space, &component->in.slots.values);
    }
    uint32_t id = 0;
    for (ki_table *table = ki_query_walk(query, &id); table != NULL;
         table = ki_query_walk(query, &id)) {
        uint32_t column = ki_table_find(table, component->id);
        if (column != KI_NO_COLUMN &&
            !bind_touch_rows(space, &table->columns[column], table->row_count)) {
            return false;
        }
    }
    return true;
}

kith_result ki_bind_prepare(kith_cursor *cursor)
{
    const kith_query *query = cursor->query;
    ki_walk *walk = &cursor->walk;
    ki_heap *heap = &query->store->context.heap;
    if (walk->driver == KI_DRIVE_SLOTS && cursor->slot_entities == NULL) {
        cursor->slot_entities =
            ki_heap_take(heap, KI_BLOCK_ROWS_MAX * sizeof(kith_entity), _Alignof(kith_entity));
        if (cursor->slot_entities == NULL) {
            return KITH_ERR_MEMORY;
        }
    }
    walk->block_shift = (uint8_t)ki_min_u32(walk->block_shift, 10);
    cursor->has_lookups = false;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        const kith_type *type = term->component->type;
        bool driving = walk->driver == KI_DRIVE_ONE || ki_walk_is_driving(walk, i);
        kith_bind *bind = &cursor->binds[i];
        bind->base = NULL;
        bind->number = ki_type_number(type);
        bind->access = (uint8_t)term->access;
        bind->lookup = !driving;
        bind->column = term->column;
        cursor->columns[i] = NULL;
        cursor->has_lookups = cursor->has_lookups || !driving;
        if (type->size == 0 || term->access == KITH_ACCESS_NONE) {
            continue;
        }
        uint32_t shift = ki_block_shift(type->size);
        walk->block_shift = shift < walk->block_shift ? (uint8_t)shift : walk->block_shift;
        if (!driving) {
            if (term->access == KITH_ACCESS_WRITE && !bind_touch_storage(query, term)) {
                return KITH_ERR_MEMORY;
            }
            continue;
        }
        if (walk->driver == KI_DRIVE_SPARSE) {
            cursor->columns[i] = &term->component->in.sparse.values;
        } else if (walk->driver == KI_DRIVE_SLOTS) {
            cursor->columns[i] = &term->component->in.slots.values;
        }
    }
    return KITH_OK;
}

const kith_entity *ki_bind_entities(kith_cursor *cursor)
{
    const ki_walk *walk = &cursor->walk;
    const kith_entity *entities = ki_walk_entities(walk, walk->row);
    if (entities != NULL) {
        return entities;
    }
    if (!cursor->slot_entities_ready) {
        for (uint32_t i = 0; i < walk->count; i++) {
            cursor->slot_entities[i] = ki_entity_at(&cursor->query->store->entities, walk->row + i);
        }
        cursor->slot_entities_ready = true;
    }
    return cursor->slot_entities;
}

/* The columns of a table that a run has come to. */
static void bind_enter_table(kith_cursor *cursor)
{
    const kith_query *query = cursor->query;
    ki_table *table = cursor->walk.table;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (cursor->binds[i].lookup || term->access == KITH_ACCESS_NONE ||
            term->component->type->size == 0) {
            continue;
        }
        uint32_t column = ki_table_find(table, term->component->id);
        cursor->columns[i] = column == KI_NO_COLUMN ? NULL : &table->columns[column];
        cursor->binds[i].base = NULL;
    }
}

/* Moves on within the blocks of the run before: those that are written were made ready then, and stay
 * so. One that is only read may have been copied since, because somebody wrote into it. */
static void bind_move_on(kith_cursor *cursor, uint32_t rows)
{
    uint32_t row = cursor->bound_row + rows;
    for (uint32_t i = 0, count = cursor->query->term_count; i < count; i++) {
        const ki_column *column = cursor->columns[i];
        if (column != NULL) {
            cursor->binds[i].base =
                cursor->binds[i].access == KITH_ACCESS_WRITE
                    ? (char *)cursor->binds[i].base + (size_t)rows * column->size
                    : ki_column_at(column, row);
        }
    }
}

static bool bind_rows(kith_cursor *cursor)
{
    ki_space *space = &cursor->query->store->space;
    uint32_t row = cursor->walk.row;
    for (uint32_t i = 0; i < cursor->query->term_count; i++) {
        ki_column *column = cursor->columns[i];
        if (column == NULL) {
            continue;
        }
        if (cursor->binds[i].access == KITH_ACCESS_WRITE && !ki_column_touch(space, column, row)) {
            return false;
        }
        cursor->binds[i].base = ki_column_at(column, row);
    }
    return true;
}

static bool bind_one(kith_cursor *cursor)
{
    const kith_query *query = cursor->query;
    ki_store *store = query->store;
    uint32_t index = cursor->walk.one.index1 - 1;
    const ki_record *record = ki_record_at(&store->entities, index);
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        void *value = NULL;
        if (term->access == KITH_ACCESS_NONE || term->component->type->size == 0) {
            continue;
        }
        if (term->access == KITH_ACCESS_WRITE) {
            if (ki_store_touch_value(store, term->component, index, record, &value) ==
                KITH_ERR_MEMORY) {
                return false;
            }
        } else {
            value = (void *)(uintptr_t)ki_store_value(store, term->component, index, record);
        }
        cursor->binds[i].base = value;
    }
    return true;
}

/* Where the run's values stand in a row in a storage that does not drive; NULL if they do not. */
static void *bind_found_in_row(const kith_cursor *cursor, const ki_component *component)
{
    const ki_walk *walk = &cursor->walk;
    const ki_column *values;
    uint32_t first;
    if (!ki_walk_follows(walk, component, walk->row, walk->count, &values, &first) ||
        (uint64_t)first + walk->count > ki_column_block_end(values, first)) {
        return NULL;
    }
    return ki_column_at(values, first);
}

static void bind_lookups(kith_cursor *cursor)
{
    const kith_query *query = cursor->query;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (cursor->binds[i].lookup && term->access != KITH_ACCESS_NONE &&
            term->role == KITH_MUST && term->component->type->size != 0) {
            cursor->binds[i].base = bind_found_in_row(cursor, term->component);
        }
    }
}

bool ki_bind_run(kith_cursor *cursor, bool new_table)
{
    cursor->slot_entities_ready = false;
    if (cursor->walk.driver == KI_DRIVE_ONE) {
        return bind_one(cursor);
    }
    if (new_table) {
        bind_enter_table(cursor);
    }
    uint32_t row = cursor->walk.row;
    uint32_t last = cursor->bound_row;
    if (!new_table && row > last &&
        row >> cursor->walk.block_shift == last >> cursor->walk.block_shift) {
        bind_move_on(cursor, row - last);
    } else if (!bind_rows(cursor)) {
        return false;
    }
    cursor->bound_row = row;
    if (cursor->has_lookups) {
        bind_lookups(cursor);
    }
    return true;
}
