/* What the environment says of the terminal. */
#ifndef KI_TERMINAL_DETECT_H
#define KI_TERMINAL_DETECT_H

#include <kith/terminal.h>

/* Whether it has a screen on which the cursor can be moved: false for TERM=dumb, or without TERM. */
bool ki_detect_screen(void);

#endif
