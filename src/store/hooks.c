#include "store/hooks.h"

#include <string.h>

/* A hook that runs: nobody owns the world meanwhile, which refuses all that is its owner's, and tells
 * whose hook it is. */
typedef struct hooks_guard {
    ki_context *context; /* NULL: the world refuses this thread anyway */
    const void *may_change;
} hooks_guard;

KI_RARE static hooks_guard hooks_enter(const ki_hooks *hooks)
{
    ki_context *context = hooks->context;
    /* Someone else may be handing the world over, while this thread fills a command buffer. */
    if (KI_LOAD(&context->owner) != ki_thread()) {
        return (hooks_guard){0};
    }
    hooks_guard guard = {context, context->may_change};
    context->may_change = NULL;
    context->hook = hooks->type->name;
    KI_STORE(&context->owner, &context->hook); /* no thread's */
    return guard;
}

KI_RARE static void hooks_leave(hooks_guard guard)
{
    ki_context *context = guard.context;
    if (context != NULL) {
        bool unlocked = context->may_change != NULL; /* it has closed a query that was open */
        KI_STORE(&context->owner, ki_thread());
        context->may_change = unlocked ? ki_thread() : guard.may_change;
        context->hook = NULL;
    }
}

KI_RARE kith_result ki_hooks_init(const ki_hooks *hooks, void *values, uint32_t count)
{
    if (hooks->calls.init == NULL) {
        memset(values, 0, (size_t)count * hooks->type->size);
        return KITH_OK;
    }
    hooks_guard guard = hooks_enter(hooks);
    kith_result result = hooks->calls.init(values, count, hooks->calls.user);
    hooks_leave(guard);
    return result;
}

KI_RARE kith_result ki_hooks_copy(const ki_hooks *hooks, void *to, const void *from, uint32_t count)
{
    hooks_guard guard = hooks_enter(hooks);
    kith_result result = hooks->calls.copy(to, from, count, hooks->calls.user);
    hooks_leave(guard);
    return result;
}

KI_RARE void ki_hooks_move(const ki_hooks *hooks, void *to, void *from, uint32_t count)
{
    if (hooks->calls.move == NULL) {
        memcpy(to, from, (size_t)count * hooks->type->size);
        return;
    }
    hooks_guard guard = hooks_enter(hooks);
    hooks->calls.move(to, from, count, hooks->calls.user);
    hooks_leave(guard);
}

KI_RARE void ki_hooks_destroy(const ki_hooks *hooks, void *values, uint32_t count)
{
    if (hooks->calls.destroy != NULL) {
        hooks_guard guard = hooks_enter(hooks);
        hooks->calls.destroy(values, count, hooks->calls.user);
        hooks_leave(guard);
    }
}

KI_RARE void ki_hooks_replace(const ki_hooks *hooks, void *to, void *from)
{
    ki_hooks_destroy(hooks, to, 1);
    ki_hooks_move(hooks, to, from, 1);
}

KI_RARE uint64_t ki_hooks_hash(const ki_hooks *hooks, const void *value)
{
    hooks_guard guard = hooks_enter(hooks);
    uint64_t hash = hooks->calls.hash(value, hooks->calls.user);
    hooks_leave(guard);
    return hash;
}
