/* The bare prototype: entities are made. Each call reserves all that it needs first. */
#include "bare_store.h"

/* ---- Slots and recipes ----------------------------------------------------------------------- */

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

/* ---- Spawning -------------------------------------------------------------------------------- */

static kith_result reserve_others(bare_world *world, const bare_value *values, uint32_t count)
{
    uint32_t index = world->free_head != 0 ? world->free_head - 1 : world->slots;
    kith_result result = KITH_OK;
    for (uint32_t i = 0; result == KITH_OK && i < count; i++) {
        uint32_t id = values[i].type->id;
        if ((world->recipe.others >> id & 1) != 0) {
            result = bare_storage_reserve(world, &world->components[id], index);
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
            bare_storage_insert(world, &world->components[values[i].type->id], entity,
                                values[i].value);
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
    if (!bare_may_change(world)) {
        bare_refuse(world, "bare_spawn");
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
            bare_storage_insert(world, &world->components[value->type->id], entity,
                                values[i].value);
        }
    }
    return entity;
}

kith_entity bare_spawn(bare_world *world, const bare_value *values, uint32_t count)
{
    const bare_recipe *recipe = &world->recipe;
    if (!bare_may_change(world) || !BARE_LIKELY(recipe->count == count && values != NULL) ||
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
    if (!bare_may_change(world)) {
        bare_refuse(world, "bare_spawn_empty");
        return KITH_NONE;
    }
    return spawn_reserved(world, &world->nothing, NULL);
}

kith_entity bare_spawn_empty(bare_world *world)
{
    if (!bare_may_change(world)) {
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
    if (!bare_may_change(world)) {
        return bare_refuse(world, "bare_spawn_many");
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
