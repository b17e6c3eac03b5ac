/* The bare prototype: changes of structure. Each call reserves all that it needs first. */
#include <stdlib.h>

#include "bare_store.h"

static bool changeable(const bare_world *world, const char *call)
{
    if (BARE_LIKELY(world != NULL && world->open == 0)) {
        return true;
    }
    bare_misuse(call, world == NULL ? "there is no world" : "a query is open");
    return false;
}

/* ---- Entities -------------------------------------------------------------------------------- */

static kith_result reserve_records(bare_world *world, uint32_t count)
{
    if (BARE_LIKELY(world->slots + count <= world->records.block_count << BARE_SHIFT)) {
        return KITH_OK;
    }
    return bare_array_grow(&world->records, world->slots + count);
}

static kith_entity take_slot(bare_world *world, uint32_t table, uint32_t row)
{
    uint32_t index = world->free_head - 1;
    bare_record *record;
    if (index == UINT32_MAX) {
        index = world->slots++;
        record = bare_record_at(world, index);
        record->generation = 0;
    } else {
        record = bare_record_at(world, index);
        world->free_head = record->row;
    }
    record->table = table;
    record->row = row;
    world->alive++;
    return (kith_entity){index + 1, record->generation};
}

/* The table for the types of values that go to tables; NULL: misuse, or no memory. */
static bare_table *table_for(bare_world *world, const bare_value *values, uint32_t count,
                             uint32_t *others)
{
    uint32_t types = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bare_type *type = values[i].type;
        if (bare_known(world, type) == NULL || (types >> type->id & 1) != 0) {
            bare_misuse("bare_spawn", "a type that is not known, or is there twice");
            return NULL;
        }
        types |= UINT32_C(1) << type->id;
    }
    *others = types & world->in_storage;
    types &= world->in_tables;
    if (world->latest == NULL || world->latest->types != types) {
        bare_table *table = bare_table_of(world, types);
        if (table == NULL) {
            return NULL;
        }
        world->latest = table;
    }
    return world->latest;
}

/* ---- Sparse sets and slots ------------------------------------------------------------------- */

kith_result bare_sparse_reserve(bare_sparse *set, uint32_t index, uint32_t rows)
{
    kith_result result = bare_array_reserve_page(&set->rows, index);
    if (result == KITH_OK && set->count + rows > set->entities.block_count << BARE_SHIFT) {
        result = bare_array_grow(&set->entities, set->count + rows);
    }
    if (result == KITH_OK && set->values.size != 0 &&
        set->count + rows > set->values.block_count << BARE_SHIFT) {
        result = bare_array_grow(&set->values, set->count + rows);
    }
    return result;
}

void bare_sparse_insert(bare_world *world, bare_sparse *set, kith_entity entity, const void *value)
{
    uint32_t row = set->count++;
    *(uint32_t *)bare_array_at(&set->rows, entity.index1 - 1) = row + 1;
    *(kith_entity *)bare_array_at(&set->entities, row) = entity;
    if (set->values.size != 0) {
        bare_write(bare_array_at(&set->values, row), value, set->values.size);
        bare_stamp(world, &set->values, row);
    }
}

