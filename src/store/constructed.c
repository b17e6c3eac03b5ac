#include "store/constructed.h"

#include "base/bits.h"

/* The first row from `row` on that has a value; `rows` if there is none. */
static uint32_t constructed_next(ki_constructed_rows block, uint32_t row)
{
    while (row < block.rows) {
        uint64_t bits = block.bits[row / 64] >> row % 64;
        if (bits != 0) {
            return row + ki_lowest_bit(bits);
        }
        row = (row / 64 + 1) * 64;
    }
    return block.rows;
}

static uint8_t *constructed_value(ki_constructed_rows block, uint32_t row)
{
    return block.data + (size_t)row * block.hooks->type->size;
}

static void constructed_turn(ki_constructed_rows block, uint32_t row)
{
    block.bits[row / 64] ^= (uint64_t)1 << row % 64;
}

kith_result ki_constructed_copy(ki_constructed_rows to, ki_constructed_rows from)
{
    for (uint32_t row = constructed_next(from, 0); row < from.rows;
         row = constructed_next(from, row + 1)) {
        kith_result result =
            ki_hooks_copy(from.hooks, constructed_value(to, row), constructed_value(from, row), 1);
        if (result != KITH_OK) {
            ki_constructed_destroy(to);
            return result;
        }
        constructed_turn(to, row);
    }
    return KITH_OK;
}

void ki_constructed_move(ki_constructed_rows to, ki_constructed_rows from)
{
    for (uint32_t row = constructed_next(from, 0); row < from.rows;
         row = constructed_next(from, row + 1)) {
        ki_hooks_move(from.hooks, constructed_value(to, row), constructed_value(from, row), 1);
        constructed_turn(to, row);
        constructed_turn(from, row);
    }
}

void ki_constructed_destroy(ki_constructed_rows block)
{
    for (uint32_t row = constructed_next(block, 0); row < block.rows;
         row = constructed_next(block, row + 1)) {
        constructed_turn(block, row);
        ki_hooks_destroy(block.hooks, constructed_value(block, row), 1);
    }
}

uint32_t ki_constructed_count(ki_constructed_rows block)
{
    uint32_t count = 0;
    for (uint32_t row = constructed_next(block, 0); row < block.rows;
         row = constructed_next(block, row + 1)) {
        count++;
    }
    return count;
}
