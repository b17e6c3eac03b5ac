/* kith_clone_tree: a buffer with one command. */
#include <kith/hierarchy.h>

#include "command/buffer.h"
#include "world/first_use.h"

static kith_result clone_apply(kith_commands *commands, kith_entity root, kith_entity *clone)
{
    const kith_entity made = kith_commands_clone_tree(commands, root);
    kith_result result = kith_commands_apply(commands, NULL);
    if (result == KITH_OK) {
        *clone = kith_commands_real(commands, made);
        return KITH_OK;
    }
    ki_context *context = &commands->world->store.context;
    return result == KITH_ERR_MEMORY
               ? ki_without_message(&context->heap, result)
               : ki_fail(context, result, "kith_clone_tree: %s", kith_commands_error(commands));
}

kith_result kith_clone_tree(kith_world *world, kith_entity root, kith_entity *clone)
{
    KI_TRY(ki_world_begin_change(world, "kith_clone_tree"));
    if (KI_CHECKED && clone == NULL) {
        return ki_misuse(&world->store.context,
                         "kith_clone_tree: there is no place for the new handle");
    }
    if (ki_record_of(&world->store.entities, root) == NULL) {
        return ki_world_dead(world, "kith_clone_tree", root);
    }
    kith_commands *commands = kith_commands_new(world, NULL);
    if (commands == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_result result = clone_apply(commands, root, clone);
    kith_commands_free(commands);
    return result;
}

kith_entity kith_clone_tree_or_none(kith_world *world, kith_entity root)
{
    kith_entity clone;
    return kith_clone_tree(world, root, &clone) == KITH_OK ? clone : KITH_NONE;
}
