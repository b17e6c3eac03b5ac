/* The pool's calls for the sweep: pools that stand beside the world, on its allocator. More of the
 * same, on pools in the middle of their lives, is in tests/pool/test_memory.c. */
#ifndef KITH_TEST_POOL_CALLS_H
#define KITH_TEST_POOL_CALLS_H

#include "stage.h"

kith_result pool_call_new(stage *s);
kith_result pool_call_create(stage *s);
kith_result pool_call_reserve(stage *s);

/* All that needs no memory. */
uint64_t pool_call_ask(stage *s);

#endif
