/* The bare prototype: commands that set a component. Applying looks at all of them, reserves what they
 * need, and then moves runs of rows as blocks. */
#include <stdlib.h>

#include "bare_store.h"

/* Commands of one type, one behind another. */
typedef struct command_part {
    const bare_type *type;
    uint32_t first;
    size_t values; /* where theirs start */
} command_part;

/* Commands one behind another for entities that stand so in a table. */
typedef struct command_run {
    const command_part *part;
    uint32_t first;
    uint32_t count;
    uint32_t table;
    uint32_t row;
} command_run;

typedef struct command_list {
    void *items;
    size_t count;
    size_t capacity;
} command_list;

struct bare_commands {
    bare_world *world;
    command_list parts;
    command_list entities;
    command_list values; /* bytes */
    command_list runs;
    const bare_type *type; /* of the last part; NULL: there is none */
    kith_entity *entity;   /* where the next command of that type goes, */
    uint8_t *value;
    uint32_t room; /* and how many more have room */
    bool failed;   /* memory ran out while queueing */
};

bare_commands *bare_commands_new(bare_world *world)
{
    bare_commands *commands = calloc(1, sizeof *commands);
    if (commands != NULL) {
        commands->world = world;
    }
    return commands;
}

void bare_commands_free(bare_commands *commands)
{
    free(commands->parts.items);
    free(commands->entities.items);
    free(commands->values.items);
    free(commands->runs.items);
    free(commands);
}

static __attribute__((noinline)) bool list_grow(command_list *list, size_t count, size_t size)
{
    size_t capacity = list->capacity * 2 + 64;
    capacity = capacity < count ? count : capacity;
    void *items = realloc(list->items, capacity * size);
    if (items == NULL) {
        return false;
    }
    list->items = items;
    list->capacity = capacity;
    return true;
}

static inline bool list_reserve(command_list *list, size_t more, size_t size)
{
    return BARE_LIKELY(list->count + more <= list->capacity) ||
           list_grow(list, list->count + more, size);
}

static __attribute__((noinline)) bool start_part(bare_commands *commands, const bare_type *type)
{
    if (!list_reserve(&commands->parts, 1, sizeof(command_part))) {
        return false;
    }
    ((command_part *)commands->parts.items)[commands->parts.count++] =
        (command_part){type, (uint32_t)commands->entities.count, commands->values.count};
    return true;
}

/* Notes how much was queued since there was room made for it. */
static void settle(bare_commands *commands)
{
    if (commands->type != NULL) {
        commands->entities.count =
            (size_t)(commands->entity - (kith_entity *)commands->entities.items);
        commands->values.count = (size_t)(commands->value - (uint8_t *)commands->values.items);
    }
}

/* Room for more commands of a type, which is the one of the last part then. */
static __attribute__((noinline)) kith_result queue_reserve(bare_commands *commands,
                                                           const bare_type *type)
{
    if (commands == NULL || bare_known(commands->world, type) == NULL) {
        return bare_misuse("bare_queue_set", "no buffer, or a type that is not known");
    }
    settle(commands);
    bool goes_on = commands->type == type;
    commands->type = NULL;
    if ((!goes_on && !start_part(commands, type)) ||
        !list_reserve(&commands->entities, 1, sizeof(kith_entity)) ||
        !list_reserve(&commands->values, type->size, 1)) {
        commands->failed = true;
        return KITH_ERR_MEMORY;
    }
    commands->type = type;
    commands->entity = (kith_entity *)commands->entities.items + commands->entities.count;
    commands->value = (uint8_t *)commands->values.items + commands->values.count;
    size_t entities = commands->entities.capacity - commands->entities.count;
    size_t values = type->size == 0
                        ? entities
                        : (commands->values.capacity - commands->values.count) / type->size;
    commands->room = (uint32_t)(entities < values ? entities : values);
    return KITH_OK;
}

/* What is not the usual case: then it is. */
static __attribute__((noinline)) kith_result queue_slow(bare_commands *commands, kith_entity entity,
                                                        const bare_type *type, const void *value)
{
    kith_result result = queue_reserve(commands, type);
    return result == KITH_OK ? bare_queue_set(commands, entity, type, value) : result;
}

static __attribute__((noinline)) kith_result write_any(void *to, const void *value, uint32_t size)
{
    bare_write(to, value, size);
    return KITH_OK;
}

kith_result bare_queue_set(bare_commands *commands, kith_entity entity, const bare_type *type,
                           const void *value)
{
    if (!BARE_LIKELY(commands != NULL && commands->type == type && commands->room != 0)) {
        return queue_slow(commands, entity, type, value);
    }
    commands->room--;
    *commands->entity++ = entity;
    uint8_t *to = commands->value;
    commands->value = to + type->size;
    if (BARE_LIKELY(type->size == 12 && value != NULL)) {
        memcpy(to, value, 12);
        return KITH_OK;
    }
    return write_any(to, value, type->size);
}

static const kith_entity *entities_of(const bare_commands *commands, const command_run *run)
{
    return (const kith_entity *)commands->entities.items + run->first;
}

