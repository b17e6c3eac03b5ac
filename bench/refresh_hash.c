/* A hash of a million numbers, beside a bare table of hashes by hand. */
#include <stdlib.h>

#include "refresh.h"

#define PLACES (1u << 21)

/* A number and whose it is; nobody's is empty. Equal numbers have a place each. */
typedef struct number_place {
    uint32_t number;
    kith_entity entity;
} number_place;

typedef struct number_table {
    uint32_t *kept; /* numbers of all entities */
    number_place *places;
} number_table;

static uint64_t ask_hash(kith_index *index, const void *at)
{
    kith_index_found found;
    return bench_sum_found(kith_index_find(index, at, &found), &found);
}

static uint32_t place_of(uint32_t number)
{
    return (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 43);
}

static void insert_number(number_table *table, uint32_t number, kith_entity entity)
{
    uint32_t at = place_of(number);
    while (table->places[at].entity.index1 != 0) {
        at = (at + 1) & (PLACES - 1);
    }
    table->places[at] = (number_place){number, entity};
}

/* Brings those that the place kept from theirs closer to them. */
static void remove_number(number_table *table, uint32_t number, kith_entity entity)
{
    uint32_t hole = place_of(number);
    while (table->places[hole].entity.index1 != entity.index1) {
        hole = (hole + 1) & (PLACES - 1);
    }
    for (uint32_t at = (hole + 1) & (PLACES - 1); table->places[at].entity.index1 != 0;
         at = (at + 1) & (PLACES - 1)) {
        const uint32_t home = place_of(table->places[at].number);
        if (((at - home) & (PLACES - 1)) >= ((at - hole) & (PLACES - 1))) {
            table->places[hole] = table->places[at];
            hole = at;
        }
    }
    table->places[hole].entity = KITH_NONE;
}

static void change_number(number_table *table, uint32_t who, uint32_t to)
{
    remove_number(table, table->kept[who], refresh_entity(who));
    insert_number(table, to, refresh_entity(who));
    table->kept[who] = to;
}

static void *fill_numbers(const void *values)
{
    const Number *numbers = values;
    number_table *table = bench_take(sizeof *table);
    table->kept = bench_take(REFRESH_VALUES * sizeof *table->kept);
    table->places = bench_take(PLACES * sizeof *table->places);
    for (uint32_t i = 0; i < PLACES; i++) {
        table->places[i] = (number_place){0, KITH_NONE};
    }
    for (uint32_t i = 0; i < REFRESH_VALUES; i++) {
        table->kept[i] = numbers[i].value;
        insert_number(table, numbers[i].value, refresh_entity(i));
    }
    return table;
}

static void free_numbers(void *hand)
{
    number_table *table = hand;
    free(table->kept);
    free(table->places);
    free(table);
}

static void apply_numbers(void *hand, const refresh_list *list)
{
    const Number *to = list->to;
    for (uint32_t i = 0; i < list->count; i++) {
        change_number(hand, list->who[i], to[i].value);
    }
}

static void read_numbers(void *hand, const void *values)
{
    number_table *table = hand;
    const Number *numbers = values;
    for (uint32_t i = 0; i < REFRESH_VALUES; i++) {
        if (table->kept[i] != numbers[i].value) {
            change_number(table, i, numbers[i].value);
        }
    }
}

static void remove_numbers(void *hand, const uint32_t *who, uint32_t count)
{
    number_table *table = hand;
    for (uint32_t i = 0; i < count; i++) {
        remove_number(table, table->kept[who[i]], refresh_entity(who[i]));
    }
}

static uint64_t ask_numbers(const void *hand, const void *at)
{
    const number_table *table = hand;
    const uint32_t number = ((const Number *)at)->value;
    uint64_t sum = 0;
    for (uint32_t place = place_of(number); table->places[place].entity.index1 != 0;
         place = (place + 1) & (PLACES - 1)) {
        const number_place *found = &table->places[place];
        sum += found->number == number ? found->entity.index1 : 0;
    }
    return sum;
}

const refresh_kind refresh_hash = {
    .type = &Number_type,
    .def = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Number, value)},
    .draw = refresh_draw_number,
    .change = refresh_draw_number,
    .ask = ask_hash,
    .fill_hand = fill_numbers,
    .free_hand = free_numbers,
    .apply = apply_numbers,
    .read = read_numbers,
    .remove = remove_numbers,
    .ask_hand = ask_numbers,
};
