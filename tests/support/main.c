/* main of every test program. Apart from the checks, so that programs without Check can use those. */
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
        added->test = (TTest){ added->name, test->run, test->file, test->line };
        added->next = entries;
        entries = added;
        _tcase_add_test(tcase, &added->test, 0, 0, layout, layout + 1);
    }
    suite_add_tcase(suite, tcase);
}

static void name_suite(char *name, size_t size, const char *program)
{
    const char *slash = strrchr(program, '/');
    const char *start = slash != NULL ? slash + 1 : program;
    snprintf(name, size, "%s", strncmp(start, "test_", 5) == 0 ? start + 5 : start);
}

int main(int argc, char **argv)
{
    char suite_name[128];
    name_suite(suite_name, sizeof(suite_name), argc > 0 ? argv[0] : "test");
    Suite *suite = suite_create(suite_name);
    for (const test_case *test = first_test; test != NULL; test = test->next) {
        add_test(suite, test);
    }
    test_on_failure = tell_check;
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    int run = srunner_ntests_run(runner);
    srunner_free(runner);
    if (run == 0) {
        fprintf(stderr, "%s: no tests were run\n", suite_name);
    }
    return failed == 0 && run > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