static const uint8_t *values_of(const bare_commands *commands, const command_run *run)
{
    return (const uint8_t *)commands->values.items + run->part->values +
           (size_t)(run->first - run->part->first) * run->part->type->size;
}

/* ---- Looking at all commands, and reserving -------------------------------------------------- */

/* How many handles are those of the rows of a block, beginning with the first. */
static uint32_t count_same(const kith_entity *entities, const kith_entity *rows, uint32_t count)
{
    if (memcmp(entities, rows, count * sizeof *rows) == 0) {
        return count;
    }
    uint32_t same = 0;
    while (entities[same].index1 == rows[same].index1 &&
           entities[same].generation == rows[same].generation) {
        same++;
    }
    return same;
}

/* How many of these entities stand one behind another in a table, beginning with the first. The table
 * knows who lives in its rows. */
static uint32_t run_length(const bare_world *world, const kith_entity *entities, uint32_t count,
                           const bare_record *first)
{
    const bare_table *table = world->tables[first->table];
    uint32_t row = first->row, found = 0;
    count = count < table->count - row ? count : table->count - row;
    while (found < count) {
        uint32_t step = BARE_ROWS - (row + found) % BARE_ROWS;
        step = step < count - found ? step : count - found;
        uint32_t same =
            count_same(entities + found, bare_array_at(&table->entities, row + found), step);
        found += same;
        if (same < step) {
            break;
        }
    }
    return found;
}

/* Cuts commands of one type into runs. Those of dead entities are in none. */
static bool cut_into_runs(bare_commands *commands, const command_part *part, uint32_t end)
{
    const kith_entity *entities = commands->entities.items;
    for (uint32_t i = part->first; i < end;) {
        const bare_record *record = bare_record_of(commands->world, entities[i]);
        if (record == NULL) {
            i++;
            continue;
        }
        if (!list_reserve(&commands->runs, 1, sizeof(command_run))) {
            return false;
        }
        uint32_t count = run_length(commands->world, entities + i, end - i, record);
        ((command_run *)commands->runs.items)[commands->runs.count++] =
            (command_run){part, i, count, record->table, record->row};
        i += count;
    }
    return true;
}

static int compare_runs(const void *a, const void *b)
{
    const command_run *first = a, *second = b;
    return first->table != second->table ? (first->table > second->table) * 2 - 1
                                         : (first->row > second->row) - (first->row < second->row);
}

/* Who is named twice is in two runs. Merging that is more than the prototype knows. */
static kith_result check_runs(const bare_commands *commands)
{
    size_t count = commands->runs.count;
    if (count < 2) {
        return KITH_OK;
    }
    command_run *sorted = malloc(count * sizeof *sorted);
    if (sorted == NULL) {
        return KITH_ERR_MEMORY;
    }
    memcpy(sorted, commands->runs.items, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_runs);
    bool twice = false;
    for (size_t i = 1; i < count; i++) {
        twice = twice || (sorted[i].table == sorted[i - 1].table &&
                          sorted[i].row < sorted[i - 1].row + sorted[i - 1].count);
    }
    free(sorted);
    return twice ? bare_misuse("bare_apply", "an entity is named twice") : KITH_OK;
}

static kith_result reserve_outside(bare_commands *commands, const command_run *run)
{
    bare_world *world = commands->world;
    const kith_entity *entities = entities_of(commands, run);
    bare_component *component = &world->components[run->part->type->id];
    if (component->layout != KITH_SPARSE) {
        return bare_misuse("bare_apply", "only values in tables and in sparse sets");
    }
    for (uint32_t i = 0, page = BARE_ABSENT; i < run->count; i++) {
        uint32_t index = entities[i].index1 - 1;
        if (index >> BARE_SHIFT == page) {
            continue;
        }
        page = index >> BARE_SHIFT;
        kith_result result = bare_array_reserve_page(&world->lanes, index);
        if (result == KITH_OK) {
            result = bare_array_reserve_page(&component->in.sparse.rows, index);
        }
        if (result != KITH_OK) {
            return result;
        }
    }
    /* So many may come to a set by other runs as well; so it is with tables. */
    return bare_sparse_reserve_rows(&component->in.sparse, (uint32_t)commands->entities.count);
}

static kith_result reserve_run(bare_commands *commands, const command_run *run)
{
    bare_world *world = commands->world;
    bare_table *table = world->tables[run->table];
    uint32_t id = run->part->type->id;
    if ((world->in_tables >> id & 1) == 0) {
        return reserve_outside(commands, run);
    }
    if ((table->types >> id & 1) != 0) {
        return KITH_OK;
    }
    const bare_edge *edge = &table->with[id];
    kith_result result = edge->to != NULL ? KITH_OK : bare_edge_make(world, table, id, true);
    return result == KITH_OK
               ? bare_table_reserve(edge->to, edge->to->count + (uint32_t)commands->entities.count)
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
    uint32_t id = run->part->type->id;
    bare_table *from = world->tables[run->table];
    const bare_edge *edge = &from->with[id];
    bare_table *to = edge->to;
    uint32_t first = to->count;
    to->count += run->count;
    for (uint32_t i = 0; i < edge->copies; i++) {
        copy_run(world, edge->copy[i].into, first, edge->copy[i].from, run->row, run->count);
    }
    copy_run(world, &to->entities, first, &from->entities, run->row, run->count);
    if (to->column_of[id] < BARE_COLUMNS) {
        bare_copy_rows(world, &to->columns[to->column_of[id]], first, run->count,
                       values_of(commands, run));
    }
    const kith_entity *entities = entities_of(commands, run);
    for (uint32_t i = 0; i < run->count; i++) {
        bare_record *record = bare_record_at(world, entities[i].index1 - 1);
        record->table = to->id;
        record->row = first + i;
    }
    take_rows(world, from, run->row, run->count);
}

