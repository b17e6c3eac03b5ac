#include "cases.h"

#include <stdio.h>
#include <string.h>

static test_case *first_test;
static test_case **after_last = &first_test;

void test_register(test_case *test)
{
    *after_last = test;
    after_last = &test->next;
}

const test_case *test_cases(void)
{
    return first_test;
}

int test_case_runs(const test_case *test)
{
    return test->each_layout ? LAYOUT_COUNT : 1;
}

void test_case_title(const test_case *test, int layout, char *title, size_t size)
{
    snprintf(title, size, "%s%s%s", test->name, test->each_layout ? "/" : "",
             test->each_layout ? layout_name((kith_layout)layout) : "");
}

bool test_case_is_in(const test_case *test, const char *name)
{
    if (name == NULL) {
        return true;
    }
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

bool test_cases_exist(const char *program, const char *name)
{
    for (const test_case *test = first_test; test != NULL; test = test->next) {
        if (test_case_is_in(test, name)) {
            return true;
        }
    }
    fprintf(stderr,
            "%s: no tests are called '%s'; those in tests/query/test_order.c, say, are called "
            "query/order\n",
            program, name != NULL ? name : "");
    return false;
}
