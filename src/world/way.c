/* The ways of components: one function for each layout and for each of the sizes that most values
 * have. The world is its owner's, the entity lives, the world knows the component; the rest is checked
 * here, and what is not as usual goes to ki_change_set and ki_change_remove. */
#include "world/way.h"

#define WAY_ANY UINT32_MAX /* for a size: whatever the column says */

const uint32_t ki_way_keep[4];

static KI_NOINLINE kith_result way_set_other(kith_world *world, kith_entity entity,
                                             ki_component *component, const void *value,
                                             ki_record *record)
{
    (void)record;
    bool keep = value == ki_way_keep;
    return ki_change_set(world, keep ? "kith_add" : "kith_set", entity, component,
                         keep ? NULL : value, keep);
}

static KI_NOINLINE kith_result way_take_other(kith_world *world, kith_entity entity,
                                              ki_component *component, ki_record *record)
{
    (void)record;
    return ki_change_remove(world, entity, component);
}

/* Adds a component of another layout than KITH_TABLE, which the entity lacks. */
static KI_NOINLINE kith_result way_add(kith_world *world, kith_entity entity,
                                       ki_component *component, const void *value)
{
    if (KI_UNLIKELY(!ki_world_is_unlocked(world))) {
        return way_set_other(world, entity, component, value, NULL);
    }
    KI_TRY(ki_other_reserve(&world->store, component, entity.index1 - 1));
    ki_other_insert(&world->store, component, entity, value == ki_way_keep ? NULL : value);
    return KITH_OK;
}

/* Writes a value, which may stand there itself; NULL is zero bytes. */
KI_INLINE kith_result way_write(void *to, const void *value, uint32_t size, const ki_column *column)
{
    if (size == WAY_ANY) {
        return ki_put_value_slow(to, value == ki_way_keep ? NULL : value, column->size);
    }
    if (KI_UNLIKELY(value == NULL)) {
        memset(to, 0, size);
        return KITH_OK;
    }
    ki_copy_small(to, value, size);
    return KITH_OK;
}

/* Where a row of a block is. */
KI_INLINE uint8_t *way_at(const ki_column *column, uint8_t *data, uint32_t row, uint32_t size)
{
    return size == WAY_ANY ? data + (size_t)(row & ((1u << column->shift) - 1)) * column->size
                           : data + (size_t)(row % KI_BLOCK_ROWS_MAX) * size;
}

KI_INLINE uint32_t way_block(const ki_column *column, uint32_t row, uint32_t size)
{
    return size == WAY_ANY ? row >> column->shift : row >> KI_SMALL_SHIFT;
}

/* Copies one row of a column onto another, which may be the same. */
KI_INLINE kith_result way_fill(const ki_column *column, uint32_t hole, uint32_t last, uint32_t size)
{
    const ki_block *blocks = column->blocks;
    uint8_t *to = way_at(column, blocks[way_block(column, hole, size)].data, hole, size);
    const uint8_t *from = way_at(column, blocks[way_block(column, last, size)].data, last, size);
    if (size == WAY_ANY) {
        return ki_put_value_slow(to, from, column->size);
    }
    ki_copy_small(to, from, size);
    return KITH_OK;
}

/* Overwrites a value that is there. */
KI_INLINE kith_result way_overwrite(kith_world *world, kith_entity entity, ki_component *component,
                                    const void *value, const ki_column *column, uint32_t row,
                                    uint32_t size)
{
    if (value == ki_way_keep) {
        return KITH_OK;
    }
    const ki_block *block = &column->blocks[way_block(column, row, size)];
    if (KI_UNLIKELY(size == 0 || block->stamp != world->store.space.now)) {
        return way_set_other(world, entity, component, value, NULL);
    }
    return way_write(way_at(column, block->data, row, size), value, size, column);
}

/* ---- KITH_TABLE ------------------------------------------------------------------------------ */

KI_INLINE kith_result way_set_table(kith_world *world, kith_entity entity, ki_component *component,
                                    const void *value, ki_record *record, uint32_t size)
{
    ki_store *store = &world->store;
    ki_table *table = store->tables[record->table];
    uint32_t found = ki_table_peek(table, component->id);
    if (found != 0) {
        uint32_t number = KI_LIKELY(found >> 16 == component->id)
                              ? found & 0xffff
                              : ki_table_find(table, component->id);
        if (KI_LIKELY(number != KI_NO_COLUMN)) {
            return way_overwrite(world, entity, component, value, &table->columns[number],
                                 record->row, size);
        }
    }
    if (KI_UNLIKELY(!ki_world_is_unlocked(world))) {
        return way_set_other(world, entity, component, value, record);
    }
    const ki_edge *edge = ki_move_plain(store, table, component->id);
    if (KI_UNLIKELY(edge == NULL)) {
        value = value == ki_way_keep ? NULL : value;
        return ki_move_step(store, entity, component->id, value);
    }
    /* The value comes first: it may stand in the old row, or in the one that fills the hole. */
    const ki_column *added = edge->added;
    uint8_t *tail = (uint8_t *)added->tail;
    size_t row = edge->to->row_count;
    if (size != 0) {
        way_write(tail + row * (size == WAY_ANY ? added->size : size), value, size, added);
    }
    return ki_move_along(store, entity, edge, record, table);
}

