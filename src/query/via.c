/* All is found by the checked lookups that programs compile in: a target that is dead, or a slot that
 * another entity has by now, leads nowhere. Without KI_LIKELY, the row join of the bench takes
 * 8 % more. */
#include "query/via.h"

/* The entity that a step leads to; KITH_NONE: `entity` is dead, or does not have the component. */
static inline kith_entity via_target(const ki_via_step *step, kith_entity entity)
{
    const struct kith_place_ *place = &step->component->place;
    const uint8_t *value = kith_value_(place, entity, place->size, false);
    kith_entity target = KITH_NONE;
    if (value != NULL) {
        memcpy(&target, value + step->offset, sizeof target);
    }
    return target;
}

/* Goes on from `entity` to the first one that has the component, itself or along a relation, which has
 * no circles. */
static kith_entity via_climb(const ki_via *via, kith_entity entity)
{
    const ki_via_step *step = &via->steps[via->step_count - 1];
    while (!kith_is_none(entity) && !kith_is_at_(&via->component->place, entity)) {
        entity = via_target(step, entity);
    }
    return entity;
}

/* Follows the steps from number `first` to before `end`; the entity that it ends at may be dead. */
static kith_entity via_follow(const ki_via *via, kith_entity entity, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end && !kith_is_none(entity); i++) {
        entity = via_target(&via->steps[i], entity);
    }
    return entity;
}

kith_entity ki_via_find(const ki_store *store, const ki_via *via, kith_entity entity)
{
    kith_entity found = via_follow(via, entity, 0, via->step_count);
    found = via->nearest ? via_climb(via, found) : found;
    return ki_record_of(&store->entities, found) == NULL ? KITH_NONE : found;
}

bool ki_via_lacks(const ki_store *store, const ki_via *via, kith_entity entity)
{
    uint32_t last = via->step_count - via->nearest;
    kith_entity from = via_follow(via, entity, 0, last);
    if (ki_record_of(&store->entities, from) == NULL) {
        return false;
    }
    return via->nearest ? kith_is_none(via_climb(via, via_target(&via->steps[last], from)))
                        : !kith_is_at_(&via->component->place, from);
}

kith_entity ki_via_next(const ki_via *via, kith_entity entity, uint32_t step)
{
    if (step < via->step_count) {
        return via_target(&via->steps[step], entity);
    }
    return via->nearest && !kith_is_at_(&via->component->place, entity)
               ? via_target(&via->steps[via->step_count - 1], entity)
               : KITH_NONE;
}

/* ---- Up to 64 rows */

/* Handles of the entities that lead on: each is `stride` bytes after the one before. */
typedef struct via_handles {
    const uint8_t *first;
    size_t stride;
} via_handles;

static inline kith_entity via_handle(via_handles handles, uint32_t i)
{
    kith_entity entity;
    memcpy(&entity, handles.first + i * handles.stride, sizeof entity);
    return entity;
}

/* Calls `body` for the number `i` of each bit. All of 64 are so usual that they are worth a loop that
 * compilers can overlap. */
#define VIA_FOR_EACH(bits, i, body)                                                                \
    do {                                                                                           \
        if ((bits) == UINT64_MAX) {                                                                \
            for (uint32_t i = 0; i < 64; i++) {                                                    \
                body                                                                               \
            }                                                                                      \
        } else {                                                                                   \
            for (uint64_t left = (bits); left != 0; left &= left - 1) {                            \
                uint32_t i = ki_lowest_bit(left);                                                  \
                body                                                                               \
            }                                                                                      \
        }                                                                                          \
    } while (0)

/* Climbs from each of these entities, into `others`. Siblings have the same parent, often one after the
 * other. */
static via_handles via_climb_all(const ki_via *via, uint64_t asked, via_handles handles,
                                 kith_entity *others)
{
    kith_entity from = KITH_NONE;
    kith_entity to = KITH_NONE;
    VIA_FOR_EACH(asked, i, {
        kith_entity entity = via_handle(handles, i);
        if (!kith_entity_equal(entity, from)) {
            from = entity;
            to = via_climb(via, from);
        }
        others[i] = to;
    });
    return (via_handles){(const uint8_t *)others, sizeof *others};
}

