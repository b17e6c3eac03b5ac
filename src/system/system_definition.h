/* A system from its def. */
#ifndef KI_SYSTEM_SYSTEM_DEFINITION_H
#define KI_SYSTEM_SYSTEM_DEFINITION_H

#include "system/system_state.h"

/* Makes a system that is in no list yet. Errors as of kith_system_add, reported for `call`. */
kith_result ki_system_make(kith_world *world, const char *call, const kith_system_def *given,
                           ki_system **made);
void ki_system_free(kith_world *world, ki_system *system);

#endif