static KI_NOINLINE kith_result way_take_step(kith_world *world, kith_entity entity,
                                             const ki_component *component, const ki_table *table)
{
    return ki_table_find(table, component->id) == KI_NO_COLUMN
               ? KITH_ERR_ABSENT
               : ki_move_step(&world->store, entity, component->id, NULL);
}

KI_INLINE kith_result way_take_table(kith_world *world, kith_entity entity, ki_component *component,
                                     ki_record *record, uint32_t size)
{
    ki_table *table = world->store.tables[record->table];
    const ki_edge *edge = ki_move_plain(&world->store, table, component->id);
    if (KI_UNLIKELY(edge == NULL || edge->dropped == NULL)) {
        return way_take_step(world, entity, component, table);
    }
    if (size != 0) {
        way_fill(edge->dropped, record->row, table->row_count - 1, size);
    }
    return ki_move_along(&world->store, entity, edge, record, table);
}

/* Whether a component of another layout can come where there is room, with nothing to touch and nothing
 * to note. */
KI_INLINE bool way_is_plain(const kith_world *world, const ki_component *component)
{
    return component->track == NULL && ki_world_is_unlocked(world) &&
           ki_space_is_unseen(&world->store.space);
}

/* ---- KITH_SPARSE ----------------------------------------------------------------------------- */

KI_INLINE kith_result way_set_sparse(kith_world *world, kith_entity entity, ki_component *component,
                                     const void *value, ki_record *record, uint32_t size)
{
    (void)record;
    ki_sparse *set = &component->in.sparse;
    const ki_column *values = &set->values;
    uint32_t index = entity.index1 - 1;
    uint32_t *row1 = ki_sparse_row1_at(set, index);
    if (KI_UNLIKELY(row1 == NULL)) {
        return way_add(world, entity, component, value);
    }
    if (*row1 != 0) {
        return way_overwrite(world, entity, component, value, values, *row1 - 1, size);
    }
    uint64_t *lanes = ki_lanes_place(&world->store.entities, index);
    uint32_t row = set->count;
    if (KI_UNLIKELY(lanes == NULL || row >= set->entities.capacity || row >= values->capacity ||
                    !way_is_plain(world, component))) {
        return way_add(world, entity, component, value);
    }
    set->count = row + 1;
    *row1 = row + 1;
    *lanes |= component->lane;
    *KI_COLUMN_AT(kith_entity, &set->entities, row) = entity;
    if (size == 0) {
        return KITH_OK;
    }
    uint8_t *data = values->blocks[way_block(values, row, size)].data;
    return way_write(way_at(values, data, row, size), value, size, values);
}

KI_INLINE kith_result way_take_sparse(kith_world *world, kith_entity entity,
                                      ki_component *component, ki_record *record, uint32_t size)
{
    (void)record;
    ki_sparse *set = &component->in.sparse;
    uint32_t *row1 = ki_sparse_row1_at(set, entity.index1 - 1);
    if (KI_UNLIKELY(row1 == NULL || *row1 == 0)) {
        return KITH_ERR_ABSENT;
    }
    if (KI_UNLIKELY(component->track != NULL || !ki_space_is_unseen(&world->store.space))) {
        return ki_other_unset(&world->store, component, entity.index1 - 1);
    }
    uint32_t row = *row1 - 1;
    uint32_t last = --set->count;
    *row1 = 0;
    if (row == last) {
        return KITH_OK;
    }
    kith_entity moved = *KI_COLUMN_AT(kith_entity, &set->entities, last);
    *KI_COLUMN_AT(kith_entity, &set->entities, row) = moved;
    *KI_COLUMN_AT(uint32_t, &set->rows, moved.index1 - 1) = row + 1;
    return size == 0 ? KITH_OK : way_fill(&set->values, row, last, size);
}

/* ---- KITH_SLOT ------------------------------------------------------------------------------- */

