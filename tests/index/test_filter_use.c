/* Filters: when they are used and what they cost, what is told of them, and what goes wrong. */
#include <math.h>
#include <stdio.h>

#include "filtered.h"

static const char *explain(kith_query *query, bool analyze)
{
    static char text[700];
    CHECK_RESULT(kith_query_explain(query, analyze, text, sizeof(text), NULL), KITH_OK);
    return text;
}

static kith_query *text_query(const filtered *t, const char *text)
{
    kith_query *query = kith_query_text(t->world, text, NULL);
    CHECK_PTR_NOT_NULL(query);
    return query;
}

/* ---- Which conditions it serves -------------------------------------------------------------- */

typedef struct served {
    const char *condition;
    bool planned; /* blocks are skipped */
} served;

static const served conditions[] = {
    {"Crate.number = 7", true},
    {"Crate.number = 7 and Crate.weight >= 300", true},
    {"Crate.number < 7", true},
    {"Crate.number <= 7", true},
    {"Crate.number > 95", true},
    {"Crate.number >= 95", true},
    {"Crate.number > -1", false}, /* all */
    {"Crate.number < -1", true},  /* nobody */
    {"Crate.number in (3, 70)", true},
    {"Crate.number in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18)", true},
    {"Crate.number in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 99)", false},
    {"(Crate.number = 3 or Crate.number = 70)", true},
    {"(Crate.number = 3 or Crate.number < 2)", false}, /* no list of values */
    {"Crate.number != 7", false},
    {"not Crate.number = 7", false},
    {"Crate.color = 3", true},
    {"Crate.color > 3 and Crate.color < 5", true},
    {"Crate.color = 200", true},
    {"Crate.open = true", true},
    {"Crate.open = false", false},
    {"Crate.label = 'crate 123'", true},
    {"Crate.label = 'crate 12345678'", true},
    {"Crate.label = 'a text that is longer than the field'", true},
    {"Crate.label = ''", true},
    {"Crate.label prefix 'crate 12'", true},
    {"Crate.label prefix 'crate 123'", true}, /* more than is kept in order */
    {"Crate.label prefix 'cra'", true},
    {"Crate.label prefix ''", false},
    {"Crate.label prefix 'x'", true},
    {"Crate.label prefix 'z'", true},
    {"Crate.label contains '123'", false},
    {"Crate.weight < 100", true},
    {"Crate.weight = 0", true},
    {"Crate.weight >= 3999", true},
    {"Crate.weight > 4000", true},
};

TEST_EACH_LAYOUT(conditions_of_all_shapes_are_served, layout)
{
    static filtered t;
    filtered_new_with(&t, layout, NULL);
    for (uint32_t i = 0; i < CRATES; i++) {
        Crate *crate = KITH_GET_MUT(t.world, t.entities[i], Crate);
        /* A block of texts has bytes that are no letters of ASCII. */
        snprintf(crate->label, sizeof(crate->label),
                 i / CRATE_ROWS == 20 ? "z\xff\xfe %u" : "crate %u", i);
        crate->weight = i == 100 ? -0.0f : i % CRATE_ROWS == 50 ? NAN : (float)i;
        memset(&crate->open, i == 1000 ? 77 : 0, 1); /* any byte but 0 is true */
    }
    for (int several = 0; several < 2; several++) {
        for (size_t i = 0; test_row(i, ROWS_OF(conditions)); i++) {
            char text[200];
            snprintf(text, sizeof(text), "Crate where %s", conditions[i].condition);
            kith_query *query = text_query(&t, text);
            const uint64_t scanned = ask_all_ways(query);
            kith_index_def def = {.kind = KITH_INDEX_FILTER,
                                  KITH_FIELDS(Crate, number, color, open, label, weight)};
            if (several == 0) {
                memset(def.fields, 0, sizeof(def.fields));
                def.fields[0] = strncmp(conditions[i].condition, "Crate.n", 7) == 0    ? "number"
                                : strncmp(conditions[i].condition, "(Crate.n", 8) == 0 ? "number"
                                : strncmp(conditions[i].condition, "Crate.c", 7) == 0  ? "color"
                                : strncmp(conditions[i].condition, "Crate.o", 7) == 0  ? "open"
                                : strncmp(conditions[i].condition, "Crate.l", 7) == 0  ? "label"
                                                                                       : "weight";
            }
            kith_index *index = new_filter(t.world, &def);
            CHECK(ask_all_ways(query) == scanned);
            CHECK_UINT(is_planned(query), conditions[i].planned);
            kith_index_free(index);
            kith_query_free(query);
        }
    }
    fixture_free(&t.f);
}

