/* Random ranges and places over random worlds, with and without spatial indexes: all that queries tell
 * is the same, after each step, in worlds, views and forks, and in systems. */
#include <kith/floats.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "all_ways.h"
#include "components.h"
#include "random.h"

KITH_COMPONENT(Spot, (double, z), (double, x), (double, y));
KITH_COMPONENT(Area, (float, left), (float, top), (float, right), (float, bottom));
KITH_RELATION(Watches, KITH_CLEAR);

#define MODEL_ENTITIES 3000u
#define MODEL_INDEXES 5u
#define MODEL_QUERIES 18u

typedef struct boxes {
    fixture f[2]; /* the first world has indexes */
    kith_index *indexes[MODEL_INDEXES];
    kith_entity entities[MODEL_ENTITIES];
    uint64_t random;
    bool odd;         /* some areas are no boxes */
    uint32_t planned; /* queries that an index served */
} boxes;

static uint32_t boxes_below(boxes *t, uint32_t limit)
{
    return random_below(&t->random, limit);
}

/* Crowds around a few numbers, some others, and few that no index has. */
static float model_coordinate(boxes *t)
{
    static const float ends[] = {NAN, INFINITY, -INFINITY, 3e38f, -0.0f, 0};
    const uint32_t which = boxes_below(t, 1600);
    const float number = (float)boxes_below(t, 4000) / 8;
    return which < 2 ? ends[boxes_below(t, ROWS_OF(ends))] : which < 400 ? number / 100 : number;
}

/* Mostly small, now and then large, and few that no index has. */
static Area model_area(boxes *t)
{
    const float left = (float)boxes_below(t, 4000) / 8, top = (float)boxes_below(t, 4000) / 8;
    const float size = (float)boxes_below(t, 40) / (boxes_below(t, 40) == 0 ? 1 : 8);
    Area area = {left, top, left + size, top + size / 2};
    if (t->odd && boxes_below(t, 300) == 0) {
        area.right = boxes_below(t, 2) == 0 ? left - 5 : INFINITY;
    }
    return area;
}

/* Sets places in both worlds, or takes them. */
static void boxes_set(boxes *t, uint32_t i)
{
    const Position position = {model_coordinate(t), model_coordinate(t)};
    const Spot spot = {(double)model_coordinate(t), (double)model_coordinate(t),
                       (double)model_coordinate(t)};
    const Area area = model_area(t);
    const uint32_t what = boxes_below(t, 12);
    for (int k = 0; k < 2; k++) {
        kith_world *world = t->f[k].world;
        CHECK_RESULT(kith_set(world, t->entities[i], &Position_type, &position), KITH_OK);
        CHECK_RESULT(kith_set(world, t->entities[i], &Area_type, &area), KITH_OK);
        if (what < 8) {
            CHECK_RESULT(kith_set(world, t->entities[i], &Spot_type, &spot), KITH_OK);
        }
        if (what == 0) {
            CHECK_RESULT(KITH_REMOVE(world, t->entities[i], Position), KITH_OK);
        } else if (what == 1) {
            CHECK_RESULT(KITH_ADD(world, t->entities[i], Frozen), KITH_OK);
        }
    }
}

static void boxes_spawn(boxes *t, uint32_t i)
{
    const kith_entity leader = i == 0 ? KITH_NONE : t->entities[boxes_below(t, i)];
    for (int k = 0; k < 2; k++) {
        kith_world *world = t->f[k].world;
        t->entities[i] = KITH_SPAWN(world, KITH_VALUE(Name, {"spot"}));
        if (kith_alive(world, leader)) {
            CHECK_RESULT(KITH_SET(world, t->entities[i], Watches, {leader}), KITH_OK);
        }
    }
    boxes_set(t, i);
}

static void boxes_toggle(boxes *t, uint32_t number)
{
    static const kith_index_def defs[MODEL_INDEXES] = {
        {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)},
        {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Spot, x, y, z)},
        {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Spot, z, x)},
        {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Position, x)},
        {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Area, left, top, right, bottom)}};
    if (t->indexes[number] != NULL) {
        kith_index_free(t->indexes[number]);
        t->indexes[number] = NULL;
        return;
    }
    CHECK_RESULT(kith_index_new(t->f[0].world, &defs[number], &t->indexes[number]), KITH_OK);
}

