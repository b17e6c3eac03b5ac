#include "store/slots.h"

void ki_slots_init(ki_slots *slots, uint32_t size, uint32_t align, const struct ki_hooks *hooks)
{
    *slots = (ki_slots){0};
    ki_column_init_paged(&slots->bits, sizeof(uint64_t), _Alignof(uint64_t), KI_SLOTS_PAGE_SHIFT);
    ki_column_init_paged(&slots->values, size, align, 10);
    ki_column_set_hooks(&slots->values, hooks);
}

void ki_slots_free(ki_column_context *columns, ki_slots *slots)
{
    ki_column_free(columns, &slots->bits);
    ki_column_free(columns, &slots->values);
    slots->count = 0;
}

uint32_t ki_slots_next(const ki_slots *slots, uint32_t index, uint32_t end)
{
    while (index < end) {
        uint32_t word = index / 64;
        if (word >= slots->bits.capacity) {
            return end;
        }
        if (!ki_column_has_page(&slots->bits, word)) {
            uint64_t next = ki_column_block_end(&slots->bits, word) * 64;
            index = next >= end ? end : (uint32_t)next;
            continue;
        }
        uint64_t bits = ki_slots_word(slots, word) >> index % 64;
        if (bits != 0) {
            return ki_min_u32(index + ki_lowest_bit(bits), end);
        }
        uint64_t next = ((uint64_t)word + 1) * 64;
        index = next >= end ? end : (uint32_t)next;
    }
    return end;
}

uint32_t ki_slots_run_end(const ki_slots *slots, uint32_t index, uint32_t end)
{
    while (index < end) {
        uint32_t word = index / 64;
        const uint64_t *bits = ki_slots_word_at(slots, word);
        uint64_t clear = bits == NULL ? UINT64_MAX : ~*bits >> index % 64;
        if (clear != 0) {
            return ki_min_u32(index + ki_lowest_bit(clear), end);
        }
        /* Full words are passed over one after the other, as far as their page goes; the first page may
         * be a short one. */
        uint32_t stop = ki_min_u32((end - 1) / 64 + 1, slots->bits.capacity);
        stop = ki_min_u32(stop, (word | ((1u << KI_SLOTS_PAGE_SHIFT) - 1)) + 1);
        do {
            word++;
            bits++;
        } while (word < stop && *bits == UINT64_MAX);
        uint64_t next = (uint64_t)word * 64;
        index = next >= end ? end : (uint32_t)next;
    }
    return end;
}

/* Whether a page of values has none that is there. */
static bool slots_page_is_unused(const ki_column *values, uint32_t first, uint32_t count,
                                 const void *context)
{
    (void)values;
    const ki_slots *slots = context;
    uint32_t end = count > UINT32_MAX - first ? UINT32_MAX : first + count;
    return ki_slots_next(slots, first, end) == end;
}

void ki_slots_trim(ki_column_context *columns, ki_slots *slots)
{
    ki_column_trim_pages(columns, &slots->values, slots_page_is_unused, slots);
    ki_column_trim_pages(columns, &slots->bits, ki_column_is_zero, NULL);
}

/* KI_NOINLINE: without it, the row tag slot of the bench takes 10 % more. */
static KI_NOINLINE kith_result slots_take_slow(ki_column_context *columns, ki_slots *slots,
                                               uint32_t index)
{
    if (!ki_slots_mark_removal(columns, slots, index)) {
        return KITH_ERR_MEMORY;
    }
    ki_slots_remove(slots, index);
    return KITH_OK;
}

kith_result ki_slots_take(ki_column_context *columns, ki_slots *slots, uint32_t index)
{
    uint64_t bit = (uint64_t)1 << index % 64;
    uint64_t *word = ki_slots_word_at(slots, index / 64);
    if (word == NULL || (*word & bit) == 0) {
        return ki_without_message(columns->heap, KITH_ERR_ABSENT);
    }
    if (slots->values.hooks != NULL || !ki_slots_is_ready_removal(columns, slots, index)) {
        return slots_take_slow(columns, slots, index);
    }
    *word &= ~bit;
    slots->count--;
    return KITH_OK;
}