/* ---- What it does ---------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(blocks_are_skipped, layout)
{
    static filtered t;
    filtered_new(&t, layout);
    CHECK_RESULT(kith_query_bind(t.query, "number", 7), KITH_OK);
    CHECK_UINT(kith_query_count(t.query), 40);
    CHECK_CONTAINS(
        explain(t.query, false),
        layout == KITH_SPARSE  ? "plan: filter of Crate (number), which skips blocks\nrows:"
                                 " about 64 of 4000, in the sparse set of Crate\nwhy:"
                                 " asking all takes longer"
        : layout == KITH_TABLE ? "plan: filter of Crate (number), which skips blocks\nrows:"
                                 " about 64 of 4000, in tables\nwhy: asking all takes"
                                 " longer"
                               : "plan: filter of Crate (number), which skips blocks\nrows:"
                                 " about 64 of 4000, in the slots of Crate\nwhy: asking"
                                 " all takes longer");
    CHECK_CONTAINS(explain(t.query, true), "\nmet: 40 of about 64 rows asked, in ");
    /* Each block has one of these. */
    for (uint32_t i = 0; i < CRATES; i += CRATE_ROWS) {
        CHECK_RESULT(KITH_SET(t.world, t.entities[i], Crate, {.number = 7}), KITH_OK);
    }
    for (uint32_t times = 0; times < 300; times++) {
        CHECK(kith_query_count(t.query) > 40);
    }
    CHECK_CONTAINS(explain(t.query, false), "why: filter of Crate (number) leaves about 4000 of "
                                            "them, which is not faster than asking all");
    CHECK_CONTAINS(explain(t.query, true), " of 4000 rows asked, in ");
    fixture_free(&t.f);
}

/* What was written costs a look at its blocks, and what was set a look at each. */
TEST_EACH_LAYOUT(it_looks_at_what_was_written, layout)
{
    static filtered t;
    filtered_new(&t, layout);
    CHECK_UINT(kith_query_count(t.query), 40);
    kith_index_counts before = kith_index_stats(t.index);
    CHECK_UINT(before.entries, CRATES);
    CHECK(before.bytes > 0 && before.bytes < CRATES * 5);
    CHECK_UINT(before.refreshes, 1);
    CHECK_UINT(before.rows_compared, CRATES);
    CHECK_UINT(kith_query_count(t.query), 40);
    CHECK_UINT(kith_index_stats(t.index).refreshes, 1);
    /* A hundredth of all, together: in two blocks. */
    for (uint32_t i = 1000; i < 1040; i++) {
        KITH_GET_MUT(t.world, t.entities[i], Crate)->number = 77;
    }
    CHECK_UINT(kith_query_count(t.query), 40);
    CHECK_UINT(kith_index_stats(t.index).refreshes, 2);
    CHECK_UINT(kith_index_stats(t.index).rows_compared, CRATES + 2 * CRATE_ROWS);
    CHECK_RESULT(KITH_SET(t.world, t.entities[3000], Crate, {.number = 1}), KITH_OK);
    CHECK_RESULT(KITH_SET(t.world, t.entities[2000], Crate, {.number = 1}), KITH_OK);
    CHECK_UINT(kith_query_count(t.query), 40);
    CHECK_UINT(kith_index_stats(t.index).rows_compared, CRATES + 2 * CRATE_ROWS + 2);
    /* Something else was written: it has to look whether this was. */
    CHECK_RESULT(KITH_SET(t.world, t.entities[9], Position, {1, 1}), KITH_OK);
    CHECK_UINT(kith_query_count(t.query), 40);
    CHECK_WORLD(t.world);
    fixture_free(&t.f);
}

