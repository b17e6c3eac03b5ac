#include "stamps.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "world/world.h"

/* Some rows: who had them, and a value each. */
typedef struct seen_rows {
    uint32_t count;
    unsigned char *entities; /* kith_entity; in slot arrays the words of bits */
    unsigned char *values;
} seen_rows;

typedef struct seen_table {
    const ki_table *table;
    uint32_t column_count;
    seen_rows *columns;
} seen_table;

struct test_stamps {
    kith_world *world;
    uint64_t clock; /* what is written from now on has at least this stamp */
    uint64_t epoch;
    seen_table *tables; /* by id */
    uint32_t table_count;
    seen_rows *others; /* by number */
    uint32_t other_count;
};

static void *taken(size_t size)
{
    void *memory = calloc(1, size > 0 ? size : 1);
    CHECK_PTR_NOT_NULL(memory);
    return memory;
}

static unsigned char *copy_rows(const ki_column *column, uint32_t count)
{
    unsigned char *copy = taken((size_t)count * column->size);
    for (uint32_t row = 0; row < count && column->size != 0; row++) {
        if (!column->paged || ki_column_has_page(column, row)) {
            memcpy(copy + (size_t)row * column->size, ki_column_at(column, row), column->size);
        }
    }
    return copy;
}

static seen_rows see(const ki_column *entities, const ki_column *values, uint32_t count)
{
    return (seen_rows){count, copy_rows(entities, count), copy_rows(values, count)};
}

/* Slot arrays are looked at as far as there are slots: the bits by the word. */
static seen_rows see_slots(const ki_store *store, const ki_slots *slots)
{
    uint32_t count = store->entities.slots;
    return (seen_rows){count, copy_rows(&slots->bits, (count + 63) / 64),
                       copy_rows(&slots->values, count)};
}

test_stamps *test_stamps_take(kith_world *world)
{
    test_stamps *stamps = taken(sizeof(*stamps));
    ki_store *store = ki_world_store(world);
    stamps->world = world;
    stamps->epoch = store->table_epoch;
    stamps->table_count = store->table_slots;
    stamps->tables = taken(stamps->table_count * sizeof(*stamps->tables));
    for (uint32_t id = 0; id < stamps->table_count; id++) {
        const ki_table *table = store->tables[id];
        seen_table *seen = &stamps->tables[id];
        if (table != NULL) {
            seen->table = table;
            seen->column_count = table->rows.column_count;
            seen->columns = taken(table->rows.column_count * sizeof(*seen->columns));
            for (uint32_t i = 0; i < table->rows.column_count; i++) {
                seen->columns[i] =
                    see(&table->rows.entities, &table->rows.columns[i], table->rows.count);
            }
        }
    }
    stamps->other_count = store->storage_count;
    stamps->others = taken(stamps->other_count * sizeof(*stamps->others));
    for (uint32_t i = 0; i < stamps->other_count; i++) {
        const ki_component *component = store->storages[i];
        const ki_sparse *set = &component->in.sparse;
        stamps->others[i] = component->layout == KITH_SPARSE
                                ? see(&set->rows.entities, &set->values, set->rows.count)
                                : see_slots(store, &component->in.slots);
    }
    stamps->clock = ++store->columns.write_clock;
    return stamps;
}

/* Whether row `row` of a column is what was copied; both have it. */
static bool is_same(const ki_column *column, const unsigned char *copy, uint32_t row)
{
    return column->size == 0 ||
           memcmp(copy + (size_t)row * column->size, ki_column_at(column, row), column->size) == 0;
}

static void check_stamp(const test_stamps *stamps, const ki_column *column, uint32_t row)
{
    uint32_t block = row >> column->shift;
    if (block < column->block_count) {
        CHECK((column->blocks[block].stamp & ~KI_STAMP_FLAGS) >= stamps->clock);
    }
}

/* Rows that came, went, changed their entity or their value. */
static void check_rows(const test_stamps *stamps, const seen_rows *seen, const ki_column *entities,
                       const ki_column *values, uint32_t count)
{
    uint32_t most = seen->count > count ? seen->count : count;
    for (uint32_t row = 0; row < most; row++) {
        bool both = row < seen->count && row < count;
        bool same_entity = both && is_same(entities, seen->entities, row);
        if (!same_entity) {
            check_stamp(stamps, entities, row);
        }
        if (!same_entity || !is_same(values, seen->values, row)) {
            check_stamp(stamps, values, row);
        }
    }
}

static void check_slots(const test_stamps *stamps, const seen_rows *seen, const ki_slots *slots)
{
    for (uint32_t index = 0; index < seen->count; index++) {
        uint64_t word;
        memcpy(&word, seen->entities + (size_t)(index / 64) * sizeof(word), sizeof(word));
        bool had = (word >> index % 64 & 1) != 0;
        bool has = ki_slots_has(slots, index);
        if (had != has) {
            check_stamp(stamps, &slots->bits, index / 64);
        }
        if (had != has || (has && !is_same(&slots->values, seen->values, index))) {
            check_stamp(stamps, &slots->values, index);
        }
    }
}

void test_stamps_check(const test_stamps *stamps)
{
    ki_store *store = ki_world_store(stamps->world);
    if (store->table_epoch != stamps->epoch) {
        return;
    }
    for (uint32_t id = 0; id < stamps->table_count; id++) {
        const seen_table *seen = &stamps->tables[id];
        for (uint32_t i = 0; i < seen->column_count; i++) {
            check_rows(stamps, &seen->columns[i], &seen->table->rows.entities,
                       &seen->table->rows.columns[i], seen->table->rows.count);
        }
    }
    for (uint32_t i = 0; i < stamps->other_count; i++) {
        const ki_component *component = store->storages[i];
        const ki_sparse *set = &component->in.sparse;
        if (component->layout == KITH_SPARSE) {
            check_rows(stamps, &stamps->others[i], &set->rows.entities, &set->values,
                       set->rows.count);
        } else {
            check_slots(stamps, &stamps->others[i], &component->in.slots);
        }
    }
}

static void check_no_stamp(ki_column *column, void *context)
{
    const test_stamps *stamps = context;
    for (uint32_t i = 0; i < column->block_count; i++) {
        CHECK((column->blocks[i].stamp & ~KI_STAMP_FLAGS) < stamps->clock);
    }
}

void test_stamps_check_none(const test_stamps *stamps)
{
    ki_world_each_column(stamps->world, check_no_stamp, (void *)(uintptr_t)stamps);
}

static void free_rows(seen_rows *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        free(rows[i].entities);
        free(rows[i].values);
    }
    free(rows);
}

void test_stamps_free(test_stamps *stamps)
{
    test_stamps_check(stamps);
    for (uint32_t id = 0; id < stamps->table_count; id++) {
        free_rows(stamps->tables[id].columns, stamps->tables[id].column_count);
    }
    free_rows(stamps->others, stamps->other_count);
    free(stamps->tables);
    free(stamps);
}
