/* How the bare prototype keeps what it knows. */
#ifndef BENCH_BARE_STORE_H
#define BENCH_BARE_STORE_H

#include <string.h>

#include "bare.h"

#define BARE_SHIFT 10u
#define BARE_ROWS (1u << BARE_SHIFT)
#define BARE_ABSENT UINT32_MAX
#define BARE_COLUMNS 3u                      /* with values, in a table */
#define BARE_VALUES 4u                       /* that an entity is spawned with */
#define BARE_APART __attribute__((noinline)) /* so that the caller saves no registers for it */
#define BARE_EACH_TIME(x)                                                                          \
    __asm__("" : "+r"(x)) /* not ahead of a loop: there are too few registers */
#define BARE_LIKELY(x) __builtin_expect((x) != 0, 1)

typedef struct bare_block {
    uint8_t *data;
    uint64_t stamp;
} bare_block;

/* Blocks of 1,024 values. In a paged one those that nobody wrote are the page of zeros. */
typedef struct bare_array {
    bare_block *blocks;
    uint32_t block_count;
    uint32_t capacity; /* of `blocks` */
    uint32_t size;
} bare_array;

typedef struct bare_record {
    uint32_t generation;
    uint32_t table; /* BARE_ABSENT: dead */
    uint32_t row;   /* index1 of the next dead one, if it is */
} bare_record;

typedef struct bare_edge_copy {
    bare_array *from, *into;
} bare_edge_copy;

/* The way to a table with a component more or less: which columns go over. */
typedef struct bare_edge {
    struct bare_table *to; /* NULL: not known yet */
    uint32_t copies;
    bare_edge_copy copy[BARE_COLUMNS + 1]; /* all zero behind the last */
    bare_array *only; /* the column that only one of the tables has; NULL: it is a tag's */
} bare_edge;

typedef struct bare_table {
    uint32_t id;
    uint32_t types; /* a bit each */
    uint32_t count;
    uint32_t capacity;
    uint32_t column_count;
    bare_array entities;
    bare_array columns[BARE_COLUMNS]; /* in order of ids; tags have none */
    uint8_t column_of[BARE_TYPES];
    bare_edge with[BARE_TYPES], without[BARE_TYPES];
} bare_table;

typedef struct bare_sparse {
    bare_array rows; /* paged: row + 1, or 0 */
    bare_array entities;
    bare_array values;
    uint32_t count;
    uint32_t capacity;
} bare_sparse;

typedef struct bare_slots {
    bare_array bits; /* paged: 64 a word */
    bare_array values;
    uint32_t count;
} bare_slots;

/* Who got a component, until its observer is told. */
typedef struct bare_log {
    kith_entity *entities;
    uint32_t count;
    uint32_t capacity;
    bare_told *run; /* NULL: nobody observes */
    void *user;
} bare_log;

typedef struct bare_component {
    const bare_type *type; /* NULL: not registered */
    uint64_t lane;         /* its bit */
    kith_layout layout;
    union {
        bare_sparse sparse;
        bare_slots slots;
    } in;
} bare_component;

typedef struct bare_ingredient {
    const bare_type *type;
    uint32_t size;      /* 0: a tag, or not in the table */
    uint8_t *tail;      /* where the value of row 0 would be, were all rows in the window */
    bare_array *column; /* NULL: as for size 0 */
} bare_ingredient;

/* What a list of types comes to: for who spawns the same ones again. Its window is a block of each
 * column of the table, stamped when the window was opened: rows in it need only be written. */
typedef struct bare_recipe {
    uint32_t count;  /* BARE_ABSENT: there is none yet */
    uint32_t others; /* those outside of tables, a bit each */
    bare_table *table;
    uint32_t first; /* of the window */
    uint32_t rows;
    uint64_t stamp;       /* what its blocks have */
    kith_entity *handles; /* as `tail` of an ingredient */
    bare_ingredient values[BARE_VALUES];
} bare_recipe;

struct bare_world {
    const void *owner;      /* the thread whose world it is */
    const void *may_change; /* the same, but NULL while a query is open */
    uint32_t open;          /* queries */
    uint32_t slots;
    uint32_t ready;     /* while no slot waits to be used again: those below need no more memory */
    uint32_t free_head; /* index1 */
    uint32_t ended;     /* slots in which nobody lives */
    /* Where the record of slot 0 would be, were all in one block with the new ones. */
    bare_record *new_ones;
    uint64_t now; /* what blocks are stamped with */
    bool looked;  /* somebody asked what was written; until then, moving stamps nothing */
    bare_array records;
    bare_array lanes;    /* paged: by slot, the components outside of tables */
    uint32_t in_tables;  /* types, a bit each */
    uint32_t in_storage; /* all others */
    uint32_t table_count;
    uint32_t table_capacity;
    bare_table **tables;
    bare_recipe recipe;  /* of the latest spawn */
    bare_recipe nothing; /* of entities without components */
    bare_query *queries;
    bare_component components[BARE_TYPES];
    bare_log logs[BARE_TYPES];
};

