#include "store/storage.h"

bool ki_storage_mark_removal(ki_column_context *columns, ki_component *component, uint32_t index)
{
    if (component->change_log != NULL &&
        ki_change_log_reserve(columns->heap, component->change_log, 1, true) != KITH_OK) {
        return false;
    }
    return component->layout == KITH_SPARSE
               ? ki_sparse_mark_removal(columns, &component->in.sparse, index)
               : ki_slots_mark_removal(columns, &component->in.slots, index);
}

void ki_storage_note_lost(ki_component *component, kith_entity entity)
{
    uint32_t row;
    ki_column *values = ki_storage_locate(component, entity.index1 - 1, &row);
    ki_change_log_note(component->change_log, entity, true, values, row);
}

kith_result ki_storage_take_logged(ki_column_context *columns, ki_component *component,
                                   kith_entity entity)
{
    if (!ki_storage_has(component, entity.index1 - 1)) {
        return ki_without_message(columns->heap, KITH_ERR_ABSENT);
    }
    if (!ki_storage_mark_removal(columns, component, entity.index1 - 1)) {
        return KITH_ERR_MEMORY;
    }
    ki_storage_remove(component, entity);
    return KITH_OK;
}

bool ki_storage_mark_value(ki_column_context *columns, ki_component *component, uint32_t index)
{
    uint32_t row;
    ki_column *values = ki_storage_locate(component, index, &row);
    if (component->layout == KITH_SLOT && values->size == 0) {
        return ki_column_mark(columns, &component->in.slots.bits, index / 64);
    }
    return ki_column_mark(columns, values, row);
}

void ki_storage_write(ki_component *component, uint32_t index, const void *value)
{
    uint32_t row;
    ki_column *values = ki_storage_locate(component, index, &row);
    ki_column_write(values, row, value);
}

/* log2 of the slots that one page of each of the component's columns is good for. */
static uint32_t storage_page_shift(const ki_entities *entities, const ki_component *component)
{
    const ki_slots *slots = &component->in.slots;
    uint32_t shift = component->layout == KITH_SPARSE ? component->in.sparse.index.shift
                     : slots->values.size == 0        ? slots->bits.shift + 6u
                                                      : slots->values.shift;
    return ki_min_u32(shift, entities->summary.shift);
}

kith_result ki_storage_reserve_slots(ki_column_context *columns, ki_entities *entities,
                                     ki_component *component, uint32_t first, uint32_t count)
{
    uint32_t shift = storage_page_shift(entities, component);
    while (count > 0) { /* from the end: page 0 is as large as its highest slot asks, if small */
        uint32_t last = first + count - 1;
        KI_TRY(ki_storage_reserve_index(columns, entities, component, last));
        uint32_t page = last >> shift << shift;
        count = page > first ? page - first : 0;
    }
    return KITH_OK;
}

bool ki_storage_mark_leaving_each(ki_column_context *columns, ki_component *component,
                                  const uint32_t *indexes, uint32_t count, uint32_t *found)
{
    if (component->layout == KITH_SPARSE) {
        return ki_sparse_mark_leaving_each(columns, &component->in.sparse, indexes, count, found);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!ki_slots_has(&component->in.slots, indexes[i])) {
            continue;
        }
        ++*found;
        if (!ki_slots_mark_removal(columns, &component->in.slots, indexes[i])) {
            return false;
        }
    }
    return true;
}

bool ki_storage_mark_leaving_span(ki_column_context *columns, ki_component *component,
                                  uint32_t first, uint32_t count)
{
    return component->layout == KITH_SPARSE
               ? ki_sparse_mark_leaving_span(columns, &component->in.sparse, first, count)
               : ki_slots_mark_span(columns, &component->in.slots, first, count);
}

bool ki_storage_mark_value_span(ki_column_context *columns, ki_component *component, uint32_t first,
                                uint32_t count)
{
    ki_slots *slots = &component->in.slots;
    if (component->layout == KITH_SPARSE) {
        return ki_sparse_mark_values_span(columns, &component->in.sparse, first, count);
    }
    return slots->values.size == 0 ? ki_column_mark_rows(columns, &slots->bits, first / 64,
                                                         (first + count - 1) / 64 - first / 64 + 1)
                                   : ki_column_mark_rows(columns, &slots->values, first, count);
}

/* The bits of slots that follow one another in one word. */
static uint64_t storage_bits(uint32_t index, uint32_t count)
{
    return (count == 64 ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1) << index % 64;
}

uint32_t ki_storage_count_in(const ki_component *component, uint32_t first, uint32_t count)
{
    uint32_t found = 0;
    if (component->layout == KITH_SLOT) {
        for (uint32_t step; count > 0; first += step, count -= step) {
            step = ki_min_u32(count, 64 - first % 64);
            uint64_t word = ki_slots_word(&component->in.slots, first / 64);
            found += ki_bit_count(word & storage_bits(first, step));
        }
        return found;
    }
    const ki_column *index = &component->in.sparse.index;
    for (uint32_t step; count > 0 && first < index->capacity; first += step, count -= step) {
        step = ki_column_run(index, first, ki_min_u32(count, index->capacity - first));
        const uint32_t *row1 = ki_sparse_row1_at(&component->in.sparse, first);
        uint32_t in_page = row1 == NULL ? 0 : step;
        for (uint32_t i = 0; i < in_page; i++) {
            found += row1[i] != 0;
        }
    }
    return found;
}

