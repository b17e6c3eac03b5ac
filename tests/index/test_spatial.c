/* Spatial indexes: who is where, whatever was done since the index was asked last. Answers are
 * compared with a loop over all entities. */
#include <kith/floats.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "random.h"
#include "test.h"

enum { PLACED_MOST = 4000, SIDE = 40 };

/* A world with an index of Position, and lists of all in the order of their slots. */
typedef struct placed {
    fixture f;
    kith_index *index;
    kith_query *all;
    kith_query *healthy; /* that have Health too */
    kith_entity entities[PLACED_MOST];
    Position positions[PLACED_MOST];
    bool are_healthy[PLACED_MOST];
    uint32_t count;
} placed;

static placed *placed_new(kith_layout layout)
{
    placed *p = calloc(1, sizeof *p);
    CHECK_PTR_NOT_NULL(p);
    p->f = fixture_with_all(layout);
    const kith_index_def def = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)};
    CHECK_RESULT(kith_index_new(p->f.world, &def, &p->index), KITH_OK);
    p->all = KITH_QUERY(p->f.world, KITH_READ(Position));
    p->healthy = KITH_QUERY(p->f.world, KITH_READ(Position), KITH_WITH(Health));
    return p;
}

static void placed_free(placed *p)
{
    fixture_free(&p->f);
    free(p);
}

/* Lists all, by slot: what is not there has no handle. */
static void look_around(placed *p)
{
    memset(p->entities, 0, sizeof p->entities);
    p->count = 0;
    for (kith_iter it = kith_query_iter(p->all); kith_next(&it);) {
        const Position *position = KITH_COLUMN(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) {
            const kith_entity entity = kith_entities(&it)[i];
            CHECK(entity.index1 < PLACED_MOST);
            p->entities[entity.index1] = entity;
            p->positions[entity.index1] = position[i];
            p->are_healthy[entity.index1] = KITH_HAS(p->f.world, entity, Health);
            p->count++;
        }
    }
}

static double square_from(const Position *position, kith_point point)
{
    const double x = (double)position->x - point.x, y = (double)position->y - point.y;
    return kith_mul_f64(x, x) + kith_mul_f64(y, y);
}

typedef struct area {
    kith_point low, high;
} area;

static area area_of(double left, double top, double right, double bottom)
{
    return (area){KITH_POINT(left, top), KITH_POINT(right, bottom, -1)};
}

static bool is_in_box(const Position *position, const area *box)
{
    return (double)position->x >= box->low.x && (double)position->x <= box->high.x &&
           (double)position->y >= box->low.y && (double)position->y <= box->high.y;
}

static void expect_box(placed *p, area box, kith_query *query)
{
    kith_index_found found;
    CHECK_RESULT(kith_within_box(p->index, box.low, box.high, query, &found), KITH_OK);
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < PLACED_MOST; slot++) {
        if (!kith_is_none(p->entities[slot]) && is_in_box(&p->positions[slot], &box) &&
            (query == NULL || p->are_healthy[slot])) {
            CHECK(count < found.count);
            CHECK_SAME(found.entities[count++], p->entities[slot]);
        }
    }
    CHECK_UINT(found.count, count);
}

static void expect_radius(placed *p, kith_point center, double radius, kith_query *query)
{
    kith_index_found found;
    CHECK_RESULT(kith_within_radius(p->index, center, radius, query, &found), KITH_OK);
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < PLACED_MOST; slot++) {
        if (!kith_is_none(p->entities[slot]) &&
            square_from(&p->positions[slot], center) <= kith_mul_f64(radius, radius) &&
            (query == NULL || p->are_healthy[slot])) {
            CHECK(count < found.count);
            CHECK_SAME(found.entities[count++], p->entities[slot]);
        }
    }
    CHECK_UINT(found.count, count);
}

/* The nearest that comes after a place in the order: by distance, then slot. 0: none. */
static uint32_t next_nearest(const placed *p, kith_point point, const kith_near_def *def,
                             double squared, uint32_t after)
{
    uint32_t best = 0;
    double best_square = INFINITY;
    for (uint32_t slot = 1; slot < PLACED_MOST; slot++) {
        const double own = square_from(&p->positions[slot], point);
        const bool is_later = own > squared || (own == squared && slot > after);
        if (!kith_is_none(p->entities[slot]) && is_later && own < best_square &&
            (def->query == NULL || p->are_healthy[slot]) &&
            (def->within == 0 || own <= kith_mul_f64(def->within, def->within))) {
            best = slot;
            best_square = own;
        }
    }
    return best;
}

