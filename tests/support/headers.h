/* The public calls, as the headers declare them. */
#ifndef KITH_TEST_HEADERS_H
#define KITH_TEST_HEADERS_H

#include <stddef.h>
#include <stdint.h>

/* The path of a folder or file of the repository, which is where KITH_SOURCE in the environment says, or
 * where this was compiled. */
void source_path(char *folder, size_t size, const char *name);

typedef void (*headers_visit)(const char *name, const char *declaration, void *context);

/* Calls `visit` for each KITH_API function in include/kith, with its name and all that stands up
 * to the semicolon, except those of kits whose tests go through them, and private parts of inline
 * calls, whose names end in "_"; returns how many there were. */
uint32_t headers_each_declaration(headers_visit visit, void *context);

/* The same for the header of one kit, and its parts. */
uint32_t headers_each_declaration_of(const char *kit, headers_visit visit, void *context);

/* The same with the names alone. */
uint32_t headers_each_call(void (*visit)(const char *name, void *context), void *context);
uint32_t headers_each_call_of(const char *kit, void (*visit)(const char *name, void *context),
                              void *context);

#endif
