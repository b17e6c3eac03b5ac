/* Binds a query's terms to addresses, run by run. */
#include "query/query.h"
#include "store/register.h"

static KI_NOINLINE bool bind_touch_pages(ki_space *space, ki_column *column)
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
static KI_NOINLINE bool bind_touch_storage(const kith_query *query, const ki_term *term)
{
    ki_space *space = &query->store->space;
    ki_component *component = term->component;
    if (component->layout == KITH_SPARSE) {
        return ki_column_touch_rows(space, &component->in.sparse.values, 0,
                                    component->in.sparse.rows.count);
    }
    if (component->layout == KITH_SLOT) {
        return bind_touch_pages(space, &component->in.slots.values);
    }
    ki_search search = {0};
    for (ki_table *table = ki_search_next(query, &search); table != NULL;
         table = ki_search_next(query, &search)) {
        ki_column *column = ki_table_column(table, component->id);
        if (column != NULL && !ki_column_touch_rows(space, column, 0, table->rows.count)) {
            return false;
        }
    }
    return true;
}

/* Binds a term to a value; NULL: to none. */
KI_NOINLINE static void bind_to(kith_bind *bind, void *base)
{
    bind->base = base;
    if (base == NULL) {
        ki_bind_refuse(bind);
    } else {
        bind->grant = bind->kept;
    }
}

/* A term of a query that this driver drives: who may have it, and where it is. */
static void bind_shape_term(kith_cursor *cursor, uint32_t number)
{
    const ki_walk *walk = &cursor->walk;
    const ki_term *term = &cursor->query->terms[number];
    ki_component *component = term->component;
    bool alike = walk->driver == KI_DRIVE_ONE || ki_walk_is_alike(walk, number);
    uint32_t type = ki_type_number(component->type);
    uint32_t readable = term->valued ? type : KITH_NO_NUMBER_;
    uint32_t writable = term->access == KITH_ACCESS_WRITE ? readable : KITH_NO_NUMBER_;
    cursor->columns[number] = NULL;
    kith_bind *bind = &cursor->binds[number];
    bind->kept = (kith_grant){{readable, writable}, {readable, writable}};
    if (!term->column) {
        bind->kept.column[0] = bind->kept.column[1] = KITH_NO_NUMBER_;
    }
    bind_to(bind, NULL);
    if (!term->valued) {
        return;
    }
    uint32_t shift = ki_block_shift(component->type->size);
    cursor->block_shift = (uint8_t)ki_min_u32(cursor->block_shift, shift);
    if (!alike) {
        cursor->touches = cursor->touches || term->access == KITH_ACCESS_WRITE;
        cursor->looks_up = cursor->looks_up || term->role == KITH_MUST;
    } else if (walk->driver == KI_DRIVE_SPARSE) {
        cursor->columns[number] = &component->in.sparse.values;
    } else if (walk->driver == KI_DRIVE_SLOTS) {
        cursor->columns[number] = &component->in.slots.values;
    }
}

/* Sets up what is the same whenever the query is driven so. */
static void bind_shape(kith_cursor *cursor)
{
    cursor->shaped = cursor->walk.driver;
    cursor->shaped_term = cursor->walk.driving_term;
    cursor->block_shift = KI_SMALL_SHIFT;
    cursor->plain = cursor->shaped == KI_DRIVE_TABLES && !cursor->query->by_row;
    cursor->touches = false;
    cursor->looks_up = false;
    for (uint32_t i = 0; i < cursor->query->term_count; i++) {
        bind_shape_term(cursor, i);
    }
    cursor->steady = cursor->plain && cursor->query->tables_only && !cursor->touches;
}

/* Makes ready what is written by look-up. */
static bool bind_touch_all(kith_cursor *cursor)
{
    const kith_query *query = cursor->query;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (term->valued && term->access == KITH_ACCESS_WRITE &&
            !ki_walk_is_alike(&cursor->walk, i) && !bind_touch_storage(query, term)) {
            return false;
        }
    }
    return true;
}

