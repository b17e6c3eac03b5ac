/* A slot array: values of one component by the entity's slot, and a bit each that tells if it is
 * there. */
#ifndef KI_STORE_SLOTS_H
#define KI_STORE_SLOTS_H

#include "store/column.h"

/* 128 words a page: 8,192 entities' bits in 1 KB. */
#define KI_SLOTS_PAGE_SHIFT KITH_SLOT_SHIFT_

typedef struct ki_slots {
    ki_column bits;   /* paged: uint64_t, one bit a slot */
    ki_column values; /* paged by slot; of size 0 for a tag, and then empty */
    uint32_t count;
} ki_slots;

void ki_slots_init(ki_slots *slots, uint32_t size, uint32_t align, const struct ki_hooks *hooks);
void ki_slots_free(ki_column_context *columns, ki_slots *slots);

/* Gives back blocks and pages that hold nothing. */
void ki_slots_trim(ki_column_context *columns, ki_slots *slots);

/* Where the bits of slots word * 64 and up are; NULL if there is no page, which means none. */
static inline uint64_t *ki_slots_word_at(const ki_slots *slots, uint32_t word)
{
    return KI_COLUMN_FIND(uint64_t, &slots->bits, word, KI_SLOTS_PAGE_SHIFT);
}

/* The bits of slots word * 64 and up. */
static inline uint64_t ki_slots_word(const ki_slots *slots, uint32_t word)
{
    const uint64_t *at = ki_slots_word_at(slots, word);
    return at != NULL ? *at : 0;
}

static inline bool ki_slots_has(const ki_slots *slots, uint32_t index)
{
    return (ki_slots_word(slots, index / 64) >> index % 64 & 1) != 0;
}

/* Makes an insert certain. KITH_ERR_MEMORY. */
static inline kith_result ki_slots_reserve(ki_column_context *columns, ki_slots *slots,
                                           uint32_t index)
{
    if (slots->values.size != 0) {
        KI_TRY(ki_column_reserve_row(columns, &slots->values, index));
    }
    return ki_column_reserve_row(columns, &slots->bits, index / 64);
}

/* Whether an insert is certain as things are, if values are simple. */
static inline bool ki_slots_is_ready(const ki_column_context *columns, const ki_slots *slots,
                                     uint32_t index)
{
    return ki_column_is_ready(columns, &slots->bits, index / 64, KI_SLOTS_PAGE_SHIFT) &&
           (slots->values.size == 0 ||
            ki_column_is_ready(columns, &slots->values, index, KI_SMALL_SHIFT));
}

/* Inserts a slot that has no value, which is the caller's to write. */
static inline void ki_slots_insert(ki_slots *slots, uint32_t index)
{
    *KI_COLUMN_AT_SHIFT(uint64_t, &slots->bits, index / 64, KI_SLOTS_PAGE_SHIFT) |= (uint64_t)1
                                                                                    << index % 64;
    slots->count++;
}

/* Makes the removal of a slot that has a value certain. */
static inline bool ki_slots_mark_removal(ki_column_context *columns, ki_slots *slots,
                                         uint32_t index)
{
    return ki_column_mark(columns, &slots->bits, index / 64) &&
           (slots->values.size == 0 || ki_column_mark(columns, &slots->values, index));
}

/* Whether it is certain as things are, if values are simple. */
static inline bool ki_slots_is_ready_removal(const ki_column_context *columns,
                                             const ki_slots *slots, uint32_t index)
{
    return ki_column_is_marked_by(columns, &slots->bits, index / 64, KI_SLOTS_PAGE_SHIFT) &&
           (slots->values.size == 0 || ki_column_is_marked(columns, &slots->values, index));
}

/* ki_slots_mark_removal for slots that follow one another. */
static inline bool ki_slots_mark_span(ki_column_context *columns, ki_slots *slots, uint32_t first,
                                      uint32_t count)
{
    uint32_t last = first + count - 1;
    return ki_column_mark_rows(columns, &slots->bits, first / 64, last / 64 - first / 64 + 1) &&
           (slots->values.size == 0 || ki_column_mark_rows(columns, &slots->values, first, count));
}

/* Removes the value of a slot that has one. */
static inline void ki_slots_remove(ki_slots *slots, uint32_t index)
{
    *KI_COLUMN_AT_SHIFT(uint64_t, &slots->bits, index / 64, KI_SLOTS_PAGE_SHIFT) &=
        ~((uint64_t)1 << index % 64);
    slots->count--;
    if (slots->values.hooks != NULL) {
        ki_column_drop(&slots->values, index);
    }
}

/* Makes that certain and does it. KITH_ERR_ABSENT if the slot has no value, KITH_ERR_MEMORY. */
kith_result ki_slots_take(ki_column_context *columns, ki_slots *slots, uint32_t index);

/* When the block of the slot's value, or of its bit for a tag, was last written. */
static inline uint64_t ki_slots_stamp(const ki_slots *slots, uint32_t index)
{
    return slots->values.size == 0 ? ki_column_stamp(&slots->bits, index / 64)
                                   : ki_column_stamp(&slots->values, index);
}

/* The first slot from `index` on whose bit is set; `end` if there is none below it. */
uint32_t ki_slots_next(const ki_slots *slots, uint32_t index, uint32_t end);

/* Slot `index` has its bit: returns the first slot after it without one; `end` if there is none below
 * it. */
uint32_t ki_slots_run_end(const ki_slots *slots, uint32_t index, uint32_t end);

#endif
