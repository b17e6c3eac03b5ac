/* The links of relations that runs bring about, and what ends or is unlinked with them. */
#ifndef KI_COMMAND_LINK_WANTS_H
#define KI_COMMAND_LINK_WANTS_H

#include "command/runs.h"
#include "store/relation.h"

/* Makes the links as they are after the last command, in the order in which they were queued; all is
 * reserved. If entities are to end or lose a relation that no command is about, the links are as they
 * were, and `*more` is a buffer with commands for that, which the caller frees: all is to be merged
 * anew, with these at the end. Else it is NULL. KITH_ERR_CYCLE, KITH_ERR_CONFLICT, KITH_ERR_MEMORY. */
kith_result ki_runs_link(const ki_runs *runs, kith_commands **more);

#endif
