/* Sums over groups of rows. Rows are sorted by what they are grouped by, which keeps the order of the
 * scan within a group: so numbers are added in that order, and groups come in the order of their
 * keys. */
#include <kith/floats.h>

#include <string.h>

#include "query/condition.h"
#include "reflect/selection.h"

/* A column of sums for one group. */
typedef struct groups_sum {
    const kith_field *input;
    uint64_t count;     /* values that were there */
    uint64_t low, high; /* whole numbers, added in 128 bits of two's complement, which always fits */
    double f64;
    const void *best; /* the least, or the greatest; NULL: none yet */
} groups_sum;

static bool groups_is_signed(kith_kind kind)
{
    return kind == KITH_I8 || kind == KITH_I16 || kind == KITH_I32 || kind == KITH_I64;
}

static bool groups_is_float(kith_kind kind)
{
    return kind == KITH_F32 || kind == KITH_F64;
}

/* A whole number, in 64 bits of two's complement. */
static uint64_t groups_whole(kith_kind kind, const void *value)
{
    if (kind == KITH_I64 || kind == KITH_U64) {
        uint64_t bits;
        memcpy(&bits, value, sizeof bits);
        return bits;
    }
    double exact = ki_number_read(kind, value);
    return groups_is_signed(kind) ? (uint64_t)(int64_t)exact : (uint64_t)exact;
}

static void groups_add(groups_sum *sum, const void *value)
{
    kith_kind kind = sum->input->kind;
    sum->count++;
    if (groups_is_float(kind)) {
        sum->f64 += ki_number_read(kind, value);
    } else {
        const uint64_t number = groups_whole(kind, value);
        const bool negative = groups_is_signed(kind) && number >> 63 != 0;
        sum->low += number;
        sum->high += (negative ? UINT64_MAX : 0) + (sum->low < number);
    }
}

/* Whether the sum of whole numbers fits into the 64 bits of its kind. */
static bool groups_fits(const groups_sum *sum)
{
    const bool negative = groups_is_signed(sum->input->kind) && sum->low >> 63 != 0;
    return sum->high == (negative ? UINT64_MAX : 0);
}

/* The sum as a double. One of whole numbers is rounded once: what is more than 64 bits of it only tells
 * whether the rest is between two doubles. */
static double groups_total(const groups_sum *sum)
{
    if (groups_is_float(sum->input->kind)) {
        return sum->f64;
    }
    const bool negative = groups_is_signed(sum->input->kind) && sum->high >> 63 != 0;
    uint64_t low = negative ? ~sum->low + 1 : sum->low;
    uint64_t high = negative ? ~sum->high + (low == 0) : sum->high;
    double scale = 1;
    for (; high != 0; high >>= 1) {
        low = high << 63 | low >> 1 | (low & 1);
        scale *= 2;
    }
    return (negative ? -(double)low : (double)low) * scale;
}

/* Keeps the least or greatest value. One that is not a number is neither. */
static void groups_compare(const kith_select *select, groups_sum *sum, ki_syntax_kind source,
                           const void *value)
{
    if (groups_is_float(sum->input->kind)) {
        double number = ki_number_read(sum->input->kind, value);
        if (number != number) {
            return;
        }
    }
    const void *first = source == KI_SYNTAX_MIN ? value : sum->best;
    const void *second = source == KI_SYNTAX_MIN ? sum->best : value;
    if (sum->best == NULL || ki_select_is_before(select->world, sum->input, first, second)) {
        sum->best = value;
    }
}

/* A float that is not a number has the same bits everywhere. */
static double groups_settle(double value)
{
    static const uint64_t nan_bits = UINT64_C(0x7ff8000000000000);
    double settled = value;
    if (value != value) {
        memcpy(&settled, &nan_bits, sizeof settled);
    }
    return settled;
}

