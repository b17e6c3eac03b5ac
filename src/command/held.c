/* Values with hooks that wait: made when they come in, which may fail, and moved out where they are
 * used, which cannot. */
#include "command/held.h"

#include <string.h>

kith_result ki_holder_take(ki_heap *heap, ki_holder *holder, const ki_component *component,
                           const void *value, ki_held **taken)
{
    const ki_hooks *hooks = component->hooks;
    const kith_type *type = component->type;
    size_t gap = type->align > _Alignof(ki_held) ? type->align - _Alignof(ki_held) : 0;
    size_t size = ki_round_up(sizeof(ki_held) + gap + type->size, _Alignof(ki_held));
    ki_held *held = ki_log_take(heap, &holder->room, size);
    if (held == NULL) {
        return KITH_ERR_MEMORY;
    }
    *held =
        (ki_held){.component = component, .taken_over = value != NULL && hooks->calls.copy == NULL};
    void *to = ki_held_value(held);
    if (held->taken_over) {
        memcpy(to, value, type->size);
    } else {
        kith_result result =
            value == NULL ? ki_hooks_init(hooks, to, 1) : ki_hooks_copy(hooks, to, value, 1);
        if (result != KITH_OK) {
            return result; /* what it took of the room is missed until that is emptied */
        }
    }
    if (holder->last == NULL) {
        holder->first = held;
    } else {
        holder->last->next = held;
    }
    holder->last = held;
    *taken = held;
    return KITH_OK;
}

static void held_destroy(ki_held *held)
{
    if (held->component != NULL) {
        void *value = ki_held_value(held);
        const ki_hooks *hooks = held->component->hooks;
        held->component = NULL;
        ki_hooks_destroy(hooks, value, 1);
    }
}

void ki_holder_undo(ki_holder *holder, ki_held *last)
{
    for (ki_held *held = last == NULL ? holder->first : last->next; held != NULL;
         held = held->next) {
        if (held->taken_over) {
            held->component = NULL;
        }
        held_destroy(held);
    }
}

/* Destroys all that is left. */
static void holder_empty(ki_holder *holder)
{
    for (ki_held *held = holder->first; held != NULL; held = held->next) {
        held_destroy(held);
    }
    holder->first = NULL;
    holder->last = NULL;
}

void ki_holder_rewind(ki_heap *heap, ki_holder *holder)
{
    if (KI_UNLIKELY(holder->room.filling != NULL)) {
        holder_empty(holder);
        ki_log_rewind(heap, &holder->room);
    }
}

void ki_holder_free(ki_heap *heap, ki_holder *holder)
{
    holder_empty(holder);
    ki_log_free(heap, &holder->room);
}
