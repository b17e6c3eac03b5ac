#include "index/filter_blocks.h"

#define FILTER_VALUES_MIN 16u
#define FILTER_LINE 64u /* bytes: a word of each block in a group */

ki_filter_test ki_filter_test_one(const ki_filter_fields *fields, uint32_t field, ki_filter_key key)
{
    const ki_filter_field *of = &fields->list[field];
    return (ki_filter_test){.range = {key.order, key.order},
                            .mask = ki_filter_mask(of, key),
                            .place = ki_filter_place(of, key),
                            .field = field};
}

/* ---- Groups */

static size_t filter_group_words(const ki_filter_fields *fields, uint32_t words)
{
    return (size_t)fields->byte_count * KI_FILTER_BYTE_WORDS + (size_t)fields->word_count * words;
}

static size_t filter_group_bytes(const ki_filter_fields *fields, const ki_filter_group *group)
{
    return filter_group_words(fields, group->words) * group->width * sizeof *group->bits;
}

static void filter_group_free(ki_heap *heap, const ki_filter_fields *fields, ki_filter_group *group)
{
    ki_heap_free(heap, group->bits, filter_group_bytes(fields, group), FILTER_LINE);
    *group = (ki_filter_group){0};
}

/* Words for so many values: sixteen bits each for the next power of two, so that a block that grows is
 * not given new ones each time. */
static uint32_t filter_words_for(uint32_t values)
{
    uint32_t room = FILTER_VALUES_MIN;
    while (room < values) {
        room *= 2;
    }
    return values == 0 ? 0 : room / 4;
}

kith_result ki_filter_group_fit(ki_heap *heap, const ki_filter_fields *fields,
                                ki_filter_blocks *blocks, uint32_t group, uint32_t values,
                                bool *emptied)
{
    ki_filter_group *of = &blocks->groups[group];
    const uint32_t size = ki_filter_group_size(blocks, group);
    const uint32_t words = filter_words_for(values);
    *emptied = false;
    const bool enough = words <= of->words && of->width >= size;
    if (enough && (words == of->words || words > of->words / 4)) {
        return KITH_OK; /* neither too little nor far too much */
    }
    filter_group_free(heap, fields, of);
    *emptied = true;
    for (uint32_t i = 0; i < size; i++) {
        ki_filter_block_begin(fields, blocks, group * KI_FILTER_GROUP + i, 0);
    }
    ki_filter_group fit = {.words = words, .width = 1};
    while (fit.width < size) {
        fit.width *= 2;
    }
    if (words != 0) {
        fit.bits = ki_heap_alloc_zeroed(heap, filter_group_bytes(fields, &fit), FILTER_LINE);
        KI_TRY(fit.bits == NULL ? KITH_ERR_MEMORY : KITH_OK);
    }
    *of = fit;
    return KITH_OK;
}

/* ---- Blocks */

kith_result ki_filter_blocks_resize(ki_heap *heap, const ki_filter_fields *fields,
                                    ki_filter_blocks *blocks, uint32_t count)
{
    const uint32_t before = ki_filter_group_count(blocks);
    const uint32_t groups = count / KI_FILTER_GROUP + (count % KI_FILTER_GROUP != 0);
    KI_TRY(
        ki_heap_grow(heap, &blocks->list, &blocks->list_capacity, count, sizeof *blocks->list, 1));
    KI_TRY(ki_heap_grow(heap, &blocks->ranges, &blocks->range_capacity, count * fields->count,
                        sizeof *blocks->ranges, 1));
    KI_TRY(ki_heap_grow(heap, &blocks->groups, &blocks->group_capacity, groups,
                        sizeof *blocks->groups, 1));
    for (uint32_t i = groups; i < before; i++) {
        filter_group_free(heap, fields, &blocks->groups[i]);
    }
    for (uint32_t i = before; i < groups; i++) {
        blocks->groups[i] = (ki_filter_group){0};
    }
    for (uint32_t i = blocks->count; i < count; i++) {
        blocks->list[i] = (ki_filter_block){0};
    }
    for (uint32_t i = blocks->count * fields->count; i < count * fields->count; i++) {
        blocks->ranges[i] = (ki_filter_range){UINT64_MAX, 0};
    }
    blocks->count = count;
    return KITH_OK;
}

void ki_filter_blocks_free(ki_heap *heap, const ki_filter_fields *fields, ki_filter_blocks *blocks)
{
    for (uint32_t i = 0, groups = ki_filter_group_count(blocks); i < groups; i++) {
        filter_group_free(heap, fields, &blocks->groups[i]);
    }
    ki_heap_free(heap, blocks->list, blocks->list_capacity * sizeof *blocks->list,
                 _Alignof(max_align_t));
    ki_heap_free(heap, blocks->ranges, blocks->range_capacity * sizeof *blocks->ranges,
                 _Alignof(max_align_t));
    ki_heap_free(heap, blocks->groups, blocks->group_capacity * sizeof *blocks->groups,
                 _Alignof(max_align_t));
    *blocks = (ki_filter_blocks){0};
}

