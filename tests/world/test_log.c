/* What a world logs: to which function, from which level on, and what it says of misuse. */
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "test.h"
#include "trips.h" /* HAS_CHILDREN */

/* What was logged and reported, in order. */
typedef struct told {
    char text[4096];
} told;

static void keep(told *t, const char *what, const char *message)
{
    size_t length = strlen(t->text);
    snprintf(t->text + length, sizeof t->text - length, "%s: %s\n", what, message);
}

static void keep_log(kith_log_level level, const char *message, void *context)
{
    static const char *const words[] = {"default", "error", "warning", "info", "debug"};
    keep(context, words[level], message);
}

static void keep_misuse(const char *message, void *context)
{
    keep(context, "misuse", message);
}

static void log_each(kith_world *world)
{
    kith_log(world, KITH_LOG_ERROR, "e%d", 1);
    kith_log(world, KITH_LOG_WARNING, "w%s", "2");
    kith_log(world, KITH_LOG_INFO, "i");
    kith_log(world, KITH_LOG_DEBUG, "d");
}

TEST(a_level_is_logged_with_those_that_are_more_urgent)
{
    static const char *const expected[] = {
        "error: e1\nwarning: w2\n",
        "error: e1\n",
        "error: e1\nwarning: w2\n",
        "error: e1\nwarning: w2\ninfo: i\n",
        "error: e1\nwarning: w2\ninfo: i\ndebug: d\n",
    };
    for (int level = KITH_LOG_DEFAULT; level <= KITH_LOG_DEBUG; level++) {
        told t = {""};
        fixture f = fixture_new_with(&(kith_world_def){
            .on_log = keep_log, .log_context = &t, .log_level = (kith_log_level)level});
        log_each(f.world);
        CHECK_STR(t.text, expected[level]);
        fixture_free(&f);
    }
}

TEST(a_message_that_is_too_long_ends_in_dots)
{
    static told t;
    char text[2000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    fixture f = fixture_new_with(&(kith_world_def){.on_log = keep_log, .log_context = &t});
    kith_log(f.world, KITH_LOG_ERROR, "%s", text);
    CHECK_UINT(strlen(t.text), strlen("error: ") + 1023 + 1);
    CHECK_CONTAINS(t.text, "xxx...\n");
    fixture_free(&f);
}

static kith_result log_within(kith_world *world, kith_iter *it)
{
    (void)it;
    kith_log(world, KITH_LOG_INFO, "within");
    return KITH_OK;
}

TEST(a_schedule_that_is_built_is_logged_once)
{
    told t = {""};
    fixture f = fixture_new_with(
        &(kith_world_def){.on_log = keep_log, .log_context = &t, .log_level = KITH_LOG_DEBUG});
    const kith_system_def def = {.name = "logs", .update = log_within};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_STR(t.text, "debug: kith_run: 1 systems are in 1 stages\ninfo: within\ninfo: within\n");
    fixture_free(&f);
}

/* The log first, then the handler, which has the last word. */
TEST(misuse_is_logged_and_reported)
{
    told t = {""};
    kith_world *world = kith_world_new(&(kith_world_def){
        .on_misuse = keep_misuse, .misuse_context = &t, .on_log = keep_log, .log_context = &t});
    CHECK_RESULT(kith_system_add(world, NULL), KITH_ERR_MISUSE);
    CHECK_STR(t.text, "error: kith_system_add: the definition is NULL\n"
                      "misuse: kith_system_add: the definition is NULL\n");
    t.text[0] = '\0';
    kith_log(world, KITH_LOG_DEFAULT, "no level");
    CHECK_CONTAINS(t.text, "kith_log: the message is NULL, or 0 is not a level");
    kith_world_free(world);
}

#if HAS_CHILDREN

static void print_log(kith_log_level level, const char *message, void *context)
{
    fprintf(stderr, "%s %d %s\n", (const char *)context, (int)level, message);
}

TEST(without_a_function_stderr_gets_it)
{
    char printed[2048];
    child c;
    if (child_start(&c)) {
        kith_world *world = kith_world_new(&(kith_world_def){.log_level = KITH_LOG_DEBUG});
        log_each(world);
        kith_world_free(world);
        abort();
    }
    child_end(&c, printed, sizeof printed);
    CHECK_STR(printed, "kith: e1\nkith: warning: w2\nkith: info: i\nkith: debug: d\n");
}

TEST(misuse_without_a_handler_is_logged_and_aborts)
{
    char printed[2048];
    child c;
    if (child_start(&c)) {
        const kith_world_def def = {.on_log = print_log, .log_context = "logged"};
        kith_system_add(kith_world_new(&def), NULL);
        _exit(0);
    }
    int status = child_end(&c, printed, sizeof printed);
    CHECK(WIFSIGNALED(status));
    CHECK_INT(WTERMSIG(status), SIGABRT);
    CHECK_STR(printed, "logged 1 kith_system_add: the definition is NULL\n");
}

#endif
