/* What a filter can do for a query's conditions: which blocks may have values that satisfy all that are
 * about its fields. */
#include "index/filter_index.h"
#include "index/index_source.h"
#include "index/want.h"

/* Of a longer list only the least and the greatest value are asked for: some would be in any block. */
#define FILTER_LIST_MAX 16u

/* Groups of blocks that are asked to tell how many are left. */
#define FILTER_SAMPLES 32u

/* Words of so many groups ahead are fetched from memory, which takes longer than asking them. */
#define FILTER_AHEAD 8u

/* What a query asks of a filter: for each want one test or more. One of them has to be passed. */
typedef struct filter_ask {
    const kith_index *index;
    ki_filter_test tests[KI_WANTS_MAX * FILTER_LIST_MAX];
    uint32_t ends[KI_WANTS_MAX]; /* of the tests of each want */
    uint32_t count;              /* wants */
} filter_ask;

/* ---- Which values a want is for */

static ki_filter_key filter_key_of_want(const ki_filter_field *field, const ki_condition_node *want,
                                        const ki_texts *texts)
{
    if (want->form == KI_CONDITION_STRING && want->field.kind == KITH_CHAR) {
        return ki_filter_key_of_text((const uint8_t *)want->text, want->length);
    }
    uint8_t bytes[sizeof(uint64_t)];
    ki_want_write(want, texts, bytes);
    return ki_filter_key_of(field, bytes);
}

/* The values that a comparison by order holds for. */
static ki_filter_range filter_range(kith_op op, uint64_t order)
{
    const ki_filter_range none = {UINT64_MAX, 0};
    switch (op) {
    case KITH_OP_LESS: return order == 0 ? none : (ki_filter_range){0, order - 1};
    case KITH_OP_LESS_EQUAL: return (ki_filter_range){0, order};
    case KITH_OP_GREATER:
        return order == UINT64_MAX ? none : (ki_filter_range){order + 1, UINT64_MAX};
    default: return (ki_filter_range){order, UINT64_MAX};
    }
}

/* Texts that begin with another one: its first bytes, and then any. */
static ki_filter_range filter_prefix_range(const ki_condition_node *want)
{
    uint64_t low = ki_filter_key_of_text((const uint8_t *)want->text, want->length).order;
    uint64_t any = want->length >= sizeof low ? 0 : UINT64_MAX >> 8 * want->length;
    return (ki_filter_range){low, low | any};
}

/* Makes the test of a want that is not a list. False: a filter does not serve it. */
static bool filter_test(const ki_filter_fields *fields, uint32_t field,
                        const ki_condition_node *want, const ki_texts *texts, ki_filter_test *test)
{
    if (want->op == KITH_OP_PREFIX) {
        *test = (ki_filter_test){.range = filter_prefix_range(want), .field = field};
        return want->field.kind == KITH_CHAR; /* numbers of texts are in no order */
    }
    ki_filter_key key = filter_key_of_want(&fields->list[field], want, texts);
    *test = ki_filter_test_one(fields, field, key);
    if (want->op != KITH_OP_EQUAL) {
        test->mask = 0;
        test->range = filter_range(want->op, key.order);
    }
    return true;
}

/* Adds the tests of a list of values; one for all of them, if they are many. */
static void filter_add_list(filter_ask *ask, const ki_filter_fields *fields, uint32_t field,
                            const ki_condition_node *list, const ki_texts *texts, uint32_t *end)
{
    uint32_t values = ki_want_values(list);
    ki_filter_test all = {.range = {UINT64_MAX, 0}, .field = field};
    for (uint32_t i = 1; i <= values; i++) {
        ki_filter_test test;
        filter_test(fields, field, &list[i], texts, &test);
        if (values <= FILTER_LIST_MAX) {
            ask->tests[(*end)++] = test;
        }
        all.range.least = test.range.least < all.range.least ? test.range.least : all.range.least;
        all.range.greatest =
            test.range.greatest > all.range.greatest ? test.range.greatest : all.range.greatest;
    }
    if (values > FILTER_LIST_MAX) {
        ask->tests[(*end)++] = all;
    }
}

/* Finds out what a query asks; false: nothing that the filter serves. */
static bool filter_read_wants(filter_ask *ask, const kith_index *index, const ki_wants *wants)
{
    const ki_filter_fields *fields = &ki_filter_of(index)->fields;
    uint32_t end = 0;
    ask->index = index;
    ask->count = 0;
    for (uint32_t i = 0; i < wants->count; i++) {
        const ki_condition_node *want = wants->nodes[i];
        uint32_t field = 0;
        while (field < fields->count && !ki_want_is_about(want, &fields->list[field].field)) {
            field++;
        }
        if (field == fields->count) {
            continue;
        }
        if (ki_want_is_list(want)) {
            filter_add_list(ask, fields, field, want, wants->texts, &end);
        } else if (filter_test(fields, field, want, wants->texts, &ask->tests[end])) {
            end++;
        } else {
            continue;
        }
        ask->ends[ask->count++] = end;
    }
    return ask->count != 0;
}

