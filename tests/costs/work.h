/* Work: how much the library does in a call, as a number that is the same on every run: the basic blocks
 * that it goes through, and a little for each 64 bytes that it has the C library move, fill or compare.
 * The library of these tests is compiled to call a counter in each block (-fsanitize-coverage=trace-pc).
 * Nothing here takes the time. */
#ifndef KITH_TEST_WORK_H
#define KITH_TEST_WORK_H

#include <stdint.h>

/* Counted since the program began. */
uint64_t work_done(void);

/* Types PREFIX0, PREFIX1, ..., each of one float, or tags, with no struct of their own. They live
 * as long as the process. */
struct kith_type *work_types(const char *prefix, uint32_t count);
struct kith_type *work_tags(const char *prefix, uint32_t count);

/* In which order some items are named. */
typedef enum work_order { WORK_IN_ORDER, WORK_REVERSED, WORK_MIXED, WORK_ORDERS } work_order;
extern const char *const work_order_names[WORK_ORDERS];

/* The number of the item that comes up `i`th of `n`, a power of two. */
uint32_t work_nth(work_order order, uint32_t i, uint32_t n);

/* Fails where one of many items takes more work than one of few: `work` is done with `few` items,
 * and with eight times as many, which may take `limit` percent an item. Logarithms take some 150.
 */
void work_check_items(const char *what, uint64_t (*work)(uint32_t n, const void *context),
                      const void *context, uint32_t few, uint32_t limit);

#endif
