/* The entity registry: which handles live, and where each entity's row is.
 *
 * Records are in a column by slot. Dead slots form a list through their own records, last in
 * first out, so that despawning needs no memory. A slot that has used up its generations is
 * retired: it never lives again. */
#ifndef KI_STORE_ENTITIES_H
#define KI_STORE_ENTITIES_H

#include <kith/entity.h>

#include "store/column.h"

#define KI_DEAD_TABLE UINT32_MAX /* the record's table, when the slot waits to be used again */
#define KI_RETIRED_TABLE (UINT32_MAX - 1) /* ... and when it is never used again */
#define KI_SLOTS_MAX KI_COLUMN_ROWS_MAX

typedef struct kith_record_ ki_record;

typedef struct ki_entities {
    uint32_t slots;    /* inline calls know where this and `records` are */
    uint32_t empty;    /* slots in which nobody lives, those that are retired too */
    ki_column records; /* ki_record, one a slot */
    ki_column summary; /* paged: for each slot, the components of other layouts that it may have */
    uint32_t retired;
    uint32_t free_head; /* index1 of the first dead slot, 0 if there is none */
    ki_column *bits;    /* paged: a bit for each slot that there is room for; or NULL */
} ki_entities;

void ki_entities_init(ki_entities *entities);
void ki_entities_free(ki_column_context *columns, ki_entities *entities);

/* The part of ki_entities_reserve that is not a few compares. */
kith_result ki_entities_reserve_slow(ki_column_context *columns, ki_entities *entities,
                                     uint32_t count);

/* Makes room for the bits of so many slots. KITH_ERR_MEMORY. */
kith_result ki_entities_reserve_bits(ki_column_context *columns, const ki_entities *entities,
                                     uint32_t slots);

static inline ki_record *ki_record_at(const ki_entities *entities, uint32_t index)
{
    KI_ASSERT(index < entities->records.capacity);
    return KI_COLUMN_AT(ki_record, &entities->records, index);
}

/* The record of a handle's slot if it has the handle's generation; otherwise NULL. The entity may
 * be dead, or still to be made: for calls that ask what the slot has, since a dead slot has
 * nothing. */
static inline ki_record *ki_record_match(const ki_entities *entities, kith_entity entity)
{
    uint32_t index = entity.index1 - 1;
    if (index >= entities->slots) {
        return NULL;
    }
    ki_record *record = ki_record_at(entities, index);
    return record->generation != entity.generation ? NULL : record;
}

/* The record of a living entity; NULL for every other bit pattern. Not by way of ki_record_match: of one
 * condition, compilers make four instructions less. */
static inline ki_record *ki_record_of(const ki_entities *entities, kith_entity entity)
{
    uint32_t index = entity.index1 - 1;
    if (index >= entities->slots) {
        return NULL;
    }
    ki_record *record = ki_record_at(entities, index);
    if (record->generation != entity.generation || record->table >= KI_RETIRED_TABLE) {
        return NULL;
    }
    return record;
}

static inline bool ki_record_is_marked(const ki_column_context *columns,
                                       const ki_entities *entities, uint32_t index)
{
    return entities->records.blocks[index >> KI_SMALL_SHIFT].stamp == columns->write_clock;
}

/* Makes the record ready to be written. */
static inline bool ki_record_mark(ki_column_context *columns, ki_entities *entities, uint32_t index)
{
    return ki_record_is_marked(columns, entities, index) ||
           ki_column_mark_slow(columns, &entities->records, index >> KI_SMALL_SHIFT);
}

/* The slot that the next entity gets. */
static inline uint32_t ki_entities_next(const ki_entities *entities)
{
    return entities->free_head != 0 ? entities->free_head - 1 : entities->slots;
}

/* Whether ki_entities_take is certain once as things are. */
static inline bool ki_entities_is_ready(const ki_column_context *columns,
                                        const ki_entities *entities)
{
    uint32_t slot = ki_entities_next(entities);
    return slot < entities->records.capacity && ki_record_is_marked(columns, entities, slot);
}

/* Makes ki_entities_take certain `count` times. KITH_ERR_MEMORY, KITH_ERR_LIMIT. */
static inline kith_result ki_entities_reserve(ki_column_context *columns, ki_entities *entities,
                                              uint32_t count)
{
    return count == 1 && ki_entities_is_ready(columns, entities)
               ? KITH_OK
               : ki_entities_reserve_slow(columns, entities, count);
}

/* Brings a slot to life; it was reserved. */
static inline kith_entity ki_entities_take(ki_entities *entities, uint32_t table, uint32_t row)
{
    uint32_t index = ki_entities_next(entities);
    ki_record *record = ki_record_at(entities, index);
    if (entities->free_head == 0) {
        entities->slots++;
        record->generation = 0;
    } else {
        entities->free_head = record->row;
        entities->empty--;
    }
    record->table = table;
    record->row = row;
    return (kith_entity){index + 1, record->generation};
}

/* Ends the entity in a slot. Its record is marked. */
static inline void ki_entities_release(ki_entities *entities, ki_record *record, uint32_t index)
{
    entities->empty++;
    if (record->generation == UINT32_MAX) {
        record->table = KI_RETIRED_TABLE;
        record->row = 0;
        entities->retired++;
        return;
    }
    record->generation++;
    record->table = KI_DEAD_TABLE;
    record->row = entities->free_head;
    entities->free_head = index + 1;
}

/* How many entities there are. */
static inline uint32_t ki_entities_alive(const ki_entities *entities)
{
    return entities->slots - entities->empty;
}

/* The handle of the entity that lives in a slot. */
static inline kith_entity ki_entity_at(const ki_entities *entities, uint32_t index)
{
    return (kith_entity){index + 1, ki_record_at(entities, index)->generation};
}

/* How many of these entities, beginning with the first, have slots that follow one another. */
uint32_t ki_entities_span(const kith_entity *entities, uint32_t count);

/* The summary of a slot; NULL if there is no page, and it has
 * none. */
static inline uint64_t *ki_summary_place(const ki_entities *entities, uint32_t index)
{
    return KI_COLUMN_FIND(uint64_t, &entities->summary, index, KI_SMALL_SHIFT);
}

/* The summary itself. */
static inline uint64_t ki_summary_at(const ki_entities *entities, uint32_t index)
{
    const uint64_t *summary = ki_summary_place(entities, index);
    return summary == NULL ? 0 : *summary;
}

#endif