static void expect_nearest(placed *p, kith_point point, uint32_t most, kith_near_def def)
{
    kith_near found[20];
    uint32_t count = 99, slot = 0;
    double squared = -1;
    CHECK(most <= 20);
    CHECK_RESULT(kith_nearest(p->index, point, most, &def, found, &count), KITH_OK);
    for (uint32_t i = 0; i < most; i++) {
        slot = next_nearest(p, point, &def, squared, slot);
        if (slot == 0) {
            CHECK_UINT(count, i);
            return;
        }
        squared = square_from(&p->positions[slot], point);
        CHECK(i < count);
        CHECK_SAME(found[i].entity, p->entities[slot]);
        CHECK(found[i].distance == sqrt(squared));
    }
    CHECK_UINT(count, most);
}

/* Each kind of question, in some places. */
static void expect_all(placed *p, uint64_t *random)
{
    look_around(p);
    for (uint32_t i = 0; i < 4; i++) {
        const double x = random_below(random, SIDE * 4) / 4.0, y = random_below(random, SIDE);
        kith_query *query = i % 2 == 0 ? NULL : p->healthy;
        expect_box(p, area_of(x, y, x + 5, y + 3), query);
        expect_radius(p, KITH_POINT(x, y, 100), 3.5, query);
        expect_nearest(p, KITH_POINT(x, y), i * 6, (kith_near_def){.query = query});
        expect_nearest(p, KITH_POINT(x, y), 9, (kith_near_def){.within = 4, .query = query});
    }
    CHECK_WORLD(p->f.world);
    CHECK(kith_index_stats(p->index).entries <= p->count);
}

/* On a lattice, so that some are in one place and many at the same distance; few are nowhere. */
static Position some_place(uint64_t *random)
{
    const uint32_t x = random_below(random, SIDE), y = random_below(random, SIDE);
    return (Position){random_below(random, 60) == 0 ? (float)NAN : (float)x, (float)y};
}

static void spawn_some(placed *p, uint32_t count, uint64_t *random)
{
    for (uint32_t i = 0; i < count; i++) {
        const kith_entity entity = kith_spawn_empty(p->f.world);
        const Position place = some_place(random);
        CHECK_RESULT(kith_set(p->f.world, entity, &Position_type, &place), KITH_OK);
        if (i % 3 == 0) {
            CHECK_RESULT(KITH_SET(p->f.world, entity, Health, {1, 2}), KITH_OK);
        }
    }
}

static kith_entity some_entity(const placed *p, uint64_t *random)
{
    for (uint32_t at = random_below(random, PLACED_MOST); p->count > 0;
         at = (at + 1) % PLACED_MOST) {
        if (kith_alive(p->f.world, p->entities[at])) {
            return p->entities[at];
        }
    }
    return KITH_NONE;
}

static void change_something(placed *p, uint64_t *random)
{
    kith_world *world = p->f.world;
    const kith_entity entity = some_entity(p, random);
    const Position place = some_place(random);
    if (kith_is_none(entity)) {
        spawn_some(p, 1, random);
        return;
    }
    switch (random_below(random, 7)) {
    case 0: CHECK_RESULT(kith_despawn(world, entity), KITH_OK); break;
    case 1: CHECK_RESULT(kith_set(world, entity, &Position_type, &place), KITH_OK); break;
    case 2:
        if (KITH_HAS(world, entity, Position)) {
            *KITH_GET_MUT(world, entity, Position) = place;
        }
        break;
    case 3: CHECK_RESULT(KITH_SET(world, entity, Health, {3, 4}), KITH_OK); break;
    case 4: CHECK(KITH_REMOVE(world, entity, Health) != KITH_ERR_MEMORY); break;
    case 5: CHECK(KITH_REMOVE(world, entity, Position) != KITH_ERR_MEMORY); break;
    default: spawn_some(p, 1, random); break;
    }
}

