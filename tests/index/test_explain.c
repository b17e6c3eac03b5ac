/* How queries find their entities, and what they tell of it. */
#include <kith/floats.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "test.h"

#define EXPLAINED 20000

KITH_COMPONENT(Seen, (int32_t, number));

/* Entities 0 to EXPLAINED - 1, whose health is their number modulo 1,000, so that 20 have the same. */
typedef struct explained {
    fixture f;
    kith_world *world;
    kith_index *index;
    kith_query *query; /* one number */
    kith_entity entities[EXPLAINED];
    char text[700];
} explained;

static void explained_new(explained *t, kith_layout layout, kith_index_kind kind)
{
    t->f = fixture_with_all(layout);
    t->world = t->f.world;
    for (int32_t i = 0; i < EXPLAINED; i++) {
        t->entities[i] = KITH_SPAWN(t->world, KITH_VALUE(Health, {i % 10000, i}));
    }
    CHECK_RESULT(kith_index_new(t->world,
                                &(kith_index_def){.kind = kind, KITH_FIELDS(Health, current)},
                                &t->index),
                 KITH_OK);
    t->query =
        KITH_QUERY(t->world, KITH_READ(Health), KITH_IF(Health, current, ==, kith_bound("number")));
    CHECK_RESULT(kith_query_bind(t->query, "number", 77), KITH_OK);
}

static const char *explain(explained *t, kith_query *query, bool analyze)
{
    size_t length;
    CHECK_RESULT(kith_query_explain(query, analyze, t->text, sizeof t->text, &length), KITH_OK);
    CHECK_UINT(length, strlen(t->text));
    return t->text;
}

TEST_EACH_LAYOUT(an_index_is_found_and_explained, layout)
{
    static explained t;
    explained_new(&t, layout, KITH_INDEX_HASH);
    const char *rows = layout == KITH_TABLE    ? "rows: about 2 of 20000, in tables\n"
                       : layout == KITH_SPARSE ? "rows: about 2 of 20000, in the sparse set of"
                                                 " Health\n"
                                               : "rows: about 2 of 20000, in the slots of Health\n";
    CHECK_UINT(kith_query_count(t.query), 2);
    CHECK_CONTAINS(explain(&t, t.query, false), "plan: hash of Health (current)\n");
    CHECK_CONTAINS(t.text, rows);
    CHECK_CONTAINS(t.text, "why: asking all takes longer");
    CHECK_CONTAINS(explain(&t, t.query, true), "\nmet: 2 of 2 rows asked, in ");
    /* The same query in text has the same plan. */
    char in_c[700];
    strcpy(in_c, explain(&t, t.query, false));
    kith_query *in_text = kith_query_text(t.world, "Health where Health.current = 77", NULL);
    CHECK_STR(explain(&t, in_text, false), in_c);
    /* Text without room is dropped, and the length is that of the whole. */
    char little[10];
    size_t length;
    CHECK_RESULT(kith_query_explain(t.query, false, little, sizeof little, &length), KITH_OK);
    CHECK_STR(little, "plan: has");
    CHECK_UINT(length, strlen(in_c));
    CHECK_RESULT(kith_query_explain(t.query, false, NULL, 0, NULL), KITH_OK);
    length = 0;
    CHECK_RESULT(kith_query_explain(t.query, false, NULL, 0, &length), KITH_OK);
    CHECK_UINT(length, strlen(in_c));
    for (size_t size = 1; size < sizeof(in_c); size++) {
        char some[701];
        memset(some, '~', sizeof(some));
        CHECK_RESULT(kith_query_explain(t.query, false, some, size, &length), KITH_OK);
        CHECK_UINT(strlen(some), length < size ? length : size - 1);
        CHECK(strncmp(some, in_c, strlen(some)) == 0 && some[size] == '~');
    }
    kith_index_free(t.index);
    CHECK_CONTAINS(explain(&t, t.query, true), "why: no index serves the conditions\nmet: 2 of");
    CHECK_WORLD(t.world);
    fixture_free(&t.f);
}