size_t ki_filter_blocks_bytes(const ki_filter_fields *fields, const ki_filter_blocks *blocks)
{
    size_t bytes = blocks->list_capacity * sizeof *blocks->list +
                   blocks->range_capacity * sizeof *blocks->ranges +
                   blocks->group_capacity * sizeof *blocks->groups;
    for (uint32_t i = 0, groups = ki_filter_group_count(blocks); i < groups; i++) {
        const ki_filter_group *group = &blocks->groups[i];
        bytes += group->bits == NULL ? 0 : filter_group_bytes(fields, group);
    }
    return bytes;
}

void ki_filter_block_begin(const ki_filter_fields *fields, ki_filter_blocks *blocks,
                           uint32_t number, uint32_t values)
{
    const ki_filter_group *group = &blocks->groups[number / KI_FILTER_GROUP];
    for (uint32_t i = 0; i < fields->count; i++) {
        blocks->ranges[number * fields->count + i] = (ki_filter_range){UINT64_MAX, 0};
    }
    size_t words = group->bits == NULL ? 0 : filter_group_words(fields, group->words);
    for (size_t i = 0; i < words; i++) {
        group->bits[i * group->width + number % KI_FILTER_GROUP] = 0;
    }
    blocks->list[number] = (ki_filter_block){.values = values};
}

static void filter_add_keys(const ki_filter_field *field, ki_filter_blocks *blocks, uint32_t number,
                            ki_filter_range *range, const ki_filter_key *keys, uint32_t count)
{
    ki_filter_range all = *range;
    for (uint32_t i = 0; i < count; i++) {
        const ki_filter_key key = keys[i];
        *ki_filter_word(field, blocks, number, ki_filter_place(field, key)) |=
            ki_filter_mask(field, key);
        all.least = key.order < all.least ? key.order : all.least;
        all.greatest = key.order > all.greatest ? key.order : all.greatest;
    }
    *range = all;
}

void ki_filter_block_add(const ki_filter_fields *fields, ki_filter_blocks *blocks, uint32_t number,
                         const uint8_t *values, size_t stride, uint32_t count)
{
    for (uint32_t i = 0; i < fields->count; i++) {
        const ki_filter_field *field = &fields->list[i];
        for (uint32_t first = 0; first < count; first += KI_FILTER_STEP) {
            ki_filter_key keys[KI_FILTER_STEP];
            uint32_t read = ki_filter_read(&field->field, values + first * stride, stride,
                                           ki_min_u32(KI_FILTER_STEP, count - first), keys);
            filter_add_keys(field, blocks, number, &blocks->ranges[number * fields->count + i],
                            keys, read);
        }
    }
}

/* ---- Asking them */

/* Without a branch for each block: most are skipped, but which is not to be foreseen. */
uint32_t ki_filter_group_may(const ki_filter_fields *fields, const ki_filter_blocks *blocks,
                             uint32_t group, const ki_filter_test *test)
{
    const uint32_t first = group * KI_FILTER_GROUP;
    const uint32_t size = ki_filter_group_size(blocks, group);
    const ki_filter_range asked = test->range;
    const ki_filter_range *range = &blocks->ranges[(size_t)first * fields->count + test->field];
    uint32_t may = 0;
    for (uint32_t i = 0; i < size; i++, range += fields->count) {
        bool meets = (range->least <= asked.greatest) & (range->greatest >= asked.least);
        may |= (uint32_t)meets << i;
    }
    if (may == 0 || test->mask == 0) {
        return may;
    }
    const uint64_t *words = ki_filter_word(&fields->list[test->field], blocks, first, test->place);
    uint32_t has = 0;
    for (uint32_t i = 0; i < size; i++) {
        has |= (uint32_t)((words[i] & test->mask) == test->mask) << i;
    }
    return may & has;
}

bool ki_filter_block_covers(const ki_filter_fields *fields, const ki_filter_blocks *blocks,
                            uint32_t number, const uint8_t *values, size_t stride, uint32_t count)
{
    for (uint32_t i = 0; i < fields->count; i++) {
        for (uint32_t row = 0; row < count; row++) {
            ki_filter_key key;
            if (ki_filter_read(&fields->list[i].field, values + row * stride, stride, 1, &key) !=
                0) {
                const ki_filter_test test = ki_filter_test_one(fields, i, key);
                if ((ki_filter_group_may(fields, blocks, number / KI_FILTER_GROUP, &test) >>
                         number % KI_FILTER_GROUP &
                     1) == 0) {
                    return false;
                }
            }
        }
    }
    return true;
}
