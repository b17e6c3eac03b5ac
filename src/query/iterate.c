/* Iteration: hands out a query's entities in batches, with the values of its terms. */
#include "query/query.h"
#include "store/register.h"

static bool iterate_is_driving(const ki_walk *walk, const ki_term *term, uint32_t number)
{
    return walk->driver == KI_DRIVE_TABLES ? term->component->layout == KITH_TABLE
                                           : number == walk->driving_term;
}

static bool iterate_touch_rows(ki_space *space, ki_column *column, uint32_t rows)
{
    for (uint64_t row = 0; row < rows; row = ki_column_block_end(column, (uint32_t)row)) {
        if (!ki_column_touch(space, column, (uint32_t)row)) {
            return false;
        }
    }
    return true;
}

static bool iterate_touch_pages(ki_space *space, ki_column *column)
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
static bool iterate_touch_storage(const kith_query *query, const ki_term *term)
{
    ki_space *space = &query->store->space;
    ki_component *component = term->component;
    if (component->layout == KITH_SPARSE) {
        return iterate_touch_rows(space, &component->in.sparse.values, component->in.sparse.count);
    }
    if (component->layout == KITH_SLOT) {
        return iterate_touch_pages(space, &component->in.slots.values);
    }
    uint32_t id = 0;
    for (ki_table *table = ki_query_walk(query, &id); table != NULL;
         table = ki_query_walk(query, &id)) {
        uint32_t column = ki_table_find(table, component->id);
        if (column != KI_NO_COLUMN &&
            !iterate_touch_rows(space, &table->columns[column], table->row_count)) {
            return false;
        }
    }
    return true;
}

/* Sets up what does not change from run to run: which terms are looked up, and how far a run may
 * reach. */
static kith_result iterate_prepare(kith_cursor *cursor)
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
    walk->block_shift = 10;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        const kith_type *type = term->component->type;
        bool driving = walk->driver == KI_DRIVE_ONE || iterate_is_driving(walk, term, i);
        cursor->binds[i] = (kith_bind){
            .number = ki_type_number(type), .access = (uint8_t)term->access, .lookup = !driving};
        cursor->columns[i] = NULL;
        if (type->size == 0 || term->access == KITH_ACCESS_NONE) {
            continue;
        }
        if (!driving) {
            if (term->access == KITH_ACCESS_WRITE && !iterate_touch_storage(query, term)) {
                return KITH_ERR_MEMORY;
            }
            continue;
        }
        if (walk->driver == KI_DRIVE_SPARSE) {
            cursor->columns[i] = &term->component->in.sparse.values;
        } else if (walk->driver == KI_DRIVE_SLOTS) {
            cursor->columns[i] = &term->component->in.slots.values;
        }
        uint32_t shift = ki_block_shift(type->size);
        walk->block_shift = shift < walk->block_shift ? (uint8_t)shift : walk->block_shift;
    }
    return KITH_OK;
}

static kith_iter iterate_open(kith_query *query, const char *call, bool all, kith_entity one,
                              const char *file, int line)
{
    kith_iter it = {.result = KITH_ERR_MISUSE};
    KITH_REQUIRE(NULL, query != NULL, it, "%s: the query is NULL (%s:%d)", call, file, line);
    const ki_store *store = query->store;
    KITH_REQUIRE(
        &store->context, store->context.owner == ki_thread(), it,
        "%s: the world belongs to another thread; its owner calls kith_world_yield, this one"
        " kith_world_claim (%s:%d)",
        call, file, line);
    it.result = all ? ki_query_refresh(query) : KITH_OK;
    if (it.result != KITH_OK) {
        return it;
    }
    kith_cursor *cursor = ki_cursor_open(query, file, line);
    if (cursor == NULL) {
        it.result = KITH_ERR_MEMORY;
        return it;
    }
    if (all) {
        ki_walk_start(&cursor->walk, query, true);
    } else {
        ki_walk_start_one(&cursor->walk, query, one);
    }
    it.result = iterate_prepare(cursor);
    if (it.result != KITH_OK) {
        ki_cursor_close(cursor);
        return it;
    }
    it.cursor = cursor;
    it.serial = cursor->serial;
    it.binds = cursor->binds;
    it.term_count = query->term_count;
    return it;
}

kith_iter kith_query_iter_at(kith_query *query, const char *file, int line)
{
    return iterate_open(query, "kith_query_iter", true, KITH_NONE, file, line);
}

kith_iter kith_query_iter_one_at(kith_query *query, kith_entity entity, const char *file, int line)
{
    return iterate_open(query, "kith_query_iter_one", false, entity, file, line);
}

void kith_iter_end(kith_iter *it)
{
    KITH_REQUIRE(NULL, it != NULL, , "kith_iter_end: the iterator is NULL");
    if (it->cursor != NULL && it->cursor->serial == it->serial) {
        ki_cursor_close(it->cursor);
    }
    it->cursor = NULL;
    it->binds = NULL;
    it->term_count = 0;
    it->count = 0;
}

/* The columns of a table that a run has come to. */
static void iterate_enter_table(kith_cursor *cursor)
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

static bool iterate_bind_run(kith_cursor *cursor)
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

static bool iterate_bind_one(kith_cursor *cursor)
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

