/* Queries are made, refused, kept and freed. */
#include <kith/kith.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "test.h"

static void check_refused(fixture *f, const kith_query_def *def, kith_result expected,
                          const char *part)
{
    const uint64_t before = kith_world_hash(f->world);
    const size_t used = kith_memory(f->world).used;
    int sentinel;
    kith_query *query = (kith_query *)(void *)&sentinel;
    CHECK_RESULT(kith_query_new(f->world, def, &query), expected);
    CHECK((void *)query == (void *)&sentinel);
    CHECK_CONTAINS(kith_error(f->world), part);
    CHECK_CONTAINS(kith_error(f->world), "kith_query_new");
    CHECK_PTR_NULL(kith_query_new_or_null(f->world, def));
    CHECK_CONTAINS(kith_error(f->world), part);
    CHECK_UINT(kith_world_hash(f->world), before);
    CHECK_UINT(kith_memory(f->world).used, used);
    CHECK_WORLD(f->world);
}

#define DEF(...)                                                                                   \
    &(const kith_query_def)                                                                        \
    {                                                                                              \
        .terms = KITH_TERMS(__VA_ARGS__)                                                           \
    }

TEST_EACH_LAYOUT(a_type_stands_in_one_term, layout)
{
    fixture f = fixture_with_all(layout);
    check_refused(&f, DEF(KITH_READ(Position), KITH_WRITE(Position)), KITH_ERR_CONFLICT,
                  "Position");
    check_refused(&f, DEF(KITH_READ(Position), KITH_READ(Byte), KITH_WITHOUT(Position)),
                  KITH_ERR_CONFLICT, "Position");
    check_refused(&f, DEF(KITH_ANY_OF(Byte, 0), KITH_ANY_OF(Byte, 1)), KITH_ERR_CONFLICT, "Byte");
    fixture_free(&f);
}

TEST_EACH_LAYOUT(terms_that_make_no_sense, layout)
{
    fixture f = fixture_with_all(layout);
    const kith_term none = KITH_READ(Byte);
    kith_term terms[3] = {none, {&Position_type, KITH_ACCESS_READ, KITH_MUST_NOT, 0, NULL}, {0}};
    kith_query_def def = {.terms = terms};
    check_refused(&f, &def, KITH_ERR_INPUT, "Position");
    terms[1] = (kith_term){&Position_type, KITH_ACCESS_WRITE, KITH_MUST_NOT, 0, NULL};
    check_refused(&f, &def, KITH_ERR_INPUT, "Position");
    terms[1] =
        (kith_term){&Position_type, (kith_access)(KITH_ACCESS_WRITE + 1), KITH_MUST, 0, NULL};
    check_refused(&f, &def, KITH_ERR_INPUT, "term 1 of `terms`: ");
    terms[1] = (kith_term){&Position_type, (kith_access)-1, KITH_MUST, 0, NULL};
    check_refused(&f, &def, KITH_ERR_INPUT, "term 1 of `terms`: ");
    terms[1] =
        (kith_term){&Position_type, KITH_ACCESS_READ, (kith_role)(KITH_AS_BEFORE + 1), 0, NULL};
    check_refused(&f, &def, KITH_ERR_INPUT, "term 1 of `terms`: ");
    terms[1] = (kith_term){&Position_type, KITH_ACCESS_READ, (kith_role)-1, 0, NULL};
    check_refused(&f, &def, KITH_ERR_INPUT, "term 1 of `terms`: ");
    fixture_free(&f);
}

