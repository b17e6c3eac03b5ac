/* The order of systems: by phase, by `before` and `after`, by priority, by registration. */
#ifndef KI_SYSTEM_ORDER_H
#define KI_SYSTEM_ORDER_H

#include "system/system_state.h"

/* Brings `in_order` up to date. Needs no memory. */
void ki_order_sort(ki_systems *systems);

/* Whether the systems are in order, as far as comparing neighbours tells. */
bool ki_order_is_right(const ki_systems *systems);

/* KITH_ERR_UNKNOWN and KITH_ERR_CONFLICT as of kith_schedule_build, reported for `call`. */
kith_result ki_order_check(ki_systems *systems, const char *call);

#endif
