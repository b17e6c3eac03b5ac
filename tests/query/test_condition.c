/* Conditions on values: each form by itself, on every layout. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "test.h"

KITH_COMPONENT(Soul, (float, light), (double, weight), (uint8_t, rank), (int8_t, luck),
               (bool, awake), (char, letter), (char, name, 8), (kith_text, title),
               (kith_entity, friend_of), (uint64_t, age), (int64_t, debt), (int16_t, marks, 3));
KITH_COMPONENT(Home, (float, distance), (double, size), (kith_text, title), (char, name, 12));

/* A world with some souls, which have numbers from 0 to COUNT - 1. */
#define COUNT 200u
typedef struct souls {
    fixture f;
    kith_entity e[COUNT];
} souls;

static Soul soul_of(souls *s, uint32_t i)
{
    Soul soul = {.light = (float)i * 0.5f,
                 .weight = i % 7 == 3 ? (double)NAN : i,
                 .rank = (uint8_t)i,
                 .luck = (int8_t)(i - 100),
                 .awake = i % 3 == 0,
                 .letter = (char)('a' + i % 26),
                 .age = UINT64_MAX - i,
                 .debt = INT64_MIN + i,
                 .marks = {(int16_t)i, (int16_t)-i, 7}};
    snprintf(soul.name, sizeof soul.name, "s%u", i * 1234567 % 100000);
    char title[16];
    snprintf(title, sizeof title, "title %u", i % 10);
    CHECK_RESULT(kith_text_intern(s->f.world, title, &soul.title), KITH_OK);
    soul.friend_of = i == 0 ? KITH_NONE : s->e[i / 2];
    return soul;
}

static souls souls_new(kith_layout soul, kith_layout home)
{
    souls s = {.f = fixture_new()};
    kith_register(s.f.world, &Soul_type, &(kith_component_def){.layout = soul});
    kith_register(s.f.world, &Home_type, &(kith_component_def){.layout = home});
    for (uint32_t i = 0; i < COUNT; i++) {
        s.e[i] = kith_spawn_empty(s.f.world);
        Soul value = soul_of(&s, i);
        CHECK_RESULT(kith_set(s.f.world, s.e[i], &Soul_type, &value), KITH_OK);
        if (i % 2 == 0) {
            Home at = {.distance = (float)(i % 50), .size = i * 0.5, .title = value.title};
            snprintf(at.name, sizeof at.name, "%s", value.name);
            CHECK_RESULT(kith_set(s.f.world, s.e[i], &Home_type, &at), KITH_OK);
        }
    }
    return s;
}

/* Checks that the query finds those for which `expected` is true, in all ways of asking. Frees it. */
static void check_found(souls *s, kith_query *query, const bool *expected)
{
    CHECK_PTR_NOT_NULL(query);
    uint32_t count = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        count += expected[i];
        CHECK_INT(kith_query_contains(query, s->e[i]), expected[i]);
        kith_iter one = kith_query_iter_one(query, s->e[i]);
        CHECK_INT(kith_next(&one), expected[i]);
        kith_iter_close(&one);
    }
    CHECK_UINT(kith_query_count(query), count);
    kith_entity order[COUNT];
    uint32_t met = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            order[met++] = kith_entities(&it)[i];
        }
    }
    CHECK_UINT(met, count);
    met = 0;
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK_SAME(kith_entities(&it)[i], order[met++]);
        }
    }
    CHECK_UINT(met, count);
    CHECK_SAME(kith_query_first(query), count == 0 ? KITH_NONE : order[0]);
    kith_entity only;
    CHECK_RESULT(kith_query_single(query, &only), count == 0   ? KITH_ERR_ABSENT
                                                  : count == 1 ? KITH_OK
                                                               : KITH_ERR_AMBIGUOUS);
    kith_query_free(query);
}

/* The query of some terms finds just those whose number `i`, and soul, satisfy an expression. */
#define CHECK_FOUND(s, holds, ...)                                                                 \
    do {                                                                                           \
        bool expected[COUNT];                                                                      \
        for (uint32_t i = 0; i < COUNT; i++) {                                                     \
            const Soul *soul = KITH_GET((s)->f.world, (s)->e[i], Soul);                            \
            const Home *home = KITH_GET((s)->f.world, (s)->e[i], Home);                            \
            (void)soul;                                                                            \
            (void)home;                                                                            \
            expected[i] = (holds);                                                                 \
        }                                                                                          \
        check_found((s), KITH_QUERY((s)->f.world, __VA_ARGS__), expected);                         \
    } while (0)

