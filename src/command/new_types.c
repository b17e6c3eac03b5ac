/* A type that the world does not know is put into the process-wide register when it is queued, by any
 * thread, and into the world when the buffer is applied, by its owner. */
#include "command/new_types.h"

#include "command/entries.h"
#include "world/first_use.h"

static const ki_component *new_type_fail(kith_commands *commands, kith_result result)
{
    ki_commands_fail(commands, result);
    return NULL;
}

/* Room for one more type. */
static kith_result new_types_reserve(ki_heap *heap, ki_new_types *types)
{
    KI_TRY(ki_map_reserve(heap, &types->by_number));
    return ki_heap_grow(heap, &types->list, &types->capacity, types->count + 1, sizeof *types->list,
                        4);
}

static const ki_component *new_type_add(kith_commands *commands, const char *call,
                                        const kith_type *type)
{
    ki_context *context = &commands->context;
    ki_new_types *types = &commands->new_types;
    if (types->count == KI_COMPONENTS_MAX) {
        return new_type_fail(commands, ki_fail(context, KITH_ERR_LIMIT,
                                               "%s: '%.127s': %u types that are not registered are"
                                               " in the buffer, and may be no more",
                                               call, type->name, types->count));
    }
    const kith_type *kept;
    kith_result result = ki_register_add(context, call, type, &kept, NULL);
    result = result == KITH_OK ? new_types_reserve(&context->heap, types) : result;
    if (result != KITH_OK) {
        return new_type_fail(
            commands, result == KITH_ERR_MEMORY
                          ? ki_fail(context, result, "%s: no memory for '%s'", call, type->name)
                          : result);
    }
    ki_new_type *added = &types->list[types->count];
    *added = (ki_new_type){.component = {.type = kept,
                                         .id = KI_NEW_TYPE + types->count,
                                         .layout = type->layout,
                                         .has_handles = ki_type_has_handles(kept)}};
    types->count++;
    ki_map_insert(&types->by_number, ki_type_number(kept), (void *)(uintptr_t)types->count);
    return &added->component;
}

const ki_component *ki_new_type_use(kith_commands *commands, const char *call,
                                    const kith_type *type, bool adds)
{
    if (commands->failed != KITH_OK ||
        (commands->busy && !ki_commands_reject_hook(commands, call))) {
        return NULL;
    }
    if (adds && ki_require_plain(&commands->context, call, type) != KITH_OK) {
        return new_type_fail(commands, KITH_ERR_INPUT);
    }
    ki_new_types *types = &commands->new_types;
    uintptr_t number = (uintptr_t)ki_map_find(&types->by_number, ki_type_number_found(type));
    const ki_component *component =
        number != 0 ? &types->list[number - 1].component : new_type_add(commands, call, type);
    if (component != NULL && adds) {
        types->list[component->id - KI_NEW_TYPE].added = true;
    }
    return component;
}

/* Registers a type of plain bytes that commands add, with the layout that it was first queued with: the
 * process-wide register has one for all of its descriptors. */
static kith_result new_type_register(kith_commands *commands, const ki_new_type *used)
{
    ki_context *world = &commands->world->store.context;
    kith_type type = *used->component.type;
    type.layout = used->component.layout;
    type.hooked = false;
    ki_component *component;
    world->error[0] = '\0';
    kith_result result = ki_world_use(commands->world, "kith_commands_apply", &type, &component);
    if (result != KITH_OK) {
        return world->error[0] != '\0'
                   ? ki_fail(&commands->context, result, "%s", world->error)
                   : ki_fail(&commands->context, result,
                             "kith_commands_apply: no memory to register '%s'", type.name);
    }
    return component->hooks == NULL
               ? KITH_OK
               : ki_fail(&commands->context, KITH_ERR_CONFLICT,
                         "kith_commands_apply: '%s' was registered with hooks after values without"
                         " them were queued",
                         type.name);
}

/* Has commands name the components that their types are now. */
static void new_types_settle(const kith_commands *commands, const ki_entries *entries)
{
    for (uint32_t i = 0; i < entries->op_count; i++) {
        ki_op *op = &entries->ops[i];
        const ki_component *component =
            op->is_new ? ki_world_component(commands->world, ki_new_type_of(commands, op)->type)
                       : NULL;
        if (component != NULL) {
            op->component = (uint16_t)component->id;
            op->is_new = false;
        }
    }
}

kith_result ki_new_types_register(kith_commands *commands)
{
    uint32_t count = 0;
    for (const kith_commands *part = commands; part != NULL; part = part->more) {
        for (uint32_t i = 0; i < part->new_types.count; i++) {
            const ki_new_type *used = &part->new_types.list[i];
            KI_TRY(used->added ? new_type_register(commands, used) : KITH_OK);
        }
        count += part->new_types.count;
    }
    ki_log_scan scan = ki_log_scan_start(commands);
    for (ki_entries entries; count != 0 && ki_log_scan_next(&scan, &entries);) {
        new_types_settle(scan.commands, &entries);
    }
    return KITH_OK;
}
