/* Planned queries with lists and groups of all lengths, without memory, and where more match than was
 * expected. */
#include "looped.h"

/* ---- Lists ----------------------------------------------------------------------------------- */

/* A list without a value, and a group without a condition, hold for nobody; where the only conditions
 * are empty, nothing is asked of any field. */
TEST_EACH_LAYOUT(lists_may_be_empty, layout)
{
    static looped t;
    looped_new(&t, layout, &by_number[0]);
    static const kith_operand none[] = {{.kind = KITH_OPERAND_NONE}};
    static const kith_term no_terms[] = {{.type = NULL}};
    const kith_condition in_none = {.op = KITH_OP_IN, .field = "current", .values = none};
    const kith_condition any_of_none = {.op = KITH_OP_ANY, .terms = no_terms};
    const kith_condition all_of_none = {.op = KITH_OP_ALL, .terms = no_terms};
    const kith_condition not_none = {.op = KITH_OP_NOT, .terms = no_terms};
    const kith_condition is_77 = {
        .op = KITH_OP_EQUAL, .field = "current", .value = kith_operand_i64_(77)};
    const struct {
        const kith_condition *first;
        const kith_condition *second;
        uint32_t count;
    } cases[] = {
        {&in_none, NULL, 0},       {&any_of_none, NULL, 0},   {&all_of_none, NULL, LOOPED},
        {&not_none, NULL, LOOPED}, {&in_none, &is_77, 0},     {&is_77, &in_none, 0},
        {&is_77, &any_of_none, 0}, {&any_of_none, &is_77, 0}, {&not_none, &is_77, 4},
        {&is_77, &all_of_none, 4}, {&all_of_none, &is_77, 4},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        const kith_condition *conditions[] = {cases[i].first, cases[i].second};
        kith_term terms[4] = {{.type = &Health_type, .access = KITH_ACCESS_READ}};
        for (int k = 0; k < 2 && conditions[k] != NULL; k++) {
            bool group = conditions[k]->terms != NULL;
            terms[1 + k] =
                (kith_term){.type = group ? NULL : &Health_type, .condition = conditions[k]};
        }
        kith_query *query;
        CHECK_RESULT(kith_query_new(t.world, &(kith_query_def){.terms = terms}, &query), KITH_OK);
        bool planned = is_planned(query);
        CHECK_UINT(kith_query_count(query), cases[i].count);
        CHECK_UINT(is_planned(query), cases[i].second != NULL);
        CHECK(!planned || cases[i].second != NULL);
        kith_query_free(query);
    }
    fixture_free(&t.f);
}

/* As many values as a list takes, and more conditions than a plan heeds; some values twice, some
 * nobody's. */
TEST_EACH_LAYOUT(lists_may_be_long, layout)
{
    static looped t;
    looped_new(&t, layout, NULL);
    kith_query *listed = KITH_QUERY(
        t.world, KITH_IF(Name, text, !=, ""),
        KITH_IF_IN(Health, current, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3, 3, -1, 5000, 5001, 5002));
    kith_query *many = KITH_QUERY(t.world, KITH_IF(Name, text, !=, ""),
                                  KITH_IF(Health, current, >, -1), KITH_IF(Health, current, >, -2),
                                  KITH_IF(Health, current, >, -3), KITH_IF(Health, current, >, -4),
                                  KITH_IF(Health, current, >, -5), KITH_IF(Health, current, >, -6),
                                  KITH_IF(Health, current, >, -7), KITH_IF(Health, current, >, -8),
                                  KITH_IF(Health, current, >, -9), KITH_IF(Health, current, ==, 9));
    kith_query *both = KITH_QUERY(
        t.world, KITH_IF(Name, text, !=, ""), KITH_IF(Health, current, ==, 9),
        KITH_IF_ALL(KITH_IF(Health, max, >=, 0)), KITH_IF(Health, max, >=, 0),
        KITH_IF(Health, max, >=, 0), KITH_IF(Health, max, >=, 0), KITH_IF(Health, max, >=, 0),
        KITH_IF(Health, max, >=, 0), KITH_IF(Health, max, >=, 0), KITH_IF(Health, max, >=, 0),
        KITH_IF(Name, text, ==, "n9"));
    kith_query *const queries[] = {listed, many, both};
    for (size_t i = 0; test_row(i, ROWS_OF(queries)); i++) {
        uint64_t scanned = ask_all_ways(queries[i]);
        for (int kind = 0; kind < 2; kind++) {
            t.index = new_index(t.world, &by_number[kind]);
            kith_index *names = new_index(
                t.world, &(kith_index_def){.kind = KITH_INDEX_HASH, KITH_FIELDS(Name, text)});
            CHECK(ask_all_ways(queries[i]) == scanned);
            CHECK_UINT(is_planned(queries[i]), i != 1);
            kith_index_free(t.index);
            kith_index_free(names);
        }
    }
    fixture_free(&t.f);
}

