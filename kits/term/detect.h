/* What the environment says of the terminal. */
#ifndef KI_TERM_DETECT_H
#define KI_TERM_DETECT_H

#include <kith/term.h>

/* Whether it has a screen on which the cursor can be moved: false for TERM=dumb, or without TERM. */
bool ki_detect_screen(void);

kith_term_glyphs ki_detect_glyphs(void);

#endif
