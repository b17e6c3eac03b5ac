/* Rows of several entities, which relations link. */
#include <stdio.h>

#include "components.h"
#include "village.h"

#define MANY 3000u

/* Four people: 0 likes 1, 1 likes 2 and 0, 2 likes 0, 3 likes 1 and itself. */
static village village_with(kith_layout links, kith_layout people)
{
    static const uint32_t ends[6][2] = {{0, 1}, {1, 2}, {2, 0}, {1, 0}, {3, 1}, {3, 3}};
    return village_of(4, ends, 6, links, people);
}

/* The rows of a query with so many entities, as the numbers of people, and L0 to L5 for links:
 * "0 1, 1 2". */
static const char *rows_of(const village *v, uint32_t numbers, kith_query *query)
{
    static char text[1000];
    size_t length = 0;
    uint32_t rows = 0;
    CHECK_PTR_NOT_NULL(query);
    text[0] = '\0';
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it); rows += it.count) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK(kith_query_contains(query, kith_entities(&it)[i]));
            for (uint32_t k = 0; k < numbers; k++) {
                const kith_entity e = kith_others(&it, k)[i];
                const bool link = KITH_HAS(v->f.world, e, Likes);
                uint32_t at = 0;
                while (!kith_entity_equal(link ? v->link[at] : v->e[at], e)) {
                    at++;
                }
                length += (size_t)snprintf(text + length, sizeof text - length, "%s%s%u",
                                           k != 0        ? " "
                                           : length != 0 ? ", "
                                                         : "",
                                           link ? "L" : "", at);
            }
        }
    }
    CHECK_UINT(kith_query_count(query), rows);
    kith_query_free(query);
    return text;
}

TEST(pairs_and_triangles)
{
    for (uint32_t i = 0; i < LAYOUT_COUNT * LAYOUT_COUNT; i++) {
        village v = village_with((kith_layout)(i / LAYOUT_COUNT), (kith_layout)(i % LAYOUT_COUNT));
        kith_world *w = v.f.world;
        test_note(layout_name((kith_layout)(i % LAYOUT_COUNT)));
        CHECK_STR(rows_of(&v, 2, KITH_QUERY(w, KITH_READ(Person), KITH_PAIR(Likes, 0, 1))),
                  "0 1, 1 2, 1 0, 2 0, 3 1, 3 3");
        CHECK_STR(rows_of(&v, 2, KITH_QUERY(w, KITH_READ(Person), KITH_PAIR(Likes, 1, 0))),
                  "0 2, 0 1, 1 0, 1 3, 2 1, 3 3");
        CHECK_STR(rows_of(&v, 2,
                          KITH_QUERY(w, KITH_READ(Person), KITH_PAIR(Likes, 0, 1),
                                     KITH_PAIR(Likes, 1, 0))),
                  "0 1, 1 0, 3 3");
        CHECK_STR(
            rows_of(&v, 3,
                    KITH_QUERY(w, KITH_READ(Person), KITH_PAIR(Likes, 0, 1), KITH_PAIR(Likes, 1, 2),
                               KITH_PAIR(Likes, 2, 0), KITH_IF_NOT(KITH_IF_SAME(0, 1)))),
            "0 1 2, 1 2 0, 2 0 1");
        CHECK_STR(rows_of(&v, 3,
                          KITH_QUERY(w, KITH_READ(Person), KITH_PAIR(Likes, 0, 1),
                                     KITH_PAIR(Likes, 2, 1), KITH_IF_NOT(KITH_IF_SAME(0, 2)))),
                  "0 1 3, 1 0 2, 2 0 1, 3 1 0");
        CHECK_STR(rows_of(&v, 2,
                          KITH_QUERY(w, KITH_READ(Person), KITH_PAIR(Likes, 0, 1),
                                     KITH_IF_NOT(KITH_PAIR(Likes, 1, 0)))),
                  "1 2, 2 0, 3 1");
        CHECK_STR(rows_of(&v, 2,
                          KITH_QUERY(w, KITH_READ(Person), KITH_PAIR(Likes, 0, 1),
                                     KITH_OTHER(1, KITH_IF(Person, age, <, 21)))),
                  "1 0, 2 0");
        CHECK_STR(
            rows_of(&v, 2,
                    KITH_QUERY(w, KITH_IF(Person, age, <, KITH_OF_OTHER(1, KITH_ITS(Person, age))),
                               KITH_PAIR(Likes, 0, 1))),
            "0 1, 1 2");
        fixture_free(&v.f);
    }
}

