/* A million points in a spatial index, beside a grid of linked lists. */
#include <stdlib.h>
#include <string.h>

#include "places.h"
#include "refresh.h"

#define NO_PLACE UINT32_MAX

typedef struct place_lists {
    Position *kept;
    uint32_t *heads; /* lists of places, by cell */
    uint32_t *next;
    uint32_t *previous;
} place_lists;

static void draw_place(uint64_t *random, void *value)
{
    *(Position *)value = random_place(random);
}

/* Up to two units on. */
static void move_place(uint64_t *random, void *value)
{
    Position *place = value;
    place->x += bench_random_float(random, 4) - 2;
    place->y += bench_random_float(random, 4) - 2;
}

static uint64_t ask_places(kith_index *index, const void *at)
{
    const Position *place = at;
    const kith_point low = {(double)(place->x - HALF_BOX), (double)(place->y - HALF_BOX), 0};
    const kith_point high = {(double)(place->x + HALF_BOX), (double)(place->y + HALF_BOX), 0};
    kith_index_found found;
    return bench_sum_found(kith_within_box(index, low, high, NULL, &found), &found);
}

/* ---- By hand ------------------------------------------------------------------------------------- */

static void link_place(place_lists *lists, uint32_t i, uint32_t cell)
{
    lists->next[i] = lists->heads[cell];
    lists->previous[i] = NO_PLACE;
    if (lists->heads[cell] != NO_PLACE) {
        lists->previous[lists->heads[cell]] = i;
    }
    lists->heads[cell] = i;
}

static void unlink_place(place_lists *lists, uint32_t i, uint32_t cell)
{
    if (lists->next[i] != NO_PLACE) {
        lists->previous[lists->next[i]] = lists->previous[i];
    }
    if (lists->previous[i] != NO_PLACE) {
        lists->next[lists->previous[i]] = lists->next[i];
    } else {
        lists->heads[cell] = lists->next[i];
    }
}

static void change_place(place_lists *lists, uint32_t i, Position to)
{
    const uint32_t old = cell_of(lists->kept[i]), cell = cell_of(to);
    lists->kept[i] = to;
    if (old != cell) {
        unlink_place(lists, i, old);
        link_place(lists, i, cell);
    }
}

static void *fill_lists(const void *values)
{
    place_lists *lists = bench_take(sizeof *lists);
    lists->heads = bench_take(CELL_COUNT * sizeof *lists->heads);
    lists->next = bench_take(REFRESH_VALUES * sizeof *lists->next);
    lists->previous = bench_take(REFRESH_VALUES * sizeof *lists->previous);
    lists->kept = bench_take(REFRESH_VALUES * sizeof *lists->kept);
    memcpy(lists->kept, values, REFRESH_VALUES * sizeof *lists->kept);
    memset(lists->heads, 0xff, CELL_COUNT * sizeof *lists->heads);
    for (uint32_t i = 0; i < REFRESH_VALUES; i++) {
        link_place(lists, i, cell_of(lists->kept[i]));
    }
    return lists;
}

static void free_lists(void *hand)
{
    place_lists *lists = hand;
    free(lists->kept);
    free(lists->heads);
    free(lists->next);
    free(lists->previous);
    free(lists);
}

static void apply_places(void *hand, const refresh_list *list)
{
    const Position *to = list->to;
    for (uint32_t i = 0; i < list->count; i++) {
        change_place(hand, list->who[i], to[i]);
    }
}

static void read_places(void *hand, const void *values)
{
    place_lists *lists = hand;
    const Position *places = values;
    for (uint32_t i = 0; i < REFRESH_VALUES; i++) {
        if (lists->kept[i].x != places[i].x || lists->kept[i].y != places[i].y) {
            change_place(lists, i, places[i]);
        }
    }
}

static void remove_places(void *hand, const uint32_t *who, uint32_t count)
{
    place_lists *lists = hand;
    for (uint32_t i = 0; i < count; i++) {
        unlink_place(lists, who[i], cell_of(lists->kept[who[i]]));
    }
}

static uint64_t ask_lists(const void *hand, const void *at)
{
    const place_lists *lists = hand;
    const Position *center = at;
    const float left = center->x - HALF_BOX, right = center->x + HALF_BOX;
    const float top = center->y - HALF_BOX, bottom = center->y + HALF_BOX;
    uint64_t sum = 0;
    for (uint32_t y = cell_along(top); y <= cell_along(bottom); y++) {
        for (uint32_t x = cell_along(left); x <= cell_along(right); x++) {
            for (uint32_t i = lists->heads[y * CELLS + x]; i != NO_PLACE; i = lists->next[i]) {
                const Position own = lists->kept[i];
                bool in = own.x >= left && own.x <= right && own.y >= top && own.y <= bottom;
                sum += in ? i + 1 : 0;
            }
        }
    }
    return sum;
}

const refresh_kind refresh_places = {
    .type = &Position_type,
    .def = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)},
    .draw = draw_place,
    .change = move_place,
    .ask = ask_places,
    .fill_hand = fill_lists,
    .free_hand = free_lists,
    .apply = apply_places,
    .read = read_places,
    .remove = remove_places,
    .ask_hand = ask_lists,
};
