#include "index/ordered_runs.h"

#include <string.h>

#define ORDERED_RUN_FILLED (KI_ORDERED_RUN_MAX / 4 * 3) /* of a run that is appended to */

static size_t ordered_run_bytes(const ki_ordered_runs *runs)
{
    return (size_t)KI_ORDERED_RUN_MAX * runs->width * sizeof(uint32_t);
}

static size_t ordered_entry_bytes(const ki_ordered_runs *runs)
{
    return runs->width * sizeof(uint32_t);
}

ki_ordered_place ki_ordered_seek(const ki_ordered_runs *runs, const uint32_t *entry)
{
    uint32_t run = 0;
    for (uint32_t end = runs->count; end - run > 1;) {
        uint32_t middle = run + (end - run) / 2;
        if (ki_ordered_is_before(entry, runs->list[middle].first, runs->width)) {
            end = middle;
        } else {
            run = middle;
        }
    }
    uint32_t row = 0;
    for (uint32_t end = runs->list[run].count; row < end;) {
        uint32_t middle = row + (end - row) / 2;
        if (ki_ordered_is_before(ki_ordered_entry(runs, run, middle), entry, runs->width)) {
            row = middle + 1;
        } else {
            end = middle;
        }
    }
    return (ki_ordered_place){run, row};
}

/* Adds a run at a number. It begins with an entry, and is still empty. */
static kith_result ordered_run_add(ki_heap *heap, ki_ordered_runs *runs, uint32_t number,
                                   const uint32_t *first)
{
    KI_TRY(
        ki_heap_grow(heap, &runs->list, &runs->capacity, runs->count + 1, sizeof *runs->list, 16));
    uint32_t *entries = ki_heap_alloc(heap, ordered_run_bytes(runs), _Alignof(uint32_t));
    if (entries == NULL) {
        return KITH_ERR_MEMORY;
    }
    ki_ordered_run *run = &runs->list[number];
    memmove(run + 1, run, (runs->count - number) * sizeof *run);
    *run = (ki_ordered_run){.entries = entries};
    memcpy(run->first, first, ordered_entry_bytes(runs));
    runs->count++;
    return KITH_OK;
}

static void ordered_run_drop(ki_heap *heap, ki_ordered_runs *runs, uint32_t number)
{
    ki_ordered_run *run = &runs->list[number];
    ki_heap_free(heap, run->entries, ordered_run_bytes(runs), _Alignof(uint32_t));
    runs->count--;
    memmove(run, run + 1, (runs->count - number) * sizeof *run);
}

/* Gives the second half of a full run to a new one after it. */
static kith_result ordered_run_split(ki_heap *heap, ki_ordered_runs *runs, uint32_t number)
{
    const uint32_t half = KI_ORDERED_RUN_MAX / 2;
    KI_TRY(ordered_run_add(heap, runs, number + 1, ki_ordered_entry(runs, number, half)));
    memcpy(ki_ordered_entry(runs, number + 1, 0), ki_ordered_entry(runs, number, half),
           (KI_ORDERED_RUN_MAX - half) * ordered_entry_bytes(runs));
    runs->list[number + 1].count = KI_ORDERED_RUN_MAX - half;
    runs->list[number].count = half;
    return KITH_OK;
}

kith_result ki_ordered_insert(ki_heap *heap, ki_ordered_runs *runs, const uint32_t *entry)
{
    if (runs->count == 0) {
        return ki_ordered_append(heap, runs, entry);
    }
    ki_ordered_place place = ki_ordered_seek(runs, entry);
    if (runs->list[place.run].count == KI_ORDERED_RUN_MAX) {
        KI_TRY(ordered_run_split(heap, runs, place.run));
        place = ki_ordered_seek(runs, entry);
    }
    ki_ordered_run *run = &runs->list[place.run];
    uint32_t *at = ki_ordered_entry(runs, place.run, place.row);
    memmove(at + runs->width, at, (run->count - place.row) * ordered_entry_bytes(runs));
    memcpy(at, entry, ordered_entry_bytes(runs));
    run->count++;
    runs->entries++;
    return KITH_OK;
}