TEST(links_are_entities_of_the_row)
{
    for (uint32_t i = 0; i < LAYOUT_COUNT; i++) {
        village v = village_with((kith_layout)i, KITH_TABLE);
        kith_world *w = v.f.world;
        test_note(layout_name((kith_layout)i));
        CHECK_STR(rows_of(&v, 3,
                          KITH_QUERY(w, KITH_READ(Person), KITH_PAIR_BY(Likes, 2, 0, 1),
                                     KITH_OTHER(2, KITH_IF(Likes, strength, >, 2)))),
                  "1 0 L3, 3 1 L4, 3 3 L5");
        CHECK_STR(rows_of(&v, 3, KITH_QUERY(w, KITH_READ(Person), KITH_PAIR_BY(Likes, 1, 2, 0))),
                  "0 L2 2, 0 L3 1, 1 L0 0, 1 L4 3, 2 L1 1, 3 L5 3");
        /* The query is about the links. */
        CHECK_STR(
            rows_of(&v, 4,
                    KITH_QUERY(w, KITH_PAIR_BY(Likes, 0, 1, 2), KITH_PAIR_BY(Likes, 3, 2, 1))),
            "L0 0 1 L3, L3 1 0 L0, L5 3 3 L5");
        /* A second link between the same two is a second row. */
        v.link[2] = KITH_SPAWN(w, KITH_VALUE(Likes, {v.e[0], v.e[1], 9}));
        CHECK_STR(rows_of(&v, 3,
                          KITH_QUERY(w, KITH_IF(Person, age, ==, 21), KITH_PAIR(Likes, 0, 1),
                                     KITH_PAIR_BY(Likes, 2, 1, 0))),
                  "1 0 L0, 1 0 L2");
        fixture_free(&v.f);
    }
}

TEST(children_and_parents)
{
    for (uint32_t i = 0; i < LAYOUT_COUNT; i++) {
        village v = village_with((kith_layout)i, KITH_TABLE);
        kith_world *w = v.f.world;
        test_note(layout_name((kith_layout)i));
        kith_set_parent(w, v.e[1], v.e[0]);
        kith_set_parent(w, v.e[2], v.e[0]);
        kith_set_parent(w, v.e[3], v.e[1]);
        CHECK_RESULT(kith_insert_child(w, v.e[2], v.e[1]), KITH_OK);
        CHECK_STR(rows_of(&v, 2, KITH_QUERY(w, KITH_READ(Person), KITH_PAIR(kith_child_of, 1, 0))),
                  "0 2, 0 1, 1 3");
        CHECK_STR(rows_of(&v, 3,
                          KITH_QUERY(w, KITH_READ(Person), KITH_PAIR(kith_child_of, 1, 0),
                                     KITH_PAIR(kith_child_of, 2, 1))),
                  "0 1 3");
        CHECK_STR(
            rows_of(&v, 3,
                    KITH_QUERY(w, KITH_READ(Person), KITH_PAIR(kith_child_of, 0, 1),
                               KITH_PAIR(kith_child_of, 2, 1), KITH_IF_NOT(KITH_IF_SAME(0, 2)))),
            "1 0 2, 2 0 1");
        KITH_SET(w, v.e[1], Targets, {v.e[2]});
        KITH_SET(w, v.e[2], Targets, {v.e[1]});
        CHECK_STR(rows_of(&v, 2, KITH_QUERY(w, KITH_PAIR(Targets, 0, 1), KITH_PAIR(Targets, 1, 0))),
                  "1 2, 2 1");
        /* By depth: the deepest first, and rows of one entity together. */
        kith_query *deepest = NULL;
        const kith_query_def def = {.terms = KITH_TERMS(KITH_READ(Person), KITH_PAIR(Likes, 0, 1)),
                                    .order = KITH_CHILDREN_FIRST};
        CHECK_RESULT(kith_query_new(w, &def, &deepest), KITH_OK);
        CHECK_SAME(kith_query_first(deepest), v.e[3]);
        CHECK_STR(rows_of(&v, 2, deepest), "3 1, 3 3, 1 2, 1 0, 2 0, 0 1");
        fixture_free(&v.f);
    }
}

/* ---- Values */

