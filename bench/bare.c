/* The bare prototype: worlds, arrays of blocks, tables, and reading. */
#include <stdio.h>
#include <stdlib.h>

#include "bare_store.h"

#define BARE_NO_COLUMN UINT8_MAX

const bare_type bare_position = {0, sizeof(Position)};
const bare_type bare_velocity = {1, sizeof(Velocity)};
const bare_type bare_extra = {2, sizeof(Extra)};
const bare_type bare_marker = {3, 0};
const bare_type bare_data = {4, 4};
const bare_type bare_kinds[BARE_KINDS] = {
    {5, 4},  {6, 4},  {7, 4},  {8, 4},  {9, 4},  {10, 4}, {11, 4}, {12, 4}, {13, 4},
    {14, 4}, {15, 4}, {16, 4}, {17, 4}, {18, 4}, {19, 4}, {20, 4}, {21, 4}, {22, 4},
    {23, 4}, {24, 4}, {25, 4}, {26, 4}, {27, 4}, {28, 4}, {29, 4}, {30, 4}};

const uint64_t bare_zeros[BARE_ROWS];
_Thread_local char bare_thread_token __attribute__((tls_model("initial-exec")));

kith_result bare_misuse(const char *call, const char *what)
{
    fprintf(stderr, "%s: %s\n", call, what);
    return KITH_ERR_MISUSE;
}

kith_result bare_refuse(const bare_world *world, const char *call)
{
    return bare_misuse(call, world == NULL      ? "there is no world"
                             : world->open != 0 ? "a query is open"
                                                : "it is another thread's world");
}

/* ---- Arrays of blocks ------------------------------------------------------------------------ */

static kith_result array_reserve_blocks(bare_array *array, uint32_t count)
{
    if (count <= array->capacity) {
        return KITH_OK;
    }
    uint32_t capacity = count < array->capacity * 2 ? array->capacity * 2 : count;
    bare_block *blocks = realloc(array->blocks, capacity * sizeof *blocks);
    if (blocks == NULL) {
        return KITH_ERR_MEMORY;
    }
    array->blocks = blocks;
    array->capacity = capacity;
    return KITH_OK;
}

static uint8_t *block_new(const bare_array *array)
{
    return aligned_alloc(64, (size_t)array->size * BARE_ROWS);
}

kith_result bare_array_grow(bare_array *array, uint32_t rows)
{
    uint32_t count = (rows + BARE_ROWS - 1) >> BARE_SHIFT;
    kith_result result = array_reserve_blocks(array, count);
    while (result == KITH_OK && array->block_count < count) {
        uint8_t *data = block_new(array);
        if (data == NULL) {
            return KITH_ERR_MEMORY;
        }
        array->blocks[array->block_count++] = (bare_block){data, 0};
    }
    return result;
}

kith_result bare_array_grow_page(bare_array *array, uint32_t row)
{
    uint32_t block = row >> BARE_SHIFT;
    kith_result result = array_reserve_blocks(array, block + 1);
    if (result != KITH_OK) {
        return result;
    }
    while (array->block_count <= block) {
        array->blocks[array->block_count++] = (bare_block){(uint8_t *)(uintptr_t)bare_zeros, 0};
    }
    uint8_t *data = block_new(array);
    if (data == NULL) {
        return KITH_ERR_MEMORY;
    }
    memset(data, 0, (size_t)array->size * BARE_ROWS);
    array->blocks[block].data = data;
    return KITH_OK;
}