/* Joins a run with the one after it, if both fill half of one at most. */
static void ordered_run_join(ki_heap *heap, ki_ordered_runs *runs, uint32_t number)
{
    if (number + 1 >= runs->count) {
        return;
    }
    ki_ordered_run *run = &runs->list[number];
    const ki_ordered_run *next = run + 1;
    if (run->count + next->count > KI_ORDERED_RUN_MAX / 2) {
        return;
    }
    memcpy(ki_ordered_entry(runs, number, run->count), next->entries,
           next->count * ordered_entry_bytes(runs));
    run->count += next->count;
    ordered_run_drop(heap, runs, number + 1);
}

void ki_ordered_remove(ki_heap *heap, ki_ordered_runs *runs, const uint32_t *entry)
{
    ki_ordered_place place = ki_ordered_seek(runs, entry);
    ki_ordered_run *run = &runs->list[place.run];
    uint32_t *at = ki_ordered_entry(runs, place.run, place.row);
    run->count--;
    runs->entries--;
    memmove(at, at + runs->width, (run->count - place.row) * ordered_entry_bytes(runs));
    if (run->count == 0) {
        ordered_run_drop(heap, runs, place.run);
        return;
    }
    ordered_run_join(heap, runs, place.run);
    if (place.run != 0) {
        ordered_run_join(heap, runs, place.run - 1);
    }
}

kith_result ki_ordered_append(ki_heap *heap, ki_ordered_runs *runs, const uint32_t *entry)
{
    if (runs->count == 0 || runs->list[runs->count - 1].count >= ORDERED_RUN_FILLED) {
        KI_TRY(ordered_run_add(heap, runs, runs->count, entry));
    }
    ki_ordered_run *run = &runs->list[runs->count - 1];
    memcpy(ki_ordered_entry(runs, runs->count - 1, run->count), entry, ordered_entry_bytes(runs));
    run->count++;
    runs->entries++;
    return KITH_OK;
}

void ki_ordered_runs_free(ki_heap *heap, ki_ordered_runs *runs)
{
    for (uint32_t i = 0; i < runs->count; i++) {
        ki_heap_free(heap, runs->list[i].entries, ordered_run_bytes(runs), _Alignof(uint32_t));
    }
    ki_heap_free(heap, runs->list, runs->capacity * sizeof *runs->list, _Alignof(max_align_t));
    *runs = (ki_ordered_runs){.width = runs->width};
}

/* The first thing wrong with a run whose entries come after `last`, or NULL. */
static const char *ordered_run_check(const ki_ordered_runs *runs, uint32_t number,
                                     const uint32_t *last)
{
    const ki_ordered_run *run = &runs->list[number];
    if (run->count == 0 || run->count > KI_ORDERED_RUN_MAX) {
        return "a run of an ordered index is empty, or too long";
    }
    bool late = ki_ordered_is_before(run->entries, run->first, runs->width);
    if (number != 0 && (late || !ki_ordered_is_before(last, run->first, runs->width))) {
        return "a run of an ordered index does not begin where its directory says";
    }
    for (uint32_t row = 1; row < run->count; row++) {
        if (!ki_ordered_is_before(ki_ordered_entry(runs, number, row - 1),
                                  ki_ordered_entry(runs, number, row), runs->width)) {
            return "the entries of an ordered index are not in order";
        }
    }
    return NULL;
}

const char *ki_ordered_runs_check(const ki_ordered_runs *runs)
{
    uint32_t entries = 0;
    const uint32_t *last = NULL;
    for (uint32_t i = 0; i < runs->count; i++) {
        const char *wrong = ordered_run_check(runs, i, last);
        if (wrong != NULL) {
            return wrong;
        }
        entries += runs->list[i].count;
        last = ki_ordered_entry(runs, i, runs->list[i].count - 1);
    }
    return entries == runs->entries ? NULL : "an ordered index miscounts its entries";
}

size_t ki_ordered_runs_bytes(const ki_ordered_runs *runs)
{
    return runs->capacity * sizeof *runs->list + runs->count * ordered_run_bytes(runs);
}
