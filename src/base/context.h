/* What every part of a world shares: its memory, who may use it, and how errors are told. */
#ifndef KI_BASE_CONTEXT_H
#define KI_BASE_CONTEXT_H

#include <stdarg.h>

#include "base/compiler.h"
#include "base/heap.h"

typedef struct ki_context {
    ki_heap heap;
    const void *owner; /* the thread that may call, as ki_thread tells it; NULL: yielded; or one of
                          the marks below: nobody owns the world meanwhile */
    kith_misuse_fn on_misuse;
    void *misuse_context;
    char error[512]; /* kith_error's text */
} ki_context;

/* Owners that are no thread: query systems run, maybe side by side; a hook runs in the thread that owns
 * the world. */
extern const char ki_owned_by_systems;
extern const char ki_owned_by_hook;

/* A hook, or a call of a query system's function, that a thread is in the middle of. */
typedef struct ki_inside {
    const ki_context *context; /* of the world */
    const char *hook;          /* the type whose hook it is; NULL: it is a system's call */
    const char *system;        /* that system's name, */
    const char *remedy;        /* what it may call instead of the world's calls, for messages, */
    bool quiet;                /* whether it has no buffer for commands, */
    const void *task;          /* and its task */
} ki_inside;

/* What the calling thread may use. */
typedef struct ki_thread_state {
    const void *key; /* the context of the world, or the task, that it was last found to be free to
                        use; &ki_no_key: that is to be found out */
    const ki_inside *inside; /* NULL: in the middle of nothing */
} ki_thread_state;

extern const char ki_no_key;

extern KI_THREAD_LOCAL ki_thread_state ki_this_thread KI_OWN_THREAD_LOCAL;

/* A pointer that no other living thread has. */
static inline const void *ki_thread(void)
{
    return &ki_this_thread;
}

/* The owner; another thread may be handing the world over, or running a hook, meanwhile. */
static inline const void *ki_context_owner(const ki_context *context)
{
    return KI_LOAD(&context->owner);
}

/* Makes somebody else the owner. A thread that was it has to look again what it is free to use. */
static inline void ki_context_set_owner(ki_context *context, const void *owner)
{
    ki_this_thread.key = &ki_no_key;
    KI_STORE(&context->owner, owner);
}

/* Whether this thread owns the world, and nothing runs that keeps it from calling. If so, the answer is
 * kept in its key. */
static inline bool ki_context_enter(const ki_context *context)
{
    if (ki_context_owner(context) != ki_thread()) {
        return false;
    }
    ki_this_thread.key = context;
    return true;
}

/* The same for the task of a query system's call. */
bool ki_task_enter(const void *task);

/* The hook or call of a system that the thread is in the middle of, if it is this world's; or NULL. */
static inline const ki_inside *ki_context_inside(const ki_context *context)
{
    const ki_inside *inside = ki_this_thread.inside;
    return inside != NULL && inside->context == context ? inside : NULL;
}

/* Puts the thread into the middle of something; NULL: of nothing. Returns where it was, to be put back
 * there. */
static inline const ki_inside *ki_thread_enter(const ki_inside *inside)
{
    const ki_inside *outer = ki_this_thread.inside;
    ki_this_thread = (ki_thread_state){.key = &ki_no_key, .inside = inside};
    return outer;
}

/* vsnprintf, but that a text which is too long ends in "...". `size` is 4 or more. */
void ki_format(char *text, size_t size, const char *format, va_list arguments) KITH_FORMAT_(3, 0);

/* Leaves a message for kith_error and returns `result`. A message that is too long ends in "...".
 * */
kith_result ki_fail(ki_context *context, kith_result result, const char *format, ...)
    KITH_FORMAT_(3, 4);

/* Tells the world's handler of a misuse, and returns KITH_ERR_MISUSE if that returns. NULL
 * `context`, where there is no world to ask: prints and aborts. */
kith_result ki_misuse(const ki_context *context, const char *format, ...) KITH_FORMAT_(2, 3);

/* Whether misuse is checked: `if (KI_CHECKED && type == NULL) { return ki_misuse(...); }`. Release builds
 * check too; KITH_NO_MISUSE_CHECKS is for shipping: the code of the checks is compiled, but never reached. */
#ifdef KITH_NO_MISUSE_CHECKS
#define KI_CHECKED false
#else
#define KI_CHECKED true
#endif

/* Tells that a call came from a thread that does not own the world, from a query system or from a hook.
 * `where` ends the message: " (file:line)", or "". */
kith_result ki_refuse_thread(const ki_context *context, const char *call, const char *where);

/* Whether this thread is known to own the world. If it is not known, ki_context_enter finds out. */
static inline bool ki_context_is_mine(const ki_context *context)
{
    return !KI_CHECKED || ki_this_thread.key == (const void *)context;
}

/* The same for a call with the iterator of a query system, in the middle of which the thread is not. */
kith_result ki_refuse_task(const ki_context *context, const char *call);

/* For calls of the thread that owns the world; from within a query system or a hook nobody does.
 * KITH_ERR_MISUSE: the call may not go on, and that is reported. */
static inline kith_result ki_context_require_thread(const ki_context *context, const char *call)
{
    if (KI_LIKELY(ki_context_is_mine(context)) || ki_context_enter(context)) {
        return KITH_OK;
    }
    ki_refuse_thread(context, call, "");
    return KITH_ERR_MISUSE;
}

#endif