/* A list ends at its first term of zeros, wherever that is; and no list at all has no terms. */
TEST_EACH_LAYOUT(a_list_ends_by_itself, layout)
{
    fixture f = fixture_with_all(layout);
    KITH_SPAWN(f.world, KITH_VALUE(Position));
    KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Frozen));
    kith_spawn_empty(f.world);
    kith_query *all = KITH_QUERY(f.world);
    CHECK_UINT(kith_query_count(all), 3);
    kith_query *some = KITH_QUERY(f.world, KITH_READ(Position), {0}, KITH_WITH(Frozen));
    CHECK_UINT(kith_query_count(some), 2);
    kith_query *both = KITH_QUERY(f.world, KITH_READ(Position), KITH_WITH(Frozen));
    CHECK_UINT(kith_query_count(both), 1);

    static kith_type types[4096];
    static uint32_t numbers[4096];
    static char names[4096][8];
    static kith_term terms[4097];
    for (uint32_t i = 0; i < 4096; i++) {
        snprintf(names[i], sizeof names[i], "t%u", i);
        numbers[i] = 0;
        types[i] = (kith_type){.name = names[i], .align = 1, .number = &numbers[i]};
        terms[i] = (kith_term){&types[i], KITH_ACCESS_NONE, KITH_MUST_NOT, 0, NULL};
    }
    kith_query *most = kith_query_new_or_null(f.world, &(kith_query_def){.terms = terms});
    CHECK_UINT(kith_query_count(most), 3);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(a_driver_is_a_required_term, layout)
{
    fixture f = fixture_with_all(layout);
    const kith_term terms[] = {KITH_READ(Position),
                               KITH_OPTIONAL(Byte),
                               KITH_WITHOUT(Frozen),
                               KITH_ANY_OF(Health, 0),
                               KITH_ANY_OF(Extra, 0),
                               KITH_WITH(Burning),
                               {0}};
    kith_query_def def = {.terms = terms};
    static const kith_type *const wrong[] = {&Byte_type, &Frozen_type, &Health_type, &Extra_type,
                                             &Velocity_type};
    for (size_t i = 0; test_row(i, ROWS_OF(wrong)); i++) {
        def.driver = wrong[i];
        check_refused(&f, &def, KITH_ERR_INPUT, wrong[i]->name);
    }
    static const kith_type *const right[] = {&Position_type, &Burning_type, NULL};
    for (size_t i = 0; test_row(i, ROWS_OF(right)); i++) {
        kith_query *query = NULL;
        def.driver = right[i];
        CHECK_RESULT(kith_query_new(f.world, &def, &query), KITH_OK);
        CHECK_UINT(kith_query_count(query), 0);
        kith_query_free(query);
    }
    fixture_free(&f);
}

/* What the def points to may be gone: the terms, the name, the descriptors. */
TEST_EACH_LAYOUT(a_query_keeps_nothing_of_its_def, layout)
{
    fixture f = fixture_with_all(layout);
    KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Frozen));
    KITH_SPAWN(f.world, KITH_VALUE(Position));
    kith_query *query = NULL;
    {
        char name[] = "short-lived";
        kith_type position = Position_type;
        kith_term terms[] = {KITH_READ(Position), KITH_WITHOUT(Frozen), {0}};
        terms[0].type = &position;
        kith_query_def def = {.terms = terms, .name = name, .driver = &position};
        CHECK_RESULT(kith_query_new(f.world, &def, &query), KITH_OK);
        memset(name, '?', sizeof(name) - 1);
        memset(terms, 0xEE, sizeof(terms));
        memset(&position, 0xEE, sizeof(position));
        memset(&def, 0xEE, sizeof(def));
    }
    CHECK_UINT(kith_query_count(query), 1);
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        CHECK_PTR_NULL(KITH_AT(&it, 0, Velocity));
        CHECK_CONTAINS(f.misuse, "Velocity");
        expect_misuse(&f, "short-lived");
        CHECK_PTR_NULL(KITH_AT_MUT(&it, 0, Position));
        CHECK_CONTAINS(f.misuse, "Position");
        expect_misuse(&f, "short-lived");
    }
    fixture_free(&f);
}

TEST_EACH_LAYOUT(hundreds_of_queries, layout)
{
    enum { QUERIES = 500 };
    fixture f = fixture_with_all(layout);
    static kith_query *queries[QUERIES];
    for (int i = 0; i < QUERIES; i++) {
        queries[i] = i % 2 == 0 ? KITH_QUERY(f.world, KITH_READ(Position))
                                : KITH_QUERY(f.world, KITH_READ(Position), KITH_WITHOUT(Byte));
        KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Byte));
    }
    CHECK_WORLD(f.world);
    /* In an order of their own, some while others are open; the rest goes with the world. */
    kith_iter it = kith_query_iter(queries[0]);
    for (int i = 0; i < QUERIES; i++) {
        int which = i * 77 % QUERIES;
        if (which != 0 && which % 5 != 0) {
            CHECK_UINT(kith_query_count(queries[which]), which % 2 == 0 ? QUERIES : 0);
            kith_query_free(queries[which]);
        }
    }
    kith_iter_close(&it);
    CHECK_WORLD(f.world);
    kith_query_free(NULL);
    fixture_free(&f);
}