/* Moves all a little, through arrays. */
static void drift(placed *p, uint64_t *random)
{
    kith_query *query = KITH_QUERY(p->f.world, KITH_WRITE(Position));
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        Position *position = KITH_COLUMN_MUT(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) {
            position[i].x += (float)random_below(random, 3) - 1;
            position[i].y += (float)random_below(random, 3) - 1;
        }
    }
    kith_query_free(query);
}

TEST_EACH_LAYOUT_WITHIN(20, all_changes_are_followed, layout)
{
    placed *p = placed_new(layout);
    uint64_t random = test_number("KITH_TEST_SEED", 3);
    expect_all(p, &random);
    spawn_some(p, 700, &random);
    const uint32_t steps = test_long() ? 3000 : test_short() ? 5 : 60;
    for (uint32_t step = 0; step < steps; step++) {
        expect_all(p, &random);
        for (uint32_t i = random_below(&random, 12); i > 0; i--) {
            change_something(p, &random);
        }
        if (step % 7 == 0) {
            drift(p, &random);
        }
        if (step % 20 == 19) {
            kith_index_free(p->index);
            const kith_index_def def = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)};
            CHECK_RESULT(kith_index_new(p->f.world, &def, &p->index), KITH_OK);
        }
    }
    placed_free(p);
}

/* From few changes, which are made one by one, to so many that the index is filled anew. */
TEST_EACH_LAYOUT_WITHIN(20, many_changes_at_once_are_followed, layout)
{
    placed *p = placed_new(layout);
    uint64_t random = test_number("KITH_TEST_SEED", 5);
    spawn_some(p, 700, &random);
    const uint32_t steps = test_long() ? 500 : test_short() ? 5 : 30;
    for (uint32_t step = 0; step < steps; step++) {
        expect_all(p, &random);
        for (uint32_t i = random_below(&random, 150); i > 0; i--) {
            change_something(p, &random);
        }
        if (step % 4 == 0) {
            drift(p, &random);
            change_something(p, &random);
        }
    }
    placed_free(p);
}

/* Where so many go, one for each unit of x. */
static void send_away(placed *p, const kith_entity *entities, uint32_t count, float y)
{
    for (uint32_t i = 0; i < count; i++) {
        CHECK_RESULT(KITH_SET(p->f.world, entities[i], Position, {(float)i, y}), KITH_OK);
    }
    for (uint32_t i = 0; i < count; i++) {
        const kith_point at = KITH_POINT((double)i, (double)y);
        kith_index_found found;
        CHECK_RESULT(kith_within_box(p->index, at, at, NULL, &found), KITH_OK);
        CHECK_UINT(found.count, 1);
        CHECK_SAME(found.entities[0], entities[i]);
    }
    CHECK_WORLD(p->f.world);
    CHECK_UINT(kith_index_stats(p->index).entries, 9000);
}

TEST_EACH_LAYOUT(some_of_many_may_move, layout)
{
    placed *p = placed_new(layout);
    kith_entity *entities = calloc(9000, sizeof *entities);
    CHECK_PTR_NOT_NULL(entities);
    for (uint32_t i = 0; i < 9000; i++) {
        entities[i] = KITH_SPAWN(p->f.world, KITH_VALUE(Position, {(float)(i % 90), 7}));
    }
    send_away(p, entities, 100, -1);
    send_away(p, entities, 559, -2); /* in two rounds and a part, one by one */
    send_away(p, entities, 9000, -3);
    send_away(p, entities, 1, -4);
    free(entities);
    placed_free(p);
}

TEST_EACH_LAYOUT(an_open_loop_over_arrays_may_go_on_writing, layout)
{
    placed *p = placed_new(layout);
    uint64_t random = 1;
    spawn_some(p, 100, &random);
    kith_query *query = KITH_QUERY(p->f.world, KITH_WRITE(Position));
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        Position *position = KITH_COLUMN_MUT(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) {
            const kith_point here = KITH_POINT(1000.0 + i, 1);
            kith_index_found found;
            position[i] = (Position){1000.0f + (float)i, 1};
            CHECK_RESULT(kith_within_box(p->index, here, here, NULL, &found), KITH_OK);
            CHECK(found.count >= 1);
            position[i].y = 2;
            CHECK_RESULT(kith_within_box(p->index, here, here, NULL, &found), KITH_OK);
            CHECK_UINT(found.count, 0);
        }
    }
    placed_free(p);
}

