/* The lists of blocks are copied, and each block has one holder more. A component's place, which inline
 * calls follow, leads to the copies: for KITH_TABLE by structs that look like tables to them. */
#include "store/kept_values.h"

#include "store/block.h"
#include "store/view.h"

/* Takes the place of a table. Inline calls look for component 0 in it. */
typedef struct kept_table {
    uint64_t unused;
    uint16_t direct[4]; /* of component 0: where `blocks` is, in bytes from here on; or 0 */
    ki_block *blocks;
} kept_table;

_Static_assert(offsetof(kept_table, direct) == KITH_TABLE_DIRECT_, "inline calls read it there");

/* Goes through the columns that have values of a component. */
typedef struct kept_columns {
    const ki_store *store;
    const ki_component *component;
    uint32_t table; /* of the column, for KITH_TABLE */
    uint32_t next;
} kept_columns;

/* The next column; NULL: there is none. */
static ki_column *kept_next_column(kept_columns *columns)
{
    const ki_component *component = columns->component;
    if (component->layout != KITH_TABLE) {
        bool first = columns->next++ == 0;
        ki_column *values = component->layout == KITH_SPARSE
                                ? (ki_column *)&component->in.sparse.values
                                : (ki_column *)&component->in.slots.values;
        return first ? values : NULL;
    }
    columns->table = ki_bitset_next(&component->in.tables, columns->next);
    if (columns->table == UINT32_MAX) {
        return NULL;
    }
    columns->next = columns->table + 1;
    return ki_table_column(columns->store->tables[columns->table], component->id);
}

/* How the memory is divided: pointers by the ids of tables, tables, headers. */
typedef struct kept_layout {
    size_t tables; /* where the first table is, which has no column, in bytes */
    size_t blocks;
    size_t bytes;
} kept_layout;

static kept_layout kept_measure(const ki_store *store, const ki_component *component)
{
    size_t table_count = 0;
    size_t block_count = 0;
    kept_columns columns = {.store = store, .component = component};
    for (const ki_column *column; (column = kept_next_column(&columns)) != NULL;) {
        table_count++;
        block_count += column->block_count;
    }
    bool tables = component->layout == KITH_TABLE;
    kept_layout layout;
    layout.tables = tables ? ki_round_up(store->table_slots * sizeof(kept_table *), 8) : 0;
    layout.blocks = layout.tables + (tables ? (1 + table_count) * sizeof(kept_table) : 0);
    layout.bytes = layout.blocks + block_count * sizeof(ki_block);
    return layout;
}

/* Makes room for so many bytes. No byte that is there is in use. */
static kith_result kept_reserve(ki_heap *heap, ki_kept_values *kept, size_t bytes)
{
    if (bytes <= kept->bytes) {
        return KITH_OK;
    }
    void *memory = ki_heap_alloc(heap, bytes * 2, _Alignof(max_align_t));
    if (memory == NULL) {
        return KITH_ERR_MEMORY;
    }
    ki_kept_values_free(heap, kept);
    kept->memory = memory;
    kept->bytes = bytes * 2;
    return KITH_OK;
}

/* Copies the headers of a column. Its blocks are shared from then on. Returns where the copy ends. */
static ki_block *kept_share(ki_column *column, ki_block *to)
{
    for (uint32_t i = 0; i < column->block_count; i++) {
        ki_block_share(column, &column->blocks[i]);
        to[i] = column->blocks[i];
    }
    return to + column->block_count;
}

kith_result ki_kept_values_take(ki_store *store, const ki_component *component,
                                ki_kept_values *kept)
{
    KI_ASSERT(component->type->size != 0);
    const kept_layout layout = kept_measure(store, component);
    if (layout.bytes == 0) {
        kept->place = component->place; /* there are no values, nor tables */
        return KITH_OK;
    }
    KI_TRY(kept_reserve(&store->context.heap, kept, layout.bytes));
    ki_views_begin(&store->columns);
    uint8_t *memory = kept->memory;
    kept_table **by_id = (kept_table **)(void *)memory;
    kept_table *table = (kept_table *)(void *)(memory + layout.tables);
    bool tables = component->layout == KITH_TABLE;
    kept->place = component->place;
    kept->blocks = (ki_block *)(void *)(memory + layout.blocks);
    if (tables) {
        kept->place.id = 0;
        kept->place.in.tables = (struct kith_table_ * *const *)(void *)&kept->memory;
        *table = (kept_table){0};
        for (uint32_t id = 0; id < store->table_slots; id++) {
            by_id[id] = table;
        }
    } else {
        kept->place.in.values = &kept->blocks;
    }
    kept_columns columns = {.store = store, .component = component};
    ki_block *blocks = kept->blocks;
    for (ki_column *column; (column = kept_next_column(&columns)) != NULL;) {
        if (tables) {
            *++table = (kept_table){.direct = {offsetof(kept_table, blocks)}, .blocks = blocks};
            by_id[columns.table] = table;
        }
        blocks = kept_share(column, blocks);
    }
    return KITH_OK;
}

void ki_kept_values_release(ki_store *store, const ki_component *component, ki_kept_values *kept)
{
    kept_columns columns = {.store = store, .component = component};
    const ki_block *block = kept->blocks;
    for (ki_column *column; (column = kept_next_column(&columns)) != NULL;) {
        uint32_t rows = ki_block_rows(column);
        for (uint32_t i = 0; i < column->block_count; i++, block++) {
            ki_block_release(&store->columns, column, block, rows);
        }
    }
    kept->blocks = NULL;
}

void ki_kept_values_free(ki_heap *heap, ki_kept_values *kept)
{
    ki_heap_free(heap, kept->memory, kept->bytes, _Alignof(max_align_t));
    *kept = (ki_kept_values){.memory = NULL};
}
