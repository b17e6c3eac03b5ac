/* Looks at a world as an index or a change filter will: what has another value, or another entity,
 * than at the last look stands in a block that was stamped since. */
#ifndef KITH_TEST_STAMPS_H
#define KITH_TEST_STAMPS_H

#include <kith/kith.h>

typedef struct test_stamps test_stamps;

/* Remembers all rows, and advances the write clock. */
test_stamps *test_stamps_take(kith_world *world);

/* Fails if a row has changed without a stamp. Looks at nothing if tables were reclaimed meanwhile. */
void test_stamps_check(const test_stamps *stamps);

/* Fails if any block was stamped since. */
void test_stamps_check_none(const test_stamps *stamps);

/* Checks that no row has changed without a stamp. */
void test_stamps_free(test_stamps *stamps);

#endif
