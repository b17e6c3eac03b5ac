#include <kith/floats.h>

#include "index/spatial_results.h"

#include <string.h>

#include "base/bits.h"

/* ---- Entities by slot ---------------------------------------------------------------------------- */

/* So few are sorted by their ranks. */
enum { SHORT_LIST = 32, RANK_STEP = 8, BUCKET_BITS = 8, BUCKETS = 1 << BUCKET_BITS };

/* Counts for each how many slots are lower, which needs no jumps that are guessed wrong: 17 entities
 * take half the time of sorting by insertion. No two entities have the same slot. */
static void rank_sort(kith_entity *entities, uint32_t count)
{
    kith_entity unsorted[SHORT_LIST];
    uint32_t slots[SHORT_LIST];
    const uint32_t padded = (count + RANK_STEP - 1) / RANK_STEP * RANK_STEP;
    for (uint32_t i = 0; i < padded; i++) {
        slots[i] = i < count ? entities[i].index1 : UINT32_MAX;
    }
    memcpy(unsorted, entities, count * sizeof *entities);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rank = 0;
        for (uint32_t k = 0; k < padded; k++) {
            rank += slots[k] < unsorted[i].index1;
        }
        entities[rank] = unsorted[i];
    }
}

/* Sorts in place by the highest bits in which slots differ, and each bucket again. */
static void bucket_sort(kith_entity *entities, uint32_t count)
{
    if (count < 2) {
        return;
    }
    if (count <= SHORT_LIST) {
        rank_sort(entities, count);
        return;
    }
    uint32_t lowest = UINT32_MAX, highest = 0;
    for (uint32_t i = 0; i < count; i++) {
        lowest = ki_min_u32(lowest, entities[i].index1);
        highest = entities[i].index1 > highest ? entities[i].index1 : highest;
    }
    const uint32_t bits = ki_highest_bit(highest - lowest) + 1;
    const uint32_t shift = bits > BUCKET_BITS ? bits - BUCKET_BITS : 0;
    uint32_t places[BUCKETS] = {0}, ends[BUCKETS];
    for (uint32_t i = 0; i < count; i++) {
        places[(entities[i].index1 - lowest) >> shift]++;
    }
    for (uint32_t bucket = 0, end = 0; bucket < BUCKETS; bucket++) {
        ends[bucket] = end + places[bucket];
        places[bucket] = end;
        end = ends[bucket];
    }
    for (uint32_t bucket = 0; bucket < BUCKETS; bucket++) {
        while (places[bucket] < ends[bucket]) {
            const uint32_t from = places[bucket];
            const kith_entity entity = entities[from];
            const uint32_t to = places[(entity.index1 - lowest) >> shift]++;
            entities[from] = entities[to];
            entities[to] = entity;
        }
    }
    for (uint32_t bucket = 0, start = 0; bucket < BUCKETS && shift > 0; bucket++) {
        if (ends[bucket] > start + 1) {
            bucket_sort(&entities[start], ends[bucket] - start);
        }
        start = ends[bucket];
    }
}

void ki_spatial_entities_sort(ki_spatial_entities *results)
{
    if (results->found <= results->capacity) {
        bucket_sort(results->entities, results->found);
    }
}

/* ---- Entities by distance ---------------------------------------------------------------------- */

static bool comes_after(const kith_near *a, const kith_near *b)
{
    return a->distance > b->distance ||
           (a->distance == b->distance && a->entity.index1 > b->entity.index1);
}

static void sift_near(kith_near *heap, uint32_t count, kith_near added)
{
    uint32_t at = 0;
    for (uint64_t child; (child = (uint64_t)at * 2 + 1) < count; at = (uint32_t)child) {
        child += child + 1 < count && comes_after(&heap[child + 1], &heap[child]);
        if (!comes_after(&heap[child], &added)) {
            break;
        }
        heap[at] = heap[child];
    }
    heap[at] = added;
}

void ki_spatial_nearest_add(ki_spatial_nearest *results, kith_entity entity, double square)
{
    const kith_near added = {entity, square};
    if (results->count == results->capacity) {
        sift_near(results->list, results->count, added);
        return;
    }
    uint32_t at = results->count++;
    for (; at > 0 && comes_after(&added, &results->list[(at - 1) / 2]); at = (at - 1) / 2) {
        results->list[at] = results->list[(at - 1) / 2];
    }
    results->list[at] = added;
}

void ki_spatial_nearest_sort(ki_spatial_nearest *results)
{
    for (uint32_t count = results->count; count > 1;) {
        const kith_near last = results->list[0];
        count--;
        sift_near(results->list, count, results->list[count]);
        results->list[count] = last;
    }
}
