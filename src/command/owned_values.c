/* Owned values are made when they are added, which may fail, and moved out when they are used,
 * which cannot. */
#include "command/owned_values.h"

#include <string.h>

kith_result ki_owned_values_add(ki_heap *heap, ki_owned_values *values,
                                const ki_component *component, const void *value,
                                ki_owned_value **added)
{
    const ki_hooks *hooks = component->hooks;
    const kith_type *type = component->type;
    size_t gap =
        type->align > _Alignof(ki_owned_value) ? type->align - _Alignof(ki_owned_value) : 0;
    size_t size = ki_round_up(sizeof(ki_owned_value) + gap + type->size, _Alignof(ki_owned_value));
    ki_owned_value *owned = ki_log_alloc(heap, &values->room, size);
    if (owned == NULL) {
        return KITH_ERR_MEMORY;
    }
    *owned = (ki_owned_value){.component = component,
                              .taken_over = value != NULL && hooks->calls.copy == NULL};
    void *to = ki_owned_value_bytes(owned);
    if (owned->taken_over) {
        memcpy(to, value, type->size);
    } else {
        kith_result result =
            value == NULL ? ki_hooks_init(hooks, to, 1) : ki_hooks_copy(hooks, to, value, 1);
        if (result != KITH_OK) {
            return result; /* what it took of the room is missed until that is emptied */
        }
    }
    if (values->last == NULL) {
        values->first = owned;
    } else {
        values->last->next = owned;
    }
    values->last = owned;
    *added = owned;
    return KITH_OK;
}

static void owned_value_destroy(ki_owned_value *owned)
{
    if (owned->component != NULL) {
        void *value = ki_owned_value_bytes(owned);
        const ki_hooks *hooks = owned->component->hooks;
        owned->component = NULL;
        ki_hooks_destroy(hooks, value, 1);
    }
}

void ki_owned_values_undo(ki_owned_values *values, ki_owned_value *last)
{
    for (ki_owned_value *owned = last == NULL ? values->first : last->next; owned != NULL;
         owned = owned->next) {
        if (owned->taken_over) {
            owned->component = NULL;
        }
        owned_value_destroy(owned);
    }
}

/* Destroys all that is left. */
static void owned_values_empty(ki_owned_values *values)
{
    for (ki_owned_value *owned = values->first; owned != NULL; owned = owned->next) {
        owned_value_destroy(owned);
    }
    values->first = NULL;
    values->last = NULL;
}

void ki_owned_values_rewind(ki_heap *heap, ki_owned_values *values)
{
    if (values->room.filling != NULL) {
        owned_values_empty(values);
        ki_log_rewind(heap, &values->room);
    }
}

void ki_owned_values_free(ki_heap *heap, ki_owned_values *values)
{
    owned_values_empty(values);
    ki_log_free(heap, &values->room);
}
