/* Boxes in space, of mixed sizes, and points: what a line meets, what is in a box and which pairs
 * overlap is compared with a loop over all in whole numbers. */
#include <kith/floats.h>

#include <math.h>
#include <stdlib.h>

#include "components.h"
#include "random.h"
#include "test.h"

enum { COUNT = 1500, SIDE = 100, MOST = 2000, ASKED = 150 };

typedef struct Crate {
    float x, y, z, x_end, y_end, z_end;
} Crate;
KITH_TYPE(Crate, KITH_FIELD(Crate, x), KITH_FIELD(Crate, y), KITH_FIELD(Crate, z),
          KITH_FIELD(Crate, x_end), KITH_FIELD(Crate, y_end), KITH_FIELD(Crate, z_end));
KITH_TAG(Odd);

/* Crates at whole numbers, and what is known of them by slot. */
typedef struct yard {
    fixture f;
    kith_index *index;
    kith_query *odd;
    bool boxes;
    int64_t low[COUNT + 1][3], high[COUNT + 1][3];
    kith_entity entities[COUNT + 1];
    kith_near met[MOST];
    uint32_t count;
} yard;

static int64_t below(uint64_t *random, uint64_t limit)
{
    return (int64_t)((random_next(random) >> 20) % limit);
}

static Crate random_crate(yard *y, uint32_t slot, uint64_t *random)
{
    static const uint64_t sizes[] = {1, 4, 4, 4, 20, 70};
    for (uint32_t axis = 0; axis < 3; axis++) {
        const uint64_t size = y->boxes ? sizes[below(random, 6)] : 1;
        y->low[slot][axis] = below(random, SIDE);
        y->high[slot][axis] = y->low[slot][axis] + below(random, size);
    }
    return (Crate){(float)y->low[slot][0],  (float)y->low[slot][1],  (float)y->low[slot][2],
                   (float)y->high[slot][0], (float)y->high[slot][1], (float)y->high[slot][2]};
}

static yard *yard_new(bool boxes, uint64_t *random)
{
    yard *y = calloc(1, sizeof *y);
    CHECK_PTR_NOT_NULL(y);
    y->f = fixture_new();
    y->boxes = boxes;
    const kith_index_def of_boxes = {.kind = KITH_INDEX_SPATIAL,
                                     KITH_FIELDS(Crate, x, y, z, x_end, y_end, z_end)};
    const kith_index_def of_points = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Crate, x, y, z)};
    CHECK_RESULT(kith_index_new(y->f.world, boxes ? &of_boxes : &of_points, &y->index), KITH_OK);
    for (uint32_t slot = 1; slot <= COUNT; slot++) {
        const Crate crate = random_crate(y, slot, random);
        y->entities[slot] = KITH_SPAWN(y->f.world, {&Crate_type, &crate});
        CHECK_UINT(y->entities[slot].index1, slot);
        if (slot % 2 == 1) {
            KITH_ADD(y->f.world, y->entities[slot], Odd);
        }
    }
    y->odd = KITH_QUERY(y->f.world, KITH_WITH(Odd));
    return y;
}

static void yard_free(yard *y)
{
    fixture_free(&y->f);
    free(y);
}

static void move_some(yard *y, uint64_t *random)
{
    for (uint32_t i = 0; i < 20; i++) {
        const uint32_t slot = 1 + (uint32_t)below(random, COUNT);
        const Crate crate = random_crate(y, slot, random);
        CHECK_RESULT(kith_set(y->f.world, y->entities[slot], &Crate_type, &crate), KITH_OK);
    }
}

/* ---- In whole numbers: -1 it is not met, 1 it is, 0 it is just touched --------------------------- */

typedef struct line {
    int64_t from[3], to[3], radius;
} line;

static int sign_of(int64_t number)
{
    return (number > 0) - (number < 0);
}