TEST_EACH_LAYOUT(numbers_are_compared, layout)
{
    souls s = souls_new(layout, KITH_TABLE);
    CHECK_FOUND(&s, soul->light < 20, KITH_READ(Soul), KITH_IF(Soul, light, <, 20));
    CHECK_FOUND(&s, soul->light <= 20, KITH_IF(Soul, light, <=, 20));
    CHECK_FOUND(&s, soul->light == 20, KITH_IF(Soul, light, ==, 20.0f));
    CHECK_FOUND(&s, soul->light != 20, KITH_IF(Soul, light, !=, 20.0));
    CHECK_FOUND(&s, soul->light > 20, KITH_IF(Soul, light, >, 20));
    CHECK_FOUND(&s, soul->light >= 20, KITH_IF(Soul, light, >=, 20u));
    CHECK_FOUND(&s, soul->rank >= 30 && soul->rank < 60, KITH_IF(Soul, rank, >=, 30),
                KITH_IF(Soul, rank, <, 60));
    CHECK_FOUND(&s, soul->luck > -3, KITH_IF(Soul, luck, >, -3));
    CHECK_FOUND(&s, soul->marks[1] <= -190, KITH_IF(Soul, marks[1], <=, -190));
    CHECK_FOUND(&s, soul->marks[2] == 7, KITH_IF(Soul, marks[2], ==, 7));
    CHECK_FOUND(&s, soul->awake, KITH_IF(Soul, awake, ==, true));
    CHECK_FOUND(&s, soul->letter >= 'x', KITH_IF(Soul, letter, >=, 'x'));
    CHECK_FOUND(&s, soul->letter == 'c', KITH_IF(Soul, letter, ==, 'c'));
    fixture_free(&s.f);
}

/* Kinds that differ are compared as numbers, not after a conversion that loses something. */
TEST_EACH_LAYOUT(comparisons_are_exact, layout)
{
    souls s = souls_new(layout, KITH_TABLE);
    CHECK_FOUND(&s, i >= 1, KITH_IF(Soul, rank, >, 0.5));
    CHECK_FOUND(&s, false, KITH_IF(Soul, rank, ==, 0.5));
    CHECK_FOUND(&s, true, KITH_IF(Soul, rank, !=, 0.5));
    CHECK_FOUND(&s, true, KITH_IF(Soul, rank, >, -1));
    CHECK_FOUND(&s, false, KITH_IF(Soul, rank, ==, 256));
    CHECK_FOUND(&s, true, KITH_IF(Soul, rank, <, 1e30));
    CHECK_FOUND(&s, true, KITH_IF(Soul, rank, <, INFINITY));
    CHECK_FOUND(&s, false, KITH_IF(Soul, luck, <, -(double)INFINITY));
    CHECK_FOUND(&s, soul->luck <= -98, KITH_IF(Soul, luck, <, -97.5));
    CHECK_FOUND(&s, i == 5, KITH_IF(Soul, age, ==, UINT64_MAX - 5));
    CHECK_FOUND(&s, false, KITH_IF(Soul, age, <, -1));
    CHECK_FOUND(&s, true, KITH_IF(Soul, age, <, 18446744073709551616.0));
    CHECK_FOUND(&s, false, KITH_IF(Soul, age, ==, 18446744073709551616.0));
    CHECK_FOUND(&s, i == 3, KITH_IF(Soul, debt, ==, INT64_MIN + 3));
    CHECK_FOUND(&s, i == 0, KITH_IF(Soul, debt, <=, -9223372036854775808.0));
    CHECK_FOUND(&s, true, KITH_IF(Soul, debt, <, UINT64_MAX));
    /* 0.1 is not a float, nor is 16777217. */
    KITH_SET(s.f.world, s.e[9], Soul, {.light = 0.1f});
    CHECK_FOUND(&s, false, KITH_IF(Soul, light, ==, 0.1));
    CHECK_FOUND(&s, i == 9, KITH_IF(Soul, light, >, 0.1), KITH_IF(Soul, light, <, 0.2));
    KITH_SET(s.f.world, s.e[9], Soul, {.light = 16777216.0f});
    CHECK_FOUND(&s, i == 9, KITH_IF(Soul, light, <, 16777217), KITH_IF(Soul, light, >, 16777215));
    CHECK_FOUND(&s, false, KITH_IF(Soul, light, ==, 16777217));
    fixture_free(&s.f);
}