/* ---- Other shapes -------------------------------------------------------------------------------- */

typedef struct Solid {
    double x, y, z;
    float left, top, right, bottom;
} Solid;
KITH_TYPE(Solid, KITH_FIELD(Solid, x), KITH_FIELD(Solid, y), KITH_FIELD(Solid, z),
          KITH_FIELD(Solid, left), KITH_FIELD(Solid, top), KITH_FIELD(Solid, right),
          KITH_FIELD(Solid, bottom));

TEST(points_in_space_and_boxes_are_found)
{
    fixture f = fixture_new();
    kith_index *points, *boxes;
    kith_index_def def = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Solid, x, y, z)};
    CHECK_RESULT(kith_index_new(f.world, &def, &points), KITH_OK);
    def =
        (kith_index_def){.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Solid, left, top, right, bottom)};
    CHECK_RESULT(kith_index_new(f.world, &def, &boxes), KITH_OK);
    const kith_entity a = KITH_SPAWN(f.world, KITH_VALUE(Solid, {1e12, 2, 3, 0, 0, 10, 10}));
    const kith_entity b = KITH_SPAWN(f.world, KITH_VALUE(Solid, {1e12, 2, 9, 20, 0, 30, 1e9f}));
    KITH_SPAWN(f.world, KITH_VALUE(Solid, {1e12, 2, INFINITY, 5, 5, 4, 5}));
    kith_index_found found;
    kith_near nearest[3];
    uint32_t count;
    CHECK_RESULT(kith_within_radius(points, KITH_POINT(1e12, 2, 4), 1, NULL, &found), KITH_OK);
    CHECK_UINT(found.count, 1);
    CHECK_SAME(found.entities[0], a);
    CHECK_RESULT(kith_nearest(points, KITH_POINT(1e12, 2, 9), 3, NULL, nearest, &count), KITH_OK);
    CHECK_UINT(count, 2);
    CHECK_SAME(nearest[0].entity, b);
    CHECK_FLOAT(nearest[1].distance, 6);
    CHECK_RESULT(kith_within_box(boxes, KITH_POINT(10, 5), KITH_POINT(20, 5), NULL, &found),
                 KITH_OK);
    CHECK_UINT(found.count, 2);
    CHECK_RESULT(kith_within_box(boxes, KITH_POINT(11, 5), KITH_POINT(19, 5), NULL, &found),
                 KITH_OK);
    CHECK_UINT(found.count, 0);
    CHECK_RESULT(kith_nearest(boxes, KITH_POINT(13, 5), 3, NULL, nearest, &count), KITH_OK);
    CHECK_UINT(count, 2);
    CHECK_SAME(nearest[0].entity, a);
    CHECK_FLOAT(nearest[0].distance, 3);
    CHECK_FLOAT(nearest[1].distance, 7);
    CHECK_UINT(kith_index_stats(boxes).entries, 2);
    fixture_free(&f);
}

typedef struct Wide {
    double left, top, right, bottom;
} Wide;
KITH_TYPE(Wide, KITH_FIELD(Wide, left), KITH_FIELD(Wide, top), KITH_FIELD(Wide, right),
          KITH_FIELD(Wide, bottom));

/* Their keys fill blocks of fewer rows than entities do. */
TEST(many_boxes_of_doubles_are_found)
{
    fixture f = fixture_new();
    kith_index *index;
    const kith_index_def def = {.kind = KITH_INDEX_SPATIAL,
                                KITH_FIELDS(Wide, left, top, right, bottom)};
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_OK);
    for (uint32_t round = 0; round < 3; round++) {
        kith_index_found found;
        for (uint32_t i = 0; i < 1500; i++) {
            const Wide wide = {i, 0, i + 0.5, 1};
            KITH_SPAWN(f.world, {&Wide_type, &wide});
        }
        CHECK_RESULT(kith_within_box(index, KITH_POINT(700, 0), KITH_POINT(799, 0), NULL, &found),
                     KITH_OK);
        CHECK_UINT(found.count, 100 * (round + 1));
    }
    fixture_free(&f);
}