kith_result ki_bind_prepare(kith_cursor *cursor)
{
    ki_walk *walk = &cursor->walk;
    if (walk->driver == KI_DRIVE_SLOTS && cursor->slot_entities == NULL) {
        cursor->slot_entities =
            ki_heap_take(&cursor->query->store->context.heap,
                         KI_BLOCK_ROWS_MAX * sizeof(kith_entity), _Alignof(kith_entity));
        if (cursor->slot_entities == NULL) {
            return KITH_ERR_MEMORY;
        }
    }
    if (cursor->shaped_term != walk->driving_term || cursor->shaped != walk->driver) {
        bind_shape(cursor);
    }
    walk->block_shift = (uint8_t)ki_min_u32(walk->block_shift, cursor->block_shift);
    return !cursor->touches || bind_touch_all(cursor) ? KITH_OK : KITH_ERR_MEMORY;
}

const kith_entity *ki_bind_entities(kith_cursor *cursor, uint32_t row, uint32_t count)
{
    const kith_entity *entities = ki_walk_entities(&cursor->walk, row);
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

/* Where each term's values are that stand in the driving storage's order. */
static ki_column *const *bind_columns(const kith_cursor *cursor)
{
    const ki_walk *walk = &cursor->walk;
    return walk->driver == KI_DRIVE_TABLES ? walk->at->columns : cursor->columns;
}

bool ki_bind_rows(kith_cursor *cursor, ki_column *const *columns, uint32_t row)
{
    ki_space *space = &cursor->query->store->space;
    const ki_term *terms = cursor->query->terms;
    for (uint32_t i = 0, count = cursor->query->term_count; i < count; i++) {
        ki_column *column = columns[i];
        if (column != NULL && terms[i].access == KITH_ACCESS_WRITE &&
            !ki_column_touch(space, column, row)) {
            return false;
        }
        bind_to(&cursor->binds[i], column == NULL ? NULL : ki_column_at(column, row));
    }
    return true;
}

bool ki_bind_is_shared(const kith_cursor *cursor)
{
    ki_column *const *columns = bind_columns(cursor);
    uint32_t row = cursor->walk.row;
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
    uint32_t index = cursor->walk.one.index1 - 1;
    const ki_record *record = ki_record_at(&store->entities, index);
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        void *value = NULL;
        if (!term->valued) {
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
        bind_to(&cursor->binds[i], value);
    }
    return true;
}

/* Binds the terms that must be there and have their values elsewhere: where these stand in a row; or, of
 * a query with `columns`, as far as all of them do. */
static void bind_lookups(kith_cursor *cursor)
{
    ki_walk *walk = &cursor->walk;
    const kith_query *query = cursor->query;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (!term->valued || term->role != KITH_MUST || ki_walk_is_alike(walk, i)) {
            continue;
        }
        const ki_column *values;
        uint32_t first;
        uint32_t count =
            ki_walk_follow(walk, term->component, walk->row, walk->count, &values, &first);
        if (count != 0) {
            uint64_t end = ki_column_block_end(values, first);
            count = end - first < count ? (uint32_t)(end - first) : count;
        }
        if (query->columns) {
            KI_ASSERT(count != 0);
            walk->count = count;
        }
        bind_to(&cursor->binds[i], count == walk->count ? ki_column_at(values, first) : NULL);
    }
}

bool ki_bind_run(kith_cursor *cursor)
{
    cursor->slot_row = KI_NO_ROW;
    if (cursor->walk.driver == KI_DRIVE_ONE) {
        return bind_one(cursor);
    }
    if (!ki_bind_rows(cursor, bind_columns(cursor), cursor->walk.row)) {
        return false;
    }
    if (cursor->looks_up) {
        bind_lookups(cursor);
    }
    return true;
}
