/* The bare prototype: commands that set a component. Applying looks at all of them, reserves what they
 * need, and then moves runs of rows as blocks. */
#include <stdlib.h>

#include "bare_store.h"

#define COMMAND_VALUE 12u /* bytes of the largest value */

typedef struct bare_command {
    kith_entity entity;
    uint32_t id;
    uint8_t value[COMMAND_VALUE];
} bare_command;

/* Commands one behind another for entities that stand so in a table, or for a type outside of tables. */
typedef struct command_run {
    uint32_t first;
    uint32_t count;
    uint32_t table; /* BARE_ABSENT: outside of tables */
    uint32_t row;
} command_run;

struct bare_commands {
    bare_world *world;
    bare_command *commands;
    uint32_t count;
    uint32_t capacity;
    bool failed; /* memory ran out while queueing */
    command_run *runs;
    uint32_t run_count;
    uint32_t run_capacity;
    uint32_t serial;
    bare_array named; /* paged: by slot, the serial of the apply that met it last */
};

bare_commands *bare_commands_new(bare_world *world)
{
    bare_commands *commands = calloc(1, sizeof *commands);
    if (commands != NULL) {
        commands->world = world;
        commands->named.size = sizeof(uint32_t);
    }
    return commands;
}

void bare_commands_free(bare_commands *commands)
{
    for (uint32_t i = 0; i < commands->named.block_count; i++) {
        if (bare_array_is_own(&commands->named, i << BARE_SHIFT)) {
            free(commands->named.blocks[i].data);
        }
    }
    free(commands->named.blocks);
    free(commands->commands);
    free(commands->runs);
    free(commands);
}

/* A list with room for one more; NULL: no memory. */
static void *list_reserve(void *list, uint32_t count, uint32_t *capacity, size_t size)
{
    if (BARE_LIKELY(count < *capacity)) {
        return list;
    }
    uint32_t larger = *capacity * 2 + 64;
    void *grown = realloc(list, larger * size);
    if (grown != NULL) {
        *capacity = larger;
    }
    return grown;
}

kith_result bare_queue_set(bare_commands *commands, kith_entity entity, const bare_type *type,
                           const void *value)
{
    if (commands == NULL || bare_known(commands->world, type) == NULL ||
        type->size > COMMAND_VALUE) {
        return bare_misuse("bare_queue_set", "no buffer, or a type that is not known");
    }
    bare_command *list =
        list_reserve(commands->commands, commands->count, &commands->capacity, sizeof *list);
    if (list == NULL) {
        commands->failed = true;
        return KITH_ERR_MEMORY;
    }
    commands->commands = list;
    bare_command *command = &list[commands->count++];
    command->entity = entity;
    command->id = type->id;
    bare_write(command->value, value, type->size);
    return KITH_OK;
}

/* ---- Looking at all commands, and reserving -------------------------------------------------- */

/* Notes that the entity is named. Naming it twice is more than the prototype knows. */
static kith_result note_entity(bare_commands *commands, uint32_t index)
{
    kith_result result = bare_array_reserve_page(&commands->named, index);
    if (result != KITH_OK) {
        return result;
    }
    uint32_t *named = bare_array_at(&commands->named, index);
    if (*named == commands->serial) {
        return bare_misuse("bare_apply", "an entity is named twice");
    }
    *named = commands->serial;
    return KITH_OK;
}

static kith_result start_run(bare_commands *commands, uint32_t number, uint32_t table, uint32_t row)
{
    command_run *runs =
        list_reserve(commands->runs, commands->run_count, &commands->run_capacity, sizeof *runs);
    if (runs == NULL) {
        return KITH_ERR_MEMORY;
    }
    commands->runs = runs;
    commands->runs[commands->run_count++] = (command_run){number, 0, table, row};
    return KITH_OK;
}

/* Cuts the commands into runs. Those of dead entities are in none. */
static kith_result cut_into_runs(bare_commands *commands)
{
    const bare_world *world = commands->world;
    command_run *run = NULL;
    for (uint32_t i = 0; i < commands->count; i++) {
        const bare_command *command = &commands->commands[i];
        const bare_record *record = bare_record_of(world, command->entity);
        if (record == NULL) {
            run = NULL;
            continue;
        }
        kith_result result = note_entity(commands, command->entity.index1 - 1);
        bool in_table = world->in_tables >> command->id & 1;
        uint32_t table = in_table ? record->table : BARE_ABSENT;
        if (result == KITH_OK && (run == NULL || run->table != table ||
                                  (in_table && record->row != run->row + run->count) ||
                                  commands->commands[run->first].id != command->id)) {
            result = start_run(commands, i, table, record->row);
            run = &commands->runs[commands->run_count - 1];
        }
        if (result != KITH_OK) {
            return result;
        }
        run->count++;
    }
    return KITH_OK;
}

static kith_result reserve_outside(bare_commands *commands, const command_run *run)
{
    bare_world *world = commands->world;
    bare_component *component = &world->components[commands->commands[run->first].id];
    for (uint32_t i = run->first; i < run->first + run->count; i++) {
        uint32_t index = commands->commands[i].entity.index1 - 1;
        kith_result result = bare_array_reserve_page(&world->lanes, index);
        if (result == KITH_OK && component->layout == KITH_SPARSE) {
            result = bare_array_reserve_page(&component->in.sparse.rows, index);
        }
        if (result != KITH_OK) {
            return result;
        }
    }
    if (component->layout != KITH_SPARSE) {
        return bare_misuse("bare_apply", "only values in tables and in sparse sets");
    }
    return bare_sparse_reserve(&component->in.sparse, 0, commands->count);
}

