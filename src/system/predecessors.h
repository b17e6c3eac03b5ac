/* Predecessors: the systems that a system waits for directly. */
#ifndef KI_SYSTEM_PREDECESSORS_H
#define KI_SYSTEM_PREDECESSORS_H

#include "system/system_state.h"

/* Prepares ki_predecessors_find for a schedule that was built. */
void ki_predecessors_link(ki_systems *systems);

/* Finds the systems that a system waits for, without those that another one of them waits for. They
 * are in `systems->found`, in order. Returns how many there are. */
uint32_t ki_predecessors_find(ki_systems *systems, ki_system *system);

#endif
