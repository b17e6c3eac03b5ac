/* Values that are given to the queries of systems later: kith_system_bind. */
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "memory.h"
#include "test.h"

/* How many each query of a system has met: the first one, and the further ones. */
typedef struct Met {
    uint32_t counts[3];
} Met;

static void count_all(kith_iter *it)
{
    Met *met = it->user;
    while (kith_next(it)) {
        met->counts[0] += it->count;
    }
    for (uint32_t number = 1; number < 3; number++) {
        for (kith_iter other = kith_system_query(it, number); kith_next(&other);) {
            met->counts[number] += other.count;
        }
    }
}

/* Entities with the numbers 0 to 99, and their names. */
static fixture bound_new(kith_layout layout, Met *met)
{
    fixture f = fixture_with_all(layout);
    for (int i = 0; i < 100; i++) {
        Name name = {{0}};
        snprintf(name.text, sizeof name.text, "n%d", i % 10);
        const kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Health, {i, 0}));
        kith_set(f.world, e, &Name_type, &name);
    }
    const kith_system_def def = {
        .name = "count",
        .run = count_all,
        .user = met,
        .query.terms =
            KITH_TERMS(KITH_READ(Health), KITH_IF(Health, current, <, kith_bound("limit"))),
        .queries = {{.terms = KITH_TERMS(KITH_READ(Health),
                                         KITH_IF(Health, current, >=, kith_bound("limit")),
                                         KITH_IF(Name, text, ==, kith_bound("name")))},
                    {.terms = KITH_TERMS(KITH_IF(Name, text, ==, kith_bound("name")))}}};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    return f;
}

#define check_met(f, met, a, b, c) check_met_at(__LINE__, (f), (met), (a), (b), (c))
static void check_met_at(int line, const fixture *f, Met *met, uint32_t a, uint32_t b, uint32_t c)
{
    *met = (Met){{0}};
    test_check_result(__FILE__, line, "the tick", kith_run(f->world, 1), KITH_OK);
    test_check_uint(__FILE__, line, "the first query met", "expected", met->counts[0], a);
    test_check_uint(__FILE__, line, "the second query met", "expected", met->counts[1], b);
    test_check_uint(__FILE__, line, "the third query met", "expected", met->counts[2], c);
    CHECK_WORLD(f->world);
}

TEST_EACH_LAYOUT(a_value_is_bound_in_all_queries_that_have_the_name, layout)
{
    Met met;
    fixture f = bound_new(layout, &met);
    CHECK_RESULT(kith_system_bind(f.world, "count", "limit", 20), KITH_OK);
    CHECK_RESULT(kith_system_bind(f.world, "count", "name", "n3"), KITH_OK);
    check_met(&f, &met, 20, 8, 10);
    CHECK_RESULT(kith_system_bind(f.world, "count", "limit", 60.5), KITH_OK);
    check_met(&f, &met, 61, 4, 10);
    char name[] = "n4";
    CHECK_RESULT(kith_system_bind(f.world, "count", "name", name), KITH_OK);
    name[1] = '?'; /* it was copied */
    check_met(&f, &met, 61, 4, 10);
    CHECK_RESULT(kith_system_bind(f.world, "count", "name", "nobody"), KITH_OK);
    check_met(&f, &met, 61, 0, 0);
    fixture_free(&f);
}

