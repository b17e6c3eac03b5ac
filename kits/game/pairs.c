#include <kith/floats.h>

#include "game/pairs.h"

#include <string.h>

enum { SCAN_STEP = KI_GAME_BODIES_SPARE, SORT_FEW = 16, SEARCH_FOUND = 1024 };

/* One search over all bodies. Boxes that overlap are few at a time, and settled while the search
 * goes on: two that exclude each other by their masks, or pass each other, take no memory. */
typedef struct pair_search {
    const ki_game_cells *cells;
    ki_game_pairs *pairs;
    uint32_t found_count;
    bool masked;                  /* most of those that were found last exclude each other */
    bool failed;                  /* there was no memory for a pair */
    uint64_t found[SEARCH_FOUND]; /* the numbers of two boxes that overlap */
} pair_search;

/* ---- Settling ---------------------------------------------------------------------------------- */

/* Whether each one's mask has a layer of the other. */
static inline bool do_meet(const ki_game_tag *one, const ki_game_tag *other)
{
    return ((one->mask & other->layers) != 0) & ((other->mask & one->layers) != 0);
}

/* Whether two bodies collide. Their boxes, or the boxes around their ways, overlap. */
static bool do_collide(const ki_game_bodies *bodies, uint32_t one, uint32_t other)
{
    return (!ki_game_is_way(bodies, one) && !ki_game_is_way(bodies, other)) ||
           ki_game_sweep(bodies, one, other) >= 0;
}

/* Makes pairs of bodies of the boxes that were found. */
static void settle(pair_search *search)
{
    const ki_game_owner *owners = search->cells->owners;
    ki_game_pairs *pairs = search->pairs;
    uint32_t count = 0;
    uint32_t meeting = 0;
    for (uint32_t i = 0; i < search->found_count; i++) {
        uint64_t key = search->found[i];
        const ki_game_owner *one = &owners[key >> 32];
        const ki_game_owner *other = &owners[(uint32_t)key];
        uint32_t a = one->body < other->body ? one->body : other->body;
        uint32_t b = one->body ^ other->body ^ a;
        search->found[count] = (uint64_t)a << pairs->shift | b;
        bool meet = do_meet(&one->tag, &other->tag);
        meeting += meet;
        count += meet && do_collide(search->cells->bodies, one->body, other->body);
    }
    search->masked = meeting < search->found_count / 2;
    search->found_count = 0;
    search->failed = search->failed || !ki_game_keys_add_many(&search->cells->bodies->allocator,
                                                              &pairs->keys, search->found, count);
}

/* ---- Scanning ---------------------------------------------------------------------------------- */

/* Makes room for as many as a step of a scan may find. False: memory ran out. */
static inline bool make_room(pair_search *search)
{
    if (SEARCH_FOUND - search->found_count < SCAN_STEP) {
        settle(search);
    }
    return !search->failed;
}

/* Notes the boxes of a row that overlap with this one; all are in cells that are wanted. Rows are
 * short, and which boxes overlap cannot be predicted. So a step looks at as many boxes as most rows
 * have, and writes all of them down: a box that does not count is overwritten by the next. */
static inline void scan_boxes(pair_search *search, uint32_t box, uint32_t from, uint32_t end,
                              bool masked)
{
    const ki_game_owner *owners = search->cells->owners;
    const ki_game_tag tag = owners[box].tag;
    const ki_game_box *at = search->cells->boxes + from;
    const ki_game_box wanted = search->cells->boxes[box];
    uint64_t key = (uint64_t)box << 32 | from;
    for (uint32_t left = end - from; make_room(search); left -= SCAN_STEP) {
        uint64_t *to = search->found + search->found_count;
        for (uint32_t i = 0; i < SCAN_STEP; i++) {
            *to = key + i;
            bool meets = !masked || do_meet(&owners[(uint32_t)key + i].tag, &tag);
            to += ki_game_overlap(at + i, &wanted) & meets & (i < left);
        }
        search->found_count = (uint32_t)(to - search->found);
        if (left <= SCAN_STEP) {
            return;
        }
        at += SCAN_STEP;
        key += SCAN_STEP;
    }
}

