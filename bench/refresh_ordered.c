/* A million numbers in an ordered index, beside small sorted buckets, of 244 on average. The same by a
 * function of the numbers, which the hand-written code calls as well. */
#include <stdlib.h>
#include <string.h>

#include "refresh.h"

enum { BUCKETS = 4096, BUCKET_ROOM = 512 };

#define BUCKET_SHIFT 20u /* numbers have 32 bits, and buckets 12 */

typedef struct bucket_pair {
    uint32_t value;
    kith_entity entity;
} bucket_pair;

typedef struct bucket {
    uint32_t count;
    bucket_pair pairs[BUCKET_ROOM];
} bucket;

typedef struct bucket_list {
    uint32_t *kept; /* numbers of all entities */
    bucket *buckets;
    bool computed; /* in the order of what the function makes of numbers */
} bucket_list;

/* What a number is in order by: like a score, of which nothing tells the number. */
static uint32_t compute(uint32_t value)
{
    return (value ^ value >> 15) * 2654435761u;
}

static uint32_t key_of(const bucket_list *list, uint32_t value)
{
    return list->computed ? compute(value) : value;
}

/* ---- Kith ---------------------------------------------------------------------------------------- */

static uint64_t ask_ordered(kith_index *index, const void *at)
{
    kith_index_found found;
    return bench_sum_found(kith_index_find(index, at, &found), &found);
}

static uint64_t ask_computed(kith_index *index, const void *at)
{
    return ask_ordered(index, &(Number){compute(((const Number *)at)->value)});
}

static bool number_key(const void *value, void *key, void *user)
{
    (void)user;
    ((Number *)key)->value = compute(((const Number *)value)->value);
    return true;
}

/* ---- By hand ------------------------------------------------------------------------------------- */

static bool is_before(const bucket_pair *left, const bucket_pair *right)
{
    return left->value != right->value ? left->value < right->value
                                       : left->entity.index1 < right->entity.index1;
}

/* The row of a pair in a bucket, or where it would be. */
static uint32_t row_of(const bucket *own, const bucket_pair *wanted)
{
    uint32_t row = 0;
    for (uint32_t end = own->count; row < end;) {
        uint32_t middle = row + (end - row) / 2;
        if (is_before(&own->pairs[middle], wanted)) {
            row = middle + 1;
        } else {
            end = middle;
        }
    }
    return row;
}

static void add_pair(bucket_list *list, bucket_pair added)
{
    bucket *own = &list->buckets[added.value >> BUCKET_SHIFT];
    uint32_t row = row_of(own, &added);
    if (own->count == BUCKET_ROOM) {
        bench_fail("a bucket is full");
    }
    memmove(&own->pairs[row + 1], &own->pairs[row], (own->count - row) * sizeof added);
    own->pairs[row] = added;
    own->count++;
}

static void remove_pair(bucket_list *list, bucket_pair removed)
{
    bucket *own = &list->buckets[removed.value >> BUCKET_SHIFT];
    uint32_t row = row_of(own, &removed);
    own->count--;
    memmove(&own->pairs[row], &own->pairs[row + 1], (own->count - row) * sizeof removed);
}

static bucket_pair pair_of(const bucket_list *list, uint32_t who)
{
    return (bucket_pair){key_of(list, list->kept[who]), refresh_entity(who)};
}

static void change_pair(bucket_list *list, uint32_t who, uint32_t to)
{
    remove_pair(list, pair_of(list, who));
    list->kept[who] = to;
    add_pair(list, pair_of(list, who));
}

static void *fill_list(const void *values, bool computed)
{
    const Number *numbers = values;
    bucket_list *list = bench_take(sizeof *list);
    *list = (bucket_list){.computed = computed};
    list->kept = bench_take(REFRESH_VALUES * sizeof *list->kept);
    list->buckets = bench_take(BUCKETS * sizeof *list->buckets);
    memset(list->buckets, 0, BUCKETS * sizeof *list->buckets);
    for (uint32_t i = 0; i < REFRESH_VALUES; i++) {
        list->kept[i] = numbers[i].value;
        add_pair(list, pair_of(list, i));
    }
    return list;
}

static void *fill_buckets(const void *values)
{
    return fill_list(values, false);
}

static void *fill_computed(const void *values)
{
    return fill_list(values, true);
}

static void free_buckets(void *hand)
{
    bucket_list *list = hand;
    free(list->kept);
    free(list->buckets);
    free(list);
}

static void apply_buckets(void *hand, const refresh_list *changes)
{
    const Number *to = changes->to;
    for (uint32_t i = 0; i < changes->count; i++) {
        change_pair(hand, changes->who[i], to[i].value);
    }
}

static void read_buckets(void *hand, const void *values)
{
    bucket_list *list = hand;
    const Number *numbers = values;
    for (uint32_t i = 0; i < REFRESH_VALUES; i++) {
        if (list->kept[i] != numbers[i].value) {
            change_pair(list, i, numbers[i].value);
        }
    }
}

static void remove_from_buckets(void *hand, const uint32_t *who, uint32_t count)
{
    bucket_list *list = hand;
    for (uint32_t i = 0; i < count; i++) {
        remove_pair(list, pair_of(list, who[i]));
    }
}

static uint64_t ask_buckets(const void *hand, const void *at)
{
    const bucket_list *list = hand;
    const uint32_t value = key_of(list, ((const Number *)at)->value);
    const bucket *own = &list->buckets[value >> BUCKET_SHIFT];
    uint64_t sum = 0;
    for (uint32_t row = row_of(own, &(bucket_pair){value, KITH_NONE});
         row < own->count && own->pairs[row].value == value; row++) {
        sum += own->pairs[row].entity.index1;
    }
    return sum;
}

const refresh_kind refresh_ordered = {
    .type = &Number_type,
    .def = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Number, value)},
    .draw = refresh_draw_number,
    .change = refresh_draw_number,
    .ask = ask_ordered,
    .fill_hand = fill_buckets,
    .free_hand = free_buckets,
    .apply = apply_buckets,
    .read = read_buckets,
    .remove = remove_from_buckets,
    .ask_hand = ask_buckets,
};

const refresh_kind refresh_function = {
    .type = &Number_type,
    .def = {.kind = KITH_INDEX_ORDERED,
            KITH_FIELDS(Number, value),
            .of = &Number_type,
            .key = number_key},
    .draw = refresh_draw_number,
    .change = refresh_draw_number,
    .ask = ask_computed,
    .fill_hand = fill_computed,
    .free_hand = free_buckets,
    .apply = apply_buckets,
    .read = read_buckets,
    .remove = remove_from_buckets,
    .ask_hand = ask_buckets,
};
