/* Shares all blocks of a world, as a snapshot does, and remembers what they held. */
#ifndef KITH_TEST_SHARE_H
#define KITH_TEST_SHARE_H

#include <kith/kith.h>

typedef struct test_share test_share;

/* NULL if the world's memory ran out; nothing is shared then. */
test_share *test_share_world(kith_world *world);

/* Fails if a shared block is not what it was. */
void test_share_check(const test_share *shared);

/* Checks that too. */
void test_share_free(test_share *shared);

#endif
