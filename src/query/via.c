/* All is found by the checked lookups that programs compile in: a target that is dead, or a slot that
 * another entity has by now, leads nowhere. */
#include "query/via.h"

/* The target of an entity; KITH_NONE: it is dead, or does not have the relation. */
static inline kith_entity via_target(const ki_component *relation, kith_entity entity)
{
    const struct kith_place_ *place = &relation->place;
    const void *value = kith_value_(place, entity, place->size, false);
    kith_entity target = KITH_NONE;
    if (value != NULL) {
        memcpy(&target, value, sizeof target);
    }
    return target;
}

/* Goes on from `entity` to the first one that has the component, itself or along a relation, which has
 * no circles. */
static kith_entity via_climb(const ki_via *via, kith_entity entity)
{
    const ki_component *relation = via->steps[via->step_count - 1];
    while (!kith_is_none(entity) && !kith_is_at_(&via->component->place, entity)) {
        entity = via_target(relation, entity);
    }
    return entity;
}

/* Follows the relations from number `first` to before `end`; the entity that it ends at may be dead. */
static kith_entity via_follow(const ki_via *via, kith_entity entity, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end && !kith_is_none(entity); i++) {
        entity = via_target(via->steps[i], entity);
    }
    return entity;
}

/* Goes on from the target of the first relation. */
static kith_entity via_go_on(const ki_via *via, kith_entity entity)
{
    entity = via_follow(via, entity, 1, via->step_count);
    return via->nearest ? via_climb(via, entity) : entity;
}

kith_entity ki_via_find(const ki_store *store, const ki_via *via, kith_entity entity)
{
    kith_entity found = via_go_on(via, via_target(via->steps[0], entity));
    return ki_record_of(&store->entities, found) == NULL ? KITH_NONE : found;
}

bool ki_via_lacks(const ki_store *store, const ki_via *via, kith_entity entity)
{
    uint32_t last = via->step_count - via->nearest;
    kith_entity from = via_follow(via, entity, 0, last);
    if (ki_record_of(&store->entities, from) == NULL) {
        return false;
    }
    return via->nearest ? kith_is_none(via_climb(via, via_target(via->steps[last], from)))
                        : !kith_is_at_(&via->component->place, from);
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

/* Finds the targets of the first relation. */
static void via_first(const ki_via *via, const ki_driver *driver, uint32_t row, uint64_t asked,
                      kith_entity *targets)
{
    const ki_component *relation = via->steps[0];
    const ki_column *column = ki_driver_column(driver, relation);
    if (column != NULL && driver->kind != KI_DRIVE_SLOTS) {
        uint32_t rows = 64 - KI_CLZ64(asked);
        const uint8_t *values = ki_column_at(column, row);
        size_t size = column->size;
        bool together = ki_column_run(column, row, rows) == rows;
        VIA_FOR_EACH(asked, i, {
            const uint8_t *value = together ? values + i * size : ki_column_at(column, row + i);
            memcpy(&targets[i], value, sizeof *targets);
        });
        return;
    }
    const kith_entity *handles = ki_driver_entities(driver, row);
    const ki_entities *entities = &driver->query->store->entities;
    VIA_FOR_EACH(asked, i, {
        kith_entity entity = handles != NULL ? handles[i] : ki_entity_at(entities, row + i);
        targets[i] = via_target(relation, entity);
    });
}

/* The bits of the entities that have a component, whose values are found by `find`. */
#define VIA_VALUES_OF(find)                                                                        \
    VIA_FOR_EACH(asked, i, {                                                                       \
        const void *value = kith_value_in_(&place, find(&place, targets[i]), place.size, false);   \
        values[i] = value;                                                                         \
        found |= (uint64_t)(value != NULL) << i;                                                   \
    })

/* Finds the values of a component of other entities. A copy of its place is what compilers may keep in
 * registers while values are stored. */
static uint64_t via_values_of(const ki_component *component, uint64_t asked,
                              const kith_entity *targets, const void **values)
{
    const struct kith_place_ place = component->place;
    uint64_t found = 0;
    if (place.size == 0) {
        VIA_FOR_EACH(asked, i, { found |= (uint64_t)kith_is_at_(&place, targets[i]) << i; });
        return found;
    }
    switch (component->layout) {
    case KITH_TABLE: VIA_VALUES_OF(kith_find_in_table_); break;
    case KITH_SPARSE: VIA_VALUES_OF(kith_find_in_set_); break;
    case KITH_SLOT: VIA_VALUES_OF(kith_find_in_slots_); break;
    }
    return found;
}

uint64_t ki_via_values(const ki_via *via, const ki_driver *driver, uint32_t row, uint64_t asked,
                       const void **values)
{
    kith_entity targets[64];
    if (asked == 0) {
        return 0;
    }
    via_first(via, driver, row, asked, targets);
    if (via->step_count > 1 || via->nearest) {
        kith_entity from = KITH_NONE; /* siblings have the same parent, often one after the other */
        kith_entity to = KITH_NONE;
        VIA_FOR_EACH(asked, i, {
            if (!kith_entity_equal(targets[i], from)) {
                from = targets[i];
                to = via_go_on(via, from);
            }
            targets[i] = to;
        });
    }
    return via_values_of(via->component, asked, targets, values);
}
