/* Tests: a thin layer over Check, and worlds on an allocator that counts and fails.
 *
 *     TEST(a_set_value_can_be_read)
 *     {
 *         fixture f = fixture_with_all(KITH_TABLE);
 *         kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
 *         CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 2);
 *         fixture_free(&f);
 *     }
 *
 * Tests register themselves, and main, which comes from support, runs those of the files that it is
 * given. Each test runs in a process of its own. */
#ifndef KITH_TEST_H
#define KITH_TEST_H

#include <kith/kith.h>
#include <stdint.h>

#include "memory.h"

/* ---- Tests --------------------------------------------------------------------------------- */

/* TEST(name) { ... }: a test, which has four seconds. */
#define TEST(name) TEST_WITHIN(4, name)

/* A test that needs longer: so many seconds on an idle machine, without sanitizers. */
#define TEST_WITHIN(seconds, name)                                                                 \
    static void test_##name(void);                                                                 \
    static void test_run_##name(int layout)                                                        \
    {                                                                                              \
        (void)layout;                                                                              \
        test_##name();                                                                             \
    }                                                                                              \
    TEST_REGISTER_(name, (seconds), false)                                                         \
    static void test_##name(void)

/* TEST_EACH_LAYOUT(name, layout) { ... }: runs the body once for each kith_layout; the report says
 * name/table, name/sparse, name/slot. */
#define TEST_EACH_LAYOUT(name, layout) TEST_EACH_LAYOUT_WITHIN(4, name, layout)
#define TEST_EACH_LAYOUT_WITHIN(seconds, name, layout)                                             \
    static void test_##name(kith_layout layout);                                                   \
    static void test_run_##name(int layout_number)                                                 \
    {                                                                                              \
        test_##name((kith_layout)layout_number);                                                   \
    }                                                                                              \
    TEST_REGISTER_(name, (seconds), true)                                                          \
    static void test_##name(kith_layout layout)

#define TEST_REGISTER_(name, seconds, each_layout)                                                 \
    __attribute__((constructor)) static void test_register_##name(void)                            \
    {                                                                                              \
        static test_case self = {                                                                  \
            #name, test_run_##name, __FILE__, __LINE__, (seconds), (each_layout), NULL             \
        };                                                                                         \
        test_register(&self);                                                                      \
    }

typedef struct test_case {
    const char *name;
    void (*run)(int layout);
    const char *file;
    int line;
    double seconds;
    bool each_layout;
    struct test_case *next;
} test_case;

void test_register(test_case *test);

/* "table", "sparse", "slot". */
const char *layout_name(kith_layout layout);
#define LAYOUT_COUNT 3

/* Whether this is the run that may take hours (KITH_TEST_LONG in the environment). */
bool test_long(void);

/* Whether it shall be as short as makes sense, since each step takes very long (KITH_TEST_SHORT). */
bool test_short(void);

/* A number in the environment, such as KITH_TEST_SEED; `otherwise` where there is none. */
uint64_t test_number(const char *variable, uint64_t otherwise);

/* ---- Checks -------------------------------------------------------------------------------- */

