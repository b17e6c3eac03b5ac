/* Ranges of coordinates, which a spatial index of points or boxes serves: what queries tell is what they
 * tell in a world that is treated alike and has no index. */
#include <kith/floats.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "all_ways.h"
#include "components.h"
#include "random.h"

KITH_COMPONENT(Spot, (double, z), (double, x), (double, y));
KITH_COMPONENT(Area, (float, left), (float, top), (float, right), (float, bottom));

#define BOXES 6000u
#define SIDE 1000u

/* Two worlds: the first one has indexes. */
typedef struct boxed {
    fixture f[2];
    kith_index *indexes[3];
    kith_entity entities[BOXES];
    uint64_t random;
} boxed;

static float some_coordinate(boxed *t)
{
    return (float)random_below(&t->random, SIDE * 16) / 16;
}

static void set_place(boxed *t, uint32_t i, float x, float y)
{
    const double z = (double)some_coordinate(t);
    const float size = i % 60 == 0 ? 200 : i % 7 == 0 ? 0 : 6;
    const Area area = {x, y, x + size, y + size / 2};
    for (int k = 0; k < 2; k++) {
        kith_world *world = t->f[k].world;
        CHECK_RESULT(kith_set(world, t->entities[i], &Area_type, &area), KITH_OK);
        CHECK_RESULT(KITH_SET(world, t->entities[i], Position, {x, y}), KITH_OK);
        CHECK_RESULT(KITH_SET(world, t->entities[i], Spot, {z, (double)x, (double)y}), KITH_OK);
    }
}

static void spawn_place(boxed *t, uint32_t i)
{
    for (int k = 0; k < 2; k++) {
        t->entities[i] =
            KITH_SPAWN(t->f[k].world, KITH_VALUE(Health, {(int)i, 0}), KITH_VALUE(Name, {"spot"}));
    }
    const float x = some_coordinate(t);
    set_place(t, i, x, some_coordinate(t));
}

static void make_indexes(boxed *t)
{
    static const kith_index_def defs[3] = {
        {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)},
        {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Spot, x, y, z)},
        {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Area, left, top, right, bottom)}};
    for (int i = 0; i < 3; i++) {
        CHECK_RESULT(kith_index_new(t->f[0].world, &defs[i], &t->indexes[i]), KITH_OK);
    }
}

static boxed *boxed_new(kith_layout layout)
{
    boxed *t = calloc(1, sizeof *t);
    CHECK(t != NULL);
    t->random = 5 + (uint64_t)layout;
    for (int k = 0; k < 2; k++) {
        t->f[k] = fixture_with_all(layout);
        const kith_component_def def = {.layout = layout};
        CHECK_RESULT(kith_register(t->f[k].world, &Spot_type, &def), KITH_OK);
        CHECK_RESULT(kith_register(t->f[k].world, &Area_type, &def), KITH_OK);
    }
    for (uint32_t i = 0; i < BOXES; i++) {
        spawn_place(t, i);
    }
    make_indexes(t);
    return t;
}

static void boxed_free(boxed *t)
{
    for (int k = 0; k < 2; k++) {
        CHECK_WORLD(t->f[k].world);
        fixture_free(&t->f[k]);
    }
    free(t);
}

/* Asks both worlds, and explains the first one's plan. Returns how many match. */
static uint32_t ask_both(boxed *t, const char *text, char *plan, size_t size)
{
    uint64_t answers[2];
    uint32_t count = 0;
    for (int k = 0; k < 2; k++) {
        kith_query *query = kith_query_text(t->f[k].world, text, NULL);
        CHECK(query != NULL);
        answers[k] = ask_all_ways(query);
        count = kith_query_count(query);
        if (k == 0) {
            CHECK_RESULT(kith_query_explain(query, false, plan, size, NULL), KITH_OK);
        }
        kith_query_free(query);
    }
    if (answers[0] != answers[1]) {
        test_fail(__FILE__, __LINE__, "%s finds others by an index: %s", text, plan);
    }
    return count;
}

/* ---- What is served ------------------------------------------------------------------------------ */

typedef struct ranged {
    const char *terms;
    const char *condition; /* after one about a text, which all satisfy: so the scan is slow */
    const char *plan;      /* how the explanation begins */
} ranged;

#define POSITIONS "plan: spatial index of Position (x, y): "
#define SPOTS "plan: spatial index of Spot (x, y, z): "
#define AREAS "plan: spatial index of Area (left, top, right, bottom): "

