#include "store/value_diff.h"

#include "store/table_logs.h"

/* Whether two values are the same except for padding. */
static bool diff_same(const kith_type *type, const char *a, const char *b)
{
    if (memcmp(a, b, type->size) == 0) {
        return true;
    }
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        if (field->kind != KITH_PADDING &&
            memcmp(a + field->offset, b + field->offset, field->size) != 0) {
            return false;
        }
    }
    return true;
}

/* Compares the value of one entity with what was seen of it. */
static kith_result diff_look(ki_store *store, const ki_component *component, kith_entity entity,
                             const void *value)
{
    ki_value_diff *value_diff = component->value_diff;
    uint32_t index = entity.index1 - 1;
    uint32_t size = component->type->size;
    uint64_t hash;
    if (component->hooks != NULL) {
        hash = ki_hooks_hash(component->hooks, value);
        value = &hash;
        size = sizeof hash;
    }
    const ki_seen *was = ki_column_has_page(&value_diff->seen, index)
                             ? ki_column_at(&value_diff->seen, index)
                             : NULL;
    bool same = was != NULL && was->changed != 0 && was->generation == entity.generation &&
                (component->hooks != NULL
                     ? memcmp(was + 1, value, size) == 0
                     : diff_same(component->type, (const char *)(was + 1), value));
    if (!same) {
        ki_seen *seen;
        KI_TRY(ki_value_diff_reserve(&store->columns, value_diff, index, &seen));
        *seen = (ki_seen){.changed = store->columns.write_clock, .generation = entity.generation};
        memcpy(seen + 1, value, size);
    }
    return KITH_OK;
}

/* Looks at rows of a dense storage, block by block. */
static kith_result diff_look_rows(ki_store *store, const ki_component *component,
                                  const ki_column *entities, const ki_column *values,
                                  uint32_t count)
{
    for (uint64_t first = 0; first < count; first = ki_column_block_end(values, (uint32_t)first)) {
        if (ki_column_stamp(values, (uint32_t)first) <= component->value_diff->refreshed) {
            continue;
        }
        uint64_t end = ki_column_block_end(values, (uint32_t)first);
        for (uint32_t row = (uint32_t)first; row < end && row < count; row++) {
            KI_TRY(diff_look(store, component, *KI_COLUMN_AT(kith_entity, entities, row),
                             ki_column_at(values, row)));
        }
    }
    return KITH_OK;
}

static kith_result diff_look_slots(ki_store *store, const ki_component *component)
{
    const ki_slots *slots = &component->in.slots;
    uint32_t end = store->entities.slots;
    for (uint32_t index = ki_slots_next(slots, 0, end); index < end;
         index = ki_slots_next(slots, index + 1, end)) {
        if (ki_slots_stamp(slots, index) > component->value_diff->refreshed) {
            KI_TRY(diff_look(store, component, ki_entity_at(&store->entities, index),
                             ki_column_at(&slots->values, index)));
        }
    }
    return KITH_OK;
}

static kith_result diff_look_tables(ki_store *store, const ki_component *component)
{
    const ki_bitset *tables = &component->in.tables;
    for (uint32_t id = ki_bitset_next(tables, 0); id != UINT32_MAX;
         id = ki_bitset_next(tables, id + 1)) {
        const ki_rows *rows = &store->tables[id]->rows;
        KI_TRY(diff_look_rows(store, component, &rows->entities,
                              ki_table_column(store->tables[id], component->id), rows->count));
    }
    return KITH_OK;
}

kith_result ki_value_diff_make(ki_store *store, uint32_t size, ki_value_diff **value_diff)
{
    ki_heap *heap = &store->context.heap;
    KI_TRY(ki_heap_grow(heap, &store->exact, &store->exact_capacity, store->exact_count + 1,
                        sizeof(ki_component *), 2));
    *value_diff = ki_value_diff_new(heap, size);
    return *value_diff == NULL ? KITH_ERR_MEMORY : KITH_OK;
}

void ki_value_diff_begin(ki_store *store, ki_component *component, ki_value_diff *value_diff)
{
    component->value_diff = value_diff;
    store->exact[store->exact_count++] = component;
}

/* Has the component's change log tell of losses. */
static kith_result diff_follow(ki_store *store, ki_component *component)
{
    if (component->change_log == NULL) {
        KI_TRY(ki_table_logs_begin(store, component));
    }
    component->change_log->value_diff = component->value_diff;
    return KITH_OK;
}

kith_result ki_value_diff_fork(ki_store *store, ki_component *component, const ki_component *from)
{
    ki_value_diff *value_diff;
    const uint32_t size = from->hooks != NULL ? sizeof(uint64_t) : from->type->size;
    KI_TRY(ki_value_diff_make(store, size, &value_diff));
    ki_value_diff_begin(store, component, value_diff);
    const bool followed = from->change_log != NULL && from->change_log->value_diff != NULL;
    return followed ? diff_follow(store, component) : KITH_OK;
}

kith_result ki_value_diff_refresh(ki_store *store, ki_component *component)
{
    ki_value_diff *value_diff = component->value_diff;
    KI_TRY(diff_follow(store, component));
    KI_TRY(ki_value_diff_settle(&store->columns, value_diff));
    const ki_sparse *set = &component->in.sparse;
    switch (component->layout) {
    case KITH_TABLE: KI_TRY(diff_look_tables(store, component)); break;
    case KITH_SPARSE:
        KI_TRY(
            diff_look_rows(store, component, &set->rows.entities, &set->values, set->rows.count));
        break;
    case KITH_SLOT: KI_TRY(diff_look_slots(store, component)); break;
    }
    value_diff->refreshed = store->columns.write_clock++;
    return KITH_OK;
}

bool ki_value_diff_changed(const ki_store *store, const ki_component *component, uint32_t index,
                           uint64_t looked)
{
    const ki_value_diff *value_diff = component->value_diff;
    uint64_t stamp = ki_store_stamp(store, component, index);
    if (value_diff == NULL || stamp > value_diff->refreshed || stamp <= looked) {
        return stamp > looked;
    }
    return ki_column_has_page(&value_diff->seen, index) &&
           ((const ki_seen *)ki_column_at(&value_diff->seen, index))->changed > looked;
}
