/* The public calls, as the headers declare them. */
#ifndef KITH_TEST_HEADERS_H
#define KITH_TEST_HEADERS_H

#include <stdint.h>

/* Calls `visit` with the name of each KITH_API function in include/kith, but those of kits whose
 * tests go through them themselves; returns how many there were. The repository is where KITH_SOURCE
 * in the environment says, or where this was compiled. */
uint32_t headers_each_call(void (*visit)(const char *name, void *context), void *context);

/* The same for the header of one kit, and its parts. */
uint32_t headers_each_call_of(const char *kit, void (*visit)(const char *name, void *context),
                              void *context);

#endif
