/* Every public call, with something that it does on a stage: those that memory can run out for, and
 * those that need none. */
#ifndef KITH_TEST_CALLS_H
#define KITH_TEST_CALLS_H

#include "stage.h"

typedef struct swept_call {
    const char *name; /* of the function */
    const char *what; /* is tried with it */
    /* A failure is KITH_ERR_MEMORY; of calls that return a pointer or a handle, too. */
    kith_result (*act)(stage *s);
    bool only_shared; /* while no block is shared, it does not fail */
    void (*prepare)(stage *s); /* what comes before, with all memory there; or NULL */
} swept_call;

extern const swept_call swept_calls[];
extern const size_t swept_count;

typedef struct safe_call {
    const char *name;
    const char *reason;
    /* What the call answers: the same without memory. NULL where there is nothing to try. */
    uint64_t (*ask)(stage *s);
} safe_call;

extern const safe_call safe_calls[];
extern const size_t safe_count;

#endif
