/* The part of the play that is about spatial indexes: they are made and dropped at any time, and find
 * what a loop over all entities does. Coordinates are any bits: most are far apart, and some NaN. */
#include <kith/floats.h>

#include <math.h>
#include <string.h>

#include "components.h"
#include "play.h"

enum { NEAREST = 5, DIMS = 3 };

static const kith_index_def defs[PLAY_PLACES] = {
    {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)},
    {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Extra, a, b, c)},
};

/* What is asked for, around a point. */
typedef struct place_question {
    double center[DIMS];
    double reach;
    kith_query *query; /* all that have the type, by loop */
} place_question;

static kith_point point_of(const place_question *question, double side)
{
    return KITH_POINT(question->center[0] + side * question->reach,
                      question->center[1] + side * question->reach,
                      question->center[2] + side * question->reach);
}

/* Coordinates are the first floats of both types. */
static void read_place(const kith_type *type, const unsigned char *value, double *numbers)
{
    const uint32_t dims = (uint32_t)(type->size / sizeof(float));
    for (uint32_t axis = 0; axis < DIMS; axis++) {
        float number = 0;
        if (axis < dims) {
            memcpy(&number, value + axis * sizeof number, sizeof number);
        }
        numbers[axis] = (double)number;
    }
}

static bool is_finite_place(const double *numbers)
{
    const double sum =
        kith_mul_f64(numbers[0], 0) + kith_mul_f64(numbers[1], 0) + kith_mul_f64(numbers[2], 0);
    return sum == 0;
}

static bool is_in_reach(const place_question *question, const double *numbers)
{
    bool within = is_finite_place(numbers);
    for (uint32_t axis = 0; axis < DIMS; axis++) {
        within = within && numbers[axis] >= question->center[axis] - question->reach &&
                 numbers[axis] <= question->center[axis] + question->reach;
    }
    return within;
}

static double square_to(const place_question *question, const double *numbers)
{
    double square = 0;
    for (uint32_t axis = 0; axis < DIMS; axis++) {
        const double away = numbers[axis] - question->center[axis];
        square += kith_mul_f64(away, away);
    }
    return square;
}

static bool is_found(const kith_index_found *found, kith_entity entity)
{
    for (uint32_t i = 0; i < found->count; i++) {
        if (kith_entity_equal(found->entities[i], entity)) {
            return true;
        }
    }
    return false;
}

static void check_order(const kith_index_found *found)
{
    for (uint32_t i = 1; i < found->count; i++) {
        CHECK(found->entities[i - 1].index1 < found->entities[i].index1);
    }
}

/* What a loop finds in a box (`round`: a circle) is what was found. */
static void check_all(const kith_type *type, const place_question *question, bool round,
                      const kith_index_found *found)
{
    const double square = kith_mul_f64(question->reach, question->reach);
    uint32_t count = 0;
    for (kith_iter it = kith_query_iter(question->query); kith_next(&it);) {
        const unsigned char *values = kith_column(&it, type);
        for (uint32_t i = 0; i < it.count; i++) {
            double numbers[DIMS];
            read_place(type, values + (size_t)i * type->size, numbers);
            const bool within =
                round ? is_finite_place(numbers) && square_to(question, numbers) <= square
                      : is_in_reach(question, numbers);
            CHECK(within == is_found(found, kith_entities(&it)[i]));
            count += within;
        }
    }
    CHECK_UINT(found->count, count);
    check_order(found);
}

/* Nothing that a loop finds belongs before what is in the list, or between. */
static void check_nearest(const played *w, const kith_type *type, const place_question *question,
                          const kith_near *near_by, uint32_t count)
{
    uint32_t before[NEAREST] = {0}, all = 0; /* that come before each of them */
    double squares[NEAREST] = {0};
    for (uint32_t n = 0; n < count; n++) {
        double numbers[DIMS];
        read_place(type, kith_get(w->world, near_by[n].entity, type), numbers);
        squares[n] = square_to(question, numbers);
        CHECK(near_by[n].distance == sqrt(squares[n]));
    }
    for (kith_iter it = kith_query_iter(question->query); kith_next(&it);) {
        const unsigned char *values = kith_column(&it, type);
        for (uint32_t i = 0; i < it.count; i++) {
            double numbers[DIMS];
            read_place(type, values + (size_t)i * type->size, numbers);
            if (!is_finite_place(numbers)) {
                continue;
            }
            all++;
            const uint32_t slot = kith_entities(&it)[i].index1;
            const double square = square_to(question, numbers);
            for (uint32_t n = 0; n < count; n++) {
                before[n] += square < squares[n] ||
                             (square == squares[n] && slot < near_by[n].entity.index1);
            }
        }
    }
    CHECK_UINT(count, all < NEAREST ? all : NEAREST);
    for (uint32_t n = 0; n < count; n++) {
        CHECK_UINT(before[n], n);
    }
}

