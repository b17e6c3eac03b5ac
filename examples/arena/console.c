#define _POSIX_C_SOURCE 200809L /* isatty */

#include <kith/floats.h>

#include "arena/console.h"

#include <inttypes.h>
#include <kith/clock.h>
#include <stdio.h>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>

static bool is_terminal(int file)
{
    return isatty(file) == 1;
}
#else
static bool is_terminal(int file)
{
    (void)file;
    return false;
}
#endif

bool console_is_live(void)
{
    return is_terminal(0) && is_terminal(1);
}

void console_progress(uint64_t done, uint64_t all)
{
    static double told;   /* when */
    static bool shown;
    double now = kith_clock_now();
    if (told == 0) {
        told = now;   /* what is over in a moment needs no word */
    }
    bool over = all != 0 && done == all;
    if (!is_terminal(2) || (over && !shown) || (!over && now - told < 0.25)) {
        return;
    }
    told = now;
    shown = true;
    if (over) {
        fputs("\r\033[K", stderr);
    } else if (all != 0) {
        fprintf(stderr, "\rstep %" PRIu64 " of %" PRIu64 " (%d%%)", done, all,
                (int)(done * 100 / all));
    } else {
        fprintf(stderr, "\rstep %" PRIu64, done);
    }
}
