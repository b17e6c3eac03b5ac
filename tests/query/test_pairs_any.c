/* KITH_ANY in pairs: who is linked with somebody, and who is not. */
#include <stdio.h>

#include "components.h"
#include "rejects.h"
#include "village.h"

#define PEOPLE 5u

/* Five people: 0 likes 1, twice, and itself; 2 likes 1; 3 and 4 aim at 0; 4 is a child of 3. */
static village village_with(kith_layout links, kith_layout people)
{
    static const uint32_t ends[4][2] = {{0, 1}, {0, 1}, {0, 0}, {2, 1}};
    village v = village_of(PEOPLE, ends, 4, links, people);
    kith_world *world = v.f.world;
    KITH_SET(world, v.e[3], Targets, {v.e[0]});
    KITH_SET(world, v.e[4], Targets, {v.e[0]});
    kith_set_parent(world, v.e[4], v.e[3]);
    return v;
}

/* The ages over 20 of those that a query finds, each one once, by arrays and by rows: "0 3". */
static const char *found_by(const village *v, kith_query *query)
{
    static char text[100];
    CHECK_PTR_NOT_NULL(query);
    for (uint32_t rows = 0; rows < 2; rows++) {
        bool found[PEOPLE] = {false};
        uint32_t count = 0;
        kith_iter it = kith_query_iter(query);
        while (rows != 0 ? kith_next_rows(&it) : kith_next(&it)) {
            for (uint32_t i = 0; i < it.count; i++, count++) {
                const int32_t number = KITH_AT(&it, i, Person)->age - 20;
                CHECK(!found[number]);
                found[number] = true;
            }
        }
        CHECK_RESULT(it.result, KITH_OK);
        CHECK_UINT(kith_query_count(query), count);
        size_t length = 0;
        text[0] = '\0';
        for (uint32_t i = 0; i < PEOPLE; i++) {
            CHECK_INT(kith_query_contains(query, v->e[i]), found[i]);
            if (found[i]) {
                length += (size_t)snprintf(text + length, sizeof text - length, "%s%u",
                                           length == 0 ? "" : " ", i);
            }
        }
    }
    kith_query_free(query);
    return text;
}

#define FOUND(...)                                                                                 \
    found_by(&v, KITH_QUERY(v.f.world, KITH_READ(Person), __VA_ARGS__))

TEST(links_with_any)
{
    for (uint32_t i = 0; i < LAYOUT_COUNT * LAYOUT_COUNT; i++) {
        village v = village_with((kith_layout)(i / LAYOUT_COUNT), (kith_layout)(i % LAYOUT_COUNT));
        test_note(layout_name((kith_layout)(i % LAYOUT_COUNT)));
        CHECK_STR(FOUND(KITH_PAIR(Likes, KITH_ANY, 0)), "0 1");
        CHECK_STR(FOUND(KITH_IF_NOT(KITH_PAIR(Likes, KITH_ANY, 0))), "2 3 4");
        CHECK_STR(FOUND(KITH_PAIR(Likes, 0, KITH_ANY)), "0 2");
        CHECK_STR(FOUND(KITH_IF_NOT(KITH_PAIR(Likes, 0, KITH_ANY))), "1 3 4");
        CHECK_STR(FOUND(KITH_PAIR(Targets, KITH_ANY, 0)), "0");
        CHECK_STR(FOUND(KITH_IF_NOT(KITH_PAIR(Targets, KITH_ANY, 0))), "1 2 3 4");
        CHECK_STR(FOUND(KITH_PAIR(Targets, 0, KITH_ANY)), "3 4");
        CHECK_STR(FOUND(KITH_IF_NOT(KITH_PAIR(kith_child_of, KITH_ANY, 0))), "0 1 2 4");
        CHECK_STR(FOUND(KITH_IF_NOT(KITH_PAIR(kith_child_of, KITH_ANY, 0),
                                    KITH_PAIR(kith_child_of, 0, KITH_ANY))),
                  "0 1 2");
        CHECK_STR(FOUND(KITH_IF_ANY(KITH_PAIR(Targets, KITH_ANY, 0),
                                    KITH_IF_ALL(KITH_IF(Person, age, <, 23),
                                                KITH_IF_NOT(KITH_PAIR(Likes, KITH_ANY, 0))))),
                  "0 2");
        CHECK_STR(FOUND(KITH_VIA(Targets, KITH_IF_ALL(KITH_PAIR(kith_child_of, 0, KITH_ANY)))),
                  "4");
        CHECK_STR(FOUND(KITH_VIA(Targets, KITH_PAIR(kith_child_of, 0, KITH_ANY))), "4");
        CHECK_STR(FOUND(KITH_VIA(Targets, KITH_PAIR(kith_child_of, KITH_ANY, 0))), "3");
        /* The last link that leads to it, or from it, goes. */
        KITH_DESPAWN(v.f.world, v.link[3]);
        CHECK_STR(FOUND(KITH_PAIR(Likes, KITH_ANY, 0)), "0 1");
        CHECK_STR(FOUND(KITH_PAIR(Likes, 0, KITH_ANY)), "0");
        KITH_DESPAWN(v.f.world, v.e[0]);
        CHECK_STR(FOUND(KITH_IF_NOT(KITH_PAIR(Likes, KITH_ANY, 0))), "1 2 3 4");
        CHECK_STR(FOUND(KITH_PAIR(Targets, 0, KITH_ANY)), "");
        CHECK_WORLD(v.f.world);
        fixture_free(&v.f);
    }
}