static boxes *boxes_new(kith_layout layout, kith_layout other)
{
    boxes *t = calloc(1, sizeof *t);
    CHECK(t != NULL);
    t->random = 31 + (uint64_t)layout * 3 + (uint64_t)other;
    t->odd = other == KITH_SPARSE;
    for (int k = 0; k < 2; k++) {
        const kith_component_def def = {.layout = other};
        t->f[k] = fixture_with_all(layout);
        CHECK_RESULT(kith_register(t->f[k].world, &Spot_type, &def), KITH_OK);
        CHECK_RESULT(kith_register(t->f[k].world, &Area_type, &def), KITH_OK);
        CHECK_RESULT(kith_register(t->f[k].world, &Watches_type, &def), KITH_OK);
    }
    for (uint32_t i = 0; i < MODEL_ENTITIES; i++) {
        boxes_spawn(t, i);
    }
    for (uint32_t i = 0; i < MODEL_INDEXES; i++) {
        boxes_toggle(t, i);
    }
    return t;
}

static void boxes_free(boxes *t)
{
    fixture_free(&t->f[0]);
    fixture_free(&t->f[1]);
    free(t);
}

/* ---- Conditions ------------------------------------------------------------------------------ */

typedef struct model_text {
    char text[1000];
    size_t length;
} model_text;

static void model_say(model_text *out, const char *format, ...) KITH_FORMAT_(2, 3);

static void model_say(model_text *out, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const size_t room = sizeof out->text - out->length;
    out->length += (size_t)vsnprintf(out->text + out->length, room, format, list);
    va_end(list);
    CHECK(out->length < sizeof out->text);
}

static void model_say_range(boxes *t, model_text *out)
{
    static const char *const fields[] = {"Position.x", "Position.y", "Spot.x",
                                         "Spot.y",     "Spot.z",     "Area.left",
                                         "Area.top",   "Area.right", "Area.bottom"};
    static const char *const ops[] = {"<", "<=", ">", ">=", "="};
    const char *field = fields[boxes_below(t, ROWS_OF(fields))];
    const double from = (double)boxes_below(t, 4200) / 8 - 10;
    switch (boxes_below(t, 8)) {
    case 0: model_say(out, "%s %s %g", field, ops[boxes_below(t, ROWS_OF(ops))], from); break;
    case 1: model_say(out, "%s < %g", field, (double)boxes_below(t, 80) / 8); break;
    case 2: model_say(out, "%s > %g", field, 499 - (double)boxes_below(t, 80) / 8); break;
    case 3: model_say(out, "%s %s $bound", field, ops[boxes_below(t, ROWS_OF(ops))]); break;
    case 4: model_say(out, "%s > %s", field, boxes_below(t, 2) == 0 ? "1e300" : "-1e300"); break;
    default:
        model_say(out, "%s between %g and %g", field, from, from + (double)boxes_below(t, 50));
        break;
    }
}

/* Boxes that reach into a box, or over all of one. */
static void model_say_overlap(boxes *t, model_text *out)
{
    const uint32_t x = boxes_below(t, 500), y = boxes_below(t, 500);
    const int32_t more = (int32_t)boxes_below(t, 60) - 10;
    model_say(out, "Area.left <= %d and Area.right >= %u and Area.bottom > %u and Area.top < %d",
              (int32_t)x + more, x, y, (int32_t)y + more);
}

static void model_say_condition(boxes *t, model_text *out, uint32_t depth)
{
    const uint32_t at = boxes_below(t, 500);
    const uint32_t kind = boxes_below(t, depth < 2 ? 16 : 12);
    if (boxes_below(t, 8) == 0) {
        model_say_overlap(t, out);
    } else if (kind == 0) {
        model_say(out, "within(Position, %u, $bound, %u)", at, boxes_below(t, 90));
    } else if (kind == 1) {
        model_say(out, "within(Spot, %u, %u, 100, %u)", at, at / 2, boxes_below(t, 200));
    } else if (kind == 2) {
        model_say(out, "within(Position, 3, 4, 1e%u)", boxes_below(t, 200));
    } else if (kind < 12) {
        model_say_range(t, out);
    } else if (kind == 12) {
        model_say(out, "Watches -> ");
        model_say_condition(t, out, depth + 1);
    } else {
        const char *word = boxes_below(t, 3) == 0 ? "or" : "and";
        model_say(out, "%s(", boxes_below(t, 4) == 0 ? "not " : "");
        model_say_condition(t, out, depth + 1);
        model_say(out, " %s ", word);
        model_say_condition(t, out, depth + 1);
        model_say(out, ")");
    }
}

