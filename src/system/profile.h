/* The profile: times and counts of systems. All calls except ki_profile_free need a profile. */
#ifndef KI_SYSTEM_PROFILE_H
#define KI_SYSTEM_PROFILE_H

#include "system/system_state.h"

/* A slice of a trace. */
typedef struct ki_span {
    double began; /* since measuring began */
    double lasted;
    uint64_t tick;
    uint64_t entities;
    uint32_t name; /* index */
    uint32_t batches;
    uint16_t worker;
    bool applies; /* the time in which output was applied, not a call */
} ki_span;

typedef struct ki_profile {
    double start;
    double stage; /* when the current stage began */
    char **names; /* of systems that ran, also of those that are removed */
    uint32_t name_count;
    uint32_t name_capacity;
    uint32_t capacity; /* of `spans`, a ring that keeps the newest */
    uint64_t count;    /* spans that were noted */
    uint64_t nameless; /* spans that were lost for want of memory for a name */
    ki_span spans[];
} ki_profile;

/* A stage begins. */
void ki_profile_stage(ki_profile *profile);

/* Notes a system when all of its tasks are done. */
void ki_profile_tasks(ki_systems *systems, ki_system *system);

/* Notes that a system's output was applied, from `began` until now. */
void ki_profile_applied(ki_systems *systems, ki_system *system, double began);

void ki_profile_free(ki_systems *systems);

#endif
