/* main of the test programs where there is no Check, such as in an emulator: needs the C library alone.
 *
 *     test_query query/order 7
 *
 * runs the tests of tests/query/test_order.c from the seventh on, one after the other in this process,
 * and ends with the first one that fails. Before each it prints a line "test 7 of 12: NAME", after the
 * last one "done". tests/support/run_plain reads that, and starts it again after a failure. */
#include <stdio.h>
#include <stdlib.h>

#include "cases.h"

static _Noreturn void leave(int status)
{
    fflush(NULL);
    _Exit(status); /* other threads may still run */
}

static void tell_and_leave(const char *file, int line, const char *message)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, message);
    leave(EXIT_FAILURE);
}

static int count_runs(const char *name)
{
    int count = 0;
    for (const test_case *test = test_cases(); test != NULL; test = test->next) {
        count += test_case_is_in(test, name) ? test_case_runs(test) : 0;
    }
    return count;
}

static void run_from(const char *name, int from)
{
    const int count = count_runs(name);
    int number = 0;
    for (const test_case *test = test_cases(); test != NULL; test = test->next) {
        if (!test_case_is_in(test, name)) {
            continue;
        }
        for (int layout = 0; layout < test_case_runs(test); layout++) {
            if (++number >= from) {
                char title[128];
                test_case_title(test, layout, title, sizeof(title));
                printf("test %d of %d: %s\n", number, count, title);
                fflush(stdout);
                test_note(NULL);
                test->run(layout);
            }
        }
    }
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    if (!test_cases_exist(argv[0], name)) {
        return EXIT_FAILURE;
    }
    test_on_failure = tell_and_leave;
    run_from(name, argc > 2 ? atoi(argv[2]) : 1);
    printf("done\n");
    leave(EXIT_SUCCESS);
}
