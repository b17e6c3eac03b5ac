/* The tests of a program, as they registered themselves: what both mains have in common. */
#ifndef KITH_TEST_CASES_H
#define KITH_TEST_CASES_H

#include "test.h"

const test_case *test_cases(void);

/* How often a test runs: once for each layout if it asks for that. */
int test_case_runs(const test_case *test);

/* Writes what the report calls a run: "name", or "name/table" where there is one for each layout. */
void test_case_title(const test_case *test, int layout, char *title, size_t size);

/* Whether a test stands in the file that is called so: query/order is tests/query/test_order.c.
 * NULL is every file. */
bool test_case_is_in(const test_case *test, const char *name);

/* Whether any test does; tells on stderr if there is none. */
bool test_cases_exist(const char *program, const char *name);

#endif
