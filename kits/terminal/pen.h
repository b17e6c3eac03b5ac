/* The colours and attributes with which a terminal draws. */
#ifndef KI_TERMINAL_PEN_H
#define KI_TERMINAL_PEN_H

#include <kith/terminal.h>

#include "terminal/bytes.h"

/* How the terminal will draw what comes next. */
typedef struct ki_pen {
    uint32_t fg; /* as `colors` allows; 0: the terminal's */
    uint32_t bg;
    uint32_t attributes;
} ki_pen;

static inline bool ki_pen_is(const ki_pen *a, const ki_pen *b)
{
    return a->fg == b->fg && a->bg == b->bg && a->attributes == b->attributes;
}

/* Adds the bytes that turn `pen` into `wanted`, in as few as possible. */
void ki_pen_set(ki_pen *pen, const ki_pen *wanted, ki_bytes *bytes);

#endif
