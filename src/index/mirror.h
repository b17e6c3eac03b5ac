/* Mirrors: what an index saw last, by position. For each storage of the component (each table, or the
 * sparse set, or the slot array) the key and the entity of each row; KITH_NONE where there is none. */
#ifndef KI_INDEX_MIRROR_H
#define KI_INDEX_MIRROR_H

#include <kith/type.h>

#include "store/column.h"

/* In place of an entity that is there, but that a key function left out of the index. */
#define KI_LEFT_OUT ((kith_entity){0, 1})

typedef struct ki_mirror {
    ki_column keys;
    ki_column entities; /* kith_entity; not KITH_NONE with index1 == 0: see KI_LEFT_OUT */
    ki_column copies;   /* of values, if mirrors keep them */
    ki_column seen;     /* of each block of rows: when its values, as they were seen, were written */
    uint32_t count;     /* rows */
} ki_mirror;

typedef struct ki_mirrors {
    ki_column_context columns; /* the mirrors' own: nobody looks for what is written there */
    uint32_t key_size;
    uint32_t shift; /* log2 of the rows in a block: they are in one of the values, and of a mirror's keys
                       and entities */
    const kith_type *copied; /* mirrors have copies of values of this type; NULL: they have none */
    ki_mirror *
        *list; /* by the number of the table; of other layouts there is one; NULL: not seen */
    uint32_t capacity;
} ki_mirrors;

/* Rows of a mirror, and whose they are. */
typedef struct ki_mirror_run {
    const uint8_t *keys;
    const kith_entity *entities; /* those whose index1 is 0 are none */
    uint32_t count;
    uint32_t mirror; /* where to go on, from 0 */
    uint32_t row;
} ki_mirror_run;

/* For values and keys of these sizes. */
void ki_mirrors_init(ki_mirrors *mirrors, ki_heap *heap, uint32_t value_size, uint32_t key_size);

/* Forgets all. */
void ki_mirrors_clear(ki_mirrors *mirrors);

/* The mirror with a number, made if need be; NULL if memory ran out. */
ki_mirror *ki_mirrors_at(ki_mirrors *mirrors, uint32_t number);

/* Makes room for `count` rows. The new ones have no entities yet: the caller writes them all at once.
 * KITH_ERR_MEMORY. */
kith_result ki_mirror_reserve(ki_mirrors *mirrors, ki_mirror *mirror, uint32_t count);

/* The same, and new rows are empty. KITH_ERR_MEMORY. */
kith_result ki_mirror_grow(ki_mirrors *mirrors, ki_mirror *mirror, uint32_t count);

/* Drops the rows from `count` on. */
void ki_mirror_shrink(ki_mirrors *mirrors, ki_mirror *mirror, uint32_t count);

/* Frees a mirror without rows. */
void ki_mirrors_drop(ki_mirrors *mirrors, uint32_t number);

/* The next run of rows; `run` starts as {0}. False: there is none left. */
bool ki_mirrors_next(const ki_mirrors *mirrors, ki_mirror_run *run);

size_t ki_mirrors_bytes(const ki_mirrors *mirrors);

/* How many rows from `row` on, up to `count`, are in one block. */
static inline uint32_t ki_mirrors_run(const ki_mirrors *mirrors, uint32_t row, uint32_t count)
{
    const uint32_t rows = UINT32_C(1) << mirrors->shift;
    return ki_min_u32(rows - row % rows, count);
}

/* When the block of a row was written, as it was seen; 0: not known. After a restore this tells
 * whether what is there was seen: what is written after a look is written at another time. What was
 * set by itself since is noted without a stamp, but not in blocks that a snapshot holds. */
static inline uint64_t *ki_mirror_seen(const ki_mirrors *mirrors, const ki_mirror *mirror,
                                       uint32_t row)
{
    return KI_COLUMN_AT(uint64_t, &mirror->seen, row >> mirrors->shift);
}

static inline uint8_t *ki_mirror_key(const ki_mirror *mirror, uint32_t row)
{
    return ki_column_at(&mirror->keys, row);
}

static inline uint8_t *ki_mirror_copy(const ki_mirror *mirror, uint32_t row)
{
    return ki_column_at(&mirror->copies, row);
}

static inline kith_entity *ki_mirror_entity(const ki_mirror *mirror, uint32_t row)
{
    return KI_COLUMN_AT(kith_entity, &mirror->entities, row);
}

#endif
