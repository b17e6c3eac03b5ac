/* The ways of components, one for each layout. The world is its owner's, the entity lives, the world
 * knows the component; the rest is checked here, and what is not as usual goes to ki_change_set and
 * ki_change_remove. */
#include "world/way.h"

const uint32_t ki_way_keep[KI_FEW_MAX / 4];

kith_result ki_way_set_other(kith_world *world, kith_entity entity, ki_component *component,
                             const void *value)
{
    bool keep = value == ki_way_keep;
    return ki_change_set(world, keep ? "kith_add" : "kith_set", entity, component,
                         keep ? NULL : value, keep);
}

/* Adds a component of another layout than KITH_TABLE, which the entity lacks. */
static KI_NOINLINE kith_result way_add(kith_world *world, kith_entity entity,
                                       ki_component *component, const void *value)
{
    if (KI_UNLIKELY(!ki_world_is_unlocked(world))) {
        return ki_way_set_other(world, entity, component, value);
    }
    if (!ki_other_is_ready(&world->store, component, entity.index1 - 1)) {
        KI_TRY(ki_other_reserve(&world->store, component, entity.index1 - 1));
    }
    ki_other_insert(&world->store, component, entity, value == ki_way_keep ? NULL : value);
    return KITH_OK;
}

/* Notes that an entity gets the component, or loses it, if that is tracked. False: that takes more than
 * to append, and nothing was done. The last check of all, then. */
KI_INLINE bool way_note(const ki_component *component, kith_entity entity, bool lost)
{
    return KI_LIKELY(component->track == NULL) ||
           ki_track_append_ready(component->track, entity, lost);
}

/* Writes a value, which may stand there itself, into row `row` of what begins at `rows`; NULL is zero
 * bytes. */
KI_INLINE kith_result way_write(uint8_t *rows, size_t row, uint32_t size, const void *value)
{
    uint8_t *to = rows + row * size;
    return ki_copied_few(to, value, size)
               ? KITH_OK
               : ki_copy_value(to, value == ki_way_keep ? NULL : value, size);
}

/* How many rows into its block one is. */
KI_INLINE size_t way_offset(const ki_column *column, uint32_t row)
{
    return row & ((1u << column->shift) - 1);
}

/* Copies one row of a column onto another, which may be the same. */
KI_INLINE kith_result way_fill(const ki_column *column, uint32_t hole, uint32_t last)
{
    const uint8_t *from = ki_column_at(column, last);
    return way_write(column->blocks[hole >> column->shift].data, way_offset(column, hole),
                     column->size, from);
}

/* Overwrites a value that is there. */
KI_INLINE kith_result way_overwrite(kith_world *world, kith_entity entity, ki_component *component,
                                    const void *value, const ki_column *column, uint32_t row)
{
    if (value == ki_way_keep) {
        return KITH_OK;
    }
    const ki_block *block = &column->blocks[row >> column->shift];
    if (KI_UNLIKELY(column->size == 0 || block->stamp != world->store.space.now)) {
        return ki_way_set_other(world, entity, component, value);
    }
    return way_write(block->data, way_offset(column, row), column->size, value);
}

/* ---- KITH_TABLE ------------------------------------------------------------------------------ */

/* Where the column that an edge adds keeps the row to come. */
KI_INLINE void *way_added(const ki_edge *edge)
{
    return (void *)(edge->added->tail + (size_t)edge->to->row_count * edge->added->size);
}

/* What is left to do if the value has not few bytes, or is NULL; and likewise for one that goes. These
 * call, so that the usual ways need not. */
KI_COLD static kith_result way_add_wide(ki_store *store, kith_entity entity, const ki_edge *edge,
                                        ki_record *record, const void *value)
{
    ki_copy_value(way_added(edge), value, edge->added->size);
    return ki_move_along(store, entity, edge, record, store->tables[record->table]);
}

KI_COLD static kith_result way_drop_wide(ki_store *store, kith_entity entity, const ki_edge *edge,
                                         ki_record *record, ki_table *table)
{
    way_fill(edge->dropped, record->row, table->row_count - 1);
    return ki_move_along(store, entity, edge, record, table);
}

