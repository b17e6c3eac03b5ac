/* What is shown, for files. */
#ifndef KI_TERMINAL_RECORD_H
#define KI_TERMINAL_RECORD_H

#include <kith/terminal.h>

/* The head of an asciicast v2 file. */
kith_result ki_record_head(FILE *file, int width, int height);

/* An event, so many nanoseconds from the start: 'o', bytes for the terminal, or 'r', its new size
 * as text. */
kith_result ki_record_event(FILE *file, uint64_t time, char kind, const char *data, size_t size);

#endif
