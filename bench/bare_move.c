/* The bare prototype: a component of a table comes and goes, and a row moves. */
#include "bare_store.h"

/* For who asks what was written. */
static BARE_APART void stamp_move(const bare_world *world, const bare_edge *edge, uint32_t hole,
                                  uint32_t row)
{
    for (uint32_t i = 0; i < edge->copies; i++) {
        bare_stamp(world, edge->copy[i].into, row);
        bare_stamp(world, edge->copy[i].from, hole);
    }
}

typedef kith_result move_fn(const bare_edge_copy *copy, size_t hole_block, size_t hole,
                            size_t last_block, size_t last, size_t row);

/* Copies each value to its new row, and the last of its column into the hole. All that it needs is in
 * registers: a block as bytes into the list of blocks. */
static inline kith_result move_values(const bare_edge_copy *copy, size_t hole_block, size_t hole,
                                      size_t last_block, size_t last, size_t row, uint32_t size,
                                      move_fn *others)
{
    for (; copy->into != NULL; copy++) {
        if (others != NULL && copy->into->size != size) {
            return others(copy, hole_block, hole, last_block, last, row);
        }
        BARE_EACH_TIME(hole);
        BARE_EACH_TIME(last);
        BARE_EACH_TIME(row);
        size_t bytes = others != NULL ? size : copy->into->size;
        const uint8_t *blocks = (const uint8_t *)copy->from->blocks;
        uint8_t *left = ((const bare_block *)(const void *)(blocks + hole_block))->data;
        const uint8_t *end = ((const bare_block *)(const void *)(blocks + last_block))->data;
        uint8_t *to = copy->into->blocks[row >> BARE_SHIFT].data;
        bare_copy(to + row % BARE_ROWS * bytes, left + hole * bytes, (uint32_t)bytes);
        bare_copy(left + hole * bytes, end + last * bytes, (uint32_t)bytes);
    }
    return KITH_OK;
}

static BARE_APART kith_result move_any(const bare_edge_copy *copy, size_t hole_block, size_t hole,
                                       size_t last_block, size_t last, size_t row)
{
    return move_values(copy, hole_block, hole, last_block, last, row, 0, NULL);
}

static BARE_APART kith_result move_eights(const bare_edge_copy *copy, size_t hole_block,
                                          size_t hole, size_t last_block, size_t last, size_t row)
{
    return move_values(copy, hole_block, hole, last_block, last, row, 8, move_any);
}

/* Moves a row along an edge, which was reserved. */
static BARE_APART kith_result move_row(bare_world *world, kith_entity entity, bare_record *record,
                                       bare_table *from, const bare_edge *edge)
{
    bare_table *to = edge->to;
    uint32_t hole = record->row;
    uint32_t last = --from->count;
    uint32_t row = to->count++;
    ((kith_entity *)bare_array_rows(&to->entities, row))[row % BARE_ROWS] = entity;
    record->table = to->id;
    if (hole != last) {
        const kith_entity *rows = bare_array_rows(&from->entities, last);
        kith_entity moved = rows[last % BARE_ROWS];
        ((kith_entity *)bare_array_rows(&from->entities, hole))[hole % BARE_ROWS] = moved;
        bare_record_at(world, moved.index1 - 1)->row = hole;
    }
    record->row = row;
    if (!BARE_LIKELY(!world->looked)) {
        stamp_move(world, edge, hole, row);
    }
    return move_eights(edge->copy, (size_t)(hole >> BARE_SHIFT) * sizeof(bare_block),
                       hole % BARE_ROWS, (size_t)(last >> BARE_SHIFT) * sizeof(bare_block),
                       last % BARE_ROWS, row);
}

static kith_result edge_reserve(bare_world *world, bare_table *table, uint32_t id, bool with)
{
    const bare_edge *edge = with ? &table->with[id] : &table->without[id];
    kith_result result = edge->to == NULL ? bare_edge_make(world, table, id, with) : KITH_OK;
    return result == KITH_OK ? bare_table_reserve(edge->to, edge->to->count + 1) : result;
}

static inline bool edge_is_ready(const bare_edge *edge)
{
    return BARE_LIKELY(edge->to != NULL && edge->to->count < edge->to->capacity);
}

static BARE_APART kith_result reserve_and_set(bare_world *world, kith_entity entity,
                                              const bare_type *type, const void *value,
                                              bare_record *record)
{
    if (world->open != 0) {
        return bare_misuse("bare_set", "a query is open");
    }
    kith_result result = edge_reserve(world, world->tables[record->table], type->id, true);
    result = result == KITH_OK ? bare_log_reserve(&world->logs[type->id]) : result;
    return result == KITH_OK ? bare_table_set(world, entity, type, value, record) : result;
}

kith_result bare_table_set(bare_world *world, kith_entity entity, const bare_type *type,
                           const void *value, bare_record *record)
{
    bare_table *table = world->tables[record->table];
    uint32_t id = type->id;
    if ((table->types >> id & 1) != 0) {
        return type->size == 0 ? KITH_OK
                               : bare_write_value(world, &table->columns[table->column_of[id]],
                                                  record->row, value);
    }
    const bare_edge *edge = &table->with[id];
    bare_log *log = &world->logs[id];
    if (!BARE_LIKELY(edge_is_ready(edge) && world->open == 0 && bare_log_is_ready(log))) {
        return reserve_and_set(world, entity, type, value, record);
    }
    bare_log_add(log, entity);
    if (edge->only != NULL) { /* first: the value may stand in a row that moves */
        bare_write_value(world, edge->only, edge->to->count, value);
    }
    return move_row(world, entity, record, table, edge);
}

static BARE_APART kith_result reserve_and_remove(bare_world *world, kith_entity entity, uint32_t id,
                                                 bare_record *record)
{
    kith_result result = edge_reserve(world, world->tables[record->table], id, false);
    return result == KITH_OK ? bare_table_remove(world, entity, id, record) : result;
}

kith_result bare_table_remove(bare_world *world, kith_entity entity, uint32_t id,
                              bare_record *record)
{
    bare_table *table = world->tables[record->table];
    if ((table->types >> id & 1) == 0) {
        return KITH_ERR_ABSENT;
    }
    const bare_edge *edge = &table->without[id];
    if (!edge_is_ready(edge)) {
        return reserve_and_remove(world, entity, id, record);
    }
    if (edge->only != NULL) {
        bare_fill(world, edge->only, record->row, table->count - 1);
    }
    return move_row(world, entity, record, table, edge);
}