static void set_one_by_one(bare_commands *commands, const command_run *run)
{
    const kith_entity *entities = entities_of(commands, run);
    const uint8_t *values = values_of(commands, run);
    const bare_type *type = run->part->type;
    for (uint32_t i = 0; i < run->count; i++) {
        /* Cannot fail: all is reserved. */
        bare_set(commands->world, entities[i], type, values + (size_t)i * type->size);
    }
}

/* How many of these entities have slots one behind another in one page, beginning with the first. */
static uint32_t span_length(const kith_entity *entities, uint32_t count)
{
    uint32_t first = entities->index1, span = 1;
    uint32_t in_page = BARE_ROWS - (first - 1) % BARE_ROWS;
    count = count < in_page ? count : in_page;
    while (span < count && entities[span].index1 == first + span) {
        span++;
    }
    return span;
}

/* Whether none of them is in the set; then they come to its end in a row. */
static bool are_new(const bare_sparse *set, const kith_entity *entities, uint32_t count)
{
    uint32_t any = 0;
    for (uint32_t done = 0, span; done < count; done += span) {
        span = span_length(entities + done, count - done);
        const uint32_t *rows = bare_array_at(&set->rows, entities[done].index1 - 1);
        for (uint32_t i = 0; i < span; i++) {
            any |= rows[i];
        }
    }
    return any == 0;
}

static void set_in_sparse(bare_commands *commands, const command_run *run)
{
    bare_world *world = commands->world;
    const kith_entity *entities = entities_of(commands, run);
    uint32_t id = run->part->type->id;
    bare_sparse *set = &world->components[id].in.sparse;
    if (!are_new(set, entities, run->count)) {
        set_one_by_one(commands, run);
        return;
    }
    uint32_t first = set->count;
    set->count += run->count;
    bare_copy_rows(world, &set->entities, first, run->count, entities);
    if (set->values.size != 0) {
        bare_copy_rows(world, &set->values, first, run->count, values_of(commands, run));
    }
    for (uint32_t done = 0, span; done < run->count; done += span) {
        span = span_length(entities + done, run->count - done);
        uint32_t index = entities[done].index1 - 1;
        uint32_t *rows = bare_array_at(&set->rows, index);
        uint64_t *lanes = bare_array_at(&world->lanes, index);
        for (uint32_t i = 0; i < span; i++) {
            rows[i] = first + done + i + 1;
        }
        for (uint32_t i = 0; i < span; i++) {
            lanes[i] |= (uint64_t)1 << id;
        }
        bare_stamp(world, &set->rows, index);
        bare_stamp(world, &world->lanes, index);
    }
}

static void commit_run(bare_commands *commands, const command_run *run)
{
    const bare_world *world = commands->world;
    const bare_table *table = world->tables[run->table];
    uint32_t id = run->part->type->id;
    if ((world->in_tables >> id & 1) == 0) {
        set_in_sparse(commands, run);
    } else if ((table->types >> id & 1) == 0 && run->row + run->count <= table->count) {
        set_by_run(commands, run);
    } else { /* earlier runs have moved the last rows of the table, or the values are there */
        set_one_by_one(commands, run);
    }
}

kith_result bare_apply(bare_commands *commands)
{
    if (commands == NULL || commands->world->open != 0) {
        return bare_misuse("bare_apply", "no buffer, or a query is open");
    }
    settle(commands);
    commands->type = NULL;
    kith_result result = commands->failed ? KITH_ERR_MEMORY : KITH_OK;
    const command_part *parts = commands->parts.items;
    commands->runs.count = 0;
    for (size_t i = 0; result == KITH_OK && i < commands->parts.count; i++) {
        size_t end = i + 1 < commands->parts.count ? parts[i + 1].first : commands->entities.count;
        result = cut_into_runs(commands, &parts[i], (uint32_t)end) ? KITH_OK : KITH_ERR_MEMORY;
    }
    if (result == KITH_OK) {
        result = check_runs(commands);
    }
    const command_run *runs = commands->runs.items;
    for (size_t i = 0; result == KITH_OK && i < commands->runs.count; i++) {
        result = reserve_run(commands, &runs[i]);
    }
    if (result == KITH_OK) {
        for (size_t i = 0; i < commands->runs.count; i++) {
            commit_run(commands, &runs[i]);
        }
        commands->parts.count = 0;
        commands->entities.count = 0;
        commands->values.count = 0;
    }
    return result;
}