TEST(a_scan_tells_why)
{
    static explained t;
    explained_new(&t, KITH_TABLE, KITH_INDEX_ORDERED);
    CHECK_CONTAINS(explain(&t, KITH_QUERY(t.world, KITH_READ(Health)), false),
                   "plan: scan\nrows: 20000, in tables\nwhy: no condition is about a value");
    CHECK_CONTAINS(explain(&t, KITH_QUERY(t.world, KITH_IF(Health, max, ==, 1)), true),
                   "why: no index serves the conditions\nmet: 1 of 20000 rows asked, in ");
    kith_query *most = KITH_QUERY(t.world, KITH_IF(Health, current, >, 500));
    CHECK_UINT(kith_query_count(most), 20000 - 2 * 501);
    CHECK_CONTAINS(explain(&t, most, false),
                   "plan: scan\nrows: 20000, in tables\nwhy: ordered index"
                   " of Health (current) has about 27 of them or more");
    kith_query *few = KITH_QUERY(t.world, KITH_WITH(Frozen), KITH_IF(Health, current, ==, 5));
    CHECK_CONTAINS(explain(&t, few, false), "why: so few rows are asked faster than an index");
    CHECK_RESULT(kith_query_explain(KITH_QUERY(t.world, KITH_IF(Health, max, ==, kith_bound("x"))),
                                    false, NULL, 0, NULL),
                 KITH_ERR_INPUT);
    fixture_free(&t.f);
}

/* Where all is written again and again, the index is brought up to date once in a while. */
TEST_EACH_LAYOUT(an_index_that_is_behind_is_left_until_scans_have_paid_for_it, layout)
{
    static explained t;
    explained_new(&t, layout, KITH_INDEX_HASH);
    kith_query *writer = KITH_QUERY(t.world, KITH_WRITE(Health));
    CHECK_UINT(kith_query_count(t.query), 2);
    uint64_t refreshes = kith_index_stats(t.index).refreshes;
    CHECK_UINT(refreshes, 1);
    for (int tick = 0; tick < 300; tick++) {
        for (kith_iter it = kith_query_iter(writer); kith_next(&it);) {
            KITH_COLUMN_MUT(&it, Health)[0].max++;
        }
        CHECK_UINT(kith_query_count(t.query), 2);
    }
    refreshes = kith_index_stats(t.index).refreshes;
    CHECK(refreshes >= 2 && refreshes <= 10);
    for (kith_iter it = kith_query_iter(writer); kith_next(&it);) {
        KITH_COLUMN_MUT(&it, Health)[0].max++;
    }
    CHECK_CONTAINS(explain(&t, t.query, false), "why: hash of Health (current) has to look at about"
                                                " 20000 rows first");
    for (int times = 0; times < 200; times++) {
        CHECK_UINT(kith_query_count(t.query), 2);
    }
    CHECK_CONTAINS(explain(&t, t.query, false), "plan: hash of Health (current)");
    /* A single value is looked at at once. */
    CHECK(strstr(t.text, "looked at") == NULL);
    CHECK_RESULT(KITH_SET(t.world, t.entities[3], Health, {77, 0}), KITH_OK);
    CHECK_CONTAINS(explain(&t, t.query, false), "all takes longer, also after it has looked at");
    CHECK_CONTAINS(explain(&t, t.query, true), "plan: hash of Health (current)");
    CHECK_CONTAINS(t.text, "\nmet: 3 of 3 rows asked");
    fixture_free(&t.f);
}

/* Whatever fails, what is counted is right: without the index, if need be. */
TEST_EACH_LAYOUT(without_memory_all_rows_are_asked, layout)
{
    static explained t;
    explained_new(&t, layout, KITH_INDEX_ORDERED);
    for (size_t nth = 1;; nth++) {
        kith_entity entity = t.entities[10100 + nth];
        CHECK_RESULT(KITH_SET(t.world, entity, Health, {5, 0}), KITH_OK);
        uint32_t count = 2 + (uint32_t)nth;
        fail_allocation(&t.f, nth);
        uint32_t met = kith_query_count(t.query);
        kith_query_bind(t.query, "number", 5);
        uint32_t fives = kith_query_count(t.query);
        uint32_t looped = 0;
        kith_iter it = kith_query_iter(t.query);
        while (kith_next(&it)) {
            looped += it.count;
        }
        bool reached = fail_nothing(&t.f);
        CHECK(it.result == KITH_OK ? looped == count : it.result == KITH_ERR_MEMORY && reached);
        CHECK_UINT(met, 2);
        CHECK_UINT(fives, count);
        CHECK_WORLD(t.world);
        kith_query_bind(t.query, "number", 77);
        kith_index_free(t.index);
        CHECK_RESULT(kith_index_new(t.world,
                                    &(kith_index_def){.kind = KITH_INDEX_ORDERED,
                                                      KITH_FIELDS(Health, current)},
                                    &t.index),
                     KITH_OK);
        if (!reached) {
            CHECK(nth > 4);
            break;
        }
    }
    CHECK_CONTAINS(explain(&t, t.query, true), "plan: ordered index of Health (current)");
    fixture_free(&t.f);
}

