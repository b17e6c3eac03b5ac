/* Heap sort: a parent in the heap never comes before its children, at 2 * i + 1 and 2 * i + 2. */
#include "base/sort.h"

#include <stddef.h>

#include "base/compiler.h"

typedef struct sort_order {
    bool (*before)(const void *context, uint32_t a, uint32_t b);
    const void *context;
} sort_order;

/* Puts a number into the heap's gap at `at`, or below it. */
static void sort_sift(uint32_t *heap, uint32_t count, uint32_t at, uint32_t number,
                      const sort_order *order)
{
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && order->before(order->context, heap[child], heap[child + 1])) {
            child++;
        }
        if (!order->before(order->context, number, heap[child])) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = number;
}

void ki_sort(uint32_t *numbers, uint32_t count,
             bool (*before)(const void *context, uint32_t a, uint32_t b), const void *context)
{
    const sort_order order = {before, context};
    uint32_t sorted = 1;
    while (sorted < count && !before(context, numbers[sorted], numbers[sorted - 1])) {
        sorted++;
    }
    if (sorted >= count) {
        return; /* usually they are in order already */
    }
    for (uint32_t i = count / 2; i-- > 0;) {
        sort_sift(numbers, count, i, numbers[i], &order);
    }
    for (uint32_t last = count - 1; last > 0; last--) {
        uint32_t number = numbers[last];
        numbers[last] = numbers[0];
        sort_sift(numbers, last, 0, number, &order);
    }
}

static bool sort_is_less(const void *context, uint32_t a, uint32_t b)
{
    (void)context;
    return a < b;
}

void ki_sort_ascending(uint32_t *numbers, uint32_t count)
{
    ki_sort(numbers, count, sort_is_less, NULL);
}