TEST(values_of_each_entity_of_a_row)
{
    for (uint32_t i = 0; i < LAYOUT_COUNT * LAYOUT_COUNT; i++) {
        village v = village_with((kith_layout)(i / LAYOUT_COUNT), (kith_layout)(i % LAYOUT_COUNT));
        kith_world *w = v.f.world;
        KITH_SET(w, v.e[2], Targets, {v.e[3]});
        kith_query *query = KITH_QUERY(
            w, KITH_WRITE(Person), KITH_PAIR_BY(Likes, 2, 0, 1), KITH_OTHER(1, KITH_READ(Person)),
            KITH_OTHER(2, KITH_READ(Likes)), KITH_OTHER(1, KITH_OPTIONAL(Targets)),
            KITH_OTHER(1, KITH_VIA(Targets, KITH_OPTIONAL(Person))));
        uint32_t rows = 0;
        for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
            const Person *const *all = KITH_TERM_POINTERS(&it, 1, Person);
            for (uint32_t k = 0; k < it.count; k++, rows++) {
                const kith_entity other = kith_others(&it, 1)[k];
                const Likes *likes = KITH_TERM_AT(&it, 2, k, Likes);
                CHECK_SAME(likes->source, kith_entities(&it)[k]);
                CHECK_SAME(likes->target, other);
                CHECK(KITH_TERM_AT(&it, 1, k, Person) == KITH_GET(w, other, Person));
                CHECK(all[k] == KITH_GET(w, other, Person));
                const bool aims = kith_entity_equal(other, v.e[2]);
                CHECK_INT(KITH_TERM_AT(&it, 3, k, Targets) != NULL, aims);
                CHECK(KITH_TERM_AT(&it, 4, k, Person) ==
                      (aims ? KITH_GET(w, v.e[3], Person) : NULL));
                KITH_AT_MUT(&it, k, Person)->met++; /* an entity comes once for each row */
            }
        }
        CHECK_UINT(rows, 6);
        CHECK_INT(KITH_GET(w, v.e[0], Person)->met, 1);
        CHECK_INT(KITH_GET(w, v.e[1], Person)->met, 2);
        CHECK_INT(KITH_GET(w, v.e[3], Person)->met, 2);
        CHECK_WORLD(w);
        fixture_free(&v.f);
    }
}

/* Rows of one entity go on in the next batch, and a batch has rows of many. */
TEST_EACH_LAYOUT(batches_of_many_rows, layout)
{
    village v = village_with(layout, layout);
    kith_world *w = v.f.world;
    for (uint32_t i = 0; i < 3000; i++) {
        kith_entity e = KITH_SPAWN(w, KITH_VALUE(Person, {100 + (int32_t)i, 0}),
                                   KITH_VALUE(kith_child_of, {v.e[i < 2500 ? 3 : 2]}));
        KITH_SPAWN(w, KITH_VALUE(Person, {5000, 0}), KITH_VALUE(kith_child_of, {e}));
    }
    kith_query *parts = KITH_QUERY(w, KITH_READ(Person), KITH_PAIR(kith_child_of, 1, 0),
                                   KITH_OTHER(1, KITH_READ(Person)));
    kith_query *deeper =
        KITH_QUERY(w, KITH_READ(Person), KITH_PAIR(kith_child_of, 1, 0),
                   KITH_PAIR(kith_child_of, 2, 1), KITH_OTHER(2, KITH_READ(Person)));
    uint32_t rows = 0;
    uint32_t of_last = 0;
    for (kith_iter it = kith_query_iter(parts); kith_next_rows(&it); rows += it.count) {
        CHECK(it.count <= 1024);
        for (uint32_t i = 0; i < it.count; i++) {
            const kith_entity e = kith_entities(&it)[i];
            CHECK_SAME(kith_parent(w, kith_others(&it, 1)[i]), e);
            CHECK(KITH_AT(&it, i, Person) == KITH_GET(w, e, Person));
            if (kith_entity_equal(e, v.e[3])) {
                CHECK_INT(KITH_TERM_AT(&it, 1, i, Person)->age, 100 + (int32_t)of_last++);
            }
        }
    }
    CHECK_UINT(rows, 6000);
    CHECK_UINT(of_last, 2500);
    CHECK_UINT(kith_query_count(parts), 6000);
    CHECK_UINT(kith_query_count(deeper), 3000);
    rows = 0;
    for (kith_iter it = kith_query_iter(deeper); kith_next_rows(&it); rows += it.count) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK_INT(KITH_TERM_AT(&it, 1, i, Person)->age, 5000);
        }
    }
    CHECK_UINT(rows, 3000);
    /* One entity, and an iteration that ends in the middle of its rows. */
    rows = 0;
    for (kith_iter it = kith_query_iter_one(parts, v.e[2]); kith_next_rows(&it);) {
        rows += it.count;
    }
    CHECK_UINT(rows, 500);
    kith_iter it = kith_query_iter(parts);
    CHECK(kith_next_rows(&it));
    kith_iter_close(&it);
    CHECK(kith_query_contains(parts, v.e[3]) && !kith_query_contains(parts, v.e[0]));
    fixture_free(&v.f);
}

/* A query that looks for changes looks at those of number 0. */
TEST(rows_of_what_changed)
{
    village v = village_with(KITH_TABLE, KITH_TABLE);
    kith_world *w = v.f.world;
    kith_query *changed = KITH_QUERY(w, KITH_CHANGED(Person), KITH_PAIR(Likes, 0, 1));
    uint32_t rows = 0;
    for (kith_iter it = kith_query_iter(changed); kith_next_rows(&it);) {
        rows += it.count;
    }
    CHECK_UINT(rows, 6);
    CHECK_UINT(kith_query_count(changed), 0);
    KITH_SET(w, v.e[1], Person, {30, 0});
    CHECK_UINT(kith_query_count(changed), 6); /* their block */
    fixture_free(&v.f);
}