static void sparse_take(bare_world *world, bare_sparse *set, uint32_t index)
{
    uint32_t *row1 = bare_array_at(&set->rows, index);
    uint32_t row = *row1 - 1;
    uint32_t last = --set->count;
    *row1 = 0;
    if (row == last) {
        return;
    }
    kith_entity moved = *(const kith_entity *)bare_array_at(&set->entities, last);
    *(kith_entity *)bare_array_at(&set->entities, row) = moved;
    *(uint32_t *)bare_array_at(&set->rows, moved.index1 - 1) = row + 1;
    if (set->values.size != 0) {
        bare_copy(bare_array_at(&set->values, row), bare_array_at(&set->values, last),
                  set->values.size);
        bare_stamp(world, &set->values, row);
    }
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

static void slots_take(bare_slots *slots, uint32_t index)
{
    *(uint64_t *)bare_array_at(&slots->bits, index / 64) &= ~(UINT64_C(1) << index % 64);
    slots->count--;
}

static kith_result storage_reserve(bare_world *world, bare_component *component, uint32_t index)
{
    kith_result result = bare_array_reserve_page(&world->lanes, index);
    if (result != KITH_OK) {
        return result;
    }
    return component->layout == KITH_SPARSE ? bare_sparse_reserve(&component->in.sparse, index, 1)
                                            : slots_reserve(&component->in.slots, index);
}

void bare_lanes_add(bare_world *world, uint32_t index, uint32_t id)
{
    *(uint64_t *)bare_array_at(&world->lanes, index) |= UINT64_C(1) << id;
}

static void storage_insert(bare_world *world, bare_component *component, kith_entity entity,
                           const void *value)
{
    if (component->layout == KITH_SPARSE) {
        bare_sparse_insert(world, &component->in.sparse, entity, value);
    } else {
        slots_insert(world, &component->in.slots, entity.index1 - 1, value);
    }
    bare_lanes_add(world, entity.index1 - 1, component->type->id);
}

/* All that an entity has outside of its table. */
static void storage_take_all(bare_world *world, uint32_t index)
{
    if (!bare_array_is_own(&world->lanes, index)) {
        return;
    }
    uint64_t *lanes = bare_array_at(&world->lanes, index);
    for (uint64_t left = *lanes; left != 0; left &= left - 1) {
        bare_component *component = &world->components[__builtin_ctzll(left)];
        if (component->layout == KITH_SPARSE) {
            sparse_take(world, &component->in.sparse, index);
        } else {
            slots_take(&component->in.slots, index);
        }
    }
    *lanes = 0;
}

/* ---- Spawning and ending --------------------------------------------------------------------- */

static kith_result spawn_reserve(bare_world *world, bare_table *table, const bare_value *values,
                                 uint32_t count, uint32_t others)
{
    kith_result result = reserve_records(world, 1);
    if (result == KITH_OK) {
        result = bare_table_reserve(table, table->count + 1);
    }
    uint32_t index = world->free_head != 0 ? world->free_head - 1 : world->slots;
    for (uint32_t i = 0; result == KITH_OK && others != 0 && i < count; i++) {
        if ((others >> values[i].type->id & 1) != 0) {
            result = storage_reserve(world, &world->components[values[i].type->id], index);
        }
    }
    return result;
}

kith_entity bare_spawn(bare_world *world, const bare_value *values, uint32_t count)
{
    uint32_t others = 0;
    if (!changeable(world, "bare_spawn")) {
        return KITH_NONE;
    }
    bare_table *table = table_for(world, values, count, &others);
    if (table == NULL || spawn_reserve(world, table, values, count, others) != KITH_OK) {
        return KITH_NONE;
    }
    uint32_t row = table->count++;
    kith_entity entity = take_slot(world, table->id, row);
    *(kith_entity *)bare_array_at(&table->entities, row) = entity;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = values[i].type->id;
        if ((others >> id & 1) != 0) {
            storage_insert(world, &world->components[id], entity, values[i].value);
        } else if (values[i].type->size != 0) {
            bare_array *column = &table->columns[table->column_of[id]];
            bare_write(bare_array_at(column, row), values[i].value, column->size);
            bare_stamp(world, column, row);
        }
    }
    return entity;
}

static void copy_rows(bare_world *world, bare_array *column, uint32_t first, uint32_t count,
                      const uint8_t *values)
{
    for (uint32_t row = first; row < first + count;) {
        uint32_t end = (row / BARE_ROWS + 1) * BARE_ROWS;
        uint32_t rows = (end < first + count ? end : first + count) - row;
        memcpy(bare_array_at(column, row), values + (size_t)(row - first) * column->size,
               (size_t)rows * column->size);
        bare_stamp(world, column, row);
        row += rows;
    }
}

kith_result bare_spawn_many(bare_world *world, uint32_t count, const bare_value *values,
                            uint32_t value_count)
{
    uint32_t others = 0;
    if (!changeable(world, "bare_spawn_many")) {
        return KITH_ERR_MISUSE;
    }
    bare_table *table = table_for(world, values, value_count, &others);
    if (others != 0) {
        return bare_misuse("bare_spawn_many", "only values in tables");
    }
    if (table == NULL || reserve_records(world, count) != KITH_OK ||
        bare_table_reserve(table, table->count + count) != KITH_OK) {
        return KITH_ERR_MEMORY;
    }
    uint32_t first = table->count;
    table->count += count;
    for (uint32_t row = first; row < first + count; row++) {
        *(kith_entity *)bare_array_at(&table->entities, row) = take_slot(world, table->id, row);
    }
    for (uint32_t i = 0; i < value_count; i++) {
        if (values[i].type->size != 0) {
            bare_array *column = &table->columns[table->column_of[values[i].type->id]];
            copy_rows(world, column, first, count, values[i].value);
        }
    }
    return KITH_OK;
}

kith_result bare_despawn(bare_world *world, kith_entity entity)
{
    if (!changeable(world, "bare_despawn")) {
        return KITH_ERR_MISUSE;
    }
    bare_record *record = bare_record_of(world, entity);
    if (record == NULL) {
        return KITH_ERR_DEAD;
    }
    if (world->in_storage != 0) {
        storage_take_all(world, entity.index1 - 1);
    }
    bare_table_take(world, world->tables[record->table], record->row);
    record->table = BARE_ABSENT;
    if (++record->generation != 0) { /* else the slot has used up its generations */
        record->row = world->free_head;
        world->free_head = entity.index1;
    }
    world->alive--;
    return KITH_OK;
}

/* ---- Components ------------------------------------------------------------------------------ */