/* One that is made, asked and freed leaves nothing behind. */
TEST_EACH_LAYOUT(queries_made_for_one_question, layout)
{
    fixture f = fixture_with_all(layout);
    for (int i = 0; i < 100; i++) {
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position));
        CHECK_RESULT(kith_add(f.world, e, component_types[i % COMPONENT_COUNT]), KITH_OK);
    }
    kith_query *first = KITH_QUERY(f.world, KITH_READ(Position), KITH_OPTIONAL(Byte));
    CHECK_UINT(kith_query_count(first), 100);
    kith_query_free(first);
    const size_t used = kith_memory(f.world).used;
    for (int i = 0; i < 5000; i++) {
        kith_query *query = KITH_QUERY(f.world, KITH_READ(Position), KITH_OPTIONAL(Byte));
        CHECK_UINT(kith_query_count(query), 100);
        CHECK_SAME(kith_query_first(query), kith_query_first(query));
        kith_query_free(query);
    }
    CHECK_UINT(kith_memory(f.world).used, used);
    fixture_free(&f);
}

/* A query made while another is open is as good as any. */
TEST_EACH_LAYOUT(queries_made_in_an_open_query, layout)
{
    fixture f = fixture_with_all(layout);
    for (int i = 0; i < 10; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Byte));
    }
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    kith_query *made = NULL;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        made = KITH_QUERY(f.world, KITH_READ(Byte));
        CHECK_UINT(kith_query_count(made), 10);
        for (kith_iter inner = kith_query_iter(made); kith_next(&inner);) {
            CHECK_UINT(inner.count, 10);
        }
    }
    KITH_SPAWN(f.world, KITH_VALUE(Byte));
    CHECK_UINT(kith_query_count(made), 11);
    fixture_free(&f);
}

/* A thousand tables come, and go again while the query is kept. */
TEST(tables_that_go_leave_their_queries)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    for (int round = 0; round < 3; round++) {
        static kith_entity e[1024];
        for (uint32_t mask = 0; mask < 1024; mask++) {
            e[mask] = KITH_SPAWN(f.world, KITH_VALUE(Position));
            for (uint32_t i = 0; i < 10; i++) {
                if ((mask >> i & 1) != 0) {
                    CHECK_RESULT(kith_add(f.world, e[mask], component_types[i + 1]), KITH_OK);
                }
            }
        }
        CHECK_UINT(kith_query_count(query), 1024);
        uint32_t seen = 0;
        for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
            seen += it.count;
        }
        CHECK_UINT(seen, 1024);
        CHECK_WORLD(f.world);
        CHECK_RESULT(kith_despawn_many(f.world, e, 1024, NULL), KITH_OK);
        if (round != 1) {
            kith_world_trim(f.world);
            CHECK_UINT(kith_memory(f.world).tables, 1);
        }
        CHECK_UINT(kith_query_count(query), 0);
        CHECK(kith_is_none(kith_query_first(query)));
        CHECK_WORLD(f.world);
    }
    fixture_free(&f);
}

/* Messages about a query name it, or what it is about. */
TEST(queries_are_told_apart_in_messages)
{
    fixture f = fixture_with_all(KITH_TABLE);
    const kith_query_def named = {.terms = KITH_TERMS(KITH_READ(Byte)), .name = "bytes"};
    const struct {
        kith_query *query;
        const char *told;
    } all[] = {
        {kith_query_new_or_null(f.world, &named), "\"bytes\" has"},
        {KITH_QUERY(f.world), "the query without terms has"},
        {KITH_QUERY(f.world, KITH_WRITE(Position), KITH_WITHOUT(Frozen), KITH_OPTIONAL(Health)),
         "the query of Position, !Frozen, ?Health has"},
        {KITH_QUERY(f.world, KITH_READ(Position), KITH_READ(Velocity), KITH_WITH(Frozen),
                    KITH_READ(Byte)),
         "the query of Position, Velocity, Frozen, Byte has"},
        {KITH_QUERY(f.world, KITH_READ(Position), KITH_READ(Velocity), KITH_WITH(Frozen),
                    KITH_READ(Byte), KITH_READ(Name)),
         "the query of Position, Velocity, Frozen, Byte, ... has"},
        {KITH_QUERY(f.world, KITH_IF(Health, current, <, 20)), "the query of Health has"},
        {KITH_QUERY(f.world, KITH_IF_NOT(KITH_IF(Health, current, <, 20))),
         "the query of groups of conditions has"},
        {KITH_QUERY(f.world, KITH_VIA(kith_child_of, KITH_READ(Position))),
         "the query of ChildOf has"},
        {kith_query_text(f.world, "Position, !Frozen where Health.max = 3", NULL),
         "the query of Position, !Frozen, Health has"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        char told[200];
        CHECK_RESULT(kith_query_bind(all[i].query, "n", 1), KITH_ERR_UNKNOWN);
        snprintf(told, sizeof told, "kith_query_bind: %s no kith_bound(\"n\"), in text $n",
                 all[i].told);
        CHECK_STR(kith_error(f.world), told);
        CHECK_WORLD(f.world);
    }
    fixture_free(&f);
}
