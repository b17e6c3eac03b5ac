/* Conditions about a distance from a place, without an index: tests/index/test_planned.c has them with
 * one. */
#include <kith/floats.h>

#include <math.h>

#include "components.h"
#include "test.h"

/* Coordinates of several kinds. */
typedef struct Spot {
    int8_t x;
    uint8_t unused[3];
    uint32_t y;
    double z;
} Spot;
KITH_TYPE(Spot, KITH_FIELD(Spot, x), KITH_FIELD(Spot, unused), KITH_FIELD(Spot, y),
          KITH_FIELD(Spot, z));

static uint32_t count_of(kith_query *query)
{
    CHECK(query != NULL);
    uint32_t count = kith_query_count(query);
    uint32_t met = 0;
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        met += it.count;
    }
    CHECK_UINT(met, count);
    kith_query_free(query);
    return count;
}

TEST_EACH_LAYOUT(a_distance_in_two_and_in_three_dimensions, layout)
{
    fixture f = fixture_with_all(layout);
    kith_world *world = f.world;
    CHECK_RESULT(kith_register(world, &Spot_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    uint32_t flat = 0, deep = 0;
    for (int x = -20; x < 20; x++) {
        for (int y = 0; y < 20; y++) {
            const double z = 0.5 * (x + y);
            KITH_SPAWN(world, KITH_VALUE(Spot, {.x = (int8_t)x, .y = (uint32_t)y, .z = z}));
            flat += (x - 3) * (x - 3) + (y - 4) * (y - 4) <= 25;
            deep += (x - 3) * (x - 3) + (y - 4) * (y - 4) + (z - 1) * (z - 1) <= 6.25;
        }
        kith_spawn_empty(world);
    }
    CHECK_UINT(count_of(KITH_QUERY(world, KITH_READ(Spot), KITH_IF_WITHIN(Spot, 3, 4, 5))), flat);
    CHECK_UINT(count_of(KITH_QUERY(world, KITH_IF_WITHIN(Spot, 3, 4u, 1.0f, 2.5))), deep);
    CHECK_UINT(count_of(KITH_QUERY(world, KITH_IF_NOT(KITH_IF_WITHIN(Spot, 3, 4, 5)))),
               40 * 21 - flat);
    CHECK_UINT(count_of(KITH_QUERY(world, KITH_IF_ANY(KITH_IF_WITHIN(Spot, -20, 0, 0),
                                                      KITH_IF_WITHIN(Spot, 19, 19, 1)))),
               1 + 3);
    CHECK_UINT(count_of(KITH_QUERY(world, KITH_IF_WITHIN(Spot, 3, 4, -1))), 0);
    CHECK_UINT(count_of(KITH_QUERY(world, KITH_IF_WITHIN(Spot, 3, (double)NAN, 99))), 0);
    CHECK_UINT(count_of(KITH_QUERY(world, KITH_IF_WITHIN(Spot, 3, 4, (double)NAN))), 0);
    CHECK_UINT(count_of(KITH_QUERY(world, KITH_IF_WITHIN(Spot, 3, 4, (double)INFINITY))), 800);
    fixture_free(&f);
}

/* A point that is not a number is nowhere; an infinite one is within an infinite distance alone. */
TEST_EACH_LAYOUT(points_that_are_no_numbers, layout)
{
    fixture f = fixture_with_all(layout);
    KITH_SPAWN(f.world, KITH_VALUE(Position, {NAN, 0}));
    KITH_SPAWN(f.world, KITH_VALUE(Position, {0, INFINITY}));
    KITH_SPAWN(f.world, KITH_VALUE(Position, {-0.0f, 0}));
    CHECK_UINT(count_of(KITH_QUERY(f.world, KITH_IF_WITHIN(Position, 0, 0, 0))), 1);
    CHECK_UINT(count_of(KITH_QUERY(f.world, KITH_IF_WITHIN(Position, 0, 0, 1e150))), 1);
    CHECK_UINT(count_of(KITH_QUERY(f.world, KITH_IF_WITHIN(Position, 0, 0, (double)INFINITY))), 2);
    fixture_free(&f);
}

/* In the place and the distance alike, and each by itself. */
TEST_EACH_LAYOUT(numbers_may_be_bound, layout)
{
    fixture f = fixture_with_all(layout);
    for (int i = 0; i < 200; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 1}));
    }
    kith_query *query = KITH_QUERY(
        f.world, KITH_IF_WITHIN(Position, kith_bound("x"), kith_bound("y"), kith_bound("x")));
    CHECK_UINT(kith_query_count(query), 0);
    CHECK_CONTAINS(kith_error(f.world), "has no value yet");
    CHECK_RESULT(kith_query_bind(query, "x", 10), KITH_OK);
    CHECK_RESULT(kith_query_bind(query, "y", 1u), KITH_OK);
    CHECK_UINT(kith_query_count(query), 21);
    CHECK_RESULT(kith_query_bind(query, "y", 11.5f), KITH_OK);
    CHECK_UINT(kith_query_count(query), 0);
    CHECK_RESULT(kith_query_bind(query, "y", (bool)1), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "kith_query_bind: a place and a distance of Position are"
                                        " numbers, and one of them is true");
    CHECK_RESULT(kith_query_bind(query, "x", "ten"), KITH_ERR_INPUT);
    CHECK_RESULT(kith_query_bind(query, "x", 12), KITH_OK);
    CHECK_UINT(kith_query_count(query), 11); /* about 5.8 to either side */
    fixture_free(&f);
}

