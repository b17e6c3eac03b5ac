/* The invariants of the parts of a store: those that one part alone can check. */
#include "inspect/inspect.h"

const char *ki_entities_check(const ki_column_context *columns, const ki_entities *entities)
{
    const char *wrong = ki_column_check(columns, &entities->records);
    wrong = wrong != NULL ? wrong : ki_column_check(columns, &entities->summary);
    if (wrong != NULL) {
        return wrong;
    }
    if (entities->slots > entities->records.capacity) {
        return "there are more slots than records";
    }
    uint32_t alive = 0;
    uint32_t dead = 0;
    uint32_t retired = 0;
    for (uint32_t index = 0; index < entities->slots; index++) {
        uint32_t table = ki_record_at(entities, index)->table;
        alive += table < KI_RETIRED_TABLE;
        dead += table == KI_DEAD_TABLE;
        retired += table == KI_RETIRED_TABLE;
        if (table >= KI_RETIRED_TABLE && ki_summary_at(entities, index) != 0) {
            return "a dead slot has components";
        }
    }
    if (alive != ki_entities_alive(entities) || retired != entities->retired) {
        return "the number of living or of retired slots is wrong";
    }
    uint32_t listed = 0;
    for (uint32_t index1 = entities->free_head; index1 != 0; listed++) {
        if (index1 > entities->slots || listed > dead ||
            ki_record_at(entities, index1 - 1)->table != KI_DEAD_TABLE) {
            return "the list of free slots leads to one that is not free";
        }
        index1 = ki_record_at(entities, index1 - 1)->row;
    }
    return listed == dead ? NULL : "a free slot is not in the list of free slots";
}

/* Whether rows know what their columns have in common. */
static bool rows_know_columns(const ki_rows *rows)
{
    bool uniform = true;
    bool hooked = false;
    for (uint32_t i = 0; i < rows->column_count; i++) {
        uniform = uniform && ki_column_block_rows(&rows->columns[i]) == KI_BLOCK_ROWS_MAX;
        hooked = hooked || rows->columns[i].hooks != NULL;
    }
    return rows->uniform == uniform && rows->hooked == hooked &&
           rows->simple == (uniform && !hooked);
}

/* The columns of rows together. */
static const char *check_rows(const ki_column_context *columns, const ki_rows *rows)
{
    const char *wrong = ki_column_check(columns, &rows->entities);
    if (wrong == NULL && !rows_know_columns(rows)) {
        wrong = "rows are not as simple as their columns";
    }
    uint32_t capacity = rows->entities.capacity;
    for (uint32_t i = 0; i < rows->column_count && wrong == NULL; i++) {
        const ki_column *column = &rows->columns[i];
        capacity = ki_min_u32(capacity, column->capacity);
        wrong = ki_column_check(columns, column);
        wrong = wrong != NULL ? wrong : ki_column_check_live(column, rows->count);
        for (uint32_t block = 0;
             wrong == NULL && rows->uniform && block < rows->entities.block_count; block++) {
            if (rows->entities.blocks[block].stamp == columns->write_clock &&
                block < column->block_count &&
                column->blocks[block].stamp != columns->write_clock) {
                wrong = "rows take a block for marked that is not";
            }
        }
    }
    if (wrong == NULL && rows->capacity > capacity) {
        wrong = "rows take their columns for larger than they are";
    }
    return wrong == NULL && rows->count > capacity ? "there are more rows than room" : wrong;
}

const char *ki_sparse_check(const ki_column_context *columns, const ki_sparse *set)
{
    const char *wrong = ki_column_check(columns, &set->index);
    wrong = wrong != NULL ? wrong : check_rows(columns, &set->rows);
    if (wrong != NULL) {
        return wrong;
    }
    for (uint32_t row = 0; row < set->rows.count; row++) {
        const kith_entity *entity = ki_column_at(&set->rows.entities, row);
        if (ki_sparse_row1(set, entity->index1 - 1) != row + 1) {
            return "a sparse set's row is not found through its entity";
        }
    }
    uint32_t found = 0;
    for (uint32_t page = 0; page < set->index.block_count; page++) {
        uint32_t first = page << set->index.shift;
        if (set->index.blocks[page].data == NULL) {
            continue;
        }
        for (uint32_t i = first; i < set->index.capacity && i >> set->index.shift == page; i++) {
            found += *(const uint32_t *)ki_column_at(&set->index, i) != 0;
        }
    }
    return found == set->rows.count ? NULL : "a sparse set finds an entity that it does not hold";
}