bool kith_next(kith_iter *it)
{
    KITH_REQUIRE(NULL, it != NULL, false, "kith_next: the iterator is NULL");
    kith_cursor *cursor = it->cursor;
    if (cursor == NULL) {
        return false;
    }
    KITH_REQUIRE(&cursor->query->store->context, cursor->serial == it->serial, false,
                 "kith_next: the query \"%s\" was closed through a copy of this iterator",
                 ki_query_name(cursor->query));
    const ki_table *before = cursor->walk.table;
    if (!ki_walk_next(&cursor->walk)) {
        kith_iter_end(it);
        return false;
    }
    if (cursor->walk.table != before) {
        iterate_enter_table(cursor);
    }
    cursor->slot_entities_ready = false;
    bool bound =
        cursor->walk.driver == KI_DRIVE_ONE ? iterate_bind_one(cursor) : iterate_bind_run(cursor);
    if (!bound) {
        kith_iter_end(it);
        it->result = KITH_ERR_MEMORY;
        return false;
    }
    it->count = cursor->walk.count;
    return true;
}

/* The cursor of an iterator that stands on a batch; NULL if it does not. */
static kith_cursor *iterate_batch(const kith_iter *it)
{
    return it != NULL && it->count != 0 && it->cursor != NULL && it->cursor->serial == it->serial
               ? it->cursor
               : NULL;
}

static const kith_entity *iterate_entities(kith_cursor *cursor)
{
    const ki_walk *walk = &cursor->walk;
    switch (walk->driver) {
    case KI_DRIVE_TABLES: return ki_column_at(&walk->table->entities, walk->row);
    case KI_DRIVE_SPARSE: {
        const ki_component *driving = cursor->query->terms[walk->driving_term].component;
        return ki_column_at(&driving->in.sparse.entities, walk->row);
    }
    case KI_DRIVE_SLOTS: break;
    case KI_DRIVE_ONE: return &walk->one;
    }
    if (!cursor->slot_entities_ready) {
        for (uint32_t i = 0; i < walk->count; i++) {
            cursor->slot_entities[i] = ki_entity_at(&cursor->query->store->entities, walk->row + i);
        }
        cursor->slot_entities_ready = true;
    }
    return cursor->slot_entities;
}

const kith_entity *kith_entities(const kith_iter *it)
{
    kith_cursor *cursor = iterate_batch(it);
    KITH_REQUIRE(NULL, cursor != NULL, NULL,
                 "kith_entities: there is no batch; kith_next has to return true first");
    return iterate_entities(cursor);
}

/* What KITH_COLUMN and KITH_AT have in common: whether the caller may have this term in this way.
 * */
static bool iterate_allows(const kith_cursor *cursor, const char *call, uint32_t term,
                           const kith_type *type, kith_access access)
{
    const kith_query *query = cursor->query;
    const ki_context *context = &query->store->context;
    const char *name = ki_query_name(query);
    KITH_REQUIRE(context, type != NULL, false, "%s: the type is NULL", call);
    KITH_REQUIRE(context, term < query->term_count, false,
                 "%s: there is no term %u of \"%s\", which has %u", call, term, name,
                 query->term_count);
    const ki_term *asked = &query->terms[term];
    const kith_type *known = asked->component->type;
    KITH_REQUIRE(context, ki_type_number_found(type) == ki_type_number(known), false,
                 "%s: term %u of \"%s\" is %s, not %s", call, term, name, known->name,
                 type->name == NULL ? "(null)" : type->name);
    KITH_REQUIRE(context, known->size != 0, false,
                 "%s: term %u of \"%s\", %s, is a tag and has no value", call, term, name,
                 known->name);
    KITH_REQUIRE(context, asked->access >= access, false,
                 "%s: term %u of \"%s\", %s, is %s; declare it as %s", call, term, name, known->name,
                 asked->access == KITH_ACCESS_NONE ? "not accessed" : "only read",
                 access == KITH_ACCESS_READ ? "read" : "written");
    return true;
}

static void *iterate_column(const kith_iter *it, const char *call, uint32_t term,
                            const kith_type *type, kith_access access)
{
    const kith_cursor *cursor = iterate_batch(it);
    KITH_REQUIRE(NULL, cursor != NULL, NULL,
                 "%s: there is no batch; kith_next has to return true first", call);
    if (!iterate_allows(cursor, call, term, type, access)) {
        return NULL;
    }
    const kith_query *query = cursor->query;
    KITH_REQUIRE(
        &query->store->context, query->terms[term].column, NULL,
        "%s: term %u of \"%s\", %s, is not sure to live in the storage that drives the query;"
        " use KITH_AT, or name its type as `driver`",
        call, term, ki_query_name(query), query->terms[term].component->type->name);
    return cursor->binds[term].base;
}

const void *kith_column(const kith_iter *it, uint32_t term, const kith_type *type)
{
    return iterate_column(it, "kith_column", term, type, KITH_ACCESS_READ);
}

void *kith_column_mut(const kith_iter *it, uint32_t term, const kith_type *type)
{
    return iterate_column(it, "kith_column_mut", term, type, KITH_ACCESS_WRITE);
}

void *kith_at_slow(const kith_iter *it, uint32_t term, uint32_t i, const kith_type *type,
                   kith_access access)
{
    kith_cursor *cursor = iterate_batch(it);
    KITH_REQUIRE(NULL, cursor != NULL, NULL,
                 "kith_at: there is no batch; kith_next has to return true first");
    if (!iterate_allows(cursor, "kith_at", term, type, access)) {
        return NULL;
    }
    const kith_query *query = cursor->query;
    KITH_REQUIRE(&query->store->context, i < it->count, NULL,
                 "kith_at: there is no entity number %u in a batch of %u of \"%s\"", i, it->count,
                 ki_query_name(query));
    const kith_bind *bind = &cursor->binds[term];
    if (!bind->lookup) {
        return bind->base == NULL ? NULL : (char *)bind->base + (size_t)i * type->size;
    }
    const ki_store *store = query->store;
    uint32_t index = iterate_entities(cursor)[i].index1 - 1;
    return (void *)(uintptr_t)ki_store_value(store, query->terms[term].component, index,
                                             ki_record_at(&store->entities, index));
}