static int touch_ball(const line *l, const int64_t *point)
{
    int64_t square = 0, along = 0, start = 0, end = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int64_t way = l->to[axis] - l->from[axis], away = point[axis] - l->from[axis];
        square += way * way;
        along += way * away;
        start += away * away;
        end += (point[axis] - l->to[axis]) * (point[axis] - l->to[axis]);
    }
    const int64_t radius = l->radius * l->radius;
    if (along <= 0 || along >= square) {
        return sign_of(radius - (along <= 0 ? start : end));
    }
    return sign_of(radius * square - (start * square - along * along));
}

/* No plane is between them: those along the sides, and those along the line and a side. Numbers are
 * doubled, so that centers are whole. */
static int touch_box(const line *l, const int64_t *low, const int64_t *high)
{
    int64_t away[3], way[3], half[3];
    int touch = 1;
    for (uint32_t axis = 0; axis < 3; axis++) {
        away[axis] = l->from[axis] + l->to[axis] - low[axis] - high[axis];
        way[axis] = llabs(l->to[axis] - l->from[axis]);
        half[axis] = high[axis] - low[axis] + 2 * l->radius;
        touch = llabs(away[axis]) > half[axis] + way[axis] ? -1 : touch;
    }
    for (uint32_t axis = 0; axis < 3 && touch >= 0; axis++) {
        const uint32_t a = (axis + 1) % 3, b = (axis + 2) % 3;
        const int64_t between =
            llabs(away[a] * (l->to[b] - l->from[b]) - away[b] * (l->to[a] - l->from[a]));
        const int more = sign_of(half[a] * way[b] + half[b] * way[a] - between);
        const bool only_line = way[a] == 0 && way[b] == 0;
        touch = only_line || more > touch ? touch : more;
    }
    return touch;
}

/* ---- Asking -------------------------------------------------------------------------------------- */

static kith_point point_at(const int64_t *numbers)
{
    return KITH_POINT((double)numbers[0], (double)numbers[1], (double)numbers[2]);
}

static uint32_t ask_along(yard *y, const line *l, uint32_t most, kith_query *query, kith_near *met)
{
    const kith_along_def def = {.radius = (double)l->radius, .query = query};
    uint32_t count;
    CHECK_RESULT(kith_along(y->index, point_at(l->from), point_at(l->to), most, &def, met, &count),
                 KITH_OK);
    return count;
}

static void check_met(yard *y, const line *l, bool odd_only)
{
    bool is_met[COUNT + 1] = {false};
    for (uint32_t i = 0; i < y->count; i++) {
        const uint32_t slot = y->met[i].entity.index1;
        CHECK_SAME(y->met[i].entity, y->entities[slot]);
        CHECK(!is_met[slot]);
        is_met[slot] = true;
        CHECK(i == 0 || y->met[i - 1].distance < y->met[i].distance ||
              (y->met[i - 1].distance == y->met[i].distance && y->met[i - 1].entity.index1 < slot));
    }
    for (uint32_t slot = 1; slot <= COUNT; slot++) {
        const int touch =
            y->boxes ? touch_box(l, y->low[slot], y->high[slot]) : touch_ball(l, y->low[slot]);
        const bool may_be = !odd_only || slot % 2 == 1;
        if (touch != 0 || !may_be) {
            CHECK(is_met[slot] == (may_be && touch > 0));
        }
    }
}

/* What is met at a distance is as near to the line there as it has to be, and not before. */
static void check_distances(yard *y, const line *l)
{
    double way[3], length = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        way[axis] = (double)(l->to[axis] - l->from[axis]);
        length += way[axis] * way[axis];
    }
    length = sqrt(length);
    for (uint32_t i = 0; i < y->count; i++) {
        const uint32_t slot = y->met[i].entity.index1;
        double square = 0, most = 0;
        for (uint32_t axis = 0; axis < 3 && length > 0; axis++) {
            const double at = (double)l->from[axis] + way[axis] * (y->met[i].distance / length);
            const double less = (double)y->low[slot][axis] - at;
            const double more = at - (double)(y->boxes ? y->high : y->low)[slot][axis];
            const double away = less > more ? less : more;
            most = away > most ? away : most;
            square += away * away;
        }
        const double away = y->boxes ? most : sqrt(square);
        CHECK(away < (double)l->radius + 1e-3);
        CHECK(y->met[i].distance == 0 || away > (double)l->radius - 1e-3);
    }
}