static const ranged ranges[] = {
    {"*", "Position.x between 10 and 40 and Position.y between 5 and 35",
     POSITIONS "x from 10 to 40, y from 5 to 35\n"},
    {"Health", "Position.y < 12 and Position.x > 980.5", POSITIONS "x from 980.5, y to 12\n"},
    {"Health", "Position.y <= 0.25 and Health.current != 7", POSITIONS "y to 0.25\n"},
    {"Position", "Position.x = 77", POSITIONS "x at 77\n"},
    {"Position", "Position.x = 1e300", POSITIONS},
    /* Strictly between neighbours, and the wrong way round: nobody. */
    {"Position", "Position.x > 5 and Position.x < 5.01 and Position.y > 3", POSITIONS},
    {"Position", "Position.x > 9 and Position.x < 3", POSITIONS},
    /* Several ranges of a field: all count. */
    {"Position", "Position.x > 1 and Position.x > 990 and Position.x > 5 and Position.y < 50",
     POSITIONS "x from 990, y to 50\n"},
    {"Position", "(Position.x > 985 and (Position.y > 30 and Position.y < 60))",
     POSITIONS "x from 985, y from 30 to 60\n"},
    /* With a place. */
    {"Position", "within(Position, 500, 500, 60) and Position.x > 540",
     POSITIONS "x from 540, at most 60 from (500, 500)\n"},
    {"Position", "Position.x > 540 and within(Position, 10, 10, 20)", POSITIONS},
    {"Position", "within(Position, 500, 500, 1e200) and Position.x < 2 and Position.y < 500",
     POSITIONS "x to 2, y to 500\n"},
    /* In three dimensions. */
    {"Spot", "Spot.x < 100 and Spot.y < 100 and Spot.z < 100",
     SPOTS "x to 100, y to 100, z to 100\n"},
    {"Spot", "Spot.z > 970 and Spot.x < 30", SPOTS "x to 30, z from 970\n"},
    {"Spot", "within(Spot, 500, 500, 500, 80) and Spot.y < 480",
     SPOTS "y to 480, at most 80 from (500, 500, 500)\n"},
    /* Boxes that reach into a box, have a point in them, are in a box, and reach over more than that. */
    {"Area",
     "Area.left <= 40 and Area.right >= 10 and Area.top <= 35 and Area.bottom >= 5",
     AREAS "left..right from 10 to 40, top..bottom from 5 to 35\n"},
    {"*", "Area.left <= 300 and Area.right > 300 and Area.top = 400",
     AREAS "left..right at 300, top..bottom at 400\n"},
    {"Area",
     "Area.left between 300 and 340 and Area.right <= 345 and Area.bottom between 10 and 40",
     AREAS "left..right from 300 to 340, top..bottom from 10 to 40\n"},
    {"Area", "Area.left <= 300 and Area.right >= 420 and Area.top <= 500 and Area.bottom >= 580",
     AREAS "left..right at 300, top..bottom at 500\n"},
    {"Area", "Area.left > 990 and Area.bottom < 50",
     AREAS "left..right from 990, top..bottom to 50\n"},
    {"Area", "Area.right < 3 and Area.left > 9", AREAS},
    {"Area", "Area.left <= 800 and Area.right >= 300", "plan: scan"},
    /* Too many, or not what all that match satisfy. */
    {"Position", "Position.x > 500", "plan: scan"},
    {"Position", "Position.x >= 0 and Position.y >= 0", "plan: scan"},
    {"Position", "Position.x < 5 or Position.y < 5", "plan: scan"},
    {"*", "not (Position.x < 990 or Position.y < 990)", "plan: scan"},
    {"Position", "not Position.x > 5 and not Position.y > 5", "plan: scan"},
    {"Position", "Position.x < Position.y and Position.x != 4", "plan: scan"},
    {"Position", "(Position.x < 5 or Position.x > 995) and Position.y < 10 and Position.x < 9",
     POSITIONS "x to 9, y to 10\n"},
};

TEST_EACH_LAYOUT_WITHIN(20, a_box_of_ranges_is_found_by_an_index, layout)
{
    boxed *t = boxed_new(layout);
    for (size_t i = 0; test_row(i, ROWS_OF(ranges)); i++) {
        char text[400], plan[600];
        snprintf(text, sizeof text, "%s where Name.text != '' and (%s)", ranges[i].terms,
                 ranges[i].condition);
        ask_both(t, text, plan, sizeof plan);
        plan[strlen(ranges[i].plan)] = '\0';
        CHECK_STR(plan, ranges[i].plan);
    }
    boxed_free(t);
}

/* Points on a circle are within it, and on the sides of a box in it. */
TEST_EACH_LAYOUT(what_is_just_as_far_away_is_found, layout)
{
    static const float apart[][2] = {{3, 4}, {-3, 4}, {4, -3}, {-4, -3}, {5, 0}, {0, -5}};
    static const char *const conditions[] = {"within(Position, 4000, 500, 5)",
                                             "Position.x between 3995 and 4005",
                                             "Position.x >= 3996 and Position.y <= 505"};
    boxed *t = boxed_new(layout);
    for (uint32_t i = 0; i < ROWS_OF(apart); i++) {
        set_place(t, i * 900, 4000 + apart[i][0], 500 + apart[i][1]);
    }
    for (size_t i = 0; test_row(i, ROWS_OF(conditions)); i++) {
        char text[300], plan[600];
        snprintf(text, sizeof text, "Position where Name.text != '' and %s", conditions[i]);
        CHECK_UINT(ask_both(t, text, plan, sizeof plan), ROWS_OF(apart));
        CHECK(strncmp(plan, POSITIONS, strlen(POSITIONS)) == 0);
    }
    boxed_free(t);
}

