#include "store/table.h"

#include "store/component.h"

#define TABLE_FIND_FEW 256u

static size_t table_bytes(uint32_t column_count, uint32_t find_count)
{
    return sizeof(ki_table) + column_count * (sizeof(ki_column) + sizeof(uint32_t)) +
           find_count * sizeof(uint32_t);
}

static bool table_ids_collide(const uint32_t *ids, uint32_t count, uint32_t mask)
{
    uint64_t seen[TABLE_FIND_FEW / 64] = {0};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = ids[i] & mask;
        if ((seen[slot / 64] >> slot % 64 & 1) != 0) {
            return true;
        }
        seen[slot / 64] |= (uint64_t)1 << slot % 64;
    }
    return false;
}

/* Half full at most, so that a search ends soon; and larger where each component then has the slot that
 * is looked at first. */
static uint32_t table_find_count(const uint32_t *ids, uint32_t count)
{
    uint32_t least = 2;
    while (least < count * 2) {
        least *= 2;
    }
    for (uint32_t size = least; size <= least * 4 && size <= TABLE_FIND_FEW; size *= 2) {
        if (!table_ids_collide(ids, count, size - 1)) {
            return size;
        }
    }
    return least;
}

static uint64_t table_order_key(const uint32_t *ids, uint32_t count)
{
    uint64_t key = 0;
    for (uint32_t i = 0; i < 4; i++) {
        key = key << 16 | (i < count ? ids[i] : 0);
    }
    return key;
}

static const ki_known_step table_no_step;

static ki_column *table_column(ki_table *table, uint32_t number)
{
    return (ki_column *)(uintptr_t)ki_table_nth(table, number);
}

/* Puts the window where `row` is, which all columns have room for and have touched. */
static void table_set_window(ki_space *space, ki_table *table, uint32_t row)
{
    uint32_t first = 0;
    uint32_t end = UINT32_MAX;
    for (uint32_t i = 0; i <= table->column_count; i++) {
        ki_column *column = table_column(table, i);
        uint32_t block = row >> column->shift;
        uint32_t start = block << column->shift;
        uint64_t block_end = ki_column_block_end(column, row);
        first = start > first ? start : first;
        end = block_end < end ? (uint32_t)block_end : end;
        end = ki_min_u32(end, column->capacity);
        column->tail = (uintptr_t)column->blocks[block].data - (uintptr_t)start * column->size;
    }
    table->ready_stamp = space->now;
    table->ready_first = first;
    table->ready_rows = end - first;
}

/* One piece of memory: the table, its columns (see ki_table_direct), its ids, the look-up, and first
 * blocks of small values. */
static size_t table_piece_bytes(const uint32_t *ids, uint32_t count, uint32_t find_count,
                                ki_component *const *components)
{
    size_t bytes = ki_seed_end(table_bytes(count, find_count), sizeof(kith_entity),
                               _Alignof(kith_entity), false);
    for (uint32_t i = 0; i < count; i++) {
        const ki_component *component = components[ids[i] - 1];
        bytes = ki_seed_end(bytes, component->type->size, component->type->align,
                            component->hooks != NULL);
    }
    return bytes;
}

/* Gives each column its first block, if it can have one in the table's piece. */
static void table_seed(ki_space *space, ki_table *table)
{
    size_t at = ki_column_seed(space, &table->entities, &table->piece,
                               table_bytes(table->column_count, table->find_mask + 1));
    bool ready = true;
    for (uint32_t i = 0; i < table->column_count; i++) {
        ki_column *column = &table->columns[i];
        at = ki_column_seed(space, column, &table->piece, at);
        ready = ready && column->capacity != 0;
    }
    KI_ASSERT(at == table->piece.bytes);
    if (ready) {
        table_set_window(space, table, 0);
    }
}

static void table_place_column(ki_table *table, uint32_t number, const ki_component *component)
{
    ki_column *column = &table->columns[number];
    ki_column_init(column, component->type->size, component->type->align);
    ki_column_set_hooks(column, component->hooks);
    table->hooked = table->hooked || component->hooks != NULL;
    table->simple = table->simple && column->plain == column->size &&
                    (column->size == 0 || ki_is_few(column->size));
    if (component->id < KI_DIRECT_IDS) {
        table->direct[component->id] = (uint8_t)number;
    }
    uint32_t *find = (uint32_t *)(uintptr_t)table->find;
    uint32_t slot = component->id & table->find_mask;
    while (find[slot] != 0) {
        slot = (slot + 1) & table->find_mask;
    }
    find[slot] = component->id << 16 | number;
}

