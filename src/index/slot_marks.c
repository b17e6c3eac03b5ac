#include "index/slot_marks.h"

#include <string.h>

#include "base/bits.h"

/* Makes an array of words longer; new ones are 0. */
static kith_result marks_grow(ki_heap *heap, uint64_t **words, uint32_t *count, uint32_t needed)
{
    uint32_t before = *count;
    if (needed <= before) {
        return KITH_OK;
    }
    KI_TRY(ki_heap_grow(heap, words, count, needed, sizeof **words, 1));
    memset(*words + before, 0, (*count - before) * sizeof **words);
    return KITH_OK;
}

/* Words may be more than were asked for; each of them has its bit in a group. */
kith_result ki_slot_marks_reserve(ki_heap *heap, ki_slot_marks *marks, uint32_t slots)
{
    KI_TRY(marks_grow(heap, &marks->bits, &marks->words, slots / 64 + (slots % 64 != 0)));
    const uint32_t words = marks->words;
    return marks_grow(heap, &marks->groups, &marks->group_words, words / 64 + (words % 64 != 0));
}

void ki_slot_marks_free(ki_heap *heap, ki_slot_marks *marks)
{
    ki_heap_free(heap, marks->bits, marks->words * sizeof *marks->bits, _Alignof(max_align_t));
    ki_heap_free(heap, marks->groups, marks->group_words * sizeof *marks->groups,
                 _Alignof(max_align_t));
    *marks = (ki_slot_marks){0};
}

/* The first bit that is set, from number `from` on; UINT32_MAX: there is none. */
static uint32_t marks_next_bit(const uint64_t *words, uint32_t count, uint32_t from)
{
    uint32_t word = from / 64;
    if (word >= count) {
        return UINT32_MAX;
    }
    uint64_t bits = words[word] & UINT64_MAX << from % 64;
    while (bits == 0) {
        if (++word == count) {
            return UINT32_MAX;
        }
        bits = words[word];
    }
    return word * 64 + ki_lowest_bit(bits);
}

uint32_t ki_slot_marks_next(const ki_slot_marks *marks, uint32_t from)
{
    uint32_t word = from / 64;
    if (word >= marks->words) {
        return UINT32_MAX;
    }
    uint64_t bits = marks->bits[word] & UINT64_MAX << from % 64;
    if (bits == 0) {
        word = marks_next_bit(marks->groups, marks->group_words, word + 1);
        if (word == UINT32_MAX) {
            return UINT32_MAX;
        }
        bits = marks->bits[word];
    }
    return word * 64 + ki_lowest_bit(bits);
}

uint32_t ki_slot_marks_count(const ki_slot_marks *marks)
{
    uint32_t count = 0;
    for (uint32_t word = marks_next_bit(marks->groups, marks->group_words, 0); word != UINT32_MAX;
         word = marks_next_bit(marks->groups, marks->group_words, word + 1)) {
        count += ki_bit_count(marks->bits[word]);
    }
    return count;
}

size_t ki_slot_marks_bytes(const ki_slot_marks *marks)
{
    return ((size_t)marks->words + marks->group_words) * sizeof *marks->bits;
}

const char *ki_slot_marks_check(const ki_slot_marks *marks)
{
    for (uint32_t word = 0; word < marks->words; word++) {
        /* Words are without a group if memory ran out for that. */
        bool told =
            word / 64 < marks->group_words && (marks->groups[word / 64] >> word % 64 & 1) != 0;
        if (told != (marks->bits[word] != 0)) {
            return "a live query has a group of marks that does not tell what is in it";
        }
    }
    return NULL;
}