static void ask_places(played *w, uint32_t number, place_question *question)
{
    const kith_type *type = play_same_type(defs[number].type);
    const kith_term terms[] = {{.type = type, .access = KITH_ACCESS_READ}, {0}};
    CHECK_RESULT(kith_query_new(w->world, &(kith_query_def){.terms = terms}, &question->query),
                 KITH_OK);
    kith_index *index = w->places[number];
    kith_index_found found;
    CHECK_RESULT(
        kith_within_box(index, point_of(question, -1), point_of(question, 1), NULL, &found),
        KITH_OK);
    check_all(type, question, false, &found);
    CHECK_RESULT(kith_within_radius(index, point_of(question, 0), question->reach, NULL, &found),
                 KITH_OK);
    check_all(type, question, true, &found);
    kith_near near_by[NEAREST];
    uint32_t count;
    CHECK_RESULT(kith_nearest(index, point_of(question, 0), NEAREST, NULL, near_by, &count),
                 KITH_OK);
    check_nearest(w, type, question, near_by, count);
    kith_query_free(question->query);
}

/* Asks around an entity that has a place, or around zero. */
static void ask(play *p, uint32_t number, bool may_fail)
{
    static const double reaches[] = {0, 1, 1e10, 1e30};
    const kith_type *type = play_same_type(defs[number].type);
    kith_entity entity = play_living(p);
    for (uint32_t tries = 0; tries < 8 && !play_has(p, entity, type); tries++) {
        entity = play_living(p);
    }
    const double reach = reaches[input_below(&p->in, sizeof reaches / sizeof reaches[0])];
    for (int world = 0; world < WORLD_COUNT; world++) {
        played *w = &p->worlds[world];
        place_question question = {.reach = reach};
        const void *own = kith_is_none(entity) ? NULL : kith_get(w->world, entity, type);
        if (own != NULL) {
            read_place(type, own, question.center);
        }
        if (!is_finite_place(question.center)) {
            memset(question.center, 0, sizeof question.center);
        }
        if (world == SUBJECT && may_fail && play_wants_failure(p)) {
            kith_index_found found;
            play_fail_some(p);
            kith_result result = kith_within_radius(w->places[number], point_of(&question, 0),
                                                    question.reach, NULL, &found);
            bool failed = fail_nothing(&w->f);
            CHECK(result == KITH_OK || (result == KITH_ERR_MEMORY && failed));
        }
        ask_places(w, number, &question);
    }
}

void play_places(play *p)
{
    uint32_t number = input_below(&p->in, PLAY_PLACES);
    bool drops = input_chance(&p->in, 10);
    const kith_type *type = play_same_type(defs[number].type);
    if (model_rank(&p->m, type) == UINT32_MAX) {
        return;
    }
    play_name(p, "kith_within_box");
    for (int world = 0; world < WORLD_COUNT; world++) {
        kith_index **index = &p->worlds[world].places[number];
        if (drops) {
            kith_index_free(*index);
            *index = NULL;
        } else if (*index == NULL) {
            kith_index_def def = defs[number];
            def.type = type;
            CHECK_RESULT(kith_index_new(p->worlds[world].world, &def, index), KITH_OK);
        }
    }
    if (!drops) {
        ask(p, number, true);
    }
}

void play_look_places(play *p)
{
    for (uint32_t i = 0; i < PLAY_PLACES; i++) {
        if (p->worlds[SUBJECT].places[i] != NULL) {
            ask(p, i, false);
        }
    }
}
