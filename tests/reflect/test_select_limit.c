/* Selections with an order and a limit give the first rows of those without, in whatever order they come
 * up. */
#include <kith/floats.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "memory.h"
#include "random.h"
#include "test.h"

KITH_COMPONENT(Rated, (int32_t, rank), (float, worth), (char, name, 8));

#define RATED 6000

typedef enum order_kind { RANDOM, ASCENDING, DESCENDING, EQUAL, ORDER_KINDS } order_kind;

static void spawn_rated(kith_world *world, uint32_t count, order_kind kind)
{
    uint64_t random = 5;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t any = random_below(&random, 800);
        Rated rated = {.worth = any % 50 == 0 ? NAN : (float)(any % 7)};
        rated.rank = kind == RANDOM       ? (int32_t)any
                     : kind == ASCENDING  ? (int32_t)i
                     : kind == DESCENDING ? (int32_t)(count - i)
                                          : 3;
        snprintf(rated.name, sizeof rated.name, "n%u", any % 30);
        if (i % 10 == 3) {
            kith_spawn_empty(world);
        }
        KITH_SPAWN(world, {&Rated_type, &rated});
    }
}

static kith_select *run_of(kith_world *world, const char *text)
{
    kith_select *select = NULL;
    CHECK_RESULT(kith_select_new(world, text, NULL, &select), KITH_OK);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    return select;
}

static void check_same_row(const kith_select *a, const kith_select *b, uint32_t row)
{
    char lines[2][120];
    kith_select_print(a, row, KITH_SELECT_TEXT, lines[0], sizeof lines[0]);
    kith_select_print(b, row, KITH_SELECT_TEXT, lines[1], sizeof lines[1]);
    CHECK_STR(lines[0], lines[1]);
}

TEST_EACH_LAYOUT_WITHIN(60, a_limit_gives_the_first_rows, layout)
{
    static const char *const orders[] = {"Rated.rank", "Rated.rank desc", "Rated.worth, Rated.rank",
                                         "Rated.name desc, Rated.worth desc, entity desc",
                                         "entity desc"};
    static const uint32_t limits[] = {0, 1, 10, 1000, 2500, RATED, RATED + 1};
    for (int kind = 0; kind < ORDER_KINDS; kind++) {
        fixture f = fixture_new();
        CHECK_RESULT(kith_register(f.world, &Rated_type, &(kith_component_def){.layout = layout}),
                     KITH_OK);
        spawn_rated(f.world, RATED, (order_kind)kind);
        for (size_t i = 0; i < ROWS_OF(orders) * ROWS_OF(limits); i++) {
            const uint32_t limit = limits[i % ROWS_OF(limits)];
            char text[200];
            const char *order = orders[i / ROWS_OF(limits)];
            snprintf(text, sizeof text, "Rated order by %s", order);
            kith_select *all = run_of(f.world, text);
            snprintf(text, sizeof text, "Rated order by %s limit %u", order, limit);
            kith_select *first = run_of(f.world, text);
            CHECK_UINT(kith_select_row_count(first), limit < RATED ? limit : RATED);
            for (uint32_t row = 0; row < kith_select_row_count(first); row += 1 + limit / 200) {
                check_same_row(first, all, row);
            }
            kith_select_free(all);
            kith_select_free(first);
        }
        CHECK_WORLD(f.world);
        fixture_free(&f);
    }
}

/* Not more rows are kept than twice the limit, and some. */
TEST(rows_that_are_not_given_take_no_memory)
{
    fixture f = fixture_new();
    spawn_rated(f.world, 50000, DESCENDING);
    const size_t before = kith_memory(f.world).used;
    kith_select *first = run_of(f.world, "Rated order by Rated.rank limit 5");
    CHECK(kith_memory(f.world).used - before < 300000); /* all would be 2 MB */
    kith_select_free(first);
    fixture_free(&f);
}

TEST(a_limit_with_an_order_survives_want_of_memory)
{
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_new();
        kith_select *select = NULL;
        spawn_rated(f.world, 3000, RANDOM);
        CHECK_RESULT(
            kith_select_new(f.world, "Rated order by Rated.rank limit 20", NULL, &select),
            KITH_OK);
        test_memory_fail(f.memory, nth, true);
        const kith_result result = kith_select_run(select);
        const bool failed = test_memory_fail_nothing(f.memory);
        CHECK_RESULT(result, failed ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_UINT(kith_select_row_count(select), failed ? 0 : 20);
        CHECK_RESULT(kith_select_run(select), KITH_OK);
        CHECK_UINT(kith_select_row_count(select), 20);
        CHECK_WORLD(f.world);
        fixture_free(&f);
        if (!failed) {
            CHECK(nth > 8);
            return;
        }
    }
}
