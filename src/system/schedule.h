/* The schedule: the stages in which systems run. */
#ifndef KI_SYSTEM_SCHEDULE_H
#define KI_SYSTEM_SCHEDULE_H

#include <kith/schedule.h>

#include "system/system_state.h"

/* Brings order and stages up to date. Errors as of kith_schedule_build, reported for `call`. */
kith_result ki_schedule_build(ki_systems *systems, const char *call);

/* What is wrong with the stages of a schedule that was built, or NULL. */
const char *ki_schedule_check(ki_systems *systems);

#endif