/* Values that were set one by one are added to what was there. That is forgotten once they are many. */
TEST_EACH_LAYOUT(what_was_set_again_and_again_is_forgotten, layout)
{
    static filtered t;
    filtered_new(&t, layout);
    CHECK_UINT(kith_query_count(t.query), 40);
    for (int32_t number = 1000; number < 3000; number++) {
        CHECK_RESULT(KITH_SET(t.world, t.entities[100], Crate, {.number = number}), KITH_OK);
        CHECK_UINT(expect_number(&t, number), 1);
        CHECK_UINT(expect_number(&t, number - 1), number == 1000 ? 0 : 1 - 1);
    }
    CHECK(kith_index_stats(t.index).rows_compared >= CRATES + 2000 + 64 * 100);
    /* What was there long ago is nowhere. */
    CHECK_RESULT(kith_query_bind(t.query, "number", 1500), KITH_OK);
    CHECK_CONTAINS(explain(t.query, false), "rows: about 0 of 4000");
    CHECK_WORLD(t.world);
    fixture_free(&t.f);
}

/* One that could do nothing, when it was up to date, is looked at again once in a while. */
TEST_EACH_LAYOUT(a_filter_may_be_of_use_later, layout)
{
    static filtered t;
    filtered_new_with(&t, layout, NULL);
    for (uint32_t i = 0; i < CRATES; i++) {
        KITH_GET_MUT(t.world, t.entities[i], Crate)->number = (int32_t)(i % 10);
    }
    t.index = new_filter(t.world, &numbers_filter);
    CHECK_UINT(expect_number(&t, 7), 400);
    CHECK(!is_planned(t.query));
    for (uint32_t i = 0; i < CRATES; i++) {
        KITH_GET_MUT(t.world, t.entities[i], Crate)->number = (int32_t)(i / 40);
    }
    CHECK_UINT(kith_index_stats(t.index).refreshes, 1);
    uint32_t times = 0;
    while (times < 1000 && !is_planned(t.query)) {
        CHECK_UINT(kith_query_count(t.query), 40);
        times++;
    }
    CHECK(times > 20 && times < 1000);
    CHECK_UINT(kith_index_stats(t.index).refreshes, 2);
    /* Nothing is written any more: no looks. */
    CHECK_UINT(kith_query_count(t.query), 40);
    CHECK_UINT(kith_index_stats(t.index).refreshes, 2);
    expect_all_numbers(&t);
    fixture_free(&t.f);
}

/* Where values are everywhere and written all the time, it is left alone most of the time. */
TEST_EACH_LAYOUT(a_useless_filter_is_left_alone, layout)
{
    static filtered t;
    filtered_new_with(&t, layout, NULL);
    for (uint32_t i = 0; i < CRATES; i++) {
        KITH_GET_MUT(t.world, t.entities[i], Crate)->number = (int32_t)(i % 10);
    }
    t.index = new_filter(t.world, &numbers_filter);
    kith_query *writer = KITH_QUERY(t.world, KITH_WRITE(Crate));
    CHECK_RESULT(kith_query_bind(t.query, "number", 7), KITH_OK);
    for (uint32_t turn = 0; turn < 1000; turn++) {
        for (kith_iter it = kith_query_iter(writer); kith_next(&it);) {
            KITH_COLUMN_MUT(&it, Crate)[0].color++;
        }
        CHECK_UINT(kith_query_count(t.query), 400);
    }
    const uint64_t refreshes = kith_index_stats(t.index).refreshes;
    CHECK(refreshes >= 2 && refreshes < 1000 / 20);
    fixture_free(&t.f);
}

/* The one that leaves least is taken. */
TEST_EACH_LAYOUT(the_better_of_two_is_taken, layout)
{
    static filtered t;
    filtered_new(&t, layout);
    new_filter(t.world, &(kith_index_def){.kind = KITH_INDEX_FILTER, KITH_FIELDS(Crate, color)});
    kith_query *query = text_query(&t, "Crate where Crate.color < 5 and Crate.number = 9");
    CHECK_UINT(kith_query_count(query), 40);
    CHECK_CONTAINS(explain(query, false), "plan: filter of Crate (number)");
    kith_query *other = text_query(&t, "Crate where Crate.color = 5 and Crate.number > 9");
    CHECK_UINT(kith_query_count(other), 400);
    CHECK_CONTAINS(explain(other, false), "plan: filter of Crate (color)");
    /* A hash names less. */
    new_filter(t.world, &(kith_index_def){.kind = KITH_INDEX_HASH, KITH_FIELDS(Crate, weight)});
    kith_query *one = text_query(&t, "Crate where Crate.weight = 77 and Crate.color = 0");
    CHECK_UINT(kith_query_count(one), 1);
    CHECK_UINT(kith_query_count(one), 1);
    fixture_free(&t.f);
}