static line random_line(uint64_t *random)
{
    line l = {.radius = below(random, 4)};
    for (uint32_t axis = 0; axis < 3; axis++) {
        l.from[axis] = below(random, 140) - 20;
        l.to[axis] = below(random, 4) == 0 ? l.from[axis] : below(random, 140) - 20;
    }
    return l;
}

static void check_lines(bool boxes)
{
    uint64_t random = boxes ? 1 : 2;
    yard *y = yard_new(boxes, &random);
    for (uint32_t step = 0; step < ASKED; step++) {
        const line l = random_line(&random);
        y->count = ask_along(y, &l, MOST, NULL, y->met);
        check_met(y, &l, false);
        check_distances(y, &l);
        kith_near first[3];
        const uint32_t few = 1 + step % 3, wanted = y->count < few ? y->count : few;
        CHECK_UINT(ask_along(y, &l, few, NULL, first), wanted);
        for (uint32_t i = 0; i < wanted; i++) {
            CHECK_SAME(first[i].entity, y->met[i].entity);
            CHECK(first[i].distance == y->met[i].distance);
        }
        y->count = ask_along(y, &l, MOST, y->odd, y->met);
        check_met(y, &l, true);
        move_some(y, &random);
    }
    yard_free(y);
}

TEST_WITHIN(20, a_line_meets_points_with_a_radius)
{
    check_lines(false);
}

TEST_WITHIN(20, a_line_meets_boxes_in_space)
{
    check_lines(true);
}

TEST_WITHIN(20, boxes_in_space_are_found)
{
    uint64_t random = 3;
    yard *y = yard_new(true, &random);
    for (uint32_t step = 0; step < ASKED; step++) {
        int64_t low[3], high[3], reach = below(&random, 30);
        for (uint32_t axis = 0; axis < 3; axis++) {
            low[axis] = below(&random, SIDE);
            high[axis] = low[axis] + below(&random, 20);
        }
        kith_index_found box, ball;
        uint32_t in_box = 0, in_ball = 0;
        CHECK_RESULT(kith_within_box(y->index, point_at(low), point_at(high), NULL, &box), KITH_OK);
        for (uint32_t slot = 1; slot <= COUNT; slot++) {
            bool overlaps = true;
            for (uint32_t axis = 0; axis < 3; axis++) {
                overlaps = overlaps && y->low[slot][axis] <= high[axis] &&
                           y->high[slot][axis] >= low[axis];
            }
            CHECK(!overlaps || (in_box < box.count &&
                                kith_entity_equal(box.entities[in_box], y->entities[slot])));
            in_box += overlaps;
        }
        CHECK_UINT(box.count, in_box);
        CHECK_RESULT(kith_within_radius(y->index, point_at(low), (double)reach, NULL, &ball),
                     KITH_OK);
        for (uint32_t slot = 1; slot <= COUNT; slot++) {
            int64_t square = 0;
            for (uint32_t axis = 0; axis < 3; axis++) {
                const int64_t less = y->low[slot][axis] - low[axis];
                const int64_t more = low[axis] - y->high[slot][axis];
                const int64_t away = less > 0 ? less : more > 0 ? more : 0;
                square += away * away;
            }
            in_ball += square <= reach * reach;
        }
        CHECK_UINT(ball.count, in_ball);
        move_some(y, &random);
    }
    yard_free(y);
}

