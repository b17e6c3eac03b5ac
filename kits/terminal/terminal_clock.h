/* Clocks: the system's, or one of the program's. */
#ifndef KI_TERMINAL_CLOCK_H
#define KI_TERMINAL_CLOCK_H

#include <kith/terminal.h>

/* False if it has just one of its functions. */
bool ki_clock_is_whole(const kith_loop_clock *clock);

uint64_t ki_clock_now(const kith_loop_clock *clock);

/* Waits; on the system's clock actively for the last `spin` nanoseconds. */
void ki_clock_wait(const kith_loop_clock *clock, uint64_t until, uint64_t spin);

#endif
