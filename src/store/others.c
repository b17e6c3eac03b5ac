/* Components of other layouts come to many entities at once, and go. */
#include "store/store.h"

/* Marks that an entity has something in the component's lane. */
static void others_enter_lane(ki_store *store, const ki_component *component, uint32_t index)
{
    *KI_COLUMN_AT(uint64_t, &store->entities.lanes, index) |= component->lane;
}

/* Puts entities into a sparse set as far as they are not in it; returns how many that were. */
static uint32_t others_fill_sparse(ki_store *store, ki_component *component,
                                   const kith_entity *entities, uint32_t count,
                                   const uint8_t *values, size_t stride)
{
    ki_sparse *set = &component->in.sparse;
    uint32_t done = 0;
    for (; done < count; done++) {
        uint32_t index = entities[done].index1 - 1;
        uint32_t *row1 = KI_COLUMN_AT(uint32_t, &set->rows, index);
        if (*row1 != 0) {
            break;
        }
        *row1 = set->count + done + 1;
        others_enter_lane(store, component, index);
    }
    ki_column_write_rows(&set->entities, set->count, done, entities, false);
    ki_rows_write(&set->values, set->count, values, stride, done);
    set->count += done;
    return done;
}

/* The same for a slot array, and as far as slots follow one another. */
static uint32_t others_fill_slots(ki_store *store, ki_component *component,
                                  const kith_entity *entities, uint32_t count,
                                  const uint8_t *values, size_t stride)
{
    ki_slots *slots = &component->in.slots;
    uint32_t first = entities[0].index1 - 1;
    uint32_t done = 0;
    for (; done < count && entities[done].index1 - 1 == first + done; done++) {
        uint32_t index = first + done;
        uint64_t *word = ki_column_at(&slots->bits, index / 64);
        uint64_t bit = (uint64_t)1 << index % 64;
        if ((*word & bit) != 0) {
            break;
        }
        *word |= bit;
        others_enter_lane(store, component, index);
    }
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
            ki_track_append(component->track, entities, step);
        }
        if (step == 0) {
            step = others_overwrite(component, entities, count, values, stride, keeps);
        }
        entities += step;
        count -= step;
        values = values == NULL ? NULL : values + step * stride;
    }
}

void ki_other_take(ki_store *store, ki_component *component, const kith_entity *entities,
                   uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = entities[i].index1 - 1;
        if (ki_other_has(component, index)) {
            ki_other_touch_removal(store, component, index);
            ki_other_remove(store, component, index);
        }
    }
}

#define OTHERS_FEW 8u

/* The components in these lanes, as far as `few` has room; returns how many there are. */
static uint32_t others_in_lanes(const ki_store *store, uint64_t lanes, ki_component **few)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < store->other_count && lanes != 0; i++) {
        if ((lanes >> i % KI_LANES & 1) != 0) {
            if (found < OTHERS_FEW) {
                few[found] = store->others[i];
            }
            found++;
        }
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