const char *ki_slots_check(const ki_column_context *columns, const ki_slots *slots)
{
    const char *wrong = ki_column_check(columns, &slots->bits);
    wrong = wrong != NULL ? wrong : ki_column_check(columns, &slots->values);
    if (wrong != NULL) {
        return wrong;
    }
    uint32_t found = 0;
    for (uint32_t word = 0; word < slots->bits.capacity; word++) {
        uint64_t bits = ki_slots_word(slots, word);
        found += ki_bit_count(bits);
        for (; bits != 0 && slots->values.size != 0; bits &= bits - 1) {
            if (!ki_column_has_page(&slots->values, word * 64 + ki_lowest_bit(bits))) {
                return "a slot's bit is set where it has no value";
            }
            if (slots->values.hooks != NULL &&
                !ki_column_is_constructed(&slots->values, word * 64 + ki_lowest_bit(bits))) {
                return "a slot holds no value, of a type with hooks";
            }
        }
    }
    if (slots->values.hooks != NULL && ki_column_live_count(&slots->values) != found) {
        return "a value of a type with hooks outlived its slot";
    }
    return found == slots->count ? NULL : "a slot array's count is not that of its bits";
}

/* How many values two tables share, without tags; and the column that only `to` has, if it is one. */
static uint32_t table_count_shared(const ki_table *from, const ki_table *to,
                                   const ki_column **added)
{
    uint32_t shared = 0;
    uint32_t only = 0;
    for (uint32_t i = 0; i < to->rows.column_count; i++) {
        const ki_column *column = &to->rows.columns[i];
        if (ki_table_has(from, to->ids[i])) {
            shared += column->size != 0;
        } else {
            *added = only++ == 0 ? column : NULL;
        }
    }
    return shared;
}

static const char *table_check_edge(const ki_table *from, const ki_edge *edge)
{
    const ki_column *added = NULL;
    for (uint32_t c = 0; c < edge->copy_count; c++) {
        uint32_t column = (uint32_t)(edge->copies[c].from - from->rows.columns);
        if (from->ids[column] != edge->to->ids[edge->copies[c].to - edge->to->rows.columns]) {
            return "an edge copies one component onto another";
        }
    }
    if (edge->copy_count != table_count_shared(from, edge->to, &added)) {
        return "an edge does not copy what both tables have";
    }
    if (edge->added != added) {
        return "an edge adds what both tables have";
    }
    return edge->simple == (from->rows.simple && edge->to->rows.simple)
               ? NULL
               : "an edge is not as simple as its tables";
}

static const char *table_check_edges(const ki_table *table)
{
    for (uint32_t i = 0; i < table->edge_count; i++) {
        const ki_edge *edge = table->edges[i];
        if (i > 0 && table->edges[i - 1]->to->id >= edge->to->id) {
            return "a table's edges are out of order";
        }
        const char *wrong = table_check_edge(table, edge);
        if (wrong != NULL) {
            return wrong;
        }
    }
    for (uint32_t i = 0; i < table->edge_map.capacity; i++) {
        const ki_edge *step = table->edge_map.slots[i].item;
        uint32_t id = (uint32_t)table->edge_map.slots[i].key;
        if (step != NULL && ki_table_has(table, id) == ki_table_has(step->to, id)) {
            return "a step neither adds nor removes its component";
        }
    }
    return NULL;
}

/* The first blocks of columns are in the table's own piece, or allocated alone. The piece is in use
 * by the table and by each block in it; shared blocks that columns have released may use it too. */
static const char *table_check_slab(const ki_column_context *columns, const ki_table *table)
{
    uint32_t users = 1;
    for (uint32_t i = 0; i <= table->rows.column_count; i++) {
        const ki_column *column = i == 0 ? &table->rows.entities : &table->rows.columns[i - 1];
        const ki_slab *slab = ki_column_slab(column);
        if (slab != NULL && slab != &table->slab) {
            return "a block of a table is in the memory of another";
        }
        users += slab == &table->slab;
    }
    bool right = columns->shared ? users <= table->slab.users : users == table->slab.users;
    return right ? NULL : "the users of a table's memory are not counted right";
}

