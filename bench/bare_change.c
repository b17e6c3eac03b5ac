/* The bare prototype: changes of structure. Each call reserves all that it needs first. */
#include <stdlib.h>

#include "bare_store.h"

static __attribute__((cold, noinline)) kith_result refuse(const bare_world *world, const char *call)
{
    return bare_misuse(call, world == NULL      ? "there is no world"
                             : world->open != 0 ? "a query is open"
                                                : "it is another thread's world");
}

/* One compare tells that the thread owns the world, and that no query is open. */
static inline bool changeable(const bare_world *world)
{
    return BARE_LIKELY(world != NULL) && BARE_LIKELY(world->may_change == &bare_thread_token);
}

/* ---- Entities -------------------------------------------------------------------------------- */

#define SLOTS_MAX (UINT32_MAX - 1)

/* Makes sure of so many slots. */
static kith_result reserve_slots(bare_world *world, uint32_t count)
{
    if (count > SLOTS_MAX - world->slots) {
        return KITH_ERR_LIMIT;
    }
    uint32_t slots = world->slots + count; /* or fewer, if some wait to be used again */
    return BARE_LIKELY(slots <= world->records.block_count << BARE_SHIFT)
               ? KITH_OK
               : bare_array_grow(&world->records, slots);
}

/* New slots need no more than to be written, up to the end of a block. */
static void ready_slots(bare_world *world)
{
    uint32_t block = world->slots >> BARE_SHIFT;
    if (world->free_head == 0 && block < world->records.block_count) {
        uint32_t first = block << BARE_SHIFT;
        world->ready = first + BARE_ROWS;
        world->new_ones = (bare_record *)((uintptr_t)bare_array_rows(&world->records, first) -
                                          (uintptr_t)first * sizeof(bare_record));
    }
}

/* Any slot: one that waits, or a new one. */
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
        world->ended--;
    }
    record->table = table;
    record->row = row;
    return (kith_entity){index + 1, record->generation};
}

static bool is_recipe(const bare_recipe *recipe, const bare_value *values, uint32_t count)
{
    bool same = recipe->count == count;
    for (uint32_t i = 0; same && i < count; i++) {
        same = recipe->values[i].type == values[i].type;
    }
    return same;
}

/* Opens a recipe's window at the next row of its table, which has room. */
static void open_window(const bare_world *world, bare_recipe *recipe)
{
    uint32_t block = recipe->table->count >> BARE_SHIFT;
    recipe->first = block << BARE_SHIFT;
    recipe->rows = BARE_ROWS;
    recipe->stamp = world->now;
    recipe->handles =
        (kith_entity *)((uintptr_t)bare_array_rows(&recipe->table->entities, recipe->first) -
                        (uintptr_t)recipe->first * sizeof(kith_entity));
    for (uint32_t i = 0; i < recipe->count; i++) {
        bare_ingredient *value = &recipe->values[i];
        if (value->column != NULL) {
            bare_stamp(world, value->column, recipe->first);
            value->tail = (uint8_t *)((uintptr_t)bare_array_rows(value->column, recipe->first) -
                                      (uintptr_t)recipe->first * value->size);
        }
    }
}

/* Whether the next row of the table is in the window. */
static inline bool is_open(const bare_world *world, const bare_recipe *recipe, uint32_t row)
{
    return BARE_LIKELY(row - recipe->first < recipe->rows) &&
           BARE_LIKELY(recipe->stamp == world->now);
}

/* The long way to a recipe; false: misuse, or no memory. */
static __attribute__((noinline)) bool make_recipe(bare_world *world, const bare_value *values,
                                                  uint32_t count)
{
    bare_recipe *recipe = &world->recipe;
    uint32_t types = 0;
    recipe->count = BARE_ABSENT;
    recipe->rows = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bare_type *type = values[i].type;
        if (i == BARE_VALUES || bare_known(world, type) == NULL || (types >> type->id & 1) != 0) {
            bare_misuse("bare_spawn", "a type that is not known, is there twice, or is too many");
            return false;
        }
        types |= UINT32_C(1) << type->id;
        recipe->values[i].type = type;
    }
    recipe->table = bare_table_of(world, types & world->in_tables);
    if (recipe->table == NULL) {
        return false;
    }
    recipe->others = types & world->in_storage;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t column = recipe->table->column_of[values[i].type->id];
        bare_ingredient *value = &recipe->values[i];
        value->column = column < BARE_COLUMNS ? &recipe->table->columns[column] : NULL;
        value->size = value->column == NULL ? 0 : value->column->size;
    }
    recipe->count = count;
    return true;
}

/* The recipe for these values; NULL: misuse, or no memory. */
static const bare_recipe *recipe_for(bare_world *world, const bare_value *values, uint32_t count)
{
    return BARE_LIKELY(is_recipe(&world->recipe, values, count)) ||
                   make_recipe(world, values, count)
               ? &world->recipe
               : NULL;
}

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

