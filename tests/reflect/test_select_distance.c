/* Selections in the order of the distance from a place: with a spatial index and without one they give
 * the same rows, which are those of kith_nearest. */
#include <kith/floats.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "random.h"
#include "test.h"

KITH_COMPONENT(Spot, (double, z), (double, x), (double, y));

#define SPOTS 3000u
#define NEAREST_MOST 200u

/* Two worlds, of which the first one has indexes. */
typedef struct spotted {
    fixture f[2];
    kith_index *flat;
    kith_index *deep;
    kith_entity entities[SPOTS];
    uint64_t random;
} spotted;

/* Many are at the same distance. */
static void spot_set(spotted *t, uint32_t i, bool finite)
{
    static const float ends[] = {NAN, INFINITY, -INFINITY, 1e30f};
    float numbers[3];
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t end = random_below(&t->random, 300);
        numbers[axis] = !finite && end < 4 ? ends[end] : (float)random_below(&t->random, 60);
    }
    const Position position = {numbers[0], numbers[1]};
    const Spot spot = {(double)numbers[2], (double)numbers[0], (double)numbers[1]};
    for (int k = 0; k < 2; k++) {
        kith_world *world = t->f[k].world;
        CHECK_RESULT(kith_set(world, t->entities[i], &Position_type, &position), KITH_OK);
        CHECK_RESULT(kith_set(world, t->entities[i], &Spot_type, &spot), KITH_OK);
    }
}

static void add_spot_indexes(kith_world *world, kith_index **flat, kith_index **deep)
{
    const kith_index_def defs[] = {{.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)},
                                   {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Spot, x, y, z)}};
    CHECK_RESULT(kith_index_new(world, &defs[0], flat), KITH_OK);
    CHECK_RESULT(kith_index_new(world, &defs[1], deep), KITH_OK);
}

static spotted *spotted_new(kith_layout layout)
{
    spotted *t = calloc(1, sizeof *t);
    CHECK(t != NULL);
    t->random = 9 + (uint64_t)layout;
    for (int k = 0; k < 2; k++) {
        const kith_component_def def = {.layout = layout};
        t->f[k] = fixture_with_all(layout);
        CHECK_RESULT(kith_register(t->f[k].world, &Spot_type, &def), KITH_OK);
    }
    for (uint32_t i = 0; i < SPOTS; i++) {
        for (int k = 0; k < 2; k++) {
            t->entities[i] =
                KITH_SPAWN(t->f[k].world, KITH_VALUE(Health, {(int)(i % 10), (int)(i % 7)}));
        }
    }
    for (uint32_t i = 0; i < SPOTS; i++) {
        spot_set(t, (i * 1237 + 5) % SPOTS, true); /* rows are not in the order of slots */
    }
    add_spot_indexes(t->f[0].world, &t->flat, &t->deep);
    return t;
}

static void spotted_free(spotted *t)
{
    for (int k = 0; k < 2; k++) {
        CHECK_WORLD(t->f[k].world);
        fixture_free(&t->f[k]);
    }
    free(t);
}

/* A selection with the numbers that its text names. */
static kith_select *select_new(kith_world *world, const char *text, double x, uint32_t limit)
{
    kith_select *select = NULL;
    CHECK_RESULT(kith_select_new(world, text, NULL, &select), KITH_OK);
    if (strstr(text, "$x") != NULL) {
        CHECK_RESULT(kith_select_bind(select, "x", x), KITH_OK);
    }
    if (strstr(text, "$limit") != NULL) {
        CHECK_RESULT(kith_select_bind(select, "limit", limit), KITH_OK);
    }
    return select;
}

/* Runs a text in both worlds, whose rows have to be the same; keeps the entities, which are the first
 * column. Returns how many rows there are. */