const char *ki_table_check(const ki_column_context *columns, const ki_table *table)
{
    for (uint32_t i = 0; i < table->rows.column_count; i++) {
        if (i > 0 && table->ids[i - 1] >= table->ids[i]) {
            return "a table's components are out of order";
        }
        if (ki_table_lookup(table, table->ids[i]) != i) {
            return "a table does not find its column";
        }
    }
    for (uint32_t id = 0; id < KI_DIRECT_IDS; id++) {
        uint32_t column = ki_table_number(table->direct[id]);
        if (table->direct[id] != 0 &&
            (column >= table->rows.column_count || table->ids[column] != id)) {
            return "a table finds a column that it does not have";
        }
    }
    const char *wrong = check_rows(columns, &table->rows);
    wrong = wrong != NULL ? wrong : table_check_slab(columns, table);
    return wrong != NULL ? wrong : table_check_edges(table);
}

/* The number of losses among the first `count` entries. */
static uint32_t track_count_lost(const ki_change_log_chunk *chunk, uint32_t count)
{
    uint32_t lost = 0;
    for (uint32_t i = 0; i < count; i++) {
        lost += ki_change_log_is_loss(chunk, i);
    }
    return lost;
}

/* Checks the readers of a chunk. */
static const char *track_check_readers(const ki_change_log *change_log,
                                       const ki_change_log_chunk *chunk)
{
    uint32_t readers = 0;
    for (const kith_tracker *reader = change_log->readers; reader != NULL; reader = reader->next) {
        if (reader->chunk != chunk) {
            continue;
        }
        readers++;
        uint32_t lost = track_count_lost(chunk, reader->place);
        if (reader->place > chunk->count || (chunk->valued && reader->lost != lost)) {
            return "a tracker is not where it has read to";
        }
        if (reader->valued && (!chunk->valued || reader->lost < chunk->ended)) {
            return "a tracker that wants values is where none are kept, or they were destroyed";
        }
    }
    return readers == chunk->readers ? NULL : "a change log's chunk has another number of readers";
}

static const char *track_check_chunk(const ki_change_log *change_log,
                                     const ki_change_log_chunk *chunk, bool past_last)
{
    if (chunk->count > chunk->limit || chunk->limit > KI_CHANGE_LOG_ENTRIES) {
        return "a change log's chunk has more entries than room";
    }
    if (past_last ? chunk->count != 0 : chunk != change_log->last && chunk->count != chunk->limit) {
        return "a change log's chunks are not filled one after another";
    }
    uint32_t lost = track_count_lost(chunk, chunk->count);
    if (lost != track_count_lost(chunk, KI_CHANGE_LOG_ENTRIES) ||
        chunk->lost_count != (chunk->valued ? lost : 0)) {
        return "a change log's chunk has another number of losses";
    }
    for (uint32_t i = 0; i < KI_CHANGE_LOG_WORDS; i++) {
        if ((chunk->despawned[i] & ~(chunk->valued ? chunk->lost[i] : 0)) != 0) {
            return "a change log's chunk notes a despawn without a loss";
        }
    }
    if (chunk->ended > (change_log->hooks == NULL ? 0 : chunk->lost_count)) {
        return "a change log's chunk has destroyed values that it does not hold";
    }
    if ((past_last || chunk == change_log->last) && chunk->valued != (change_log->valued != 0)) {
        return "a change log's chunk for what comes keeps values that nobody wants, or none";
    }
    if (chunk->valued ? chunk->values == NULL && lost != 0 : chunk->values != NULL) {
        return "a change log's chunk keeps no values, or some that nobody wanted";
    }
    return NULL;
}

const char *ki_change_log_check(const ki_change_log *change_log)
{
    uint32_t chunks = 0;
    uint32_t past_last = 0;
    bool seen = false;
    uint64_t first = change_log->first->first;
    for (const ki_change_log_chunk *chunk = change_log->first; chunk != NULL; chunk = chunk->next) {
        const char *wrong = track_check_chunk(change_log, chunk, seen);
        wrong = wrong != NULL ? wrong : track_check_readers(change_log, chunk);
        wrong = wrong != NULL || seen || chunk->first == first
                    ? wrong
                    : "a change log's chunk has a wrong number of entries before it";
        if (wrong != NULL) {
            return wrong;
        }
        first += chunk->count;
        chunks++;
        past_last += seen;
        seen = seen || chunk == change_log->last;
    }
    return chunks == change_log->chunk_count && past_last == change_log->spare &&
                   change_log->end->next == NULL
               ? NULL
               : "a track has lost a chunk";
}