/* ---- Asking blocks */

/* Which blocks of a group may have values that pass a test of each want, as bits. */
static uint32_t filter_group(const filter_ask *ask, const ki_filter_blocks *blocks, uint32_t group)
{
    const ki_filter_fields *fields = &ki_filter_of(ask->index)->fields;
    uint32_t all = UINT32_MAX;
    uint32_t test = 0;
    for (uint32_t i = 0; i < ask->count && all != 0; i++) {
        uint32_t any = 0;
        for (; test < ask->ends[i]; test++) {
            any |= ki_filter_group_may(fields, blocks, group, &ask->tests[test]);
        }
        all &= any;
    }
    return all;
}

/* The first block from `number` on, below `end`, that may; `end` if there is none. So may all up to
 * before `*until`. */
static uint32_t filter_next(const filter_ask *ask, const ki_filter_blocks *blocks, uint32_t number,
                            uint32_t end, uint32_t *until)
{
    const ki_filter_fields *fields = &ki_filter_of(ask->index)->fields;
    uint32_t before = number % KI_FILTER_GROUP;
    for (uint32_t group = number / KI_FILTER_GROUP; group * KI_FILTER_GROUP < end; group++) {
        if ((group + FILTER_AHEAD) * KI_FILTER_GROUP < end) {
            ki_filter_group_fetch(fields, blocks, group + FILTER_AHEAD, &ask->tests[0]);
        }
        uint32_t may = filter_group(ask, blocks, group) >> before << before;
        if (may != 0) {
            uint32_t bit = ki_lowest_bit(may);
            *until = group * KI_FILTER_GROUP + bit + ki_lowest_bit(~(uint64_t)may >> bit);
            return ki_min_u32(group * KI_FILTER_GROUP + bit, end);
        }
        before = 0;
    }
    return end;
}

/* ---- The calls */

static bool filter_offer(ki_source *source, const ki_wants *wants, uint32_t enough, ki_offer *offer)
{
    filter_ask ask;
    const kith_index *index = ki_index_of_source(source);
    (void)enough;
    if (!filter_read_wants(&ask, index, wants)) {
        return false;
    }
    offer->stale = ki_filter_stale_rows(index);
    offer->fields = index->field_count;
    return true;
}

/* Asks up to twice FILTER_SAMPLES groups. Each is a sample of those after it. A storage that was never
 * seen counts as skipped; how many rows have to be read to know is told by itself. */
static uint32_t filter_kept(ki_source *source, const ki_wants *wants, uint32_t table, uint32_t end)
{
    filter_ask ask;
    const kith_index *index = ki_index_of_source(source);
    const ki_filter_blocks *blocks = ki_filter_blocks_at(index, table);
    if (blocks == NULL || !filter_read_wants(&ask, index, wants)) {
        return 0;
    }
    const uint32_t count = ki_filter_group_count(blocks);
    const uint32_t step = count < FILTER_SAMPLES ? 1 : count / FILTER_SAMPLES;
    uint64_t rows = 0;
    for (uint32_t group = 0; group < count; group += step) {
        uint64_t stands_for = ki_min_u32(step, count - group);
        rows += stands_for * ki_bit_count(filter_group(&ask, blocks, group)) << blocks->shift;
    }
    return rows < end ? (uint32_t)rows : end;
}

static uint32_t filter_skip(ki_source *source, const ki_wants *wants, uint32_t table, uint32_t row,
                            uint32_t end, uint32_t *until)
{
    filter_ask ask;
    const kith_index *index = ki_index_of_source(source);
    const ki_filter_blocks *blocks = ki_filter_blocks_at(index, table);
    *until = end;
    if (blocks == NULL || !filter_read_wants(&ask, index, wants)) {
        return row; /* nothing is known, so anything may be there */
    }
    const uint32_t shift = blocks->shift;
    const uint32_t count = ki_min_u32(blocks->count, ((end - 1) >> shift) + 1);
    uint32_t next = count;
    const uint32_t number = filter_next(&ask, blocks, row >> shift, count, &next);
    if (number >= count) {
        return end; /* slots after the last block have no value */
    }
    const uint64_t next_row = (uint64_t)next << shift;
    *until = next_row < end ? (uint32_t)next_row : end;
    return number << shift > row ? number << shift : row;
}

const ki_source_calls ki_filter_source_calls = {.kind = KI_SOURCE_BLOCKS,
                                                .offer = filter_offer,
                                                .kept = filter_kept,
                                                .refresh = ki_index_refresh_source,
                                                .skip = filter_skip,
                                                .print = ki_index_print};