static void array_free(bare_array *array)
{
    for (uint32_t i = 0; i < array->block_count; i++) {
        if (array->blocks[i].data != (const uint8_t *)bare_zeros) {
            free(array->blocks[i].data);
        }
    }
    free(array->blocks);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

kith_result bare_table_grow(bare_table *table, uint32_t rows)
{
    kith_result result = bare_array_grow(&table->entities, rows);
    for (uint32_t i = 0; result == KITH_OK && i < table->column_count; i++) {
        result = bare_array_grow(&table->columns[i], rows);
    }
    if (result == KITH_OK) {
        table->capacity = table->entities.block_count << BARE_SHIFT;
    }
    return result;
}

static bare_table *table_new(bare_world *world, uint32_t types)
{
    if (world->table_count == world->table_capacity) {
        uint32_t capacity = world->table_capacity * 2 + 8;
        bare_table **tables = realloc(world->tables, capacity * sizeof *tables);
        if (tables == NULL) {
            return NULL;
        }
        world->tables = tables;
        world->table_capacity = capacity;
    }
    bare_table *table = calloc(1, sizeof *table);
    if (table == NULL) {
        return NULL;
    }
    table->id = world->table_count;
    table->types = types;
    table->entities.size = sizeof(kith_entity);
    memset(table->column_of, BARE_NO_COLUMN, sizeof table->column_of);
    for (uint32_t id = 0; id < BARE_TYPES; id++) {
        const bare_type *type = world->components[id].type;
        if ((types >> id & 1) != 0 && type->size != 0) {
            if (table->column_count == BARE_COLUMNS) {
                free(table);
                return NULL; /* more than the prototype knows */
            }
            table->column_of[id] = (uint8_t)table->column_count;
            table->columns[table->column_count++].size = type->size;
        }
    }
    world->tables[world->table_count++] = table;
    return table;
}

bare_table *bare_table_of(bare_world *world, uint32_t types)
{
    for (uint32_t i = 0; i < world->table_count; i++) {
        if (world->tables[i]->types == types) {
            return world->tables[i];
        }
    }
    return table_new(world, types);
}

kith_result bare_edge_make(bare_world *world, bare_table *from, uint32_t id, bool with)
{
    uint32_t bit = UINT32_C(1) << id;
    bare_table *to = bare_table_of(world, with ? from->types | bit : from->types & ~bit);
    if (to == NULL) {
        return KITH_ERR_MEMORY;
    }
    bare_edge *edge = with ? &from->with[id] : &from->without[id];
    edge->to = to;
    for (uint32_t other = 0; other < BARE_TYPES; other++) {
        uint8_t left = from->column_of[other];
        uint8_t entered = to->column_of[other];
        if (left != BARE_NO_COLUMN && entered != BARE_NO_COLUMN) {
            edge->copy[edge->copies++] =
                (bare_edge_copy){&from->columns[left], &to->columns[entered]};
        } else if (left != entered) {
            edge->only = left == BARE_NO_COLUMN ? &to->columns[entered] : &from->columns[left];
        }
    }
    return KITH_OK;
}

/* ---- The world ------------------------------------------------------------------------------- */

kith_result bare_register(bare_world *world, const bare_type *type, kith_layout layout)
{
    if (world == NULL || type == NULL || type->id >= BARE_TYPES) {
        return bare_misuse("bare_register", "no world, or no type");
    }
    bare_component *component = &world->components[type->id];
    component->type = type;
    component->layout = layout;
    component->lane = UINT64_C(1) << type->id;
    if (layout == KITH_TABLE) {
        world->in_tables |= UINT32_C(1) << type->id;
        return KITH_OK;
    }
    world->in_storage |= UINT32_C(1) << type->id;
    if (layout == KITH_SPARSE) {
        component->in.sparse = (bare_sparse){.rows = {.size = sizeof(uint32_t)},
                                             .entities = {.size = sizeof(kith_entity)},
                                             .values = {.size = type->size}};
    } else {
        component->in.slots =
            (bare_slots){.bits = {.size = sizeof(uint64_t)}, .values = {.size = type->size}};
    }
    return KITH_OK;
}

bare_world *bare_world_new(kith_layout layout)
{
    bare_world *world = calloc(1, sizeof *world);
    if (world == NULL) {
        return NULL;
    }
    world->owner = &bare_thread_token;
    world->may_change = world->owner;
    world->now = 1;
    world->recipe.count = BARE_ABSENT;
    world->nothing.table = bare_table_of(world, 0);
    if (world->nothing.table == NULL) {
        free(world);
        return NULL;
    }
    world->records.size = sizeof(bare_record);
    world->lanes.size = sizeof(uint64_t);
    const bare_type *types[] = {&bare_position, &bare_velocity, &bare_extra, &bare_marker};
    for (uint32_t i = 0; i < 4; i++) {
        bare_register(world, types[i], layout);
    }
    return world;
}

bare_world *bare_filled_world(kith_layout layout, uint32_t n, kith_entity *handles)
{
    bare_world *world = bare_world_new(layout);
    for (uint32_t i = 0; i < n; i++) {
        Position position = bench_position(i);
        Velocity velocity = bench_velocity(i);
        const bare_value values[] = {{&bare_position, &position}, {&bare_velocity, &velocity}};
        kith_entity entity = bare_spawn(world, values, 2);
        if (kith_is_none(entity)) {
            bench_fail("no memory for a bare world");
        }
        if (handles != NULL) {
            handles[i] = entity;
        }
    }
    return world;
}

static void component_free(bare_component *component)
{
    if (component->type == NULL || component->layout == KITH_TABLE) {
        return;
    }
    if (component->layout == KITH_SPARSE) {
        array_free(&component->in.sparse.rows);
        array_free(&component->in.sparse.entities);
        array_free(&component->in.sparse.values);
    } else {
        array_free(&component->in.slots.bits);
        array_free(&component->in.slots.values);
    }
}

static void table_free(bare_table *table)
{
    array_free(&table->entities);
    for (uint32_t i = 0; i < table->column_count; i++) {
        array_free(&table->columns[i]);
    }
    free(table);
}

void bare_world_free(bare_world *world)
{
    if (world == NULL) {
        return;
    }
    for (uint32_t i = 0; i < world->table_count; i++) {
        table_free(world->tables[i]);
    }
    for (uint32_t id = 0; id < BARE_TYPES; id++) {
        component_free(&world->components[id]);
        free(world->logs[id].entities);
    }
    for (bare_query *query = world->queries; query != NULL;) {
        bare_query *next = query->next;
        free(query->tables);
        free(query);
        query = next;
    }
    free(world->tables);
    array_free(&world->records);
    array_free(&world->lanes);
    free(world);
}

uint32_t bare_count(const bare_world *world)
{
    return world->slots - world->ended;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static __attribute__((cold, noinline)) const void *unknown_type(const char *call)
{
    bare_misuse(call, "the world does not know the type");
    return NULL;
}

bool bare_has(const bare_world *world, kith_entity entity, const bare_type *type)
{
    const bare_component *component = bare_known(world, type);
    if (component == NULL) {
        return unknown_type("bare_has") != NULL;
    }
    const bare_record *record = bare_record_of(world, entity);
    if (record == NULL) {
        return false;
    }
    if (component->layout == KITH_TABLE) {
        return world->tables[record->table]->types >> type->id & 1;
    }
    return component->layout == KITH_SPARSE
               ? bare_sparse_row1(&component->in.sparse, entity.index1 - 1) != 0
               : bare_slots_has(&component->in.slots, entity.index1 - 1);
}

/* Not inlined: what is in a table needs no frame then. */
static __attribute__((noinline)) const void *get_outside(const bare_component *component,
                                                         uint32_t index)
{
    if (component->layout == KITH_SPARSE) {
        uint32_t row1 = bare_sparse_row1(&component->in.sparse, index);
        return row1 == 0 ? NULL : bare_array_at(&component->in.sparse.values, row1 - 1);
    }
    return !bare_slots_has(&component->in.slots, index) || component->type->size == 0
               ? NULL
               : bare_array_at(&component->in.slots.values, index);
}

const void *bare_get(const bare_world *world, kith_entity entity, const bare_type *type)
{
    const bare_component *component = bare_known(world, type);
    if (component == NULL) {
        return unknown_type("bare_get");
    }
    const bare_record *record = bare_record_of(world, entity);
    if (record == NULL) {
        return NULL;
    }
    if (component->layout != KITH_TABLE) {
        return get_outside(component, entity.index1 - 1);
    }
    const bare_table *table = world->tables[record->table];
    uint8_t column = table->column_of[type->id];
    return column == BARE_NO_COLUMN ? NULL : bare_array_at(&table->columns[column], record->row);
}

/* So many handles ahead, records are called for: then the waits for memory overlap. */
#define AHEAD 32u

static inline void call_for_record(const bare_world *world, kith_entity entity)
{
    if (BARE_LIKELY(entity.index1 - 1 < world->slots)) {
        __builtin_prefetch(bare_record_at(world, entity.index1 - 1));
    }
}

/* The column is searched for once as long as entities stand in one table. */
static void many_in_tables(const bare_world *world, uint32_t id, const kith_entity *entities,
                           uint32_t count, const void **values)
{
    uint32_t known = BARE_ABSENT;
    bare_array column = {0};
    for (uint32_t i = 0; i < AHEAD && i < count; i++) {
        call_for_record(world, entities[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (BARE_LIKELY(i + AHEAD < count)) {
            call_for_record(world, entities[i + AHEAD]);
        }
        const bare_record *record = bare_record_of(world, entities[i]);
        values[i] = NULL;
        if (!BARE_LIKELY(record != NULL)) {
            continue;
        }
        if (!BARE_LIKELY(record->table == known)) {
            known = record->table;
            const bare_table *table = world->tables[known];
            uint8_t number = table->column_of[id];
            column = number == BARE_NO_COLUMN ? (bare_array){0} : table->columns[number];
        }
        if (BARE_LIKELY(column.size != 0)) {
            const void *value = bare_array_at(&column, record->row);
            values[i] = value;
            __builtin_prefetch(value);
        }
    }
}

kith_result bare_get_many(const bare_world *world, const bare_type *type,
                          const kith_entity *entities, uint32_t count, const void **values)
{
    const bare_component *component = bare_known(world, type);
    if (component == NULL || (count > 0 && (entities == NULL || values == NULL))) {
        return bare_misuse("bare_get_many", "no such type, or no place for values");
    }
    if (component->layout == KITH_TABLE) {
        many_in_tables(world, type->id, entities, count, values);
        return KITH_OK;
    }
    for (uint32_t i = 0; i < count; i++) {
        values[i] = bare_get(world, entities[i], type);
    }
    return KITH_OK;
}
