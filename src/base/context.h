/* What every part of a world shares: its memory, its owner thread, and its error messages. */
#ifndef KI_BASE_CONTEXT_H
#define KI_BASE_CONTEXT_H

#include <kith/inline.h>
#include <stdarg.h>

#include "base/compiler.h"
#include "base/heap.h"

typedef struct ki_context {
    struct kith_known_ known; /* of the world; first, since inline calls find it by the key */
    ki_heap heap;
    const void *owner;  /* the thread that may call, as ki_thread returns it; NULL: released;
                           &ki_nobody: no thread may call */
    const char *closed; /* why no thread may call, for messages; or NULL */
    kith_misuse_fn on_misuse;
    void *misuse_context;
    kith_log_fn on_log; /* NULL: stderr */
    void *log_context;
    kith_log_level log_level; /* the last one that is logged */
    char error[512];          /* kith_error's text */
} ki_context;

/* The owner while no thread may call. */
extern const char ki_nobody;

/* A function of the program's that a thread is running for a world. Unless it is `plain`, it may not
 * call into the world as its owner may. Messages about that say `before`, `name` and `after`. */
typedef struct ki_inside {
    const ki_context *context; /* of the world */
    const char *before;
    const char *name;
    const char *after;
    bool no_commands; /* it was given no command buffer */
    bool plain;       /* a plain system, which may do anything */
    const void *key;  /* what it may use, instead of the world; NULL: nothing */
} ki_inside;

/* The key of a thread that has to check in its next call what it may use. Other keys are the context
 * of a world, and the key of what the thread is running. */
extern const char ki_no_key;

#if !KITH_INLINE_KEY_
extern KI_THREAD_LOCAL struct kith_thread_ kith_thread_;
#endif

/* A pointer that no other living thread has. */
static inline const void *ki_thread(void)
{
    return &kith_thread_;
}

/* The owner. Another thread may hand the world over or run a hook at the same time. */
static inline const void *ki_context_owner(const ki_context *context)
{
    return KI_LOAD(&context->owner);
}

/* Changes the owner. The next call of this thread has to check again what it may use. */
static inline void ki_context_set_owner(ki_context *context, const void *owner)
{
    kith_thread_.key = &ki_no_key;
    KI_STORE(&context->owner, owner);
}

/* Whether this thread owns the world, and may call. If so, the thread's key remembers it. */
static inline bool ki_context_enter(const ki_context *context)
{
    if (ki_context_owner(context) != ki_thread()) {
        return false;
    }
    kith_thread_.key = context;
    return true;
}

/* Whether this thread runs a function that may use what has this key. The thread's key remembers it. */
bool ki_inside_enter(const void *key);

/* What the thread is running, if it belongs to this world and may not call into it; or NULL. */
static inline const ki_inside *ki_context_inside(const ki_context *context)
{
    const ki_inside *inside = kith_thread_.inside;
    return inside != NULL && inside->context == context && !inside->plain ? inside : NULL;
}

/* Says what the thread runs from now on; NULL: nothing. Returns what it ran before: pass that in when
 * this ends. */
static inline const ki_inside *ki_thread_enter(const ki_inside *inside)
{
    const ki_inside *outer = kith_thread_.inside;
    kith_thread_ = (struct kith_thread_){.key = &ki_no_key, .inside = inside};
    return outer;
}

/* What a function of the program's interrupts that may not use the world: a hook, or a key function. */
typedef struct ki_guard {
    ki_inside inside;
    const ki_inside *outer;
    bool owned; /* by this thread */
} ki_guard;

/* While such a function runs, as `guard->inside` tells, its thread may not use the world. Where that
 * thread owns it, nobody does. The guard stays where it is until the end. */
void ki_guard_enter(ki_context *context, ki_guard *guard);
void ki_guard_leave(ki_context *context, const ki_guard *guard);

/* vsnprintf, except that a text which is too long ends in "...". `size` is 4 or more. */
void ki_format(char *text, size_t size, const char *format, va_list arguments) KITH_FORMAT_(3, 0);

/* Leaves a message for kith_error and returns `result`. A message that is too long ends in "...". */
kith_result ki_fail(ki_context *context, kith_result result, const char *format, ...)
    KITH_FORMAT_(3, 4);

/* Tells that memory ran out, if that is the result and no message says more: for calls that return no
 * result. */
void ki_tell_memory(ki_context *context, kith_result result, const char *call);

/* Logs a message if its level is logged. A message that is too long ends in "...". Any thread. */
void ki_log_message(const ki_context *context, kith_log_level level, const char *format, ...)
    KITH_FORMAT_(3, 4);
void ki_log_message_list(const ki_context *context, kith_log_level level, const char *format,
                         va_list arguments) KITH_FORMAT_(3, 0);

/* Reports a misuse to the world's handler, and returns KITH_ERR_MISUSE if the handler returns. Without a
 * handler, or with NULL as `context`: logs the message and aborts. */
kith_result ki_misuse(const ki_context *context, const char *format, ...) KITH_FORMAT_(2, 3);

/* Whether misuse is checked: `if (KI_CHECKED && type == NULL) { return ki_misuse(...); }`.
 * Release builds check too. KITH_NO_MISUSE_CHECKS is for shipping: the checks are compiled, but
 * never reached. */
#ifdef KITH_NO_MISUSE_CHECKS
#define KI_CHECKED false
#else
#define KI_CHECKED true
#endif

/* Reports a call from a thread that does not own the world, or from within a function that may not.
 * `where` ends the message: " (file:line)", or "". */
kith_result ki_reject_thread(const ki_context *context, const char *call, const char *where);

/* Whether this thread is known to own the world. If not, ki_context_enter finds out. */
static inline bool ki_context_is_mine(const ki_context *context)
{
    return !KI_CHECKED || kith_thread_.key == (const void *)context;
}

/* For calls that only the owner thread may make, and not from within such a function.
 * KITH_ERR_MISUSE: the call may not go on, which has been reported. */
static inline kith_result ki_context_require_thread(const ki_context *context, const char *call)
{
    if (ki_context_is_mine(context) || ki_context_enter(context)) {
        return KITH_OK;
    }
    ki_reject_thread(context, call, "");
    return KITH_ERR_MISUSE;
}

#endif