KITH_RELATION(Follows, KITH_CLEAR);

/* Of another entity: what is followed is near. */
TEST_EACH_LAYOUT(another_entity_may_be_asked, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity leaders[30];
    for (int i = 0; i < 30; i++) {
        leaders[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}));
        KITH_SPAWN(f.world, KITH_VALUE(Follows, {leaders[i]}));
    }
    CHECK_UINT(count_of(KITH_QUERY(f.world,
                                   KITH_VIA(Follows, KITH_IF_WITHIN(Position, 3, 0, 2)))),
               5);
    fixture_free(&f);
}

static void count_near(kith_iter *it)
{
    uint32_t *count = it->user;
    while (kith_next_rows(it)) {
        *count += it->count;
    }
}

TEST_EACH_LAYOUT(systems_and_views_ask_it_too, layout)
{
    fixture f = fixture_with_all(layout);
    uint32_t count = 0;
    for (int i = 0; i < 3000; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)(i % 50), (float)(i / 50)}));
    }
    CHECK_RESULT(KITH_SYSTEM(f.world, count_near, KITH_READ(Position),
                             KITH_IF_WITHIN(Position, 25, 25, 1.5), .user = &count),
                 KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(count, 9);
    kith_snapshot *snapshot;
    kith_world *view;
    CHECK_RESULT(kith_snapshot_take(f.world, &snapshot), KITH_OK);
    CHECK_RESULT(kith_view_new(snapshot, NULL, &view), KITH_OK);
    CHECK_UINT(count_of(KITH_QUERY(view, KITH_IF_WITHIN(Position, 25, 25, 1.5))), 9);
    kith_world_free(view);
    kith_snapshot_free(snapshot);
    fixture_free(&f);
}

TEST(what_has_no_place)
{
    const struct {
        kith_term term;
        const char *message;
    } rows[] = {
        {KITH_IF_WITHIN(Health, 1, 2, 3), "Health has no field 'x'"},
        {KITH_IF_WITHIN(Position, 1, 2, 3, 4), "Position has no field 'z'"},
        {KITH_IF_WITHIN(Position, 1, 2), "but not with the numbers x, y and the distance"},
        {KITH_IF_WITHIN(Position, 1, 2, 3, 4, 5), "but not with the numbers x, y and the distance"},
        {KITH_IF_WITHIN(Position, 1, "b", 3), "but not with the numbers x, y and the distance"},
        {KITH_IF_WITHIN(Position, 1, KITH_ITS(Position, y), 3), "but not with the numbers x, y"},
    };
    fixture f = fixture_with_all(KITH_TABLE);
    for (size_t i = 0; test_row(i, ROWS_OF(rows)); i++) {
        kith_query *query = NULL;
        const kith_query_def def = {.terms = (const kith_term[]){rows[i].term, {0}}};
        CHECK_RESULT(kith_query_new(f.world, &def, &query), KITH_ERR_INPUT);
        CHECK_CONTAINS(kith_error(f.world), rows[i].message);
    }
    fixture_free(&f);
}
