/* Ordered entries in runs: arrays of up to 256 entries each, and a directory with where each begins.
 * An entry is 3 to 14 words of 32 bits, and no two are the same. Two levels are enough: at a million
 * entries the directory has about six thousand runs, and a split moves that much once in a hundred
 * insertions. */
#ifndef KI_INDEX_ORDERED_RUNS_H
#define KI_INDEX_ORDERED_RUNS_H

#include "index/moves.h"

#define KI_ORDERED_RUN_MAX 256u
#define KI_ORDERED_WORDS_MAX (KI_KEY_BYTES_MAX / sizeof(uint32_t) + 2) /* of an entry */

typedef struct ki_ordered_run {
    uint32_t *entries;
    uint32_t count; /* 1 to KI_ORDERED_RUN_MAX */
    /* Entries of runs before are less, the others are not. That of the first run does not count. */
    uint32_t first[KI_ORDERED_WORDS_MAX];
} ki_ordered_run;

typedef struct ki_ordered_runs {
    ki_ordered_run *list;
    uint32_t count;
    uint32_t capacity;
    uint32_t width;   /* words of an entry */
    uint32_t entries; /* in all runs */
} ki_ordered_runs;

/* A place between entries: before row `row` of a run, which may be its end. */
typedef struct ki_ordered_place {
    uint32_t run;
    uint32_t row;
} ki_ordered_place;

static inline uint32_t *ki_ordered_entry(const ki_ordered_runs *runs, uint32_t run, uint32_t row)
{
    return runs->list[run].entries + (size_t)row * runs->width;
}

static inline bool ki_ordered_is_before(const uint32_t *a, const uint32_t *b, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i];
        }
    }
    return false;
}

/* The place after all entries that are less. There is a run. */
ki_ordered_place ki_ordered_seek(const ki_ordered_runs *runs, const uint32_t *entry);

/* Adds an entry that is not there. KITH_ERR_MEMORY: nothing was changed. */
kith_result ki_ordered_insert(ki_heap *heap, ki_ordered_runs *runs, const uint32_t *entry);

/* Removes an entry that is there. */
void ki_ordered_remove(ki_heap *heap, ki_ordered_runs *runs, const uint32_t *entry);

/* Adds an entry that is greater than all others, leaving some room for later ones. KITH_ERR_MEMORY. */
kith_result ki_ordered_append(ki_heap *heap, ki_ordered_runs *runs, const uint32_t *entry);

/* Frees all. */
void ki_ordered_runs_free(ki_heap *heap, ki_ordered_runs *runs);

/* The first thing wrong, or NULL. */
const char *ki_ordered_runs_check(const ki_ordered_runs *runs);

size_t ki_ordered_runs_bytes(const ki_ordered_runs *runs);

#endif