ki_table *ki_table_new(ki_space *space, uint32_t id, const uint32_t *ids, uint32_t count,
                       ki_component *const *components)
{
    uint32_t find_count = table_find_count(ids, count);
    size_t bytes = table_piece_bytes(ids, count, find_count, components);
    ki_table *table = ki_heap_take(space->heap, bytes, _Alignof(max_align_t));
    if (table == NULL) {
        return NULL;
    }
    ki_column *columns = (ki_column *)(void *)(table + 1);
    uint32_t *own_ids = (uint32_t *)(void *)(columns + count);
    *table = (ki_table){.piece = {1, (uint32_t)bytes},
                        .id = id,
                        .column_count = count,
                        .order_key = table_order_key(ids, count),
                        .ids = own_ids,
                        .columns = columns,
                        .find = own_ids + count,
                        .find_mask = find_count - 1,
                        .simple = true,
                        .steps = &table_no_step};
    memset(table->direct, KI_DIRECT_NONE, sizeof table->direct);
    memset(own_ids + count, 0, find_count * sizeof *own_ids);
    for (uint32_t i = 0; i < count; i++) {
        own_ids[i] = ids[i];
        table_place_column(table, i, components[ids[i] - 1]);
    }
    ki_column_init(&table->entities, sizeof(kith_entity), _Alignof(kith_entity));
    table_seed(space, table);
    return table;
}

static size_t edge_bytes(uint32_t copy_count)
{
    return sizeof(ki_edge) + (copy_count + 1) * sizeof(ki_edge_copy);
}

static void edge_free(ki_space *space, ki_edge *edge)
{
    ki_heap_give(space->heap, edge, edge_bytes(edge->copy_count), _Alignof(ki_edge));
}

static void table_forget_steps(ki_space *space, ki_table *table)
{
    if (table->step_mask != 0) {
        ki_heap_give(space->heap, (ki_known_step *)(uintptr_t)table->steps,
                     (table->step_mask + 1) * sizeof *table->steps, _Alignof(ki_known_step));
    }
    table->steps = &table_no_step;
    table->step_count = 0;
    table->step_mask = 0;
}

KI_RARE void ki_table_free(ki_space *space, ki_table *table)
{
    for (uint32_t i = 0; i < table->column_count; i++) {
        ki_column_free(space, &table->columns[i]);
    }
    ki_column_free(space, &table->entities);
    for (uint32_t i = 0; i < table->edge_count; i++) {
        edge_free(space, table->edges[i]);
    }
    ki_heap_give(space->heap, table->edges, table->edge_capacity * sizeof(ki_edge *),
                 _Alignof(max_align_t));
    table_forget_steps(space, table);
    ki_piece_leave(space, &table->piece);
}

KI_RARE size_t ki_table_reserved(const ki_table *table)
{
    size_t bytes = table->piece.bytes + table->edge_capacity * sizeof(ki_edge *) +
                   (table->step_mask == 0 ? 0 : table->step_mask + 1) * sizeof(ki_known_step);
    for (uint32_t i = 0; i <= table->column_count; i++) {
        const ki_column *column = ki_table_nth(table, i);
        bytes += ki_column_piece(column) == NULL ? ki_column_reserved(column) : 0;
    }
    for (uint32_t i = 0; i < table->edge_count; i++) {
        bytes += edge_bytes(table->edges[i]->copy_count);
    }
    return bytes;
}

uint32_t ki_table_find(const ki_table *table, uint32_t id)
{
    uint32_t entry = ki_table_search(table, id);
    return entry == 0 ? KI_NO_COLUMN : entry & 0xffff;
}

uint32_t ki_table_ids_up_to(const ki_table *table, uint32_t id)
{
    uint32_t low = 0;
    uint32_t high = table->column_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (table->ids[middle] <= id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

ki_column *ki_table_column(const ki_table *table, uint32_t id)
{
    uint32_t entry = ki_table_search(table, id);
    return entry == 0 ? NULL : &table->columns[entry & 0xffff];
}

int ki_table_compare(const ki_table *a, const ki_table *b)
{
    if (a->order_key != b->order_key) {
        return a->order_key < b->order_key ? -1 : 1;
    }
    uint32_t shared = ki_min_u32(a->column_count, b->column_count);
    for (uint32_t i = 4; i < shared; i++) {
        if (a->ids[i] != b->ids[i]) {
            return a->ids[i] < b->ids[i] ? -1 : 1;
        }
    }
    return (a->column_count > b->column_count) - (a->column_count < b->column_count);
}

kith_result ki_table_reserve_slow(ki_space *space, ki_table *table, uint32_t count)
{
    table->ready_rows = 0; /* blocks may move, even if memory runs out then */
    for (uint32_t i = 0; i <= table->column_count; i++) {
        KI_TRY(ki_column_reserve_rows(space, table_column(table, i), table->row_count, count));
    }
    if (count != 0) {
        table_set_window(space, table, table->row_count + count - 1);
    }
    return KITH_OK;
}

KI_RARE bool ki_table_touch_removal_slow(ki_space *space, ki_table *table, uint32_t row)
{
    uint32_t last = table->row_count - 1;
    bool ready = true;
    for (uint32_t i = 0; i <= table->column_count && ready; i++) {
        ready = ki_column_touch_both(space, table_column(table, i), row, last);
    }
    if (ready && table->simple) {
        table->touched_stamp = space->now;
        table->touched[0] = row >> KI_SMALL_SHIFT;
        table->touched[1] = last >> KI_SMALL_SHIFT;
    }
    return ready;
}

void ki_table_drop_row(ki_table *table, uint32_t row)
{
    for (uint32_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].hooks != NULL) {
            ki_column_drop(&table->columns[i], row);
        }
    }
}

