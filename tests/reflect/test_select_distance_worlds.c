/* Selections by distance beside a plain sort of what kith_get tells: with indexes and without, in a
 * world, in its views and its forks, and as these go on. */
#include <kith/floats.h>

#include <float.h>
#include <kith/fork.h>
#include <kith/view.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "random.h"
#include "test.h"

KITH_COMPONENT(Spot, (double, z), (double, x), (double, y));
KITH_COMPONENT(Tile, (int32_t, y), (int16_t, x)); /* whole numbers, of which there is no index */

enum { PLACED = 1500, SIDE = 40 };

/* A world, or a view or a fork of one, and the indexes that it has now. */
typedef struct placed {
    kith_world *world;
    kith_index *indexes[2];
    uint64_t random;
} placed;

static uint32_t pick(placed *t, uint32_t limit)
{
    return random_below(&t->random, limit);
}

/* ---- Where entities are -------------------------------------------------------------------------- */

typedef enum place_kind { POSITION, SPOT, TILE, PLACE_KINDS } place_kind;

static const char *const place_names[] = {"Position", "Spot", "Tile"};

/* Whether an entity has a place of a kind. In 2-D z is 0. */
static bool read_place(const kith_world *world, kith_entity e, place_kind kind, double *numbers)
{
    const Position *position = kind == POSITION ? KITH_GET(world, e, Position) : NULL;
    const Spot *spot = kind == SPOT ? KITH_GET(world, e, Spot) : NULL;
    const Tile *tile = kind == TILE ? KITH_GET(world, e, Tile) : NULL;
    numbers[0] = position != NULL ? (double)position->x
                 : spot != NULL   ? spot->x
                 : tile != NULL   ? tile->x
                                  : 0;
    numbers[1] = position != NULL ? (double)position->y
                 : spot != NULL   ? spot->y
                 : tile != NULL   ? tile->y
                                  : 0;
    numbers[2] = spot != NULL ? spot->z : 0;
    return position != NULL || spot != NULL || tile != NULL;
}

/* Few numbers, so that many are at the same distance. */
static float some_number(placed *t, bool finite)
{
    static const float ends[] = {NAN, -NAN, INFINITY, -INFINITY, 1e30f};
    const uint32_t end = pick(t, 60);
    return !finite && end < ROWS_OF(ends) ? ends[end] : (float)pick(t, SIDE);
}

static void set_place(placed *t, kith_entity e, bool finite)
{
    const float x = some_number(t, finite), y = some_number(t, finite), z = some_number(t, finite);
    CHECK_RESULT(KITH_SET(t->world, e, Position, {x, y}), KITH_OK);
    CHECK_RESULT(KITH_SET(t->world, e, Spot, {(double)z, (double)x, (double)y}), KITH_OK);
    CHECK_RESULT(KITH_SET(t->world, e, Tile, {(int32_t)pick(t, SIDE), (int16_t)pick(t, SIDE)}),
                 KITH_OK);
}

static kith_entity spawn_place(placed *t)
{
    const int32_t number = (int32_t)pick(t, 10);
    const kith_entity e = KITH_SPAWN(t->world, KITH_VALUE(Health, {number, 9 - number}));
    CHECK(kith_alive(t->world, e));
    CHECK_RESULT(pick(t, 4) == 0 ? KITH_ADD(t->world, e, Frozen) : KITH_OK, KITH_OK);
    return e;
}

/* Rows are not in the order of slots. */
static void fill(placed *t)
{
    kith_entity entities[PLACED];
    for (uint32_t i = 0; i < PLACED; i++) {
        entities[i] = spawn_place(t);
    }
    for (uint32_t i = 0; i < PLACED; i++) {
        set_place(t, entities[(i * 1237 + 5) % PLACED], true);
    }
}

static void toggle(placed *t, kith_entity e, const kith_type *type)
{
    CHECK_RESULT(kith_has(t->world, e, type) ? kith_remove(t->world, e, type)
                                             : kith_add(t->world, e, type),
                 KITH_OK);
}