/* In rows of several entities it is about any of them, and adds no rows. */
TEST_EACH_LAYOUT(links_of_others_with_any, layout)
{
    village v = village_with(layout, layout);
    kith_query *query =
        KITH_QUERY(v.f.world, KITH_READ(Person), KITH_IF_NOT(KITH_PAIR(Likes, 1, KITH_ANY)),
                   KITH_PAIR(Likes, KITH_ANY, 1), KITH_PAIR(Likes, 0, 1));
    CHECK_UINT(kith_query_count(query), 3); /* 0 and 1 twice, 2 and 1 */
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK_SAME(kith_others(&it, 1)[i], v.e[1]);
        }
    }
    CHECK(!kith_query_contains(query, v.e[1]));
    char plan[400];
    CHECK_RESULT(kith_query_explain(query, false, plan, sizeof plan, NULL), KITH_OK);
    CHECK_CONTAINS(plan, "\npairs: Likes from 0 to 1\n"
                         "links: Likes from 1 to any, Likes from any to 1");
    fixture_free(&v.f);
}

/* An index names the entities that are asked for links; and links are those of the world at hand. */
TEST_EACH_LAYOUT(indexes_and_views_find_the_same, layout)
{
    village v = village_with(layout, layout);
    kith_world *world = v.f.world;
    kith_index *index = NULL;
    const kith_index_def def = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Person, age)};
    for (uint32_t i = 0; i < 3000; i++) {
        KITH_SPAWN(world, KITH_VALUE(Person, {22, 0}));
    }
    const kith_term *terms = KITH_TERMS(KITH_IF(Person, age, ==, 21),
                                        KITH_PAIR(Likes, KITH_ANY, 0));
    kith_query *query = kith_query_new_or_null(world, &(kith_query_def){.terms = terms});
    CHECK_SAME(kith_query_first(query), v.e[1]);
    CHECK_RESULT(kith_index_new(world, &def, &index), KITH_OK);
    char plan[400];
    CHECK_RESULT(kith_query_explain(query, false, plan, sizeof plan, NULL), KITH_OK);
    CHECK_CONTAINS(plan, "plan: hash of Person (age)");
    CHECK_CONTAINS(plan, "\nlinks: Likes from any to 0");
    CHECK_UINT(kith_query_count(query), 1);
    CHECK_SAME(kith_query_first(query), v.e[1]);

    kith_snapshot *snapshot = NULL;
    kith_world *others[2];
    CHECK_RESULT(kith_snapshot_take(world, &snapshot), KITH_OK);
    KITH_DESPAWN(world, v.link[0]);
    KITH_DESPAWN(world, v.link[1]);
    KITH_DESPAWN(world, v.link[3]);
    CHECK_UINT(kith_query_count(query), 0);
    CHECK_RESULT(kith_view_new(snapshot, NULL, &others[0]), KITH_OK);
    CHECK_RESULT(kith_fork_new(snapshot, NULL, &others[1]), KITH_OK);
    for (uint32_t i = 0; i < 2; i++) {
        kith_query *other = kith_query_new_or_null(others[i], &(kith_query_def){.terms = terms});
        CHECK_UINT(kith_query_count(other), 1);
        CHECK_SAME(kith_query_first(other), v.e[1]);
        CHECK_WORLD(others[i]);
        kith_world_free(others[i]);
    }
    CHECK_RESULT(kith_snapshot_restore(world, snapshot), KITH_OK);
    CHECK_UINT(kith_query_count(query), 1);
    CHECK_WORLD(world);
    kith_snapshot_free(snapshot);
    fixture_free(&v.f);
}

static void meet(kith_iter *it)
{
    while (kith_next(it)) {
        Person *people = KITH_COLUMN_MUT(it, Person);
        for (uint32_t i = 0; i < it->count; i++) {
            people[i].met++;
        }
    }
}

/* Links are read by a parallel system that writes what has them. */
TEST(systems_ask_for_links_with_any)
{
    village v = village_with(KITH_TABLE, KITH_TABLE);
    KITH_SYSTEM(v.f.world, meet, KITH_WRITE(Person), KITH_IF_NOT(KITH_PAIR(Likes, KITH_ANY, 0)),
                .parallel = true);
    CHECK_RESULT(kith_run(v.f.world, 1), KITH_OK);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        CHECK_INT(KITH_GET(v.f.world, v.e[i], Person)->met, i >= 2);
    }
    CHECK_WORLD(v.f.world);
    fixture_free(&v.f);
}

TEST(any_where_it_makes_no_sense)
{
    fixture f = fixture_new();
    KITH_TYPES(f.world, Likes, Targets, Person);
    rejects(&f, (kith_term)KITH_PAIR(Likes, KITH_ANY, KITH_ANY), "KITH_ANY as one of its two ends");
    rejects(&f, (kith_term)KITH_PAIR_BY(Likes, 1, KITH_ANY, 0), "and finds no link");
    rejects(&f, (kith_term)KITH_PAIR_BY(Likes, KITH_ANY, 1, 0), "and finds no link");
    rejects(&f, (kith_term)KITH_IF_SAME(KITH_ANY, 0), "KITH_ANY as one of its two ends");
    rejects(&f, (kith_term)KITH_PAIR(Person, KITH_ANY, 0), "Person is no relation");
    rejects(&f, (kith_term)KITH_PAIR(Likes, KITH_ANY, 8), "whose numbers are below 8");
    rejects(&f, (kith_term)KITH_PAIR(Likes, KITH_ANY, 1), "number 1 of a row, which no pair finds");
    rejects(&f, (kith_term)KITH_OTHER(KITH_ANY, KITH_READ(Person)), "that is not below 8");
    rejects(&f, (kith_term)KITH_IF(Targets, target, ==, KITH_THE_OTHER(KITH_ANY)),
            "that is not below 8");
    rejects(&f, (kith_term)KITH_UP(KITH_PAIR(Likes, KITH_ANY, 0)), "and no pair");
    fixture_free(&f);
}
