/* Sets of slots as bits, in two levels: finding the marks takes a step for each 4,096 slots, and one for
 * each mark. */
#ifndef KI_INDEX_SLOT_MARKS_H
#define KI_INDEX_SLOT_MARKS_H

#include "base/heap.h"

typedef struct ki_slot_marks {
    uint64_t *bits;
    uint64_t *groups; /* a bit for each word of `bits`: it is not 0 */
    uint32_t words;   /* of `bits` */
    uint32_t group_words;
} ki_slot_marks;

/* Makes room for slots below `slots`. KITH_ERR_MEMORY. */
kith_result ki_slot_marks_reserve(ki_heap *heap, ki_slot_marks *marks, uint32_t slots);
void ki_slot_marks_free(ki_heap *heap, ki_slot_marks *marks);

/* The first marked slot from `from` on; UINT32_MAX: there is none. */
uint32_t ki_slot_marks_next(const ki_slot_marks *marks, uint32_t from);

uint32_t ki_slot_marks_count(const ki_slot_marks *marks);
size_t ki_slot_marks_bytes(const ki_slot_marks *marks);

/* The first thing wrong, or NULL. */
const char *ki_slot_marks_check(const ki_slot_marks *marks);

static inline bool ki_slot_marks_has(const ki_slot_marks *marks, uint32_t slot)
{
    return slot / 64 < marks->words && (marks->bits[slot / 64] >> slot % 64 & 1) != 0;
}

/* Marks a slot for which there is room. */
static inline void ki_slot_marks_add(ki_slot_marks *marks, uint32_t slot)
{
    uint32_t word = slot / 64;
    marks->bits[word] |= UINT64_C(1) << slot % 64;
    marks->groups[word / 64] |= UINT64_C(1) << word % 64;
}

/* Clears the mark of a slot that has one. */
static inline void ki_slot_marks_remove(ki_slot_marks *marks, uint32_t slot)
{
    uint32_t word = slot / 64;
    marks->bits[word] &= ~(UINT64_C(1) << slot % 64);
    if (marks->bits[word] == 0) {
        marks->groups[word / 64] &= ~(UINT64_C(1) << word % 64);
    }
}

#endif