static kith_result reserve_run(bare_commands *commands, const command_run *run)
{
    if (run->table == BARE_ABSENT) {
        return reserve_outside(commands, run);
    }
    bare_world *world = commands->world;
    bare_table *table = world->tables[run->table];
    uint32_t id = commands->commands[run->first].id;
    bare_edge *edge = &table->with[id];
    if ((table->types >> id & 1) != 0) {
        return KITH_OK;
    }
    kith_result result = edge->to != NULL ? KITH_OK : bare_edge_make(world, table, id, true);
    /* So many rows may come to a table by other runs as well. */
    return result == KITH_OK ? bare_table_reserve(edge->to, edge->to->count + commands->count)
                             : result;
}

/* ---- Doing it -------------------------------------------------------------------------------- */

/* Copies rows between two columns, a piece of a block at a time. */
static void copy_run(bare_world *world, bare_array *to, uint32_t to_row, const bare_array *from,
                     uint32_t from_row, uint32_t count)
{
    while (count > 0) {
        uint32_t rows =
            BARE_ROWS -
            (to_row % BARE_ROWS > from_row % BARE_ROWS ? to_row % BARE_ROWS : from_row % BARE_ROWS);
        rows = rows < count ? rows : count;
        memcpy(bare_array_at(to, to_row), bare_array_at(from, from_row), (size_t)rows * to->size);
        bare_stamp(world, to, to_row);
        to_row += rows;
        from_row += rows;
        count -= rows;
    }
}

/* Takes rows out of a table; the last ones move into their places. */
static void take_rows(bare_world *world, bare_table *table, uint32_t first, uint32_t count)
{
    uint32_t behind = table->count - (first + count);
    uint32_t moved = behind < count ? behind : count;
    uint32_t from = table->count - moved;
    table->count -= count;
    if (moved == 0) {
        return;
    }
    for (uint32_t i = 0; i < table->column_count; i++) {
        copy_run(world, &table->columns[i], first, &table->columns[i], from, moved);
    }
    copy_run(world, &table->entities, first, &table->entities, from, moved);
    for (uint32_t row = first; row < first + moved; row++) {
        kith_entity entity = *(const kith_entity *)bare_array_at(&table->entities, row);
        bare_record_at(world, entity.index1 - 1)->row = row;
    }
}

static void set_by_run(bare_commands *commands, const command_run *run)
{
    bare_world *world = commands->world;
    const bare_command *command = &commands->commands[run->first];
    bare_table *from = world->tables[run->table];
    const bare_edge *edge = &from->with[command->id];
    bare_table *to = edge->to;
    uint32_t first = to->count;
    to->count += run->count;
    for (uint32_t i = 0; i < edge->copies; i++) {
        copy_run(world, &to->columns[edge->to_column[i]], first,
                 &from->columns[edge->from_column[i]], run->row, run->count);
    }
    copy_run(world, &to->entities, first, &from->entities, run->row, run->count);
    uint8_t number = to->column_of[command->id];
    bare_array *column = number < BARE_COLUMNS ? &to->columns[number] : NULL;
    for (uint32_t i = 0; i < run->count; i++) {
        bare_record *record = bare_record_at(world, command[i].entity.index1 - 1);
        record->table = to->id;
        record->row = first + i;
        if (column != NULL) {
            bare_copy(bare_array_at(column, first + i), command[i].value, column->size);
            bare_stamp(world, column, first + i);
        }
    }
    take_rows(world, from, run->row, run->count);
}

static void set_one_by_one(bare_commands *commands, const command_run *run)
{
    bare_world *world = commands->world;
    const bare_command *command = &commands->commands[run->first];
    const bare_type *type = world->components[command->id].type;
    for (uint32_t i = 0; i < run->count; i++) {
        bare_set(world, command[i].entity, type, command[i].value); /* cannot fail: reserved */
    }
}

static void set_in_sparse(bare_commands *commands, const command_run *run)
{
    bare_world *world = commands->world;
    const bare_command *command = &commands->commands[run->first];
    bare_sparse *set = &world->components[command->id].in.sparse;
    uint32_t size = set->values.size;
    for (uint32_t i = 0; i < run->count; i++) {
        uint32_t index = command[i].entity.index1 - 1;
        uint32_t row1 = bare_sparse_row1(set, index);
        if (row1 == 0) {
            bare_sparse_insert(world, set, command[i].entity, command[i].value);
            bare_lanes_add(world, index, command->id);
        } else if (size != 0) {
            bare_copy(bare_array_at(&set->values, row1 - 1), command[i].value, size);
            bare_stamp(world, &set->values, row1 - 1);
        }
    }
}

static void commit_run(bare_commands *commands, const command_run *run)
{
    if (run->table == BARE_ABSENT) {
        set_in_sparse(commands, run);
        return;
    }
    const bare_table *table = commands->world->tables[run->table];
    bool moves = (table->types >> commands->commands[run->first].id & 1) == 0;
    /* Earlier runs may have moved the last rows of the table. */
    if (moves && run->row + run->count <= table->count) {
        set_by_run(commands, run);
    } else {
        set_one_by_one(commands, run);
    }
}

kith_result bare_apply(bare_commands *commands)
{
    if (commands == NULL || commands->world->open != 0) {
        return bare_misuse("bare_apply", "no buffer, or a query is open");
    }
    if (commands->failed) {
        return KITH_ERR_MEMORY;
    }
    commands->serial++;
    commands->run_count = 0;
    kith_result result = cut_into_runs(commands);
    for (uint32_t i = 0; result == KITH_OK && i < commands->run_count; i++) {
        result = reserve_run(commands, &commands->runs[i]);
    }
    for (uint32_t i = 0; result == KITH_OK && i < commands->run_count; i++) {
        commit_run(commands, &commands->runs[i]);
    }
    commands->count = result == KITH_OK ? 0 : commands->count;
    return result;
}