/* Places of which each number is finite, and the sum of them is not. */
TEST(the_corners_of_the_largest_world_are_found)
{
    fixture f = fixture_new();
    kith_index *boxes = KITH_INDEX(f.world, KITH_INDEX_SPATIAL, Wide, left, top, right, bottom);
    kith_index *points = KITH_INDEX(f.world, KITH_INDEX_SPATIAL, Wide, left, top);
    for (uint32_t i = 0; i < 400; i++) {
        const double x = i % 2 == 0 ? DBL_MAX : -DBL_MAX, y = i % 4 < 2 ? DBL_MAX : -DBL_MAX;
        KITH_SPAWN(f.world, KITH_VALUE(Wide, {x, y, x, y}));
    }
    for (uint32_t corner = 0; corner < 4; corner++) {
        const kith_point place =
            KITH_POINT(corner % 2 == 0 ? DBL_MAX : -DBL_MAX, corner < 2 ? DBL_MAX : -DBL_MAX);
        kith_index_found found;
        CHECK_RESULT(kith_within_box(boxes, place, place, NULL, &found), KITH_OK);
        CHECK_UINT(found.count, 100);
        CHECK_RESULT(kith_within_box(points, place, place, NULL, &found), KITH_OK);
        CHECK_UINT(found.count, 100);
    }
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Squares of distances are compared: they tell apart what roots no longer do. */
TEST(roots_may_be_the_same_where_squares_differ)
{
    typedef struct Exact {
        double x, y;
    } Exact;
    KITH_TYPE(Exact, KITH_FIELD(Exact, x), KITH_FIELD(Exact, y));
    fixture f = fixture_new();
    kith_index *index = NULL;
    kith_index_def def = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Exact, x, y)};
    CHECK_RESULT(kith_register(f.world, &Exact_type, NULL), KITH_OK);
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_OK);
    const kith_entity last = KITH_SPAWN(f.world, KITH_VALUE(Exact, {5, 6e-8}));
    const kith_entity close = KITH_SPAWN(f.world, KITH_VALUE(Exact, {3, 4}));
    const kith_entity same = KITH_SPAWN(f.world, KITH_VALUE(Exact, {4, 3}));
    kith_near found[3];
    uint32_t count;
    CHECK_RESULT(kith_nearest(index, KITH_POINT(0, 0), 3, NULL, found, &count), KITH_OK);
    CHECK_UINT(count, 3);
    CHECK(kith_entity_equal(found[0].entity, close) && found[0].distance == 5);
    CHECK(kith_entity_equal(found[1].entity, same) && found[1].distance == 5);
    CHECK(kith_entity_equal(found[2].entity, last) && found[2].distance == 5);
    CHECK_RESULT(kith_nearest(index, KITH_POINT(0, 0), 1, NULL, found, &count), KITH_OK);
    CHECK(count == 1 && kith_entity_equal(found[0].entity, close));
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

TEST(places_that_are_none_find_nothing)
{
    placed *p = placed_new(KITH_TABLE);
    uint64_t random = 1;
    spawn_some(p, 100, &random);
    kith_index_found found;
    kith_near nearest[2];
    uint32_t count;
    CHECK_RESULT(kith_within_box(p->index, KITH_POINT(5, 5), KITH_POINT(4, 9), NULL, &found),
                 KITH_OK);
    CHECK_UINT(found.count, 0);
    CHECK_RESULT(kith_within_box(p->index, KITH_POINT(NAN, 0), KITH_POINT(9, 9), NULL, &found),
                 KITH_OK);
    CHECK_UINT(found.count, 0);
    CHECK_RESULT(kith_within_box(p->index, KITH_POINT(-INFINITY, -INFINITY),
                                 KITH_POINT(INFINITY, INFINITY), NULL, &found),
                 KITH_OK);
    CHECK_UINT(found.count, kith_index_stats(p->index).entries);
    CHECK_RESULT(kith_within_radius(p->index, KITH_POINT(3, 3), -1, NULL, &found), KITH_OK);
    CHECK_UINT(found.count, 0);
    CHECK_RESULT(kith_within_radius(p->index, KITH_POINT(3, INFINITY), 9, NULL, &found), KITH_OK);
    CHECK_UINT(found.count, 0);
    CHECK_RESULT(kith_nearest(p->index, KITH_POINT(3, NAN), 2, NULL, nearest, &count), KITH_OK);
    CHECK_UINT(count, 0);
    CHECK_RESULT(kith_nearest(p->index, KITH_POINT(3, 3), 0, NULL, NULL, &count), KITH_OK);
    CHECK_UINT(count, 0);
    placed_free(p);
}