struct bare_query {
    bare_world *world;
    bare_query *next;
    bare_term terms[BARE_TERMS];
    uint32_t term_count;
    uint32_t types;
    kith_layout layout;
    bare_slots *without; /* or NULL */
    bare_table **tables;
    uint32_t table_count;
    uint32_t seen; /* tables of the world that were looked at */
    bare_pace pace;
};

/* The one row of the page that all reads of unwritten pages come to. */
extern const uint64_t bare_zeros[BARE_ROWS];

/* Its address is the name of a thread. */
extern _Thread_local char bare_thread_token
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

kith_result bare_misuse(const char *call, const char *what);

/* One compare tells that the thread owns the world, and that no query is open. */
static inline bool bare_may_change(const bare_world *world)
{
    return BARE_LIKELY(world != NULL) && BARE_LIKELY(world->may_change == &bare_thread_token);
}

/* Why not: misuse. */
__attribute__((cold)) kith_result bare_refuse(const bare_world *world, const char *call);

/* Makes rows 0 to `rows` - 1 addressable; one block of a paged array its own. */
kith_result bare_array_grow(bare_array *array, uint32_t rows);
kith_result bare_array_grow_page(bare_array *array, uint32_t row);
kith_result bare_table_grow(bare_table *table, uint32_t rows);

/* Finds or makes the table of these types; NULL: no memory. */
bare_table *bare_table_of(bare_world *world, uint32_t types);
kith_result bare_edge_make(bare_world *world, bare_table *from, uint32_t id, bool with);

kith_result bare_sparse_reserve_rows(bare_sparse *set, uint32_t rows);

/* Writes values one behind another into rows that are reserved. */
void bare_copy_rows(bare_world *world, bare_array *column, uint32_t first, uint32_t count,
                    const void *values);

/* Sets a component that is in tables, and takes it. */
kith_result bare_table_set(bare_world *world, kith_entity entity, const bare_type *type,
                           const void *value, bare_record *record);
kith_result bare_table_remove(bare_world *world, kith_entity entity, uint32_t id,
                              bare_record *record);

/* Makes sure of a component outside of tables for the entity in a slot, and adds it. */
kith_result bare_storage_reserve(bare_world *world, bare_component *component, uint32_t index);
void bare_storage_insert(bare_world *world, bare_component *component, kith_entity entity,
                         const void *value);

static inline void bare_copy(void *to, const void *from, uint32_t size)
{
    uint64_t head;
    uint32_t tail;
    switch (size) { /* where the two may be one, memcpy is not to be called */
    case 8:
        memcpy(&head, from, 8);
        memcpy(to, &head, 8);
        break;
    case 12:
        memcpy(&head, from, 8);
        memcpy(&tail, (const uint8_t *)from + 8, 4);
        memcpy(to, &head, 8);
        memcpy((uint8_t *)to + 8, &tail, 4);
        break;
    case 4:
        memcpy(&tail, from, 4);
        memcpy(to, &tail, 4);
        break;
    default: memmove(to, from, size); break;
    }
}

static inline void bare_write(void *to, const void *value, uint32_t size)
{
    if (BARE_LIKELY(value != NULL)) {
        bare_copy(to, value, size);
    } else {
        memset(to, 0, size);
    }
}

static inline void *bare_array_at(const bare_array *array, uint32_t row)
{
    return array->blocks[row >> BARE_SHIFT].data + (size_t)(row % BARE_ROWS) * array->size;
}

/* A block, given as bytes into the list of blocks: rows of several columns need that just once. */
static inline bare_block *bare_block_at(const bare_array *array, size_t bytes)
{
    return (bare_block *)(void *)((uint8_t *)array->blocks + bytes);
}

/* The block of a row. */
static inline void *bare_array_rows(const bare_array *array, uint32_t row)
{
    return array->blocks[row >> BARE_SHIFT].data;
}

static inline void bare_stamp(const bare_world *world, bare_array *array, uint32_t row)
{
    array->blocks[row >> BARE_SHIFT].stamp = world->now;
}

static inline bool bare_array_is_own(const bare_array *array, uint32_t row)
{
    return row >> BARE_SHIFT < array->block_count &&
           array->blocks[row >> BARE_SHIFT].data != (const uint8_t *)bare_zeros;
}

