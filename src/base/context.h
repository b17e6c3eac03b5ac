/* What every part of a world shares: its memory, who may change it, and how errors are told. */
#ifndef KI_BASE_CONTEXT_H
#define KI_BASE_CONTEXT_H

#include <stdarg.h>

#include "base/compiler.h"
#include "base/heap.h"

typedef struct ki_context {
    ki_heap heap;
    const void *owner;      /* the thread that may call, as ki_thread tells it; NULL: yielded */
    const void *may_change; /* the owner while structure may change; NULL while a query is open */
    bool closed;      /* query systems run, maybe side by side: nobody owns the world meanwhile */
    const char *hook; /* the type whose hook is running; NULL: none is */
    kith_misuse_fn on_misuse;
    void *misuse_context;
    char error[512]; /* kith_error's text */
} ki_context;

/* A pointer that no other living thread has. */
static inline const void *ki_thread(void);

/* vsnprintf, but that a text which is too long ends in "...". `size` is 4 or more. */
void ki_format(char *text, size_t size, const char *format, va_list arguments) KITH_FORMAT_(3, 0);

/* Leaves a message for kith_error and returns `result`. A message that is too long ends in "...".
 * */
KI_COLD kith_result ki_fail(ki_context *context, kith_result result, const char *format, ...)
    KITH_FORMAT_(3, 4);

/* Tells the world's handler of a misuse, and returns KITH_ERR_MISUSE if that returns. NULL
 * `context`, where there is no world to ask: prints and aborts. */
KI_COLD kith_result ki_misuse(const ki_context *context, const char *format, ...)
    KITH_FORMAT_(2, 3);

/* Whether misuse is looked for. On in release builds; KITH_NO_MISUSE_CHECKS compiles it out for
 * shipping. What only the checks use is used then as well, by code that is never reached. */
#ifdef KITH_NO_MISUSE_CHECKS
#define KI_CHECKED false
#else
#define KI_CHECKED true
#endif

/* A rule of the API: if it does not hold, the misuse is told and the function returns `value`. */
#define KITH_REQUIRE(context, condition, value, ...)                                               \
    do {                                                                                           \
        if (KI_CHECKED && KI_UNLIKELY(!(condition))) {                                             \
            ki_misuse((context), __VA_ARGS__);                                                     \
            return value;                                                                          \
        }                                                                                          \
    } while (0)

/* The address of a thread-local is the cheapest name a thread has. */
extern KI_THREAD_LOCAL char ki_thread_token KI_OWN_THREAD_LOCAL;

/* The name of the query system that runs in this thread; for messages. */
extern KI_THREAD_LOCAL const char *ki_thread_system KI_OWN_THREAD_LOCAL;

/* Tells that a call came from a thread that does not own the world, or from a query system. */
KI_COLD kith_result ki_refuse_thread(const ki_context *context, const char *call);

/* Calls of the thread that owns the world; from within a query system nobody does. */
#define KI_REQUIRE_THREAD(context, call, value)                                                    \
    do {                                                                                           \
        if (KI_CHECKED && KI_UNLIKELY((context)->owner != ki_thread())) {                          \
            ki_refuse_thread((context), (call));                                                   \
            return value;                                                                          \
        }                                                                                          \
    } while (0)

static inline const void *ki_thread(void)
{
    return &ki_thread_token;
}

#endif