KI_INLINE kith_result way_set_slot(kith_world *world, kith_entity entity, ki_component *component,
                                   const void *value, ki_record *record, uint32_t size)
{
    (void)record;
    ki_slots *slots = &component->in.slots;
    const ki_column *values = &slots->values;
    uint32_t index = entity.index1 - 1;
    uint64_t *word = ki_slots_word_at(slots, index / 64);
    if (KI_UNLIKELY(word == NULL)) {
        return way_add(world, entity, component, value);
    }
    uint64_t bit = (uint64_t)1 << index % 64;
    if ((*word & bit) != 0) {
        return way_overwrite(world, entity, component, value, values, index, size);
    }
    uint64_t *lanes = ki_lanes_place(&world->store.entities, index);
    if (KI_UNLIKELY(lanes == NULL || (size != 0 && index >= values->capacity) ||
                    !way_is_plain(world, component))) {
        return way_add(world, entity, component, value);
    }
    uint8_t *data = size == 0 ? NULL : values->blocks[way_block(values, index, size)].data;
    if (KI_UNLIKELY(size != 0 && data == NULL)) {
        return way_add(world, entity, component, value);
    }
    *word |= bit;
    *lanes |= component->lane;
    slots->count++;
    return size == 0 ? KITH_OK : way_write(way_at(values, data, index, size), value, size, values);
}

static kith_result way_take_slot(kith_world *world, kith_entity entity, ki_component *component,
                                 ki_record *record)
{
    (void)record;
    ki_slots *slots = &component->in.slots;
    uint32_t index = entity.index1 - 1;
    uint64_t *word = ki_slots_word_at(slots, index / 64);
    uint64_t bit = (uint64_t)1 << index % 64;
    if (KI_UNLIKELY(word == NULL || (*word & bit) == 0)) {
        return KITH_ERR_ABSENT;
    }
    if (KI_UNLIKELY(component->track != NULL || !ki_space_is_unseen(&world->store.space))) {
        return ki_other_unset(&world->store, component, entity.index1 - 1);
    }
    *word &= ~bit;
    slots->count--;
    return KITH_OK;
}

/* ---- Which way it is ------------------------------------------------------------------------- */

#define WAY_SET(way, name, size)                                                                   \
    static kith_result way##_##name(kith_world *world, kith_entity entity,                         \
                                    ki_component *component, const void *value, ki_record *record) \
    {                                                                                              \
        return way(world, entity, component, value, record, size);                                 \
    }

#define WAY_TAKE(way, name, size)                                                                  \
    static kith_result way##_##name(kith_world *world, kith_entity entity,                         \
                                    ki_component *component, ki_record *record)                    \
    {                                                                                              \
        return way(world, entity, component, record, size);                                        \
    }

#define WAY_SIZES(one, way)                                                                        \
    one(way, tag, 0) one(way, 4, 4) one(way, 8, 8) one(way, 12, 12) one(way, 16, 16)               \
        one(way, any, WAY_ANY)

WAY_SIZES(WAY_SET, way_set_table)
WAY_SIZES(WAY_SET, way_set_sparse)
WAY_SIZES(WAY_SET, way_set_slot)
WAY_SIZES(WAY_TAKE, way_take_table)
WAY_SIZES(WAY_TAKE, way_take_sparse)

static uint32_t way_of_size(uint32_t size)
{
    switch (size) {
    case 0: return 0;
    case 4: return 1;
    case 8: return 2;
    case 12: return 3;
    case 16: return 4;
    default: return 5;
    }
}

#define WAY_LIST(way)                                                                              \
    {                                                                                              \
        way##_tag, way##_4, way##_8, way##_12, way##_16, way##_any                                 \
    }

KI_RARE void ki_way_choose(ki_component *component)
{
    static ki_set_fn *const set_table[] = WAY_LIST(way_set_table);
    static ki_set_fn *const set_sparse[] = WAY_LIST(way_set_sparse);
    static ki_set_fn *const set_slot[] = WAY_LIST(way_set_slot);
    static ki_take_fn *const take_table[] = WAY_LIST(way_take_table);
    static ki_take_fn *const take_sparse[] = WAY_LIST(way_take_sparse);
    uint32_t size = way_of_size(component->type->size);
    if (component->hooks != NULL) {
        component->set = way_set_other;
        component->take = way_take_other;
    } else if (component->layout == KITH_TABLE) {
        component->set = set_table[size];
        component->take = take_table[size];
    } else if (component->layout == KITH_SPARSE) {
        component->set = set_sparse[size];
        component->take = take_sparse[size];
    } else {
        component->set = set_slot[size];
        component->take = way_take_slot;
    }
}
