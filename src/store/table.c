#include "store/table.h"

#include "base/sort.h"
#include "store/component.h"

_Static_assert(offsetof(ki_table, direct) == KITH_TABLE_DIRECT_ &&
                   sizeof(ki_table) + KI_DIRECT_IDS * sizeof(ki_column) <= UINT16_MAX,
               "inline calls find columns by this");

static size_t table_bytes(uint32_t column_count)
{
    return sizeof(ki_table) +
           column_count * (sizeof(ki_column) + sizeof(kith_type *) + sizeof(uint32_t));
}

/* The types of a table's columns, by number. */
typedef struct table_types {
    const uint32_t *ids;
    ki_component *const *components;
} table_types;

static const kith_type *table_type(const table_types *types, uint32_t number)
{
    return types->components[types->ids[number] - 1]->type;
}

static bool table_type_is_before(const void *context, uint32_t a, uint32_t b)
{
    return strcmp(table_type(context, a)->name, table_type(context, b)->name) < 0;
}

/* Sorts the types by name; `numbers` is scratch. */
static void table_sort_types(const table_types *types, uint32_t count, uint32_t *numbers,
                             const kith_type **sorted)
{
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = i;
    }
    ki_sort(numbers, count, table_type_is_before, types);
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = table_type(types, numbers[i]);
    }
}

/* One slab of memory: the table, its columns, its ids, and first blocks of small values. */
static size_t table_slab_bytes(const uint32_t *ids, uint32_t count, ki_component *const *components)
{
    size_t bytes =
        ki_inline_block_end(table_bytes(count), sizeof(kith_entity), _Alignof(kith_entity), false);
    for (uint32_t i = 0; i < count; i++) {
        const ki_component *component = components[ids[i] - 1];
        bytes = ki_inline_block_end(bytes, component->type->size, component->type->align,
                                    component->hooks != NULL);
    }
    return bytes;
}

/* Gives each column its first block, if it can have one in the table's slab. */
static void table_set_inline_blocks(ki_column_context *context, ki_table *table)
{
    ki_rows *rows = &table->rows;
    size_t at = ki_column_set_inline_block(context, &rows->entities, &table->slab,
                                           table_bytes(rows->column_count));
    for (uint32_t i = 0; i < rows->column_count; i++) {
        at = ki_column_set_inline_block(context, &rows->columns[i], &table->slab, at);
    }
    KI_ASSERT(at == table->slab.bytes);
    ki_rows_set_capacity(rows);
}

ki_table *ki_table_new(ki_column_context *context, uint32_t id, const uint32_t *ids, uint32_t count,
                       ki_component *const *components)
{
    size_t bytes = table_slab_bytes(ids, count, components);
    ki_table *table = ki_heap_alloc(context->heap, bytes, _Alignof(max_align_t));
    if (table == NULL) {
        return NULL;
    }
    ki_column *columns = (ki_column *)(void *)(table + 1);
    const kith_type **types = (const kith_type **)(void *)(columns + count);
    uint32_t *own_ids = (uint32_t *)(void *)(types + count);
    table_sort_types(&(table_types){ids, components}, count, own_ids, types);
    *table = (ki_table){.slab = {1, (uint32_t)bytes}, .id = id, .types = types, .ids = own_ids};
    for (uint32_t i = 0; i < count; i++) {
        const ki_component *component = components[ids[i] - 1];
        own_ids[i] = ids[i];
        ki_column_init(&columns[i], component->type->size, component->type->align);
        ki_column_set_hooks(&columns[i], component->hooks);
        columns[i].table1 = id + 1;
        if (ids[i] < KI_DIRECT_IDS) {
            table->direct[ids[i]] = (uint16_t)((uintptr_t)&columns[i] - (uintptr_t)table);
        }
    }
    ki_rows_init(&table->rows, columns, count);
    table->rows.entities.table1 = id + 1;
    table_set_inline_blocks(context, table);
    return table;
}

struct kith_block_ *const *kith_table_find_(const struct kith_table_ *table, uint32_t id)
{
    const ki_column *column = ki_table_column(table, id);
    return column == NULL ? NULL : &column->blocks;
}

static size_t edge_bytes(uint32_t copy_count)
{
    return sizeof(ki_edge) + copy_count * sizeof(ki_edge_copy);
}

static void edge_free(ki_column_context *context, ki_edge *edge)
{
    ki_heap_free(context->heap, edge, edge_bytes(edge->copy_count), _Alignof(ki_edge));
}

void ki_table_free(ki_column_context *context, ki_table *table)
{
    ki_rows_free(context, &table->rows);
    for (uint32_t i = 0; i < table->edge_count; i++) {
        edge_free(context, table->edges[i]);
    }
    ki_heap_free(context->heap, table->edges, table->edge_capacity * sizeof(ki_edge *),
                 _Alignof(max_align_t));
    ki_map_free(context->heap, &table->edge_map);
    ki_slab_release(context, &table->slab);
}

