/* What the environment says of the terminal. */
#ifndef KI_TERM_DETECT_H
#define KI_TERM_DETECT_H

#include <kith/term.h>

kith_term_glyphs ki_detect_glyphs(void);

#endif
