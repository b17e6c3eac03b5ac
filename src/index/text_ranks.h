/* Ranks of interned texts, for an ordered index: numbers that are in the order of the texts' bytes. A
 * text that comes gets one between those of its neighbours; if there is none left, all get new ones. */
#ifndef KI_INDEX_TEXT_RANKS_H
#define KI_INDEX_TEXT_RANKS_H

#include "base/heap.h"
#include "store/texts.h"

typedef struct ki_text_ranks {
    uint64_t *ranks;  /* by number; none is 0 or UINT64_MAX */
    uint64_t *heads;  /* the first 8 bytes of each text, in the order of `sorted`: see ranks_head */
    uint32_t *sorted; /* numbers, in the order of their texts */
    uint32_t count;   /* texts that have one, with the empty one */
    bool unknown;     /* the rank of a number was asked for that no text had */
} ki_text_ranks;

/* Texts that there are, with the empty one. */
static inline uint32_t ki_text_ranks_wanted(const ki_texts *texts)
{
    return texts == NULL ? 1 : texts->count + 1;
}

/* The rank of a number; 0: no text has it. */
static inline uint64_t ki_text_rank(const ki_text_ranks *ranks, uint32_t number)
{
    return number < ranks->count ? ranks->ranks[number] : 0;
}

/* Gives ranks to the texts that came. `*renewed`: what was asked before may be other now.
 * KITH_ERR_MEMORY: nothing was changed. */
kith_result ki_text_ranks_update(ki_heap *heap, ki_text_ranks *ranks, const ki_texts *texts,
                                 bool *renewed);

/* The rank of the first text that is not before some bytes; with `after`, of the first one after all
 * that begin with them. UINT64_MAX: there is none. */
uint64_t ki_text_ranks_bound(const ki_text_ranks *ranks, const ki_texts *texts, const char *bytes,
                             uint32_t length, bool after);

/* The first thing wrong, or NULL. */
const char *ki_text_ranks_check(const ki_text_ranks *ranks, const ki_texts *texts);

size_t ki_text_ranks_bytes(const ki_text_ranks *ranks);
void ki_text_ranks_free(ki_heap *heap, ki_text_ranks *ranks);

#endif
