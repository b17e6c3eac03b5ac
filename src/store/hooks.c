#include "store/hooks.h"

#include <string.h>

/* What a hook interrupts. */
typedef struct hooks_guard {
    ki_inside inside;
    const ki_inside *outer;
    bool owned; /* by this thread */
} hooks_guard;

/* While a hook runs, its thread may not use the world. Where that thread owns it, nobody does. */
static void hooks_enter(const ki_hooks *hooks, hooks_guard *guard)
{
    ki_context *context = hooks->context;
    guard->inside = (ki_inside){.context = context,
                                .before = "a hook of '",
                                .name = hooks->type->name,
                                .after = "' is running; hooks must not call into the world"};
    guard->outer = ki_thread_enter(&guard->inside);
    guard->owned = ki_context_owner(context) == ki_thread();
    if (guard->owned) {
        ki_context_set_owner(context, &ki_nobody);
    }
}

static void hooks_leave(const ki_hooks *hooks, const hooks_guard *guard)
{
    ki_thread_enter(guard->outer);
    if (guard->owned) {
        ki_context_set_owner(hooks->context, ki_thread());
    }
}

/* What a hook returned: it has no message. Another thread's is told where it fills its buffer. */
static kith_result hooks_result(const ki_hooks *hooks, const hooks_guard *guard, kith_result result)
{
    return result != KITH_OK && guard->owned ? ki_without_message(&hooks->context->heap, result)
                                             : result;
}

kith_result ki_hooks_init(const ki_hooks *hooks, void *values, uint32_t count)
{
    if (hooks->calls.init == NULL) {
        memset(values, 0, (size_t)count * hooks->type->size);
        return KITH_OK;
    }
    hooks_guard guard;
    hooks_enter(hooks, &guard);
    kith_result result = hooks->calls.init(values, count, hooks->calls.user);
    hooks_leave(hooks, &guard);
    return hooks_result(hooks, &guard, result);
}

kith_result ki_hooks_copy(const ki_hooks *hooks, void *to, const void *from, uint32_t count)
{
    hooks_guard guard;
    hooks_enter(hooks, &guard);
    kith_result result = hooks->calls.copy(to, from, count, hooks->calls.user);
    hooks_leave(hooks, &guard);
    return hooks_result(hooks, &guard, result);
}

void ki_hooks_move(const ki_hooks *hooks, void *to, void *from, uint32_t count)
{
    if (hooks->calls.move == NULL) {
        memcpy(to, from, (size_t)count * hooks->type->size);
        return;
    }
    hooks_guard guard;
    hooks_enter(hooks, &guard);
    hooks->calls.move(to, from, count, hooks->calls.user);
    hooks_leave(hooks, &guard);
}

void ki_hooks_destroy(const ki_hooks *hooks, void *values, uint32_t count)
{
    if (hooks->calls.destroy != NULL) {
        hooks_guard guard;
        hooks_enter(hooks, &guard);
        hooks->calls.destroy(values, count, hooks->calls.user);
        hooks_leave(hooks, &guard);
    }
}

void ki_hooks_replace(const ki_hooks *hooks, void *to, void *from)
{
    ki_hooks_destroy(hooks, to, 1);
    ki_hooks_move(hooks, to, from, 1);
}

uint64_t ki_hooks_hash(const ki_hooks *hooks, const void *value)
{
    hooks_guard guard;
    hooks_enter(hooks, &guard);
    uint64_t hash = hooks->calls.hash(value, hooks->calls.user);
    hooks_leave(hooks, &guard);
    return hash;
}
