/* The bare prototype: components are added and taken, entities end. Each call reserves all that it needs
 * first. */
#include "bare_store.h"

/* ---- Sparse sets and slots ------------------------------------------------------------------- */

kith_result bare_sparse_reserve_rows(bare_sparse *set, uint32_t rows)
{
    kith_result result = KITH_OK;
    if (set->count + rows > set->entities.block_count << BARE_SHIFT) {
        result = bare_array_grow(&set->entities, set->count + rows);
    }
    if (result == KITH_OK && set->values.size != 0 &&
        set->count + rows > set->values.block_count << BARE_SHIFT) {
        result = bare_array_grow(&set->values, set->count + rows);
    }
    if (result == KITH_OK) {
        uint32_t blocks = set->entities.block_count;
        blocks = set->values.size != 0 && set->values.block_count < blocks ? set->values.block_count
                                                                           : blocks;
        set->capacity = blocks << BARE_SHIFT;
    }
    return result;
}

static void sparse_insert(bare_world *world, bare_sparse *set, kith_entity entity,
                          const void *value)
{
    uint32_t row = set->count++;
    *(uint32_t *)bare_array_at(&set->rows, entity.index1 - 1) = row + 1;
    *(kith_entity *)bare_array_at(&set->entities, row) = entity;
    if (set->values.size != 0) {
        bare_write(bare_array_at(&set->values, row), value, set->values.size);
        bare_stamp(world, &set->values, row);
    }
}

/* Takes out the entity whose row plus one stands here; the last one moves into its row. */
static inline void sparse_take(bare_world *world, bare_sparse *set, uint32_t *row1)
{
    uint32_t row = *row1 - 1;
    uint32_t last = --set->count;
    *row1 = 0;
    if (row == last) {
        return;
    }
    kith_entity moved =
        ((const kith_entity *)bare_array_rows(&set->entities, last))[last % BARE_ROWS];
    ((kith_entity *)bare_array_rows(&set->entities, row))[row % BARE_ROWS] = moved;
    uint32_t slot = moved.index1 - 1;
    ((uint32_t *)bare_array_rows(&set->rows, slot))[slot % BARE_ROWS] = row + 1;
    if (set->values.size != 0) {
        bare_fill(world, &set->values, row, last);
    }
}

static kith_result sparse_reserve(bare_sparse *set, uint32_t index)
{
    kith_result result = bare_array_reserve_page(&set->rows, index);
    return result == KITH_OK ? bare_sparse_reserve_rows(set, 1) : result;
}

static kith_result slots_reserve(bare_slots *slots, uint32_t index)
{
    kith_result result = bare_array_reserve_page(&slots->bits, index / 64);
    if (result == KITH_OK && slots->values.size != 0) {
        result = bare_array_reserve_page(&slots->values, index);
    }
    return result;
}

static void slots_insert(bare_world *world, bare_slots *slots, uint32_t index, const void *value)
{
    *(uint64_t *)bare_array_at(&slots->bits, index / 64) |= UINT64_C(1) << index % 64;
    slots->count++;
    if (slots->values.size != 0) {
        bare_write(bare_array_at(&slots->values, index), value, slots->values.size);
        bare_stamp(world, &slots->values, index);
    }
}

kith_result bare_storage_reserve(bare_world *world, bare_component *component, uint32_t index)
{
    kith_result result = bare_array_reserve_page(&world->lanes, index);
    if (result != KITH_OK) {
        return result;
    }
    return component->layout == KITH_SPARSE ? sparse_reserve(&component->in.sparse, index)
                                            : slots_reserve(&component->in.slots, index);
}

void bare_storage_insert(bare_world *world, bare_component *component, kith_entity entity,
                         const void *value)
{
    if (component->layout == KITH_SPARSE) {
        sparse_insert(world, &component->in.sparse, entity, value);
    } else {
        slots_insert(world, &component->in.slots, entity.index1 - 1, value);
    }
    *(uint64_t *)bare_array_at(&world->lanes, entity.index1 - 1) |= component->lane;
}

/* Takes a component outside of tables. The lane stays: it tells what an entity may have. */
static BARE_APART kith_result take_from_sparse(bare_world *world, bare_component *component,
                                               uint32_t index)
{
    uint32_t *rows = bare_array_page(&component->in.sparse.rows, index);
    if (rows == NULL || rows[index % BARE_ROWS] == 0) {
        return KITH_ERR_ABSENT;
    }
    sparse_take(world, &component->in.sparse, rows + index % BARE_ROWS);
    return KITH_OK;
}