/* Entities move, end and come, and lose and get what the selections ask for. */
static void change(placed *t, bool finite)
{
    for (kith_entity e = kith_entity_next(t->world, KITH_NONE), next; !kith_is_none(e); e = next) {
        next = kith_entity_next(t->world, e);
        switch (pick(t, 60)) {
        case 0: CHECK_RESULT(KITH_DESPAWN(t->world, e), KITH_OK); break;
        case 1: set_place(t, spawn_place(t), finite); break;
        case 2: toggle(t, e, &Spot_type); break;
        case 3: toggle(t, e, &Position_type); break;
        case 4: toggle(t, e, &Frozen_type); break;
        case 5:
        case 6: set_place(t, e, finite); break;
        default: break;
        }
    }
    CHECK_WORLD(t->world);
}

static bool are_finite(const double *numbers, int count)
{
    bool finite = true;
    for (int i = 0; i < count; ++i) {
        finite = finite && fabs(numbers[i]) <= DBL_MAX;
    }
    return finite;
}

/* Ends with finite places alone, which indexes serve. */
static void mend(placed *t)
{
    for (kith_entity e = kith_entity_next(t->world, KITH_NONE); !kith_is_none(e);
         e = kith_entity_next(t->world, e)) {
        double flat[3], deep[3];
        const bool there = read_place(t->world, e, POSITION, flat);
        const bool wrong = read_place(t->world, e, SPOT, deep) && !are_finite(deep, 3);
        if (wrong || (there && !are_finite(flat, 2))) {
            set_place(t, e, true);
        }
    }
    CHECK_WORLD(t->world);
}

static void make_indexes(placed *t)
{
    static const kith_index_def defs[] = {{.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)},
                                          {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Spot, x, y, z)}};
    for (uint32_t i = 0; i < ROWS_OF(defs); i++) {
        CHECK_RESULT(kith_index_new(t->world, &defs[i], &t->indexes[i]), KITH_OK);
    }
    CHECK_WORLD(t->world);
}

static void drop_indexes(placed *t)
{
    for (uint32_t i = 0; i < ROWS_OF(t->indexes); i++) {
        kith_index_free(t->indexes[i]);
    }
    CHECK_WORLD(t->world);
}

/* ---- What is asked ------------------------------------------------------------------------------- */

/* What a selection asks for besides: "T" is the component that has the place. */
typedef enum filter {
    ALL,
    HEALTHY,
    WARM,
    WITHOUT_TERM,
    OPTIONAL,
    IN_RANGES,
    AROUND,
    NOBODY,
    FILTERS
} filter;

static const char *const filters[] = {
    [ALL] = "T",
    [HEALTHY] = "T where Health.current = 3",
    [WARM] = "with T, Health, !Frozen",
    [WITHOUT_TERM] = "Health where has(T)",
    [OPTIONAL] = "?T, with Frozen",
    [IN_RANGES] = "T where T.x between 10 and 30 and T.y < 25 and not Health.current = 2",
    [AROUND] = "T where within(T, 20, 20, O 9) and not has(Frozen)",
    [NOBODY] = "T where Health.current = 77",
};

/* What of the selections a plain loop asks of one entity. */
static bool matches(const kith_world *world, kith_entity e, place_kind kind, filter what)
{
    double at[3];
    const bool there = read_place(world, e, kind, at);
    const int32_t health = KITH_GET(world, e, Health)->current;
    const bool frozen = KITH_HAS(world, e, Frozen);
    switch (what) {
    case HEALTHY: return there && health == 3;
    case WARM: return there && !frozen;
    case OPTIONAL: return frozen;
    case IN_RANGES: return there && at[0] >= 10 && at[0] <= 30 && at[1] < 25 && health != 2;
    case AROUND:
        for (uint32_t axis = 0; axis < 3; axis++) {
            at[axis] -= axis < 2 || kind == SPOT ? 20 : 0;
        }
        return there && !frozen &&
               kith_mul_f64(at[0], at[0]) + kith_mul_f64(at[1], at[1]) +
                       kith_mul_f64(at[2], at[2]) <=
                   81;
    case NOBODY: return false;
    default: return there;
    }
}

typedef struct question {
    place_kind kind;
    filter what;
    double point[3];
    bool descending;
    bool bound; /* its numbers are parameters */
    bool limited;
    uint32_t limit;
} question;