static kith_result groups_put(const kith_select *select, const groups_sum *sum, uint8_t *row,
                              uint32_t number)
{
    const ki_select_column *column = &select->groups.columns[number];
    if (column->source == KI_SYNTAX_MIN || column->source == KI_SYNTAX_MAX) {
        if (sum->best != NULL) {
            ki_select_put(&select->groups, row, number, sum->best);
        }
        return KITH_OK;
    }
    const bool whole = column->shown.kind != KITH_F64;
    if (whole && !groups_fits(sum)) {
        return ki_fail(&select->world->store.context, KITH_ERR_LIMIT,
                       "kith_select_run: %s does not fit into 64 bits", column->shown.name);
    }
    if (sum->count == 0) {
        return KITH_OK;
    }
    double real = groups_total(sum);
    if (column->source == KI_SYNTAX_AVG) {
        real /= (double)sum->count;
    }
    real = groups_settle(real);
    const void *value = whole ? (const void *)&sum->low : &real;
    ki_select_put(&select->groups, row, number, value);
    return KITH_OK;
}

/* Sums up one column over the rows from `first` to before `end`. */
static kith_result groups_column(const kith_select *select, const uint32_t *order, uint32_t first,
                                 uint32_t end, uint8_t *row, uint32_t number)
{
    const ki_select_column *column = &select->groups.columns[number];
    if (column->source == KI_SYNTAX_COUNT) {
        uint64_t count = end - first;
        ki_select_put(&select->groups, row, number, &count);
        return KITH_OK;
    }
    const ki_select_table *read = &select->read;
    if (column->source == KI_SYNTAX_FIELD) {
        const void *key = ki_select_at(read, ki_select_row(read, order[first]), column->input);
        if (key != NULL) {
            ki_select_put(&select->groups, row, number, key);
        }
        return KITH_OK;
    }
    groups_sum sum = {.input = &read->columns[column->input].shown};
    for (uint32_t i = first; i < end; i++) {
        const void *value = ki_select_at(read, ki_select_row(read, order[i]), column->input);
        if (value != NULL && (column->source == KI_SYNTAX_SUM || column->source == KI_SYNTAX_AVG)) {
            groups_add(&sum, value);
        } else if (value != NULL) {
            groups_compare(select, &sum, column->source, value);
        }
    }
    return groups_put(select, &sum, row, number);
}

static bool groups_is_same(const kith_select *select, uint32_t a, uint32_t b)
{
    const ki_select_table *read = &select->read;
    for (uint32_t i = 0; i < select->key_count; i++) {
        const void *left = ki_select_at(read, ki_select_row(read, a), i);
        const void *right = ki_select_at(read, ki_select_row(read, b), i);
        if (ki_select_is_before(select->world, &read->columns[i].shown, left, right) ||
            ki_select_is_before(select->world, &read->columns[i].shown, right, left)) {
            return false;
        }
    }
    return true;
}

/* Makes the rows of groups. Without keys there is one group, also of no rows. */
static kith_result groups_make(kith_select *select, const uint32_t *order)
{
    ki_heap *heap = &select->world->store.context.heap;
    uint32_t count = select->read.row_count;
    uint32_t first = 0;
    while (first < count || (select->key_count == 0 && select->groups.row_count == 0)) {
        uint32_t end = first < count ? first + 1 : first;
        while (end < count && groups_is_same(select, order[first], order[end])) {
            end++;
        }
        uint8_t *row;
        KI_TRY(ki_select_add_row(heap, &select->groups, &row));
        for (uint32_t i = 0; i < select->groups.column_count; i++) {
            KI_TRY(groups_column(select, order, first, end, row, i));
        }
        first = end;
    }
    return KITH_OK;
}

kith_result ki_select_sum_up(kith_select *select)
{
    ki_heap *heap = &select->world->store.context.heap;
    uint32_t *order = NULL;
    ki_select_order *keys =
        ki_heap_alloc(heap, select->key_count * sizeof *keys, _Alignof(ki_select_order));
    if (keys == NULL) {
        return KITH_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < select->key_count; i++) {
        keys[i] = (ki_select_order){i, false};
    }
    kith_result result =
        ki_select_sort(select->world, &select->read, keys, select->key_count, &order);
    if (result == KITH_OK) {
        result = groups_make(select, order);
        ki_heap_free(heap, order, ki_heap_bytes(select->read.row_count, sizeof *order),
                     _Alignof(uint32_t));
    }
    ki_heap_free(heap, keys, select->key_count * sizeof *keys, _Alignof(ki_select_order));
    ki_select_clear(heap, &select->read);
    return result;
}