static void model_say_query(boxes *t, model_text *out)
{
    static const char *const terms[] = {"*",
                                        "Position",
                                        "Spot",
                                        "Position, Spot",
                                        "?Spot, Position",
                                        "Spot, !Frozen",
                                        "Spot, with Position",
                                        "Area",
                                        "with Frozen"};
    model_say(out, "%s where ", terms[boxes_below(t, ROWS_OF(terms))]);
    if (boxes_below(t, 4) != 0) {
        model_say(out, "Name.text != 'none' and ");
    }
    for (uint32_t count = 1 + boxes_below(t, 5), i = 0; i < count; i++) {
        model_say(out, "%s", i == 0 ? "" : " and ");
        model_say_condition(t, out, 0);
    }
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* Asks two worlds the same, each by a query of its own. */
static void model_compare(boxes *t, kith_world *const worlds[2], const model_text *asked,
                          double bound)
{
    uint64_t answers[2];
    char plan[700] = "";
    for (int k = 0; k < 2; k++) {
        kith_query *query = kith_query_text(worlds[k], asked->text, NULL);
        if (query == NULL) {
            test_fail(__FILE__, __LINE__, "%s: %s", asked->text, kith_error(worlds[k]));
        }
        if (strstr(asked->text, "$bound") != NULL) {
            CHECK_RESULT(kith_query_bind(query, "bound", bound), KITH_OK);
        }
        answers[k] = ask_all_ways(query);
        if (k == 0) {
            kith_query_explain(query, false, plan, sizeof plan, NULL);
            t->planned += strstr(plan, "plan: spatial") != NULL;
        }
        kith_query_free(query);
    }
    if (answers[0] != answers[1]) {
        test_fail(__FILE__, __LINE__, "%s, $bound %g: another answer with %s", asked->text, bound,
                  plan);
    }
}

static void model_compare_some(boxes *t, kith_world *const worlds[2], uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        model_text asked = {.length = 0};
        model_say_query(t, &asked);
        model_compare(t, worlds, &asked, (double)boxes_below(t, 4000) / 8);
    }
    CHECK_WORLD(worlds[0]);
    CHECK_WORLD(worlds[1]);
}

static void model_step(boxes *t)
{
    for (uint32_t i = 0, count = boxes_below(t, 60); i < count; i++) {
        boxes_set(t, boxes_below(t, MODEL_ENTITIES));
    }
    for (uint32_t i = 0, count = boxes_below(t, 10); i < count; i++) {
        const uint32_t victim = boxes_below(t, MODEL_ENTITIES);
        for (int k = 0; k < 2; k++) {
            CHECK_RESULT(kith_despawn(t->f[k].world, t->entities[victim]), KITH_OK);
        }
        boxes_spawn(t, victim);
    }
    if (boxes_below(t, 3) == 0) {
        boxes_toggle(t, boxes_below(t, MODEL_INDEXES));
    }
}

/* A view and a fork of each world; those of the first one have an index of their own. */
static void model_look_back(boxes *t)
{
    static const kith_index_def def = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)};
    kith_snapshot *taken[2];
    kith_world *views[2], *forks[2];
    kith_index *index;
    for (int k = 0; k < 2; k++) {
        CHECK_RESULT(kith_snapshot_take(t->f[k].world, &taken[k]), KITH_OK);
        CHECK_RESULT(kith_view_new(taken[k], NULL, &views[k]), KITH_OK);
        CHECK_RESULT(kith_fork_new(taken[k], NULL, &forks[k]), KITH_OK);
        CHECK_RESULT(KITH_SET(forks[k], t->entities[3], Position, {INFINITY, 2}), KITH_OK);
    }
    CHECK_RESULT(kith_index_new(views[0], &def, &index), KITH_OK);
    CHECK_RESULT(kith_index_new(forks[0], &def, &index), KITH_OK);
    model_compare_some(t, views, MODEL_QUERIES);
    model_compare_some(t, forks, MODEL_QUERIES);
    for (int k = 0; k < 2; k++) {
        kith_world_free(views[k]);
        kith_world_free(forks[k]);
        CHECK_RESULT(kith_snapshot_restore(t->f[k].world, taken[k]), KITH_OK);
        kith_snapshot_free(taken[k]);
    }
}