static void check_pairs(bool boxes, kith_query *(*query_of)(const yard *))
{
    uint64_t random = boxes ? 5 : 6;
    yard *y = yard_new(boxes, &random);
    kith_query *query = query_of == NULL ? NULL : query_of(y);
    for (uint32_t step = 0; step < 6; step++) {
        const int64_t distance = step % 3;
        kith_pairs_found found;
        uint32_t count = 0;
        CHECK_RESULT(kith_pairs(y->index, (double)distance, query, &found), KITH_OK);
        for (uint32_t one = 1; one <= COUNT; one += query == NULL ? 1 : 2) {
            for (uint32_t two = one + 1; two <= COUNT; two++) {
                int64_t square = 0;
                for (uint32_t axis = 0; axis < 3; axis++) {
                    const int64_t before =
                        y->low[two][axis] - (boxes ? y->high : y->low)[one][axis];
                    const int64_t after = y->low[one][axis] - (boxes ? y->high : y->low)[two][axis];
                    const int64_t away = before > 0 ? before : after > 0 ? after : 0;
                    square += away * away;
                }
                if (square <= distance * distance && (query == NULL || two % 2 == 1)) {
                    CHECK(count < found.count);
                    CHECK_SAME(found.pairs[count].first, y->entities[one]);
                    CHECK_SAME(found.pairs[count].second, y->entities[two]);
                    count++;
                }
            }
        }
        CHECK_UINT(found.count, count);
        CHECK(!boxes || count > 0);
        move_some(y, &random);
    }
    kith_pairs_found found;
    CHECK_RESULT(kith_pairs(y->index, -1, NULL, &found), KITH_OK);
    CHECK_UINT(found.count, 0);
    CHECK_RESULT(kith_pairs(y->index, NAN, NULL, &found), KITH_OK);
    CHECK_UINT(found.count, 0);
    yard_free(y);
}

static kith_query *odd_of(const yard *y)
{
    return y->odd;
}

TEST_WITHIN(20, pairs_of_points_are_found)
{
    check_pairs(false, NULL);
}

TEST_WITHIN(20, pairs_of_boxes_are_found)
{
    check_pairs(true, NULL);
    check_pairs(true, odd_of);
}

/* A crowd in one place has more pairs than can be told. Looking for them ends soon enough. */
TEST_WITHIN(600, too_many_pairs_are_an_error)
{
    enum { CROWD = 200000 };
    if (!test_long()) {
        return;
    }
    static kith_entity entities[CROWD];
    fixture f = fixture_with_all(KITH_TABLE);
    const kith_values values[] = {KITH_VALUE(Position)};
    CHECK_RESULT(kith_spawn_many(f.world, CROWD, values, 1, entities), KITH_OK);
    kith_index *index;
    const kith_index_def def = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)};
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_OK);
    kith_pairs_found found;
    CHECK_RESULT(kith_pairs(index, 0, NULL, &found), KITH_ERR_LIMIT);
    CHECK_STR(kith_error(f.world), "kith_pairs: there are more than 536870912 pairs");
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

TEST(lines_that_are_none_meet_nothing)
{
    uint64_t random = 4;
    yard *y = yard_new(true, &random);
    const kith_point here = KITH_POINT(50, 50, 50);
    const kith_along_def negative = {.radius = -1};
    kith_near met[4];
    uint32_t count;
    CHECK_RESULT(kith_along(y->index, here, KITH_POINT(0, 0, NAN), 4, NULL, met, &count), KITH_OK);
    CHECK_UINT(count, 0);
    CHECK_RESULT(kith_along(y->index, KITH_POINT(INFINITY, 0), here, 4, NULL, met, &count),
                 KITH_OK);
    CHECK_UINT(count, 0);
    CHECK_RESULT(kith_along(y->index, here, KITH_POINT(0, 0), 4, &negative, met, &count), KITH_OK);
    CHECK_UINT(count, 0);
    CHECK_RESULT(kith_along(y->index, here, KITH_POINT(0, 0), 0, NULL, NULL, &count), KITH_OK);
    CHECK_UINT(count, 0);
    yard_free(y);
}