/* Copies a filter with the component's name for T, and in 3-D a third number for O. */
static size_t write_filter(const question *q, char *text, size_t size)
{
    size_t length = 0;
    for (const char *from = filters[q->what]; *from != '\0'; from++) {
        const char one[2] = {*from, '\0'};
        const char *part = *from == 'T'      ? place_names[q->kind]
                           : *from != 'O'    ? one
                           : q->kind == SPOT ? "20,"
                                             : "";
        length += (size_t)snprintf(text + length, size - length, "%s", part);
        CHECK(length < size);
    }
    return length;
}

static void write_text(const question *q, char *text, size_t size)
{
    static const char *const names[] = {"$x", "$y", "$z"};
    size_t length = write_filter(q, text, size);
    length += (size_t)snprintf(text + length, size - length, " select entity order by distance(%s",
                               place_names[q->kind]);
    for (uint32_t axis = 0; axis < (q->kind == SPOT ? 3u : 2u); axis++) {
        char number[40];
        snprintf(number, sizeof number, "%.17g", q->point[axis]);
        length +=
            (size_t)snprintf(text + length, size - length, ", %s", q->bound ? names[axis] : number);
    }
    length += (size_t)snprintf(text + length, size - length, ")%s", q->descending ? " desc" : "");
    if (q->limited) {
        snprintf(text + length, size - length, q->bound ? " limit $limit" : " limit %u", q->limit);
    }
}

static kith_select *run_question(kith_world *world, const question *q, const char *text)
{
    static const char *const names[] = {"x", "y", "z"};
    kith_select *select = NULL;
    CHECK_RESULT(kith_select_new(world, text, NULL, &select), KITH_OK);
    for (uint32_t axis = 0; q->bound && axis < (q->kind == SPOT ? 3u : 2u); axis++) {
        CHECK_RESULT(kith_select_bind(select, names[axis], q->point[axis]), KITH_OK);
    }
    if (q->bound && q->limited) {
        CHECK_RESULT(kith_select_bind(select, "limit", q->limit), KITH_OK);
    }
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    return select;
}

/* ---- The plain sort ------------------------------------------------------------------------------ */

typedef struct ranked {
    kith_entity entity;
    int rank; /* 0: it has no place, 1: its square is a number, 2: it is none */
    double square;
    bool descending;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *left = a, *right = b;
    int order = left->rank - right->rank;
    if (order == 0 && left->rank == 1) {
        order = (left->square > right->square) - (left->square < right->square);
    }
    if (order != 0) {
        return left->descending ? -order : order;
    }
    return left->entity.index1 < right->entity.index1 ? -1 : 1;
}

static uint32_t rank_all(const kith_world *world, const question *q, ranked *list)
{
    uint32_t count = 0;
    for (kith_entity e = kith_entity_next(world, KITH_NONE); !kith_is_none(e);
         e = kith_entity_next(world, e)) {
        if (!matches(world, e, q->kind, q->what)) {
            continue;
        }
        CHECK(count < 2 * PLACED);
        double at[3], square = 0;
        const bool there = read_place(world, e, q->kind, at);
        for (uint32_t axis = 0; axis < (q->kind == SPOT ? 3u : 2u); axis++) {
            const double apart = at[axis] - q->point[axis];
            square += kith_mul_f64(apart, apart);
        }
        const int rank = !there ? 0 : square >= 0 ? 1 : 2; /* last: no number */
        list[count++] = (ranked){e, rank, square, q->descending};
    }
    qsort(list, count, sizeof *list, compare_ranked);
    return count;
}

static void check_question(kith_world *world, const question *q)
{
    static ranked list[2 * PLACED];
    char text[300];
    write_text(q, text, sizeof text);
    test_note(text);
    const uint32_t count = rank_all(world, q, list);
    kith_select *select = run_question(world, q, text);
    CHECK_UINT(kith_select_row_count(select), q->limited && q->limit < count ? q->limit : count);
    for (uint32_t i = 0; i < kith_select_row_count(select); i++) {
        kith_entity entity;
        memcpy(&entity, kith_select_value(select, i, 0), sizeof entity);
        CHECK_SAME(entity, list[i].entity);
    }
    kith_select_free(select);
    test_note(NULL);
}