static BARE_APART kith_result take_from_slots(bare_component *component, uint32_t index)
{
    uint64_t *words = bare_array_page(&component->in.slots.bits, index / 64);
    uint64_t bit = UINT64_C(1) << index % 64;
    if (words == NULL || (words[index / 64 % BARE_ROWS] & bit) == 0) {
        return KITH_ERR_ABSENT;
    }
    words[index / 64 % BARE_ROWS] &= ~bit;
    component->in.slots.count--;
    return KITH_OK;
}

static inline kith_result storage_take(bare_world *world, bare_component *component, uint32_t index)
{
    return component->layout == KITH_SPARSE ? take_from_sparse(world, component, index)
                                            : take_from_slots(component, index);
}

/* All that an entity has outside of its table. */
static void storage_take_all(bare_world *world, uint32_t index)
{
    uint64_t *page = bare_array_page(&world->lanes, index);
    if (page == NULL) {
        return;
    }
    uint64_t *lanes = page + index % BARE_ROWS;
    for (uint64_t left = *lanes; left != 0; left &= left - 1) {
        storage_take(world, &world->components[__builtin_ctzll(left)], index);
    }
    *lanes = 0;
}

/* ---- Ending ---------------------------------------------------------------------------------- */

/* Fills the hole in columns with the last value of each, from the first one that is not of 8 bytes. */
static BARE_APART kith_result fill_any(const bare_array *column, const bare_array *end,
                                       size_t hole_block, size_t hole, size_t last_block,
                                       size_t last)
{
    for (; column < end; column++) {
        size_t size = column->size;
        bare_copy(bare_block_at(column, hole_block)->data + hole * size,
                  bare_block_at(column, last_block)->data + last * size, column->size);
    }
    return KITH_OK;
}

/* Fills the hole in a table with its last row. */
static BARE_APART kith_result fill_row(const bare_world *world, const bare_table *table,
                                       uint32_t hole, uint32_t last)
{
    size_t hole_block = (size_t)(hole >> BARE_SHIFT) * sizeof(bare_block);
    size_t last_block = (size_t)(last >> BARE_SHIFT) * sizeof(bare_block);
    size_t to = hole % BARE_ROWS;
    size_t from = last % BARE_ROWS;
    kith_entity *into = (void *)bare_block_at(&table->entities, hole_block)->data;
    kith_entity moved =
        ((const kith_entity *)(void *)bare_block_at(&table->entities, last_block)->data)[from];
    into[to] = moved;
    bare_record_at(world, moved.index1 - 1)->row = hole;
    const bare_array *column = table->columns;
    for (const bare_array *end = column + table->column_count; column < end; column++) {
        if (!BARE_LIKELY(column->size == 8)) {
            return fill_any(column, end, hole_block, to, last_block, from);
        }
        bare_copy(bare_block_at(column, hole_block)->data + to * 8,
                  bare_block_at(column, last_block)->data + from * 8, 8);
    }
    return KITH_OK;
}

static BARE_APART void stamp_row(const bare_world *world, bare_table *table, uint32_t row)
{
    for (uint32_t i = 0; i < table->column_count; i++) {
        bare_stamp(world, &table->columns[i], row);
    }
}

/* Ends a row of a table, and the life in its slot: that first, so that nothing of it has to be kept
 * while values move. */
static inline kith_result end_row(bare_world *world, bare_record *record, uint32_t index1)
{
    bare_table *table = world->tables[record->table];
    uint32_t hole = record->row;
    record->table = BARE_ABSENT;
    world->ended++;
    if (BARE_LIKELY(++record->generation != 0)) { /* else the slot has used up its generations */
        record->row = world->free_head;
        world->free_head = index1;
        world->ready = 0;
    }
    uint32_t last = --table->count;
    return hole == last ? KITH_OK : fill_row(world, table, hole, last);
}

/* The same where somebody asks what was written, or where there are components outside of tables. */
static BARE_APART kith_result end_slowly(bare_world *world, bare_record *record, uint32_t index1)
{
    if (world->looked) {
        stamp_row(world, world->tables[record->table], record->row);
    }
    storage_take_all(world, index1 - 1);
    return end_row(world, record, index1);
}

kith_result bare_despawn(bare_world *world, kith_entity entity)
{
    if (!bare_may_change(world)) {
        return bare_refuse(world, "bare_despawn");
    }
    bare_record *record = bare_record_of(world, entity);
    if (!BARE_LIKELY(record != NULL)) {
        return KITH_ERR_DEAD;
    }
    return BARE_LIKELY(world->in_storage == 0 && !world->looked)
               ? end_row(world, record, entity.index1)
               : end_slowly(world, record, entity.index1);
}