/* Sets a component that is not where its table's search begins, if nothing else is known. */
KI_COLD static kith_result way_set_searched(kith_world *world, kith_entity entity,
                                            ki_component *component, const void *value,
                                            const ki_record *record, const ki_table *table)
{
    uint32_t found = ki_table_search(table, component->id);
    if (found != 0) {
        return way_overwrite(world, entity, component, value, &table->columns[found & 0xffff],
                             record->row);
    }
    if (!ki_world_is_unlocked(world)) {
        return ki_way_set_other(world, entity, component, value);
    }
    return ki_move_step(&world->store, entity, component->id, value == ki_way_keep ? NULL : value);
}

/* The same. Most often an edge adds it: then the table lacks it, and need not be searched. */
static KI_NOINLINE kith_result way_add_table(kith_world *world, kith_entity entity,
                                             ki_component *component, const void *value,
                                             ki_record *record, ki_table *table)
{
    ki_store *store = &world->store;
    const ki_edge *edge = ki_move_plain(store, table, component->id);
    if (KI_UNLIKELY(edge == NULL || edge->added == NULL || !ki_world_is_unlocked(world) ||
                    !way_note(component, entity, false))) {
        return way_set_searched(world, entity, component, value, record, table);
    }
    /* The value comes first: it may stand in the old row, or in the one that fills the hole. */
    uint32_t size = edge->added->size;
    if (size != 0 && KI_UNLIKELY(!ki_copied_few(way_added(edge), value, size))) {
        return way_add_wide(store, entity, edge, record, value == ki_way_keep ? NULL : value);
    }
    return ki_move_along(store, entity, edge, record, table);
}

kith_result ki_way_set_table(kith_world *world, kith_entity entity, ki_component *component,
                             const void *value, ki_record *record)
{
    ki_table *table = world->store.tables[record->table];
    uint32_t found = ki_table_peek(table, component->id);
    return found >> 16 == component->id
               ? way_overwrite(world, entity, component, value, &table->columns[found & 0xffff],
                               record->row)
               : way_add_table(world, entity, component, value, record, table);
}

kith_result ki_way_take_step(kith_world *world, kith_entity entity, const ki_component *component,
                             const ki_table *table)
{
    return ki_table_find(table, component->id) == KI_NO_COLUMN
               ? ki_untold(&world->store.context.heap, KITH_ERR_ABSENT)
               : ki_move_step(&world->store, entity, component->id, NULL);
}

kith_result ki_way_take_table(kith_world *world, kith_entity entity, ki_component *component,
                              ki_record *record)
{
    ki_table *table = world->store.tables[record->table];
    const ki_edge *edge = ki_move_plain(&world->store, table, component->id);
    if (KI_UNLIKELY(edge == NULL || edge->dropped == NULL || !way_note(component, entity, true))) {
        return ki_way_take_step(world, entity, component, table);
    }
    const ki_column *dropped = edge->dropped;
    uint32_t hole = record->row;
    uint32_t last = table->row_count - 1;
    if (dropped->size != 0 && hole != last) {
        uint8_t *data = dropped->blocks[hole >> dropped->shift].data;
        if (KI_UNLIKELY(!ki_copied_few(data + way_offset(dropped, hole) * dropped->size,
                                       ki_column_at(dropped, last), dropped->size))) {
            return way_drop_wide(&world->store, entity, edge, record, table);
        }
    }
    return ki_move_along(&world->store, entity, edge, record, table);
}

/* Whether a component of another layout can come where there is room, with nothing to touch. */
KI_INLINE bool way_is_plain(const kith_world *world)
{
    return ki_world_is_unlocked(world) && ki_space_is_unseen(&world->store.space);
}

/* ---- KITH_SPARSE ----------------------------------------------------------------------------- */

