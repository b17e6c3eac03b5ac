/* main of the test programs: runs the tests in the files that its arguments name (query/order for
 * tests/query/test_order.c), or all. Apart from the checks, which programs without Check use too. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

static test_case *first_test;
static test_case **behind_last = &first_test;

void test_register(test_case *test)
{
    *behind_last = test;
    behind_last = &test->next;
}

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
    for (int layout = 0; layout < (test->each_layout ? LAYOUT_COUNT : 1); layout++) {
        entry *added = malloc(sizeof(*added));
        if (added == NULL) {
            abort();
        }
        snprintf(added->name, sizeof(added->name), "%s%s%s", test->name,
                 test->each_layout ? "/" : "",
                 test->each_layout ? layout_name((kith_layout)layout) : "");
        added->test = (TTest){added->name, test->run, test->file, test->line};
        added->next = entries;
        entries = added;
        _tcase_add_test(tcase, &added->test, 0, 0, layout, layout + 1);
    }
    suite_add_tcase(suite, tcase);
}

/* Whether a test stands in the file that is called ROOM/NAME. */
static bool stands_in(const test_case *test, const char *name)
{
    const char *slash = strrchr(name, '/');
    if (slash == NULL) {
        return false;
    }
    char path[256];
    int length =
        snprintf(path, sizeof(path), "/%.*s/test_%s.c", (int)(slash - name), name, slash + 1);
    size_t whole = strlen(test->file);
    return length > 0 && (size_t)length < sizeof(path) && whole >= (size_t)length &&
           strcmp(test->file + whole - length, path) == 0;
}

/* Adds the tests of the file that is called so, or with NULL all. Returns whether there are any. */
static bool add_tests(Suite *suite, const char *name)
{
    bool found = false;
    for (const test_case *test = first_test; test != NULL; test = test->next) {
        if (name == NULL || stands_in(test, name)) {
            add_test(suite, test);
            found = true;
        }
    }
    return found;
}

int main(int argc, char **argv)
{
    Suite *suite = suite_create(argc > 1 ? argv[1] : "all");
    SRunner *runner = srunner_create(suite);
    bool found = true;
    for (int i = 1; i < argc || i == 1; i++) {
        if (!add_tests(suite, argv[i])) {
            fprintf(stderr,
                    "%s: no tests are called '%s'; those in tests/query/test_order.c, say, are "
                    "called query/order\n",
                    argv[0], argv[i]);
            found = false;
        }
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
