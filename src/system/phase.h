/* Phases: the coarse order of systems. */
#ifndef KI_SYSTEM_PHASE_H
#define KI_SYSTEM_PHASE_H

#include <kith/reader.h>

#include "base/heap.h"
#include "base/map.h"

typedef struct ki_phase {
    char *name;
    uint32_t number; /* index in the list */
    uint32_t first;  /* place of its first system; ki_predecessors_link sets it */
} ki_phase;

typedef struct ki_phases {
    ki_phase **list; /* in order: the built-in ones and the program's */
    uint32_t count;
    uint32_t capacity;
    ki_map by_name;
} ki_phases;

/* The name of a built-in phase; NULL after the last. */
const char *ki_phase_built_in(uint32_t index);

/* Adds the built-in phases to an empty list. KITH_ERR_MEMORY: ki_phases_free frees what was added. */
kith_result ki_phases_init(ki_heap *heap, ki_phases *phases);

/* Inserts a phase at an index of the list. KITH_ERR_MEMORY. */
kith_result ki_phases_insert(ki_heap *heap, ki_phases *phases, const char *name, uint32_t index);

/* NULL: there is no phase of that name. */
ki_phase *ki_phase_find(const ki_phases *phases, const char *name);

/* Which phase was meant by a name that none has, or which there are. */
kith_hint_line ki_phase_hint(const ki_phases *phases, const char *name);

void ki_phases_free(ki_heap *heap, ki_phases *phases);

#endif