static uint32_t select_both(const spotted *t, const char *text, double x, uint32_t limit,
                            kith_entity *entities, uint32_t most)
{
    kith_select *selects[2];
    uint32_t counts[2];
    for (int k = 0; k < 2; k++) {
        selects[k] = select_new(t->f[k].world, text, x, limit);
        CHECK_RESULT(kith_select_run(selects[k]), KITH_OK);
        counts[k] = kith_select_row_count(selects[k]);
    }
    CHECK_UINT(counts[0], counts[1]);
    for (uint32_t i = 0; i < counts[0]; i++) {
        char rows[2][300];
        for (int k = 0; k < 2; k++) {
            kith_select_print(selects[k], i, KITH_SELECT_TEXT, rows[k], sizeof rows[k]);
        }
        if (strcmp(rows[0], rows[1]) != 0) {
            test_fail(__FILE__, __LINE__, "%s, row %u: %s, without an index %s", text, i, rows[0],
                      rows[1]);
        }
        if (i < most) {
            memcpy(&entities[i], kith_select_value(selects[0], i, 0), sizeof entities[i]);
        }
    }
    kith_select_free(selects[0]);
    kith_select_free(selects[1]);
    return counts[0];
}

/* Rows are those of kith_nearest, with all that match asked. */
static void check_nearest(spotted *t, bool deep, const char *condition, double x, uint32_t limit)
{
    char text[300], query_text[200];
    kith_entity rows[NEAREST_MOST];
    kith_near found[NEAREST_MOST];
    uint32_t count;
    const char *type = deep ? "Spot" : "Position";
    snprintf(query_text, sizeof query_text, "%s%s", type, condition);
    snprintf(text, sizeof text, "%s select entity order by distance(%s, $x, 20.5%s) limit $limit",
             query_text, type, deep ? ", 7" : "");
    kith_query *query = kith_query_text(t->f[0].world, query_text, NULL);
    CHECK(query != NULL);
    const kith_near_def near_by = {.query = query};
    CHECK_RESULT(kith_nearest(deep ? t->deep : t->flat, KITH_POINT(x, 20.5, deep ? 7.0 : 0.0),
                              limit, &near_by, found, &count),
                 KITH_OK);
    const uint32_t got = select_both(t, text, x, limit, rows, NEAREST_MOST);
    CHECK(got >= count && got <= limit);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_SAME(rows[i], found[i].entity);
    }
    kith_query_free(query);
}

TEST_EACH_LAYOUT_WITHIN(20, rows_by_distance_are_the_nearest, layout)
{
    static const uint32_t limits[] = {1, 2, 15, 16, 17, 33, NEAREST_MOST};
    static const char *const conditions[] = {"", " where Health.current = 3",
                                             " where Position.x between 10 and 30",
                                             " where Health.current = 77", ", Health, !Frozen"};
    spotted *t = spotted_new(layout);
    for (uint32_t step = 0; step < 12; step++) {
        for (uint32_t i = 0; i < ROWS_OF(limits); i++) {
            for (uint32_t k = 0; k < ROWS_OF(conditions); k++) {
                const double x = (double)random_below(&t->random, 140) / 2 - 5;
                check_nearest(t, (i + k + step) % 2 == 0, conditions[k], x, limits[i]);
            }
        }
        for (uint32_t i = 0; i < 30; i++) { /* later on some are nowhere */
            spot_set(t, random_below(&t->random, SPOTS), step < 4 || step > 8);
        }
        CHECK_WORLD(t->f[0].world);
        CHECK_WORLD(t->f[1].world);
    }
    spotted_free(t);
}