/* Bytes of a column that are not in the table's slab. */
static size_t table_column_reserved(const ki_column *column)
{
    return ki_column_slab(column) == NULL ? ki_column_reserved(column) : 0;
}

size_t ki_table_reserved(const ki_table *table)
{
    size_t bytes = table->slab.bytes + table->edge_capacity * sizeof(ki_edge *) +
                   ki_map_reserved(&table->edge_map) + table_column_reserved(&table->rows.entities);
    for (uint32_t i = 0; i < table->rows.column_count; i++) {
        bytes += table_column_reserved(&table->rows.columns[i]);
    }
    for (uint32_t i = 0; i < table->edge_count; i++) {
        bytes += edge_bytes(table->edges[i]->copy_count);
    }
    return bytes;
}

const kith_type *ki_table_next_type(const ki_table *table, const char *name)
{
    uint32_t low = 0;
    uint32_t high = name == NULL ? 0 : table->rows.column_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(table->types[middle]->name, name) <= 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < table->rows.column_count ? table->types[low] : NULL;
}

int ki_table_compare(const ki_table *a, const ki_table *b)
{
    uint32_t shared = ki_min_u32(a->rows.column_count, b->rows.column_count);
    for (uint32_t i = 0; i < shared; i++) {
        if (a->types[i] != b->types[i]) { /* a world has no two types of one name */
            return strcmp(a->types[i]->name, b->types[i]->name) < 0 ? -1 : 1;
        }
    }
    return (a->rows.column_count > b->rows.column_count) -
           (a->rows.column_count < b->rows.column_count);
}

static ki_edge *edge_new(ki_column_context *context, const ki_table *from, ki_table *to)
{
    uint32_t shared = 0;
    uint32_t count = 0; /* of them, those that have values */
    for (uint32_t i = 0; i < from->rows.column_count; i++) {
        bool is_shared = ki_table_has(to, from->ids[i]);
        shared += is_shared;
        count += is_shared && from->rows.columns[i].size != 0;
    }
    ki_edge *edge = ki_heap_alloc(context->heap, edge_bytes(count), _Alignof(ki_edge));
    if (edge == NULL) {
        return NULL;
    }
    *edge = (ki_edge){.to = to, .simple = from->rows.simple && to->rows.simple};
    for (uint32_t i = 0; i < from->rows.column_count; i++) {
        ki_column *column = ki_table_column(to, from->ids[i]);
        if (column != NULL && column->size != 0) {
            edge->copies[edge->copy_count++] = (ki_edge_copy){&from->rows.columns[i], column};
        }
    }
    bool one = to->rows.column_count - shared == 1;
    for (uint32_t i = 0; one && i < to->rows.column_count; i++) {
        if (!ki_table_has(from, to->ids[i])) {
            edge->added = &to->rows.columns[i];
        }
    }
    return edge;
}

ki_edge *ki_table_edge(ki_column_context *context, ki_table *from, ki_table *to)
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
    if (ki_heap_grow(context->heap, &from->edges, &from->edge_capacity, from->edge_count + 1,
                     sizeof(ki_edge *), 2) != KITH_OK) {
        return NULL;
    }
    ki_edge *edge = edge_new(context, from, to);
    if (edge == NULL) {
        return NULL;
    }
    memmove(from->edges + low + 1, from->edges + low, (from->edge_count - low) * sizeof(ki_edge *));
    from->edges[low] = edge;
    from->edge_count++;
    return edge;
}

kith_result ki_table_remember_edge(ki_column_context *context, ki_table *table, uint32_t id,
                                   ki_edge *edge)
{
    KI_TRY(ki_map_reserve(context->heap, &table->edge_map));
    ki_map_insert(&table->edge_map, id, edge);
    return KITH_OK;
}

const ki_edge *ki_table_known_edge(ki_table *table, uint32_t id)
{
    const ki_edge *edge = ki_map_find(&table->edge_map, id);
    if (edge != NULL && edge->simple) {
        uint32_t change = edge->added != NULL ? ki_id_added(id) : ki_id_removed(id);
        table->recent[change % KI_RECENT_EDGES] = (ki_recent_edge){change, edge};
    }
    return edge;
}

void ki_table_drop_edges(ki_column_context *context, ki_table *table,
                         bool (*gone)(const ki_table *table))
{
    ki_map_free(context->heap, &table->edge_map);
    memset(table->recent, 0, sizeof table->recent);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < table->edge_count; i++) {
        ki_edge *edge = table->edges[i];
        if (gone(edge->to)) {
            edge_free(context, edge);
        } else {
            table->edges[kept++] = edge;
        }
    }
    table->edge_count = kept;
}
