/* main of the test programs: runs the tests in the files that its arguments name (query/order for
 * tests/query/test_order.c), or all. Apart from the checks, which programs without Check use too. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases.h"

static void tell_check(const char *file, int line, const char *message)
{
    _ck_assert_failed(file, line, "", "%s", message);
}

/* What Check is given of each test. Check keeps pointers to it, so it lives as long as the program. */
typedef struct entry {
    TTest test;
    char name[128];
    struct entry *next;
} entry;

static entry *entries;

/* One case a test, so that each has its own time-out. */
static void add_test(Suite *suite, const test_case *test)
{
    TCase *tcase = tcase_create(test->name);
    tcase_set_timeout(tcase, test->seconds);
    for (int layout = 0; layout < test_case_runs(test); layout++) {
        entry *added = malloc(sizeof(*added));
        if (added == NULL) {
            abort();
        }
        test_case_title(test, layout, added->name, sizeof(added->name));
        added->test = (TTest){added->name, test->run, test->file, test->line};
        added->next = entries;
        entries = added;
        _tcase_add_test(tcase, &added->test, 0, 0, layout, layout + 1);
    }
    suite_add_tcase(suite, tcase);
}

/* Adds the tests of the file that is called so, or with NULL all. Returns whether there are any. */
static bool add_tests(Suite *suite, const char *program, const char *name)
{
    for (const test_case *test = test_cases(); test != NULL; test = test->next) {
        if (test_case_is_in(test, name)) {
            add_test(suite, test);
        }
    }
    return test_cases_exist(program, name);
}

int main(int argc, char **argv)
{
    Suite *suite = suite_create(argc > 1 ? argv[1] : "all");
    SRunner *runner = srunner_create(suite);
    bool found = true;
    for (int i = 1; i < argc || i == 1; i++) {
        found = add_tests(suite, argv[0], argv[i]) && found;
    }
    test_on_failure = tell_check;
    if (found) {
        srunner_run_all(runner, CK_ENV);
    }
    int failed = srunner_ntests_failed(runner);
    int run = srunner_ntests_run(runner);
    srunner_free(runner);
    if (found && run == 0) {
        fprintf(stderr, "%s: no tests were run\n", argv[0]);
    }
    return failed == 0 && run > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