/* The place of a size in the order of copies. */
static uint32_t edge_rank(uint32_t size)
{
    return size == 8 ? 0 : ki_is_few(size) ? 1 : size != 0 ? 2 : 3;
}

KI_RARE static void edge_add_copy(ki_edge *edge, const ki_column *from, ki_column *to)
{
    uint32_t place = edge->copy_count++;
    while (place > 0 && edge_rank(edge->copies[place - 1].size) > edge_rank(from->size)) {
        edge->copies[place] = edge->copies[place - 1];
        place--;
    }
    edge->copies[place] = (ki_edge_copy){from, to, from->size};
}

KI_RARE static ki_edge *edge_new(ki_space *space, const ki_table *from, ki_table *to)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < from->column_count; i++) {
        count += ki_table_find(to, from->ids[i]) != KI_NO_COLUMN;
    }
    ki_edge *edge = ki_heap_take(space->heap, edge_bytes(count), _Alignof(ki_edge));
    if (edge == NULL) {
        return NULL;
    }
    uint32_t added = to->column_count - count;
    uint32_t dropped = from->column_count - count;
    *edge = (ki_edge){.to = to, .is_step = added + dropped == 1 && !from->hooked && !to->hooked};
    for (uint32_t i = 0; i < from->column_count; i++) {
        uint32_t column = ki_table_find(to, from->ids[i]);
        if (column != KI_NO_COLUMN) {
            edge_add_copy(edge, &from->columns[i], &to->columns[column]);
        } else if (dropped == 1) {
            edge->dropped = &from->columns[i];
        }
    }
    edge->copies[count] = (ki_edge_copy){0};
    for (uint32_t i = 0; added == 1 && edge->added == NULL; i++) {
        if (ki_table_find(from, to->ids[i]) == KI_NO_COLUMN) {
            edge->added = &to->columns[i];
        }
    }
    return edge;
}

KI_RARE ki_edge *ki_table_edge(ki_space *space, ki_table *from, ki_table *to)
{
    uint32_t low = 0;
    uint32_t high = from->edge_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (from->edges[middle]->to->id < to->id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < from->edge_count && from->edges[low]->to == to) {
        return from->edges[low];
    }
    if (ki_heap_grow(space->heap, &from->edges, &from->edge_capacity, from->edge_count + 1,
                     sizeof(ki_edge *), 2) != KITH_OK) {
        return NULL;
    }
    ki_edge *edge = edge_new(space, from, to);
    if (edge == NULL) {
        return NULL;
    }
    memmove(from->edges + low + 1, from->edges + low, (from->edge_count - low) * sizeof(ki_edge *));
    from->edges[low] = edge;
    from->edge_count++;
    return edge;
}

KI_RARE static void table_put_step(ki_known_step *steps, uint32_t mask, ki_known_step step)
{
    uint32_t slot = step.id & mask;
    while (steps[slot].id != 0) {
        slot = (slot + 1) & mask;
    }
    steps[slot] = step;
}

KI_RARE kith_result ki_table_note_step(ki_space *space, ki_table *table, uint32_t id,
                                       const ki_edge *edge)
{
    ki_known_step *steps = (ki_known_step *)(uintptr_t)table->steps;
    uint32_t mask = table->step_mask;
    if ((table->step_count + 1) * 2 > mask) {
        mask = mask == 0 ? 3 : mask * 2 + 1;
        steps =
            ki_heap_take_zeroed(space->heap, (mask + 1) * sizeof *steps, _Alignof(ki_known_step));
        if (steps == NULL) {
            return KITH_ERR_MEMORY;
        }
        uint32_t count = table->step_count;
        for (uint32_t i = 0; i <= table->step_mask; i++) {
            if (table->steps[i].id != 0) {
                table_put_step(steps, mask, table->steps[i]);
            }
        }
        table_forget_steps(space, table);
        table->steps = steps;
        table->step_count = count;
        table->step_mask = mask;
    }
    table_put_step(steps, mask, (ki_known_step){id, edge});
    table->step_count++;
    return KITH_OK;
}

KI_RARE void ki_table_drop_edges(ki_space *space, ki_table *table,
                                 bool (*gone)(const ki_table *table))
{
    table_forget_steps(space, table);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < table->edge_count; i++) {
        ki_edge *edge = table->edges[i];
        if (gone(edge->to)) {
            edge_free(space, edge);
        } else {
            table->edges[kept++] = edge;
        }
    }
    table->edge_count = kept;
}