/* ---- Without memory -------------------------------------------------------------------------- */

/* A text that could not be bound leaves the one before, also for the plan. */
TEST_EACH_LAYOUT(binding_fails_and_the_plan_is_as_before, layout)
{
    static looped t;
    looped_new(&t, layout, NULL);
    new_index(t.world, &(kith_index_def){.kind = KITH_INDEX_HASH, KITH_FIELDS(Name, text)});
    kith_query *named =
        KITH_QUERY(t.world, KITH_READ(Name), KITH_IF(Name, text, ==, kith_bound("name")));
    CHECK_RESULT(kith_query_bind(named, "name", "n33"), KITH_OK);
    const uint32_t count = kith_query_count(named);
    const kith_entity first = kith_query_first(named);
    CHECK(count != 0);
    fail_allocation(&t.f, 1);
    CHECK_RESULT(kith_query_bind(named, "name", "nobody"), KITH_ERR_MEMORY);
    CHECK(fail_nothing(&t.f));
    CHECK_UINT(kith_query_count(named), count);
    CHECK_SAME(kith_query_first(named), first);
    CHECK(is_planned(named));
    CHECK_RESULT(kith_query_bind(named, "name", 7), KITH_ERR_INPUT);
    CHECK_RESULT(kith_query_bind(t.query, "number", "n33"), KITH_ERR_INPUT);
    CHECK_UINT(kith_query_count(named), count);
    CHECK_UINT(kith_query_count(t.query), 4);
    CHECK_RESULT(kith_query_bind(named, "name", "nobody"), KITH_OK);
    CHECK_UINT(kith_query_count(named), 0);
    fixture_free(&t.f);
}

/* Whatever cannot be had, the answers are right, and a later question is served by the index. */
TEST_EACH_LAYOUT_WITHIN(10, memory_runs_out_for_good, layout)
{
    static looped t;
    looped_new(&t, layout, NULL);
    kith_query *few = KITH_QUERY(t.world, KITH_IF(Name, text, !=, ""),
                                 KITH_IF(Health, current, >=, 10), KITH_IF(Health, current, <, 20));
    const uint64_t scanned = ask_all_ways(few);
    for (size_t nth = 1; nth < 16; nth++) {
        for (int kind = 0; kind < 2; kind++) {
            t.index = new_index(t.world, &by_number[kind]);
            fail_from(&t.f, nth);
            uint32_t count = kith_query_count(few);
            kith_entity first = kith_query_first(few);
            char text[700];
            CHECK_RESULT(kith_query_explain(few, true, text, sizeof(text), NULL), KITH_OK);
            fail_nothing(&t.f);
            CHECK_CONTAINS(text, "\nmet: ");
            CHECK_CONTAINS(text, kind == 0 ? "plan: scan" : "plan: ");
            CHECK(nth != 1 || strncmp(text, "plan: scan", 10) == 0);
            CHECK(ask_all_ways(few) == scanned);
            CHECK_UINT(kith_query_count(few), count);
            CHECK_SAME(kith_query_first(few), first);
            if (kind == 1) {
                ask_until_planned(few);
                CHECK(ask_all_ways(few) == scanned);
            }
            CHECK_WORLD(t.world);
            kith_index_free(t.index);
        }
    }
    fixture_free(&t.f);
}

/* An offer is made of what the index knew before: if there are many more, all rows are asked. */
TEST_EACH_LAYOUT(more_match_than_was_offered, layout)
{
    for (int kind = 0; kind < 2; kind++) {
        static looped t;
        looped_new(&t, layout, &by_number[kind]);
        CHECK_UINT(kith_query_count(t.query), 4);
        /* A few single values are looked at at once; each has 77 then, and a plan has room for 10. */
        for (int32_t more = 1; more <= 12; more++) {
            CHECK_RESULT(KITH_SET(t.world, t.entities[more * 7], Health, {77, 0}), KITH_OK);
        }
        char text[700];
        CHECK_RESULT(kith_query_explain(t.query, true, text, sizeof(text), NULL), KITH_OK);
        CHECK_CONTAINS(text, "plan: scan\n");
        CHECK_CONTAINS(text, "of them or more, too many to find");
        CHECK_CONTAINS(text, "\nmet: 16 of 8000 rows asked");
        CHECK_UINT(kith_query_count(t.query), 16);
        CHECK_UINT(meet_all(t.query, false).count, 16);
        for (int32_t more = 1; more <= 12; more++) {
            CHECK_RESULT(KITH_SET(t.world, t.entities[more * 7], Health, {78, 0}), KITH_OK);
        }
        CHECK_UINT(meet_all(t.query, true).count, 4);
        fixture_free(&t.f);
    }
}