/* The first condition tells what a row costs: there is less to gain where values are compared by masks,
 * 64 at a time. */
TEST_EACH_LAYOUT(an_index_is_worth_more_where_a_row_costs_more, layout)
{
    static explained t;
    explained_new(&t, layout, KITH_INDEX_ORDERED);
    CHECK_RESULT(kith_register(t.world, &Seen_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    for (int32_t i = 0; i < EXPLAINED; i++) {
        CHECK_RESULT(KITH_SET(t.world, t.entities[i], Seen, {i}), KITH_OK);
    }
    const kith_term *const lists[] = {
        KITH_TERMS(KITH_IF(Health, current, <, 20)),
        KITH_TERMS(KITH_IF_ALL(KITH_IF(Health, current, <, 20))),
        KITH_TERMS(KITH_IF_ANY(KITH_IF(Health, max, >=, 0)), KITH_IF(Health, current, <, 20)),
        KITH_TERMS(KITH_IF_NOT(KITH_IF(Health, max, <, 0)), KITH_IF(Health, current, <, 20)),
        KITH_TERMS(KITH_WITH(Seen), KITH_IF(Health, current, <, 20)),
        KITH_TERMS(KITH_IF(Seen, number, >=, 0), KITH_IF(Health, current, <, 20)),
        KITH_TERMS(KITH_IF(Health, max, ==, KITH_ITS(Seen, number)),
                   KITH_IF(Health, current, <, 20)),
    };
    for (size_t i = 0; test_row(i, ROWS_OF(lists)); i++) {
        for (int driver = 0; driver < 2; driver++) {
            kith_query *query;
            const kith_query_def def = {.terms = lists[i],
                                        .driver = i < 4         ? NULL
                                                  : driver == 0 ? &Health_type
                                                                : &Seen_type};
            CHECK_RESULT(kith_query_new(t.world, &def, &query), KITH_OK);
            CHECK_UINT(kith_query_count(query), 40);
            /* Of another sparse set than that which drives, values are found one by one. */
            bool first_is_seen = i == 5;
            bool masks =
                i != 6 && (layout != KITH_SPARSE || i < 4 || first_is_seen == (driver == 1));
            CHECK_CONTAINS(explain(&t, query, false),
                           masks ? "why: ordered index of Health (current) has about 27 of them"
                                 : "plan: ordered index of Health (current)\nrows: about 40 of");
            kith_query_free(query);
        }
    }
    fixture_free(&t.f);
}

/* Of several indexes that of which the fewest rows are to be asked is taken, whichever was made first,
 * and whichever component it is of. */
TEST_EACH_LAYOUT(the_best_of_several_indexes_is_used, layout)
{
    static explained t;
    static const char *const names[] = {"plan: ordered index of Seen (number)\n",
                                        "plan: hash of Health (max)\n",
                                        "plan: ordered index of Health (current)\n"};
    explained_new(&t, layout, KITH_INDEX_ORDERED);
    CHECK_RESULT(kith_register(t.world, &Seen_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    for (int32_t i = 0; i < EXPLAINED; i++) {
        CHECK_RESULT(KITH_SET(t.world, t.entities[i], Seen, {i / 3}), KITH_OK);
    }
    for (uint32_t order = 0; order < 2; order++) {
        const kith_index_def defs[] = {
            {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Seen, number)},
            {.kind = KITH_INDEX_HASH, KITH_FIELDS(Health, max)},
        };
        kith_index *made[2];
        for (uint32_t i = 0; i < 2; i++) {
            CHECK_RESULT(kith_index_new(t.world, &defs[(i + order) % 2], &made[i]), KITH_OK);
        }
        kith_query *by_seen =
            KITH_QUERY(t.world, KITH_IF(Health, current, <, 10), KITH_IF(Seen, number, ==, 2));
        kith_query *by_max =
            KITH_QUERY(t.world, KITH_IF(Seen, number, ==, 2), KITH_IF(Health, current, <, 10),
                       KITH_IF(Health, max, ==, 7));
        kith_query *by_current =
            KITH_QUERY(t.world, KITH_IF(Seen, number, <, 4), KITH_IF(Health, current, ==, 7));
        kith_query *const queries[] = {by_seen, by_max, by_current};
        static const uint32_t counts[] = {3, 1, 1};
        for (size_t i = 0; test_row(i, ROWS_OF(queries)); i++) {
            CHECK_UINT(kith_query_count(queries[i]), counts[i]);
            CHECK_CONTAINS(explain(&t, queries[i], false), names[i]);
            kith_query_free(queries[i]);
        }
        kith_index_free(made[0]);
        kith_index_free(made[1]);
    }
    fixture_free(&t.f);
}

/* What was planned, and was not to be had. */
TEST_EACH_LAYOUT(an_explanation_tells_that_memory_ran_out, layout)
{
    static explained t;
    explained_new(&t, layout, KITH_INDEX_HASH);
    kith_query_free(t.query);
    t.query = KITH_QUERY(t.world, KITH_IF(Health, current, ==, 77));
    uint32_t told = 0;
    for (size_t nth = 1; nth < 12; nth++) {
        kith_index_free(t.index);
        CHECK_RESULT(
            kith_index_new(t.world,
                           &(kith_index_def){.kind = KITH_INDEX_HASH, KITH_FIELDS(Health, current)},
                           &t.index),
            KITH_OK);
        fail_from(&t.f, nth);
        explain(&t, t.query, true);
        bool reached = fail_nothing(&t.f);
        CHECK_CONTAINS(t.text, "\nmet: 2 of ");
        if (strstr(t.text, "plan: scan\n") != NULL) {
            CHECK(reached);
            CHECK_CONTAINS(t.text, "\nmet: 2 of 20000 rows asked");
            told +=
                strstr(t.text, "why: hash of Health (current) was not brought up to date: memory"
                               " ran out\n") != NULL;
        } else {
            CHECK_CONTAINS(t.text, "\nmet: 2 of 2 rows asked");
        }
        CHECK_WORLD(t.world);
    }
    CHECK(told >= 2);
    fixture_free(&t.f);
}

/* A loop goes on when its index is freed, and when it writes what it asked for. */
TEST_EACH_LAYOUT(a_loop_keeps_what_it_found, layout)
{
    static explained t;
    explained_new(&t, layout, KITH_INDEX_HASH);
    kith_query *writer =
        KITH_QUERY(t.world, KITH_WRITE(Health), KITH_IF(Health, current, ==, kith_bound("number")));
    kith_query_bind(writer, "number", 77);
    uint32_t met = 0;
    for (kith_iter it = kith_query_iter(writer); kith_next(&it); met++) {
        CHECK_UINT(it.count, 1);
        CHECK_UINT(kith_query_count(t.query), 2 - met);
        KITH_COLUMN_MUT(&it, Health)->current = 78;
        CHECK_UINT(kith_query_count(t.query), 1 - met); /* it is seen while the loop is open */
        if (met == 0) {
            CHECK_RESULT(kith_index_new(t.world,
                                        &(kith_index_def){.kind = KITH_INDEX_ORDERED,
                                                          KITH_FIELDS(Health, current)},
                                        &t.index),
                         KITH_OK);
        } else {
            kith_index_free(t.index);
        }
    }
    CHECK_UINT(met, 2);
    kith_query_bind(t.query, "number", 78);
    CHECK_UINT(kith_query_count(t.query), 4);
    fixture_free(&t.f);
}

/* Entities with a NaN in a field are not in an index: one of several fields serves only queries that
 * ask for those too. */
TEST_EACH_LAYOUT(an_index_that_lacks_entities_is_not_used, layout)
{
    static explained t;
    explained_new(&t, layout, KITH_INDEX_HASH);
    for (int32_t i = 0; i < EXPLAINED; i++) {
        CHECK_RESULT(KITH_SET(t.world, t.entities[i], Position,
                              {(float)(i % 5000), i % 2 == 0 ? NAN : (float)(i % 7)}),
                     KITH_OK);
    }
    kith_index *both;
    CHECK_RESULT(
        kith_index_new(t.world,
                       &(kith_index_def){.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Position, x, y)},
                       &both),
        KITH_OK);
    kith_query *x = KITH_QUERY(t.world, KITH_IF(Position, x, ==, 44));
    CHECK_UINT(kith_query_count(x), 4);
    CHECK_CONTAINS(explain(&t, x, false), "plan: scan");
    kith_query *xy = KITH_QUERY(t.world, KITH_IF(Position, x, ==, 45), KITH_IF(Position, y, >=, 1));
    CHECK_UINT(kith_query_count(xy),
               4 - (45 % 7 == 0) - (5045 % 7 == 0) - (10045 % 7 == 0) - (15045 % 7 == 0));
    CHECK_CONTAINS(explain(&t, xy, false), "plan: ordered index of Position (x, y)");
    fixture_free(&t.f);
}

/* A bool is any byte. */
KITH_COMPONENT(Flag, (bool, set), (uint32_t, number));

TEST(a_bool_that_is_no_bool_is_true)
{
    fixture f = fixture_new();
    const unsigned char two = 2;
    for (uint32_t i = 0; i < 3000; i++) {
        kith_entity entity = KITH_SPAWN(f.world, KITH_VALUE(Flag, {false, i}));
        if (i % 1000 == 0) {
            memcpy(&KITH_GET_MUT(f.world, entity, Flag)->set, &two, 1);
        }
    }
    kith_index *index;
    CHECK_RESULT(kith_index_new(f.world,
                                &(kith_index_def){.kind = KITH_INDEX_HASH, KITH_FIELDS(Flag, set)},
                                &index),
                 KITH_OK);
    CHECK_UINT(kith_query_count(KITH_QUERY(f.world, KITH_IF(Flag, set, ==, true))), 3);
    fixture_free(&f);
}

TEST(an_explanation_needs_a_query_and_room)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Health));
    CHECK_RESULT(kith_query_explain(query, false, NULL, 5, NULL), KITH_ERR_MISUSE);
    expect_misuse(&f, "kith_query_explain: the room for the text is NULL");
    fixture_free(&f);
}