/* Other orders beside it, `desc`, no limit, and what is no number, which comes last. */
TEST_EACH_LAYOUT_WITHIN(20, orders_with_a_distance_are_the_same_with_an_index, layout)
{
    static const char *const texts[] = {
        "Position order by distance(Position, 3, 4) desc limit 9",
        "Position, Health order by distance(Position, 3, 4), Health.current desc limit 40",
        "Position, Health order by Health.current, distance(Position, $x, 4) limit 40",
        "Position order by distance(Position, 3, -4.5)",
        "Position order by distance(Position, 3, 4) limit 0",
        "?Spot order by distance(Spot, 3, 4, 5) limit 5",
        "Position where within(Position, 9, 9, 5) order by distance(Position, 3, 4) limit 5",
        "Position order by distance(Position, 1e200, 4) limit 5",
        "Position order by distance(Position, nan, 4) limit 5",
        "Position order by distance(Position, inf, 4) limit 5",
        "Position order by distance(Position, 30, 30) limit $limit",
        "Position order by distance(Position, $x, $x) limit $limit",
    };
    spotted *t = spotted_new(layout);
    kith_entity rows[NEAREST_MOST];
    for (uint32_t round = 0; round < 2; round++) {
        for (size_t i = 0; test_row(i, ROWS_OF(texts)); i++) {
            select_both(t, texts[i], 12.5, 3000, rows, NEAREST_MOST);
        }
        for (uint32_t i = 0; i < 40; i++) {
            spot_set(t, i * 7, false);
        }
    }
    /* At one distance by slot, also the farthest first. */
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < SPOTS; i++) {
            const float side = i % 3 == 0 ? 5 : -5;
            CHECK_RESULT(KITH_SET(t->f[k].world, t->entities[i], Position, {side, i % 2 == 0}),
                         KITH_OK);
        }
    }
    CHECK_UINT(select_both(t, "Position select entity order by distance(Position, 0, 0.5) limit 9",
                           0, 0, rows, 9),
               9);
    for (uint32_t i = 0; i < 9; i++) {
        CHECK_SAME(rows[i], t->entities[i]);
    }
    select_both(t, "Position select entity order by distance(Position, 0, 0) desc limit 2", 0, 0,
                rows, 2);
    CHECK_SAME(rows[0], t->entities[0]);
    CHECK_SAME(rows[1], t->entities[2]);
    spotted_free(t);
}

TEST(explanations_name_the_index)
{
    spotted *t = spotted_new(KITH_TABLE);
    static const struct {
        const char *text;
        const char *line; /* NULL: none tells of the first rows */
    } rows[] = {
        {"explain Position order by distance(Position, 3, 4) limit 10",
         "first: spatial index of Position (x, y), from the nearest on until 10 match, if that is"
         " faster"},
        {"explain Spot order by distance(Spot, $x, 4, 5) limit 10",
         "first: spatial index of Spot (x, y, z), from the nearest on until 10 match, if that is"
         " faster"},
        {"explain Position order by distance(Position, 3, 4) desc limit 10", NULL},
        {"explain Position order by distance(Position, 3, 4)", NULL},
        {"explain ?Position order by distance(Position, 3, 4) limit 2", NULL},
        {"explain Spot order by distance(Spot, 3, 4) limit 2", NULL},
        {"explain Position, Health order by distance(Position, 3, 4), Health.current limit 2",
         NULL},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(rows)); i++) {
        kith_select *select = select_new(t->f[0].world, rows[i].text, 1, 1);
        CHECK_RESULT(kith_select_run(select), KITH_OK);
        const char *last = kith_select_value(select, kith_select_row_count(select) - 1, 0);
        CHECK_UINT(strncmp(last, "first: ", 7) == 0, rows[i].line != NULL);
        CHECK(rows[i].line == NULL || strcmp(last, rows[i].line) == 0);
    }
    spotted_free(t);
}

/* An index of the same fields in another order, or of a part of them, is of other places. */
TEST(an_index_of_other_coordinates_is_not_taken)
{
    static const kith_index_def others[] = {
        {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Spot, y, x)},
        {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Spot, x, y)},
        {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Spot, x, z)},
        {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Spot, x, y, z)},
        {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Spot, z, y, x)}};
    static const char *const texts[] = {
        "Spot select entity order by distance(Spot, 3, 14.5) limit 12",
        "Spot select entity order by distance(Spot, 3, 14.5, 50) limit 12"};
    spotted *t = spotted_new(KITH_TABLE);
    kith_entity rows[12];
    kith_index_free(t->deep);
    for (uint32_t i = 0; i < ROWS_OF(others); i++) {
        kith_index *index;
        CHECK_RESULT(kith_index_new(t->f[0].world, &others[i], &index), KITH_OK);
        for (size_t k = 0; test_row(k, ROWS_OF(texts)); k++) {
            CHECK_UINT(select_both(t, texts[k], 0, 0, rows, 12), 12);
        }
        kith_index_free(index);
    }
    spotted_free(t);
}

