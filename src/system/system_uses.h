/* The uses of a system from its def: what it reads and writes. */
#ifndef KI_SYSTEM_SYSTEM_USES_H
#define KI_SYSTEM_SYSTEM_USES_H

#include "system/system.h"

/* Makes the uses of a query system whose queries and indexes are made. Errors as of kith_system_add,
 * reported for `call`. */
kith_result ki_system_uses_make(kith_world *world, const char *call, const kith_system_def *def,
                                ki_system *system);

#endif
