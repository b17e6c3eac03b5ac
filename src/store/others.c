/* Components of other layouts come to many entities at once, and go. */
#include "store/store.h"

/* How many of these entities, beginning with the first, have slots that follow one another in one page
 * of lanes, and of rows of a sparse set. */
static uint32_t others_span(const kith_entity *entities, uint32_t count)
{
    uint32_t in_page = KI_BLOCK_ROWS_MAX - (entities->index1 - 1) % KI_BLOCK_ROWS_MAX;
    return ki_entities_span(entities, ki_min_u32(count, in_page));
}

/* Whether the slot of the second of them does not follow that of the first. */
static inline bool others_is_alone(const kith_entity *entities, uint32_t count)
{
    return count < 2 || entities[1].index1 != entities[0].index1 + 1;
}

/* Marks that an entity has something in the component's lanes, and many whose slots are in one page. */
static inline void others_enter(ki_store *store, const ki_component *component, uint32_t index)
{
    *KI_COLUMN_AT(uint64_t, &store->entities.lanes, index) |= component->lanes;
}

static KI_NOINLINE void others_enter_lanes(ki_store *store, const ki_component *component,
                                           uint32_t index, uint32_t count)
{
    uint64_t *lanes = KI_COLUMN_AT(uint64_t, &store->entities.lanes, index);
    for (uint32_t i = 0; i < count; i++) {
        lanes[i] |= component->lanes;
    }
}

/* How many numbers are 0, from the first on. */
static uint32_t others_zeros(const uint32_t *numbers, uint32_t count)
{
    uint32_t zeros = 0;
    for (; count - zeros >= 8; zeros += 8) {
        uint32_t any = 0;
        for (uint32_t i = 0; i < 8; i++) {
            any |= numbers[zeros + i];
        }
        if (any != 0) {
            break;
        }
    }
    while (zeros < count && numbers[zeros] == 0) {
        zeros++;
    }
    return zeros;
}

/* Puts entities into a sparse set as far as they are not in it; returns how many that were. */
static uint32_t others_fill_sparse(ki_store *store, ki_component *component,
                                   const kith_entity *entities, uint32_t count,
                                   const uint8_t *values, size_t stride)
{
    ki_sparse *set = &component->in.sparse;
    uint32_t done = 0;
    for (uint32_t span, fresh = 0; done < count; done += fresh) {
        uint32_t index = entities[done].index1 - 1;
        uint32_t *row1 = KI_COLUMN_AT(uint32_t, &set->rows, index);
        if (*row1 != 0) {
            break;
        }
        if (others_is_alone(entities + done, count - done)) {
            *row1 = set->count + done + 1;
            others_enter(store, component, index);
            fresh = 1;
            continue;
        }
        span = others_span(entities + done, count - done);
        fresh = others_zeros(row1, span);
        for (uint32_t i = 0; i < fresh; i++) {
            row1[i] = set->count + done + i + 1;
        }
        others_enter_lanes(store, component, index, fresh);
    }
    ki_column_write_rows(&set->entities, set->count, done, entities, false);
    ki_rows_write(&set->values, set->count, values, stride, done);
    set->count += done;
    return done;
}

/* The bits of slots in one word. */
static uint64_t others_bits(uint32_t index, uint32_t count)
{
    return (count == 64 ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1) << index % 64;
}

/* The same for a slot array, one by one as long as no slots follow one another. */
static uint32_t others_fill_alone(ki_store *store, ki_component *component,
                                  const kith_entity *entities, uint32_t count,
                                  const uint8_t *values, size_t stride)
{
    ki_slots *slots = &component->in.slots;
    uint32_t done = 0;
    for (; done < count && others_is_alone(entities + done, count - done); done++) {
        uint32_t index = entities[done].index1 - 1;
        uint64_t *word = ki_column_at(&slots->bits, index / 64);
        uint64_t bit = (uint64_t)1 << index % 64;
        if ((*word & bit) != 0) {
            break;
        }
        *word |= bit;
        others_enter(store, component, index);
        if (slots->values.size != 0) {
            ki_copy_usual(ki_column_at(&slots->values, index),
                          values == NULL ? NULL : values + done * stride, slots->values.size);
        }
    }
    slots->count += done;
    return done;
}

/* The same as far as slots follow one another. */
static uint32_t others_fill_slots(ki_store *store, ki_component *component,
                                  const kith_entity *entities, uint32_t count,
                                  const uint8_t *values, size_t stride)
{
    if (others_is_alone(entities, count)) {
        return others_fill_alone(store, component, entities, count, values, stride);
    }
    ki_slots *slots = &component->in.slots;
    uint32_t first = entities->index1 - 1;
    uint32_t span = others_span(entities, count);
    uint32_t done = 0;
    while (done < span) {
        uint32_t step = ki_min_u32(span - done, 64 - (first + done) % 64);
        uint64_t *word = ki_column_at(&slots->bits, (first + done) / 64);
        uint64_t there = *word >> (first + done) % 64;
        uint32_t fresh = there == 0 ? step : ki_min_u32(step, ki_lowest_bit(there));
        if (fresh != 0) {
            *word |= others_bits(first + done, fresh);
        }
        done += fresh;
        if (fresh < step) {
            break;
        }
    }
    others_enter_lanes(store, component, first, done);
    ki_rows_write(&slots->values, first, values, stride, done);
    slots->count += done;
    return done;
}