/* An entity comes by its own place, also where its parent must have one: without it, it comes first. */
TEST_EACH_LAYOUT_WITHIN(20, distances_beside_parents, layout)
{
    static const char text[] =
        "Health, ChildOf -> Position select entity order by distance(Position, 30, 30) limit 5";
    spotted *t = spotted_new(layout);
    kith_entity rows[5];
    for (uint32_t i = 0; i < SPOTS; i++) {
        for (int k = 0; k < 2 && i % 3 != 0; k++) {
            kith_world *world = t->f[k].world;
            CHECK_RESULT(kith_set_parent(world, t->entities[i], t->entities[i / 3 * 3]), KITH_OK);
            CHECK_RESULT(i % 30 == 1 ? KITH_REMOVE(world, t->entities[i], Position) : KITH_OK,
                         KITH_OK);
        }
    }
    CHECK_UINT(select_both(t, text, 0, 0, rows, 5), 5);
    for (uint32_t i = 0; i < 5; i++) {
        CHECK_SAME(rows[i], t->entities[30 * i + 1]);
    }
    spotted_free(t);
}

/* Looks for changes tell the same with an index, and each change once. */
TEST_EACH_LAYOUT_WITHIN(20, distances_of_what_has_changed, layout)
{
    static const char text[] =
        "Position, changed(Health) select entity order by distance(Position, 30, 30) limit 9";
    spotted *t = spotted_new(layout);
    kith_select *selects[2];
    for (int k = 0; k < 2; k++) {
        selects[k] = select_new(t->f[k].world, text, 0, 0);
    }
    for (uint32_t round = 0; round < 9; round++) {
        for (int k = 0; k < 2; k++) {
            CHECK_RESULT(kith_select_run(selects[k]), KITH_OK);
        }
        const uint32_t count = kith_select_row_count(selects[1]);
        CHECK(round % 3 != 1 ? count > 0 : count == 0);
        CHECK_UINT(kith_select_row_count(selects[0]), count);
        for (uint32_t i = 0; i < count; i++) {
            CHECK(memcmp(kith_select_value(selects[0], i, 0), kith_select_value(selects[1], i, 0),
                         sizeof(kith_entity)) == 0);
        }
        for (int k = 0; k < 2 && round % 3 != 0; k++) {
            CHECK_RESULT(KITH_SET(t->f[k].world, t->entities[round * 300], Health, {1, 2}),
                         KITH_OK);
        }
    }
    spotted_free(t);
}

/* Almost all are at no place: they come after the few that the index has. */
TEST_EACH_LAYOUT_WITHIN(20, most_may_be_at_no_place, layout)
{
    spotted *t = spotted_new(layout);
    kith_entity rows[30];
    for (uint32_t i = 0; i < SPOTS; i++) {
        for (int k = 0; k < 2 && i % 150 != 7; k++) {
            CHECK_RESULT(KITH_SET(t->f[k].world, t->entities[i], Position, {NAN, 1}), KITH_OK);
        }
    }
    for (uint32_t limit = 10; limit <= 30; limit += 10) {
        CHECK_UINT(select_both(t,
                               "Position select entity order by distance(Position, 3, 4)"
                               " limit $limit",
                               0, limit, rows, 30),
                   limit);
        for (uint32_t i = 0; i < limit; i++) {
            const Position *at = KITH_GET(t->f[0].world, rows[i], Position);
            CHECK_UINT(isnan(at->x), i >= 20);
        }
    }
    CHECK_SAME(rows[20], t->entities[0]);
    spotted_free(t);
}

