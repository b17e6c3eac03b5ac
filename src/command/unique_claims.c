/* Unique keys of what is applied: they are compared as they are after the last command, so that two
 * entities can exchange theirs. */
#include "command/unique_claims.h"

#include "world/guard.h"

/* Whether an entity of the group keeps the value that it has, whatever the command brings. */
static bool claims_keep(const ki_store *store, const ki_command_group *group,
                        const ki_pending *pending, kith_entity entity)
{
    if (!ki_pending_keeps(pending) || (group->state & (KI_GROUP_MADE | KI_GROUP_BARE)) != 0) {
        return false;
    }
    uint32_t index = entity.index1 - 1;
    return ki_store_has(store, ki_store_component(store, pending->component), index,
                        ki_record_at(&store->entities, index));
}

/* What a group's commands say about a component; NULL: nothing. */
static const ki_pending *claims_pending(const ki_command_group *group,
                                        const ki_component *component)
{
    const ki_pending *next = group->list;
    while (next != NULL && next->component != component->id) {
        next = next->next;
    }
    return next;
}

/* All that an entity has. */
static kith_result claims_leave_all(ki_key_claims *claims, kith_entity entity)
{
    const ki_store *store = &claims->world->store;
    const uint32_t index = entity.index1 - 1;
    const ki_table *table = store->tables[ki_record_at(&store->entities, index)->table];
    for (uint32_t i = 0; i < table->rows.column_count; i++) {
        const ki_component *component = ki_store_component(store, table->ids[i]);
        KI_TRY(component->unique == NULL ? KITH_OK
                                         : ki_key_claims_leave(claims, component, entity));
    }
    const ki_component *other = ki_storages_next(store, index, 0);
    for (; other != NULL; other = ki_storages_next(store, index, other->other + 1)) {
        KI_TRY(other->unique == NULL ? KITH_OK : ki_key_claims_leave(claims, other, entity));
    }
    return KITH_OK;
}

/* What an entity of the group loses, or has replaced. */
static kith_result claims_leave(ki_key_claims *claims, const ki_command_group *group,
                                kith_entity entity)
{
    const ki_store *store = &claims->world->store;
    if ((group->state & (KI_GROUP_GONE | KI_GROUP_BARE)) != 0) {
        return claims_leave_all(claims, entity);
    }
    for (const ki_pending *next = group->list; next != NULL; next = next->next) {
        const ki_component *component = ki_store_component(store, next->component);
        if (component->unique != NULL && !claims_keep(store, group, next, entity)) {
            KI_TRY(ki_key_claims_leave(claims, component, entity));
        }
    }
    return KITH_OK;
}

/* Claims the names of entities of a group that keep theirs, but may get another parent. */
static kith_result claims_add_moved(ki_key_claims *claims, const kith_commands *commands,
                                    const ki_command_group *group)
{
    const ki_store *store = &claims->world->store;
    ki_component *names = store->entity_names;
    const ki_pending *named = claims_pending(group, names);
    KI_TRY(ki_key_claims_reserve(claims, names, group->count));
    for (uint32_t i = 0; i < group->count; i++) {
        kith_entity entity = ki_group_entity(commands, group, i);
        uint32_t index = entity.index1 - 1;
        const void *name = named == NULL || claims_keep(store, group, named, entity)
                               ? ki_store_value(store, names, index,
                                                ki_record_at(&store->entities, index))
                               : NULL;
        KI_TRY(name == NULL ? KITH_OK
                            : ki_key_claims_add(claims, names, entity, index, name));
    }
    return KITH_OK;
}

/* Whether entities of a group that have a name may keep it, and get another parent, or none. */
static bool claims_move(const ki_store *store, const ki_command_group *group)
{
    return store->entity_names != NULL && store->child_of != NULL &&
           (group->state & (KI_GROUP_MADE | KI_GROUP_BARE | KI_GROUP_GONE)) == 0 &&
           claims_pending(group, store->child_of->component) != NULL;
}

/* The value that an entity gets. Where it may name entities that are still to be made, a copy that names
 * them by their handles. NULL `*value` is zero bytes. */
static kith_result claims_value(kith_commands *commands, const ki_component *component,
                                const uint8_t **value)
{
    if (*value == NULL || !commands->refers || !component->has_handles) {
        return KITH_OK;
    }
    uint32_t size = component->type->size;
    uint8_t *copy = ki_log_alloc(&commands->context.heap, &commands->copies, ki_round_up(size, 8));
    if (copy == NULL) {
        return KITH_ERR_MEMORY;
    }
    memcpy(copy, *value, size);
    const ki_handle_change change = ki_handles_real(commands);
    ki_handles_replace_in(component->type, copy, &change);
    *value = copy;
    return KITH_OK;
}

static kith_result claims_add(ki_key_claims *claims, kith_commands *commands,
                              const ki_command_group *group, const ki_pending *pending)
{
    const ki_store *store = &claims->world->store;
    ki_component *component = ki_store_component(store, pending->component);
    if (component->unique == NULL || pending->kind == KI_COMMAND_REMOVE) {
        return KITH_OK;
    }
    KI_TRY(ki_key_claims_reserve(claims, component, group->count));
    for (uint32_t i = 0; i < group->count; i++) {
        kith_entity entity = ki_group_entity(commands, group, i);
        const uint8_t *value = ki_group_value(group, pending, i);
        if (!claims_keep(store, group, pending, entity)) {
            KI_TRY(claims_value(commands, component, &value));
            KI_TRY(ki_key_claims_add(claims, component, entity, entity.index1 - 1, value));
        }
    }
    return KITH_OK;
}

static kith_result claims_check(ki_key_claims *claims, const ki_runs *runs)
{
    const ki_command_group *group = runs->groups;
    for (; group != NULL; group = group->next) {
        for (uint32_t i = 0; (group->state & KI_GROUP_MADE) == 0 && i < group->count; i++) {
            KI_TRY(claims_leave(claims, group, ki_group_entity(runs->commands, group, i)));
        }
    }
    for (group = runs->groups; group != NULL; group = group->next) {
        const ki_pending *next = (group->state & KI_GROUP_GONE) != 0 ? NULL : group->list;
        for (; next != NULL; next = next->next) {
            KI_TRY(claims_add(claims, runs->commands, group, next));
        }
        if (claims_move(&claims->world->store, group)) {
            KI_TRY(claims_add_moved(claims, runs->commands, group));
        }
    }
    return KITH_OK;
}

kith_result ki_runs_reserve_names(const ki_runs *runs)
{
    kith_world *world = runs->commands->world;
    const ki_component *names = world->store.entity_names;
    const ki_relation *parents = world->store.child_of;
    uint64_t count = 0;
    for (const ki_command_group *group = names == NULL ? NULL : runs->groups; group != NULL;
         group = group->next) {
        count += claims_pending(group, names) != NULL ? group->count : 0;
        count += parents != NULL && claims_pending(group, parents->component) != NULL
                     ? group->count
                     : 0;
    }
    return count == 0 ? KITH_OK
                      : ki_entity_names_reserve(world, names,
                                                count < UINT32_MAX ? (uint32_t)count : UINT32_MAX);
}

kith_result ki_runs_claim(const ki_runs *runs, ki_key_claims *claims)
{
    kith_world *world = runs->commands->world;
    ki_key_claims_init(claims, world, "kith_commands_apply", &runs->commands->context);
    return world->store.unique_count == 0 ? KITH_OK : claims_check(claims, runs);
}