kith_result ki_way_set_sparse(kith_world *world, kith_entity entity, ki_component *component,
                              const void *value)
{
    ki_sparse *set = &component->in.sparse;
    const ki_column *values = &set->values;
    uint32_t index = entity.index1 - 1;
    uint32_t *row1 = ki_sparse_row1_at(set, index);
    if (KI_UNLIKELY(row1 == NULL)) {
        return way_add(world, entity, component, value);
    }
    if (*row1 != 0) {
        return way_overwrite(world, entity, component, value, values, *row1 - 1);
    }
    uint64_t *lanes = ki_lanes_place(&world->store.entities, index);
    uint32_t row = set->count;
    if (KI_UNLIKELY(lanes == NULL || row >= set->entities.capacity || row >= values->capacity ||
                    !way_is_plain(world) || !way_note(component, entity, false))) {
        return way_add(world, entity, component, value);
    }
    *lanes |= component->lanes;
    ki_sparse_append(set, row1, entity);
    if (values->size == 0) {
        return KITH_OK;
    }
    uint8_t *data = values->blocks[row >> values->shift].data;
    return way_write(data, way_offset(values, row), values->size, value);
}

kith_result ki_way_take_sparse(kith_world *world, kith_entity entity, ki_component *component)
{
    ki_sparse *set = &component->in.sparse;
    uint32_t *row1 = ki_sparse_row1_at(set, entity.index1 - 1);
    if (KI_UNLIKELY(row1 == NULL || *row1 == 0)) {
        return ki_untold(&world->store.context.heap, KITH_ERR_ABSENT);
    }
    if (KI_UNLIKELY(!ki_space_is_unseen(&world->store.space) ||
                    !way_note(component, entity, true))) {
        return ki_other_unset(&world->store, component, entity.index1 - 1);
    }
    uint32_t row = *row1 - 1;
    uint32_t last = --set->count;
    *row1 = 0;
    if (row == last) {
        return KITH_OK;
    }
    ki_sparse_fill(set, row, last);
    return set->values.size == 0 ? KITH_OK : way_fill(&set->values, row, last);
}

/* ---- KITH_SLOT ------------------------------------------------------------------------------- */

kith_result ki_way_set_slot(kith_world *world, kith_entity entity, ki_component *component,
                            const void *value)
{
    ki_slots *slots = &component->in.slots;
    const ki_column *values = &slots->values;
    uint32_t index = ki_handle_halves(entity).index1 - 1;
    uint64_t *word = ki_slots_word_at(slots, index / 64);
    if (KI_UNLIKELY(word == NULL)) {
        return way_add(world, entity, component, value);
    }
    uint64_t bit = (uint64_t)1 << index % 64;
    if ((*word & bit) != 0) {
        return way_overwrite(world, entity, component, value, values, index);
    }
    uint64_t *lanes = ki_lanes_place(&world->store.entities, index);
    if (KI_UNLIKELY(lanes == NULL || !way_is_plain(world))) {
        return way_add(world, entity, component, value);
    }
    uint8_t *data = NULL;
    if (values->size != 0) {
        data = KI_LIKELY(index < values->capacity) ? values->blocks[index >> values->shift].data
                                                   : NULL;
        if (KI_UNLIKELY(data == NULL)) {
            return way_add(world, entity, component, value);
        }
    }
    if (KI_UNLIKELY(!way_note(component, entity, false))) {
        return way_add(world, entity, component, value);
    }
    *word |= bit;
    *lanes |= component->lanes;
    slots->count++;
    return values->size == 0 ? KITH_OK
                             : way_write(data, way_offset(values, index), values->size, value);
}

kith_result ki_way_take_slot(kith_world *world, kith_entity entity, ki_component *component)
{
    ki_slots *slots = &component->in.slots;
    uint32_t index = entity.index1 - 1;
    uint64_t *word = ki_slots_word_at(slots, index / 64);
    uint64_t bit = (uint64_t)1 << index % 64;
    if (KI_UNLIKELY(word == NULL || (*word & bit) == 0)) {
        return ki_untold(&world->store.context.heap, KITH_ERR_ABSENT);
    }
    if (KI_UNLIKELY(!ki_space_is_unseen(&world->store.space) ||
                    !way_note(component, entity, true))) {
        return ki_other_unset(&world->store, component, entity.index1 - 1);
    }
    *word &= ~bit;
    slots->count--;
    return KITH_OK;
}