/* Where a storage has few rows, asking the filter about it takes longer than asking them. */
TEST(little_tables_are_not_worth_asking)
{
    static filtered t;
    filtered_new_with(&t, KITH_TABLE, NULL);
    static const kith_type *const types[] = {&Position_type, &Velocity_type, &Health_type,
                                             &Extra_type,    &Byte_type,     &Padded_type};
    for (uint32_t i = 0; i < CRATES; i++) {
        for (uint32_t k = 0; k < ROWS_OF(types); k++) {
            if ((i >> k & 1) != 0) {
                CHECK_RESULT(kith_add(t.world, t.entities[i], types[k]), KITH_OK);
            }
        }
    }
    uint32_t expected;
    const uint64_t looped = loop_for(&t, 7, &expected);
    t.index = new_filter(t.world, &numbers_filter);
    CHECK_RESULT(kith_query_bind(t.query, "number", 7), KITH_OK);
    uint32_t count;
    CHECK(query_for(t.query, false, &count) == looped);
    CHECK_CONTAINS(explain(t.query, false), "why: filter of Crate (number) leaves about ");
    /* Values that take long to ask are worth it. */
    kith_query *named = text_query(&t, "Crate where Crate.label != 'x' and Crate.number = 7");
    CHECK(query_for(named, false, &count) == looped);
    CHECK(is_planned(named));
    CHECK(query_for(named, true, &count) == looped);
    CHECK_UINT(count, 40);
    fixture_free(&t.f);
}

/* Another storage drives the loop: its rows are not those that the filter knows of. */
TEST_EACH_LAYOUT(only_its_own_rows_are_skipped, layout)
{
    static filtered t;
    filtered_new(&t, layout);
    const kith_layout other = layout == KITH_SPARSE ? KITH_TABLE : KITH_SPARSE;
    KITH_COMPONENT(Lid, (int32_t, color));
    CHECK_RESULT(kith_register(t.world, &Lid_type, &(kith_component_def){.layout = other}),
                 KITH_OK);
    for (uint32_t i = 0; i < 900; i++) {
        CHECK_RESULT(KITH_SET(t.world, t.entities[CRATES - 1 - i], Lid, {1}), KITH_OK);
    }
    kith_query *query = text_query(&t, "Crate, Lid where Crate.number = 90");
    CHECK_UINT(kith_query_count(query), 40);
    CHECK_UINT(kith_query_count(query), 40);
    CHECK(!is_planned(query));
    CHECK_CONTAINS(explain(query, false), "why: no index serves the conditions");
    fixture_free(&t.f);
}

static void look_at_crates(kith_iter *it)
{
    while (kith_next(it)) {
        CHECK_PTR_NOT_NULL(KITH_COLUMN(it, Crate));
    }
}

/* A system that declares it brings it up to date; its loop is a scan. */
TEST_EACH_LAYOUT(systems_may_declare_it, layout)
{
    static filtered t;
    filtered_new(&t, layout);
    KITH_SYSTEM(t.world, look_at_crates, KITH_READ(Crate), .indexes = KITH_INDEXES(t.index));
    CHECK_RESULT(kith_run(t.world, 1), KITH_OK);
    CHECK_UINT(kith_index_stats(t.index).entries, CRATES);
    KITH_GET_MUT(t.world, t.entities[9], Crate)->number = 300;
    CHECK_RESULT(kith_run(t.world, 1), KITH_OK);
    const uint64_t refreshes = kith_index_stats(t.index).refreshes;
    CHECK_UINT(expect_number(&t, 300), 1);
    CHECK_UINT(kith_index_stats(t.index).refreshes, refreshes);
    fixture_free(&t.f);
}

/* ---- What goes wrong ------------------------------------------------------------------------- */

