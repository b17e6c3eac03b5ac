/* Texts that ask for parents before children, or after. */
#include <string.h>

#include "components.h"
#include "test.h"

/* A child, its parent, and the parent of that, in the order of the scan. */
typedef struct family {
    fixture f;
    kith_entity child, parent, root;
} family;

static family family_new(void)
{
    family of = {.f = fixture_with_all(KITH_TABLE)};
    of.child = KITH_SPAWN(of.f.world, KITH_VALUE(Health, {3, 0}));
    of.parent = KITH_SPAWN(of.f.world, KITH_VALUE(Health, {1, 0}));
    of.root = KITH_SPAWN(of.f.world, KITH_VALUE(Health, {2, 0}));
    kith_set_parent(of.f.world, of.child, of.parent);
    kith_set_parent(of.f.world, of.parent, of.root);
    return of;
}

static void check_visits(kith_query *query, kith_entity a, kith_entity b, kith_entity c)
{
    const kith_entity expected[] = {a, b, c};
    uint32_t met = 0;
    CHECK_PTR_NOT_NULL(query);
    for (kith_iter it = kith_query_iter(query); kith_next(&it); met++) {
        CHECK_UINT(it.count, 1);
        CHECK_SAME(kith_entities(&it)[0], expected[met]);
    }
    CHECK_UINT(met, 3);
}

TEST(a_query_visits_parents_first_or_children_first)
{
    family of = family_new();
    kith_world *world = of.f.world;
    check_visits(kith_query_text(world, "Health order by parents first", NULL), of.root, of.parent,
                 of.child);
    check_visits(kith_query_text(world, "Health order by children first", NULL), of.child,
                 of.parent, of.root);
    check_visits(
        kith_query_text(world, "Health where Health.max = 0 order  by\nparents first", NULL),
        of.root, of.parent, of.child);
    fixture_free(&of.f);
}

TEST(the_order_is_explained)
{
    family of = family_new();
    char text[300];
    kith_query *query = kith_query_text(of.f.world, "Health order by children first", NULL);
    CHECK_RESULT(kith_query_explain(query, false, text, sizeof text, NULL), KITH_OK);
    CHECK_CONTAINS(text, "\norder: children first");
    query = kith_query_text(of.f.world, "Health, ?up(Health) order by parents first", NULL);
    CHECK_PTR_NULL(query);
    query = kith_query_text(of.f.world, "Health, up(?Health) order by parents first", NULL);
    CHECK_RESULT(kith_query_explain(query, true, text, sizeof text, NULL), KITH_OK);
    CHECK_CONTAINS(text, "\nfollows: up(?Health)\norder: parents first\nmet: 3 of 3 rows");
    query = kith_query_text(of.f.world, "Health", NULL);
    CHECK_RESULT(kith_query_explain(query, false, text, sizeof text, NULL), KITH_OK);
    CHECK_PTR_NULL(strstr(text, "order"));
    fixture_free(&of.f);
}

static void check_tidy(kith_world *world, const char *text, const char *expected)
{
    char tidy[200];
    CHECK_RESULT(kith_query_text_tidy(world, text, tidy, sizeof tidy, NULL, NULL), KITH_OK);
    CHECK_STR(tidy, expected);
}

TEST(the_order_has_a_normal_form)
{
    family of = family_new();
    check_tidy(of.f.world, "Health  order by  parents  first limit 3",
               "Health order by parents first limit 3");
    check_tidy(of.f.world, "*order by children first", "* order by children first");
    /* These words may be names. */
    check_tidy(of.f.world, "* order by parents", "* order by parents");
    check_tidy(of.f.world, "* order by children desc, first", "* order by children desc, first");
    check_tidy(of.f.world, "* order by \"parents\"", "* order by \"parents\"");
    fixture_free(&of.f);
}

/* Rows of a selection come in the order of the loop, up to a limit. */
TEST(a_selection_has_rows_by_depth)
{
    family of = family_new();
    static const struct {
        const char *text;
        const char *rows;
    } cases[] = {{"Health select Health.current order by parents first", "213"},
                 {"Health select Health.current order by children first", "312"},
                 {"Health select Health.current order by parents first limit 2", "21"},
                 {"Health where Health.current < 3 select Health.current order by children first",
                  "12"}};
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        kith_select *select = NULL;
        char rows[8] = "";
        CHECK_RESULT(kith_select_new(of.f.world, cases[i].text, NULL, &select), KITH_OK);
        CHECK_RESULT(kith_select_run(select), KITH_OK);
        for (uint32_t row = 0; row < kith_select_row_count(select); row++) {
            char shown[8];
            kith_select_print(select, row, KITH_SELECT_TEXT, shown, sizeof shown);
            strcat(rows, shown);
        }
        CHECK_STR(rows, cases[i].rows);
        kith_select_free(select);
    }
    fixture_free(&of.f);
}

TEST(what_has_no_order_by_depth_says_why)
{
    family of = family_new();
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"Health group by Health.max order by parents first", "have no parents"},
        {"Health select count order by children first", "have no parents"},
        {"Health order by parents first, Health.current", "found \",\""},
        {"Health order by parents first desc", "found \"desc\""},
        {"Health order by parents last", "found \"last\""},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        kith_select *select = NULL;
        kith_text_error error;
        CHECK_RESULT(kith_select_new(of.f.world, cases[i].text, &error, &select), KITH_ERR_INPUT);
        CHECK_CONTAINS(error.message, cases[i].message);
        CHECK_UINT(error.line, 1);
    }
    /* A query still has no other order. */
    kith_text_error error;
    CHECK_PTR_NULL(kith_query_text(of.f.world, "Health order by Health.current", &error));
    CHECK_CONTAINS(error.message, "only a selection");
    CHECK_PTR_NULL(kith_query_text(of.f.world, "Health order by parents first limit 2", &error));
    CHECK_CONTAINS(error.message, "only a selection");
    fixture_free(&of.f);
}