TEST_EACH_LAYOUT(what_is_not_a_number_satisfies_nothing_but_not, layout)
{
    souls s = souls_new(layout, KITH_TABLE);
    CHECK_FOUND(&s, i % 7 != 3 && i < 50, KITH_IF(Soul, weight, <, 50));
    CHECK_FOUND(&s, i % 7 != 3 && i >= 50, KITH_IF(Soul, weight, >=, 50));
    CHECK_FOUND(&s, i % 7 != 3 && i != 50, KITH_IF(Soul, weight, !=, 50));
    CHECK_FOUND(&s, i % 7 == 3 || i >= 50, KITH_IF_NOT(KITH_IF(Soul, weight, <, 50)));
    CHECK_FOUND(&s, i % 7 == 3 || i == 50, KITH_IF_NOT(KITH_IF(Soul, weight, !=, 50)));
    CHECK_FOUND(&s, false, KITH_IF(Soul, rank, !=, NAN));
    CHECK_FOUND(&s, false, KITH_IF(Soul, light, !=, (double)NAN));
    CHECK_FOUND(&s, true, KITH_IF_NOT(KITH_IF(Soul, light, ==, (double)NAN)));
    CHECK_FOUND(&s, i % 7 != 3, KITH_IF(Soul, weight, ==, KITH_ITS(Soul, weight)));
    fixture_free(&s.f);
}

TEST_EACH_LAYOUT(texts_are_compared, layout)
{
    souls s = souls_new(layout, KITH_TABLE);
    CHECK_FOUND(&s, strcmp(soul->name, "s67") == 0, KITH_IF(Soul, name, ==, "s67"));
    CHECK_FOUND(&s, strcmp(soul->name, "s0") != 0, KITH_IF(Soul, name, !=, "s0"));
    CHECK_FOUND(&s, strncmp(soul->name, "s6", 2) == 0, KITH_IF_PREFIX(Soul, name, "s6"));
    CHECK_FOUND(&s, true, KITH_IF_PREFIX(Soul, name, ""));
    CHECK_FOUND(&s, false, KITH_IF_PREFIX(Soul, name, "s123456789"));
    CHECK_FOUND(&s, strstr(soul->name, "67") != NULL, KITH_IF_CONTAINS(Soul, name, "67"));
    CHECK_FOUND(&s, i % 10 == 4, KITH_IF(Soul, title, ==, "title 4"));
    CHECK_FOUND(&s, i % 10 != 4, KITH_IF(Soul, title, !=, "title 4"));
    CHECK_FOUND(&s, i % 10 == 4 || i % 10 == 6, KITH_IF_IN(Soul, title, "title 4", "title 6", ""));
    CHECK_FOUND(&s, i % 10 == 4, KITH_IF_CONTAINS(Soul, title, "e 4"));
    CHECK_FOUND(&s, true, KITH_IF_PREFIX(Soul, title, "title "));
    kith_text four;
    CHECK(kith_text_find(s.f.world, "title 4", &four));
    CHECK_FOUND(&s, i % 10 == 4, KITH_IF(Soul, title, ==, four));
    /* All bytes of an array may be the text. */
    KITH_SET(s.f.world, s.e[3], Soul, {.name = {'1', '2', '3', '4', '5', '6', '7', '8'}});
    CHECK_FOUND(&s, i == 3, KITH_IF(Soul, name, ==, "12345678"));
    CHECK_FOUND(&s, i == 3, KITH_IF_CONTAINS(Soul, name, "45678"));
    fixture_free(&s.f);
}

/* A text that is interned after the query was made is found. */
TEST(a_text_may_be_interned_later)
{
    souls s = souls_new(KITH_TABLE, KITH_TABLE);
    kith_query *query = KITH_QUERY(s.f.world, KITH_IF(Soul, title, ==, "new"));
    CHECK_UINT(kith_query_count(query), 0);
    kith_text title;
    CHECK_RESULT(kith_text_intern(s.f.world, "new", &title), KITH_OK);
    KITH_GET_MUT(s.f.world, s.e[7], Soul)->title = title;
    CHECK_SAME(kith_query_first(query), s.e[7]);
    fixture_free(&s.f);
}

