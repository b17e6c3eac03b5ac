#include "index/text_ranks.h"

#include <string.h>

#include "base/sort.h"

/* Texts that come after all others are so far apart, so that many more can come. */
#define RANKS_STEP_LAST (UINT64_C(1) << 32)

/* As memcmp: bytes come before all that begin with them. */
static int ranks_compare(const ki_text *text, const char *bytes, uint32_t length)
{
    const uint32_t both = ki_min_u32(text->length, length);
    const int difference = memcmp(text->bytes, bytes, both);
    return difference != 0 ? difference : (text->length > length) - (text->length < length);
}

static bool ranks_is_before(const void *context, uint32_t a, uint32_t b)
{
    const ki_text *other = ki_texts_at(context, b);
    return ranks_compare(ki_texts_at(context, a), other->bytes, other->length) < 0;
}

/* Merges the numbers that have ranks with those that came, which are in order too. */
static void ranks_merge(const ki_texts *texts, const uint32_t *old, uint32_t old_count,
                        const uint32_t *came, uint32_t came_count, uint32_t *sorted)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < came_count; i++) {
        while (at < old_count && ranks_is_before(texts, old[at], came[i])) {
            *sorted++ = old[at++];
        }
        *sorted++ = came[i];
    }
    memcpy(sorted, old + at, (old_count - at) * sizeof *sorted);
}

/* Gives ranks to the numbers from `old_count` on, between those of their neighbours. False: there is no
 * room between some. */
static bool ranks_place(const uint32_t *sorted, uint32_t count, uint32_t old_count, uint64_t *ranks)
{
    uint64_t low = 0;
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && sorted[end] >= old_count; end++) {
        }
        const uint64_t high = end == count ? UINT64_MAX : ranks[sorted[end]];
        uint64_t step = (high - low) / (end - i + UINT64_C(1));
        step = end == count && step > RANKS_STEP_LAST ? RANKS_STEP_LAST : step;
        if (step == 0) {
            return false;
        }
        for (; i < end; i++) {
            low += step;
            ranks[sorted[i]] = low;
        }
        low = high;
        end += end < count;
    }
    return true;
}

static void ranks_place_all(const uint32_t *sorted, uint32_t count, uint64_t *ranks)
{
    const uint64_t step = UINT64_MAX / (count + UINT64_C(1));
    for (uint32_t i = 0; i < count; i++) {
        ranks[sorted[i]] = (i + UINT64_C(1)) * step;
    }
}

static size_t ranks_bytes(uint32_t count)
{
    return ki_heap_bytes(count, sizeof(uint64_t) + sizeof(uint32_t));
}

/* Writes all numbers in order, of which some have ranks. There is scratch for twice the others. */
static void ranks_sort(const ki_texts *texts, const ki_text_ranks *ranks, uint32_t count,
                       uint32_t *sorted, uint32_t *scratch)
{
    const uint32_t came = count - ranks->count;
    uint32_t *numbers = ranks->count == 0 ? sorted : scratch + came;
    for (uint32_t i = 0; i < came; i++) {
        numbers[i] = ranks->count + i;
    }
    ki_sort_stable(numbers, scratch, came, ranks_is_before, texts);
    if (ranks->count != 0) {
        ranks_merge(texts, ranks->sorted, ranks->count, numbers, came, sorted);
    }
}

/* Takes over new room, in which the texts are sorted. */
static void ranks_take(ki_heap *heap, ki_text_ranks *ranks, uint64_t *made, uint32_t *sorted,
                       uint32_t count, bool *renewed)
{
    const uint32_t before = ranks->count;
    *renewed = before == 0 || ranks->unknown;
    if (before != 0) {
        memcpy(made, ranks->ranks, before * sizeof *made);
    }
    if (before == 0 || !ranks_place(sorted, count, before, made)) {
        ranks_place_all(sorted, count, made);
        *renewed = true;
    }
    ki_text_ranks_free(heap, ranks);
    *ranks = (ki_text_ranks){.ranks = made, .sorted = sorted, .count = count};
}

kith_result ki_text_ranks_update(ki_heap *heap, ki_text_ranks *ranks, const ki_texts *texts,
                                 bool *renewed)
{
    const uint32_t count = ki_text_ranks_wanted(texts);
    *renewed = false;
    if (count == ranks->count) {
        return KITH_OK;
    }
    const size_t scratch_bytes = ki_heap_bytes(count - ranks->count, 2 * sizeof(uint32_t));
    uint32_t *scratch = ki_heap_alloc(heap, scratch_bytes, _Alignof(uint32_t));
    uint64_t *made = scratch == NULL
                         ? NULL
                         : ki_heap_alloc(heap, ranks_bytes(count), _Alignof(uint64_t));
    if (made != NULL) {
        uint32_t *sorted = (uint32_t *)(void *)(made + count);
        ranks_sort(texts, ranks, count, sorted, scratch);
        ranks_take(heap, ranks, made, sorted, count, renewed);
    }
    ki_heap_free(heap, scratch, scratch_bytes, _Alignof(uint32_t));
    return made != NULL ? KITH_OK : KITH_ERR_MEMORY;
}

uint64_t ki_text_ranks_bound(const ki_text_ranks *ranks, const ki_texts *texts, const char *bytes,
                             uint32_t length, bool after)
{
    uint32_t low = 0;
    for (uint32_t high = ranks->count; low < high;) {
        const uint32_t middle = low + (high - low) / 2;
        const ki_text *text = ki_texts_at(texts, ranks->sorted[middle]);
        const bool begins =
            after && text->length >= length && memcmp(text->bytes, bytes, length) == 0;
        if (begins || ranks_compare(text, bytes, length) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == ranks->count ? UINT64_MAX : ranks->ranks[ranks->sorted[low]];
}

const char *ki_text_ranks_check(const ki_text_ranks *ranks, const ki_texts *texts)
{
    if (ranks->count > ki_text_ranks_wanted(texts)) {
        return "an ordered index has ranks of more texts than there are";
    }
    uint64_t last = 0;
    for (uint32_t i = 0; i < ranks->count; i++) {
        const uint64_t rank = ki_text_rank(ranks, ranks->sorted[i]);
        const bool late = i == 0 || ranks_is_before(texts, ranks->sorted[i - 1], ranks->sorted[i]);
        if (rank <= last || rank == UINT64_MAX || !late) {
            return "the ranks of texts are not in the order of the texts";
        }
        last = rank;
    }
    return NULL;
}

size_t ki_text_ranks_bytes(const ki_text_ranks *ranks)
{
    return sizeof *ranks + (ranks->count == 0 ? 0 : ranks_bytes(ranks->count));
}

void ki_text_ranks_free(ki_heap *heap, ki_text_ranks *ranks)
{
    ki_heap_free(heap, ranks->ranks, ranks_bytes(ranks->count), _Alignof(uint64_t));
    *ranks = (ki_text_ranks){.count = 0};
}
