#include "store/live.h"

#include "base/bits.h"

/* The first row from `row` on that has a value; `rows` if there is none. */
static uint32_t live_next(ki_live_rows block, uint32_t row)
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

static uint8_t *live_value(ki_live_rows block, uint32_t row)
{
    return block.data + (size_t)row * block.hooks->type->size;
}

static void live_turn(ki_live_rows block, uint32_t row)
{
    block.bits[row / 64] ^= (uint64_t)1 << row % 64;
}

kith_result ki_live_copy(ki_live_rows to, ki_live_rows from)
{
    for (uint32_t row = live_next(from, 0); row < from.rows; row = live_next(from, row + 1)) {
        kith_result result =
            ki_hooks_copy(from.hooks, live_value(to, row), live_value(from, row), 1);
        if (result != KITH_OK) {
            ki_live_destroy(to);
            return result;
        }
        live_turn(to, row);
    }
    return KITH_OK;
}

void ki_live_move(ki_live_rows to, ki_live_rows from)
{
    for (uint32_t row = live_next(from, 0); row < from.rows; row = live_next(from, row + 1)) {
        ki_hooks_move(from.hooks, live_value(to, row), live_value(from, row), 1);
        live_turn(to, row);
        live_turn(from, row);
    }
}

void ki_live_destroy(ki_live_rows block)
{
    for (uint32_t row = live_next(block, 0); row < block.rows; row = live_next(block, row + 1)) {
        live_turn(block, row);
        ki_hooks_destroy(block.hooks, live_value(block, row), 1);
    }
}

uint32_t ki_live_count(ki_live_rows block)
{
    uint32_t count = 0;
    for (uint32_t row = live_next(block, 0); row < block.rows; row = live_next(block, row + 1)) {
        count++;
    }
    return count;
}
