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

#define RANKS_HEAD 8u

/* The first eight bytes as a number, with zeros after a shorter text. Of two texts with other heads the
 * one with the lesser head comes first. So a search seldom has to read the texts themselves. */
static uint64_t ranks_head(const char *bytes, uint32_t length)
{
    uint64_t head = 0;
    for (uint32_t i = 0; i < RANKS_HEAD; i++) {
        head = head << 8 | (i < length ? (uint8_t)bytes[i] : 0);
    }
    return head;
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

/* Those that have ranks keep their order among themselves. */
static void ranks_write_heads(const ki_texts *texts, const ki_text_ranks *old,
                              const uint32_t *sorted, uint32_t count, uint64_t *heads)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (sorted[i] < old->count) {
            heads[i] = old->heads[at++];
        } else {
            const ki_text *text = ki_texts_at(texts, sorted[i]);
            heads[i] = ranks_head(text->bytes, text->length);
        }
    }
}

static size_t ranks_bytes(uint32_t count)
{
    return ki_heap_bytes(count, 2 * sizeof(uint64_t) + sizeof(uint32_t));
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

/* Takes over new room, in which there are heads of the texts, and the texts are sorted. */
static void ranks_take(ki_heap *heap, ki_text_ranks *ranks, const ki_text_ranks *made,
                       bool *renewed)
{
    const uint32_t before = ranks->count;
    *renewed = before == 0 || ranks->unknown;
    if (before != 0) {
        memcpy(made->ranks, ranks->ranks, before * sizeof *made->ranks);
    }
    if (before == 0 || !ranks_place(made->sorted, made->count, before, made->ranks)) {
        ranks_place_all(made->sorted, made->count, made->ranks);
        *renewed = true;
    }
    ki_text_ranks_free(heap, ranks);
    *ranks = *made;
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
    uint64_t *room = scratch == NULL
                         ? NULL
                         : ki_heap_alloc(heap, ranks_bytes(count), _Alignof(uint64_t));
    if (room != NULL) {
        uint64_t *heads = room + count;
        const ki_text_ranks made = {
            .ranks = room,
            .heads = heads,
            .sorted = (uint32_t *)(void *)(heads + count),
            .count = count,
        };
        ranks_sort(texts, ranks, count, made.sorted, scratch);
        ranks_write_heads(texts, ranks, made.sorted, count, heads);
        ranks_take(heap, ranks, &made, renewed);
    }
    ki_heap_free(heap, scratch, scratch_bytes, _Alignof(uint32_t));
    return room != NULL ? KITH_OK : KITH_ERR_MEMORY;
}

/* What a bound is of. */
typedef struct ranks_wanted {
    const char *bytes;
    uint32_t length;
    bool after; /* all that begin with them */
    uint64_t head;
    uint64_t mask; /* of the bytes of heads that tell */
} ranks_wanted;

static ranks_wanted ranks_want(const char *bytes, uint32_t length, bool after)
{
    const uint32_t others = after && length < RANKS_HEAD ? RANKS_HEAD - length : 0;
    return (ranks_wanted){
        .bytes = bytes,
        .length = length,
        .after = after,
        .head = ranks_head(bytes, length),
        .mask = others == RANKS_HEAD ? 0 : UINT64_MAX << 8 * others,
    };
}

/* Whether a text is before the bound. */
static bool ranks_is_below(const ki_text_ranks *ranks, const ki_texts *texts, uint32_t place,
                           const ranks_wanted *wanted)
{
    const uint64_t head = ranks->heads[place] & wanted->mask;
    if (head != wanted->head) {
        return head < wanted->head;
    }
    const ki_text *text = ki_texts_at(texts, ranks->sorted[place]);
    return (wanted->after && text->length >= wanted->length &&
            memcmp(text->bytes, wanted->bytes, wanted->length) == 0) ||
           ranks_compare(text, wanted->bytes, wanted->length) < 0;
}

uint64_t ki_text_ranks_bound(const ki_text_ranks *ranks, const ki_texts *texts, const char *bytes,
                             uint32_t length, bool after)
{
    const ranks_wanted wanted = ranks_want(bytes, length, after);
    uint32_t low = 0;
    for (uint32_t high = ranks->count; low < high;) {
        const uint32_t middle = low + (high - low) / 2;
        if (ranks_is_below(ranks, texts, middle, &wanted)) {
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
        const ki_text *text = ki_texts_at(texts, ranks->sorted[i]);
        if (ranks->heads[i] != ranks_head(text->bytes, text->length)) {
            return "an ordered index has another head of a text";
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
