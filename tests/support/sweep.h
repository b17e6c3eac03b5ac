/* Sweeps: a call is tried on worlds in the middle of their lives, again and again, with another of its
 * allocations failing each time. */
#ifndef KITH_TEST_SWEEP_H
#define KITH_TEST_SWEEP_H

#include "calls.h"

/* Worlds on which calls are tried: few rows, blocks that are just full, a full-size block just full
 * and, in the long run, more than one. */
extern const stage_def sweep_stages[];
size_t sweep_stage_count(void);

/* Every call that can run out of memory does so, at each of its allocations, with all of those after
 * it succeeding and failing, and the world stays as it was. With `shared` all blocks are shared. */
void sweep_all(kith_layout layout, bool shared);

/* The same with a limit to the world's memory in place of allocations that fail: none left, some, and
 * a byte too few. */
void sweep_limits(kith_layout layout, bool shared);

#endif