/* ---- Errors -------------------------------------------------------------------------------------- */

TEST(a_query_that_filters_has_its_numbers)
{
    placed *p = placed_new(KITH_TABLE);
    kith_index_found found;
    uint64_t random = 1;
    spawn_some(p, 100, &random);
    kith_query *query = KITH_QUERY(p->f.world, KITH_IF(Position, x, <, kith_bound("x")));
    CHECK_RESULT(kith_within_radius(p->index, KITH_POINT(9, 9), 90, query, &found), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(p->f.world), "kith_within_radius: kith_bound(\"x\")");
    CHECK_RESULT(kith_query_bind(query, "x", 1000), KITH_OK);
    CHECK_RESULT(kith_within_radius(p->index, KITH_POINT(9, 9), 90, query, &found), KITH_OK);
    CHECK_UINT(found.count, kith_index_stats(p->index).entries);
    placed_free(p);
}

/* A query that filters knows who is switched off with a parent, though it is never looped over. */
TEST_EACH_LAYOUT(what_is_inherited_filters, layout)
{
    placed *p = placed_new(layout);
    kith_world *world = p->f.world;
    kith_near nearest[1];
    uint32_t count;
    const kith_near_def def = {
        .query = KITH_QUERY(world, KITH_READ(Position), KITH_WITHOUT(kith_disabled))};
    const kith_entity parent = kith_spawn_empty(world);
    const kith_entity child = KITH_SPAWN(world, KITH_VALUE(Position, {3, 4}));
    CHECK_RESULT(kith_set_parent(world, child, parent), KITH_OK);
    for (uint32_t round = 0; round < 4; round++) {
        CHECK_RESULT(kith_nearest(p->index, KITH_POINT(0, 0), 1, &def, nearest, &count), KITH_OK);
        CHECK_UINT(count, round % 2 == 0);
        CHECK_RESULT(round % 2 == 0 ? KITH_ADD(world, parent, kith_disabled)
                                    : KITH_REMOVE(world, parent, kith_disabled),
                     KITH_OK);
        CHECK_WORLD(world);
    }
    placed_free(p);
}

TEST(a_definition_may_be_wrong)
{
    fixture f = fixture_new();
    kith_index *index = NULL;
    kith_index_def def = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x)};
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "takes the fields of a point or a box");
    def = (kith_index_def){.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Health, current, max)};
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "Health.current is something else");
    def = (kith_index_def){.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Solid, x, left)};
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "Solid.left is something else");
    def = (kith_index_def){.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Solid, x, y, z, x, y)};
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "takes the fields of a point or a box");
    CHECK_PTR_NULL(index);
    fixture_free(&f);
}

/* Whichever allocation fails, the answer is an error or right, and then it is right. */
TEST_EACH_LAYOUT_WITHIN(20, asking_survives_every_allocation_failure, layout)
{
    placed *p = placed_new(layout);
    uint64_t random = 4;
    const kith_point low = KITH_POINT(0, 0), high = KITH_POINT(30, 30);
    spawn_some(p, 900, &random);
    for (uint32_t round = 0; round < 3; round++) {
        bool reached = true;
        for (size_t nth = 1; reached; nth++) {
            for (uint32_t i = 0; i < 20 * round; i++) {
                change_something(p, &random);
            }
            if (round == 2) {
                drift(p, &random);
            }
            look_around(p);
            fail_allocation(&p->f, nth);
            kith_index_found found;
            kith_result result = kith_within_box(p->index, low, high, NULL, &found);
            reached = fail_nothing(&p->f);
            CHECK(result == KITH_OK || (reached && result == KITH_ERR_MEMORY));
            expect_all(p, &random);
        }
    }
    placed_free(p);
}