/* Each ends the test if it does not hold. Arguments are evaluated once. */
#define CHECK(condition)                                                                           \
    ((condition) ? (void)0 : test_fail(__FILE__, __LINE__, "%s does not hold", #condition))
#define CHECK_INT(a, b)                                                                            \
    test_check_int(__FILE__, __LINE__, #a, #b, (int64_t)(a), (int64_t)(b))
#define CHECK_UINT(a, b)                                                                           \
    test_check_uint(__FILE__, __LINE__, #a, #b, (uint64_t)(a), (uint64_t)(b))
#define CHECK_FLOAT(a, b)                                                                          \
    test_check_float(__FILE__, __LINE__, #a, #b, (double)(a), (double)(b))
#define CHECK_STR(a, b) test_check_str(__FILE__, __LINE__, #a, #b, (a), (b))
#define CHECK_CONTAINS(text, part) test_check_contains(__FILE__, __LINE__, #text, (text), (part))
#define CHECK_PTR_NULL(pointer)                                                                    \
    ((pointer) == NULL ? (void)0 : test_fail(__FILE__, __LINE__, "%s is not NULL", #pointer))
#define CHECK_PTR_NOT_NULL(pointer)                                                                \
    ((pointer) != NULL ? (void)0 : test_fail(__FILE__, __LINE__, "%s is NULL", #pointer))
#define CHECK_SAME(a, b) test_check_same(__FILE__, __LINE__, #a, #b, (a), (b))
#define CHECK_RESULT(result, expected)                                                             \
    test_check_result(__FILE__, __LINE__, #result, (result), (expected))
#define CHECK_WORLD(world) test_check_world(__FILE__, __LINE__, (world))

/* Ends the test: reports to Check or, in a program without it, prints and aborts. */
_Noreturn void test_fail(const char *file, int line, const char *format, ...) KITH_FORMAT_(3, 4);

/* What the next failure shall add to its message: a seed, a step. NULL for nothing. Kept by pointer. */
void test_note(const char *note);

/* The condition of a loop over a table: whether there is a row `i`. A failure tells its number, counted
 * from 0, or what test_note has been told since.
 *
 *     for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) { ... } */
bool test_row(size_t i, size_t count);
#define ROWS_OF(table) (sizeof(table) / sizeof((table)[0]))

void test_check_int(const char *file, int line, const char *a_text, const char *b_text, int64_t a,
                    int64_t b);
void test_check_uint(const char *file, int line, const char *a_text, const char *b_text,
                     uint64_t a, uint64_t b);
void test_check_float(const char *file, int line, const char *a_text, const char *b_text, double a,
                      double b);
void test_check_str(const char *file, int line, const char *a_text, const char *b_text,
                    const char *a, const char *b);
void test_check_contains(const char *file, int line, const char *text_text, const char *text,
                         const char *part);
void test_check_same(const char *file, int line, const char *a_text, const char *b_text,
                     kith_entity a, kith_entity b);
void test_check_result(const char *file, int line, const char *text, kith_result result,
                       kith_result expected);
void test_check_world(const char *file, int line, kith_world *world);

/* What test_fail does with a finished message; the default prints it and aborts. */
extern void (*test_on_failure)(const char *file, int line, const char *message);

/* ---- Fixtures ------------------------------------------------------------------------------ */

/* A world on an allocator that counts, checks what is given back, and fails on demand. Misuse is
 * recorded, and the call that was misused returns. May be copied: the copy is the same fixture. */
typedef struct fixture {
    kith_world *world;
    test_memory *memory;
    const char *misuse; /* the last message; "" if there was none, or after expect_misuse */
    struct fixture_record *record;
} fixture;

fixture fixture_new(void);

/* NULL is a def of zeros. The def's allocator and misuse handler are replaced. */
fixture fixture_new_with(const kith_world_def *def);

/* Checks the world and frees it. Fails if a misuse was recorded that nobody expected, if memory is
 * left, or if a piece was given back with another size or alignment than it was handed out with. */
void fixture_free(fixture *f);

/* Misuse that was recorded and not yet expected. */
uint32_t misuse_count(const fixture *f);

/* Checks that there was exactly one misuse since the last call of this, that its message contains
 * `part`, and forgets it. */
#define expect_misuse(f, part) test_expect_misuse(__FILE__, __LINE__, (f), (part))
void test_expect_misuse(const char *file, int line, fixture *f, const char *part);

/* Lets the nth allocation from now fail (1: the next one), and those behind it succeed. */
void fail_allocation(fixture *f, size_t nth);

/* Lets the nth allocation from now fail, and all behind it. */
void fail_from(fixture *f, size_t nth);

/* Ends that. Returns whether there was an nth allocation. */
bool fail_nothing(fixture *f);

#endif
