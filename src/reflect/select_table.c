/* Rows of a table of values, and their order. */
#include <kith/floats.h>

#include "reflect/select_table.h"

#include <stddef.h>

#include "base/sort.h"
#include "reflect/sort_keys.h"

kith_result ki_select_add_row(ki_heap *heap, ki_select_table *table, uint8_t **row)
{
    KI_TRY(ki_heap_grow(heap, &table->rows, &table->row_capacity, table->row_count + 1,
                        table->row_size, 16));
    *row = ki_select_row(table, table->row_count++);
    memset(*row, 0, table->row_size);
    return KITH_OK;
}

void ki_select_clear(ki_heap *heap, ki_select_table *table)
{
    ki_heap_free(heap, table->rows, (size_t)table->row_capacity * table->row_size,
                 _Alignof(max_align_t));
    table->rows = NULL;
    table->row_count = 0;
    table->row_capacity = 0;
}

/* ---- Order */

bool ki_select_is_before(const kith_world *world, const kith_field *shown, const void *a,
                         const void *b)
{
    if (a == NULL || b == NULL) {
        return a == NULL && b != NULL;
    }
    const ki_sort_by by = {.field = *shown, .texts = world->texts};
    return ki_sort_value_is_before(&by, a, b);
}

typedef struct rows_order {
    const kith_world *world;
    const ki_select_table *table;
    const ki_select_order *orders;
    uint32_t count;
} rows_order;

static bool rows_is_before(const void *context, uint32_t a, uint32_t b)
{
    const rows_order *order = context;
    const uint8_t *left = ki_select_row(order->table, a);
    const uint8_t *right = ki_select_row(order->table, b);
    for (uint32_t i = 0; i < order->count; i++) {
        uint32_t column = order->orders[i].column;
        bool descending = order->orders[i].descending;
        const kith_field *shown = &order->table->columns[column].shown;
        const void *first = ki_select_at(order->table, descending ? right : left, column);
        const void *second = ki_select_at(order->table, descending ? left : right, column);
        if (ki_select_is_before(order->world, shown, first, second)) {
            return true;
        }
        if (ki_select_is_before(order->world, shown, second, first)) {
            return false;
        }
    }
    return false;
}

kith_result ki_select_sort(kith_world *world, const ki_select_table *table,
                           const ki_select_order *orders, uint32_t order_count, uint32_t **order)
{
    ki_heap *heap = &world->store.context.heap;
    const rows_order by = {world, table, orders, order_count};
    size_t size = ki_heap_bytes(table->row_count, sizeof **order);
    uint32_t *numbers = ki_heap_alloc(heap, size, _Alignof(uint32_t));
    if (numbers == NULL) {
        return KITH_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < table->row_count; i++) {
        numbers[i] = i;
    }
    if (order_count != 0) {
        uint32_t *scratch = ki_heap_alloc(heap, size, _Alignof(uint32_t));
        if (scratch == NULL) {
            ki_heap_free(heap, numbers, size, _Alignof(uint32_t));
            return KITH_ERR_MEMORY;
        }
        ki_sort_stable(numbers, scratch, table->row_count, rows_is_before, &by);
        ki_heap_free(heap, scratch, size, _Alignof(uint32_t));
    }
    *order = numbers;
    return KITH_OK;
}

void ki_select_drop_row(const kith_world *world, ki_select_table *table,
                        const ki_select_order *orders, uint32_t order_count, uint32_t row)
{
    const rows_order by = {world, table, orders, order_count};
    const uint32_t last = table->row_count - 1;
    table->row_count -= !rows_is_before(&by, last, row);
}

kith_result ki_select_keep_rows(kith_world *world, ki_select_table *table,
                                const ki_select_order *orders, uint32_t order_count, uint32_t count)
{
    ki_heap *heap = &world->store.context.heap;
    const uint32_t all = table->row_count;
    uint32_t *order;
    KI_TRY(ki_select_sort(world, table, orders, order_count, &order));
    const size_t bytes = ki_heap_bytes(count, table->row_size);
    uint8_t *kept = ki_heap_alloc(heap, bytes, _Alignof(max_align_t));
    for (uint32_t i = 0; kept != NULL && i < count; i++) {
        memcpy(kept + (size_t)i * table->row_size, ki_select_row(table, order[i]),
               table->row_size);
    }
    if (kept != NULL) {
        memcpy(table->rows, kept, bytes);
        table->row_count = count;
    }
    ki_heap_free(heap, kept, bytes, _Alignof(max_align_t));
    ki_heap_free(heap, order, ki_heap_bytes(all, sizeof *order), _Alignof(uint32_t));
    return kept == NULL ? KITH_ERR_MEMORY : KITH_OK;
}
