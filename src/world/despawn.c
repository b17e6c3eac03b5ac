/* Ends entities. KI_NOINLINE keeps the usual case of a call without a stack frame: the rows destroy of
 * the bench take up to 5 % more without. */
#include "store/transition.h"
#include "world/ends.h"
#include "world/first_use.h"

/* ---- One -------------------------------------------------------------------------------------- */

/* Ends a living entity that some relation leads to. */
static kith_result despawn_target(kith_world *world, kith_entity entity)
{
    ki_ends ends;
    KI_TRY(ki_ends_reserve(&ends, world, "kith_despawn", &entity, 1));
    ki_ends_commit(&ends);
    return KITH_OK;
}

/* Ends a living entity of a world with relations. Most have no sources. */
static KI_NOINLINE kith_result despawn_linked(kith_world *world, kith_entity entity)
{
    ki_store *store = &world->store;
    uint32_t index = entity.index1 - 1;
    for (uint32_t i = 0; i < store->relation_count; i++) {
        if (ki_relation_link(store->relations[i], index).first1 != 0) {
            return despawn_target(world, entity);
        }
    }
    const uint32_t begin = ki_link_changes_begin(store);
    kith_result result = ki_link_changes_cut_all(store, index);
    if (result == KITH_OK) {
        result = ki_transition_end(store, entity, ki_record_at(&store->entities, index));
    }
    return ki_link_changes_end(store, begin, result);
}

static inline kith_result despawn_one(kith_world *world, kith_entity entity)
{
    ki_store *store = &world->store;
    ki_record *record = ki_record_of(&store->entities, entity);
    if (record == NULL) {
        return ki_world_dead(world, "kith_despawn", entity);
    }
    return store->relation_count == 0 ? ki_transition_end(store, entity, record)
                                      : despawn_linked(world, entity);
}

/* kith_despawn where it is not known that the world may be changed. */
static KI_NOINLINE kith_result despawn_slow(kith_world *world, kith_entity entity)
{
    KI_TRY(ki_world_require_change(world, "kith_despawn"));
    return despawn_one(world, entity);
}

kith_result kith_despawn(kith_world *world, kith_entity entity)
{
    return ki_world_may_change(world) ? despawn_one(world, entity) : despawn_slow(world, entity);
}

/* ---- Many ------------------------------------------------------------------------------------- */

kith_result kith_despawn_many(kith_world *world, const kith_entity *entities, uint32_t count,
                              uint32_t *ended)
{
    KI_TRY(ki_world_begin_change(world, "kith_despawn_many"));
    if (KI_CHECKED && entities == NULL && count != 0) {
        return ki_misuse(&world->store.context,
                         "kith_despawn_many: %u handles, but their address is NULL", count);
    }
    uint32_t alive = ki_entities_alive(&world->store.entities);
    ki_ends ends;
    KI_TRY(ki_ends_reserve(&ends, world, "kith_despawn_many", entities, count));
    ki_ends_commit(&ends);
    if (ended != NULL) {
        *ended = alive - ki_entities_alive(&world->store.entities);
    }
    return KITH_OK;
}
