#include "store/hooks.h"

#include <string.h>

static void hooks_enter(const ki_hooks *hooks, ki_guard *guard)
{
    guard->inside = (ki_inside){.context = hooks->context,
                                .before = "a hook of '",
                                .name = hooks->type->name,
                                .after = "' is running; hooks must not call into the world"};
    ki_guard_enter(hooks->context, guard);
}

static void hooks_leave(const ki_hooks *hooks, const ki_guard *guard)
{
    ki_guard_leave(hooks->context, guard);
}

/* What a hook returned: it has no message. Another thread's is told where it fills its buffer. */
static kith_result hooks_result(const ki_hooks *hooks, const ki_guard *guard, kith_result result)
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
    ki_guard guard;
    hooks_enter(hooks, &guard);
    kith_result result = hooks->calls.init(values, count, hooks->calls.user);
    hooks_leave(hooks, &guard);
    return hooks_result(hooks, &guard, result);
}

kith_result ki_hooks_copy(const ki_hooks *hooks, void *to, const void *from, uint32_t count)
{
    ki_guard guard;
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
    ki_guard guard;
    hooks_enter(hooks, &guard);
    hooks->calls.move(to, from, count, hooks->calls.user);
    hooks_leave(hooks, &guard);
}

void ki_hooks_destroy(const ki_hooks *hooks, void *values, uint32_t count)
{
    if (hooks->calls.destroy != NULL) {
        ki_guard guard;
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
    ki_guard guard;
    hooks_enter(hooks, &guard);
    uint64_t hash = hooks->calls.hash(value, hooks->calls.user);
    hooks_leave(hooks, &guard);
    return hash;
}
