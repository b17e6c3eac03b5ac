/* The unique keys that runs bring about. */
#ifndef KI_COMMAND_UNIQUE_CLAIMS_H
#define KI_COMMAND_UNIQUE_CLAIMS_H

#include "command/handles.h"
#include "command/runs.h"
#include "world/unique_key.h"

/* Makes room for names that the runs may bring about, before links are changed: see
 * ki_entity_names_reserve. KITH_ERR_MEMORY, KITH_ERR_LIMIT. */
kith_result ki_runs_reserve_names(const ki_runs *runs);

/* Checks the unique keys of the runs, which are reserved, and makes room for them. Nothing of the world
 * changes that can be seen. The claims are to be freed, also after an error. KITH_ERR_CONFLICT,
 * KITH_ERR_INPUT, KITH_ERR_MEMORY, KITH_ERR_LIMIT. */
kith_result ki_runs_claim(const ki_runs *runs, ki_key_claims *claims);

#endif