/* Without a value the system does not run, and the others of its stage neither. */
TEST(a_tick_asks_for_all_values_of_systems_that_run)
{
    Met met = {{0}};
    fixture f = bound_new(KITH_TABLE, &met);
    CHECK_RESULT(kith_system_bind(f.world, "count", "name", "n3"), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_ERR_INPUT);
    CHECK_STR(kith_error(f.world),
              "kith_run: kith_bound(\"limit\") of \"count\", in text $limit, has no value yet; call"
              " kith_query_bind first, or kith_select_bind, or kith_system_bind");
    CHECK_UINT(met.counts[2], 0);
    CHECK_WORLD(f.world);
    char text[700];
    CHECK_RESULT(kith_system_explain(f.world, "count", 0, text, sizeof text, NULL),
                 KITH_ERR_INPUT);
    CHECK_RESULT(kith_system_enable(f.world, "count", false), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_RESULT(kith_system_enable(f.world, "count", true), KITH_OK);
    CHECK_RESULT(kith_system_bind(f.world, "count", "limit", 1), KITH_OK);
    check_met(&f, &met, 1, 10, 10);
    fixture_free(&f);
}

TEST(what_cannot_be_bound_is_told_and_changes_nothing)
{
    Met met;
    fixture f = bound_new(KITH_TABLE, &met);
    CHECK_RESULT(kith_system_bind(f.world, "count", "limit", 20), KITH_OK);
    CHECK_RESULT(kith_system_bind(f.world, "count", "name", "n3"), KITH_OK);
    CHECK_RESULT(kith_system_bind(f.world, "count", "limits", 30), KITH_ERR_UNKNOWN);
    CHECK_STR(kith_error(f.world), "kith_system_bind: no query of system \"count\" has a"
                                   " kith_bound(\"limits\") (did you mean limit?)");
    CHECK_RESULT(kith_system_bind(f.world, "conut", "limit", 30), KITH_ERR_UNKNOWN);
    CHECK_CONTAINS(kith_error(f.world), "there is no system 'conut'; there are: count");
    CHECK_RESULT(kith_system_bind(f.world, "count", "limit", "thirty"), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "kith_system_bind: ");
    CHECK_CONTAINS(kith_error(f.world), "thirty");
    CHECK_RESULT(kith_system_bind(f.world, "count", "name", 3), KITH_ERR_INPUT);
    check_met(&f, &met, 20, 8, 10);
    kith_system_bind(f.world, NULL, "limit", 30);
    expect_misuse(&f, "the name of the system is NULL");
    kith_system_bind(f.world, "count", NULL, 30);
    expect_misuse(&f, "the name of the value is NULL");
    fixture_free(&f);
}

/* A value that fits one query and not another one is bound nowhere. */
TEST(a_value_has_to_fit_everywhere)
{
    Met met = {{0}};
    fixture f = fixture_with_all(KITH_TABLE);
    KITH_SPAWN(f.world, KITH_VALUE(Health, {7, 0}), KITH_VALUE(Name, {"seven"}));
    const kith_system_def def = {
        .name = "count",
        .run = count_all,
        .user = &met,
        .query.terms = KITH_TERMS(KITH_IF(Health, current, ==, kith_bound("value"))),
        .queries = {{.terms = KITH_TERMS(KITH_READ(Health))},
                    {.terms = KITH_TERMS(KITH_IF(Name, text, ==, kith_bound("value")))}}};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    CHECK_RESULT(kith_system_bind(f.world, "count", "value", 7), KITH_ERR_INPUT);
    CHECK_RESULT(kith_run(f.world, 1), KITH_ERR_INPUT); /* the first one has no value either */
    CHECK_CONTAINS(kith_error(f.world), "kith_bound(\"value\")");
    fixture_free(&f);
}

/* Copies of a text are made for all queries, or the values before are kept. */
TEST_EACH_LAYOUT(binding_without_memory_changes_nothing, layout)
{
    for (size_t nth = 1;; nth++) {
        Met met;
        fixture f = bound_new(layout, &met);
        CHECK_RESULT(kith_system_bind(f.world, "count", "limit", 20), KITH_OK);
        CHECK_RESULT(kith_system_bind(f.world, "count", "name", "n3"), KITH_OK);
        fail_allocation(&f, nth);
        const kith_result result = kith_system_bind(f.world, "count", "name", "nobody");
        const bool reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        check_met(&f, &met, 20, reached ? 8 : 0, reached ? 10 : 0);
        fixture_free(&f);
        if (!reached) {
            CHECK_UINT(nth, 3);
            break;
        }
    }
}

static kith_result bind_the_tick(kith_world *world, kith_iter *it)
{
    (void)it;
    return kith_system_bind(world, "count", "limit", (int32_t)kith_tick_count(world) * 10);
}

/* A plain system gives values for a later stage; a query system may not. */
TEST(a_plain_system_binds_for_later_ones)
{
    Met met;
    fixture f = bound_new(KITH_TABLE, &met);
    CHECK_RESULT(kith_system_bind(f.world, "count", "name", "n3"), KITH_OK);
    const kith_system_def def = {.name = "bind", .priority = -1, .update = bind_the_tick};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    check_met(&f, &met, 10, 9, 10);
    check_met(&f, &met, 20, 8, 10);
    fixture_free(&f);
}

static void bind_within(kith_iter *it)
{
    fixture *f = it->user;
    kith_system_bind(f->world, "within", "limit", 5);
}

TEST(a_query_system_cannot_bind)
{
    fixture f = fixture_with_all(KITH_TABLE);
    const kith_system_def def = {
        .name = "within",
        .run = bind_within,
        .user = &f,
        .query.terms = KITH_TERMS(KITH_IF(Health, current, <, kith_bound("limit")))};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    CHECK_RESULT(kith_system_bind(f.world, "within", "limit", 5), KITH_OK);
    kith_run(f.world, 1);
    expect_misuse(&f, "kith_system_bind");
    fixture_free(&f);
}

static kith_result open_and_bind(kith_world *world, kith_iter *it)
{
    uint32_t *met = it->user;
    kith_iter all = kith_system_query(it, 1);
    if (kith_next(&all)) {
        *met = all.count;
        CHECK_RESULT(kith_system_bind(world, "plain", "limit", 5), KITH_ERR_MISUSE);
    }
    kith_iter_close(&all);
    CHECK_RESULT(kith_system_bind(world, "plain", "limit", 5), KITH_OK);
    return KITH_OK;
}

/* The queries of a plain system are bound too; not while they are open. */
TEST(the_queries_of_a_plain_system_are_bound)
{
    uint32_t met = 0;
    fixture f = fixture_with_all(KITH_TABLE);
    for (int i = 0; i < 10; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Health, {i, 0}));
    }
    const kith_system_def def = {
        .name = "plain",
        .update = open_and_bind,
        .user = &met,
        .queries = {{.terms = KITH_TERMS(KITH_IF(Health, current, <, kith_bound("limit")))}}};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    CHECK_RESULT(kith_system_bind(f.world, "plain", "limit", 3), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    expect_misuse(&f, "is open");
    CHECK_UINT(met, 3);
    char text[700];
    CHECK_RESULT(kith_system_explain(f.world, "plain", 1, text, sizeof text, NULL), KITH_OK);
    CHECK_RESULT(kith_system_explain(f.world, "plain", 0, text, sizeof text, NULL),
                 KITH_ERR_UNKNOWN);
    CHECK_CONTAINS(kith_error(f.world), "has no query number 0");
    fixture_free(&f);
}