/* Masks are looked at here where that spares more than it costs: most boxes that are compared do
 * not overlap. */
static inline void scan_row(pair_search *search, uint32_t box, uint32_t from, uint32_t end)
{
    if (search->masked) {
        scan_boxes(search, box, from, end, true);
    } else {
        scan_boxes(search, box, from, end, false);
    }
}

static void note(pair_search *search, uint32_t box, uint32_t other)
{
    if (make_room(search)) {
        search->found[search->found_count++] = (uint64_t)box << 32 | other;
    }
}

/* The boxes of one cell out of a bucket, from a number on. */
static void scan_bucket(pair_search *search, const ki_game_level *level, uint32_t box, int32_t x,
                        int32_t y, uint32_t from)
{
    const ki_game_box *boxes = search->cells->boxes;
    uint32_t bucket = ki_game_level_bucket(level, x, y);
    uint32_t start = level->starts[bucket];
    for (uint32_t i = start > from ? start : from; i < level->starts[bucket + 1]; i++) {
        if (ki_game_overlap(&boxes[i], &boxes[box]) && ki_game_is_in_cell(level, &boxes[i], x, y)) {
            note(search, box, i);
        }
    }
}

/* Boxes of the same level. Each looks at those after it in its own cell, at the next cell, and at
 * three cells of the row below, if it reaches there. Boxes of the other cells find it themselves. */
static void scan_buckets(pair_search *search, const ki_game_level *level)
{
    for (uint32_t box = level->first; box < level->end && !search->failed; box++) {
        const ki_game_box *own = &search->cells->boxes[box];
        int32_t x = ki_game_first_cell(own->left, level->scale);
        int32_t y = ki_game_first_cell(own->top, level->scale);
        int32_t right = ki_game_last_cell(own->right, level->scale) > x ? x + 1 : x;
        scan_bucket(search, level, box, x, y, box + 1);
        if (right > x) {
            scan_bucket(search, level, box, right, y, 0);
        }
        if (ki_game_last_cell(own->bottom, level->scale) > y) {
            for (int32_t below = x - 1; below <= right; below++) {
                scan_bucket(search, level, box, below, y + 1, 0);
            }
        }
    }
}

/* The same for rows, but it looks at all of these cells: whether the box reaches there would be
 * predicted wrong too often. */
static void scan_rows(pair_search *search, const ki_game_level *level)
{
    const uint32_t *starts = search->cells->starts;
    for (uint32_t box = level->first; box < level->end && !search->failed; box++) {
        uint32_t cell = search->cells->owners[box].slot;
        uint32_t below = cell + level->columns;
        scan_row(search, box, box + 1, starts[cell + 2]);
        scan_row(search, box, starts[below - 1], starts[below + 2]);
    }
}

/* Boxes of another level that begin in one of these cells. */
static void scan_range(pair_search *search, const ki_game_level *level, uint32_t box,
                       const ki_game_range *range)
{
    if (range->left > range->right) {
        return;
    }
    for (int32_t y = range->top; y <= range->bottom; y++) {
        if (level->columns > 0) {
            scan_row(search, box, level->starts[ki_game_level_cell(level, range->left, y)],
                     level->starts[ki_game_level_cell(level, range->right, y) + 1]);
            continue;
        }
        for (int32_t x = range->left; x <= range->right; x++) {
            scan_bucket(search, level, box, x, y, 0);
        }
    }
}

/* The boxes of two levels with each other. The large ones are mostly few, and look for small ones
 * row by row. If the small ones are in buckets, there might be very many of those: then the small
 * ones look for the large ones. */
static void scan_levels(pair_search *search, const ki_game_level *fine, const ki_game_level *coarse)
{
    const ki_game_level *from = fine->columns > 0 ? coarse : fine;
    const ki_game_level *level = fine->columns > 0 ? fine : coarse;
    for (uint32_t box = from->first; box < from->end && !search->failed; box++) {
        const ki_game_range range = ki_game_level_range(level, &search->cells->boxes[box]);
        scan_range(search, level, box, &range);
    }
}