/* Gives the component to entities that lack it and whose slots follow one another in a page. */
static void storage_insert_span(ki_entities *all, ki_component *component,
                                const kith_entity *entities, uint32_t count, const uint8_t *values,
                                size_t stride)
{
    uint32_t first = entities->index1 - 1;
    uint64_t *summary = KI_COLUMN_AT(uint64_t, &all->summary, first);
    for (uint32_t i = 0; i < count; i++) {
        summary[i] |= component->summary;
    }
    if (component->layout == KITH_SPARSE) {
        ki_sparse *set = &component->in.sparse;
        uint32_t *row1 = KI_COLUMN_AT(uint32_t, &set->index, first);
        for (uint32_t i = 0; i < count; i++) {
            row1[i] = set->rows.count + i + 1;
        }
        ki_column_write_rows(&set->rows.entities, set->rows.count, count, entities,
                             sizeof *entities);
        ki_column_write_rows(&set->values, set->rows.count, count, values, stride);
        set->rows.count += count;
    } else {
        ki_slots *slots = &component->in.slots;
        for (uint32_t done = 0, step; done < count; done += step) {
            step = ki_min_u32(count - done, 64 - (first + done) % 64);
            *ki_slots_word_at(slots, (first + done) / 64) |= storage_bits(first + done, step);
        }
        ki_column_write_rows(&slots->values, first, count, values, stride);
        slots->count += count;
    }
    if (component->change_log != NULL) {
        ki_change_log_append(component->change_log, entities, count);
    }
}

/* Overwrites the component of entities that have it, and whose slots follow one another in a page. */
static void storage_overwrite_span(ki_component *component, uint32_t first, uint32_t count,
                                   const uint8_t *values, size_t stride)
{
    if (component->layout == KITH_SLOT) {
        ki_column_write_rows(&component->in.slots.values, first, count, values, stride);
        return;
    }
    ki_sparse *set = &component->in.sparse;
    const uint32_t *row1 = KI_COLUMN_AT(const uint32_t, &set->index, first);
    for (uint32_t i = 0; i < count; i++) {
        ki_column_write(&set->values, row1[i] - 1, values == NULL ? NULL : values + i * stride);
    }
}

/* Gives the component to one entity, or overwrites it. */
static inline void storage_put_one(ki_entities *all, ki_component *component, kith_entity entity,
                                   const void *value, bool keeps)
{
    if (!ki_storage_has(component, entity.index1 - 1)) {
        ki_storage_insert(all, component, entity, value);
    } else if (!keeps) {
        ki_storage_write(component, entity.index1 - 1, value);
    }
}

#define OTHER_SPAN_MIN 8u /* for fewer it is not worth to look */

/* How many of the entities have slots that follow one another in a page; if few do, it may say fewer. */
static uint32_t storage_span(const kith_entity *entities, uint32_t count, bool consecutive_slots)
{
    uint32_t first = entities->index1;
    count = ki_min_u32(count, KI_BLOCK_ROWS_MAX - (first - 1) % KI_BLOCK_ROWS_MAX);
    if (consecutive_slots) {
        return count;
    }
    return count >= OTHER_SPAN_MIN &&
                   entities[OTHER_SPAN_MIN - 1].index1 == first + OTHER_SPAN_MIN - 1
               ? ki_entities_span(entities, count)
               : 1;
}

void ki_storage_put(ki_entities *all, ki_component *component, const kith_entity *entities,
                    uint32_t count, bool consecutive_slots, const uint8_t *values, size_t stride,
                    bool keeps)
{
    while (count > 0) {
        uint32_t step = storage_span(entities, count, consecutive_slots);
        uint32_t first = entities->index1 - 1;
        bool span = step >= OTHER_SPAN_MIN;
        uint32_t there = span ? ki_storage_count_in(component, first, step) : 0;
        if (span && there == 0) {
            storage_insert_span(all, component, entities, step, values, stride);
        } else if (span && there == step && !keeps) {
            storage_overwrite_span(component, first, step, values, stride);
        } else {
            step = span ? step : ki_min_u32(count, OTHER_SPAN_MIN);
            for (uint32_t i = 0; i < step; i++) {
                storage_put_one(all, component, entities[i],
                                values == NULL ? NULL : values + i * stride, keeps);
            }
        }
        values = values == NULL ? NULL : values + step * stride;
        entities += step;
        count -= step;
    }
}

/* Takes the component from entities that have it, and whose slots follow one another in a page. */
static void storage_remove_span(ki_slots *slots, uint32_t first, uint32_t count)
{
    for (uint32_t done = 0, step; done < count; done += step) {
        step = ki_min_u32(count - done, 64 - (first + done) % 64);
        *ki_slots_word_at(slots, (first + done) / 64) &= ~storage_bits(first + done, step);
    }
    slots->count -= count;
}

static void storage_take_each(ki_component *component, const kith_entity *entities, uint32_t count)
{
    if (component->layout == KITH_SPARSE && component->change_log == NULL) {
        ki_sparse *set = &component->in.sparse;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t *row1 = ki_sparse_row1_at(set, entities[i].index1 - 1);
            if (row1 != NULL && *row1 != 0) {
                ki_sparse_remove(set, row1);
            }
        }
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (ki_storage_has(component, entities[i].index1 - 1)) {
            ki_storage_remove(component, entities[i]);
        }
    }
}

void ki_storage_take(ki_component *component, const kith_entity *entities, uint32_t count,
                     bool consecutive_slots)
{
    bool spans =
        component->simple && component->change_log == NULL && component->layout == KITH_SLOT;
    for (uint32_t step; count > 0; entities += step, count -= step) {
        uint32_t index = entities->index1 - 1;
        step = spans ? storage_span(entities, count, consecutive_slots) : count;
        if (spans && step >= OTHER_SPAN_MIN &&
            ki_storage_count_in(component, index, step) == step) {
            storage_remove_span(&component->in.slots, index, step);
        } else {
            step = step >= OTHER_SPAN_MIN ? step : ki_min_u32(count, OTHER_SPAN_MIN);
            storage_take_each(component, entities, step);
        }
    }
}