/* A system that was replaced has names without values. */
TEST(a_replaced_system_is_bound_anew)
{
    Met met;
    fixture f = bound_new(KITH_TABLE, &met);
    CHECK_RESULT(kith_system_bind(f.world, "count", "limit", 20), KITH_OK);
    const kith_system_def def = {
        .name = "count",
        .run = count_all,
        .user = &met,
        .query.terms = KITH_TERMS(KITH_IF(Health, current, >, kith_bound("limit"))),
        .queries = {{.terms = KITH_TERMS(KITH_READ(Health))},
                    {.terms = KITH_TERMS(KITH_READ(Name))}}};
    CHECK_RESULT(kith_system_replace(f.world, &def), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_ERR_INPUT);
    CHECK_RESULT(kith_system_bind(f.world, "count", "limit", 20), KITH_OK);
    check_met(&f, &met, 79, 100, 100);
    fixture_free(&f);
}

TEST(systems_are_explained_as_queries_are)
{
    Met met;
    fixture f = bound_new(KITH_TABLE, &met);
    CHECK_RESULT(kith_system_bind(f.world, "count", "limit", 20), KITH_OK);
    char text[700];
    size_t length;
    CHECK_RESULT(kith_system_explain(f.world, "count", 0, text, sizeof text, &length), KITH_OK);
    CHECK_STR(text, "plan: scan\nrows: 100, in tables\nwhy: so few rows are asked faster than an"
                    " index");
    CHECK_UINT(length, strlen(text));
    CHECK_RESULT(kith_system_explain(f.world, "count", 0, NULL, 0, NULL), KITH_OK);
    CHECK_RESULT(kith_system_explain(f.world, "count", 1, text, sizeof text, NULL),
                 KITH_ERR_INPUT); /* it has no name */
    CHECK_RESULT(kith_system_explain(f.world, "count", 3, text, sizeof text, NULL),
                 KITH_ERR_UNKNOWN);
    CHECK_CONTAINS(kith_error(f.world), "has no query number 3");
    CHECK_RESULT(kith_system_explain(f.world, "walk", 0, text, sizeof text, NULL),
                 KITH_ERR_UNKNOWN);
    kith_system_explain(f.world, NULL, 0, text, sizeof text, NULL);
    expect_misuse(&f, "the name of the system is NULL");
    kith_system_explain(f.world, "count", 0, NULL, 5, NULL);
    expect_misuse(&f, "the room for the text is NULL");
    fixture_free(&f);
}