TEST_EACH_LAYOUT_WITHIN(40, random_boxes_find_the_same_by_an_index, layout)
{
    for (int other = 0; other < LAYOUT_COUNT; other++) {
        boxes *t = boxes_new(layout, (kith_layout)other);
        kith_world *const worlds[2] = {t->f[0].world, t->f[1].world};
        for (uint32_t step = 0; step < (test_long() ? 200u : 15u); step++) {
            model_compare_some(t, worlds, MODEL_QUERIES);
            if (step % 5 == 4) {
                model_look_back(t);
            }
            model_step(t);
        }
        CHECK(t->planned > 20);
        boxes_free(t);
    }
}

/* ---- Systems ------------------------------------------------------------------------------------- */

static void count_boxed(kith_iter *it)
{
    uint64_t *hash = it->user;
    while (kith_next_rows(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            *hash = fold(*hash, kith_entities(it)[i].index1);
        }
    }
}

TEST_EACH_LAYOUT_WITHIN(20, systems_find_the_same_by_an_index, layout)
{
    boxes *t = boxes_new(layout, layout);
    uint64_t hashes[2] = {1, 1};
    for (int k = 0; k < 2; k++) {
        CHECK_RESULT(KITH_SYSTEM(t->f[k].world, count_boxed, KITH_READ(Position),
                                 KITH_IF(Name, text, !=, "none"),
                                 KITH_IF(Position, x, >, kith_bound("low")),
                                 KITH_IF(Position, x, <=, 60), KITH_IF(Position, y, >=, 20),
                                 KITH_IF(Position, y, <, 70), .user = &hashes[k]),
                     KITH_OK);
    }
    boxes_toggle(t, 3); /* it would do as well */
    for (uint32_t tick = 0; tick < 20; tick++) {
        for (int k = 0; k < 2; k++) {
            kith_world *world = t->f[k].world;
            CHECK_RESULT(kith_system_bind(world, "count_boxed", "low", 10 + tick), KITH_OK);
            CHECK_RESULT(kith_run(world, 1), KITH_OK);
            CHECK_WORLD(world);
        }
        CHECK(hashes[0] == hashes[1]);
        for (uint32_t i = 0; i < 9; i++) {
            boxes_set(t, boxes_below(t, MODEL_ENTITIES));
        }
    }
    char text[500];
    kith_index_found found; /* brings the index up to date */
    CHECK_RESULT(kith_within_radius(t->indexes[0], KITH_POINT(3, 3), 1, NULL, &found), KITH_OK);
    CHECK_RESULT(kith_system_bind(t->f[0].world, "count_boxed", "low", 50), KITH_OK);
    CHECK_RESULT(kith_system_explain(t->f[0].world, "count_boxed", 0, text, sizeof text, NULL),
                 KITH_OK);
    CHECK_CONTAINS(text, "x from 50 to 60, y from 20 to 70");
    boxes_free(t);
}

/* ---- Without memory ------------------------------------------------------------------------------ */

/* Whichever allocations fail, the answer is that of the scan. */
TEST_EACH_LAYOUT_WITHIN(20, memory_runs_out_while_a_box_is_looked_for, layout)
{
    boxes *t = boxes_new(layout, layout);
    static const model_text asked = {
        "Position where Name.text != 'none' and Position.x < 190 and Position.y between 200 and 270"
        " and Position.x > 100",
        0};
    uint32_t counts[2];
    for (size_t nth = 1; nth < 40; nth++) {
        boxes_toggle(t, 0);
        boxes_toggle(t, 0); /* a new index, which is empty */
        for (int k = 0; k < 2; k++) {
            kith_query *query = kith_query_text(t->f[k].world, asked.text, NULL);
            CHECK(query != NULL);
            if (k == 0) {
                fail_from(&t->f[0], nth);
            }
            counts[k] = kith_query_count(query);
            fail_nothing(&t->f[k]);
            kith_query_free(query);
            CHECK_WORLD(t->f[k].world);
        }
        CHECK_UINT(counts[0], counts[1]);
        model_compare(t, (kith_world *const[2]){t->f[0].world, t->f[1].world}, &asked, 0);
    }
    CHECK(t->planned >= 39);
    boxes_free(t);
}
