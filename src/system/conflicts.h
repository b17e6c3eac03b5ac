/* Conflicts that no declared order settles. */
#ifndef KI_SYSTEM_CONFLICTS_H
#define KI_SYSTEM_CONFLICTS_H

#include "system/system_state.h"

/* Looks for systems that conflict and whose order only registration tells. Warns about each pair,
 * or fails at the first, as kith_world_def's `conflicts` says. */
kith_result ki_conflicts_check(ki_systems *systems, const char *call);

#endif