/* Overwrites values as long as they are there; returns how many that were. */
static uint32_t others_overwrite(ki_component *component, const kith_entity *entities,
                                 uint32_t count, const uint8_t *values, size_t stride, bool keeps)
{
    uint32_t done = 0;
    for (; done < count; done++) {
        uint32_t index = entities[done].index1 - 1;
        if (!ki_other_has(component, index)) {
            break;
        }
        if (!keeps) {
            ki_other_write(component, index, values);
        }
        values = values == NULL ? NULL : values + stride;
    }
    return done;
}

void ki_other_put(ki_store *store, ki_component *component, const kith_entity *entities,
                  uint32_t count, const uint8_t *values, size_t stride, bool keeps)
{
    bool sparse = component->layout == KITH_SPARSE;
    while (count > 0) {
        uint32_t step = sparse
                            ? others_fill_sparse(store, component, entities, count, values, stride)
                            : others_fill_slots(store, component, entities, count, values, stride);
        if (component->track != NULL) {
            ki_track_append_slow(component->track, entities, step);
        }
        if (step == 0) {
            step = others_overwrite(component, entities, count, values, stride, keeps);
        }
        entities += step;
        count -= step;
        values = values == NULL ? NULL : values + step * stride;
    }
}

uint32_t ki_other_count_in(const ki_component *component, uint32_t first, uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t step; count > 0; first += step, count -= step) {
        if (component->layout == KITH_SPARSE) {
            step = ki_min_u32(count, KI_BLOCK_ROWS_MAX - first % KI_BLOCK_ROWS_MAX);
            /* The first page may be a small one. */
            uint32_t pages = component->in.sparse.rows.capacity;
            const uint32_t *row1 = ki_sparse_row1_at(&component->in.sparse, first);
            uint32_t there = row1 == NULL ? 0 : ki_min_u32(step, pages - first);
            for (uint32_t i = 0; i < there; i++) {
                found += row1[i] != 0;
            }
        } else {
            step = ki_min_u32(count, 64 - first % 64);
            uint64_t word = ki_slots_word(&component->in.slots, first / 64);
            found += ki_bit_count(word & others_bits(first, step));
        }
    }
    return found;
}

/* Takes a component without hooks from those that have it, where nobody has looked, so that there is
 * nothing to stamp. */
static void others_take_sparse(ki_component *component, const kith_entity *entities, uint32_t count)
{
    ki_sparse *set = &component->in.sparse;
    uint32_t last = set->count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = entities[i].index1 - 1;
        uint32_t *row1 = ki_sparse_row1_at(set, index);
        if (row1 == NULL || *row1 == 0) {
            continue;
        }
        uint32_t hole = *row1 - 1;
        last--;
        ki_sparse_fill(set, hole, last);
        *row1 = 0; /* also if it is the one that moved */
        if (set->values.size != 0 && hole != last) {
            ki_copy_usual(ki_column_at(&set->values, hole), ki_column_at(&set->values, last),
                          set->values.size);
        }
    }
    set->count = last;
}

static void others_take_slots(ki_component *component, const kith_entity *entities, uint32_t count)
{
    ki_slots *slots = &component->in.slots;
    uint32_t taken = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = entities[i].index1 - 1;
        uint64_t *word = ki_slots_word_at(slots, index / 64);
        uint64_t bit = (uint64_t)1 << index % 64;
        if (word != NULL && (*word & bit) != 0) {
            *word &= ~bit;
            taken++;
        }
    }
    slots->count -= taken;
}

void ki_other_take(ki_store *store, ki_component *component, const kith_entity *entities,
                   uint32_t count)
{
    if (KI_LIKELY(ki_space_is_unseen(&store->space) && component->track == NULL &&
                  component->hooks == NULL)) {
        if (component->layout == KITH_SPARSE) {
            others_take_sparse(component, entities, count);
        } else {
            others_take_slots(component, entities, count);
        }
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = entities[i].index1 - 1;
        if (ki_other_has(component, index)) {
            ki_other_touch_removal(store, component, index);
            ki_other_remove(store, component, index);
        }
    }
}

#define OTHERS_FEW 8u

/* The components in these lanes, in order; returns how many there are, or one more than `few` has room
 * for. */
static uint32_t others_in_lanes(const ki_store *store, uint64_t lanes, ki_component **few)
{
    uint32_t found = 0;
    uint32_t count = store->other_count;
    for (uint32_t i = ki_lanes_next(lanes, 0, count); i < count;
         i = ki_lanes_next(lanes, i + 1, count)) {
        if (found == OTHERS_FEW) {
            return found + 1;
        }
        few[found++] = store->others[i];
    }
    return found;
}

/* Lets slots forget which lanes they had components in. */
static void others_leave_lanes(const ki_store *store, const kith_entity *entities, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t *lanes = ki_lanes_place(&store->entities, entities[i].index1 - 1);
        if (lanes != NULL) {
            *lanes = 0;
        }
    }
}

void ki_others_take(ki_store *store, const kith_entity *entities, uint32_t count)
{
    uint64_t lanes = 0;
    for (uint32_t i = 0; i < count; i++) {
        lanes |= ki_lanes_at(&store->entities, entities[i].index1 - 1);
    }
    ki_component *few[OTHERS_FEW];
    uint32_t found = others_in_lanes(store, lanes, few);
    if (found == 0) {
        return;
    }
    if (found <= OTHERS_FEW) {
        for (uint32_t k = 0; k < found; k++) {
            ki_other_take(store, few[k], entities, count);
        }
        others_leave_lanes(store, entities, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        ki_others_touch_removal(store, entities[i].index1 - 1);
        ki_others_remove(store, entities[i].index1 - 1);
    }
}