static void ask_many(placed *t)
{
    static const uint32_t limits[] = {0, 1, 2, 5, 15, 16, 17, 40, 300, PLACED, 4 * PLACED};
    static const double odd[] = {NAN, INFINITY, -INFINITY, 1e200, -1e17};
    const uint32_t asks = test_short() ? 8 : 40;
    for (uint32_t i = 0; i < asks; i++) {
        question q = {.kind = (place_kind)pick(t, PLACE_KINDS),
                      .what = i % 3 == 0 ? ALL : (filter)pick(t, FILTERS),
                      .descending = pick(t, 6) == 0,
                      .bound = pick(t, 2) == 0,
                      .limited = pick(t, 8) != 0,
                      .limit = limits[pick(t, ROWS_OF(limits))]};
        for (uint32_t axis = 0; axis < 3; axis++) {
            q.point[axis] = pick(t, 40) == 0 ? odd[pick(t, ROWS_OF(odd))]
                                             : (double)pick(t, 2 * SIDE + 20) / 2 - 5;
        }
        check_question(t->world, &q);
    }
    CHECK_WORLD(t->world);
}

/* With indexes, and without. */
static void ask_both_ways(placed *t)
{
    ask_many(t);
    make_indexes(t);
    ask_many(t);
    drop_indexes(t);
}

/* ---- Tests --------------------------------------------------------------------------------------- */

static fixture placed_new(kith_layout layout, placed *t)
{
    const kith_component_def def = {.layout = layout};
    fixture f = fixture_with_all(layout);
    *t = (placed){.world = f.world, .random = 3 + (uint64_t)layout};
    CHECK_RESULT(kith_register(f.world, &Spot_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Tile_type, &def), KITH_OK);
    fill(t);
    return f;
}

TEST_EACH_LAYOUT_WITHIN(20, distances_order_as_a_plain_sort, layout)
{
    placed t;
    fixture f = placed_new(layout, &t);
    ask_both_ways(&t);
    make_indexes(&t);
    for (uint32_t round = 0; round < 8; round++) {
        change(&t, round % 4 != 2);
        ask_many(&t);
        if (round % 4 == 3) {
            mend(&t);
            ask_many(&t);
        }
    }
    fixture_free(&f);
}

static void told(const char *message, void *context)
{
    (void)context;
    test_fail(__FILE__, __LINE__, "%s", message);
}

/* What a view shows stays, whatever its world does. */
TEST_EACH_LAYOUT_WITHIN(20, distances_in_views, layout)
{
    placed t;
    fixture f = placed_new(layout, &t);
    const kith_world_def def = {.allocator = test_memory_allocator(f.memory), .on_misuse = told};
    make_indexes(&t);
    for (uint32_t round = 0; round < 3; round++) {
        kith_snapshot *snapshot;
        placed view = {.random = 70 + round};
        CHECK_RESULT(kith_snapshot_take(t.world, &snapshot), KITH_OK);
        CHECK_RESULT(kith_view_new(snapshot, &def, &view.world), KITH_OK);
        ask_both_ways(&view);
        make_indexes(&view);
        ask_many(&view);
        change(&t, round == 1);
        ask_many(&t);
        ask_many(&view);
        kith_snapshot_free(snapshot);
        ask_many(&view);
        kith_world_free(view.world);
    }
    fixture_free(&f);
}

/* A fork goes on by itself, and so does its world. */
TEST_EACH_LAYOUT_WITHIN(20, distances_in_forks, layout)
{
    placed t;
    fixture f = placed_new(layout, &t);
    const kith_fork_def def = {
        .world = {.allocator = test_memory_allocator(f.memory), .on_misuse = told}};
    make_indexes(&t);
    kith_snapshot *snapshot;
    placed fork = {.random = 90};
    CHECK_RESULT(kith_snapshot_take(t.world, &snapshot), KITH_OK);
    CHECK_RESULT(kith_fork_new(snapshot, &def, &fork.world), KITH_OK);
    ask_both_ways(&fork);
    make_indexes(&fork);
    for (uint32_t round = 0; round < 5; round++) {
        change(&fork, round != 2);
        ask_many(&fork);
        ask_many(&t);
        round == 3 ? mend(&fork) : change(&t, round != 1);
        ask_many(&fork);
    }
    CHECK_RESULT(kith_snapshot_restore(t.world, snapshot), KITH_OK);
    ask_many(&t);
    ask_many(&fork);
    kith_world_free(fork.world);
    ask_many(&t);
    fixture_free(&f);
}