/* The tables where a component was found last, and missed last. */
typedef struct via_tables {
    const ki_store *store;
    const ki_component *component;
    uint32_t last;
    uint32_t missed;
    const ki_column *column; /* in `last` */
} via_tables;

/* Moves on to another table; false: it lacks the component, or is none, and the slot is dead. */
static KI_NOINLINE bool via_enter(via_tables *tables, uint32_t table)
{
    const ki_column *column = NULL;
    if (table < KI_RETIRED_TABLE && table != tables->missed) {
        column = ki_table_column(tables->store->tables[table], tables->component->id);
    }
    if (column == NULL) {
        tables->missed = table;
        return false;
    }
    tables->last = table;
    tables->column = column;
    return true;
}

/* Values in tables. The usual case takes few instructions, and none depends on those of the entity
 * before: so the processor waits for the memory of several entities at once. */
static uint64_t via_in_tables(const ki_store *store, const ki_component *component, uint64_t asked,
                              via_handles handles, const void **values)
{
    const ki_block *records = store->entities.records.blocks;
    const uint32_t slots = store->entities.slots;
    via_tables tables = {store, component, KI_DEAD_TABLE, KI_DEAD_TABLE, NULL};
    /* What is asked of each entity, in registers. */
    uint32_t last = KI_RETIRED_TABLE - 1; /* no table has that number */
    const ki_block *blocks = NULL;
    uint32_t shift = 0;
    uint32_t mask = 0;
    size_t size = component->type->size;
    uint64_t found = asked;
    VIA_FOR_EACH(asked, i, {
        kith_entity entity = via_handle(handles, i);
        uint32_t slot = entity.index1 - 1;
        values[i] = NULL;
        if (KI_LIKELY(slot < slots)) {
            const void *block = records[slot >> KI_SMALL_SHIFT].data;
            const ki_record *record = (const ki_record *)block + slot % KI_BLOCK_ROWS_MAX;
            if (KI_UNLIKELY(record->table != last && via_enter(&tables, record->table))) {
                last = tables.last;
                blocks = tables.column->blocks;
                shift = tables.column->shift;
                mask = tables.column->mask;
            }
            if (KI_LIKELY(record->generation == entity.generation && record->table == last)) {
                KI_ASSERT(blocks != NULL);
                values[i] = blocks[record->row >> shift].data + (record->row & mask) * size;
                continue;
            }
        }
        found ^= UINT64_C(1) << i;
    });
    return found;
}

/* Values in other storages, by what finds them there. A copy of its place is what compilers may keep in
 * registers while values are stored. */
#define VIA_VALUES(name, find)                                                                     \
    static uint64_t name(const ki_component *component, uint64_t asked, via_handles handles,       \
                         const void **values)                                                      \
    {                                                                                              \
        const struct kith_place_ place = component->place;                                         \
        uint64_t found = 0;                                                                        \
        VIA_FOR_EACH(asked, i, {                                                                   \
            struct kith_spot_ spot = find(&place, via_handle(handles, i));                         \
            values[i] = kith_value_in_(&place, spot, place.size, false);                           \
            found |= (uint64_t)(values[i] != NULL) << i;                                           \
        });                                                                                        \
        return found;                                                                              \
    }
VIA_VALUES(via_in_sparse, kith_find_in_set_)
VIA_VALUES(via_in_slots, kith_find_in_slots_)

static uint64_t via_tags(const ki_component *component, uint64_t asked, via_handles handles)
{
    uint64_t found = 0;
    VIA_FOR_EACH(asked, i, {
        found |= (uint64_t)kith_is_at_(&component->place, via_handle(handles, i)) << i;
    });
    return found;
}