/* A selection in text explains with the same words. */
static void expect_rows(explained *t, const char *text, const char *plan, uint32_t lines)
{
    kith_select *select;
    CHECK_RESULT(kith_select_new(t->world, text, NULL, &select), KITH_OK);
    CHECK_RESULT(kith_select_bind(select, "number", 77), KITH_OK);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_UINT(kith_select_row_count(select), lines);
    CHECK_UINT(kith_select_column_count(select), 1);
    CHECK_STR(kith_select_column(select, 0)->name, "plan");
    char all[700] = "";
    for (uint32_t row = 0; row < lines; row++) {
        strcat(strcat(all, row == 0 ? "" : "\n"), kith_select_value(select, row, 0));
    }
    all[strlen(plan)] = '\0';
    CHECK_STR(all, plan);
    kith_select_free(select);
}

TEST_EACH_LAYOUT(a_selection_explains_itself, layout)
{
    static explained t;
    explained_new(&t, layout, KITH_INDEX_HASH);
    CHECK_UINT(kith_query_count(t.query), 2);
    expect_rows(&t, "explain Health where Health.current = $number", explain(&t, t.query, false),
                3);
    expect_rows(&t,
                "explain analyze Health where Health.current = $number group by Health.max select"
                " Health.max, count order by count limit 1",
                t.text, 4);
    kith_text_error error;
    CHECK_PTR_NULL(kith_query_text(t.world, "explain Health", &error));
    CHECK_UINT(error.column, 1);
    CHECK_CONTAINS(error.message, "only a selection (kith_select_new) explains one");
    char tidy[100];
    CHECK_RESULT(kith_query_text_tidy(t.world, "explain  analyze *  where Health.max=1", tidy,
                                      sizeof tidy, NULL, NULL),
                 KITH_OK);
    CHECK_STR(tidy, "explain analyze * where Health.max = 1");
    fixture_free(&t.f);
}

KITH_TAG(analyze);

/* The word is a component's name where no query follows. */
TEST(components_may_be_called_as_the_words)
{
    fixture f = fixture_with_all(KITH_TABLE);
    KITH_SPAWN(f.world, KITH_VALUE(analyze));
    kith_select *select;
    CHECK_RESULT(kith_select_new(f.world, "explain analyze", NULL, &select), KITH_OK);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_UINT(kith_select_row_count(select), 3);
    kith_query *query = kith_query_text(f.world, "analyze where has(analyze)", NULL);
    CHECK_UINT(kith_query_count(query), 1);
    fixture_free(&f);
}