/* Boxes with their corners the wrong way round, or with one that is nowhere, are in no index. As long as
 * there are any, the scan finds them. */
TEST_EACH_LAYOUT_WITHIN(20, boxes_that_no_index_has_are_found, layout)
{
    static const Area odd[] = {{30, 10, 20, 15},      {20, 15, 30, 10},      {20, 10, INFINITY, 15},
                               {-INFINITY, 10, 30, 15}, {21, 10, 29, NAN},     {24, 12, 26, 14}};
    static const char *const text = "Area where Name.text != '' and Area.left between -1e300 and 35"
                                    " and Area.right >= 15 and Area.top between 5 and 20";
    boxed *t = boxed_new(layout);
    char plan[600];
    const uint32_t usual = ask_both(t, text, plan, sizeof plan);
    CHECK_CONTAINS(plan, AREAS);
    for (size_t i = 0; test_row(i, ROWS_OF(odd)); i++) {
        Area before[2];
        for (int k = 0; k < 2; k++) {
            before[k] = *KITH_GET(t->f[k].world, t->entities[3], Area);
            CHECK_RESULT(kith_set(t->f[k].world, t->entities[3], &Area_type, &odd[i]), KITH_OK);
        }
        const bool matches = i != 3;
        const bool is_found = i + 1 == ROWS_OF(odd);
        CHECK(before[0].right < 15 || before[0].left > 35);
        CHECK_UINT(ask_both(t, text, plan, sizeof plan), usual + matches);
        CHECK_UINT(strncmp(plan, AREAS, strlen(AREAS)) == 0, is_found);
        for (int k = 0; k < 2; k++) {
            CHECK_RESULT(kith_set(t->f[k].world, t->entities[3], &Area_type, &before[k]), KITH_OK);
            CHECK_WORLD(t->f[k].world);
        }
        CHECK_UINT(ask_both(t, text, plan, sizeof plan), usual);
        CHECK_CONTAINS(plan, AREAS);
    }
    boxed_free(t);
}

/* ---- Coordinates that are not finite ------------------------------------------------------------- */

typedef struct lacking {
    const char *condition;
    uint32_t found; /* of the points that are not finite */
    bool served;    /* although the index lacks these */
} lacking;

static const float outside[][2] = {
    {INFINITY, 3}, {-INFINITY, 5},       {3, INFINITY}, {NAN, 2},
    {2, NAN},      {INFINITY, INFINITY}, {NAN, NAN},    {INFINITY, -INFINITY}};

static const lacking lacks[] = {
    {"Position.x > 999", 3, false},
    {"Position.x > 999 and Position.y < 10", 2, false},
    {"Position.x > 999 and Position.y between 2 and 10", 1, false},
    {"Position.x between 900 and 910 and Position.y > 990", 0, false},
    {"Position.x between 2 and 3", 2, false},
    {"Position.x between 2 and 3 and Position.y >= 0", 1, false},
    {"Position.x < 1", 1, false},
    {"Position.y < -1e38", 1, false},
    {"Position.x between 2 and 4 and Position.y between 0 and 100", 0, true},
    {"Position.x between -1e300 and 1e300 and Position.y between 2 and 4", 0, true},
    {"within(Position, 3, 5, 9) and Position.x > 1", 0, true},
    {"within(Position, 3, 5, 1e300) and Position.x > 999", 3, false},
};

/* As long as there are such points, only what leaves them out is asked of the index. */
TEST_EACH_LAYOUT_WITHIN(20, points_that_no_index_has_are_found, layout)
{
    boxed *t = boxed_new(layout);
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < ROWS_OF(outside); i++) {
            const bool back = round != 0;
            const float x = back ? 500 : outside[i][0];
            set_place(t, i * 700, x, back ? 500 : outside[i][1]);
        }
        for (size_t i = 0; test_row(i, ROWS_OF(lacks)); i++) {
            char text[400], plan[600];
            snprintf(text, sizeof text, "Position where Name.text != '' and %s",
                     lacks[i].condition);
            const uint32_t all = ask_both(t, text, plan, sizeof plan);
            CHECK_WORLD(t->f[0].world);
            const bool served = strncmp(plan, "plan: scan", 10) != 0;
            CHECK_UINT(served, lacks[i].served || round != 0);
            snprintf(text, sizeof text,
                     "* where %s and (not Position.x between -2000 and 2000"
                     " or not Position.y between -2000 and 2000)",
                     lacks[i].condition);
            CHECK_UINT(ask_both(t, text, plan, sizeof plan), round == 0 ? lacks[i].found : 0);
            CHECK(all >= (round == 0 ? lacks[i].found : 0));
        }
    }
    boxed_free(t);
}
