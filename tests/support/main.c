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

/* One case a test, so that each has its own time-out. */
static void add_test(Suite *suite, const test_case *test)
{
    TCase *tcase = tcase_create(test->name);
    tcase_set_timeout(tcase, test->seconds);
    for (int layout = 0; layout < (test->each_layout ? LAYOUT_COUNT : 1); layout++) {
        /* Check keeps both: they live as long as the program. */
        TTest *entry = malloc(sizeof(*entry));
        char *name = malloc(strlen(test->name) + 16);
        if (entry == NULL || name == NULL) {
            abort();
        }
        strcpy(name, test->name);
        if (test->each_layout) {
            strcat(name, "/");
            strcat(name, layout_name((kith_layout)layout));
        }
        *entry = (TTest){ name, test->run, test->file, test->line };
        _tcase_add_test(tcase, entry, 0, 0, layout, layout + 1);
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
