/* What clones get: copies of the source's values, changed by the commands for the source so far, except
 * for its name, unless the clone has a parent of its own.
 * The values are copied while merging, since later commands may change the source before the clone
 * is made. */
#include <kith/namer.h>

#include "command/merge_pass.h"

/* The entity that a clone is made of; provisional if the same buffer spawns it. */
static kith_entity clone_source(const ki_command_group *clone)
{
    kith_entity source;
    memcpy(&source, clone->entry, sizeof source);
    return source;
}

static kith_result clone_reject_copy(ki_merge *merge, const ki_command_group *clone,
                                     const ki_component *component, kith_result result)
{
    kith_commands *commands = merge->commands;
    return ki_fail(
        &commands->context, result,
        component->hooks->calls.copy == NULL
            ? "kith_commands_apply: %s is to be cloned, but the hooks of '%s' cannot copy its"
              " values (%s)"
            : "kith_commands_apply: %s is to be cloned, but copying its '%s' fails: %s",
        kith_entity_describe(commands->world, clone_source(clone)).text, component->type->name,
        kith_result_name(result));
}

static uint8_t *clone_alloc(ki_merge *merge, size_t size)
{
    kith_commands *commands = merge->commands;
    return ki_log_alloc(&commands->context.heap, &commands->copies, ki_round_up(size, 8));
}

/* Has the clone get a component of the living entity that it is a clone of. */
static kith_result clone_component(ki_merge *merge, ki_command_group *clone,
                                   const ki_component *component, uint32_t index,
                                   const ki_record *record)
{
    ki_pending own = {.component = (uint16_t)component->id,
                      .kind = KI_COMMAND_SET,
                      .in_world = component->hooks != NULL};
    uint32_t size = component->type->size;
    if (size != 0) {
        own.value = ki_store_value(&merge->commands->world->store, component, index, record);
    }
    if (size != 0 && component->hooks == NULL) {
        uint8_t *copy = clone_alloc(merge, size);
        if (copy == NULL) {
            return KITH_ERR_MEMORY;
        }
        memcpy(copy, own.value, size);
        own.value = copy;
    }
    return ki_merge_component(merge, clone, &own);
}

static kith_result clone_components(ki_merge *merge, ki_command_group *clone, uint32_t index,
                                    const ki_record *record, const ki_component *without)
{
    const ki_store *store = &merge->commands->world->store;
    const ki_table *table = store->tables[record->table];
    for (uint32_t i = 0; i < table->rows.column_count; i++) {
        KI_TRY(
            clone_component(merge, clone, ki_store_component(store, table->ids[i]), index, record));
    }
    for (const ki_component *other = ki_storages_next(store, index, 0); other != NULL;
         other = ki_storages_next(store, index, other->other + 1)) {
        KI_TRY(other == without ? KITH_OK : clone_component(merge, clone, other, index, record));
    }
    return KITH_OK;
}

/* Does to the clone what a command for its source does. */
static kith_result clone_change(ki_merge *merge, ki_command_group *clone, const ki_pending *change)
{
    if (change->fresh) {
        const ki_pending removal = {.component = change->component, .kind = KI_COMMAND_REMOVE};
        KI_TRY(ki_merge_component(merge, clone, &removal));
    }
    return ki_merge_component(merge, clone, change);
}

/* Makes the clone's own copy of a value with hooks: of a component, or of what is queued. */
static kith_result clone_copy_hooked(ki_merge *merge, const ki_command_group *clone,
                                     ki_pending *pending, const ki_component *component)
{
    kith_commands *commands = merge->commands;
    const ki_owned_value *queued = pending->in_world ? NULL : ki_owned_value_at(pending->value);
    const void *value = queued == NULL ? pending->value : ki_owned_value_bytes(queued);
    if (component->hooks->calls.copy == NULL) {
        return clone_reject_copy(merge, clone, component, KITH_ERR_TYPE);
    }
    uint8_t *place = clone_alloc(merge, sizeof(ki_owned_value *));
    if (place == NULL) {
        return KITH_ERR_MEMORY;
    }
    ki_owned_value *owned;
    kith_result result =
        ki_owned_values_add(&commands->context.heap, &commands->cloned, component, value, &owned);
    if (result != KITH_OK) {
        return clone_reject_copy(merge, clone, component, result);
    }
    owned->of_the_world = queued == NULL || queued->of_the_world;
    memcpy(place, &owned, sizeof owned);
    pending->value = place;
    pending->in_world = false;
    return KITH_OK;
}

kith_result ki_merge_clone(ki_merge *merge, ki_command_group *clone, bool named)
{
    const ki_store *store = &merge->commands->world->store;
    const ki_component *without = named ? NULL : store->entity_names;
    kith_entity source = clone_source(clone);
    const ki_command_group *group = ki_merge_find(merge, source);
    const ki_record *record = ki_record_of(&store->entities, source);
    if (group == NULL ? record == NULL : (group->state & KI_GROUP_GONE) != 0) {
        clone->state |= KI_GROUP_GONE;
        merge->dead++;
        return KITH_OK;
    }
    if (group == NULL || (group->state & (KI_GROUP_MADE | KI_GROUP_BARE)) == 0) {
        KI_TRY(clone_components(merge, clone, source.index1 - 1, record, without));
    }
    clone->refers = group != NULL && group->refers;
    for (const ki_pending *change = group == NULL ? NULL : group->list; change != NULL;
         change = change->next) {
        const ki_component *component = ki_store_component(store, change->component);
        KI_TRY(component == without ? KITH_OK : clone_change(merge, clone, change));
    }
    for (ki_pending *pending = clone->list; pending != NULL; pending = pending->next) {
        const ki_component *component = ki_store_component(store, pending->component);
        if (component->hooks != NULL) {
            KI_TRY(clone_copy_hooked(merge, clone, pending, component));
        }
    }
    return KITH_OK;
}