/* Moves a row along an edge, which was reserved; gives the new row. */
static uint32_t move_row(bare_world *world, bare_record *record, bare_table *from,
                         const bare_edge *edge, kith_entity entity)
{
    bare_table *to = edge->to;
    uint32_t old = record->row;
    uint32_t row = to->count++;
    *(kith_entity *)bare_array_at(&to->entities, row) = entity;
    for (uint32_t i = 0; i < edge->copies; i++) {
        bare_array *column = &to->columns[edge->to_column[i]];
        bare_copy(bare_array_at(column, row),
                  bare_array_at(&from->columns[edge->from_column[i]], old), column->size);
        bare_stamp(world, column, row);
    }
    record->table = to->id;
    record->row = row;
    bare_table_take(world, from, old);
    return row;
}

static kith_result edge_reserve(bare_world *world, bare_table *table, uint32_t id, bool with)
{
    const bare_edge *edge = with ? &table->with[id] : &table->without[id];
    if (!BARE_LIKELY(edge->to != NULL)) {
        kith_result result = bare_edge_make(world, table, id, with);
        if (result != KITH_OK) {
            return result;
        }
    }
    return bare_table_reserve(edge->to, edge->to->count + 1);
}

static kith_result set_in_table(bare_world *world, kith_entity entity, bare_record *record,
                                const bare_type *type, const void *value)
{
    bare_table *table = world->tables[record->table];
    uint32_t row = record->row;
    if ((table->types >> type->id & 1) == 0) {
        if (!changeable(world, "bare_set")) {
            return KITH_ERR_MISUSE;
        }
        kith_result result = edge_reserve(world, table, type->id, true);
        if (result != KITH_OK) {
            return result;
        }
        row = move_row(world, record, table, &table->with[type->id], entity);
        table = table->with[type->id].to;
    }
    if (type->size != 0) {
        bare_array *column = &table->columns[table->column_of[type->id]];
        bare_write(bare_array_at(column, row), value, type->size);
        bare_stamp(world, column, row);
    }
    return KITH_OK;
}

/* The value that an entity has outside of its table; false: it has none. */
static bool set_in_storage(bare_world *world, bare_component *component, uint32_t index,
                           const void *value)
{
    bare_array *values = &component->in.slots.values;
    uint32_t row = index;
    if (component->layout == KITH_SPARSE) {
        row = bare_sparse_row1(&component->in.sparse, index) - 1;
        values = &component->in.sparse.values;
    } else if (!bare_slots_has(&component->in.slots, index)) {
        row = BARE_ABSENT;
    }
    if (row == BARE_ABSENT) {
        return false;
    }
    if (values->size != 0) {
        bare_write(bare_array_at(values, row), value, values->size);
        bare_stamp(world, values, row);
    }
    return true;
}

kith_result bare_set(bare_world *world, kith_entity entity, const bare_type *type,
                     const void *value)
{
    bare_component *component = bare_known(world, type);
    if (component == NULL) {
        return bare_misuse("bare_set", "the world does not know the type");
    }
    bare_record *record = bare_record_of(world, entity);
    if (record == NULL) {
        return KITH_ERR_DEAD;
    }
    if (component->layout == KITH_TABLE) {
        return set_in_table(world, entity, record, type, value);
    }
    if (set_in_storage(world, component, entity.index1 - 1, value)) {
        return KITH_OK;
    }
    if (!changeable(world, "bare_set")) {
        return KITH_ERR_MISUSE;
    }
    kith_result result = storage_reserve(world, component, entity.index1 - 1);
    if (result == KITH_OK) {
        storage_insert(world, component, entity, value);
    }
    return result;
}

kith_result bare_remove(bare_world *world, kith_entity entity, const bare_type *type)
{
    bare_component *component = bare_known(world, type);
    if (component == NULL) {
        return bare_misuse("bare_remove", "the world does not know the type");
    }
    if (!changeable(world, "bare_remove")) {
        return KITH_ERR_MISUSE;
    }
    bare_record *record = bare_record_of(world, entity);
    if (record == NULL) {
        return KITH_ERR_DEAD;
    }
    uint32_t index = entity.index1 - 1;
    if (component->layout == KITH_TABLE) {
        bare_table *table = world->tables[record->table];
        if ((table->types >> type->id & 1) == 0) {
            return KITH_ERR_ABSENT;
        }
        kith_result result = edge_reserve(world, table, type->id, false);
        if (result == KITH_OK) {
            move_row(world, record, table, &table->without[type->id], entity);
        }
        return result;
    }
    if (component->layout == KITH_SPARSE) {
        if (bare_sparse_row1(&component->in.sparse, index) == 0) {
            return KITH_ERR_ABSENT;
        }
        sparse_take(world, &component->in.sparse, index);
    } else {
        if (!bare_slots_has(&component->in.slots, index)) {
            return KITH_ERR_ABSENT;
        }
        slots_take(&component->in.slots, index);
    }
    *(uint64_t *)bare_array_at(&world->lanes, index) &= ~(UINT64_C(1) << type->id);
    return KITH_OK;
}