static kith_result storage_reserve(bare_world *world, bare_component *component, uint32_t index)
{
    kith_result result = bare_array_reserve_page(&world->lanes, index);
    if (result != KITH_OK) {
        return result;
    }
    return component->layout == KITH_SPARSE ? sparse_reserve(&component->in.sparse, index)
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
        sparse_insert(world, &component->in.sparse, entity, value);
    } else {
        slots_insert(world, &component->in.slots, entity.index1 - 1, value);
    }
    bare_lanes_add(world, entity.index1 - 1, component->type->id);
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

/* ---- Spawning and ending --------------------------------------------------------------------- */

static kith_result reserve_others(bare_world *world, const bare_value *values, uint32_t count)
{
    uint32_t index = world->free_head != 0 ? world->free_head - 1 : world->slots;
    kith_result result = KITH_OK;
    for (uint32_t i = 0; result == KITH_OK && i < count; i++) {
        uint32_t id = values[i].type->id;
        if ((world->recipe.others >> id & 1) != 0) {
            result = storage_reserve(world, &world->components[id], index);
        }
    }
    return result;
}

/* Makes sure of an entity more, and makes it. */
static kith_entity spawn_reserved(bare_world *world, bare_recipe *recipe, const bare_value *values)
{
    bare_table *table = recipe->table;
    if (reserve_slots(world, world->free_head == 0 ? 1 : 0) != KITH_OK ||
        bare_table_reserve(table, table->count + 1) != KITH_OK ||
        (recipe->others != 0 && reserve_others(world, values, recipe->count) != KITH_OK)) {
        return KITH_NONE;
    }
    uint32_t row = table->count++;
    kith_entity entity = take_slot(world, table->id, row);
    *(kith_entity *)bare_array_at(&table->entities, row) = entity;
    for (uint32_t i = 0; i < recipe->count; i++) {
        bare_array *column = recipe->values[i].column;
        if (column != NULL) {
            bare_write(bare_array_at(column, row), values[i].value, column->size);
            bare_stamp(world, column, row);
        } else if ((recipe->others >> values[i].type->id & 1) != 0) {
            storage_insert(world, &world->components[values[i].type->id], entity, values[i].value);
        }
    }
    if (!is_open(world, recipe, row) && row % BARE_ROWS != BARE_ROWS - 1) {
        open_window(world, recipe);
    }
    if (world->slots >= world->ready) {
        ready_slots(world);
    }
    return entity;
}

/* bare_spawn where something is not as usual: another recipe than the latest, the end of a block, a
 * slot to be used again. */
static BARE_APART kith_entity spawn_slowly(bare_world *world, const bare_value *values,
                                           uint32_t count)
{
    if (!changeable(world)) {
        refuse(world, "bare_spawn");
        return KITH_NONE;
    }
    if (values == NULL && count != 0) {
        bare_misuse("bare_spawn", "there are no values");
        return KITH_NONE;
    }
    return recipe_for(world, values, count) == NULL ? KITH_NONE
                                                    : spawn_reserved(world, &world->recipe, values);
}

/* Takes a new slot for the next row of a table, which is in the window. */
static inline kith_entity take_new(bare_world *world, const bare_recipe *recipe)
{
    bare_table *table = recipe->table;
    uint32_t index = world->slots++;
    uint32_t row = table->count++;
    bare_record *record = world->new_ones + index;
    record->generation = 0;
    record->table = table->id;
    record->row = row;
    kith_entity entity = {index + 1, 0};
    recipe->handles[row] = entity;
    return entity;
}

/* Spawns into a window whatever the recipe is. */
static BARE_APART kith_entity spawn_mixed(bare_world *world, const bare_value *values,
                                          uint32_t count)
{
    const bare_recipe *recipe = &world->recipe;
    if (!is_recipe(recipe, values, count)) {
        return spawn_slowly(world, values, count);
    }
    if (recipe->others != 0 && reserve_others(world, values, count) != KITH_OK) {
        return KITH_NONE;
    }
    size_t row = recipe->table->count;
    kith_entity entity = take_new(world, recipe);
    for (uint32_t i = 0; i < count; i++) {
        const bare_ingredient *value = &recipe->values[i];
        if (value->size != 0) {
            bare_write(value->tail + row * value->size, values[i].value, value->size);
        } else if ((recipe->others >> value->type->id & 1) != 0) {
            storage_insert(world, &world->components[value->type->id], entity, values[i].value);
        }
    }
    return entity;
}