/* Boxes without an end are compared with all others, and with those after them. */
static void scan_endless(pair_search *search)
{
    uint32_t count = search->cells->bodies->count;
    uint32_t first = count - search->cells->endless_count;
    for (uint32_t box = first; box < count && !search->failed; box++) {
        scan_row(search, box, 0, first);
        scan_row(search, box, box + 1, count);
    }
}

static void scan_all(pair_search *search)
{
    const ki_game_cells *cells = search->cells;
    for (uint32_t i = 0; i < cells->level_count; i++) {
        const ki_game_level *level = &cells->levels[i];
        if (level->columns > 0) {
            scan_rows(search, level);
        } else {
            scan_buckets(search, level);
        }
        for (uint32_t large = i + 1; large < cells->level_count; large++) {
            scan_levels(search, level, &cells->levels[large]);
        }
    }
    scan_endless(search);
    settle(search);
}

/* ---- Order ------------------------------------------------------------------------------------- */

/* Counts the pairs of each lower number. False: there are too many of one to sort them by moving
 * each to its place. */
static bool count_pairs(const ki_game_pairs *pairs, uint32_t *counts, uint32_t bodies)
{
    uint32_t most = 0;
    memset(counts, 0, bodies * sizeof *counts);
    for (size_t i = 0; i < pairs->keys.count; i++) {
        uint32_t count = ++counts[ki_game_pair_a(pairs, i)];
        most = count > most ? count : most;
    }
    return most <= SORT_FEW && pairs->keys.count <= UINT32_MAX;
}

/* Sorts the few pairs of each lower number by the higher one. */
static void sort_neighbours(uint64_t *keys, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        size_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--) {
            keys[at] = keys[at - 1];
        }
        keys[at] = key;
    }
}

/* As a rule a body has few pairs: then one pass over the keys almost sorts them. */
static bool sort_pairs(ki_game_pairs *pairs, const ki_game_cells *cells)
{
    const kith_allocator *allocator = &cells->bodies->allocator;
    ki_game_keys *keys = &pairs->keys;
    uint32_t *starts = cells->numbers;
    if (keys->count < 2) {
        return true;
    }
    if (!count_pairs(pairs, starts, cells->bodies->count)) {
        return ki_game_keys_sort(allocator, keys);
    }
    uint64_t *sorted = ki_game_alloc(allocator, keys->capacity, sizeof *sorted);
    if (sorted == NULL) {
        return false;
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i < cells->bodies->count; i++) {
        uint32_t count = starts[i];
        starts[i] = sum;
        sum += count;
    }
    for (size_t i = 0; i < keys->count; i++) {
        sorted[starts[ki_game_pair_a(pairs, i)]++] = keys->keys[i];
    }
    ki_game_free(allocator, keys->keys, keys->capacity, sizeof *sorted);
    keys->keys = sorted;
    sort_neighbours(sorted, keys->count);
    return true;
}

kith_result ki_game_pairs_find(ki_game_pairs *pairs, const ki_game_cells *cells)
{
    *pairs = (ki_game_pairs){.shift = 1};
    while (pairs->shift < 32 && cells->bodies->count >> pairs->shift != 0) {
        pairs->shift++;
    }
    pair_search search;
    search.cells = cells;
    search.pairs = pairs;
    search.found_count = 0;
    search.masked = false;
    search.failed = false;
    scan_all(&search);
    if (search.failed || !sort_pairs(pairs, cells)) {
        ki_game_pairs_free(pairs, cells->bodies);
        return KITH_ERR_MEMORY;
    }
    return KITH_OK;
}

void ki_game_pairs_free(ki_game_pairs *pairs, const ki_game_bodies *bodies)
{
    ki_game_keys_free(&bodies->allocator, &pairs->keys);
}