/* Finds the values of a component of the entities with these handles. */
static uint64_t via_fetch(const ki_store *store, const ki_component *component, uint64_t asked,
                          via_handles handles, const void **values)
{
    if (component->type->size == 0) {
        return via_tags(component, asked, handles);
    }
    switch (component->layout) {
    case KITH_TABLE: return via_in_tables(store, component, asked, handles, values);
    case KITH_SPARSE: return via_in_sparse(component, asked, handles, values);
    case KITH_SLOT: break;
    }
    return via_in_slots(component, asked, handles, values);
}

/* The rows that a via starts from. */
typedef struct via_rows {
    const ki_driver *driver;
    uint32_t row;
    uint64_t asked;
} via_rows;

/* The handles of their entities: where they are, or copied to `entities`. */
static via_handles via_own(const via_rows *rows, kith_entity *entities)
{
    const kith_entity *own = ki_driver_entities(rows->driver, rows->row);
    const ki_entities *all = &rows->driver->query->store->entities;
    if (own == NULL) {
        VIA_FOR_EACH(rows->asked, i, { entities[i] = ki_entity_at(all, rows->row + i); });
        own = entities;
    }
    return (via_handles){(const uint8_t *)own, sizeof *own};
}

/* The column where their component is, from the first row on in one block; NULL: it is to be fetched. */
static const ki_column *via_own_column(const via_rows *rows, const ki_component *component)
{
    const ki_column *column = ki_driver_column(rows->driver, component);
    uint32_t count = 64 - KI_CLZ64(rows->asked);
    if (column == NULL) {
        return NULL;
    }
    if (rows->driver->kind == KI_DRIVE_SLOTS &&
        (rows->row % 64 != 0 ||
         (rows->asked & ~ki_slots_word(&component->in.slots, rows->row / 64)) != 0)) {
        return NULL;
    }
    return ki_column_run(column, rows->row, count) == count ? column : NULL;
}

/* Where a step leads from the entities with these handles; it is left in `targets`. */
static via_handles via_step(const ki_store *store, const ki_via_step *step, uint64_t asked,
                            via_handles handles, kith_entity *targets)
{
    const void *values[64];
    uint64_t found = via_fetch(store, step->component, asked, handles, values);
    VIA_FOR_EACH(asked, i, {
        targets[i] = KITH_NONE;
        if ((found >> i & 1) != 0) {
            memcpy(&targets[i], (const uint8_t *)values[i] + step->offset, sizeof *targets);
        }
    });
    return (via_handles){(const uint8_t *)targets, sizeof *targets};
}

/* Goes on from these entities, by the steps from number `first` on, and finds the values. */
static uint64_t via_finish(const ki_via *via, const ki_store *store, uint32_t first, uint64_t asked,
                           via_handles handles, kith_entity *room, const void **values)
{
    for (uint32_t i = first; i < via->step_count; i++) {
        handles = via_step(store, &via->steps[i], asked, handles, room);
    }
    if (via->nearest) {
        handles = via_climb_all(via, asked, handles, room);
    }
    return via_fetch(store, via->component, asked, handles, values);
}

uint64_t ki_via_values(const ki_via *via, const ki_driver *driver, uint32_t row, uint64_t asked,
                       const void **values)
{
    const ki_store *store = driver->query->store;
    const via_rows rows = {driver, row, asked};
    kith_entity room[64];
    if (asked == 0) {
        return 0;
    }
    const ki_column *column = via_own_column(&rows, via->steps[0].component);
    via_handles handles;
    if (column != NULL) {
        handles = (via_handles){(const uint8_t *)ki_column_at(column, row) + via->steps[0].offset,
                                column->size};
    } else {
        handles = via_step(store, &via->steps[0], asked, via_own(&rows, room), room);
    }
    return via_finish(via, store, 1, asked, handles, room, values);
}

uint64_t ki_via_values_from(const ki_via *via, const ki_store *store, const kith_entity *entities,
                            uint32_t count, const void **values)
{
    kith_entity room[64];
    const via_handles handles = {(const uint8_t *)entities, sizeof *entities};
    return via_finish(via, store, 0, UINT64_MAX >> (64 - count), handles, room, values);
}