TEST_EACH_LAYOUT(entities_and_lists_are_compared, layout)
{
    souls s = souls_new(layout, KITH_SPARSE);
    kith_entity friend_of = s.e[3];
    CHECK_FOUND(&s, i == 6 || i == 7, KITH_IF(Soul, friend_of, ==, friend_of));
    CHECK_FOUND(&s, i != 6 && i != 7, KITH_IF(Soul, friend_of, !=, friend_of));
    CHECK_FOUND(&s, i == 0, KITH_IF(Soul, friend_of, ==, KITH_NONE));
    CHECK_FOUND(&s, i == 0 || i == 6 || i == 7, KITH_IF_IN(Soul, friend_of, KITH_NONE, friend_of));
    CHECK_FOUND(&s, i == 2 || i == 3 || i == 199, KITH_IF_IN(Soul, rank, 2, 3.0, 2.5, 199u, -1));
    fixture_free(&s.f);
}

TEST_EACH_LAYOUT(two_fields_are_compared, layout)
{
    for (int k = 0; k < LAYOUT_COUNT; k++) {
        souls s = souls_new(layout, (kith_layout)k);
        CHECK_FOUND(&s, home != NULL && soul->light < home->distance,
                    KITH_IF(Soul, light, <, KITH_ITS(Home, distance)));
        CHECK_FOUND(&s, home != NULL && (double)soul->light == home->size,
                    KITH_IF(Soul, light, ==, KITH_ITS(Home, size)));
        CHECK_FOUND(&s, home != NULL && soul->rank > (double)home->distance,
                    KITH_IF(Soul, rank, >, KITH_ITS(Home, distance)));
        CHECK_FOUND(&s, i % 7 != 3 && soul->weight >= soul->luck,
                    KITH_IF(Soul, weight, >=, KITH_ITS(Soul, luck)));
        CHECK_FOUND(&s, home != NULL, KITH_IF(Soul, title, ==, KITH_ITS(Home, title)));
        CHECK_FOUND(&s, home != NULL, KITH_IF(Home, name, ==, KITH_ITS(Soul, name)));
        CHECK_FOUND(&s, false, KITH_IF(Soul, age, <, KITH_ITS(Soul, debt)));
        CHECK_FOUND(&s, i == 0, KITH_IF(Soul, marks[0], ==, KITH_ITS(Soul, marks[1])));
        fixture_free(&s.f);
    }
}

/* An entity without the component does not satisfy a condition about it; so `not` it does. */
TEST_EACH_LAYOUT(groups_and_absent_components, layout)
{
    for (int k = 0; k < LAYOUT_COUNT; k++) {
        souls s = souls_new((kith_layout)k, layout);
        CHECK_FOUND(&s, home != NULL && home->distance < 10, KITH_IF(Home, distance, <, 10));
        CHECK_FOUND(&s, home == NULL || home->distance >= 10,
                    KITH_IF_NOT(KITH_IF(Home, distance, <, 10)));
        CHECK_FOUND(&s, home != NULL && home->distance >= 10,
                    KITH_IF_NOT(KITH_IF(Home, distance, <, 10)), KITH_WITH(Home));
        CHECK_FOUND(&s, soul->rank < 9 || (home != NULL && home->distance == 40),
                    KITH_IF_ANY(KITH_IF(Soul, rank, <, 9), KITH_IF(Home, distance, ==, 40)));
        CHECK_FOUND(&s, home == NULL && !soul->awake && soul->rank > 20,
                    KITH_IF_ALL(KITH_WITHOUT(Home), KITH_IF(Soul, awake, ==, false)),
                    KITH_IF(Soul, rank, >, 20));
        CHECK_FOUND(&s, home != NULL && !soul->awake && soul->rank != 4,
                    KITH_IF_NOT(KITH_WITHOUT(Home), KITH_IF(Soul, awake, ==, true),
                                KITH_IF(Soul, rank, ==, 4)));
        CHECK_FOUND(
            &s, soul->awake || (home != NULL && soul->rank > 50 && soul->rank != 60),
            KITH_IF_ANY(KITH_IF(Soul, awake, ==, true),
                        KITH_IF_ALL(KITH_WITH(Home), KITH_IF(Soul, rank, >, 50),
                                    KITH_IF_NOT(KITH_IF_ANY(KITH_IF(Soul, rank, ==, 60))))));
        fixture_free(&s.f);
    }
}