TEST(mistakes_in_distances_have_a_place)
{
    static const struct {
        const char *text;
        uint32_t column;
        const char *message;
    } rows[] = {
        {"Position order by distance(Position, 1)", 19,
         "distance(Position, x, y), or with x, y and z"},
        {"Position order by distance(Position, 1, 2, 3, 4)", 19, "distance(Position, x, y)"},
        {"Position order by distance(Position 1, 2)", 37, "after the component of distance"},
        {"Position order by distance(Position, 1, 2", 42, "or a comma after a value of distance"},
        {"Position order by distance(Positon, 1, 2)", 28, "did you mean Position?"},
        {"Position order by distance(Health, 1, 2)", 28,
         "a component with fields x, y that are numbers"},
        {"Position order by distance(Position, 1, 2, 3)", 28, "fields x, y, z that are numbers"},
        {"Position order by distance(Position, 1, 'b')", 41, "a number, or $name"},
        {"Position order by distance(Position, 1, Position.y)", 41, "a number, or $name"},
        {"Position order by distance(Position, 1, 2), distance(Position, 1, 3)", 45,
         "one distance in the order"},
        {"Position select count order by distance(Position, 1, 2)", 32,
         "a sum, or a field that the query groups by"},
    };
    fixture f = fixture_with_all(KITH_TABLE);
    for (size_t i = 0; test_row(i, ROWS_OF(rows)); i++) {
        kith_text_error error;
        kith_select *select = NULL;
        CHECK_RESULT(kith_select_new(f.world, rows[i].text, &error, &select), KITH_ERR_INPUT);
        CHECK_UINT(error.column, rows[i].column);
        CHECK_CONTAINS(error.message, rows[i].message);
    }
    char tidy[200];
    CHECK_RESULT(kith_query_text_tidy(f.world,
                                      "Position order by  distance( Position,$x ,2 )desc limit 3",
                                      tidy, sizeof tidy, NULL, NULL),
                 KITH_OK);
    CHECK_STR(tidy, "Position order by distance(Position, $x, 2) desc limit 3");
    kith_select *select = NULL;
    CHECK_RESULT(kith_select_new(f.world, "Position order by distance(Position, $x, $x) limit $x",
                                 NULL, &select),
                 KITH_OK);
    CHECK_RESULT(kith_select_run(select), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "$x has no value");
    CHECK_RESULT(kith_select_bind(select, "x", -2), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "$x is a whole number that is not negative");
    CHECK_RESULT(kith_select_bind(select, "x", 2), KITH_OK);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    kith_select_free(select);
    CHECK_RESULT(
        kith_select_new(f.world, "Position order by distance(Position, $x, 1)", NULL, &select),
        KITH_OK);
    CHECK_RESULT(kith_select_bind(select, "x", "ten"), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "$x is a number");
    CHECK_RESULT(kith_select_bind(select, "y", 1), KITH_ERR_UNKNOWN);
    CHECK_RESULT(kith_select_bind(select, "x", -0.5), KITH_OK);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    fixture_free(&f);
}

/* Whichever allocation fails, the run fails as a whole, or gives the same rows. */
TEST_WITHIN(20, memory_runs_out_while_the_nearest_are_looked_for)
{
    spotted *t = spotted_new(KITH_SPARSE);
    kith_entity rows[25], found[25];
    static const char text[] = "Position select entity order by distance(Position, 3, 4) limit 25";
    CHECK_UINT(select_both(t, text, 0, 0, rows, 25), 25);
    bool failed = true;
    for (size_t nth = 1; failed && nth < 200; nth++) {
        kith_select *select = select_new(t->f[0].world, text, 0, 0);
        fail_allocation(&t->f[0], nth);
        const kith_result result = kith_select_run(select);
        failed = fail_nothing(&t->f[0]);
        CHECK(result == KITH_OK || (failed && result == KITH_ERR_MEMORY));
        CHECK_UINT(kith_select_row_count(select), result == KITH_OK ? 25 : 0);
        kith_select_free(select);
        select_both(t, text, 0, 0, found, 25);
        CHECK(memcmp(rows, found, sizeof rows) == 0);
        CHECK_WORLD(t->f[0].world);
    }
    CHECK(!failed);
    spotted_free(t);
}