/* ---- Components ------------------------------------------------------------------------------ */

/* What is not there is added as it is when it has been reserved. */
static __attribute__((noinline)) kith_result
add_slowly(bare_world *world, kith_entity entity, bare_component *component, const void *value)
{
    if (!bare_may_change(world)) {
        return bare_refuse(world, "bare_set");
    }
    bare_log *log = &world->logs[component->type->id];
    kith_result result = bare_storage_reserve(world, component, entity.index1 - 1);
    result = result == KITH_OK ? bare_log_reserve(log) : result;
    if (result == KITH_OK) {
        bare_log_add(log, entity);
        bare_storage_insert(world, component, entity, value);
    }
    return result;
}

static BARE_APART kith_result set_in_sparse(bare_world *world, kith_entity entity,
                                            bare_component *component, const void *value)
{
    uint32_t index = entity.index1 - 1;
    bare_sparse *set = &component->in.sparse;
    uint32_t *rows = bare_array_page(&set->rows, index);
    if (!BARE_LIKELY(rows != NULL)) {
        return add_slowly(world, entity, component, value);
    }
    uint32_t *row1 = rows + index % BARE_ROWS;
    uint32_t row = *row1 - 1;
    if (row == UINT32_MAX) {
        uint64_t *lanes = bare_array_page(&world->lanes, index);
        row = set->count;
        if (!BARE_LIKELY(lanes != NULL && row < set->capacity && world->open == 0 &&
                         world->logs[component->type->id].run == NULL)) {
            return add_slowly(world, entity, component, value);
        }
        set->count = row + 1;
        *row1 = row + 1;
        lanes[index % BARE_ROWS] |= component->lane;
        ((kith_entity *)bare_array_rows(&set->entities, row))[row % BARE_ROWS] = entity;
    }
    return bare_write_value(world, &set->values, row, value);
}

static BARE_APART kith_result set_in_slots(bare_world *world, kith_entity entity,
                                           bare_component *component, const void *value)
{
    uint32_t index = entity.index1 - 1;
    bare_slots *slots = &component->in.slots;
    uint64_t *words = bare_array_page(&slots->bits, index / 64);
    if (!BARE_LIKELY(words != NULL)) {
        return add_slowly(world, entity, component, value);
    }
    uint64_t *word = words + index / 64 % BARE_ROWS;
    uint64_t bit = UINT64_C(1) << index % 64;
    if ((*word & bit) == 0) {
        uint64_t *lanes = bare_array_page(&world->lanes, index);
        if (!BARE_LIKELY(lanes != NULL && world->open == 0 &&
                         world->logs[component->type->id].run == NULL &&
                         (slots->values.size == 0 || bare_array_is_own(&slots->values, index)))) {
            return add_slowly(world, entity, component, value);
        }
        *word |= bit;
        lanes[index % BARE_ROWS] |= component->lane;
        slots->count++;
    }
    return bare_write_value(world, &slots->values, index, value);
}

kith_result bare_set(bare_world *world, kith_entity entity, const bare_type *type,
                     const void *value)
{
    bare_component *component = bare_known(world, type);
    if (component == NULL || world->owner != &bare_thread_token) {
        return bare_misuse("bare_set", "another thread, or a type that the world does not know");
    }
    bare_record *record = bare_record_of(world, entity);
    if (record == NULL) {
        return KITH_ERR_DEAD;
    }
    switch (component->layout) {
    case KITH_SPARSE: return set_in_sparse(world, entity, component, value);
    case KITH_SLOT: return set_in_slots(world, entity, component, value);
    default: return bare_table_set(world, entity, type, value, record);
    }
}

kith_result bare_remove(bare_world *world, kith_entity entity, const bare_type *type)
{
    bare_component *component = bare_known(world, type);
    if (component == NULL) {
        return bare_misuse("bare_remove", "the world does not know the type");
    }
    if (!bare_may_change(world)) {
        return bare_refuse(world, "bare_remove");
    }
    bare_record *record = bare_record_of(world, entity);
    if (record == NULL) {
        return KITH_ERR_DEAD;
    }
    if (component->layout == KITH_TABLE) {
        return bare_table_remove(world, entity, type->id, record);
    }
    return storage_take(world, component, entity.index1 - 1);
}