static const kith_term constant[] = {KITH_READ(Person),
                                     KITH_PAIR(Likes, 0, 1),
                                     KITH_PAIR_BY(Likes, 2, 1, 0),
                                     KITH_OTHER(1, KITH_READ(Person)),
                                     KITH_IF_NOT(KITH_IF_SAME(0, 1)),
                                     {0}};

/* Terms may be constants, as in a list of a file. */
TEST(pairs_in_a_list_that_is_constant)
{
    village v = village_with(KITH_TABLE, KITH_TABLE);
    kith_query *query = kith_query_new_or_null(v.f.world, &(kith_query_def){.terms = constant});
    CHECK_STR(rows_of(&v, 3, query), "0 1 L3, 1 0 L0");
    fixture_free(&v.f);
}

/* ---- Indexes */

/* Which index is used changes nothing of the rows. */
TEST_EACH_LAYOUT(rows_do_not_depend_on_indexes, layout)
{
    village v = village_with(layout, layout);
    kith_world *w = v.f.world;
    static kith_entity people[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        people[i] = KITH_SPAWN(w, KITH_VALUE(Person, {(int32_t)(i % 1000), 0}));
    }
    for (uint32_t i = 0; i < MANY; i++) {
        KITH_SPAWN(w, KITH_VALUE(Likes, {people[i], people[i * 7 % MANY], (float)i}));
        KITH_SPAWN(w, KITH_VALUE(Likes, {people[i], people[i * 11 % MANY], (float)i}));
    }
    kith_query *query = KITH_QUERY(w, KITH_IF(Person, age, ==, 7), KITH_PAIR(Likes, 0, 1),
                                   KITH_PAIR(Likes, 2, 1), KITH_IF_NOT(KITH_IF_SAME(0, 2)));
    kith_entity before[200][3];
    kith_index *index;
    for (uint32_t round = 0; round < 2; round++) {
        uint32_t count = 0;
        for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
            for (uint32_t i = 0; i < it.count; i++, count++) {
                for (uint32_t k = 0; k < 3; k++) {
                    CHECK(round == 0 ||
                          kith_entity_equal(before[count][k], kith_others(&it, k)[i]));
                    before[count][k] = kith_others(&it, k)[i];
                }
            }
        }
        CHECK(count > 5 && count < 200);
        CHECK_UINT(kith_query_count(query), count);
        char plan[300];
        CHECK_RESULT(kith_query_explain(query, false, plan, sizeof plan, NULL), KITH_OK);
        CHECK_CONTAINS(plan, round == 0 ? "plan: scan" : "plan: hash of Person (age)");
        CHECK_CONTAINS(plan, "pairs: Likes from 0 to 1, Likes to 1 from 2");
        if (round == 0) {
            CHECK_RESULT(
                kith_index_new(w,
                               &(kith_index_def){.kind = KITH_INDEX_HASH, KITH_FIELDS(Person, age)},
                               &index),
                KITH_OK);
        }
    }
    fixture_free(&v.f);
}

TEST(explained_pairs)
{
    village v = village_with(KITH_TABLE, KITH_TABLE);
    char plan[400];
    kith_query *query =
        KITH_QUERY(v.f.world, KITH_PAIR_BY(Likes, 0, 1, 2), KITH_PAIR_BY(Likes, 3, 2, 1),
                   KITH_PAIR(kith_child_of, 4, 2), KITH_PAIR(kith_child_of, 4, 1),
                   KITH_OTHER(4, KITH_VIA(Targets, KITH_READ(Person))));
    CHECK_RESULT(kith_query_explain(query, true, plan, sizeof plan, NULL), KITH_OK);
    CHECK_CONTAINS(plan, "pairs: Likes 0, known, from 1 to 2, Likes 3 from 2 to 1, both known,"
                         " ChildOf to 2 from 4, ChildOf from 4 to 1, both known\n"
                         "follows: 4 -> Targets -> Person\n");
    /* More are met than rows are asked: it is not "10 of 4 rows". */
    query =
        KITH_QUERY(v.f.world, KITH_READ(Person), KITH_PAIR(Likes, 0, 1), KITH_PAIR(Likes, 2, 1));
    CHECK_RESULT(kith_query_explain(query, true, plan, sizeof plan, NULL), KITH_OK);
    CHECK_CONTAINS(plan, "\nmet: 10 combinations of entities in 4 rows asked, in ");
    fixture_free(&v.f);
}