/* The loop goes on without it. */
TEST_EACH_LAYOUT(it_may_be_freed_while_a_loop_uses_it, layout)
{
    static filtered t;
    filtered_new_with(&t, layout, NULL);
    kith_query *query = text_query(&t, "Crate where Crate.number in (5, 40, 41, 95)");
    uint32_t expected;
    const uint64_t scanned = query_for(query, false, &expected);
    for (uint32_t way = 0; way < 4; way++) {
        t.index = new_filter(t.world, &numbers_filter);
        uint64_t hash = 1;
        uint32_t count = 0;
        kith_iter it = kith_query_iter(query);
        CHECK(is_planned(query));
        while (way % 2 == 0 ? kith_next(&it) : kith_next_rows(&it)) {
            for (uint32_t i = 0; i < it.count; i++) {
                hash = fold(hash, kith_entities(&it)[i].index1);
                count++;
            }
            kith_index_free(t.index);
            t.index = NULL;
            if (way >= 2) {
                t.index = new_filter(t.world, &numbers_filter);
                CHECK_UINT(kith_query_count(query), expected);
            }
        }
        CHECK_UINT(count, expected);
        CHECK(hash == scanned);
        kith_index_free(t.index);
        CHECK_WORLD(t.world);
    }
    fixture_free(&t.f);
}

/* Questions within a loop bring the filter up to date, and the loop goes on with it. */
TEST_EACH_LAYOUT(questions_within_a_loop_look_at_what_was_written, layout)
{
    static filtered t;
    filtered_new(&t, layout);
    kith_query *query = text_query(&t, "Crate where Crate.number in (5, 40, 41, 95)");
    CHECK_UINT(kith_query_count(query), 160);
    uint32_t count = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        count += it.count;
        CHECK_RESULT(KITH_SET(t.world, t.entities[9], Crate, {.number = (int32_t)count}), KITH_OK);
        KITH_GET_MUT(t.world, t.entities[70], Crate)->number = (int32_t)count;
        CHECK(expect_number(&t, (int32_t)count) >= 2);
        CHECK_WORLD(t.world);
    }
    CHECK_UINT(count, 160);
    expect_all_numbers(&t);
    fixture_free(&t.f);
}

/* Whatever cannot be had, the answers are right, and later it is used. */
TEST_EACH_LAYOUT(memory_runs_out, layout)
{
    static filtered t;
    filtered_new_with(&t, layout, NULL);
    CHECK_RESULT(kith_query_bind(t.query, "number", 7), KITH_OK);
    bool reached = true;
    for (size_t nth = 1; reached; nth++) {
        fail_allocation(&t.f, nth);
        kith_index *index = NULL;
        kith_result result = kith_index_new(t.world, &numbers_filter, &index);
        CHECK_INT(index != NULL, result == KITH_OK);
        CHECK_UINT(kith_query_count(t.query), 40);
        reached = fail_nothing(&t.f);
        CHECK_WORLD(t.world);
        CHECK_UINT(kith_query_count(t.query), 40);
        CHECK_WORLD(t.world);
        kith_index_free(index);
    }
    /* New blocks, for which there is no memory. */
    t.index = new_filter(t.world, &numbers_filter);
    CHECK_UINT(kith_query_count(t.query), 40);
    for (uint32_t i = 0; i < 300; i++) {
        KITH_SPAWN(t.world, KITH_VALUE(Crate, {.number = 7}));
    }
    fail_from(&t.f, 1);
    CHECK_UINT(kith_query_count(t.query), 340);
    fail_nothing(&t.f);
    CHECK_WORLD(t.world);
    expect_number(&t, 7);
    fixture_free(&t.f);
}

static bool no_key(const void *value, void *key, void *user)
{
    (void)value, (void)key, (void)user;
    return false;
}

TEST(a_definition_may_be_wrong)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_index *index = NULL;
    kith_index_def def = {.kind = KITH_INDEX_FILTER, KITH_FIELDS(Big, words)};
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "a filter takes single numbers, bools, enums, entities and"
                                        " texts, and Big.words is none");
    def = (kith_index_def){.kind = KITH_INDEX_FILTER, .type = &Health_type};
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "names no field");
    def = (kith_index_def){.kind = KITH_INDEX_FILTER, .type = &Health_type, .fields = {"none"}};
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_UNKNOWN);
    def = (kith_index_def){
        .kind = KITH_INDEX_FILTER, KITH_FIELDS(Health, current), .of = &Health_type, .key = no_key};
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "about fields of Health: it is not by a function");
    CHECK_PTR_NULL(index);
    fixture_free(&f);
}