kith_entity bare_spawn(bare_world *world, const bare_value *values, uint32_t count)
{
    const bare_recipe *recipe = &world->recipe;
    if (!changeable(world) || !BARE_LIKELY(recipe->count == count && values != NULL) ||
        !is_open(world, recipe, recipe->table->count) ||
        !BARE_LIKELY(world->slots < world->ready)) {
        return spawn_slowly(world, values, count);
    }
    size_t row = recipe->table->count;
    const bare_ingredient *value = recipe->values;
    for (const bare_value *given = values, *end = values + count; given < end; given++, value++) {
        /* What is written behind the last row is nobody's, if a type turns out to be another one. */
        if (!BARE_LIKELY(given->type == value->type)) {
            return spawn_slowly(world, values, count);
        }
        if (!BARE_LIKELY(value->size == 8 && given->value != NULL)) {
            return spawn_mixed(world, values, count);
        }
        memcpy(value->tail + row * 8, given->value, 8);
    }
    return take_new(world, recipe);
}

static BARE_APART kith_entity spawn_empty_slowly(bare_world *world)
{
    if (!changeable(world)) {
        refuse(world, "bare_spawn_empty");
        return KITH_NONE;
    }
    return spawn_reserved(world, &world->nothing, NULL);
}

kith_entity bare_spawn_empty(bare_world *world)
{
    if (!changeable(world)) {
        return spawn_empty_slowly(world);
    }
    const bare_recipe *nothing = &world->nothing;
    if (!is_open(world, nothing, nothing->table->count) ||
        !BARE_LIKELY(world->slots < world->ready)) {
        return spawn_empty_slowly(world);
    }
    return take_new(world, nothing);
}

/* Takes `count` slots for the rows of a table from `first` on. */
static void take_slots(bare_world *world, bare_table *table, uint32_t first, uint32_t count)
{
    uint32_t row = first;
    while (row < first + count && world->free_head != 0) {
        *(kith_entity *)bare_array_at(&table->entities, row) = take_slot(world, table->id, row);
        row++;
    }
    /* The rest are new slots: a piece of a block of records, or of handles, at a time. */
    while (row < first + count) {
        uint32_t index = world->slots;
        uint32_t in_records = BARE_ROWS - index % BARE_ROWS;
        uint32_t in_rows = BARE_ROWS - row % BARE_ROWS;
        uint32_t some = in_records < in_rows ? in_records : in_rows;
        some = some < first + count - row ? some : first + count - row;
        bare_record *restrict records = bare_record_at(world, index);
        kith_entity *restrict entities = bare_array_at(&table->entities, row);
        for (uint32_t i = 0; i < some; i++) {
            records[i] = (bare_record){0, table->id, row + i};
            entities[i] = (kith_entity){index + i + 1, 0};
        }
        world->slots += some;
        row += some;
    }
}

void bare_copy_rows(bare_world *world, bare_array *column, uint32_t first, uint32_t count,
                    const void *values)
{
    for (uint32_t row = first; row < first + count;) {
        uint32_t end = (row / BARE_ROWS + 1) * BARE_ROWS;
        uint32_t rows = (end < first + count ? end : first + count) - row;
        memcpy(bare_array_at(column, row),
               (const uint8_t *)values + (size_t)(row - first) * column->size,
               (size_t)rows * column->size);
        bare_stamp(world, column, row);
        row += rows;
    }
}

kith_result bare_spawn_many(bare_world *world, uint32_t count, const bare_value *values,
                            uint32_t value_count)
{
    if (!changeable(world)) {
        return refuse(world, "bare_spawn_many");
    }
    const bare_recipe *recipe = recipe_for(world, values, value_count);
    if (recipe != NULL && recipe->others != 0) {
        return bare_misuse("bare_spawn_many", "only values in tables");
    }
    kith_result result = recipe == NULL ? KITH_ERR_MEMORY : reserve_slots(world, count);
    if (result == KITH_OK) {
        result = bare_table_reserve(recipe->table, recipe->table->count + count);
    }
    if (result != KITH_OK) {
        return result;
    }
    world->ready = 0; /* maybe of another block */
    uint32_t first = recipe->table->count;
    recipe->table->count += count;
    take_slots(world, recipe->table, first, count);
    for (uint32_t i = 0; i < value_count; i++) {
        if (recipe->values[i].column != NULL) {
            bare_copy_rows(world, recipe->values[i].column, first, count, values[i].value);
        }
    }
    return KITH_OK;
}

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
    if (!changeable(world)) {
        return refuse(world, "bare_despawn");
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
    if (!changeable(world)) {
        return refuse(world, "bare_set");
    }
    bare_log *log = &world->logs[component->type->id];
    kith_result result = storage_reserve(world, component, entity.index1 - 1);
    result = result == KITH_OK ? bare_log_reserve(log) : result;
    if (result == KITH_OK) {
        bare_log_add(log, entity);
        storage_insert(world, component, entity, value);
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
    if (!changeable(world)) {
        return refuse(world, "bare_remove");
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