/* The page of a row; NULL: nobody wrote it. */
static inline void *bare_array_page(const bare_array *array, uint32_t row)
{
    uint32_t block = row >> BARE_SHIFT;
    if (!BARE_LIKELY(block < array->block_count)) {
        return NULL;
    }
    uint8_t *data = array->blocks[block].data;
    return BARE_LIKELY(data != (const uint8_t *)bare_zeros) ? data : NULL;
}

/* Copies the last value of a column into the hole that another left, which may be its own. */
static inline void bare_fill(const bare_world *world, bare_array *column, uint32_t hole,
                             uint32_t last)
{
    bare_block *block = &column->blocks[hole >> BARE_SHIFT];
    const uint8_t *from = column->blocks[last >> BARE_SHIFT].data;
    uint32_t to_row = hole % BARE_ROWS;
    uint32_t from_row = last % BARE_ROWS;
    block->stamp = world->now;
    if (BARE_LIKELY(column->size == 8)) {
        bare_copy(block->data + to_row * 8, from + from_row * 8, 8);
    } else if (column->size == 12) {
        bare_copy(block->data + to_row * 12, from + from_row * 12, 12);
    } else {
        bare_copy(block->data + to_row * column->size, from + from_row * column->size,
                  column->size);
    }
}

static inline kith_result bare_array_reserve_page(bare_array *array, uint32_t row)
{
    return BARE_LIKELY(bare_array_is_own(array, row)) ? KITH_OK : bare_array_grow_page(array, row);
}

static inline kith_result bare_table_reserve(bare_table *table, uint32_t rows)
{
    return BARE_LIKELY(rows <= table->capacity) ? KITH_OK : bare_table_grow(table, rows);
}

/* Room for one entry more, if anybody wants to know; and the entry. */
kith_result bare_log_grow(bare_log *log);

static inline bool bare_log_is_ready(const bare_log *log)
{
    return BARE_LIKELY(log->run == NULL || log->count < log->capacity);
}

static inline kith_result bare_log_reserve(bare_log *log)
{
    return bare_log_is_ready(log) ? KITH_OK : bare_log_grow(log);
}

static inline void bare_log_add(bare_log *log, kith_entity entity)
{
    if (log->run != NULL) {
        log->entities[log->count++] = entity;
    }
}

/* Writes a value into a block and stamps that; nothing for a tag. */
static inline kith_result bare_write_value(const bare_world *world, bare_array *values,
                                           uint32_t row, const void *value)
{
    if (values->size == 0) {
        return KITH_OK;
    }
    bare_block *block = &values->blocks[row >> BARE_SHIFT];
    block->stamp = world->now;
    if (BARE_LIKELY(values->size == 12)) {
        bare_write(block->data + row % BARE_ROWS * 12, value, 12);
    } else {
        bare_write(block->data + row % BARE_ROWS * values->size, value, values->size);
    }
    return KITH_OK;
}

static inline bare_record *bare_record_at(const bare_world *world, uint32_t index)
{
    return (bare_record *)(void *)world->records.blocks[index >> BARE_SHIFT].data +
           index % BARE_ROWS;
}

/* NULL: not alive. A dead slot has the generation of who comes next, whom nobody knows yet. */
static inline bare_record *bare_record_of(const bare_world *world, kith_entity entity)
{
    uint32_t index = entity.index1 - 1;
    if (index >= world->slots) {
        return NULL;
    }
    bare_record *record = bare_record_at(world, index);
    return BARE_LIKELY(record->generation == entity.generation && record->table != BARE_ABSENT)
               ? record
               : NULL;
}

/* NULL: the world does not know the type. */
static inline bare_component *bare_known(const bare_world *world, const bare_type *type)
{
    if (world == NULL || type == NULL || type->id >= BARE_TYPES ||
        world->components[type->id].type != type) {
        return NULL;
    }
    return (bare_component *)(uintptr_t)&world->components[type->id];
}

static inline uint32_t bare_sparse_row1(const bare_sparse *set, uint32_t index)
{
    return index >> BARE_SHIFT < set->rows.block_count
               ? ((const uint32_t *)(const void *)set->rows.blocks[index >> BARE_SHIFT]
                      .data)[index % BARE_ROWS]
               : 0;
}

static inline uint64_t bare_slots_word(const bare_slots *slots, uint32_t word)
{
    return word >> BARE_SHIFT < slots->bits.block_count
               ? ((const uint64_t *)(const void *)slots->bits.blocks[word >> BARE_SHIFT]
                      .data)[word % BARE_ROWS]
               : 0;
}

static inline bool bare_slots_has(const bare_slots *slots, uint32_t index)
{
    return bare_slots_word(slots, index / 64) >> index % 64 & 1;
}

#endif