/* A condition has no values, and does not stand in the way of another term of its type. */
TEST(conditions_do_not_count_as_terms)
{
    souls s = souls_new(KITH_TABLE, KITH_TABLE);
    kith_query *query =
        KITH_QUERY(s.f.world, KITH_IF(Soul, rank, <, 5), KITH_WRITE(Soul),
                   KITH_IF(Soul, rank, >, 2), KITH_IF(Home, distance, <, 9), KITH_OPTIONAL(Home));
    uint32_t met = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        CHECK_UINT(KITH_COLUMN(&it, Home)[0].distance < 9, 1);
        KITH_COLUMN_MUT(&it, Soul)[0].rank = 200; /* what a condition asks about may be written */
        met += it.count;
    }
    CHECK_UINT(met, 1);
    CHECK_UINT(kith_query_count(query), 0);
    CHECK_PTR_NULL(
        KITH_QUERY(s.f.world, KITH_READ(Soul), KITH_READ(Soul), KITH_IF(Soul, rank, <, 5)));
    CHECK_CONTAINS(kith_error(s.f.world), "'Soul' is in terms 0 and 1");
    fixture_free(&s.f);
}

/* Sees what changed, of those that satisfy the condition. */
TEST_EACH_LAYOUT(conditions_go_with_changes, layout)
{
    souls s = souls_new(layout, KITH_TABLE);
    kith_query *query = KITH_QUERY(s.f.world, KITH_CHANGED(Soul), KITH_IF(Soul, rank, <, 5));
    CHECK_UINT(kith_query_count(query), 5);
    kith_query_skip_changes(query);
    CHECK_UINT(kith_query_count(query), 0);
    KITH_GET_MUT(s.f.world, s.e[7], Soul)->rank = 4;
    CHECK(kith_query_contains(query, s.e[7]));
    CHECK_UINT(kith_query_count(query),
               layout == KITH_TABLE ? 3 : 6); /* with the others of its block */
    fixture_free(&s.f);
}

/* Values of the first few entities take little room, and nobody reads after it. */
TEST_EACH_LAYOUT(only_the_first_entities_have_what_is_asked, layout)
{
    fixture f = fixture_with_all(layout);
    for (int32_t i = 0; i < 3000; i++) {
        kith_entity entity = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 2}));
        if (i < 9) {
            CHECK_RESULT(KITH_SET(f.world, entity, Health, {i, 4}), KITH_OK);
        }
        if (i < 3) {
            CHECK_RESULT(KITH_SET(f.world, entity, Name, {"zoe"}), KITH_OK);
        }
    }
    const struct {
        const kith_term *terms;
        uint32_t count;
    } cases[] = {
        {KITH_TERMS(KITH_IF(Health, current, >=, 0)), 9},
        {KITH_TERMS(KITH_IF(Health, current, <=, KITH_ITS(Health, max))), 5},
        {KITH_TERMS(KITH_IF(Health, current, ==, KITH_ITS(Position, x))), 9},
        {KITH_TERMS(KITH_IF(Position, x, ==, KITH_ITS(Health, current))), 9},
        {KITH_TERMS(KITH_IF_NOT(KITH_IF(Health, current, >=, 4))), 3000 - 5},
        {KITH_TERMS(KITH_IF(Name, text, ==, "zoe")), 3},
        {KITH_TERMS(KITH_IF_ANY(KITH_IF_PREFIX(Name, text, "z"), KITH_IF(Health, max, >, 3))), 9},
        {KITH_TERMS(KITH_IF_ANY(KITH_IF(Position, x, >, 2500), KITH_IF(Health, max, >, 3))), 508},
        {KITH_TERMS(KITH_IF_NOT(KITH_IF_CONTAINS(Name, text, "o"))), 2997},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        for (int with_driver = 0; with_driver < 2; with_driver++) {
            kith_term terms[4] = {{.type = &Position_type, .access = KITH_ACCESS_READ},
                                  cases[i].terms[0]};
            kith_query_def def = {.terms = terms, .driver = with_driver ? &Position_type : NULL};
            kith_query *query;
            CHECK_RESULT(kith_query_new(f.world, &def, &query), KITH_OK);
            CHECK_UINT(kith_query_count(query), cases[i].count);
            uint32_t met = 0;
            for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
                met += it.count;
            }
            CHECK_UINT(met, cases[i].count);
            kith_query_free(query);
        }
    }
    fixture_free(&f);
}
