/* The ways of components: how one value is set, and taken, where nothing stands in the way. */
#ifndef KI_WORLD_WAY_H
#define KI_WORLD_WAY_H

#include "world/world.h"

/* Sets a component of a living entity, or with `keep` only adds it where it is missing: whatever it is,
 * and whatever state the world is in. */
kith_result ki_change_set(kith_world *world, const char *call, kith_entity entity,
                          ki_component *component, const void *value, bool keep);

/* Takes a component from a living entity, likewise. */
kith_result ki_change_remove(kith_world *world, kith_entity entity, ki_component *component);

/* For a value: zero bytes, unless there is a value, which stays. */
extern const uint32_t ki_way_keep[KI_FEW_MAX / 4];

/* The ways of values without hooks, by layout, and of all others. */
kith_result ki_way_set_table(kith_world *world, kith_entity entity, ki_component *component,
                             const void *value, ki_record *record);
kith_result ki_way_set_sparse(kith_world *world, kith_entity entity, ki_component *component,
                              const void *value);
kith_result ki_way_set_slot(kith_world *world, kith_entity entity, ki_component *component,
                            const void *value);
kith_result ki_way_set_other(kith_world *world, kith_entity entity, ki_component *component,
                             const void *value);
kith_result ki_way_take_table(kith_world *world, kith_entity entity, ki_component *component,
                              ki_record *record);
/* The same from this table, in whatever state the world is that may change. */
kith_result ki_way_take_step(kith_world *world, kith_entity entity, const ki_component *component,
                             const ki_table *table);
kith_result ki_way_take_sparse(kith_world *world, kith_entity entity, ki_component *component);
kith_result ki_way_take_slot(kith_world *world, kith_entity entity, ki_component *component);

/* Sets the component of a living entity, for the thread that owns the world. Branches, and no pointer to
 * a function: those are slow where a processor is told not to foresee where they lead. */
static inline kith_result ki_way_set(kith_world *world, kith_entity entity, ki_component *component,
                                     const void *value, ki_record *record)
{
    if (KI_UNLIKELY(component->hooks != NULL)) {
        return ki_way_set_other(world, entity, component, value);
    }
    if (component->layout == KITH_TABLE) {
        return ki_way_set_table(world, entity, component, value, record);
    }
    return component->layout == KITH_SPARSE ? ki_way_set_sparse(world, entity, component, value)
                                            : ki_way_set_slot(world, entity, component, value);
}

/* Takes it, where the structure may change. */
static inline kith_result ki_way_take(kith_world *world, kith_entity entity,
                                      ki_component *component, ki_record *record)
{
    if (KI_UNLIKELY(component->hooks != NULL)) {
        return ki_change_remove(world, entity, component);
    }
    if (component->layout == KITH_TABLE) {
        return ki_way_take_table(world, entity, component, record);
    }
    return component->layout == KITH_SPARSE ? ki_way_take_sparse(world, entity, component)
                                            : ki_way_take_slot(world, entity, component);
}

#endif
