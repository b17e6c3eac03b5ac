#include "store/ranks.h"

#define RANKS_LEAST 4u /* items that a first run has room for */

static uint8_t *ranks_item(const ki_ranks *ranks, const ki_rank_run *run, uint32_t number)
{
    return run->items + (size_t)number * ranks->item_size;
}

static ki_table *ranks_table(const ki_ranks *ranks, const ki_rank_run *run, uint32_t number)
{
    ki_table *table;
    memcpy(&table, ranks_item(ranks, run, number), sizeof table);
    return table;
}

/* The number of the last run that begins before a table; 0 if none does. */
static uint32_t ranks_find_run(const ki_ranks *ranks, const ki_table *table)
{
    uint32_t low = 0;
    for (uint32_t high = ranks->run_count; high - low > 1;) {
        uint32_t middle = low + (high - low) / 2;
        if (ki_table_compare(ranks_table(ranks, &ranks->runs[middle], 0), table) < 0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* How many of a run's tables come before a table. */
static uint32_t ranks_find_place(const ki_ranks *ranks, const ki_rank_run *run,
                                 const ki_table *table)
{
    uint32_t low = 0;
    for (uint32_t high = run->count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (ki_table_compare(ranks_table(ranks, run, middle), table) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Puts a run with room for KI_RANK_RUN or, as the first of all, RANKS_LEAST items at a place. */
static kith_result ranks_add_run(ki_heap *heap, ki_ranks *ranks, uint32_t place)
{
    uint32_t capacity = ranks->run_count == 0 ? RANKS_LEAST : KI_RANK_RUN;
    KI_TRY(ki_heap_grow(heap, &ranks->runs, &ranks->run_capacity, ranks->run_count + 1,
                        sizeof *ranks->runs, 1));
    uint8_t *items =
        ki_heap_alloc(heap, (size_t)capacity * ranks->item_size, _Alignof(max_align_t));
    if (items == NULL) {
        return KITH_ERR_MEMORY;
    }
    ki_rank_run *run = ranks->runs + place;
    memmove(run + 1, run, (ranks->run_count - place) * sizeof *run);
    *run = (ki_rank_run){.items = items, .capacity = capacity};
    run->first = place == 0 ? 0 : run[-1].first + run[-1].count;
    ranks->run_count++;
    return KITH_OK;
}

/* Makes room for an item in a full run: the first one grows, others give their upper half to a new
 * one, or nothing if the item comes after all there are. Sets where it goes. */
static kith_result ranks_make_room(ki_heap *heap, ki_ranks *ranks, uint32_t *number,
                                   uint32_t *place)
{
    ki_rank_run *run = &ranks->runs[*number];
    if (run->capacity < KI_RANK_RUN) {
        return ki_heap_grow(heap, &run->items, &run->capacity, run->capacity * 2, ranks->item_size,
                            RANKS_LEAST);
    }
    bool at_end = *number + 1 == ranks->run_count && *place == run->count;
    uint32_t kept = at_end ? run->count : run->count / 2;
    KI_TRY(ranks_add_run(heap, ranks, *number + 1));
    run = &ranks->runs[*number];
    run[1].count = run->count - kept;
    run[1].first = run->first + kept;
    memcpy(run[1].items, ranks_item(ranks, run, kept), (size_t)run[1].count * ranks->item_size);
    run->count = kept;
    if (*place >= kept) {
        *place -= kept;
        ++*number;
    }
    return KITH_OK;
}

void *ki_ranks_add(ki_heap *heap, ki_ranks *ranks, ki_table *table)
{
    if (ranks->run_count == 0 && ranks_add_run(heap, ranks, 0) != KITH_OK) {
        return NULL;
    }
    uint32_t number = ranks_find_run(ranks, table);
    uint32_t place = ranks_find_place(ranks, &ranks->runs[number], table);
    if (ranks->runs[number].count == ranks->runs[number].capacity &&
        ranks_make_room(heap, ranks, &number, &place) != KITH_OK) {
        return NULL;
    }
    ki_rank_run *run = &ranks->runs[number];
    uint8_t *item = ranks_item(ranks, run, place);
    memmove(item + ranks->item_size, item, (size_t)(run->count - place) * ranks->item_size);
    memcpy(item, &table, sizeof table);
    run->count++;
    ranks->count++;
    for (uint32_t i = number + 1; i < ranks->run_count; i++) {
        ranks->runs[i].first++;
    }
    return item;
}

uint32_t ki_ranks_run(const ki_ranks *ranks, uint32_t number)
{
    uint32_t low = 0;
    for (uint32_t high = ranks->run_count; high - low > 1;) {
        uint32_t middle = low + (high - low) / 2;
        if (ranks->runs[middle].first <= number) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

void *ki_ranks_at(const ki_ranks *ranks, uint32_t number)
{
    const ki_rank_run *run = &ranks->runs[ki_ranks_run(ranks, number)];
    return ranks_item(ranks, run, number - run->first);
}

void ki_ranks_clear(ki_heap *heap, ki_ranks *ranks)
{
    while (ranks->run_count > 0) {
        ki_rank_run *run = &ranks->runs[--ranks->run_count];
        ki_heap_free(heap, run->items, (size_t)run->capacity * ranks->item_size,
                     _Alignof(max_align_t));
    }
    ranks->count = 0;
}

void ki_ranks_free(ki_heap *heap, ki_ranks *ranks)
{
    if (ranks->runs == NULL) {
        return;
    }
    ki_ranks_clear(heap, ranks);
    ki_heap_free(heap, ranks->runs, ranks->run_capacity * sizeof *ranks->runs,
                 _Alignof(max_align_t));
    ranks->runs = NULL;
    ranks->run_capacity = 0;
}
