/* What a filter knows of blocks of values: for each field the least and the greatest one, and bits that
 * tell which values are not there. It may tell of a value that is not there, never the opposite.
 *
 * The bits are a Bloom filter in words: a value has one word and up to five bits in it. Eight blocks are
 * a group, and the same word of all of them is in one line of memory: so asking all blocks for a value
 * takes an eighth of the looks at memory. At sixteen bits a value, about one question in a thousand is
 * answered with a block that does not have the value. A field of one byte has a bit for each byte. */
#ifndef KI_INDEX_FILTER_BLOCKS_H
#define KI_INDEX_FILTER_BLOCKS_H

#include "base/bits.h"
#include "base/heap.h"
#include "index/filter_keys.h"

/* The values of a field in a block, as order keys. No value: the least is above the greatest. */
typedef struct ki_filter_range {
    uint64_t least;
    uint64_t greatest;
} ki_filter_range;

typedef struct ki_filter_block {
    uint32_t values;
    uint32_t added; /* one by one, since the block was read */
    uint64_t stamp; /* when the block was written, as it was read */
} ki_filter_block;

#define KI_FILTER_GROUP 8u /* blocks */

typedef struct ki_filter_group {
    uint64_t
        *bits; /* a word of each block, then the next word of each; NULL: there are no values */
    uint32_t words; /* for each field that is not one byte, in each block */
    uint32_t width; /* blocks that there is room for: 1, 2, 4 or 8 */
} ki_filter_group;

/* The blocks of a storage. */
typedef struct ki_filter_blocks {
    ki_filter_block *list;
    ki_filter_range *ranges; /* of each field of the first block, then of the next */
    ki_filter_group *groups;
    uint32_t count;
    uint32_t rows;  /* in them */
    uint32_t shift; /* log2 of the rows in each */
    uint32_t list_capacity;
    uint32_t range_capacity;
    uint32_t group_capacity;
} ki_filter_blocks;

/* Which values of a field are asked for. */
typedef struct ki_filter_test {
    ki_filter_range range;
    uint64_t mask; /* bits of the only value; 0: there are several */
    uint32_t place;
    uint32_t field; /* its number */
} ki_filter_test;

/* Makes room for blocks; new ones are without values. Drops those after `count`. KITH_ERR_MEMORY: they
 * are as they were. */
kith_result ki_filter_blocks_resize(ki_heap *heap, const ki_filter_fields *fields,
                                    ki_filter_blocks *blocks, uint32_t count);
void ki_filter_blocks_free(ki_heap *heap, const ki_filter_fields *fields, ki_filter_blocks *blocks);
size_t ki_filter_blocks_bytes(const ki_filter_fields *fields, const ki_filter_blocks *blocks);

static inline uint32_t ki_filter_group_count(const ki_filter_blocks *blocks)
{
    return blocks->count / KI_FILTER_GROUP + (blocks->count % KI_FILTER_GROUP != 0);
}

/* How many blocks a group has. */
static inline uint32_t ki_filter_group_size(const ki_filter_blocks *blocks, uint32_t group)
{
    return ki_min_u32(KI_FILTER_GROUP, blocks->count - group * KI_FILTER_GROUP);
}

/* Makes a group ready for up to so many values in each block. If it has other room then, `*emptied` is
 * set: all of its blocks are without values, and have to be read. KITH_ERR_MEMORY: the same. */
kith_result ki_filter_group_fit(ki_heap *heap, const ki_filter_fields *fields,
                                ki_filter_blocks *blocks, uint32_t group, uint32_t values,
                                bool *emptied);

/* Empties a block before so many values are added. Its group is ready for them. */
void ki_filter_block_begin(const ki_filter_fields *fields, ki_filter_blocks *blocks,
                           uint32_t number, uint32_t values);

/* Adds values, `stride` bytes apart, to a block that is ready for values. */
void ki_filter_block_add(const ki_filter_fields *fields, ki_filter_blocks *blocks, uint32_t number,
                         const uint8_t *values, size_t stride, uint32_t count);

/* Whether the block tells of all these values. */
bool ki_filter_block_covers(const ki_filter_fields *fields, const ki_filter_blocks *blocks,
                            uint32_t number, const uint8_t *values, size_t stride, uint32_t count);

/* A test for one value. */
ki_filter_test ki_filter_test_one(const ki_filter_fields *fields, uint32_t field,
                                  ki_filter_key key);

/* A word of a block for a field. */
static inline uint64_t *ki_filter_word(const ki_filter_field *field, const ki_filter_blocks *blocks,
                                       uint32_t number, uint32_t place)
{
    const ki_filter_group *group = &blocks->groups[number / KI_FILTER_GROUP];
    uint32_t word = field->bytes ? place : (uint32_t)((uint64_t)place * group->words >> 32);
    word += field->bytes_before * KI_FILTER_BYTE_WORDS + field->words_before * group->words;
    return group->bits + (size_t)word * group->width + number % KI_FILTER_GROUP;
}

/* Fetches the words of a group that a test asks from memory. */
static inline void ki_filter_group_fetch(const ki_filter_fields *fields,
                                         const ki_filter_blocks *blocks, uint32_t group,
                                         const ki_filter_test *test)
{
    if (blocks->groups[group].bits != NULL) {
        KITH_PREFETCH_(ki_filter_word(&fields->list[test->field], blocks, group * KI_FILTER_GROUP,
                                      test->place));
    }
}

/* Which blocks of a group may have one of the values that a test is for, as bits. */
uint32_t ki_filter_group_may(const ki_filter_fields *fields, const ki_filter_blocks *blocks,
                             uint32_t group, const ki_filter_test *test);

#endif
